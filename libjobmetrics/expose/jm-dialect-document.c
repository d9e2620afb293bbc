/* jm-dialect-document.c: a snapshot in the words of a dialect
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-dialect-document-private.h"

#include <math.h>

#include "core/jm-snapshot-private.h"
#include "expose/jm-dialect-lines-private.h"

struct _JmDialectDocument
{
  JmDialect *dialect;
  GPtrArray *lines; /* of JmDialectLines, by family */
  GString *number;

  JmSnapshot *now;
  JmSnapshot *before;
};

/* One call of jm_dialect_document_write(). */
typedef struct
{
  JmDialectDocument *kept;
  JmSnapshot *snapshot;
  const JmSubject *subjects;
  guint n_subjects;
  const JmSubjectLabelsTable *table;
  const char *node_name;
  const JmCollectorSet *collectors;
} Document;

JmDialectDocument *
jm_dialect_document_new (JmDialect *dialect)
{
  JmDialectDocument *self = g_new0 (JmDialectDocument, 1);
  guint n = jm_dialect_get_families (dialect)->len;

  self->dialect = jm_dialect_ref (dialect);
  self->number = g_string_new (NULL);
  self->lines = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_dialect_lines_free);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (self->lines, jm_dialect_lines_new ());

  return self;
}

void
jm_dialect_document_free (JmDialectDocument *self)
{
  g_clear_pointer (&self->now, jm_snapshot_unref);
  g_clear_pointer (&self->before, jm_snapshot_unref);
  g_ptr_array_unref (self->lines);
  g_string_free (self->number, TRUE);
  jm_dialect_unref (self->dialect);
  g_free (self);
}

JmDialect *
jm_dialect_document_get_dialect (const JmDialectDocument *self)
{
  return self->dialect;
}

/* --- figures --- */

/* The readings of a subject stand by metric. */
static const JmReading *
find_readings (JmSnapshot *snapshot, guint subject, JmMetric metric, guint *n)
{
  guint n_all, low = 0, high;
  const JmReading *all = jm_snapshot_get_readings_of (snapshot, subject, &n_all);

  high = n_all;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (all[middle].metric < metric)
        low = middle + 1;
      else
        high = middle;
    }
  for (*n = 0; low + *n < n_all && all[low + *n].metric == metric;)
    ++*n;

  return *n > 0 ? all + low : NULL;
}

static gboolean
is_wanted (const Document *self,
           const JmDialectFamily *family,
           const JmReading *reading)
{
  for (guint i = 0; i < family->conditions->len; i++)
    {
      const JmDialectCondition *condition =
        &g_array_index (family->conditions, JmDialectCondition, i);
      const char *value =
        jm_metric_find_label (reading->metric, reading->labels, condition->label);

      if (value != NULL && !g_pattern_spec_match_string (condition->pattern, value))
        return FALSE;
    }

  return jm_collector_set_has (self->collectors,
                               jm_metric_get_info (reading->metric)->collector);
}

static double
get_value (const JmReading *reading)
{
  return jm_unit_to_base (jm_metric_get_info (reading->metric)->unit, reading->value);
}

/* The sum of what a subject has, or the first where sums mean nothing. */
static gboolean
get_figure (const Document *self,
            const JmDialectFamily *family,
            JmSnapshot *snapshot,
            guint subject,
            JmMetric metric,
            double *value)
{
  guint n;
  const JmReading *readings = find_readings (snapshot, subject, metric, &n);
  gboolean is_known = FALSE;

  for (guint i = 0; i < n; i++)
    {
      if (!is_wanted (self, family, &readings[i]))
        continue;
      *value = (is_known ? *value : 0) + get_value (&readings[i]);
      is_known = TRUE;
      if (!jm_metric_get_info (metric)->additive)
        break;
    }

  return is_known;
}

/* Whom a source tells of, where it is not the subject itself. */
static gboolean
find_teller (JmSnapshot *snapshot, guint *subject, JmSubjectKind kind)
{
  guint n;
  const JmSubject *subjects = jm_snapshot_get_subjects (snapshot, &n);

  if (kind == JM_SUBJECT_KIND_NODE)
    *subject = JM_NODE_SUBJECT;
  else if (kind == JM_SUBJECT_KIND_GPU && subjects[*subject].kind != kind)
    return jm_snapshot_find_gpu (snapshot, jm_snapshot_get_gpu (snapshot, *subject),
                                 subject);
  else
    while (subjects[*subject].kind != kind && *subject != JM_NODE_SUBJECT)
      *subject = subjects[*subject].parent;

  return subjects[*subject].kind == kind;
}

static gboolean
get_source (const Document *self,
            const JmDialectFamily *family,
            JmSnapshot *snapshot,
            guint subject,
            guint source,
            double *value)
{
  const JmDialectSource *from = &family->sources[source];

  return find_teller (snapshot, &subject, from->kind) &&
         get_figure (self, family, snapshot, subject, from->metric, value);
}

static gboolean
combine (JmCombine how, double *value, double other)
{
  switch (how)
    {
    case JM_COMBINE_SUM:
      *value += other;
      break;
    case JM_COMBINE_DIFFERENCE:
      *value = MAX (*value - other, 0);
      break;
    case JM_COMBINE_RATIO:
      *value /= other;
      break;
    case JM_COMBINE_FIRST:
    default:
      break;
    }

  return isfinite (*value);
}

static gboolean
get_first (const Document *self,
           const JmDialectFamily *family,
           JmSnapshot *snapshot,
           guint subject,
           double *value)
{
  for (guint i = 0; i < family->n_sources; i++)
    if (get_source (self, family, snapshot, subject, i, value))
      return TRUE;

  return FALSE;
}

/* What the sources behind the first make of its value. */
static gboolean
combine_others (const Document *self,
                const JmDialectFamily *family,
                JmSnapshot *snapshot,
                guint subject,
                double *value)
{
  for (guint i = 1; i < family->n_sources; i++)
    {
      double other;

      if (!get_source (self, family, snapshot, subject, i, &other) ||
          !combine (family->combine, value, other))
        return FALSE;
    }

  return TRUE;
}

static gboolean
get_whole (const Document *self,
           const JmDialectFamily *family,
           JmSnapshot *snapshot,
           guint subject,
           double *value)
{
  if (family->combine == JM_COMBINE_FIRST)
    return get_first (self, family, snapshot, subject, value);

  return get_source (self, family, snapshot, subject, 0, value) &&
         combine_others (self, family, snapshot, subject, value);
}

/* --- rates --- */

static gboolean
is_same (const JmSubject *a, const JmSubject *b)
{
  return a->kind == b->kind && a->labels == b->labels &&
         (a->job == b->job ||
          (a->job != NULL && b->job != NULL &&
           g_strcmp0 (jm_job_get_run_key (a->job), jm_job_get_run_key (b->job)) == 0 &&
           g_str_equal (jm_job_get_id (a->job), jm_job_get_id (b->job))));
}

/* Most stand where they stood. */
static gboolean
find_before (const Document *self, guint subject, guint *found)
{
  guint n;
  const JmSubject *subjects = jm_snapshot_get_subjects (self->kept->before, &n);

  if (subject < n && is_same (&subjects[subject], &self->subjects[subject]))
    {
      *found = subject;
      return TRUE;
    }
  for (*found = 0; *found < n; ++*found)
    if (is_same (&subjects[*found], &self->subjects[subject]))
      return TRUE;

  return FALSE;
}

static gboolean
get_rate (const Document *self,
          const JmDialectFamily *family,
          guint subject,
          double *value)
{
  JmSnapshot *before = self->kept->before;
  double earlier, seconds;
  guint then;

  if (before == NULL || !find_before (self, subject, &then) ||
      !get_whole (self, family, before, then, &earlier))
    return FALSE;

  seconds =
    (double) (jm_snapshot_get_time (self->snapshot) - jm_snapshot_get_time (before)) /
    G_USEC_PER_SEC;
  *value = (*value - earlier) / seconds;

  return seconds > 0 && *value >= 0;
}

/* --- lines --- */

static gboolean
get_number (const Document *self,
            const JmDialectFamily *family,
            const JmTemplateValues *values,
            double *value)
{
  GString *number = self->kept->number;
  char *end;

  g_string_truncate (number, 0);
  jm_label_template_append (family->value, values, number);
  *value = g_ascii_strtod (number->str, &end);

  return end != number->str && *end == '\0' && isfinite (*value);
}

static gboolean
get_series (const Document *self,
            const JmDialectFamily *family,
            const JmTemplateValues *values,
            double *value)
{
  if (family->value != NULL)
    return get_number (self, family, values, value);

  return get_whole (self, family, self->snapshot, values->subject, value) &&
         (!family->is_rate || get_rate (self, family, values->subject, value));
}

static void
add_labelled (const Document *self,
              const JmDialectFamily *family,
              JmTemplateValues *values,
              JmDialectLines *lines)
{
  guint n;
  const JmReading *readings =
    find_readings (self->snapshot, values->subject, family->sources[0].metric, &n);

  for (guint i = 0; i < n; i++)
    {
      double value;

      if (!is_wanted (self, family, &readings[i]))
        continue;
      value = get_value (&readings[i]);
      if (family->combine != JM_COMBINE_FIRST &&
          !combine_others (self, family, self->snapshot, values->subject, &value))
        continue;
      values->own_labels = readings[i].labels;
      jm_dialect_lines_add (lines, family, values, value * family->scale);
    }
}

/* What is only of now ends with its job, and nothing else is made up for one. */
static gboolean
is_over (const JmDialectFamily *family, const JmSubject *subject)
{
  return subject->end_time != 0 &&
         (family->n_sources == 0 || family->is_rate ||
          jm_metric_ends_with_job (family->sources[0].metric));
}

/* Of a device, the job that has it alone. */
static JmJob *
find_holder (const Document *self, JmLabels *labels)
{
  JmJob *holder = NULL;

  for (guint i = 0; i < self->n_subjects; i++)
    if (self->subjects[i].kind == JM_SUBJECT_KIND_JOB_GPU &&
        self->subjects[i].labels == labels && self->subjects[i].end_time == 0)
      {
        if (holder != NULL)
          return NULL;
        holder = self->subjects[i].job;
      }

  return holder;
}

static void
add_subject (const Document *self,
             const JmDialectFamily *family,
             guint number,
             JmDialectLines *lines)
{
  const JmSubject *subject = &self->subjects[number];
  JmTemplateValues values = { self->node_name, self->snapshot,  number,
                              subject->job,    subject->labels, NULL };
  double value;

  if (subject->kind == JM_SUBJECT_KIND_GPU)
    values.job = find_holder (self, subject->labels);

  if (family->has_own_label)
    add_labelled (self, family, &values, lines);
  else if (get_series (self, family, &values, &value))
    jm_dialect_lines_add (lines, family, &values, value * family->scale);
  else if (family->has_absent && subject->end_time == 0)
    jm_dialect_lines_add (lines, family, &values, family->absent);
}

static gboolean
is_shown (const Document *self, const JmDialectFamily *family, guint number)
{
  const JmSubject *subject = &self->subjects[number];

  return subject->kind == family->each && !is_over (family, subject) &&
         !jm_subject_labels_table_get (self->table, number)->is_hidden &&
         (subject->job == NULL ||
          jm_dialect_shows_scheduler (self->kept->dialect,
                                      jm_job_get_field (subject->job,
                                                        JM_JOB_FIELD_SCHEDULER)));
}

static void
write_family (const Document *self, guint number, JmTextWriter *writer)
{
  const JmDialectFamily *family =
    g_ptr_array_index (jm_dialect_get_families (self->kept->dialect), number);
  JmDialectLines *lines = g_ptr_array_index (self->kept->lines, number);

  jm_dialect_lines_begin (lines);
  for (guint i = 0; i < self->n_subjects; i++)
    if (is_shown (self, family, i))
      add_subject (self, family, i, lines);
  jm_dialect_lines_write (lines, family, writer);
}

static void
take (JmDialectDocument *self, JmSnapshot *snapshot)
{
  if (self->now == snapshot)
    return;

  g_clear_pointer (&self->before, jm_snapshot_unref);
  self->before = g_steal_pointer (&self->now);
  self->now = jm_snapshot_ref (snapshot);
}

void
jm_dialect_document_write (JmDialectDocument *self,
                           JmSnapshot *snapshot,
                           const JmSubjectLabelsTable *table,
                           const char *node_name,
                           const JmCollectorSet *collectors,
                           JmTextWriter *writer)
{
  Document document = { .kept = self,
                        .snapshot = snapshot,
                        .table = table,
                        .node_name = node_name,
                        .collectors = collectors };

  take (self, snapshot);
  document.subjects = jm_snapshot_get_subjects (snapshot, &document.n_subjects);
  for (guint i = 0; i < self->lines->len; i++)
    write_family (&document, i, writer);
}
