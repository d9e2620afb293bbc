/* jm-run-upkeep.c: what is done to the tables from time to time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-run-upkeep-private.h"

#include "archive/jm-archive-schema-private.h"
#include "archive/jm-run-reader-private.h"
#include "archive/jm-usage-change-private.h"
#include "core/jm-error.h"
#include "core/jm-run-part-private.h"
#include "core/jm-run-words-private.h"

#define DAY_SECONDS 86400
/* Deleted in one transaction, for which writers wait. */
#define CHUNK "5000"
/* Those that a chunk is made of; the same for each of the tables. */
#define OLD_RUNS                                                                       \
 "(SELECT id FROM run WHERE end_time < ?1 AND (end_time > 0"                           \
 " OR (" JM_RUN_IS_GONE " AND " JM_RUN_GONE_SINCE " < ?1))"                            \
 " ORDER BY end_time, id LIMIT " CHUNK ")"

static gboolean
delete_by (JmSql *sql, const char *text, gint64 before, gint64 *n_rows, GError **error)
{
  JmSqlStatement *statement = jm_sql_get (sql, text, error);

  if (statement == NULL)
    return FALSE;
  jm_sql_bind_number (statement, 1, before);

  return jm_sql_do_counted (statement, n_rows, error);
}

static gboolean
delete_of_runs (JmSql *sql, const char *table, gint64 before, GError **error)
{
  g_autofree char *text =
    g_strdup_printf ("DELETE FROM %s WHERE run_id IN " OLD_RUNS, table);
  gint64 n_rows;

  return delete_by (sql, text, before, &n_rows, error);
}

/* Who comes later with a run of that time is refused: it would count twice. */
static gboolean
set_horizon (JmSql *sql, gint64 before, GError **error)
{
  gint64 horizon;

  return jm_archive_schema_get (sql, "horizon", &horizon, error) &&
         (horizon >= before || jm_archive_schema_set (sql, "horizon", before, error));
}

static gboolean
delete_chunk (JmSql *sql, gint64 before, gint64 *n_runs, GError **error)
{
  if (!set_horizon (sql, before, error) ||
      !delete_of_runs (sql, "alias", before, error))
    return FALSE;
  for (guint i = 0; i < JM_N_RUN_PART_KINDS; i++)
    if (!delete_of_runs (sql, jm_run_part_kind_get_table (i), before, error))
      return FALSE;

  return delete_by (sql, "DELETE FROM run WHERE id IN " OLD_RUNS, before, n_runs,
                    error);
}

static gboolean
forget_chunk (JmSql *sql, gint64 before, gint64 *n_runs, GError **error)
{
  if (!jm_sql_begin (sql, error))
    return FALSE;
  if (delete_chunk (sql, before, n_runs, error))
    return jm_sql_commit (sql, error);

  jm_sql_roll_back (sql);

  return FALSE;
}

gint64
jm_run_upkeep_forget (JmSql *sql, gint64 before, GError **error)
{
  gint64 n_all = 0;
  gint64 n;

  do
    {
      if (!forget_chunk (sql, before, &n, error))
        return -1;
      n_all += n;
    }
  while (n > 0);

  return delete_by (sql, "DELETE FROM job_state WHERE time_us < ?1",
                    MIN (before, JM_RUN_TIME_MAX) * G_USEC_PER_SEC, &n, error)
           ? n_all
           : -1;
}

/* A statement for each chunk, as writers wait for one. */
gboolean
jm_run_upkeep_forget_records (JmSql *sql, gint64 before, GError **error)
{
  static const char text[] =
    "DELETE FROM run_record WHERE run_id IN (SELECT DISTINCT run_id FROM run_record"
    " JOIN run ON run.id = run_id WHERE end_time > 0 AND end_time < ?1"
    " LIMIT " CHUNK ")";
  gint64 n;

  do
    if (!delete_by (sql, text, before, &n, error))
      return FALSE;
  while (n > 0);

  return TRUE;
}

static void
add_run (JmRun *run, gint64 cluster_id, gpointer data)
{
  jm_usage_change_add (data, cluster_id, run);
}

static gboolean
check_sums (JmSql *sql, GError **error)
{
  g_autoptr (JmUsageChange) change = jm_usage_change_new ();
  gint64 horizon, first_day;

  if (!jm_archive_schema_get (sql, "horizon", &horizon, error))
    return FALSE;
  first_day = (horizon + DAY_SECONDS - 1) / DAY_SECONDS;
  if (!jm_run_reader_visit (sql, add_run, change, error) ||
      !jm_usage_change_subtract_stored (change, sql, first_day, error))
    return FALSE;
  jm_usage_change_forget (change, first_day);
  if (jm_usage_change_count (change) == 0)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
               "%s: %u sums of days are not what the runs add up to",
               jm_sql_get_name (sql), jm_usage_change_count (change));

  return FALSE;
}

/* Runs and sums of one moment, whoever writes meanwhile. */
gboolean
jm_run_upkeep_check (JmSql *sql, GError **error)
{
  const char *begin =
    jm_sql_is_postgresql (sql) ? "BEGIN ISOLATION LEVEL REPEATABLE READ" : "BEGIN";
  gboolean is_well;

  if (!jm_sql_run (sql, begin, error))
    return FALSE;
  is_well = check_sums (sql, error);
  jm_sql_roll_back (sql);

  return is_well;
}
