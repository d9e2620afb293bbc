/* jme-series.c: what a run used over time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-series.h"

#include <math.h>

#include "core/jm-error.h"
#include "core/jm-number-private.h"
#include "server/jme-table.h"

/* As many as a wide panel can show. */
#define MAX_POINTS 1000

/* --- documents --- */

static void
append_labels (GString *text, JmTsdbSeries *series)
{
  g_auto (GStrv) labels = jm_tsdb_series_list_labels (series);

  g_string_append (text, ", \"labels\": {");
  for (guint i = 0; labels[i] != NULL; i++)
    {
      g_string_append (text, i > 0 ? ", " : "");
      jme_table_append_json_string (text, labels[i]);
      g_string_append (text, ": ");
      jme_table_append_json_string (text, jm_tsdb_series_get_label (series, labels[i]));
    }
  g_string_append_c (text, '}');
}

/* A value that is no number is none. */
static void
append_number (GString *text, double value)
{
  if (isfinite (value))
    jm_number_append_double (text, value);
  else
    g_string_append (text, "null");
}

static void
append_points (GString *text, JmTsdbSeries *series)
{
  g_string_append (text, ", \"points\": [");
  for (guint i = 0; i < jm_tsdb_series_get_n_points (series); i++)
    {
      double time, value;

      jm_tsdb_series_get_point (series, i, &time, &value);
      g_string_append (text, i > 0 ? ", [" : "[");
      append_number (text, time);
      g_string_append (text, ", ");
      append_number (text, value);
      g_string_append_c (text, ']');
    }
  g_string_append_c (text, ']');
}

static void
append_document (GString *text, GPtrArray *all)
{
  g_string_append (text, "{\"series\": [");
  for (guint i = 0; i < all->len; i++)
    {
      g_string_append (text, i > 0 ? ",\n{\"name\": " : "{\"name\": ");
      jme_table_append_json_string (text, jm_tsdb_series_get_name (all->pdata[i]));
      g_string_append (text, ", \"unit\": ");
      jme_table_append_json_string (text, jm_tsdb_series_get_unit (all->pdata[i]));
      append_labels (text, all->pdata[i]);
      append_points (text, all->pdata[i]);
      g_string_append_c (text, '}');
    }
  g_string_append (text, "]}\n");
}

/* --- tables --- */

/* NULL for the head. */
static void
add_cells (JmeTable *table,
           JmTsdbSeries *series,
           const double *time,
           const double *value)
{
  static const char *const labels[] = { "domain", "quality" };

  jme_table_add_number (table, "time", time);
  jme_table_add_text (table, "name",
                      series != NULL ? jm_tsdb_series_get_name (series) : NULL);
  jme_table_add_text (table, "unit",
                      series != NULL ? jm_tsdb_series_get_unit (series) : NULL);
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    jme_table_add_text (table, labels[i],
                        series != NULL ? jm_tsdb_series_get_label (series, labels[i])
                                       : NULL);
  jme_table_add_number (table, "value", value);
}

static void
append_rows (JmeTable *table, JmTsdbSeries *series)
{
  for (guint i = 0; i < jm_tsdb_series_get_n_points (series); i++)
    {
      double time, value;

      jm_tsdb_series_get_point (series, i, &time, &value);
      jme_table_begin_row (table);
      add_cells (table, series, &time, isfinite (value) ? &value : NULL);
      jme_table_end_row (table);
    }
}

static void
append_table (GString *text, GPtrArray *all)
{
  JmeTable table = { .text = text, .form = JME_TABLE_CSV };

  jme_table_begin_head (&table);
  add_cells (&table, NULL, NULL, NULL);
  jme_table_end_head (&table);
  for (guint i = 0; i < all->len; i++)
    append_rows (&table, all->pdata[i]);
}

/* --- answers --- */

/* What is wrong with the database is nothing for strangers, nor of the accounts. */
static void
refuse (JmeAnswer *self, const GError *error)
{
  if (g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    {
      jme_answer_refuse (self->request, 404, "no series of that run");
      return;
    }

  g_warning ("the time series database cannot be read: %s", error->message);
  jme_answer_refuse (self->request, 503, "the time series cannot be read now");
}

GPtrArray *
jme_series_list (JmeAnswer *self,
                 JmStoredRun *run,
                 guint max_points,
                 guint timeout_ms,
                 GError **error)
{
  g_autoptr (JmTsdb) tsdb = jme_accounts_make_tsdb (self->accounts, error);
  g_autoptr (GPtrArray) all = NULL;

  if (tsdb != NULL && timeout_ms > 0)
    jm_tsdb_set_timeout (tsdb, timeout_ms);
  if (tsdb != NULL)
    all = jm_tsdb_list_run_series (tsdb, run, max_points,
                                   jme_request_get_cancellable (self->request), error);
  if (all == NULL || all->len > 0)
    return g_steal_pointer (&all);

  g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT, "no series");

  return NULL;
}

void
jme_series_answer (JmeAnswer *self, JmStoredRun *run, gboolean is_csv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all = jme_series_list (self, run, MAX_POINTS, 0, &error);

  if (all == NULL)
    {
      refuse (self, error);
      return;
    }
  if (is_csv)
    {
      append_table (self->text, all);
      jme_answer_reply_csv (self);
      return;
    }
  append_document (self->text, all);
  jme_answer_reply_json (self);
}
