/* jm-field.c: whatever is known of a job, by its name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-field.h"

#include "base/jm-natural-order-private.h"
#include "core/jm-collector-set-private.h"
#include "core/jm-derived-private.h"
#include "core/jm-field-table-private.h"
#include "core/jm-figure-private.h"
#include "core/jm-format.h"
#include "core/jm-job.h"

static const JmFigure absent = { 0, FALSE, FALSE };

/* There is one of each, for good. */
static JmField *
share (JmField *self)
{
  return self;
}

static void
leave (JmField *self)
{
}

G_DEFINE_BOXED_TYPE (JmField, jm_field, share, leave)

/**
 * jm_field_list:
 *
 * Lists all fields: those of a job's identity, what is derived, and the metrics of
 * jobs.
 *
 * Returns: (transfer container) (element-type JmField): the fields
 * Since: 0.1
 */
GPtrArray *
jm_field_list (void)
{
  guint n_fields;
  const JmField *fields = jm_field_table_get (&n_fields);
  GPtrArray *list = g_ptr_array_sized_new (n_fields);

  for (guint i = 0; i < n_fields; i++)
    g_ptr_array_add (list, (gpointer) &fields[i]);

  return list;
}

/**
 * jm_field_from_name:
 * @name: a name as people type it
 *
 * Finds a field by its name, its short name or its title, in capitals or not.
 *
 * Returns: (nullable) (transfer none): the field; %NULL where none is called that
 * Since: 0.1
 */
const JmField *
jm_field_from_name (const char *name)
{
  guint n_fields;
  const JmField *fields = jm_field_table_get (&n_fields);

  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < n_fields; i++)
    if (jm_quantity_is_called (fields[i].quantity, name))
      return &fields[i];

  return NULL;
}

/**
 * jm_field_of_identity:
 * @field: a field of a job's identity
 *
 * Gets the field that shows this.
 *
 * Returns: (transfer none): the field
 * Since: 0.1
 */
const JmField *
jm_field_of_identity (JmJobField field)
{
  guint n_fields;

  g_return_val_if_fail ((guint) field < JM_N_JOB_FIELDS, NULL);

  return &jm_field_table_get (&n_fields)[field];
}

static void
add_derived_collectors (JmQuantityId which, JmCollectorSet *collectors)
{
  const gboolean is_of_cpu_time =
    which == JM_QUANTITY_CPU_EFFICIENCY || which == JM_QUANTITY_CPUS_USED;

  if (which == JM_QUANTITY_AGE || is_of_cpu_time)
    jm_collector_set_add (collectors, JM_COLLECTOR_PROCESS);
  if (is_of_cpu_time)
    jm_collector_set_add (collectors, JM_COLLECTOR_CPU);
  if (which == JM_QUANTITY_MEMORY_USED_SHARE)
    jm_collector_set_add (collectors, JM_COLLECTOR_MEMORY);
  if (which == JM_QUANTITY_GPU_DEVICES || which == JM_QUANTITY_GPU_UTILIZATION_SHARE ||
      which == JM_QUANTITY_GPU_MEMORY_USED_ALL)
    jm_collector_set_add (collectors, JM_COLLECTOR_GPU);
}

/* What a metric is reckoned from beside what its own collector reads. */
static void
add_metric_collectors (JmMetric metric, JmCollectorSet *collectors)
{
  const JmCollector own = jm_metric_get_info (metric)->collector;

  jm_collector_set_add (collectors, own);

  /* Jobs that have no cgroup have their CPU time summed over processes. */
  if (metric == JM_METRIC_CPU_TOTAL || metric == JM_METRIC_CPU_USER ||
      metric == JM_METRIC_CPU_SYSTEM)
    jm_collector_set_add (collectors, JM_COLLECTOR_PROCESS);
  /* The time of `other` is the cgroup's time less that of the executables. */
  if (metric == JM_METRIC_EXECUTABLE_CPU)
    jm_collector_set_add (collectors, JM_COLLECTOR_CPU);
  /* The memory.stat of cgroup v1 alone has what is in swap. */
  if (metric == JM_METRIC_MEMORY_SWAP_USED)
    jm_collector_set_add (collectors, JM_COLLECTOR_MEMORY_STAT);
  /* An energy account belongs to a job's id and its oldest process. */
  if (own == JM_COLLECTOR_POWER || own == JM_COLLECTOR_EMISSIONS)
    jm_collector_set_unite (collectors, JM_COLLECTOR_SET (JM_COLLECTOR_POWER,
                                                          JM_COLLECTOR_PROCESS));
}

/**
 * jm_field_add_collectors:
 * @self: a field
 * @collectors: a set of collectors
 *
 * Adds the collectors that must run for the field to be known, whatever else is read.
 *
 * Since: 0.1
 */
void
jm_field_add_collectors (const JmField *self, JmCollectorSet *collectors)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (collectors != NULL);

  if (self->source == JM_FIELD_SOURCE_DERIVED)
    {
      add_derived_collectors ((JmQuantityId) self->number, collectors);
      return;
    }

  /* Where the scheduler does not report it, the oldest process does. */
  if (self->source == JM_FIELD_SOURCE_IDENTITY)
    {
      if (self->number == JM_JOB_FIELD_START_TIME)
        jm_collector_set_add (collectors, JM_COLLECTOR_PROCESS);
      return;
    }

  add_metric_collectors (self->number, collectors);
}

/* --- figures --- */

static JmFigure
get_derived_figure (JmQuantityId which, JmSnapshot *snapshot, guint subject)
{
  switch (which)
    {
    case JM_QUANTITY_AGE:
      return jm_derived_get_age (snapshot, subject);
    case JM_QUANTITY_CPU_EFFICIENCY:
      return jm_derived_get_efficiency (snapshot, subject);
    case JM_QUANTITY_CPUS_USED:
      return jm_derived_get_cpus_used (snapshot, subject);
    case JM_QUANTITY_MEMORY_USED_SHARE:
      return jm_derived_get_memory_share (snapshot, subject);
    case JM_QUANTITY_END_TIME:
      return jm_derived_get_end_time (snapshot, subject);
    case JM_QUANTITY_TIME:
      return jm_figure_known ((double) jm_snapshot_get_time (snapshot) /
                              G_USEC_PER_SEC);
    case JM_QUANTITY_GPU_UTILIZATION_SHARE:
      return jm_derived_get_gpu_utilization (snapshot, subject);
    case JM_QUANTITY_GPU_MEMORY_USED_ALL:
      return jm_derived_get_gpu_memory_used (snapshot, subject);
    default:
      return absent;
    }
}

/* NULL where it is not known; of the node nothing is. */
static const char *
get_identity (JmJobField field, JmSnapshot *snapshot, guint subject)
{
  JmJob *job = jm_snapshot_get_job (snapshot, subject);

  return job != NULL ? jm_job_get_field (job, field) : NULL;
}

static JmFigure
get_identity_figure (JmJobField field, JmSnapshot *snapshot, guint subject)
{
  const char *text;
  guint64 seconds;

  if (field == JM_JOB_FIELD_START_TIME)
    return jm_derived_get_start_time (snapshot, subject);

  text = get_identity (field, snapshot, subject);
  if (text == NULL ||
      !g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT64, &seconds, NULL))
    return absent;

  return jm_figure_known ((double) seconds);
}

/**
 * jm_field_get_figure: (skip)
 * @self: a field
 * @snapshot: a snapshot
 * @subject: a job, step or task
 *
 * Gets the field's figure, as jm_figure_of_quantity() sums quantities that have labels.
 *
 * Returns: the figure, in the base unit; absent where it is not known, and of text
 * Since: 0.1
 */
JmFigure
jm_field_get_figure (const JmField *self, JmSnapshot *snapshot, guint subject)
{
  g_return_val_if_fail (self != NULL, absent);
  g_return_val_if_fail (snapshot != NULL, absent);

  if (self->quantity->format == JM_FORMAT_TEXT)
    return absent;

  switch (self->source)
    {
    case JM_FIELD_SOURCE_METRIC:
      return jm_figure_of_metric (snapshot, subject, self->number);
    case JM_FIELD_SOURCE_DERIVED:
      return get_derived_figure (self->number, snapshot, subject);
    case JM_FIELD_SOURCE_IDENTITY:
    default:
      return get_identity_figure (self->number, snapshot, subject);
    }
}

/**
 * jm_field_get_value:
 * @self: a field
 * @snapshot: a snapshot
 * @subject: a job, step or task
 * @value: (out): the figure, in the base unit
 *
 * Gets the field's figure. That of a metric that has labels is the sum over these.
 *
 * Returns: whether there is one; never of text, and not where it was not read
 * Since: 0.1
 */
gboolean
jm_field_get_value (const JmField *self,
                    JmSnapshot *snapshot,
                    guint subject,
                    double *value)
{
  JmFigure figure = jm_field_get_figure (self, snapshot, subject);

  g_return_val_if_fail (value != NULL, FALSE);

  *value = figure.value;

  return figure.is_known;
}

/* --- text --- */

static char *
make_derived_text (JmQuantityId which, JmSnapshot *snapshot, guint subject)
{
  if (which == JM_QUANTITY_STEP)
    return g_strdup (jm_snapshot_get_step (snapshot, subject));
  if (which == JM_QUANTITY_GPU_DEVICES)
    return jm_derived_format_gpu_devices (snapshot, subject);

  return g_strdup (jm_snapshot_get_end_time (snapshot, subject) > 0 ? "ended"
                                                                    : "running");
}

static char *
make_text (const JmField *self, JmSnapshot *snapshot, guint subject)
{
  if (self->quantity->format != JM_FORMAT_TEXT)
    return NULL;

  if (self->source == JM_FIELD_SOURCE_DERIVED)
    return make_derived_text (self->number, snapshot, subject);

  return g_strdup (get_identity (self->number, snapshot, subject));
}

char *
jm_field_get_text (const JmField *self, JmSnapshot *snapshot, guint subject)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (snapshot != NULL, NULL);

  return make_text (self, snapshot, subject);
}

/* The id as the scheduler's tools write it, and of a user without a name the number. */
static char *
format_text (const JmField *self, JmSnapshot *snapshot, guint subject)
{
  JmJob *job = jm_snapshot_get_job (snapshot, subject);
  char *text;

  if (job != NULL && self == jm_field_of_identity (JM_JOB_FIELD_ID))
    return jm_job_format_id (job);

  text = make_text (self, snapshot, subject);
  if (text == NULL && self == jm_field_of_identity (JM_JOB_FIELD_USER))
    return g_strdup (get_identity (JM_JOB_FIELD_UID, snapshot, subject));

  return text;
}

/**
 * jm_field_format:
 * @self: a field
 * @snapshot: a snapshot
 * @subject: a job, step or task
 *
 * Makes of a field what people read: a figure as jm_format_to_string() does, with
 * %JM_FIGURE_ESTIMATE_MARK before one that is estimated; a job's id as its scheduler's
 * own tools write it; for a user without a name the number.
 *
 * Returns: (transfer full) (nullable): the text; %NULL where the field is not known
 * Since: 0.1
 */
char *
jm_field_format (const JmField *self, JmSnapshot *snapshot, guint subject)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (snapshot != NULL, NULL);

  if (self->quantity->format == JM_FORMAT_TEXT)
    return format_text (self, snapshot, subject);

  return jm_figure_format (jm_field_get_figure (self, snapshot, subject),
                           self->quantity->format);
}

char *
jm_field_to_string (const JmField *self, JmSnapshot *snapshot, guint subject)
{
  JmFigure figure;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (snapshot != NULL, NULL);

  if (self->quantity->format == JM_FORMAT_TEXT)
    return jm_field_get_text (self, snapshot, subject);

  figure = jm_field_get_figure (self, snapshot, subject);

  return figure.is_known ? jm_number_to_string (figure.value) : NULL;
}

/* --- order --- */

static int
compare_texts (const char *a, const char *b, gboolean descending)
{
  if (a == NULL || b == NULL)
    return (a == NULL) - (b == NULL);

  return descending ? jm_natural_order_compare (b, a) : jm_natural_order_compare (a, b);
}

/**
 * jm_field_compare:
 * @self: a field
 * @snapshot: a snapshot
 * @a: a job, step or task
 * @b: another
 * @descending: whether the larger, or later, one comes first
 *
 * Finds which of two subjects comes first in a list that is sorted by the field: texts
 * in natural order, so that 9 comes before 10. What is not known comes last, whatever
 * the direction.
 *
 * Returns: below 0 where @a comes first, above 0 where @b does, else 0
 * Since: 0.1
 */
int
jm_field_compare (const JmField *self,
                  JmSnapshot *snapshot,
                  guint a,
                  guint b,
                  gboolean descending)
{
  g_autofree char *text_a = NULL;
  g_autofree char *text_b = NULL;

  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (snapshot != NULL, 0);

  if (self->quantity->format != JM_FORMAT_TEXT)
    return jm_figure_compare (jm_field_get_figure (self, snapshot, a),
                              jm_field_get_figure (self, snapshot, b), descending);

  text_a = format_text (self, snapshot, a);
  text_b = format_text (self, snapshot, b);

  return compare_texts (text_a, text_b, descending);
}
