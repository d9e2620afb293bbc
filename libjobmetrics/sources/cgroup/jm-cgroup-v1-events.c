/* jm-cgroup-v1-events.c: events that version 1 counts in one cgroup alone
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-v1-dirs-private.h"

#include <string.h>

#define MAX_METRICS 3

/* One file. */
typedef struct
{
  guint controller; /* of JmCgroupController */
  char *file;
  JmLabels *labels;      /* NULL for none */
  const JmFlatKey *keys; /* of each metric; NULL where the file is one number */
  guint n_metrics;
  JmMetric metrics[MAX_METRICS]; /* of one collector */
} Kind;

struct _JmCgroupV1EventTable
{
  GArray *kinds;      /* of Kind */
  GHashTable *opened; /* of JmCgroupV1Events by path; neither is owned */
};

/* How often an event happened in one cgroup, or how long it lasted there. */
typedef struct
{
  guint64 last; /* as read last */
  guint64 past; /* of cgroups that were closed, and from before the file was reset */
  gboolean is_known;
} Count;

typedef struct
{
  JmCgroupFile file;
  Count counts[MAX_METRICS];
} Counts;

struct _JmCgroupV1Events
{
  JmCgroupV1EventTable *table;
  JmCgroupV1Dirs *dirs;
  JmCgroupV1Events *above; /* NULL for none */
  GPtrArray *below;        /* of JmCgroupV1Events */
  Counts *counts;          /* by kind */
  guint64 fresh_round;     /* in which the one above read it; 0 for none */
};

/* --- kinds --- */

static void
kind_clear (gpointer kind)
{
  g_clear_pointer (&((Kind *) kind)->labels, jm_labels_unref);
  g_free (((Kind *) kind)->file);
}

JmCgroupV1EventTable *
jm_cgroup_v1_event_table_new (JmCgroupHugetlb *hugetlb)
{
  static const JmFlatKey oom[] = { JM_FLAT_KEY ("oom_kill") };
  static const JmFlatKey bandwidth[] = { JM_FLAT_KEY ("nr_periods"),
                                         JM_FLAT_KEY ("nr_throttled"),
                                         JM_FLAT_KEY ("throttled_time") };
  const Kind kinds[] = {
    { JM_CGROUP_CPU,
      g_strdup ("cpu.stat"),
      NULL,
      bandwidth,
      3,
      { JM_METRIC_CPU_PERIODS, JM_METRIC_CPU_THROTTLED_PERIODS,
        JM_METRIC_CPU_THROTTLED } },
    { JM_CGROUP_MEMORY,
      g_strdup ("memory.failcnt"),
      NULL,
      NULL,
      1,
      { JM_METRIC_MEMORY_FAILURES } },
    { JM_CGROUP_MEMORY,
      g_strdup ("memory.memsw.failcnt"),
      NULL,
      NULL,
      1,
      { JM_METRIC_MEMORY_SWAP_FAILURES } },
    { JM_CGROUP_MEMORY,
      g_strdup ("memory.oom_control"),
      NULL,
      oom,
      1,
      { JM_METRIC_MEMORY_OOM_KILLS } },
  };
  JmCgroupV1EventTable *self = g_new0 (JmCgroupV1EventTable, 1);
  JmLabels *size;

  self->kinds = g_array_new (FALSE, FALSE, sizeof (Kind));
  g_array_set_clear_func (self->kinds, kind_clear);
  g_array_append_vals (self->kinds, kinds, G_N_ELEMENTS (kinds));
  for (guint i = 0; (size = jm_cgroup_hugetlb_get_page_size (hugetlb, i)) != NULL; i++)
    {
      const Kind kind = {
        .controller = JM_CGROUP_HUGETLB,
        .file = g_strdup_printf ("hugetlb.%s.failcnt", jm_labels_get_value (size, 0)),
        .labels = jm_labels_ref (size),
        .n_metrics = 1,
        .metrics = { JM_METRIC_HUGETLB_FAILURES },
      };

      g_array_append_val (self->kinds, kind);
    }
  self->opened = g_hash_table_new (g_str_hash, g_str_equal);

  return self;
}

void
jm_cgroup_v1_event_table_free (JmCgroupV1EventTable *self)
{
  g_array_unref (self->kinds);
  g_hash_table_unref (self->opened);
  g_free (self);
}

static const Kind *
get_kind (const JmCgroupV1Events *self, guint i)
{
  return &g_array_index (self->table->kinds, Kind, i);
}

/* --- one cgroup --- */

static JmCgroupV1Events *
find_above (JmCgroupV1EventTable *table, const char *path)
{
  g_autofree char *above = g_strdup (path);
  JmCgroupV1Events *found = NULL;
  char *slash;

  while (found == NULL && (slash = strrchr (above, '/')) != NULL)
    {
      *slash = '\0';
      found = g_hash_table_lookup (table->opened, above);
    }

  return found;
}

static void
put_below (JmCgroupV1Events *self, JmCgroupV1Events *above)
{
  self->above = above;
  if (above != NULL)
    g_ptr_array_add (above->below, self);
}

JmCgroupV1Events *
jm_cgroup_v1_events_new (JmCgroupV1EventTable *table, JmCgroupV1Dirs *dirs)
{
  JmCgroupV1Events *self = g_new0 (JmCgroupV1Events, 1);

  self->table = table;
  self->dirs = dirs;
  self->below = g_ptr_array_new ();
  self->counts = g_new0 (Counts, table->kinds->len);
  /* one that is opened twice counts once */
  if (!g_hash_table_contains (table->opened, dirs->path))
    {
      g_hash_table_insert (table->opened, dirs->path, self);
      put_below (self, find_above (table, dirs->path));
    }

  return self;
}

static void
hand_up (JmCgroupV1Events *self)
{
  for (guint i = 0; i < self->table->kinds->len; i++)
    for (guint k = 0; k < MAX_METRICS; k++)
      {
        const Count *count = &self->counts[i].counts[k];
        Count *above = &self->above->counts[i].counts[k];

        above->past += count->past + count->last;
        above->is_known |= count->is_known;
      }
  g_ptr_array_remove_fast (self->above->below, self);
}

void
jm_cgroup_v1_events_free (JmCgroupV1Events *self)
{
  if (self->above != NULL)
    hand_up (self);
  for (guint i = 0; i < self->below->len; i++)
    put_below (g_ptr_array_index (self->below, i), self->above);
  for (guint i = 0; i < self->table->kinds->len; i++)
    jm_cgroup_file_close (&self->counts[i].file);
  if (g_hash_table_lookup (self->table->opened, self->dirs->path) == self)
    g_hash_table_remove (self->table->opened, self->dirs->path);

  g_ptr_array_unref (self->below);
  g_free (self->counts);
  g_free (self);
}

/* --- reading --- */

/* Whoever owns the cgroup may write 0 into a failcnt. */
static void
count_up (Count *self, guint64 value)
{
  if (value < self->last)
    self->past += self->last;
  self->last = value;
  self->is_known = TRUE;
}

static gboolean
is_wanted (const Kind *kind, JmReadings *readings)
{
  return jm_readings_begin (readings, jm_metric_get_info (kind->metrics[0])->collector);
}

static void
read_own (JmCgroupV1Events *self, JmCgroupSweep *sweep)
{
  for (guint i = 0; i < self->table->kinds->len; i++)
    {
      const Kind *kind = get_kind (self, i);
      Counts *counts = &self->counts[i];
      guint64 values[MAX_METRICS];
      guint64 found = 0;

      if (is_wanted (kind, sweep->readings) &&
          jm_cgroup_file_open (&counts->file, sweep,
                               jm_cgroup_v1_dirs_get (self->dirs, kind->controller),
                               kind->file))
        found = jm_cgroup_file_get_numbers (&counts->file, sweep, kind->keys,
                                            kind->n_metrics, values);
      for (guint k = 0; k < kind->n_metrics; k++)
        if ((found >> k) & 1)
          count_up (&counts->counts[k], values[k]);
    }
}

/* One of them that was removed, and is not closed yet, keeps its last counts. */
static void
read_below (JmCgroupV1Events *self, JmReadings *readings, guint64 round)
{
  for (guint i = 0; i < self->below->len; i++)
    {
      JmCgroupV1Events *child = g_ptr_array_index (self->below, i);
      JmCgroupSweep sweep = {
        .readings = readings,
        .settled = jm_cgroup_v1_dirs_refresh (child->dirs),
      };

      read_own (child, &sweep);
      child->fresh_round = round;
      read_below (child, readings, round);
    }
}

static gboolean
sum_up (const JmCgroupV1Events *self, guint kind, guint metric, guint64 *sum)
{
  const Count *count = &self->counts[kind].counts[metric];
  gboolean is_known = count->is_known;

  *sum += count->past + count->last;
  for (guint i = 0; i < self->below->len; i++)
    is_known |= sum_up (g_ptr_array_index (self->below, i), kind, metric, sum);

  return is_known;
}

static void
add_sum (const JmCgroupV1Events *self, JmReadings *readings, guint i, guint metric)
{
  const Kind *kind = get_kind (self, i);
  guint64 sum = 0;

  if (!sum_up (self, i, metric, &sum))
    return;
  if (kind->labels != NULL)
    jm_readings_add_labelled (readings, kind->metrics[metric], kind->labels, sum);
  else
    jm_readings_add (readings, kind->metrics[metric], sum);
}

static void
add_sums (const JmCgroupV1Events *self, JmReadings *readings)
{
  for (guint i = 0; i < self->table->kinds->len; i++)
    {
      const Kind *kind = get_kind (self, i);

      if (is_wanted (kind, readings))
        for (guint k = 0; k < kind->n_metrics; k++)
          add_sum (self, readings, i, k);
    }
}

/* A step that is read after its job, in the same round, was read with it. */
void
jm_cgroup_v1_events_read (JmCgroupV1Events *self, JmCgroupSweep *sweep)
{
  guint64 round = jm_readings_get_round (sweep->readings);

  if (self->fresh_round != round)
    {
      read_own (self, sweep);
      read_below (self, sweep->readings, round);
    }
  self->fresh_round = 0;

  add_sums (self, sweep->readings);
}
