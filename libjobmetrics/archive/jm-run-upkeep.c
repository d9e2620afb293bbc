/* jm-run-upkeep.c: what is done to the tables from time to time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-run-upkeep-private.h"

#include "archive/jm-archive-schema-private.h"
#include "archive/jm-run-goodput-private.h"
#include "archive/jm-run-reader-private.h"
#include "archive/jm-usage-change-private.h"
#include "base/jm-error.h"
#include "core/jm-figures-private.h"
#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"
#include "core/jm-run-words-private.h"
#include "judge/jm-run-report-private.h"
#include "judge/jm-run-rule-private.h"
#include "judge/jm-run-verdict.h"

#define DAY_SECONDS 86400
/* Deleted in one transaction, for which writers wait. */
#define CHUNK "5000"
/* Judged in one transaction, at most, and for how long: other writers wait meanwhile.
 */
#define JUDGED_RUNS 100
#define JUDGING_US (G_USEC_PER_SEC / 4)
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
  if (!jm_archive_schema_begin (sql, error))
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

/* --- verdicts --- */

static gboolean
read_parts (JmSql *sql, JmRun *run, JmViewer *all, GError **error)
{
  for (JmRunPartKind kind = 0; kind < JM_N_RUN_PART_KINDS; kind++)
    {
      g_autoptr (GPtrArray) parts =
        jm_run_reader_list_parts (sql, run, kind, all, error);

      if (parts == NULL)
        return FALSE;
      for (guint i = 0; i < parts->len; i++)
        jm_run_add_part (run, parts->pdata[i]);
    }

  return TRUE;
}

/* Records are deleted before their run: without them a run that was judged by them
 * would be judged worse. */
static gboolean
has_lost_records (JmRun *run)
{
  return jm_run_has (run, JM_RUN_FIELD_VERDICT_KIND) &&
         jm_run_get_parts (run, JM_RUN_PART_KIND_NODE)->len > 0 &&
         jm_run_get_parts (run, JM_RUN_PART_KIND_RECORD)->len == 0;
}

static void
judge_run (JmRun *run, JmRunRules *rules)
{
  const guint parts = jm_run_field_get_parts (JM_RUN_FIELD_GPU_UNUSED);
  g_autoptr (JmRunReport) report = jm_run_report_new (run, NULL);
  g_autoptr (GPtrArray) advice = jm_run_rules_judge (rules, report);
  g_autoptr (JmRunVerdict) verdict = jm_run_verdict_new (report, advice);
  const JmFigure unused = jm_figures_get (report->figures, JM_QUANTITY_GPU_UNUSED);

  jm_run_keep_text (run, JM_RUN_FIELD_VERDICT, jm_run_verdict_get_title (verdict));
  jm_run_keep_text (run, JM_RUN_FIELD_VERDICT_KIND,
                    jm_verdict_kind_get_name (jm_run_verdict_get_kind (verdict)));
  jm_run_keep_number (run, JM_RUN_FIELD_GPU_UNUSED,
                      unused.is_known ? (gint64) (unused.value * parts) : -1);
}

static gboolean
store_verdict (JmSql *sql, JmRun *run, GError **error)
{
  static const char text[] =
    "UPDATE run SET verdict_rules = ?2, verdict_title = ?3, verdict_kind = ?4,"
    " gpu_unused_us = ?5, prolog_epilog_us = ?6 WHERE id = ?1";
  JmSqlStatement *statement = jm_sql_get (sql, text, error);

  if (statement == NULL)
    return FALSE;
  jm_sql_bind_number (statement, 1, run->id);
  jm_sql_bind_number (statement, 2, jm_run_peek (run, JM_RUN_FIELD_VERDICT_RULES));
  jm_sql_bind_text (statement, 3, jm_run_peek_text (run, JM_RUN_FIELD_VERDICT));
  jm_sql_bind_text (statement, 4, jm_run_peek_text (run, JM_RUN_FIELD_VERDICT_KIND));
  if (jm_run_has (run, JM_RUN_FIELD_GPU_UNUSED))
    jm_sql_bind_number (statement, 5, jm_run_peek (run, JM_RUN_FIELD_GPU_UNUSED));
  if (jm_run_has (run, JM_RUN_FIELD_PROLOG_EPILOG))
    jm_sql_bind_number (statement, 6, jm_run_peek (run, JM_RUN_FIELD_PROLOG_EPILOG));

  return jm_sql_do (statement, error);
}

static gboolean
judge_and_store (JmSql *sql, JmRun *run, JmRunRules *rules, GError **error)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();

  if (!read_parts (sql, run, all, error))
    return FALSE;
  if (!has_lost_records (run))
    {
      jm_run_keep_number (run, JM_RUN_FIELD_PROLOG_EPILOG,
                          jm_run_goodput_find_prolog_epilog (run));
      judge_run (run, rules);
    }
  jm_run_keep_number (run, JM_RUN_FIELD_VERDICT_RULES,
                      jm_run_rules_get_version (rules));

  return store_verdict (sql, run, error);
}

/* A run of many nodes has as many records: time is what counts. */
static gboolean
judge_chunk (JmSql *sql, JmRunRules *rules, gboolean *is_done, GError **error)
{
  const gint64 until_us = g_get_monotonic_time () + JUDGING_US;
  g_autoptr (GPtrArray) runs =
    jm_run_reader_list_unjudged (sql, jm_run_rules_get_version (rules), JUDGED_RUNS,
                                 error);

  if (runs == NULL)
    return FALSE;

  *is_done = runs->len < JUDGED_RUNS;
  do
    {
      if (runs->len == 0)
        return TRUE;
      if (!judge_and_store (sql, runs->pdata[runs->len - 1], rules, error))
        return FALSE;
      g_ptr_array_set_size (runs, (int) runs->len - 1);
    }
  while (g_get_monotonic_time () < until_us);
  *is_done &= runs->len == 0;

  return TRUE;
}

/* Runs are read and written in one transaction: what another writes of them meanwhile
 * would be judged by nobody. */
gboolean
jm_run_upkeep_judge (JmSql *sql, JmRunRules *rules, gboolean *is_done, GError **error)
{
  if (!jm_archive_schema_begin (sql, error))
    return FALSE;
  if (judge_chunk (sql, rules, is_done, error))
    return jm_sql_commit (sql, error);

  jm_sql_roll_back (sql);

  return FALSE;
}

/* --- checks --- */

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
               "%s: sums of days that are not what the runs add up to: %u",
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
