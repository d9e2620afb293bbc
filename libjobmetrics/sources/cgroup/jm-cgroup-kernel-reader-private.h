/* jm-cgroup-kernel-reader-private.h: what the readers of both versions share
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-cgroup-context-private.h"
#include "sources/cgroup/jm-cgroup-reader.h"

G_BEGIN_DECLS

#define JM_TYPE_CGROUP_KERNEL_READER (jm_cgroup_kernel_reader_get_type ())

G_DECLARE_DERIVABLE_TYPE (JmCgroupKernelReader,
                          jm_cgroup_kernel_reader,
                          JM,
                          CGROUP_KERNEL_READER,
                          JmSource)

/*
 * JmCgroupKernelReaderClass:
 * @parent_class: the parent class
 *
 * The class of readers of cgroups that a kernel keeps.
 */
struct _JmCgroupKernelReaderClass
{
  JmSourceClass parent_class;

  /* opened cgroups are the version's own records, which the base numbers */
  gpointer (*open_record) (JmCgroupKernelReader *self,
                           const char *path,
                           JmSubjectKind level,
                           GError **error);
  gboolean (*read_record) (gpointer cgroup, JmReadings *readings, GError **error);
  gboolean (*list_record_processes) (gpointer cgroup,
                                     JmReadings *readings,
                                     GError **error);
  /* where the list of processes is, and the time that they ran; NULL where these are
   * not in one place */
  const JmDir *(*get_process_dir) (gpointer cgroup);
  void (*free_record) (gpointer cgroup);
};

/**
 * JmCgroupHierarchies:
 * @mounts: logical paths of the hierarchies; a cgroup is what has its path in any
 * @n_mounts: how many, at least one
 * @events_mount: (nullable): the one of version 2: it alone reports when a cgroup
 *   becomes empty
 * @cpu_mount: (nullable): the one in which CPU time is counted
 * @cpu_name: the file there that has the CPU time of a cgroup
 * @hugetlb_names: what the files of huge pages are called there
 *
 * Where a version's cgroups are. The strings stay the reader's.
 */
typedef struct
{
  char *const *mounts;
  guint n_mounts;
  const char *events_mount;
  const char *cpu_mount;
  const char *cpu_name;
  const JmCgroupHugetlbNames *hugetlb_names;
} JmCgroupHierarchies;

/* The last step of open (). Cgroups are closed before anything is finalized. */
void jm_cgroup_kernel_reader_start (JmCgroupKernelReader *self,
                                    const JmCgroupHierarchies *hierarchies);

JmCgroupContext *jm_cgroup_kernel_reader_get_context (JmCgroupKernelReader *self);

/* Whether the kernel says if there is a process in @path or below it, which version 2
 * does alone. */
gboolean jm_cgroup_kernel_reader_read_populated (JmCgroupKernelReader *self,
                                                 const char *path,
                                                 gboolean *is_populated);

/* The same of @path alone, as its lists of processes say in all hierarchies: schedulers
 * put their own processes into some of them. */
gboolean jm_cgroup_kernel_reader_read_occupied (JmCgroupKernelReader *self,
                                                const char *path,
                                                gboolean *is_occupied);

/* When a cgroup came and went, as the kernel said: microseconds since 1970, 0 where
 * that is not known, as with any other reader. */
void jm_cgroup_kernel_reader_find_times (JmCgroupReader *reader,
                                         const char *path,
                                         gint64 *born_us,
                                         gint64 *died_us);

/* For whoever keeps what jobs used in all: of cgroups that are opened from now on,
 * those beside them are read, too, when one of them is removed. */
void jm_cgroup_kernel_reader_weigh_removed (JmCgroupReader *reader);

/* Whether no process in an opened cgroup or below it has run since this was asked
 * before: its CPU time is the same, to the nanosecond in version 1, to the microsecond
 * in version 2. The kernel adds what runs just now with each tick, so the next time may
 * know more. FALSE where that is not known, as with any other reader. */
gboolean jm_cgroup_kernel_reader_has_slept (JmCgroupReader *reader, guint number);

/* How much CPU time a removed cgroup has used, and how much more than was read of it,
 * at
 * least, from the counter of the cgroup above; it @is_all where no more than some per
 * cent can be missing. FALSE where it is there, or is not weighed. */
gboolean jm_cgroup_kernel_reader_find_unread (JmCgroupReader *reader,
                                              guint number,
                                              guint64 *used_ns,
                                              guint64 *unread_ns,
                                              gboolean *is_all);

G_END_DECLS
