/* jm-cgroup-v1-memory.c: the memory controller of version 1
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-v1-dirs-private.h"

typedef enum
{
  FILE_USED,
  FILE_PEAK,
  FILE_LIMIT,
  FILE_MEMSW_LIMIT,
  FILE_STAT,
} File;

static const char *const file_names[] = {
  [FILE_USED] = "memory.usage_in_bytes",
  [FILE_PEAK] = "memory.max_usage_in_bytes",
  [FILE_LIMIT] = "memory.limit_in_bytes",
  [FILE_MEMSW_LIMIT] = "memory.memsw.limit_in_bytes",
  [FILE_STAT] = "memory.stat",
};

G_STATIC_ASSERT (G_N_ELEMENTS (file_names) == JM_CGROUP_V1_MEMORY_N_FILES);

/* What memory.stat has, by the order of keys below. */
typedef enum
{
  STAT_CACHE,
  STAT_RSS,
  STAT_RSS_HUGE,
  STAT_SHMEM,
  STAT_MAPPED,
  STAT_SWAP,
  STAT_INACTIVE_FILE,
  STAT_ACTIVE_FILE,
  STAT_UNEVICTABLE,
} Stat;

static gboolean
want (JmCgroupV1Memory *self, const JmDir *dir, JmCgroupSweep *sweep, File file)
{
  return jm_cgroup_file_open (&self->files[file], sweep, dir, file_names[file]);
}

static void
add_number (JmCgroupV1Memory *self,
            const JmDir *dir,
            JmCgroupSweep *sweep,
            File file,
            JmMetric metric)
{
  if (want (self, dir, sweep, file))
    jm_cgroup_file_add_number (&self->files[file], sweep, metric, NULL);
}

/* Without memory.use_hierarchy, which later kernels always have set, the figures of a
 * cgroup leave its children out: a job would seem to use nothing. */
static gboolean
is_whole (JmCgroupV1Memory *self, const JmDir *dir)
{
  if (dir->path == NULL)
    return FALSE;

  if (self->whole == JM_CGROUP_V1_WHOLE_UNKNOWN)
    {
      JmFile file = { dir, "memory.use_hierarchy", -1, JM_FILE_REOPEN };
      char text[32];
      gssize length = jm_file_read (&file, text, sizeof text);
      guint64 use = 1;

      if (length >= 0 && !jm_parse_uint64 (text, (gsize) length, &use))
        use = 0;
      self->whole = use != 0 ? JM_CGROUP_V1_WHOLE_YES : JM_CGROUP_V1_WHOLE_NO;
    }

  return self->whole == JM_CGROUP_V1_WHOLE_YES ||
         !jm_cgroup_dir_had_children (dir, &self->had_children);
}

/* The limit of v1 is one of memory and swap together. */
static void
read_memory_limits (JmCgroupV1Memory *self, const JmDir *dir, JmCgroupSweep *sweep)
{
  guint64 limit, both;

  if (!want (self, dir, sweep, FILE_LIMIT) ||
      !jm_cgroup_file_get_limit (&self->files[FILE_LIMIT], sweep, &limit))
    return;

  if (limit == JM_LIMIT_NONE)
    jm_readings_add (sweep->readings, JM_METRIC_MEMORY_UNLIMITED, 1);
  else
    jm_readings_add (sweep->readings, JM_METRIC_MEMORY_LIMIT, limit);

  if (!want (self, dir, sweep, FILE_MEMSW_LIMIT) ||
      !jm_cgroup_file_get_limit (&self->files[FILE_MEMSW_LIMIT], sweep, &both))
    return;

  if (both == JM_LIMIT_NONE)
    jm_readings_add (sweep->readings, JM_METRIC_MEMORY_SWAP_UNLIMITED, 1);
  else if (limit != JM_LIMIT_NONE && both >= limit)
    jm_readings_add (sweep->readings, JM_METRIC_MEMORY_SWAP_LIMIT, both - limit);
}

static void
read_memory (JmCgroupV1Memory *self, const JmDir *dir, JmCgroupSweep *sweep)
{
  add_number (self, dir, sweep, FILE_USED, JM_METRIC_MEMORY_USED);
  add_number (self, dir, sweep, FILE_PEAK, JM_METRIC_MEMORY_PEAK);
  read_memory_limits (self, dir, sweep);
}

static gboolean
refresh_stat (JmCgroupV1Memory *self,
              const JmDir *dir,
              JmCgroupSweep *sweep,
              gint64 now_us,
              guint interval_ms)
{
  static const JmFlatKey keys[] = {
    [STAT_CACHE] = JM_FLAT_KEY ("total_cache"),
    [STAT_RSS] = JM_FLAT_KEY ("total_rss"),
    [STAT_RSS_HUGE] = JM_FLAT_KEY ("total_rss_huge"),
    [STAT_SHMEM] = JM_FLAT_KEY ("total_shmem"),
    [STAT_MAPPED] = JM_FLAT_KEY ("total_mapped_file"),
    [STAT_SWAP] = JM_FLAT_KEY ("total_swap"),
    [STAT_INACTIVE_FILE] = JM_FLAT_KEY ("total_inactive_file"),
    [STAT_ACTIVE_FILE] = JM_FLAT_KEY ("total_active_file"),
    [STAT_UNEVICTABLE] = JM_FLAT_KEY ("total_unevictable"),
  };

  if (!want (self, dir, sweep, FILE_STAT))
    return FALSE;

  jm_cgroup_memory_stat_refresh (self->stat, &self->files[FILE_STAT], sweep, keys,
                                 G_N_ELEMENTS (keys), now_us, interval_ms);
  return TRUE;
}

static void
add_stat (const JmCgroupV1Memory *self, JmCgroupSweep *sweep)
{
  static const struct
  {
    Stat stat;
    JmMetric metric;
  } figures[] = {
    { STAT_CACHE, JM_METRIC_MEMORY_CACHE },
    { STAT_RSS, JM_METRIC_MEMORY_RSS },
    { STAT_RSS_HUGE, JM_METRIC_MEMORY_RSS_HUGE },
    { STAT_SHMEM, JM_METRIC_MEMORY_SHMEM },
    { STAT_MAPPED, JM_METRIC_MEMORY_MAPPED },
    { STAT_INACTIVE_FILE, JM_METRIC_MEMORY_INACTIVE_FILE },
    { STAT_ACTIVE_FILE, JM_METRIC_MEMORY_ACTIVE_FILE },
    { STAT_UNEVICTABLE, JM_METRIC_MEMORY_UNEVICTABLE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    jm_cgroup_memory_stat_add (self->stat, sweep, figures[i].stat, figures[i].metric);
}

/* Adds what is wanted of a cgroup with the directory @dir, closed where it is in no
 * hierarchy of memory, but for its events. Swap in use stands in memory.stat alone:
 * memory.memsw.usage_in_bytes counts memory too, and is read at another moment than
 * what would have to be taken from it. */
void
jm_cgroup_v1_memory_read (JmCgroupV1Memory *self,
                          const JmDir *dir,
                          JmCgroupSweep *sweep,
                          gint64 now_us,
                          guint stat_interval_ms)
{
  gboolean has_stat = FALSE;

  if (!is_whole (self, dir))
    return;

  if (self->stat != NULL &&
      jm_readings_begin (sweep->readings, JM_COLLECTOR_MEMORY_STAT))
    {
      has_stat = refresh_stat (self, dir, sweep, now_us, stat_interval_ms);
      if (has_stat)
        add_stat (self, sweep);
    }

  if (jm_readings_begin (sweep->readings, JM_COLLECTOR_MEMORY))
    {
      read_memory (self, dir, sweep);
      if (has_stat)
        jm_cgroup_memory_stat_add (self->stat, sweep, STAT_SWAP,
                                   JM_METRIC_MEMORY_SWAP_USED);
    }
}

/* All zeroes is a cgroup that was not read yet. */
void
jm_cgroup_v1_memory_init (JmCgroupV1Memory *self, JmSubjectKind level)
{
  if (level == JM_SUBJECT_KIND_JOB)
    self->stat = g_new0 (JmCgroupMemoryStat, 1);
}

void
jm_cgroup_v1_memory_clear (JmCgroupV1Memory *self)
{
  for (guint i = 0; i < JM_CGROUP_V1_MEMORY_N_FILES; i++)
    jm_cgroup_file_close (&self->files[i]);

  g_clear_pointer (&self->stat, g_free);
}
