/* jm-tsdb-run.c: what one run was over its time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/tsdb/jm-tsdb-private.h"
#include "base/jm-error.h"
#include "core/jm-run-field-private.h"
#include "core/jm-tsdb-series-private.h"

/* How a metric becomes a series. */
typedef enum
{
  SHOWN_AS_SUM,     /* of all nodes */
  SHOWN_AS_RATE,    /* how fast it grew, summed over nodes */
  SHOWN_AS_AVERAGE, /* of all devices */
} Shown;

/* A metric is a row: what it is called, what its values are counted in, and by which of
 * its labels there is a series each. */
static const struct
{
  const char *name;
  const char *unit;
  Shown shown;
  const char *metric;
  const char *labels;
} rows[] = {
  { "cpu", "cpus", SHOWN_AS_RATE, "jobmetrics_job_cpu_seconds_total", "" },
  { "memory", "bytes", SHOWN_AS_SUM, "jobmetrics_job_memory_used_bytes", "" },
  { "gpu", "ratio", SHOWN_AS_AVERAGE, "jobmetrics_job_gpu_utilization_ratio", "" },
  { "gpu-memory", "bytes", SHOWN_AS_SUM, "jobmetrics_job_gpu_memory_used_bytes", "" },
  { "power", "watts", SHOWN_AS_RATE, "jobmetrics_job_energy_joules_total",
    "domain, quality" },
};

/* A rate needs two scrapes within its window, at the usual interval of a minute. */
#define RATE_WINDOW_MIN_S 240

/* As many points at most as are wanted. */
static guint
choose_step (gint64 start, gint64 end, guint max_points)
{
  gint64 length = end - start;

  return (guint) MAX (1, (length + max_points - 2) / (max_points - 1));
}

static void
append_metric (GString *text, guint row, JmRun *run, const char *range)
{
  gboolean is_rate = rows[row].shown == SHOWN_AS_RATE;

  g_string_append_printf (text, "%s%s", is_rate ? "rate(" : "", rows[row].metric);
  jm_tsdb_append_job (text, run);
  if (is_rate)
    g_string_append_printf (text, "%s)", range);
}

/* Each exporter's once, however often it is stored. */
static char *
make_expression (guint row, JmRun *run, guint step)
{
  GString *text = g_string_new (NULL);
  const char *labels = rows[row].labels;
  g_autofree char *range = g_strdup_printf ("[%us]", MAX (step, RATE_WINDOW_MIN_S));

  g_string_append_printf (text, "%s by (%s) (max by (instance, gpu%s%s) (",
                          rows[row].shown == SHOWN_AS_AVERAGE ? "avg" : "sum", labels,
                          *labels != '\0' ? ", " : "", labels);
  append_metric (text, row, run, range);
  g_string_append (text, ") and on (instance) ");
  jm_tsdb_append_owner (text, run, range);
  g_string_append_c (text, ')');

  return g_string_free (text, FALSE);
}

static gboolean
get_period (JmRun *run, gint64 *start, gint64 *end, GError **error)
{
  if (!jm_run_get_number (run, JM_RUN_FIELD_START_TIME, start))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s/%s: has not begun",
                   jm_run_get_cluster (run), jm_run_get_raw_id (run));
      return FALSE;
    }
  if (!jm_run_get_number (run, JM_RUN_FIELD_END_TIME, end))
    *end = g_get_real_time () / G_USEC_PER_SEC;
  *end = MAX (*start, *end);

  return TRUE;
}

/* Under the name of its row. */
static void
take_series (GPtrArray *all, GPtrArray *found, guint row)
{
  for (guint i = 0; i < found->len; i++)
    {
      JmTsdbSeries *series = found->pdata[i];

      g_free (series->name);
      series->name = g_strdup (rows[row].name);
      series->unit = rows[row].unit;
      g_ptr_array_add (all, jm_tsdb_series_ref (series));
    }
}

/* Reads what a run used from its begin to its end, or until now.
 *
 * - Shape: `cpu`, `memory`, `gpu` and `gpu-memory`, of all nodes together; `power` for
 *   each domain and quality, which are its labels. What is not known is not there.
 * - Units: as jm_tsdb_series_get_unit() says.
 * - Errors: `ABSENT` for a run that has not begun; else as jm_tsdb_query().
 *
 * Returns the series. */
GPtrArray *
jm_tsdb_list_run_series (JmTsdb *self,
                         JmRun *run,
                         guint max_points,
                         GCancellable *cancellable,
                         GError **error)
{
  g_autoptr (GPtrArray) all =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_tsdb_series_unref);
  gint64 start, end;
  guint step;

  g_return_val_if_fail (JM_IS_TSDB (self), NULL);
  g_return_val_if_fail (run != NULL, NULL);
  g_return_val_if_fail (max_points >= 2 && max_points <= JM_TSDB_MAX_POINTS, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!get_period (run, &start, &end, error))
    return NULL;
  step = choose_step (start, end, max_points);
  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    {
      g_autofree char *expression = make_expression (row, run, step);
      g_autoptr (GPtrArray) found =
        jm_tsdb_query_range (self, expression, start, end, step, cancellable, error);

      if (found == NULL)
        return NULL;
      take_series (all, found, row);
    }

  return g_steal_pointer (&all);
}
