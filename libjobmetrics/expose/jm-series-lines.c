/* jm-series-lines.c: the series of one family, as they are from time to time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-series-lines-private.h"

/* Pointers identify what a line is about, since a reference is held of each. */
typedef struct
{
  JmJob *job;
  JmLabels *subject_labels;
  JmLabels *own_labels;
  JmLabels *info_labels;
  const char *word; /* the family's own */
  guint revision;   /* of the texts of its subject */
  guint end;        /* of its text, which begins where the one before ends */
  guint owner;      /* the first line of the same text */
  JmFigureValue figure;
} Line;

struct _JmSeriesLines
{
  GArray *lines;  /* of Line */
  GString *texts; /* of all lines: prepared labels */
  guint n;        /* of this document */
  gboolean has_changed;
  JmSeriesScratch *scratch;
};

static void
line_clear (gpointer line)
{
  Line *self = line;

  g_clear_pointer (&self->job, jm_job_unref);
  g_clear_pointer (&self->subject_labels, jm_labels_unref);
  g_clear_pointer (&self->own_labels, jm_labels_unref);
  g_clear_pointer (&self->info_labels, jm_labels_unref);
}

void
jm_series_scratch_init (JmSeriesScratch *self)
{
  *self = (JmSeriesScratch){ g_string_new (NULL), g_string_new (NULL) };
}

void
jm_series_scratch_clear (JmSeriesScratch *self)
{
  g_string_free (self->value, TRUE);
  g_string_free (self->text, TRUE);
}

JmSeriesLines *
jm_series_lines_new (JmSeriesScratch *scratch)
{
  JmSeriesLines *self = g_new0 (JmSeriesLines, 1);

  self->scratch = scratch;
  self->lines = g_array_new (FALSE, TRUE, sizeof (Line));
  g_array_set_clear_func (self->lines, line_clear);
  self->texts = g_string_new (NULL);

  return self;
}

void
jm_series_lines_free (JmSeriesLines *self)
{
  g_array_unref (self->lines);
  g_string_free (self->texts, TRUE);
  g_free (self);
}

static Line *
get_line (JmSeriesLines *self, guint number)
{
  return &g_array_index (self->lines, Line, number);
}

static guint
get_begin (JmSeriesLines *self, guint number)
{
  return number > 0 ? get_line (self, number - 1)->end : 0;
}

/* --- texts --- */

static void
append_own_labels (GString *text, JmMetric metric, JmLabels *labels)
{
  const JmMetricInfo *info = jm_metric_get_info (metric);

  for (guint i = 0; i < info->n_labels; i++)
    jm_text_append_label (text, info->labels[i], jm_labels_get_value (labels, i));
}

static void
append_labels (const JmSeriesScratch *scratch,
               const JmDialectFamily *family,
               const JmSeriesTopic *topic)
{
  for (guint i = 0; i < family->labels->len; i++)
    {
      const JmDialectLabel *label = &g_array_index (family->labels, JmDialectLabel, i);

      g_string_truncate (scratch->value, 0);
      jm_label_template_append (label->value, &topic->values, scratch->value);
      jm_text_append_label (scratch->text, label->name, scratch->value->str);
    }
}

static void
render (JmSeriesLines *self, const JmDialectFamily *family, const JmSeriesTopic *topic)
{
  GString *text = self->scratch->text;

  g_string_truncate (text, 0);
  if (family->is_native)
    {
      g_string_append_len (text, topic->subject->labels->str,
                           topic->subject->labels->len);
      append_own_labels (text, family->sources[0].metric, topic->values.own_labels);
    }
  else
    append_labels (self->scratch, family, topic);
  jm_text_prepare_labels (text);
  g_string_append_len (self->texts, text->str, text->len);
}

static gboolean
is_about (const Line *self, const JmSeriesTopic *topic)
{
  return self->job == topic->values.job &&
         self->subject_labels == topic->values.subject_labels &&
         self->own_labels == topic->values.own_labels &&
         self->info_labels == topic->values.info_labels &&
         self->word == topic->values.word && self->revision == topic->subject->revision;
}

static void
append_line (JmSeriesLines *self,
             const JmDialectFamily *family,
             const JmSeriesTopic *topic)
{
  Line line = { .job = topic->values.job,
                .subject_labels = topic->values.subject_labels,
                .own_labels = topic->values.own_labels,
                .info_labels = topic->values.info_labels,
                .word = topic->values.word,
                .revision = topic->subject->revision };

  if (line.job != NULL)
    jm_job_ref (line.job);
  if (line.subject_labels != NULL)
    jm_labels_ref (line.subject_labels);
  if (line.own_labels != NULL)
    jm_labels_ref (line.own_labels);
  if (line.info_labels != NULL)
    jm_labels_ref (line.info_labels);
  render (self, family, topic);
  line.end = (guint) self->texts->len;
  g_array_append_val (self->lines, line);
}

static void
forget_from (JmSeriesLines *self, guint number)
{
  if (number == self->lines->len)
    return;

  g_string_truncate (self->texts, get_begin (self, number));
  g_array_set_size (self->lines, number);
  self->has_changed = TRUE;
}

void
jm_series_lines_begin (JmSeriesLines *self)
{
  self->n = 0;
  self->has_changed = FALSE;
}

void
jm_series_lines_add (JmSeriesLines *self,
                     const JmDialectFamily *family,
                     const JmSeriesTopic *topic,
                     const JmFigureValue *figure)
{
  if (self->n < self->lines->len && !is_about (get_line (self, self->n), topic))
    forget_from (self, self->n);
  if (self->n == self->lines->len)
    {
      append_line (self, family, topic);
      self->has_changed = TRUE;
    }
  get_line (self, self->n)->figure = *figure;
  self->n++;
}

/* --- the end of a document --- */

static void
find_owners (JmSeriesLines *self)
{
  g_autoptr (GHashTable) first =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->n; i++)
    {
      Line *line = get_line (self, i);
      guint begin = get_begin (self, i);
      char *text = g_strndup (self->texts->str + begin, line->end - begin);
      gpointer owner;

      line->owner = i;
      if (g_hash_table_lookup_extended (first, text, NULL, &owner))
        {
          line->owner = GPOINTER_TO_UINT (owner);
          g_free (text);
        }
      else
        g_hash_table_insert (first, text, GUINT_TO_POINTER (i));
    }
}

/* What was read adds up without rounding. */
static void
add_up (JmSeriesLines *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      const Line *line = get_line (self, i);
      JmFigureValue *sum = &get_line (self, line->owner)->figure;

      if (line->owner == i)
        continue;
      if (sum->n_decimals != line->figure.n_decimals)
        sum->n_decimals = -1;
      sum->digits += line->figure.digits;
      sum->value += line->figure.value;
    }
}

static void
write_line (JmSeriesLines *self, guint number, JmTextWriter *writer)
{
  const Line *line = get_line (self, number);
  const JmFigureValue *figure = &line->figure;
  guint begin = get_begin (self, number);
  const char *prepared = self->texts->str + begin;
  gsize length = line->end - begin;

  if (figure->n_decimals >= 0)
    jm_text_writer_add_prepared_decimal (writer, prepared, length, figure->digits,
                                         (guint) figure->n_decimals);
  else
    jm_text_writer_add_prepared_double (writer, prepared, length, figure->value);
}

static gboolean
is_additive (const JmDialectFamily *family)
{
  return !family->is_native && !family->is_of_collectors &&
         (family->n_sources == 0 || family->is_split ||
          jm_metric_get_info (family->sources[0].metric)->additive);
}

void
jm_series_lines_write (JmSeriesLines *self,
                       const JmDialectFamily *family,
                       JmTextWriter *writer)
{
  forget_from (self, self->n);
  if (self->n == 0)
    return;

  if (self->has_changed)
    find_owners (self);
  if (is_additive (family))
    add_up (self);

  jm_text_writer_begin_family (writer, family->kind, family->name, family->help);
  for (guint i = 0; i < self->n; i++)
    if (get_line (self, i)->owner == i)
      write_line (self, i, writer);
}
