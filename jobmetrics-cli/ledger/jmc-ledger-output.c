/* jmc-ledger-output.c: what becomes of the records that are read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "ledger/jmc-ledger-output.h"

#include <math.h>
#include <stdio.h>

#include "base/jm-csv-private.h"
#include "base/jm-safe-text-private.h"
#include "core/jm-figure.h"
#include "core/jm-format.h"
#include "core/jm-job-record.h"
#include "core/jm-job.h"
#include "jmc-output.h"

#define TIME_COLUMNS "jobid", "begin_time", "time", "interval_seconds"

/* The highest level of an interval, beside its mean; NULL of a sum. */
static const char *const peak_names[JM_N_PROFILE_SERIES] = {
  [JM_PROFILE_SERIES_MEMORY] = "memory_peak_bytes",
  [JM_PROFILE_SERIES_THREADS] = "threads_peak",
  [JM_PROFILE_SERIES_GPU_UTILIZATION] = "gpu_utilization_peak_ratio",
  [JM_PROFILE_SERIES_GPU_MEMORY] = "gpu_memory_peak_bytes",
};

/* The same for each job, whatever is known of it. */
void
jmc_profile_csv_append_titles (GString *text)
{
  static const char *const names[] = { TIME_COLUMNS };
  guint column = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    jm_csv_append (text, column++, names[i]);
  for (JmProfileSeries i = 0; i < JM_N_PROFILE_SERIES; i++)
    {
      jm_csv_append (text, column++, jm_profile_series_get_name (i));
      if (peak_names[i] != NULL)
        jm_csv_append (text, column++, peak_names[i]);
    }
  jm_csv_end_line (text);
}

/* What was not observed is empty. */
static void
append_number (GString *text, guint column, double value)
{
  g_autofree char *cell = isnan (value) ? NULL : jm_number_to_string (value);

  jm_csv_append (text, column, cell);
}

static void
append_point (GString *text,
              guint *column,
              const double *values,
              gsize n_values,
              guint point)
{
  append_number (text, (*column)++, point < n_values ? values[point] : NAN);
}

/* The values of a profile, by series: to be read point by point. */
typedef struct
{
  double *values[JM_N_PROFILE_SERIES];
  gsize n_values[JM_N_PROFILE_SERIES];
  double *peaks[JM_N_PROFILE_SERIES];
  gsize n_peaks[JM_N_PROFILE_SERIES];
} Points;

static void
points_init (Points *self, JmJobProfile *profile)
{
  for (JmProfileSeries i = 0; i < JM_N_PROFILE_SERIES; i++)
    {
      self->values[i] = jm_job_profile_list_values (profile, i, &self->n_values[i]);
      self->peaks[i] = jm_job_profile_list_peaks (profile, i, &self->n_peaks[i]);
    }
}

static void
points_clear (Points *self)
{
  for (guint i = 0; i < JM_N_PROFILE_SERIES; i++)
    {
      g_free (self->values[i]);
      g_free (self->peaks[i]);
    }
}

static void
append_line (GString *text, JmJobRecord *record, const Points *points, guint point)
{
  JmJobProfile *profile = jm_job_record_get_profile (record);
  const gint64 begin_us = jm_job_profile_get_begin_time (profile);
  const gint64 interval_us = jm_job_profile_get_interval (profile);
  g_autofree char *id = jm_job_format_id (jm_job_record_get_job (record));
  guint column = 0;

  jm_csv_append (text, column++, id);
  append_number (text, column++,
                 (double) jm_job_record_get_begin_time (record) / G_USEC_PER_SEC);
  append_number (text, column++,
                 (double) (begin_us + point * interval_us) / G_USEC_PER_SEC);
  append_number (text, column++, (double) interval_us / G_USEC_PER_SEC);
  for (guint i = 0; i < JM_N_PROFILE_SERIES; i++)
    {
      append_point (text, &column, points->values[i], points->n_values[i], point);
      if (peak_names[i] != NULL)
        append_point (text, &column, points->peaks[i], points->n_peaks[i], point);
    }
  jm_csv_end_line (text);
}

/* A line for each point, with when its interval began; none where there is no profile.
 */
void
jmc_profile_csv_append (GString *text, JmJobRecord *record)
{
  JmJobProfile *profile = jm_job_record_get_profile (record);
  Points points;

  if (profile == NULL)
    return;

  points_init (&points, profile);
  for (guint i = 0; i < jm_job_profile_get_n_points (profile); i++)
    append_line (text, record, &points, i);
  points_clear (&points);
}

/* A hostile name in a CSV steers no terminal. */
static void
print_csv (JmcLedgerOutput *self, GString *text)
{
  if (self->is_terminal)
    jm_safe_text_make_lines (text);
  jmc_output_print (text->str);
}

/* JSON is UTF-8 whatever the locale says. */
static void
print_json (JmcLedgerOutput *self, JmJobRecord *record)
{
  g_autofree char *json = jm_record_json_format (record);

  if (self->form == JMC_LEDGER_FORM_JSON)
    fputs (self->n_records > 0 ? ",\n" : "\n", stdout);
  fputs (json, stdout);
  if (self->form == JMC_LEDGER_FORM_LINES)
    fputc ('\n', stdout);
}

static void
print_page (JmcLedgerOutput *self, JmJobRecord *record)
{
  g_autofree char *page = jmc_record_page_render (record, &self->style);

  if (self->n_records > 0)
    jmc_output_print ("\n");
  jmc_output_print (page);
}

static void
print_table (JmcLedgerOutput *self)
{
  g_autofree char *lines = jm_table_to_text (self->table, self->style.width,
                                             !self->is_bare, self->style.color);

  jmc_output_print (lines);
  if (!self->is_bare && jm_table_has_estimates (self->table))
    jmc_output_print ("\n" JM_FIGURE_ESTIMATE_LEGEND "\n");
}

/* The titles where @record is NULL. */
static void
append_csv (JmcLedgerOutput *self, JmJobRecord *record, GString *text)
{
  g_autofree char *lines = NULL;

  jm_table_clear (self->table);
  if (record != NULL)
    jm_table_add_record (self->table, record);
  lines = jm_table_to_csv (self->table, record == NULL);
  g_string_append (text, lines);
}

/* What stands before all records. */
static void
begin (JmcLedgerOutput *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (self->is_begun)
    return;

  self->is_begun = TRUE;
  if (self->form == JMC_LEDGER_FORM_JSON)
    fputc ('[', stdout);
  else if (self->form == JMC_LEDGER_FORM_CSV && !self->is_bare)
    append_csv (self, NULL, text);
  else if (self->form == JMC_LEDGER_FORM_PROFILES && !self->is_bare)
    jmc_profile_csv_append_titles (text);

  jmc_output_print (text->str);
}

/* Only a table waits for the last of them: its columns are as wide as the widest. */
void
jmc_ledger_output_take (JmcLedgerOutput *self, JmJobRecord *record)
{
  g_autoptr (GString) text = g_string_new (NULL);

  begin (self);
  switch (self->form)
    {
    case JMC_LEDGER_FORM_JSON:
    case JMC_LEDGER_FORM_LINES:
      print_json (self, record);
      break;
    case JMC_LEDGER_FORM_CSV:
      append_csv (self, record, text);
      print_csv (self, text);
      break;
    case JMC_LEDGER_FORM_PAGES:
      print_page (self, record);
      break;
    case JMC_LEDGER_FORM_PROFILES:
      jmc_profile_csv_append (text, record);
      print_csv (self, text);
      break;
    case JMC_LEDGER_FORM_TABLE:
    default:
      jm_table_add_record (self->table, record);
      break;
    }
  self->n_records++;
}

/* What stands behind all records. Where they could not be read to the end, nothing
 * does: an array that is cut off is no JSON. */
void
jmc_ledger_output_end (JmcLedgerOutput *self)
{
  begin (self);
  if (self->form == JMC_LEDGER_FORM_JSON)
    fputs (self->n_records > 0 ? "\n]\n" : "]\n", stdout);
  else if (self->form == JMC_LEDGER_FORM_TABLE)
    print_table (self);
}
