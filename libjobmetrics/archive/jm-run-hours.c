/* jm-run-hours.c: what the runs of a cluster had in each hour
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-archive-database-private.h"
#include "archive/jm-run-filter-private.h"
#include "core/jm-run-words-private.h"

#define MICRO 1e6
#define MAX_RUNS 200000

/* An end that is not known is the last time at which the run was seen; 0 for one that
 * goes on or waits. */
#define COLUMNS                                                                        \
 "submit_time, start_time, CASE WHEN end_time > 0 THEN end_time WHEN " JM_RUN_IS_GONE  \
 " THEN " JM_RUN_GONE_SINCE                                                            \
 " ELSE 0 END, seen_time, cpus, memory_allocated_bytes, gpus_allocated, energy_uj"

/* In the order of the query. */
typedef struct
{
  gint64 submit;
  gint64 start;
  gint64 end;
  gint64 seen;
} Times;

typedef struct
{
  GArray *hours; /* of JmRunHour, with sums over seconds for means */
  gint64 since;
  gint64 now;
} Hours;

static Hours
hours_begin (gint64 since, gint64 now)
{
  const guint n =
    now > since
      ? (guint) ((now - since + JM_RUN_HOUR_SECONDS - 1) / JM_RUN_HOUR_SECONDS)
      : 0;
  Hours self = { g_array_sized_new (FALSE, TRUE, sizeof (JmRunHour), n), since, now };

  g_array_set_size (self.hours, n);
  for (guint i = 0; i < n; i++)
    g_array_index (self.hours, JmRunHour, i).begin =
      since + (gint64) i * JM_RUN_HOUR_SECONDS;

  return self;
}

/* Adds @value for each second from @from to @to. */
static void
add (Hours *self, JmRunHourMean mean, gint64 from, gint64 to, double value)
{
  from = MAX (from, self->since);
  to = MIN (to, self->now);
  while (from < to)
    {
      const gint64 i = (from - self->since) / JM_RUN_HOUR_SECONDS;
      JmRunHour *hour = &g_array_index (self->hours, JmRunHour, i);
      const gint64 until = MIN (to, hour->begin + JM_RUN_HOUR_SECONDS);

      hour->means[mean].value += value * (double) (until - from);
      hour->means[mean].is_known = TRUE;
      from = until;
    }
}

static void
add_column (Hours *self,
            JmRunHourMean mean,
            JmSqlStatement *row,
            int column,
            const Times *times)
{
  gint64 value;

  if (jm_sql_get_number (row, column, &value) && value >= 0)
    add (self, mean, times->start, times->end, (double) value);
}

/* Of one that goes on the energy is known until it was seen last. */
static void
add_power (Hours *self, JmSqlStatement *row, gboolean goes_on, const Times *times)
{
  const gint64 length = (goes_on ? times->seen : times->end) - times->start;
  gint64 energy_uj;

  if (jm_sql_get_number (row, 7, &energy_uj) && energy_uj >= 0 && length > 0)
    add (self, JM_RUN_HOUR_POWER, times->start, times->end,
         (double) energy_uj / MICRO / (double) length);
}

static void
add_run (Hours *self, JmSqlStatement *row)
{
  Times times = { 0 };
  gboolean goes_on;

  jm_sql_get_number (row, 0, &times.submit);
  jm_sql_get_number (row, 1, &times.start);
  jm_sql_get_number (row, 2, &times.end);
  jm_sql_get_number (row, 3, &times.seen);
  goes_on = times.end == 0;
  times.end = goes_on ? self->now : times.end;
  if (times.submit > 0)
    add (self, JM_RUN_HOUR_WAITING, times.submit,
         times.start > 0 ? times.start : times.end, 1);
  if (times.start <= 0)
    return;

  add_column (self, JM_RUN_HOUR_CPUS, row, 4, &times);
  add_column (self, JM_RUN_HOUR_MEMORY, row, 5, &times);
  add_column (self, JM_RUN_HOUR_GPUS, row, 6, &times);
  add_power (self, row, goes_on, &times);
}

static void
make_means (Hours *self)
{
  for (guint i = 0; i < self->hours->len; i++)
    {
      JmRunHour *hour = &g_array_index (self->hours, JmRunHour, i);
      const gint64 length = MIN (self->now - hour->begin, JM_RUN_HOUR_SECONDS);

      for (JmRunHourMean mean = 0; mean < JM_N_RUN_HOUR_MEANS; mean++)
        hour->means[mean].value /= (double) length;
    }
}

GArray *
jm_archive_database_list_hours (JmArchiveDatabase *self,
                                const char *cluster,
                                gint64 since,
                                gint64 now,
                                JmViewer *viewer,
                                gboolean *has_more,
                                GError **error)
{
  JmSql *sql = jm_archive_database_get_sql (self, error);
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmSqlStatement) row = NULL;
  g_autoptr (GError) problem = NULL;
  g_auto (JmSqlQuery) query = { 0 };
  guint n_runs = 0;
  Hours hours;

  if (sql == NULL)
    return NULL;

  jm_run_filter_set_cluster (filter, cluster);
  jm_run_filter_set_period (filter, since, now);
  jm_sql_query_init (&query);
  jm_sql_query_append (&query, "SELECT " COLUMNS " FROM run WHERE");
  jm_viewer_append_run_condition (viewer, &query);
  jm_run_filter_append_conditions (filter, &query);
  jm_sql_query_append (&query, " LIMIT ");
  jm_sql_query_append_number (&query, MAX_RUNS + 1);
  row = jm_sql_query_prepare (&query, sql, error);
  if (row == NULL)
    return NULL;

  hours = hours_begin (since, now);
  for (; jm_sql_next (row, &problem); n_runs++)
    add_run (&hours, row);
  *has_more = n_runs > MAX_RUNS;
  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      g_array_unref (hours.hours);
      return NULL;
    }
  make_means (&hours);

  return hours.hours;
}
