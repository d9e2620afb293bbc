/* jm-dialect-document.c: a snapshot in the words of a dialect
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-metric-private.h"
#include "expose/jm-text-document-private.h"

#include <math.h>

#include "base/jm-number-private.h"
#include "core/jm-snapshot-private.h"
#include "expose/jm-dialect-private.h"
#include "expose/jm-series-lines-private.h"

/* Scrapers may come shortly after each other, and growth over so short a time says
 * little. */
#define MIN_RATE_US G_USEC_PER_SEC

struct _JmDialectDocument
{
  JmDialect *dialect;
  GPtrArray *lines; /* of JmSeriesLines, by family */
  JmSeriesScratch scratch;
  GString *number;

  gboolean has_rates; /* which need the snapshot before */
  JmSnapshot *now;
  JmSnapshot *before;
};

/* One call of jm_dialect_document_write(). */
typedef struct
{
  JmDialectDocument *kept;
  const JmDialectContent *content;
  JmDialectFigures figures;
  const JmSubject *subjects;
  const JmReading *readings;
} Document;

JmDialectDocument *
jm_dialect_document_new (JmDialect *dialect)
{
  JmDialectDocument *self = g_new0 (JmDialectDocument, 1);
  GPtrArray *families = jm_dialect_get_families (dialect);

  self->dialect = jm_dialect_ref (dialect);
  self->number = g_string_new (NULL);
  jm_series_scratch_init (&self->scratch);
  self->lines = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_series_lines_free);
  for (guint i = 0; i < families->len; i++)
    {
      self->has_rates |= ((JmDialectFamily *) families->pdata[i])->is_rate;
      g_ptr_array_add (self->lines, jm_series_lines_new (&self->scratch));
    }

  return self;
}

void
jm_dialect_document_free (JmDialectDocument *self)
{
  g_clear_pointer (&self->now, jm_snapshot_unref);
  g_clear_pointer (&self->before, jm_snapshot_unref);
  g_ptr_array_unref (self->lines);
  jm_series_scratch_clear (&self->scratch);
  g_string_free (self->number, TRUE);
  jm_dialect_unref (self->dialect);
  g_free (self);
}

JmDialect *
jm_dialect_document_get_dialect (const JmDialectDocument *self)
{
  return self->dialect;
}

/* --- lines --- */

/* A power of ten moves the point. */
static int
scale_decimals (const JmDialectFamily *family, int n_decimals)
{
  int moved = n_decimals - family->exponent;

  return n_decimals >= 0 && family->is_power_of_ten && moved >= 0 &&
             moved <= JM_NUMBER_MAX_DECIMALS
           ? moved
           : -1;
}

static void
add_line (const JmDialectFamily *family,
          const JmSeriesTopic *topic,
          JmFigureValue figure,
          JmSeriesLines *lines)
{
  figure.value *= family->scale;
  if (family->has_most && figure.value > family->most)
    figure = (JmFigureValue){ family->most, -1, 0 };
  figure.n_decimals = scale_decimals (family, figure.n_decimals);
  jm_series_lines_add (lines, family, topic, &figure);
}

/* A series of each word, and one more where the reading's own is none of these. */
static void
add_words (const JmDialectFamily *family,
           JmSeriesTopic *topic,
           JmLabels *own,
           JmSeriesLines *lines)
{
  if (!g_ptr_array_find (family->words, own, NULL))
    {
      topic->values.own_labels = own;
      add_line (family, topic, (JmFigureValue){ 1, 0, 1 }, lines);
    }
  for (guint i = 0; i < family->words->len; i++)
    {
      const guint is_own = family->words->pdata[i] == own;

      topic->values.own_labels = family->words->pdata[i];
      add_line (family, topic, (JmFigureValue){ is_own, 0, is_own }, lines);
    }
}

/* Each of the readings, all of one subject, is a series. */
static void
add_labelled (const Document *self,
              const JmDialectFamily *family,
              JmSeriesTopic *topic,
              const JmReading *readings,
              guint n,
              JmSeriesLines *lines)
{
  for (guint i = 0; i < n; i++)
    {
      JmFigureValue figure;

      if (!jm_dialect_figures_is_wanted (&self->figures, family, 0,
                                         self->figures.snapshot, &readings[i]))
        continue;
      figure = jm_dialect_figures_get_value (&readings[i]);
      if (!jm_dialect_figures_combine (&self->figures, family, &readings[i], &figure))
        continue;
      if (family->words != NULL)
        {
          add_words (family, topic, readings[i].labels, lines);
          continue;
        }
      topic->values.own_labels = readings[i].labels;
      add_line (family, topic, figure, lines);
    }
}

static gboolean
get_number (const Document *self,
            const JmDialectFamily *family,
            const JmSeriesTopic *topic,
            JmFigureValue *figure)
{
  GString *number = self->kept->number;
  char *end;

  g_string_truncate (number, 0);
  jm_label_template_append (family->value, &topic->values, number);
  *figure = (JmFigureValue){ g_ascii_strtod (number->str, &end), -1, 0 };

  return end != number->str && *end == '\0' && isfinite (figure->value);
}

static gboolean
get_series (const Document *self,
            const JmDialectFamily *family,
            const JmSeriesTopic *topic,
            JmFigureValue *figure)
{
  if (family->value != NULL)
    return get_number (self, family, topic, figure);

  return jm_dialect_figures_get (&self->figures, family, topic->values.subject, figure);
}

/* Whether a figure that is missing means that there is none: where another figure says
 * so, or where none does, if the collector of the figure read this subject. */
static gboolean
is_known_absent (const Document *self, const JmDialectFamily *family, guint subject)
{
  JmCollector collector = jm_metric_get_info (family->sources[0].metric)->collector;
  guint n;
  const JmReading *readings =
    jm_snapshot_get_readings_of (self->figures.snapshot, subject, &n);

  for (guint i = 0; i < n; i++)
    if (family->absent_if != JM_N_METRICS
          ? readings[i].metric == family->absent_if
          : jm_metric_get_info (readings[i].metric)->collector == collector)
      return TRUE;

  return FALSE;
}

static void
add_plain (const Document *self,
           const JmDialectFamily *family,
           const JmSeriesTopic *topic,
           JmSeriesLines *lines)
{
  const JmFigureValue absent = { family->absent, -1, 0 };
  JmFigureValue figure;

  if (get_series (self, family, topic, &figure))
    add_line (family, topic, figure, lines);
  else if (family->has_absent && topic->subject->subject.end_time == 0 &&
           is_known_absent (self, family, topic->values.subject))
    jm_series_lines_add (lines, family, topic, &absent);
}

/* --- subjects --- */

/* What is only of now ends with its job, and nothing else is made up for one. */
static gboolean
is_over (const JmDialectFamily *family, const JmSubject *subject)
{
  return subject->end_time != 0 &&
         (family->n_sources == 0 || family->is_rate ||
          jm_metric_ends_with_job (family->sources[0].metric));
}

static gboolean
is_shown (const Document *self, const JmDialectFamily *family, guint number)
{
  const JmSubject *subject = &self->subjects[number];

  if (self->content->only_job != NULL && self->content->only_job != subject->job)
    return FALSE;

  return !is_over (family, subject) &&
         !jm_subject_labels_table_get (self->content->table, number)->is_hidden &&
         (subject->job == NULL ||
          jm_dialect_shows_scheduler (self->kept->dialect,
                                      jm_job_get_field (subject->job,
                                                        JM_JOB_FIELD_SCHEDULER)));
}

/* Of a device, the job that has it alone. */
static JmJob *
find_holder (const Document *self, JmLabels *labels)
{
  const JmReadingBuckets *buckets = self->content->buckets;
  JmJob *holder = NULL;

  for (guint i = buckets->first_subject[JM_SUBJECT_KIND_JOB_GPU];
       i < buckets->first_subject[JM_SUBJECT_KIND_JOB_GPU + 1]; i++)
    {
      const JmSubject *part =
        &self->subjects[g_array_index (buckets->subjects, guint, i)];

      if (part->labels != labels || part->end_time != 0)
        continue;
      if (holder != NULL)
        return NULL;
      holder = part->job;
    }

  return holder;
}

static JmLabels *
get_info_labels (const Document *self, const JmDialectFamily *family, guint number)
{
  const JmReading *readings = NULL;
  guint n;

  if (family->info != JM_N_METRICS)
    readings =
      jm_dialect_figures_find (self->figures.snapshot, number, family->info, &n);

  return readings != NULL ? readings->labels : NULL;
}

static JmSeriesTopic
get_topic (const Document *self, const JmDialectFamily *family, guint number)
{
  const JmSubject *subject = &self->subjects[number];
  JmJob *job = subject->job;

  if (subject->kind == JM_SUBJECT_KIND_GPU && !family->is_native)
    job = find_holder (self, subject->labels);

  return (JmSeriesTopic){
    .values = { .node_name = self->content->node_name,
                .snapshot = self->content->snapshot,
                .subject = number,
                .job = job,
                .subject_labels = subject->labels,
                .info_labels = get_info_labels (self, family, number),
                .word = family->sources[0].word },
    .subject = jm_subject_labels_table_get (self->content->table, number),
  };
}

/* --- families --- */

/* The readings of a metric stand by subject. */
static void
add_by_reading (const Document *self,
                const JmDialectFamily *family,
                JmSeriesLines *lines)
{
  const JmReadingBuckets *buckets = self->content->buckets;
  guint bucket = JM_BUCKET (family->sources[0].kind, family->sources[0].metric);
  guint end;

  for (guint i = buckets->first[bucket]; i < buckets->first[bucket + 1]; i = end)
    {
      const JmReading *readings =
        &self->readings[g_array_index (buckets->order, guint, i)];
      guint subject = readings->subject;
      JmSeriesTopic topic;

      for (end = i + 1; end < buckets->first[bucket + 1]; end++)
        if (self->readings[g_array_index (buckets->order, guint, end)].subject !=
            subject)
          break;
      if (!is_shown (self, family, subject))
        continue;

      topic = get_topic (self, family, subject);
      if (family->is_native || family->has_own_label)
        add_labelled (self, family, &topic, readings, end - i, lines);
      else
        add_plain (self, family, &topic, lines);
    }
}

static void
add_whole (const Document *self,
           const JmDialectFamily *family,
           guint subject,
           JmSeriesLines *lines)
{
  JmSeriesTopic topic = get_topic (self, family, subject);
  const JmReading *readings = NULL;
  guint n;

  if (family->has_own_label)
    readings = jm_dialect_figures_find (self->figures.snapshot, subject,
                                        family->sources[0].metric, &n);
  if (readings != NULL)
    add_labelled (self, family, &topic, readings, n, lines);
  else
    add_plain (self, family, &topic, lines);
}

/* Also of those that have no reading of the first source. */
static void
add_by_subject (const Document *self,
                const JmDialectFamily *family,
                JmSeriesLines *lines)
{
  const JmReadingBuckets *buckets = self->content->buckets;

  for (guint i = buckets->first_subject[family->each];
       i < buckets->first_subject[family->each + 1]; i++)
    {
      guint subject = g_array_index (buckets->subjects, guint, i);

      if (is_shown (self, family, subject))
        add_whole (self, family, subject, lines);
    }
}

/* The parts of the sweep. */
static void
add_collectors (const Document *self,
                const JmDialectFamily *family,
                JmSeriesLines *lines)
{
  JmSeriesTopic topic = get_topic (self, family, JM_NODE_SUBJECT);

  for (JmCollector i = 0; i < JM_N_COLLECTORS; i++)
    {
      g_autoptr (JmLabels) name = NULL;

      if (!jm_snapshot_is_collected (self->content->snapshot, i) ||
          !jm_collector_set_has (self->content->collectors, i))
        continue;
      /* it distinguishes the lines */
      name = jm_labels_of (jm_collector_get_name (i), NULL);
      topic.values.own_labels = name;
      topic.values.collector = i;
      add_plain (self, family, &topic, lines);
    }
}

static gboolean
is_by_reading (const JmDialectFamily *family)
{
  if (family->n_sources == 0 || family->sources[0].kind != family->each ||
      family->has_absent)
    return FALSE;

  return family->n_sources == 1 ||
         (family->has_own_label && family->combine != JM_COMBINE_FIRST);
}

static void
add_series (const Document *self, const JmDialectFamily *family, JmSeriesLines *lines)
{
  if (family->is_of_collectors)
    add_collectors (self, family, lines);
  else if (is_by_reading (family))
    add_by_reading (self, family, lines);
  else
    add_by_subject (self, family, lines);
}

static void
write_family (const Document *self, guint number, JmTextWriter *writer)
{
  const JmDialectFamily *family =
    g_ptr_array_index (jm_dialect_get_families (self->kept->dialect), number);
  JmSeriesLines *lines = g_ptr_array_index (self->kept->lines, number);

  jm_series_lines_begin (lines);
  if (family->is_of_collectors && self->content->only_job != NULL)
    return;
  if (!family->is_split)
    add_series (self, family, lines);
  for (guint i = 0; family->is_split && i < family->n_sources; i++)
    {
      JmDialectFamily part = *family;

      part.sources[0] = family->sources[i];
      part.n_sources = 1;
      add_series (self, &part, lines);
    }
  jm_series_lines_write (lines, family, writer);
}

static void
take (JmDialectDocument *self, JmSnapshot *snapshot)
{
  gint64 age_us;

  if (self->now == snapshot)
    return;

  age_us = self->now != NULL
             ? jm_snapshot_get_time (snapshot) - jm_snapshot_get_time (self->now)
             : 0;
  if (self->before == NULL || age_us >= MIN_RATE_US)
    {
      g_clear_pointer (&self->before, jm_snapshot_unref);
      self->before = g_steal_pointer (&self->now);
    }
  g_clear_pointer (&self->now, jm_snapshot_unref);
  self->now = jm_snapshot_ref (snapshot);
}

void
jm_dialect_document_write (JmDialectDocument *self,
                           const JmDialectContent *content,
                           JmTextWriter *writer)
{
  guint n;
  Document document = { self, content };

  if (self->has_rates)
    take (self, content->snapshot);
  document.figures =
    (JmDialectFigures){ content->snapshot, self->before, content->collectors };
  document.subjects = jm_snapshot_get_subjects (content->snapshot, &n);
  document.readings = jm_snapshot_get_readings (content->snapshot, &n);
  for (guint i = 0; i < self->lines->len; i++)
    write_family (&document, i, writer);
}
