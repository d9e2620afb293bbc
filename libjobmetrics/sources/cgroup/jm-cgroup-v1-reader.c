/* jm-cgroup-v1-reader.c: what a cgroup of version 1 has used
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-host-private.h"
#include "sources/cgroup/jm-cgroup-types-private.h"

#include <errno.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "core/jm-metric.h"
#include "sources/cgroup/jm-cgroup-figures-private.h"
#include "sources/cgroup/jm-cgroup-kernel-reader-private.h"
#include "sources/cgroup/jm-cgroup-mounts-private.h"
#include "sources/cgroup/jm-cgroup-parse-private.h"
#include "sources/cgroup/jm-cgroup-v1-dirs-private.h"

#define PROCESSES "cgroup.procs"
#define NS_PER_S 1000000000

#define N_FILES (FILE_UNIFIED_IO_PRESSURE + 1)

typedef enum
{
  FILE_CPU_TOTAL,
  FILE_CPU_STAT,
  FILE_CPU_USER,
  FILE_CPU_SYSTEM,
  FILE_PERCPU,
  FILE_CPUS_EFFECTIVE,
  FILE_CPUS,
  FILE_IO_BYTES,
  FILE_IO_BYTES_OWN,
  FILE_IO_OPERATIONS,
  FILE_IO_OPERATIONS_OWN,
  FILE_PIDS,
  FILE_PIDS_LIMIT,
  FILE_RDMA,
  FILE_UNIFIED_CPU_STAT,
  FILE_UNIFIED_CPU_PRESSURE,
  FILE_UNIFIED_MEMORY_PRESSURE,
  FILE_UNIFIED_IO_PRESSURE,
} File;

/* Where the figures of CPUs go. */
typedef struct
{
  JmReadings *readings;
  JmCgroupLabels *labels;
} Percpu;

/* An opened cgroup: the directories of one path in all hierarchies. It stays where it
 * is, as its directories do. */
typedef struct
{
  JmCgroupV1Dirs dirs;
  /* NULL before a figure is wanted: of most cgroups nothing is but the processes */
  JmCgroupFile *files;
  JmCgroupFile *hugetlb;
  JmCgroupV1Memory memory;
  JmCgroupV1Events *events;
  gboolean had_children; /* in the hierarchy of blkio */
} Cgroup;

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

static const struct
{
  guint controller; /* of JmCgroupController, or JM_CGROUP_V1_UNIFIED */
  const char *name;
} files[N_FILES] = {
  [FILE_CPU_TOTAL] = { JM_CGROUP_CPUACCT, "cpuacct.usage" },
  [FILE_CPU_STAT] = { JM_CGROUP_CPUACCT, "cpuacct.stat" },
  [FILE_CPU_USER] = { JM_CGROUP_CPUACCT, "cpuacct.usage_user" },
  [FILE_CPU_SYSTEM] = { JM_CGROUP_CPUACCT, "cpuacct.usage_sys" },
  [FILE_PERCPU] = { JM_CGROUP_CPUACCT, "cpuacct.usage_percpu" },
  [FILE_CPUS_EFFECTIVE] = { JM_CGROUP_CPUSET, "cpuset.effective_cpus" },
  [FILE_CPUS] = { JM_CGROUP_CPUSET, "cpuset.cpus" },
  [FILE_IO_BYTES] = { JM_CGROUP_BLKIO, "blkio.throttle.io_service_bytes_recursive" },
  [FILE_IO_BYTES_OWN] = { JM_CGROUP_BLKIO, "blkio.throttle.io_service_bytes" },
  [FILE_IO_OPERATIONS] = { JM_CGROUP_BLKIO, "blkio.throttle.io_serviced_recursive" },
  [FILE_IO_OPERATIONS_OWN] = { JM_CGROUP_BLKIO, "blkio.throttle.io_serviced" },
  [FILE_PIDS] = { JM_CGROUP_PIDS, "pids.current" },
  [FILE_PIDS_LIMIT] = { JM_CGROUP_PIDS, "pids.max" },
  [FILE_RDMA] = { JM_CGROUP_RDMA, "rdma.current" },
  [FILE_UNIFIED_CPU_STAT] = { JM_CGROUP_V1_UNIFIED, "cpu.stat" },
  [FILE_UNIFIED_CPU_PRESSURE] = { JM_CGROUP_V1_UNIFIED, "cpu.pressure" },
  [FILE_UNIFIED_MEMORY_PRESSURE] = { JM_CGROUP_V1_UNIFIED, "memory.pressure" },
  [FILE_UNIFIED_IO_PRESSURE] = { JM_CGROUP_V1_UNIFIED, "io.pressure" },
};

static const JmCgroupHugetlbNames hugetlb_names = {
  .used = "usage_in_bytes",
  .peak = "max_usage_in_bytes",
  .limit = "limit_in_bytes",
};

static gboolean
want (Cgroup *self, JmCgroupSweep *sweep, File file)
{
  return jm_cgroup_file_open (&self->files[file], sweep,
                              jm_cgroup_v1_dirs_get (&self->dirs,
                                                     files[file].controller),
                              files[file].name);
}

static void
add_number (Cgroup *self, JmCgroupSweep *sweep, File file, JmMetric metric)
{
  if (want (self, sweep, file))
    jm_cgroup_file_add_number (&self->files[file], sweep, metric, NULL);
}

static void
add_limit (Cgroup *self, JmCgroupSweep *sweep, File file, JmMetric metric)
{
  if (want (self, sweep, file))
    jm_cgroup_file_add_limit (&self->files[file], sweep, metric, NULL);
}

/* cpuacct.stat is scaled to what the scheduler counted, in steps of a clock tick.
 * cpuacct.usage_user and usage_sys are finer and worse: from Linux 5.17 on they are raw
 * samples that may add up to more than cpuacct.usage, before they took time of guests
 * for system time. */
static void
read_cpu_modes (Cgroup *self, JmCgroupSweep *sweep)
{
  static const JmFlatKey keys[] = { JM_FLAT_KEY ("user"), JM_FLAT_KEY ("system") };
  const guint tick_ns = NS_PER_S / (guint) sysconf (_SC_CLK_TCK);
  const JmCgroupFigure figures[] = {
    { JM_METRIC_CPU_USER, tick_ns },
    { JM_METRIC_CPU_SYSTEM, tick_ns },
  };

  if (want (self, sweep, FILE_CPU_STAT))
    {
      jm_cgroup_file_add_keys (&self->files[FILE_CPU_STAT], sweep, keys, figures,
                               G_N_ELEMENTS (keys), NULL);
      return;
    }

  add_number (self, sweep, FILE_CPU_USER, JM_METRIC_CPU_USER);
  add_number (self, sweep, FILE_CPU_SYSTEM, JM_METRIC_CPU_SYSTEM);
}

/* On a hybrid host the CPU time of one path stands in both versions: it is taken from
 * v2 only where v1 has no such cgroup. */
static void
read_cpu (Cgroup *self, JmCgroupSweep *sweep)
{
  if (jm_cgroup_v1_dirs_get (&self->dirs, JM_CGROUP_CPUACCT)->path != NULL)
    {
      add_number (self, sweep, FILE_CPU_TOTAL, JM_METRIC_CPU_TOTAL);
      read_cpu_modes (self, sweep);
    }
  else if (want (self, sweep, FILE_UNIFIED_CPU_STAT))
    jm_cgroup_add_unified_cpu_stat (&self->files[FILE_UNIFIED_CPU_STAT], sweep);
}

/* Leaves the list in the context's cpus. */
static guint
count_cpus (Cgroup *self, JmCgroupSweep *sweep)
{
  GString *cpus = self->dirs.context->cpus;

  g_string_truncate (cpus, 0);
  if (want (self, sweep, FILE_CPUS_EFFECTIVE))
    return jm_cgroup_count_cpus (&self->files[FILE_CPUS_EFFECTIVE], sweep, cpus);
  if (want (self, sweep, FILE_CPUS))
    return jm_cgroup_count_cpus (&self->files[FILE_CPUS], sweep, cpus);

  return 0;
}

static void
add_percpu (guint cpu, guint64 value_ns, gpointer user_data)
{
  Percpu *percpu = user_data;

  jm_readings_add_labelled (percpu->readings, JM_METRIC_PERCPU,
                            jm_cgroup_labels_get_cpu (percpu->labels, cpu), value_ns);
  jm_readings_place (percpu->readings, cpu, value_ns);
}

/* A job has a series for each CPU that it may use, as the context's cpus say, and for
 * each that it has used, as before it was confined to others. */
static void
read_percpu (Cgroup *self, JmCgroupSweep *sweep)
{
  Percpu percpu = { sweep->readings, self->dirs.context->labels };
  const char *possible = self->dirs.layout->possible_cpus;
  GString *text = self->dirs.context->text;
  GString *cpus = self->dirs.context->cpus;

  if (!want (self, sweep, FILE_PERCPU) ||
      jm_cgroup_file_read_all (&self->files[FILE_PERCPU], sweep, text) < 0)
    return;

  if (!jm_cgroup_parse_percpu (text->str, text->len,
                               (JmSlice){ possible, strlen (possible) },
                               (JmSlice){ cpus->str, cpus->len }, add_percpu, &percpu))
    jm_cgroup_file_report (&self->files[FILE_PERCPU], sweep,
                           "not one number for each CPU",
                           (JmSlice){ text->str, text->len });
}

static void
read_cpu_collectors (Cgroup *self, JmCgroupSweep *sweep)
{
  gboolean counted = FALSE;

  if (jm_readings_begin (sweep->readings, JM_COLLECTOR_CPU))
    {
      guint n_cpus;

      /* first of all: it may be there for a moment only */
      read_cpu (self, sweep);
      n_cpus = count_cpus (self, sweep);
      if (n_cpus > 0)
        jm_readings_add (sweep->readings, JM_METRIC_CPUS, n_cpus);
      counted = TRUE;
    }

  if (jm_readings_begin (sweep->readings, JM_COLLECTOR_PERCPU))
    {
      if (!counted)
        count_cpus (self, sweep);
      read_percpu (self, sweep);
    }
}

/* v1 has no pressure files, but on a hybrid host the same path may be in v2 as well. */
static void
read_pressure (Cgroup *self, JmCgroupSweep *sweep)
{
  static const struct
  {
    File file;
    JmMetric some;
    JmMetric full;
  } kinds[] = {
    { FILE_UNIFIED_CPU_PRESSURE, JM_METRIC_CPU_PRESSURE_SOME,
      JM_METRIC_CPU_PRESSURE_FULL },
    { FILE_UNIFIED_MEMORY_PRESSURE, JM_METRIC_MEMORY_PRESSURE_SOME,
      JM_METRIC_MEMORY_PRESSURE_FULL },
    { FILE_UNIFIED_IO_PRESSURE, JM_METRIC_IO_PRESSURE_SOME,
      JM_METRIC_IO_PRESSURE_FULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (want (self, sweep, kinds[i].file))
      jm_cgroup_add_pressure (&self->files[kinds[i].file], sweep, kinds[i].some,
                              kinds[i].full);
}

/* Kernels that have no recursive files count a cgroup's own IO only: right for one
 * without children. */
static void
read_blkio (Cgroup *self,
            JmCgroupSweep *sweep,
            File recursive,
            File own,
            const JmMetric metrics[2])
{
  JmCgroupContext *context = self->dirs.context;
  File file = recursive;

  if (!want (self, sweep, recursive))
    {
      if (!want (self, sweep, own) ||
          jm_cgroup_dir_had_children (jm_cgroup_v1_dirs_get (&self->dirs,
                                                             JM_CGROUP_BLKIO),
                                      &self->had_children))
        return;

      file = own;
    }

  jm_cgroup_add_blkio (&self->files[file], sweep, context->text, context->labels,
                       metrics[0], metrics[1]);
}

static void
read_io (Cgroup *self, JmCgroupSweep *sweep)
{
  static const JmMetric bytes[] = { JM_METRIC_IO_READ_BYTES, JM_METRIC_IO_WRITE_BYTES };
  static const JmMetric operations[] = { JM_METRIC_IO_READS, JM_METRIC_IO_WRITES };

  read_blkio (self, sweep, FILE_IO_BYTES, FILE_IO_BYTES_OWN, bytes);
  read_blkio (self, sweep, FILE_IO_OPERATIONS, FILE_IO_OPERATIONS_OWN, operations);
}

static void
read_all (Cgroup *self, JmCgroupSweep *sweep)
{
  JmCgroupContext *context = self->dirs.context;
  JmReadings *readings = sweep->readings;

  read_cpu_collectors (self, sweep);
  jm_cgroup_v1_memory_read (&self->memory,
                            jm_cgroup_v1_dirs_get (&self->dirs, JM_CGROUP_MEMORY),
                            sweep, g_get_monotonic_time (),
                            context->memory_stat_interval_ms);

  if (jm_readings_begin (readings, JM_COLLECTOR_PRESSURE))
    read_pressure (self, sweep);
  if (jm_readings_begin (readings, JM_COLLECTOR_IO))
    read_io (self, sweep);
  if (jm_readings_begin (readings, JM_COLLECTOR_PIDS))
    {
      add_number (self, sweep, FILE_PIDS, JM_METRIC_PIDS);
      add_limit (self, sweep, FILE_PIDS_LIMIT, JM_METRIC_PIDS_LIMIT);
    }
  if (jm_readings_begin (readings, JM_COLLECTOR_RDMA) && want (self, sweep, FILE_RDMA))
    jm_cgroup_add_rdma (&self->files[FILE_RDMA], sweep, context->text, context->labels);
  if (jm_readings_begin (readings, JM_COLLECTOR_HUGETLB))
    jm_cgroup_hugetlb_read (context->hugetlb, self->hugetlb,
                            jm_cgroup_v1_dirs_get (&self->dirs, JM_CGROUP_HUGETLB),
                            sweep);
  jm_cgroup_v1_events_read (self->events, sweep);

  jm_readings_end (readings);
}

static void
set_removed (Cgroup *self, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: the cgroup was removed",
               self->dirs.path);
}

static void
make_files (Cgroup *self)
{
  if (self->files != NULL)
    return;

  self->files = g_new0 (JmCgroupFile, N_FILES);
  self->hugetlb =
    g_new0 (JmCgroupFile, jm_cgroup_hugetlb_get_n_files (self->dirs.context->hugetlb));
}

static void
close_files (Cgroup *self)
{
  if (self->files == NULL)
    return;

  for (guint i = 0; i < N_FILES; i++)
    jm_cgroup_file_close (&self->files[i]);
  for (guint i = 0; i < jm_cgroup_hugetlb_get_n_files (self->dirs.context->hugetlb);
       i++)
    jm_cgroup_file_close (&self->hugetlb[i]);
}

/* Reads all that is wanted. FALSE with `ABSENT` where the cgroup was removed from a
 * hierarchy: the others follow at once. */
static gboolean
jm_cgroup_v1_reader_read_record (gpointer cgroup, JmReadings *readings, GError **error)
{
  Cgroup *self = cgroup;
  JmCgroupSweep sweep = {
    .readings = readings,
    .settled = jm_cgroup_v1_dirs_refresh (&self->dirs),
  };

  make_files (self);
  read_all (self, &sweep);

  if (sweep.gone || (sweep.n_read == 0 && !jm_cgroup_v1_dirs_are_alive (&self->dirs)))
    {
      set_removed (self, error);
      return FALSE;
    }

  return TRUE;
}

/* Lists the processes in the cgroup itself. */
static gboolean
jm_cgroup_v1_reader_list_record_processes (gpointer cgroup,
                                           JmReadings *readings,
                                           GError **error)
{
  Cgroup *self = cgroup;
  JmFile file = { jm_cgroup_v1_dirs_find_processes (&self->dirs), PROCESSES, -1,
                  JM_FILE_REOPEN };

  if (file.dir->path == NULL)
    {
      set_removed (self, error);
      return FALSE;
    }

  jm_cgroup_v1_dirs_refresh (&self->dirs);

  return jm_cgroup_add_processes (&file, readings, self->dirs.context->text, error);
}

/* Schedulers may have a job in other cgroups of the hierarchy of CPU time, as Slurm by
 * default. */
static const JmDir *
jm_cgroup_v1_reader_get_process_dir (gpointer cgroup)
{
  Cgroup *self = cgroup;
  const JmDir *dir = jm_cgroup_v1_dirs_get (&self->dirs, JM_CGROUP_CPUACCT);

  return dir == jm_cgroup_v1_dirs_find_processes (&self->dirs) ? dir : NULL;
}

static void
jm_cgroup_v1_reader_free_record (gpointer cgroup)
{
  Cgroup *self = cgroup;

  close_files (self);
  jm_cgroup_v1_memory_clear (&self->memory);
  jm_cgroup_v1_events_free (self->events);
  jm_cgroup_v1_dirs_clear (&self->dirs);

  g_free (self->files);
  g_free (self->hugetlb);
  g_free (self);
}

/* Opens the cgroup @path. */
static Cgroup *
cgroup_new (JmCgroupContext *context,
            const JmCgroupV1Layout *layout,
            JmCgroupV1EventTable *events,
            const char *path,
            JmSubjectKind level,
            GError **error)
{
  Cgroup *self = g_new0 (Cgroup, 1);
  int result = jm_cgroup_v1_dirs_init (&self->dirs, context, layout, path);

  jm_cgroup_v1_memory_init (&self->memory, level);
  self->events = jm_cgroup_v1_events_new (events, &self->dirs);
  if (result < 0)
    {
      jm_path_error_set_errno (error, path, -result);
      jm_cgroup_v1_reader_free_record (self);
      return NULL;
    }

  return self;
}

static gpointer
jm_cgroup_v1_reader_open_record (JmCgroupKernelReader *reader,
                                 const char *path,
                                 JmSubjectKind level,
                                 GError **error)
{
  JmCgroupV1Reader *self = JM_CGROUP_V1_READER (reader);

  return cgroup_new (jm_cgroup_kernel_reader_get_context (reader), &self->layout,
                     self->events, path, level, error);
}

static gboolean
jm_cgroup_v1_reader_open (JmSource *source, GError **error)
{
  JmCgroupV1Reader *self = JM_CGROUP_V1_READER (source);
  JmHost *host = jm_source_get_host (source);
  g_autoptr (JmCgroupMounts) mounts = jm_cgroup_mounts_new (host);
  JmCgroupHierarchies hierarchies;
  guint cpuacct;

  if (!jm_cgroup_mounts_have_v1 (mounts))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                   "%s: no hierarchy of cgroup v1 is mounted",
                   jm_host_get_cgroupfs (host));
      return FALSE;
    }

  jm_cgroup_v1_layout_init (&self->layout, host, mounts);
  cpuacct = self->layout.by_controller[JM_CGROUP_CPUACCT];
  hierarchies = (JmCgroupHierarchies){
    .mounts = self->layout.mounts,
    .n_mounts = self->layout.n_mounts,
    .events_mount = self->layout.unified != JM_CGROUP_NOWHERE
                      ? self->layout.mounts[self->layout.unified]
                      : NULL,
    .cpu_mount = cpuacct != JM_CGROUP_NOWHERE ? self->layout.mounts[cpuacct] : NULL,
    .cpu_name = files[FILE_CPU_TOTAL].name,
    .hugetlb_names = &hugetlb_names,
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
  kernel_class->get_process_dir = jm_cgroup_v1_reader_get_process_dir;
  kernel_class->free_record = jm_cgroup_v1_reader_free_record;
}

static void
jm_cgroup_v1_reader_init (JmCgroupV1Reader *self)
{
}
