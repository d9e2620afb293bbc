/* jm-ended-run.c: what a job had used when it ended, as a file tells it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-ended-run-private.h"

#include <string.h>

#include "collect/jm-run-record-private.h"
#include "core/jm-unit.h"
#include "sources/jobs/jm-property-file-private.h"

#define ENDED "ended"
#define UNTIL "until"
#define FIGURE "figure."

/* --- writing --- */

static void
append_figure (GString *text, const JmReading *reading)
{
  const JmMetricInfo *info = jm_metric_get_info (reading->metric);

  g_string_append_printf (text, FIGURE "%s=%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT,
                          info->name, reading->value,
                          jm_unit_get_info (info->unit)->divisor);
  for (guint i = 0; i < info->n_labels; i++)
    {
      g_string_append_c (text, '\t');
      jm_run_record_append_escaped (text, jm_labels_get_value (reading->labels, i));
    }
  g_string_append_c (text, '\n');
}

char *
jm_ended_run_format (JmJob *job,
                     gint64 end_us,
                     gint64 until_us,
                     const JmReading *readings,
                     guint n_readings)
{
  g_autofree char *who = jm_run_record_format (job);
  GString *text = g_string_new (who);

  g_string_append_printf (text,
                          ENDED "=%" G_GINT64_FORMAT "\n" UNTIL "=%" G_GINT64_FORMAT
                                "\n",
                          end_us, until_us);
  for (guint i = 0; i < n_readings; i++)
    append_figure (text, &readings[i]);

  return g_string_free (text, FALSE);
}

/* --- reading --- */

/* Takes what is before the next of @separator, or the rest. */
static JmSlice
take (JmSlice *line, char separator)
{
  const char *found = memchr (line->text, separator, line->length);
  gsize length = found != NULL ? (gsize) (found - line->text) : line->length;
  JmSlice part = { line->text, length };

  line->text += found != NULL ? length + 1 : length;
  line->length -= found != NULL ? length + 1 : length;

  return part;
}

static JmLabels *
take_labels (JmSlice *line, guint n_labels)
{
  g_auto (GStrv) values = g_new0 (char *, n_labels + 1);

  for (guint i = 0; i < n_labels; i++)
    {
      JmSlice label = take (line, '\t');

      values[i] = jm_run_record_unescape (label.text, label.text + label.length);
      if (values[i] == NULL)
        return NULL;
    }

  return jm_labels_new ((const char *const *) values);
}

/* A line without its prefix; one that another version wrote may name what this one does
 * not know, or count it otherwise. */
static gboolean
read_figure (JmReadings *readings, JmSlice line)
{
  JmSlice name_slice = take (&line, '=');
  JmSlice value_slice = take (&line, '/');
  JmSlice divisor_slice = take (&line, '\t');
  g_autofree char *name = g_strndup (name_slice.text, name_slice.length);
  g_autoptr (JmLabels) labels = NULL;
  const JmMetricInfo *info;
  guint64 value, divisor;
  JmMetric metric;

  if (!jm_parse_uint64 (value_slice.text, value_slice.length, &value) ||
      !jm_parse_uint64 (divisor_slice.text, divisor_slice.length, &divisor))
    return FALSE;
  if (!jm_metric_from_name (name, JM_SUBJECT_KIND_JOB, &metric))
    return TRUE;

  info = jm_metric_get_info (metric);
  if (info->n_labels > 0 && (labels = take_labels (&line, info->n_labels)) == NULL)
    return FALSE;
  if (divisor != jm_unit_get_info (info->unit)->divisor || readings == NULL ||
      !jm_readings_begin (readings, info->collector))
    return TRUE;

  if (labels != NULL)
    jm_readings_add_labelled (readings, metric, labels, value);
  else
    jm_readings_add (readings, metric, value);

  return TRUE;
}

static gboolean
read_figures (const char *text, gsize length, JmReadings *readings)
{
  const gsize prefix = strlen (FIGURE);
  JmSlice rest = { text, length };

  while (rest.length > 0)
    {
      JmSlice line = take (&rest, '\n');

      if (line.length > prefix && memcmp (line.text, FIGURE, prefix) == 0 &&
          !read_figure (readings,
                        (JmSlice){ line.text + prefix, line.length - prefix }))
        return FALSE;
    }

  return TRUE;
}

static gboolean
read_time (const char *text, gsize length, const char *name, gint64 *time_us)
{
  JmSlice value;
  guint64 number;

  if (!jm_properties_find (text, length, name, &value) ||
      !jm_parse_uint64 (value.text, value.length, &number) || number == 0 ||
      number > G_MAXINT64)
    return FALSE;

  *time_us = (gint64) number;

  return TRUE;
}

gboolean
jm_ended_run_parse (JmEndedRun *self,
                    const char *text,
                    gsize length,
                    const char *run_key,
                    JmReadings *readings)
{
  guint from = 0;

  *self = (JmEndedRun){ .job = jm_run_record_parse (text, length, run_key) };
  if (readings != NULL)
    jm_readings_get_values (readings, &from);
  if (self->job != NULL && read_time (text, length, ENDED, &self->end_us) &&
      read_time (text, length, UNTIL, &self->until_us) &&
      read_figures (text, length, readings))
    return TRUE;

  if (readings != NULL)
    jm_readings_truncate (readings, from);
  jm_ended_run_clear (self);

  return FALSE;
}

void
jm_ended_run_clear (JmEndedRun *self)
{
  g_clear_pointer (&self->job, jm_job_unref);
}
