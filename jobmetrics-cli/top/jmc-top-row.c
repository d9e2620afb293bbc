/* jmc-top-row.c: a job, step, task, executable or process as top shows it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-row.h"

#include <string.h>

#include "base/jm-natural-order-private.h"
#include "base/jm-safe-text-private.h"
#include "core/jm-derived.h"
#include "core/jm-job.h"
#include "core/jm-snapshot-private.h"
#include "jmc-snapshot.h"

/* Rates over less would be noise: the kernel counts a process's time in 10 ms. */
#define LEAST_SECONDS 0.05

static const JmFigure unknown = { 0 };

static void
row_free (JmcTopRow *self)
{
  g_free (self->key);
  for (guint i = 0; i < JMC_TOP_N_TEXTS; i++)
    g_free (self->texts[i]);
  g_ptr_array_unref (self->children);
  g_free (self);
}

static char *
make_safe (const char *text)
{
  return text != NULL && *text != '\0' ? jm_safe_text_make (text) : NULL;
}

/* A key part comes from outside, but a line's end in it harms nobody: the worst is that
 * two rows of the same job are taken for one. */
static JmcTopRow *
row_new (JmcTopKind kind, const JmcTopRow *parent, const char *name, const char *label)
{
  JmcTopRow *self = g_new0 (JmcTopRow, 1);

  self->kind = kind;
  self->parent = parent;
  self->key =
    parent != NULL ? g_strconcat (parent->key, "\n", name, NULL) : g_strdup (name);
  self->texts[JMC_TOP_ID] = jm_safe_text_make (label != NULL ? label : "-");
  self->children = g_ptr_array_new_with_free_func ((GDestroyNotify) row_free);
  if (parent != NULL)
    self->has_ended = parent->has_ended;

  return self;
}

/* --- from a snapshot --- */

static void
read_figures (JmcTopRow *self, JmSnapshot *snapshot, guint subject)
{
  for (guint i = JMC_TOP_N_TEXTS; i < JMC_TOP_N_COLUMNS; i++)
    {
      const JmQuantityId quantity = jmc_top_column_get_info (i)->quantity;

      /* what is measured comes first */
      if (quantity < JM_N_METRICS)
        self->figures[i] =
          jm_figure_of_quantity (snapshot, subject, jm_quantity_get (quantity));
    }

  self->figures[JMC_TOP_AGE] = jm_derived_get_age (snapshot, subject);
  self->figures[JMC_TOP_MEMORY_PERCENT] =
    jm_derived_get_memory_share (snapshot, subject);
  self->figures[JMC_TOP_GPU_PERCENT] =
    jm_derived_get_gpu_utilization (snapshot, subject);
  self->figures[JMC_TOP_GPU_MEMORY] =
    jm_derived_get_gpu_memory_used (snapshot, subject);
}

static void
read_counters (JmcTopRow *self, JmSnapshot *snapshot, guint subject)
{
  static const JmMetric metrics[JMC_TOP_N_COUNTERS] = {
    [JMC_TOP_COUNTER_CPU] = JM_METRIC_CPU_TOTAL,
    [JMC_TOP_COUNTER_READ] = JM_METRIC_IO_READ_BYTES,
    [JMC_TOP_COUNTER_WRITE] = JM_METRIC_IO_WRITE_BYTES,
    [JMC_TOP_COUNTER_PROCESS_READ] = JM_METRIC_PROCESS_READ_BYTES,
    [JMC_TOP_COUNTER_PROCESS_WRITE] = JM_METRIC_PROCESS_WRITE_BYTES,
    [JMC_TOP_COUNTER_CPU_PRESSURE] = JM_METRIC_CPU_PRESSURE_SOME,
    [JMC_TOP_COUNTER_MEMORY_PRESSURE] = JM_METRIC_MEMORY_PRESSURE_SOME,
    [JMC_TOP_COUNTER_IO_PRESSURE] = JM_METRIC_IO_PRESSURE_SOME,
  };

  for (guint i = 0; i < JMC_TOP_N_COUNTERS; i++)
    {
      double rate;

      self->counters[i] =
        jm_figure_of_quantity (snapshot, subject, jm_quantity_of_metric (metrics[i]));
      if (jm_snapshot_get_rate (snapshot, subject, metrics[i], &rate))
        self->rates[i] = jm_figure_known (rate);
    }
}

static JmcTopRow *
make_job (JmSnapshot *snapshot, guint subject)
{
  JmJob *job = jm_snapshot_get_job (snapshot, subject);
  const char *uuid = jm_job_get_uuid (job);
  const char *user = jm_job_get_user (job);
  g_autofree char *id = jm_job_format_id (jm_snapshot_get_job (snapshot, subject));
  JmcTopRow *self = row_new (JMC_TOP_JOB, NULL, uuid != NULL ? uuid : id, id);

  if (user == NULL)
    user = jm_job_get_field (job, JM_JOB_FIELD_UID);
  self->texts[JMC_TOP_USER] = make_safe (user);
  self->texts[JMC_TOP_ACCOUNT] =
    make_safe (jm_job_get_field (job, JM_JOB_FIELD_ACCOUNT));
  self->texts[JMC_TOP_NAME] = make_safe (jm_job_get_field (job, JM_JOB_FIELD_NAME));

  return self;
}

static JmcTopRow *
make_step (JmSnapshot *snapshot, guint subject, const JmcTopRow *job)
{
  const char *name = jm_snapshot_get_step (snapshot, subject);
  g_autofree char *label =
    g_strconcat (g_ascii_isdigit (*name) ? "step " : "", name, NULL);

  return row_new (JMC_TOP_STEP, job, name, label);
}

static JmcTopRow *
make_task (JmSnapshot *snapshot, guint subject, const JmcTopRow *parent)
{
  const char *name = jm_snapshot_get_task (snapshot, subject);
  g_autofree char *label = g_strconcat ("task ", name, NULL);

  return row_new (JMC_TOP_TASK, parent, name, label);
}

/* Adds what @self consists of, to be filled in. */
JmcTopRow *
jmc_top_row_add_part (JmcTopRow *self,
                      JmcTopKind kind,
                      const char *name,
                      const char *label,
                      gint64 now_us)
{
  JmcTopRow *part = row_new (kind, self, name, label);

  part->read_us = now_us;
  g_ptr_array_add (self->children, part);

  return part;
}

static void
add_executables (JmcTopRow *self, JmSnapshot *snapshot, guint subject)
{
  const JmQuantity *cpu = jm_quantity_of_metric (JM_METRIC_EXECUTABLE_CPU);
  g_autoptr (GPtrArray) all = jm_snapshot_list_labels (snapshot, subject, cpu);

  for (guint i = 0; i < all->len; i++)
    {
      const char *name = jm_labels_get_value (all->pdata[i], 0);
      g_autofree char *base = g_path_get_basename (name);
      JmcTopRow *row =
        jmc_top_row_add_part (self, JMC_TOP_EXECUTABLE, name, base, self->read_us);
      JmFigure time = jm_figure_of_label (snapshot, subject, cpu, all->pdata[i]);

      row->figures[JMC_TOP_CPU_TIME] = time;
      row->counters[JMC_TOP_COUNTER_CPU] = time;
    }
}

static JmcTopRow *
make_row (JmSnapshot *snapshot, guint subject, const JmcTopRow *parent)
{
  switch (jm_snapshot_get_kind (snapshot, subject))
    {
    case JM_SUBJECT_KIND_JOB:
      return make_job (snapshot, subject);
    case JM_SUBJECT_KIND_STEP:
      return make_step (snapshot, subject, parent);
    case JM_SUBJECT_KIND_TASK:
    case JM_SUBJECT_KIND_NODE:
    case JM_SUBJECT_KIND_SYSTEM:
    case JM_SUBJECT_KIND_IDLE:
    case JM_SUBJECT_KIND_GRID:
    default:
      return make_task (snapshot, subject, parent);
    }
}

/* Makes the row of @subject and those below it. Returns the next subject in @next. */
static JmcTopRow *
make_tree (JmSnapshot *snapshot,
           guint subject,
           const JmcTopRow *parent,
           gint64 now_us,
           guint *next)
{
  JmcTopRow *self = make_row (snapshot, subject, parent);
  JmSubjectKind level = jm_snapshot_get_kind (snapshot, subject);

  if (jm_snapshot_get_end_time (snapshot, subject) != 0)
    self->has_ended = TRUE;
  self->read_us = now_us;
  read_figures (self, snapshot, subject);
  read_counters (self, snapshot, subject);

  for (*next = subject + 1; *next < jm_snapshot_get_n_subjects (snapshot) &&
                            jm_snapshot_get_kind (snapshot, *next) > level;)
    if (jm_snapshot_get_gpu (snapshot, *next) != NULL)
      (*next)++;
    else
      g_ptr_array_add (self->children, make_tree (snapshot, *next, self, now_us, next));
  /* What a part has spent is shown there alone. */
  if (self->children->len == 0)
    add_executables (self, snapshot, subject);

  return self;
}

/* The jobs of the snapshot, each with its parts, in no order. Rates are unknown still.
 */
GPtrArray *
jmc_top_row_list (JmSnapshot *snapshot, gint64 now_us)
{
  GPtrArray *jobs = g_ptr_array_new_with_free_func ((GDestroyNotify) row_free);

  guint subject = JM_NODE_SUBJECT;

  while (subject < jm_snapshot_get_n_subjects (snapshot))
    if (jm_snapshot_get_kind (snapshot, subject) == JM_SUBJECT_KIND_JOB)
      g_ptr_array_add (jobs, make_tree (snapshot, subject, NULL, now_us, &subject));
    else
      subject++;

  return jobs;
}

/* --- rates --- */

static JmFigure
get_rate (const JmcTopRow *now,
          const JmcTopRow *then,
          JmcTopCounter counter,
          double seconds)
{
  if (now->rates[counter].is_known || then == NULL)
    return now->rates[counter];

  return jm_figure_get_rate (now->counters[counter], then->counters[counter], seconds);
}

/* The kernel's own figure for the cgroup, else the sum over the processes. */
static JmFigure
get_io_rate (const JmcTopRow *now,
             const JmcTopRow *then,
             JmcTopCounter of_cgroup,
             JmcTopCounter of_processes,
             double seconds)
{
  if (now->counters[of_cgroup].is_known || now->rates[of_cgroup].is_known)
    return get_rate (now, then, of_cgroup, seconds);

  return get_rate (now, then, of_processes, seconds);
}

/* The part of the time in which something was short: that which was so longest. */
static JmFigure
get_pressure (const JmcTopRow *now, const JmcTopRow *then, double seconds)
{
  JmFigure most = unknown;

  for (guint i = JMC_TOP_COUNTER_CPU_PRESSURE; i <= JMC_TOP_COUNTER_IO_PRESSURE; i++)
    {
      JmFigure rate = get_rate (now, then, i, seconds);

      if (rate.is_known && (!most.is_known || rate.value > most.value))
        most = rate;
    }

  return jm_figure_get_share (most, jm_figure_known (1));
}

/* @then is NULL where there is nothing earlier. */
static void
set_own_rates (JmcTopRow *self,
               const JmcTopRow *then,
               double seconds,
               JmFigure allocated)
{
  self->figures[JMC_TOP_CPU_PERCENT] =
    jm_figure_get_share (get_rate (self, then, JMC_TOP_COUNTER_CPU, seconds),
                         allocated);
  self->figures[JMC_TOP_READ_RATE] =
    get_io_rate (self, then, JMC_TOP_COUNTER_READ, JMC_TOP_COUNTER_PROCESS_READ,
                 seconds);
  self->figures[JMC_TOP_WRITE_RATE] =
    get_io_rate (self, then, JMC_TOP_COUNTER_WRITE, JMC_TOP_COUNTER_PROCESS_WRITE,
                 seconds);
  self->figures[JMC_TOP_PRESSURE] = get_pressure (self, then, seconds);
}

/* Fills the rates of a row and its parts in, from what there was @earlier under their
 * keys. A part that says nothing of its CPUs has those of the whole. What has
 * ended has no rates. */
void
jmc_top_row_set_rates (JmcTopRow *self, GHashTable *earlier, JmFigure allocated)
{
  const JmcTopRow *then = g_hash_table_lookup (earlier, self->key);
  double seconds = 0;

  if (self->figures[JMC_TOP_CPUS].is_known)
    allocated = self->figures[JMC_TOP_CPUS];
  if (then != NULL && !self->has_ended && !then->has_ended)
    seconds = (double) (self->read_us - then->read_us) / (double) G_USEC_PER_SEC;
  set_own_rates (self, seconds >= LEAST_SECONDS ? then : NULL, seconds, allocated);

  for (guint i = 0; i < self->children->len; i++)
    jmc_top_row_set_rates (self->children->pdata[i], earlier, allocated);
}

/* Adds a row and its parts to a table by key, which they must outlive. A requeued job
 * may stand beside its first run, which does not matter any more. */
void
jmc_top_row_add_to (JmcTopRow *self, GHashTable *rows)
{
  if (!self->has_ended || !g_hash_table_contains (rows, self->key))
    g_hash_table_insert (rows, self->key, self);

  for (guint i = 0; i < self->children->len; i++)
    jmc_top_row_add_to (self->children->pdata[i], rows);
}

/* --- order and choice --- */

static int
compare_figures (JmFigure a, JmFigure b)
{
  if (a.value == b.value)
    return 0;

  return a.value > b.value ? -1 : 1;
}

static gboolean
is_known (const JmcTopRow *self, JmcTopColumn column)
{
  return column < JMC_TOP_N_TEXTS ? self->texts[column] != NULL
                                  : self->figures[column].is_known;
}

/* Words from a to z, figures from the largest on; what is unknown is last in any case.
 */
int
jmc_top_row_compare (const JmcTopRow *a,
                     const JmcTopRow *b,
                     JmcTopColumn column,
                     gboolean is_reversed)
{
  int order = 0;

  if (is_known (a, column) != is_known (b, column))
    return is_known (a, column) ? -1 : 1;

  if (is_known (a, column))
    order = column < JMC_TOP_N_TEXTS
              ? jm_natural_order_compare (a->texts[column], b->texts[column])
              : compare_figures (a->figures[column], b->figures[column]);
  if (order != 0)
    return is_reversed ? -order : order;

  order = jm_natural_order_compare (a->texts[JMC_TOP_ID], b->texts[JMC_TOP_ID]);

  return order != 0 ? order : strcmp (a->key, b->key);
}

typedef struct
{
  JmcTopColumn column;
  gboolean is_reversed;
} Order;

/* Steps and tasks keep the order in which they came about. */
static gboolean
has_order (JmcTopKind kind, JmcTopColumn column)
{
  switch (kind)
    {
    case JMC_TOP_EXECUTABLE:
      return column == JMC_TOP_CPU_PERCENT || column == JMC_TOP_CPU_TIME;
    case JMC_TOP_PROCESS:
      return column >= JMC_TOP_N_TEXTS;
    case JMC_TOP_JOB:
    case JMC_TOP_STEP:
    case JMC_TOP_TASK:
    default:
      return FALSE;
    }
}

static gint
compare_parts (gconstpointer a, gconstpointer b, gpointer data)
{
  const JmcTopRow *row_a = *(const JmcTopRow *const *) a;
  const JmcTopRow *row_b = *(const JmcTopRow *const *) b;
  const Order *order = data;

  if (row_a->kind != row_b->kind)
    return row_a->kind < row_b->kind ? -1 : 1;

  if (has_order (row_a->kind, order->column))
    return jmc_top_row_compare (row_a, row_b, order->column, order->is_reversed);

  return jmc_top_row_compare (row_a, row_b,
                              row_a->kind == JMC_TOP_EXECUTABLE ? JMC_TOP_CPU_TIME
                                                                : JMC_TOP_ID,
                              FALSE);
}

/* Brings the parts of a row, and theirs, in the order that jobs have, as far as it is
 * one for them. */
void
jmc_top_row_sort_parts (JmcTopRow *self, JmcTopColumn column, gboolean is_reversed)
{
  Order order = { column, is_reversed };

  g_ptr_array_sort_with_data (self->children, compare_parts, &order);
  for (guint i = 0; i < self->children->len; i++)
    jmc_top_row_sort_parts (self->children->pdata[i], column, is_reversed);
}

/* Whether one of the words of a job contains @folded, which is casefolded. */
gboolean
jmc_top_row_matches (const JmcTopRow *self, const char *folded)
{
  for (guint i = 0; i < JMC_TOP_N_TEXTS; i++)
    {
      g_autofree char *text =
        self->texts[i] != NULL ? g_utf8_casefold (self->texts[i], -1) : NULL;

      if (text != NULL && strstr (text, folded) != NULL)
        return TRUE;
    }

  return FALSE;
}
