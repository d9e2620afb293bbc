/* jm-cgroup-kernel-reader.h: cgroups that a kernel keeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-cgroup-reader.h"

G_BEGIN_DECLS

#define JM_TYPE_CGROUP_KERNEL_READER (jm_cgroup_kernel_reader_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (JmCgroupKernelReader,
                          jm_cgroup_kernel_reader,
                          JM,
                          CGROUP_KERNEL_READER,
                          JmSource)

/**
 * JmCgroupKernelReaderClass:
 * @parent_class: the parent class
 *
 * The class of readers of cgroups that a kernel keeps.
 *
 * Since: 0.1
 */
struct _JmCgroupKernelReaderClass
{
  JmSourceClass parent_class;

  /*< private >*/
  /* opened cgroups are the version's own records, which the base numbers */
  gpointer (*open_record) (JmCgroupKernelReader *self,
                           const char *path,
                           JmSubjectKind level,
                           GError **error);
  gboolean (*read_record) (gpointer cgroup, JmReadings *readings, GError **error);
  gboolean (*list_record_processes) (gpointer cgroup,
                                     JmReadings *readings,
                                     GError **error);
  void (*free_record) (gpointer cgroup);

  gpointer padding[4];
};

G_END_DECLS
