/* jm-cgroup-v1-reader.c: what a cgroup of version 1 has used
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-types-private.h"

#include "core/jm-error.h"
#include "sources/cgroup/jm-cgroup-kernel-reader-private.h"
#include "sources/cgroup/jm-cgroup-mounts-private.h"
#include "sources/cgroup/jm-cgroup-v1-private.h"

/*
 * JmCgroupV1Reader:
 *
 * Reads cgroups of version 1 (https://docs.kernel.org/admin-guide/cgroup-v1/). One path
 * stands for the directories of that name in all hierarchies: each controller's figures
 * are read where it is mounted, and are of a cgroup and all below it, whichever of
 * these the kernel counts:
 *
 * - `cpuacct.*`, `hugetlb.*` in use and at most, `pids.current`, `rdma.current`,
 *   `blkio.throttle.*_recursive`: the kernel counts the subtree.
 * - `memory.usage_in_bytes`, `max_usage_in_bytes`, and `total_` keys of `memory.stat`:
 *   the subtree where `memory.use_hierarchy` is set. Else they are left out of a cgroup
 *   that has children or had some.
 * - `blkio.throttle.io_service_bytes`, `io_serviced`: the cgroup alone. They are read
 *   where there are no recursive ones, of a cgroup that never had children.
 * - `memory.oom_control`: kills are counted in the cgroup of the killed process.
 * - `memory.failcnt`, `memory.memsw.failcnt`, `hugetlb.*.failcnt`, and periods and
 *   throttling in `cpu.stat`: counted in the cgroup whose limit it is. Like kills they
 *   are summed over a cgroup and the opened ones below it, and over those that were
 *   closed.
 * - Plain keys of `memory.stat`, and `pids.events`: the cgroup alone. None is read.
 * - Limits, `pids.max` and `cpuset.*` are settings of the cgroup itself.
 *
 * On a hybrid host the hierarchy of version 2 counts as one more: pressure is read
 * there, and CPU time where a cgroup is in no hierarchy of cpuacct.
 *
 * - Errors: `ABSENT` where none is mounted.
 *
 * Since: 0.1
 */
struct _JmCgroupV1Reader
{
  JmCgroupKernelReader parent_instance;

  JmCgroupV1Layout layout;
  JmCgroupV1EventTable *events;
};

G_DEFINE_FINAL_TYPE (JmCgroupV1Reader,
                     jm_cgroup_v1_reader,
                     JM_TYPE_CGROUP_KERNEL_READER)

static gpointer
jm_cgroup_v1_reader_open_record (JmCgroupKernelReader *reader,
                                 const char *path,
                                 JmSubjectKind level,
                                 GError **error)
{
  JmCgroupV1Reader *self = JM_CGROUP_V1_READER (reader);

  return jm_cgroup_v1_new (jm_cgroup_kernel_reader_get_context (reader), &self->layout,
                           self->events, path, level, error);
}

static gboolean
jm_cgroup_v1_reader_read_record (gpointer cgroup, JmReadings *readings, GError **error)
{
  return jm_cgroup_v1_read (cgroup, readings, error);
}

static gboolean
jm_cgroup_v1_reader_list_record_processes (gpointer cgroup,
                                           JmReadings *readings,
                                           GError **error)
{
  return jm_cgroup_v1_list_processes (cgroup, readings, error);
}

static void
jm_cgroup_v1_reader_free_record (gpointer cgroup)
{
  jm_cgroup_v1_free (cgroup);
}

static gboolean
jm_cgroup_v1_reader_open (JmSource *source, GError **error)
{
  JmCgroupV1Reader *self = JM_CGROUP_V1_READER (source);
  JmHost *host = jm_source_get_host (source);
  g_autoptr (JmCgroupMounts) mounts = jm_cgroup_mounts_new (host);
  JmCgroupHierarchies hierarchies;

  if (!jm_cgroup_mounts_have_v1 (mounts))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                   "%s: no hierarchy of cgroup v1 is mounted",
                   jm_host_get_cgroupfs (host));
      return FALSE;
    }

  jm_cgroup_v1_layout_init (&self->layout, host, mounts);
  hierarchies = (JmCgroupHierarchies){
    .mounts = self->layout.mounts,
    .n_mounts = self->layout.n_mounts,
    .events_mount = self->layout.unified != JM_CGROUP_NOWHERE
                      ? self->layout.mounts[self->layout.unified]
                      : NULL,
    .hugetlb_names = &jm_cgroup_v1_hugetlb_names,
  };
  jm_cgroup_kernel_reader_start (JM_CGROUP_KERNEL_READER (self), &hierarchies);
  self->events = jm_cgroup_v1_event_table_new (
    jm_cgroup_kernel_reader_get_context (JM_CGROUP_KERNEL_READER (self))->hugetlb);

  return TRUE;
}

static void
jm_cgroup_v1_reader_finalize (GObject *object)
{
  JmCgroupV1Reader *self = JM_CGROUP_V1_READER (object);

  g_clear_pointer (&self->events, jm_cgroup_v1_event_table_free);
  jm_cgroup_v1_layout_clear (&self->layout);

  G_OBJECT_CLASS (jm_cgroup_v1_reader_parent_class)->finalize (object);
}

static void
jm_cgroup_v1_reader_class_init (JmCgroupV1ReaderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  JmCgroupKernelReaderClass *kernel_class = JM_CGROUP_KERNEL_READER_CLASS (klass);

  object_class->finalize = jm_cgroup_v1_reader_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_cgroup_v1_reader_open;
  kernel_class->open_record = jm_cgroup_v1_reader_open_record;
  kernel_class->read_record = jm_cgroup_v1_reader_read_record;
  kernel_class->list_record_processes = jm_cgroup_v1_reader_list_record_processes;
  kernel_class->free_record = jm_cgroup_v1_reader_free_record;
}

static void
jm_cgroup_v1_reader_init (JmCgroupV1Reader *self)
{
}
