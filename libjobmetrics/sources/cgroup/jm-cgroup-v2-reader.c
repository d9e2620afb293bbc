/* jm-cgroup-v2-reader.c: what a cgroup of version 2 has used
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-host-private.h"
#include "sources/cgroup/jm-cgroup-types-private.h"

#include "base/jm-error.h"
#include "core/jm-metric.h"
#include "sources/cgroup/jm-cgroup-figures-private.h"
#include "sources/cgroup/jm-cgroup-kernel-reader-private.h"
#include "sources/cgroup/jm-cgroup-memory-stat-private.h"
#include "sources/cgroup/jm-cgroup-mounts-private.h"

#define N_FILES (FILE_RDMA + 1)

typedef enum
{
  FILE_CPU_STAT,
  FILE_CPUS_EFFECTIVE,
  FILE_CPUS,
  FILE_MEMORY_USED,
  FILE_MEMORY_PEAK,
  FILE_MEMORY_LIMIT,
  FILE_SWAP_USED,
  FILE_SWAP_LIMIT,
  FILE_SWAP_EVENTS,
  FILE_MEMORY_EVENTS,
  FILE_MEMORY_STAT,
  FILE_CPU_PRESSURE,
  FILE_MEMORY_PRESSURE,
  FILE_IO_PRESSURE,
  FILE_IO_STAT,
  FILE_PIDS,
  FILE_PIDS_LIMIT,
  FILE_RDMA,
} File;

/* An opened cgroup. It stays where it is: its files point at its directory. */
typedef struct
{
  JmCgroupContext *context;
  JmDir dir;
  gint64 opened_us;
  JmCgroupFile files[N_FILES];
  JmCgroupFile *hugetlb;
  JmFile processes;
  JmCgroupMemoryStat *memory_stat; /* of a job only */
} Cgroup;

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

static const char *const file_names[N_FILES] = {
  [FILE_CPU_STAT] = "cpu.stat",
  [FILE_CPUS_EFFECTIVE] = "cpuset.cpus.effective",
  [FILE_CPUS] = "cpuset.cpus",
  [FILE_MEMORY_USED] = "memory.current",
  [FILE_MEMORY_PEAK] = "memory.peak",
  [FILE_MEMORY_LIMIT] = "memory.max",
  [FILE_SWAP_USED] = "memory.swap.current",
  [FILE_SWAP_LIMIT] = "memory.swap.max",
  [FILE_SWAP_EVENTS] = "memory.swap.events",
  [FILE_MEMORY_EVENTS] = "memory.events",
  [FILE_MEMORY_STAT] = "memory.stat",
  [FILE_CPU_PRESSURE] = "cpu.pressure",
  [FILE_MEMORY_PRESSURE] = "memory.pressure",
  [FILE_IO_PRESSURE] = "io.pressure",
  [FILE_IO_STAT] = "io.stat",
  [FILE_PIDS] = "pids.current",
  [FILE_PIDS_LIMIT] = "pids.max",
  [FILE_RDMA] = "rdma.current",
};

static const JmCgroupHugetlbNames hugetlb_names = {
  .used = "current",
  .limit = "max",
  .events = "events",
};

static gboolean
want (Cgroup *self, JmCgroupSweep *sweep, File file)
{
  return jm_cgroup_file_open (&self->files[file], sweep, &self->dir, file_names[file]);
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

static guint
count_cpus (Cgroup *self, JmCgroupSweep *sweep)
{
  GString *text = self->context->text;

  if (want (self, sweep, FILE_CPUS_EFFECTIVE))
    return jm_cgroup_count_cpus (&self->files[FILE_CPUS_EFFECTIVE], sweep, text);
  if (want (self, sweep, FILE_CPUS))
    return jm_cgroup_count_cpus (&self->files[FILE_CPUS], sweep, text);

  return 0;
}

static void
read_cpu (Cgroup *self, JmCgroupSweep *sweep)
{
  guint n_cpus;

  if (want (self, sweep, FILE_CPU_STAT))
    jm_cgroup_add_unified_cpu_stat (&self->files[FILE_CPU_STAT], sweep);

  n_cpus = count_cpus (self, sweep);
  if (n_cpus > 0)
    jm_readings_add (sweep->readings, JM_METRIC_CPUS, n_cpus);
}

/* Its count of failures has those too that a swap device without room caused. */
static void
read_swap (Cgroup *self, JmCgroupSweep *sweep)
{
  static const JmFlatKey keys[] = { JM_FLAT_KEY ("max") };
  static const JmCgroupFigure figures[] = { { JM_METRIC_MEMORY_SWAP_FAILURES, 1 } };

  add_number (self, sweep, FILE_SWAP_USED, JM_METRIC_MEMORY_SWAP_USED);
  if (want (self, sweep, FILE_SWAP_LIMIT))
    jm_cgroup_file_add_limit_or_none (&self->files[FILE_SWAP_LIMIT], sweep,
                                      JM_METRIC_MEMORY_SWAP_LIMIT,
                                      JM_METRIC_MEMORY_SWAP_UNLIMITED);

  if (want (self, sweep, FILE_SWAP_EVENTS))
    jm_cgroup_file_add_keys (&self->files[FILE_SWAP_EVENTS], sweep, keys, figures,
                             G_N_ELEMENTS (keys), NULL);
}

static void
read_memory (Cgroup *self, JmCgroupSweep *sweep)
{
  static const JmFlatKey keys[] = {
    JM_FLAT_KEY ("max"),
    JM_FLAT_KEY ("oom"),
    JM_FLAT_KEY ("oom_kill"),
  };
  static const JmCgroupFigure figures[] = {
    { JM_METRIC_MEMORY_FAILURES, 1 },
    { JM_METRIC_MEMORY_OOMS, 1 },
    { JM_METRIC_MEMORY_OOM_KILLS, 1 },
  };

  add_number (self, sweep, FILE_MEMORY_USED, JM_METRIC_MEMORY_USED);
  add_number (self, sweep, FILE_MEMORY_PEAK, JM_METRIC_MEMORY_PEAK);
  if (want (self, sweep, FILE_MEMORY_LIMIT))
    jm_cgroup_file_add_limit_or_none (&self->files[FILE_MEMORY_LIMIT], sweep,
                                      JM_METRIC_MEMORY_LIMIT,
                                      JM_METRIC_MEMORY_UNLIMITED);
  read_swap (self, sweep);

  if (want (self, sweep, FILE_MEMORY_EVENTS))
    jm_cgroup_file_add_keys (&self->files[FILE_MEMORY_EVENTS], sweep, keys, figures,
                             G_N_ELEMENTS (keys), NULL);
}

static void
read_memory_stat (Cgroup *self, JmCgroupSweep *sweep, gint64 now_us)
{
  static const JmFlatKey keys[] = {
    JM_FLAT_KEY ("anon"),        JM_FLAT_KEY ("file"),
    JM_FLAT_KEY ("shmem"),       JM_FLAT_KEY ("file_mapped"),
    JM_FLAT_KEY ("anon_thp"),    JM_FLAT_KEY ("inactive_file"),
    JM_FLAT_KEY ("active_file"), JM_FLAT_KEY ("unevictable"),
    JM_FLAT_KEY ("slab"),
  };
  static const JmMetric metrics[] = {
    JM_METRIC_MEMORY_RSS,         JM_METRIC_MEMORY_CACHE,
    JM_METRIC_MEMORY_SHMEM,       JM_METRIC_MEMORY_MAPPED,
    JM_METRIC_MEMORY_RSS_HUGE,    JM_METRIC_MEMORY_INACTIVE_FILE,
    JM_METRIC_MEMORY_ACTIVE_FILE, JM_METRIC_MEMORY_UNEVICTABLE,
    JM_METRIC_MEMORY_SLAB,
  };

  if (!want (self, sweep, FILE_MEMORY_STAT))
    return;

  jm_cgroup_memory_stat_refresh (self->memory_stat, &self->files[FILE_MEMORY_STAT],
                                 sweep, keys, G_N_ELEMENTS (keys), now_us,
                                 self->context->memory_stat_interval_ms);
  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    jm_cgroup_memory_stat_add (self->memory_stat, sweep, i, metrics[i]);
}

static void
read_pressure (Cgroup *self, JmCgroupSweep *sweep)
{
  static const struct
  {
    File file;
    JmMetric some;
    JmMetric full;
  } kinds[] = {
    { FILE_CPU_PRESSURE, JM_METRIC_CPU_PRESSURE_SOME, JM_METRIC_CPU_PRESSURE_FULL },
    { FILE_MEMORY_PRESSURE, JM_METRIC_MEMORY_PRESSURE_SOME,
      JM_METRIC_MEMORY_PRESSURE_FULL },
    { FILE_IO_PRESSURE, JM_METRIC_IO_PRESSURE_SOME, JM_METRIC_IO_PRESSURE_FULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (want (self, sweep, kinds[i].file))
      jm_cgroup_add_pressure (&self->files[kinds[i].file], sweep, kinds[i].some,
                              kinds[i].full);
}

/* What the kernel calls a device that it has lost the name of: nobody can ask for it.
 */
#define IO_UNKNOWN "(unknown)"

static gboolean
add_io_line (Cgroup *self, JmSlice line, JmCgroupSweep *sweep)
{
  static const JmFlatKey keys[] = {
    JM_FLAT_KEY ("rbytes"),
    JM_FLAT_KEY ("wbytes"),
    JM_FLAT_KEY ("rios"),
    JM_FLAT_KEY ("wios"),
  };
  static const JmMetric metrics[] = {
    JM_METRIC_IO_READ_BYTES,
    JM_METRIC_IO_WRITE_BYTES,
    JM_METRIC_IO_READS,
    JM_METRIC_IO_WRITES,
  };
  guint64 values[G_N_ELEMENTS (keys)];
  guint64 found;
  JmSlice name;
  guint major, minor;
  gboolean sound = jm_parse_nested_keyed (line.text, line.length, &name, keys,
                                          G_N_ELEMENTS (keys), values, &found);

  if (jm_slice_equal (name, IO_UNKNOWN))
    return TRUE;
  if (!jm_parse_device (name.text, name.length, &major, &minor))
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (found & (1u << i))
      jm_readings_add_labelled (sweep->readings, metrics[i],
                                jm_cgroup_labels_get_block_device (self->context
                                                                     ->labels,
                                                                   major, minor),
                                values[i]);

  return sound;
}

static void
read_io (Cgroup *self, JmCgroupSweep *sweep)
{
  JmCgroupFile *file = &self->files[FILE_IO_STAT];
  GString *text = self->context->text;
  const char *cursor;
  JmSlice line;

  if (!want (self, sweep, FILE_IO_STAT) ||
      jm_cgroup_file_read_all (file, sweep, text) < 0)
    return;

  cursor = text->str;
  while (jm_parse_next_whole_line (&cursor, text->str + text->len, &line))
    if (!add_io_line (self, line, sweep))
      jm_cgroup_file_report (file, sweep, "not figures of a device", line);
}

static void
read_rdma (Cgroup *self, JmCgroupSweep *sweep)
{
  if (want (self, sweep, FILE_RDMA))
    jm_cgroup_add_rdma (&self->files[FILE_RDMA], sweep, self->context->text,
                        self->context->labels);
}

static void
read_all (Cgroup *self, JmCgroupSweep *sweep, gint64 now_us)
{
  JmReadings *readings = sweep->readings;

  if (jm_readings_begin (readings, JM_COLLECTOR_CPU))
    read_cpu (self, sweep);
  if (jm_readings_begin (readings, JM_COLLECTOR_MEMORY))
    read_memory (self, sweep);
  if (self->memory_stat != NULL &&
      jm_readings_begin (readings, JM_COLLECTOR_MEMORY_STAT))
    read_memory_stat (self, sweep, now_us);
  if (jm_readings_begin (readings, JM_COLLECTOR_PRESSURE))
    read_pressure (self, sweep);
  if (jm_readings_begin (readings, JM_COLLECTOR_IO))
    read_io (self, sweep);
  if (jm_readings_begin (readings, JM_COLLECTOR_PIDS))
    {
      add_number (self, sweep, FILE_PIDS, JM_METRIC_PIDS);
      add_limit (self, sweep, FILE_PIDS_LIMIT, JM_METRIC_PIDS_LIMIT);
    }
  if (jm_readings_begin (readings, JM_COLLECTOR_RDMA))
    read_rdma (self, sweep);
  if (jm_readings_begin (readings, JM_COLLECTOR_HUGETLB))
    jm_cgroup_hugetlb_read (self->context->hugetlb, self->hugetlb, &self->dir, sweep);

  jm_readings_end (readings);
}

static void
set_removed (Cgroup *self, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: the cgroup was removed",
               self->dir.path);
}

/* Reads all that is wanted. FALSE with `ABSENT` where the cgroup was removed. */
static gboolean
jm_cgroup_v2_reader_read_record (gpointer cgroup, JmReadings *readings, GError **error)
{
  Cgroup *self = cgroup;
  gint64 now_us = g_get_monotonic_time ();
  JmCgroupSweep sweep = {
    .readings = readings,
    .settled = !self->context->live || now_us - self->opened_us >= JM_CGROUP_SETTLE_US,
  };

  read_all (self, &sweep, now_us);

  if (sweep.gone || (sweep.n_read == 0 && !jm_cgroup_dir_is_alive (&self->dir)))
    {
      set_removed (self, error);
      return FALSE;
    }

  return TRUE;
}

/* Lists the processes in the cgroup itself. */
static gboolean
jm_cgroup_v2_reader_list_record_processes (gpointer cgroup,
                                           JmReadings *readings,
                                           GError **error)
{
  Cgroup *self = cgroup;

  if (self->processes.dir == NULL)
    {
      int result =
        jm_file_open_at (&self->processes, &self->dir, "cgroup.procs", JM_FILE_KEEP);

      if (result < 0)
        {
          const JmFile closed = { &self->dir, "cgroup.procs", -1, JM_FILE_KEEP };

          jm_file_set_error (&closed, result, error);
          return FALSE;
        }
    }

  return jm_cgroup_add_processes (&self->processes, readings, self->context->text,
                                  error);
}

/* Opens the cgroup with the directory @dir, a logical path. */
static Cgroup *
cgroup_new (JmCgroupContext *context,
            const char *dir,
            JmSubjectKind level,
            GError **error)
{
  Cgroup *self = g_new0 (Cgroup, 1);
  int result;

  jm_dir_init (&self->dir);
  result = jm_dir_open (&self->dir, context->host, dir);
  if (result < 0)
    {
      jm_cgroup_mounts_set_error (context->host, dir, result, error);
      g_free (self);
      return NULL;
    }

  jm_file_init (&self->processes);
  self->context = context;
  self->opened_us = g_get_monotonic_time ();
  self->hugetlb =
    g_new0 (JmCgroupFile, jm_cgroup_hugetlb_get_n_files (context->hugetlb));
  if (level == JM_SUBJECT_KIND_JOB)
    self->memory_stat = g_new0 (JmCgroupMemoryStat, 1);

  return self;
}

static const JmDir *
jm_cgroup_v2_reader_get_process_dir (gpointer cgroup)
{
  return &((Cgroup *) cgroup)->dir;
}

static void
jm_cgroup_v2_reader_free_record (gpointer cgroup)
{
  Cgroup *self = cgroup;

  for (guint i = 0; i < N_FILES; i++)
    jm_cgroup_file_close (&self->files[i]);
  for (guint i = 0; i < jm_cgroup_hugetlb_get_n_files (self->context->hugetlb); i++)
    jm_cgroup_file_close (&self->hugetlb[i]);

  jm_file_close (&self->processes);
  jm_dir_close (&self->dir);
  g_free (self->hugetlb);
  g_free (self->memory_stat);
  g_free (self);
}

static gpointer
jm_cgroup_v2_reader_open_record (JmCgroupKernelReader *reader,
                                 const char *path,
                                 JmSubjectKind level,
                                 GError **error)
{
  JmCgroupV2Reader *self = JM_CGROUP_V2_READER (reader);
  g_autofree char *dir = jm_cgroup_mounts_join (self->mount, path);

  return cgroup_new (jm_cgroup_kernel_reader_get_context (reader), dir, level, error);
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
    .cpu_mount = self->mount,
    .cpu_name = file_names[FILE_CPU_STAT],
    .hugetlb_names = &hugetlb_names,
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
  kernel_class->get_process_dir = jm_cgroup_v2_reader_get_process_dir;
  kernel_class->free_record = jm_cgroup_v2_reader_free_record;
}

static void
jm_cgroup_v2_reader_init (JmCgroupV2Reader *self)
{
}
