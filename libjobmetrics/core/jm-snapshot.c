/* jm-snapshot.c: everything read in one sweep of a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-snapshot-private.h"

#include "core/jm-job-private.h"
#include "core/jm-quantity-private.h"

typedef struct
{
  guint hash; /* of a name */
  guint subject;
} Entry;

/* Finds a job among 100,000 by some twenty comparisons. Never changes. */
typedef struct
{
  GArray *entries; /* of Entry: by hash, of equal ones the last subject first */
} JobIndex;

struct _JmSnapshot
{
  gint64 time_us;
  gint64 duration_ns;
  JmCollectorSet collectors;
  JmCollectorStatus status[JM_N_COLLECTORS];
  JmSubject *subjects;
  guint *first_readings; /* of each subject, and one more: the end */
  guint n_subjects;
  guint first_of_kind[JM_N_SUBJECT_KINDS]; /* n_subjects for none */
  JmReading *readings; /* by subject, then by metric, then as they were added */
  guint n_readings;
  GHashTable *rates; /* of double, by get_rate_key (); NULL for none */
  JobIndex *jobs;    /* made when a job is looked for; see get_index() */
};

G_DEFINE_BOXED_TYPE (JmSnapshot, jm_snapshot, jm_snapshot_ref, jm_snapshot_unref)

/* --- jobs by name --- */

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *one = a;
  const Entry *other = b;

  if (one->hash != other->hash)
    return one->hash < other->hash ? -1 : 1;

  return one->subject > other->subject ? -1 : one->subject < other->subject;
}

static JobIndex *
job_index_new (const JmSubject *subjects, guint n_subjects)
{
  JobIndex *self = g_new0 (JobIndex, 1);

  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  for (guint i = 0; i < n_subjects; i++)
    {
      guint hashes[JM_JOB_MAX_NAMES];
      guint n = 0;

      if (subjects[i].kind == JM_SUBJECT_KIND_JOB)
        n = jm_job_hash_names (subjects[i].job, hashes);
      for (guint j = 0; j < n; j++)
        {
          Entry entry = { hashes[j], i };

          g_array_append_val (self->entries, entry);
        }
    }
  g_array_sort (self->entries, compare_entries);

  return self;
}

static void
job_index_free (JobIndex *self)
{
  g_array_unref (self->entries);
  g_free (self);
}

static const Entry *
get_entry (const JobIndex *self, guint position)
{
  return &g_array_index (self->entries, Entry, position);
}

/* Where the first entry of that hash is, or would be. */
static guint
find_hash (const JobIndex *self, guint hash, guint *n_compared)
{
  guint low = 0;
  guint high = self->entries->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      (*n_compared)++;
      if (get_entry (self, middle)->hash < hash)
        low = middle + 1;
      else
        high = middle;
    }

  return low;
}

/* The last of @subjects, with which the index was made, that is the job called @id.
 * @n_compared is how often something was compared to find it. */
static gboolean
job_index_find (const JobIndex *self,
                const JmSubject *subjects,
                const char *id,
                guint *subject,
                guint *n_compared)
{
  guint hash = jm_job_hash_name (id);

  *n_compared = 0;
  for (guint i = find_hash (self, hash, n_compared);
       i < self->entries->len && get_entry (self, i)->hash == hash; i++)
    {
      (*n_compared)++;
      if (!jm_job_is_called (subjects[get_entry (self, i)->subject].job, id))
        continue;

      *subject = get_entry (self, i)->subject;
      return TRUE;
    }

  return FALSE;
}

/* --- made once --- */

static void
copy_subjects (JmSnapshot *self, const JmSubject *subjects, guint n_subjects)
{
  self->subjects = g_memdup2 (subjects, n_subjects * sizeof *subjects);
  self->n_subjects = n_subjects;

  for (JmSubjectKind i = 0; i < JM_N_SUBJECT_KINDS; i++)
    self->first_of_kind[i] = n_subjects;
  for (guint i = 0; i < n_subjects; i++)
    {
      guint *first = &self->first_of_kind[subjects[i].kind];

      *first = MIN (*first, i);
      jm_subject_hold (&self->subjects[i]);
    }
}

/* Numbers of the values, by metric and as they were added: a counting sort. */
static guint *
order_by_metric (const JmReading *values, guint n_values)
{
  guint first[JM_N_METRICS + 1] = { 0 };
  guint *order = g_new (guint, n_values);

  for (guint i = 0; i < n_values; i++)
    first[values[i].metric + 1]++;
  for (guint i = 0; i < JM_N_METRICS; i++)
    first[i + 1] += first[i];
  for (guint i = 0; i < n_values; i++)
    order[first[values[i].metric]++] = i;

  return order;
}

/* What was read for the sake of others alone is not handed out. */
static gboolean
is_shown (const JmSnapshot *self, const JmReading *reading)
{
  return jm_collector_set_has (&self->collectors,
                               jm_metric_get_info (reading->metric)->collector);
}

static void
copy_readings (JmSnapshot *self, JmReadings *readings)
{
  guint n_values;
  const JmReading *values = jm_readings_get_values (readings, &n_values);
  g_autofree guint *order = order_by_metric (values, n_values);
  guint *first = g_new0 (guint, self->n_subjects + 2);

  /* What is known of a job only after the round over all of them comes late. */
  for (guint i = 0; i < n_values; i++)
    if (is_shown (self, &values[i]))
      {
        first[values[i].subject + 2]++;
        self->n_readings++;
      }
  for (guint i = 2; i < self->n_subjects + 2; i++)
    first[i] += first[i - 1];

  self->readings = g_new (JmReading, self->n_readings);
  for (guint i = 0; i < n_values; i++)
    {
      const JmReading *value = &values[order[i]];

      if (!is_shown (self, value))
        continue;
      if (value->labels != NULL)
        jm_labels_ref (value->labels);
      self->readings[first[value->subject + 1]++] = *value;
    }
  /* Each first has moved to where the next subject's is. */
  self->first_readings = first;
}

static void
copy_status (JmSnapshot *self, JmReadings *readings)
{
  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    {
      self->status[i] = *jm_readings_get_status (readings, i);
      if (self->status[i].first_error != NULL)
        self->status[i].first_error = g_error_copy (self->status[i].first_error);
    }
}

JmSnapshot *
jm_snapshot_new (gint64 time_us,
                 gint64 duration_ns,
                 const JmCollectorSet *collectors,
                 const JmSubject *subjects,
                 guint n_subjects,
                 JmReadings *readings)
{
  JmSnapshot *self = g_atomic_rc_box_new0 (JmSnapshot);

  self->time_us = time_us;
  self->duration_ns = duration_ns;
  self->collectors = *collectors;
  copy_subjects (self, subjects, n_subjects);
  copy_readings (self, readings);
  copy_status (self, readings);

  return self;
}

/**
 * jm_snapshot_ref:
 * @self: a snapshot
 *
 * Takes a reference; another thread may do so too.
 *
 * Returns: (transfer full): the same snapshot
 * Since: 0.1
 */
JmSnapshot *
jm_snapshot_ref (JmSnapshot *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
snapshot_clear (JmSnapshot *self)
{
  for (guint i = 0; i < self->n_readings; i++)
    g_clear_pointer (&self->readings[i].labels, jm_labels_unref);
  for (guint i = 0; i < self->n_subjects; i++)
    jm_subject_clear (&self->subjects[i]);
  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    g_clear_error (&self->status[i].first_error);

  g_clear_pointer (&self->jobs, job_index_free);
  g_clear_pointer (&self->rates, g_hash_table_unref);
  g_free (self->readings);
  g_free (self->first_readings);
  g_free (self->subjects);
}

/**
 * jm_snapshot_unref:
 * @self: (transfer full): a snapshot
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_snapshot_unref (JmSnapshot *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) snapshot_clear);
}

static gpointer
get_rate_key (guint subject, JmMetric metric)
{
  return GSIZE_TO_POINTER ((gsize) subject * JM_N_METRICS + metric);
}

void
jm_snapshot_set_rate (JmSnapshot *self, guint subject, JmMetric metric, double rate)
{
  if (self->rates == NULL)
    self->rates = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_hash_table_insert (self->rates, get_rate_key (subject, metric),
                       g_memdup2 (&rate, sizeof rate));
}

gboolean
jm_snapshot_get_rate (JmSnapshot *self, guint subject, JmMetric metric, double *rate)
{
  const double *found =
    self->rates != NULL
      ? g_hash_table_lookup (self->rates, get_rate_key (subject, metric))
      : NULL;

  if (found != NULL)
    *rate = *found;

  return found != NULL;
}

const JmSubject *
jm_snapshot_get_subjects (JmSnapshot *self, guint *n_subjects)
{
  *n_subjects = self->n_subjects;

  return self->subjects;
}

gboolean
jm_snapshot_look_up_kind (JmSnapshot *self, JmSubjectKind kind, guint *subject)
{
  if (self->first_of_kind[kind] == self->n_subjects)
    return FALSE;

  *subject = self->first_of_kind[kind];

  return TRUE;
}

const JmCollectorSet *
jm_snapshot_get_collectors (JmSnapshot *self)
{
  return &self->collectors;
}

const JmCollectorStatus *
jm_snapshot_get_status (JmSnapshot *self, JmCollector collector)
{
  return &self->status[collector];
}

const JmReading *
jm_snapshot_get_readings (JmSnapshot *self, guint *n_readings)
{
  *n_readings = self->n_readings;

  return self->readings;
}

const JmReading *
jm_snapshot_get_readings_of (JmSnapshot *self, guint subject, guint *n_readings)
{
  guint first = self->first_readings[subject];

  *n_readings = self->first_readings[subject + 1] - first;

  return *n_readings > 0 ? self->readings + first : NULL;
}

/**
 * jm_snapshot_get_time:
 * @self: a snapshot
 *
 * Gets when the sweep began.
 *
 * Returns: microseconds since 1970, UTC
 * Since: 0.1
 */
gint64
jm_snapshot_get_time (JmSnapshot *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->time_us;
}

/**
 * jm_snapshot_get_duration:
 * @self: a snapshot
 *
 * Gets how long the sweep took.
 *
 * Returns: nanoseconds
 * Since: 0.1
 */
gint64
jm_snapshot_get_duration (JmSnapshot *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->duration_ns;
}

/**
 * jm_snapshot_get_n_subjects:
 * @self: a snapshot
 *
 * Gets how many subjects there are: the node and its parts, jobs, their steps and
 * tasks.
 *
 * Returns: the number, at least 1
 * Since: 0.1
 */
guint
jm_snapshot_get_n_subjects (JmSnapshot *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_subjects;
}

/* Most snapshots are written out whole, and nobody looks for a job in them. */
static const JobIndex *
get_index (JmSnapshot *self)
{
  if (g_once_init_enter (&self->jobs))
    g_once_init_leave (&self->jobs, job_index_new (self->subjects, self->n_subjects));

  return self->jobs;
}

gboolean
jm_snapshot_look_up_job (JmSnapshot *self,
                         const char *id,
                         guint *subject,
                         guint *n_compared)
{
  return job_index_find (get_index (self), self->subjects, id, subject, n_compared);
}

/* Where the first reading of the metric is among a subject's, or would be. */
static guint
find_metric (const JmReading *readings, guint n, JmMetric metric, guint *n_compared)
{
  guint low = 0;
  guint high = n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      (*n_compared)++;
      if (readings[middle].metric < metric)
        low = middle + 1;
      else
        high = middle;
    }

  return low;
}

const JmReading *
jm_snapshot_look_up_reading (JmSnapshot *self,
                             guint subject,
                             JmMetric metric,
                             JmLabels *labels,
                             guint *n_compared)
{
  guint n;
  const JmReading *readings = jm_snapshot_get_readings_of (self, subject, &n);

  *n_compared = 0;
  for (guint i = find_metric (readings, n, metric, n_compared);
       i < n && readings[i].metric == metric; i++)
    {
      (*n_compared)++;
      if (readings[i].labels == labels)
        return &readings[i];
    }

  return NULL;
}

static const JmReading *
find_reading (JmSnapshot *self, guint subject, JmMetric metric, JmLabels *labels)
{
  guint n_compared;

  return jm_snapshot_look_up_reading (self, subject, metric, labels, &n_compared);
}

gboolean
jm_snapshot_get_metric (JmSnapshot *self, guint subject, JmMetric metric, double *value)
{
  return jm_snapshot_get_labelled_metric (self, subject, metric, NULL, value);
}

gboolean
jm_snapshot_get_labelled_metric (JmSnapshot *self,
                                 guint subject,
                                 JmMetric metric,
                                 JmLabels *labels,
                                 double *value)
{
  const JmReading *reading;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (subject < self->n_subjects, FALSE);
  g_return_val_if_fail ((guint) metric < JM_N_METRICS, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  reading = find_reading (self, subject, metric, labels);
  if (reading == NULL)
    return FALSE;

  *value = jm_metric_to_base_unit (metric, reading->value);

  return TRUE;
}

GPtrArray *
jm_snapshot_list_metric_labels (JmSnapshot *self, guint subject, JmMetric metric)
{
  GPtrArray *labels;
  const JmReading *readings;
  guint n_compared = 0;
  guint n;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (subject < self->n_subjects, NULL);

  labels = g_ptr_array_new ();
  readings = jm_snapshot_get_readings_of (self, subject, &n);
  for (guint i = find_metric (readings, n, metric, &n_compared);
       i < n && readings[i].metric == metric; i++)
    if (readings[i].labels != NULL)
      g_ptr_array_add (labels, readings[i].labels);

  return labels;
}

/**
 * jm_snapshot_find_quantity:
 * @self: a snapshot
 * @subject: number of a subject
 * @name: a name, as jm_quantity_of_subject() takes it
 *
 * Looks up what snapshots may have of such a subject.
 *
 * Returns: (transfer none) (nullable): the quantity; %NULL where such subjects have
 * none of this name Since: 0.1
 */
const JmQuantity *
jm_snapshot_find_quantity (JmSnapshot *self, guint subject, const char *name)
{
  return jm_quantity_of_subject (jm_snapshot_get_kind (self, subject), name);
}

/**
 * jm_snapshot_get_value:
 * @self: a snapshot
 * @subject: number of a subject
 * @quantity: a quantity without labels: see jm_quantity_of_subject()
 * @value: (out): the figure, in base units: seconds, bytes, or a count
 *
 * Gets one figure.
 *
 * Returns: whether it was measured
 * Since: 0.1
 */
gboolean
jm_snapshot_get_value (JmSnapshot *self,
                       guint subject,
                       const JmQuantity *quantity,
                       double *value)
{
  return jm_snapshot_get_labelled_value (self, subject, quantity, NULL, value);
}

/**
 * jm_snapshot_get_labelled_value:
 * @self: a snapshot
 * @subject: number of a subject
 * @quantity: a quantity: see jm_quantity_of_subject()
 * @labels: (nullable): values of the quantity's labels, such as the name of a device
 * @value: (out): the figure, in base units: seconds, bytes, or a count
 *
 * Gets one figure of a quantity that has labels.
 *
 * Returns: whether it was measured
 * Since: 0.1
 */
gboolean
jm_snapshot_get_labelled_value (JmSnapshot *self,
                                guint subject,
                                const JmQuantity *quantity,
                                JmLabels *labels,
                                double *value)
{
  JmMetric metric;

  g_return_val_if_fail (quantity != NULL, FALSE);

  metric = jm_quantity_get_metric (quantity);

  return metric < JM_N_METRICS &&
         jm_snapshot_get_labelled_metric (self, subject, metric, labels, value);
}

/**
 * jm_snapshot_list_labels:
 * @self: a snapshot
 * @subject: number of a subject
 * @quantity: a quantity with labels: see jm_quantity_of_subject()
 *
 * Lists the labels of a quantity's figures, such as the devices that were seen.
 *
 * Returns: (transfer container) (element-type JmLabels): the labels, in the order in
 *   which they were read
 * Since: 0.1
 */
GPtrArray *
jm_snapshot_list_labels (JmSnapshot *self, guint subject, const JmQuantity *quantity)
{
  g_return_val_if_fail (quantity != NULL, NULL);

  return jm_snapshot_list_metric_labels (self, subject,
                                         jm_quantity_get_metric (quantity));
}
