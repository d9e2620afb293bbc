/* jm-cgroup-v2-reader.c: what a cgroup of version 2 has used
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-types-private.h"

#include "core/jm-error.h"
#include "sources/cgroup/jm-cgroup-kernel-reader-private.h"
#include "sources/cgroup/jm-cgroup-mounts-private.h"
#include "sources/cgroup/jm-cgroup-v2-private.h"

/*
 * JmCgroupV2Reader:
 *
 * Reads cgroups of version 2
 * (https://docs.kernel.org/admin-guide/cgroup-v2.html). Its figures are of a cgroup and
 * all below it, as the kernel keeps them.
 *
 * - Errors: `ABSENT` where none is mounted.
 *
 * Since: 0.1
 */
struct _JmCgroupV2Reader
{
  JmCgroupKernelReader parent_instance;

  char *mount; /* logical path */
};

G_DEFINE_FINAL_TYPE (JmCgroupV2Reader,
                     jm_cgroup_v2_reader,
                     JM_TYPE_CGROUP_KERNEL_READER)

static gpointer
jm_cgroup_v2_reader_open_record (JmCgroupKernelReader *reader,
                                 const char *path,
                                 JmSubjectKind level,
                                 GError **error)
{
  JmCgroupV2Reader *self = JM_CGROUP_V2_READER (reader);
  g_autofree char *dir = jm_cgroup_mounts_join (self->mount, path);

  return jm_cgroup_v2_new (jm_cgroup_kernel_reader_get_context (reader), dir, level,
                           error);
}

static gboolean
jm_cgroup_v2_reader_read_record (gpointer cgroup, JmReadings *readings, GError **error)
{
  return jm_cgroup_v2_read (cgroup, readings, error);
}

static gboolean
jm_cgroup_v2_reader_list_record_processes (gpointer cgroup,
                                           JmReadings *readings,
                                           GError **error)
{
  return jm_cgroup_v2_list_processes (cgroup, readings, error);
}

static void
jm_cgroup_v2_reader_free_record (gpointer cgroup)
{
  jm_cgroup_v2_free (cgroup);
}

static gboolean
jm_cgroup_v2_reader_open (JmSource *source, GError **error)
{
  JmCgroupV2Reader *self = JM_CGROUP_V2_READER (source);
  JmHost *host = jm_source_get_host (source);
  g_autoptr (JmCgroupMounts) mounts = jm_cgroup_mounts_new (host);
  JmCgroupHierarchies hierarchies;

  if (mounts->unified == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                   "%s: no hierarchy of cgroup v2 is mounted",
                   jm_host_get_cgroupfs (host));
      return FALSE;
    }

  self->mount = g_steal_pointer (&mounts->unified);
  hierarchies = (JmCgroupHierarchies){
    .mounts = &self->mount,
    .n_mounts = 1,
    .events_mount = self->mount,
    .hugetlb_names = &jm_cgroup_v2_hugetlb_names,
  };
  jm_cgroup_kernel_reader_start (JM_CGROUP_KERNEL_READER (self), &hierarchies);

  return TRUE;
}

static void
jm_cgroup_v2_reader_finalize (GObject *object)
{
  JmCgroupV2Reader *self = JM_CGROUP_V2_READER (object);

  g_free (self->mount);

  G_OBJECT_CLASS (jm_cgroup_v2_reader_parent_class)->finalize (object);
}

static void
jm_cgroup_v2_reader_class_init (JmCgroupV2ReaderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  JmCgroupKernelReaderClass *kernel_class = JM_CGROUP_KERNEL_READER_CLASS (klass);

  object_class->finalize = jm_cgroup_v2_reader_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_cgroup_v2_reader_open;
  kernel_class->open_record = jm_cgroup_v2_reader_open_record;
  kernel_class->read_record = jm_cgroup_v2_reader_read_record;
  kernel_class->list_record_processes = jm_cgroup_v2_reader_list_record_processes;
  kernel_class->free_record = jm_cgroup_v2_reader_free_record;
}

static void
jm_cgroup_v2_reader_init (JmCgroupV2Reader *self)
{
}
