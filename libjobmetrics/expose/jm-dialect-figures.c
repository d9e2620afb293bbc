/* jm-dialect-figures.c: what a dialect makes of what was read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-private.h"
#include "core/jm-metric-private.h"
#include "core/jm-subject-private.h"
#include "expose/jm-text-document-private.h"

#include <math.h>

/* The readings of a subject stand by metric. */
const JmReading *
jm_dialect_figures_find (JmSnapshot *snapshot, guint subject, JmMetric metric, guint *n)
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

/* NULL for a label that neither the reading nor its subject has. */
static const char *
find_label (JmSnapshot *snapshot, const JmReading *reading, const char *name)
{
  guint n;
  const JmSubject *subject = jm_snapshot_get_subjects (snapshot, &n) + reading->subject;
  const char *const *names = jm_subject_kind_get_label_names (subject->kind);
  const char *value = reading->labels != NULL
                        ? jm_metric_find_label (reading->metric, reading->labels, name)
                        : NULL;

  for (guint i = 0; value == NULL && subject->labels != NULL && names[i] != NULL; i++)
    if (g_str_equal (names[i], name))
      value = jm_labels_get_value (subject->labels, i);

  return value;
}

static gboolean
meets (JmSnapshot *snapshot, const GArray *conditions, const JmReading *reading)
{
  for (guint i = 0; conditions != NULL && i < conditions->len; i++)
    {
      const JmDialectCondition *condition =
        &g_array_index (conditions, JmDialectCondition, i);
      const char *value = find_label (snapshot, reading, condition->label);

      if (value != NULL && !g_pattern_spec_match_string (condition->pattern, value))
        return FALSE;
    }

  return TRUE;
}

gboolean
jm_dialect_figures_is_wanted (const JmDialectFigures *self,
                              const JmDialectFamily *family,
                              guint source,
                              JmSnapshot *snapshot,
                              const JmReading *reading)
{
  return meets (snapshot, family->conditions, reading) &&
         meets (snapshot, family->sources[source].conditions, reading) &&
         jm_collector_set_has (self->collectors,
                               jm_metric_get_info (reading->metric)->collector);
}

JmFigureValue
jm_dialect_figures_get_value (const JmReading *reading)
{
  JmUnit unit = jm_metric_get_info (reading->metric)->unit;

  return (JmFigureValue){ jm_unit_to_base (unit, reading->value),
                          jm_unit_get_info (unit)->n_decimals, reading->value };
}

static void
figure_add (JmFigureValue *self, const JmFigureValue *other)
{
  self->digits += other->digits;
  self->value += other->value;
}

/* The sum of the figures, or the first where sums mean nothing. Where @labels are
 * given, of those that have them. */
static gboolean
add_up (const JmDialectFigures *self,
        const JmDialectFamily *family,
        JmSnapshot *snapshot,
        guint source,
        const JmReading *readings,
        guint n,
        JmLabels *labels,
        JmFigureValue *figure)
{
  gboolean is_known = FALSE;

  for (guint i = 0; i < n; i++)
    {
      JmFigureValue one;

      if ((labels != NULL && readings[i].labels != labels) ||
          !jm_dialect_figures_is_wanted (self, family, source, snapshot, &readings[i]))
        continue;
      one = jm_dialect_figures_get_value (&readings[i]);
      if (is_known)
        figure_add (figure, &one);
      else
        *figure = one;
      is_known = TRUE;
      if (!jm_metric_get_info (readings[i].metric)->additive)
        break;
    }

  return is_known;
}

/* Whom a source is about, where it is not the subject itself. */
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
get_source (const JmDialectFigures *self,
            const JmDialectFamily *family,
            JmSnapshot *snapshot,
            guint subject,
            guint source,
            JmLabels *labels,
            JmFigureValue *figure)
{
  const JmDialectSource *from = &family->sources[source];
  const JmReading *readings;
  guint n;

  if (!find_teller (snapshot, &subject, from->kind))
    return FALSE;
  readings = jm_dialect_figures_find (snapshot, subject, from->metric, &n);

  return add_up (self, family, snapshot, source, readings, n, labels, figure);
}

static gboolean
combine (JmCombine how, JmFigureValue *figure, double other)
{
  figure->n_decimals = -1;
  switch (how)
    {
    case JM_COMBINE_SUM:
      figure->value += other;
      break;
    case JM_COMBINE_DIFFERENCE:
      figure->value = MAX (figure->value - other, 0);
      break;
    case JM_COMBINE_RATIO:
      figure->value /= other;
      break;
    case JM_COMBINE_PRODUCT:
      figure->value *= other;
      break;
    case JM_COMBINE_FIRST:
    default:
      break;
    }

  return isfinite (figure->value);
}

static gboolean
get_first (const JmDialectFigures *self,
           const JmDialectFamily *family,
           JmSnapshot *snapshot,
           guint subject,
           JmFigureValue *figure)
{
  for (guint i = 0; i < family->n_sources; i++)
    if (get_source (self, family, snapshot, subject, i, NULL, figure))
      return TRUE;

  return FALSE;
}

/* What the sources behind the first make of it. @labels are those of the first figure,
 * which sources of the same labels have, too; NULL for the sum of all. */
static gboolean
combine_others (const JmDialectFigures *self,
                const JmDialectFamily *family,
                JmSnapshot *snapshot,
                guint subject,
                JmLabels *labels,
                JmFigureValue *figure)
{
  if (family->combine == JM_COMBINE_FIRST)
    return TRUE;

  for (guint i = 1; i < family->n_sources; i++)
    {
      JmFigureValue other;

      if (!get_source (self, family, snapshot, subject, i,
                       jm_dialect_source_has_labels_of (&family->sources[i],
                                                        &family->sources[0])
                         ? labels
                         : NULL,
                       &other) ||
          !combine (family->combine, figure, other.value))
        return FALSE;
    }

  return TRUE;
}

static gboolean
get_whole (const JmDialectFigures *self,
           const JmDialectFamily *family,
           JmSnapshot *snapshot,
           guint subject,
           JmFigureValue *figure)
{
  if (family->combine == JM_COMBINE_FIRST)
    return get_first (self, family, snapshot, subject, figure);

  return get_source (self, family, snapshot, subject, 0, NULL, figure) &&
         combine_others (self, family, snapshot, subject, NULL, figure);
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
find_before (const JmDialectFigures *self, guint subject, guint *found)
{
  guint n;
  const JmSubject *now = jm_snapshot_get_subjects (self->snapshot, &n) + subject;
  const JmSubject *subjects = jm_snapshot_get_subjects (self->before, &n);

  if (subject < n && is_same (&subjects[subject], now))
    {
      *found = subject;
      return TRUE;
    }
  for (*found = 0; *found < n; ++*found)
    if (is_same (&subjects[*found], now))
      return TRUE;

  return FALSE;
}

/* Turns a figure into its growth each second. */
static gboolean
get_rate (const JmDialectFigures *self,
          const JmDialectFamily *family,
          guint subject,
          JmFigureValue *figure)
{
  JmSnapshot *before = self->before;
  JmFigureValue earlier;
  double seconds;
  guint then;

  if (before == NULL || !find_before (self, subject, &then) ||
      !get_whole (self, family, before, then, &earlier))
    return FALSE;

  seconds =
    (double) (jm_snapshot_get_time (self->snapshot) - jm_snapshot_get_time (before)) /
    G_USEC_PER_SEC;
  figure->n_decimals = -1;
  figure->value = (figure->value - earlier.value) / seconds;

  return seconds > 0 && figure->value >= 0;
}

/* --- one figure --- */

gboolean
jm_dialect_figures_combine (const JmDialectFigures *self,
                            const JmDialectFamily *family,
                            const JmReading *reading,
                            JmFigureValue *figure)
{
  return combine_others (self, family, self->snapshot, reading->subject,
                         reading->labels, figure);
}

gboolean
jm_dialect_figures_get (const JmDialectFigures *self,
                        const JmDialectFamily *family,
                        guint subject,
                        JmFigureValue *figure)
{
  return get_whole (self, family, self->snapshot, subject, figure) &&
         (!family->is_rate || get_rate (self, family, subject, figure));
}
