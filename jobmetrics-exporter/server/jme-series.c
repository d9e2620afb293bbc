/* jme-series.c: what a run used over time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-series.h"

#include <math.h>

#include "base/jm-error.h"
#include "server/jme-table.h"

/* As many as a wide panel can show. */
#define MAX_POINTS 1000

/* --- documents --- */

static void
append_labels (JmJsonWriter *json, JmTsdbSeries *series)
{
  g_auto (GStrv) labels = jm_tsdb_series_list_labels (series);

  jm_json_writer_begin_object (json, "labels");
  for (guint i = 0; labels[i] != NULL; i++)
    jm_json_writer_add_text (json, labels[i],
                             jm_tsdb_series_get_label (series, labels[i]));
  jm_json_writer_end_object (json);
}

static void
append_points (JmJsonWriter *json, JmTsdbSeries *series)
{
  jm_json_writer_begin_array (json, "points");
  for (guint i = 0; i < jm_tsdb_series_get_n_points (series); i++)
    {
      double time, value;

      jm_tsdb_series_get_point (series, i, &time, &value);
      jm_json_writer_begin_array (json, NULL);
      jm_json_writer_add_double (json, NULL, time);
      jm_json_writer_add_double (json, NULL, value);
      jm_json_writer_end_array (json);
    }
  jm_json_writer_end_array (json);
}

static void
append_document (JmJsonWriter *json, GPtrArray *all)
{
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_begin_array (json, "series");
  for (guint i = 0; i < all->len; i++)
    {
      jm_json_writer_break_line (json);
      jm_json_writer_begin_object (json, NULL);
      jm_json_writer_add_text (json, "name", jm_tsdb_series_get_name (all->pdata[i]));
      jm_json_writer_add_text (json, "unit", jm_tsdb_series_get_unit (all->pdata[i]));
      append_labels (json, all->pdata[i]);
      append_points (json, all->pdata[i]);
      jm_json_writer_end_object (json);
    }
  jm_json_writer_end_array (json);
  jm_json_writer_end_object (json);
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

/* What is wrong with the database is nothing for strangers, nor of the archive. */
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
                 JmRun *run,
                 guint max_points,
                 guint timeout_ms,
                 GError **error)
{
  g_autoptr (JmTsdb) tsdb = jme_archive_make_tsdb (self->accounts, error);
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
jme_series_answer (JmeAnswer *self, JmRun *run, gboolean is_csv)
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
  append_document (&self->json, all);
  jme_answer_reply_json (self);
}
