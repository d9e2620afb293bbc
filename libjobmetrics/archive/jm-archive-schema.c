/* jm-archive-schema.c: the tables of a site's runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-archive-schema-private.h"

#include "base/jm-error.h"

/* "JMJS", at byte 68 of a file. */
#define APPLICATION_ID "1246579283"
/* JM_RUN_LENGTH_MAX, when that version was made. */
#define LENGTH_MAX "316224000"
#define NO_ROWID ") STRICT, WITHOUT ROWID;"

/* clang-format off */
/* A run that began has its begin as moment; one that did not, minus when it was
 * submitted: that is what distinguishes runs of one id. */
static const char first_tables[] =
  "CREATE TABLE store_setting (name TEXT PRIMARY KEY, number INTEGER NOT NULL" NO_ROWID
  "CREATE TABLE cluster (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;"
  "CREATE TABLE alias (uuid TEXT NOT NULL, run_id INTEGER NOT NULL,"
  " PRIMARY KEY (uuid, run_id)" NO_ROWID
  "CREATE TABLE usage_daily (day INTEGER NOT NULL, cluster_id INTEGER NOT NULL,"
  " user_name TEXT NOT NULL, uid INTEGER NOT NULL, account TEXT NOT NULL,"
  " partition TEXT NOT NULL, runs INTEGER NOT NULL, wall_seconds INTEGER NOT NULL,"
  " cpu_seconds INTEGER NOT NULL, gpu_seconds INTEGER NOT NULL,"
  " memory_mib_seconds INTEGER NOT NULL, cpu_us INTEGER NOT NULL,"
  " energy_uj INTEGER NOT NULL, emissions_ug INTEGER NOT NULL,"
  " PRIMARY KEY (day, cluster_id, user_name, uid, account, partition)" NO_ROWID
  "CREATE INDEX usage_daily_user ON usage_daily (user_name, day);"
  "CREATE INDEX usage_daily_account ON usage_daily (account, day);"
  "CREATE TABLE job_state (cluster_id INTEGER NOT NULL, raw_id TEXT NOT NULL,"
  " time_us INTEGER NOT NULL, document TEXT NOT NULL,"
  " PRIMARY KEY (cluster_id, raw_id, time_us)" NO_ROWID
  "CREATE INDEX job_state_time ON job_state (time_us);"
  "CREATE TABLE ingest_position (source TEXT PRIMARY KEY, position TEXT NOT NULL" NO_ROWID
  "CREATE TABLE person (cluster_id INTEGER NOT NULL, user_name TEXT NOT NULL,"
  " uid INTEGER NOT NULL, PRIMARY KEY (cluster_id, user_name)" NO_ROWID
  "CREATE TABLE project (cluster_id INTEGER NOT NULL, account TEXT NOT NULL,"
  " description TEXT NOT NULL, PRIMARY KEY (cluster_id, account)" NO_ROWID
  "CREATE TABLE member (cluster_id INTEGER NOT NULL, role TEXT NOT NULL,"
  " account TEXT NOT NULL, user_name TEXT NOT NULL,"
  " PRIMARY KEY (cluster_id, role, account, user_name)" NO_ROWID
  "CREATE INDEX member_user ON member (user_name);"
  "CREATE TABLE run (id INTEGER PRIMARY KEY, cluster_id INTEGER NOT NULL, moment"
  " INTEGER NOT NULL, raw_id TEXT NOT NULL, sources TEXT NOT NULL, uuid TEXT,"
  " job_id TEXT, array_job TEXT, array_task TEXT, het_job TEXT, het_offset TEXT,"
  " user_name TEXT, account TEXT, partition TEXT, qos TEXT, name TEXT, state TEXT,"
  " node_list TEXT, tres TEXT, work_dir TEXT, uid INTEGER, submit_time INTEGER NOT"
  " NULL, eligible_time INTEGER NOT NULL, start_time INTEGER NOT NULL, end_time"
  " INTEGER NOT NULL, seen_time INTEGER NOT NULL, time_limit_seconds INTEGER,"
  " elapsed_seconds INTEGER, exit_code INTEGER, exit_signal INTEGER, nodes INTEGER,"
  " cpus INTEGER, memory_requested_bytes INTEGER, memory_allocated_bytes INTEGER,"
  " gpus_requested INTEGER, gpus_allocated INTEGER, cpu_us INTEGER, cpu_user_us"
  " INTEGER, cpu_system_us INTEGER, memory_peak_bytes INTEGER, energy_uj INTEGER,"
  " emissions_ug INTEGER) STRICT;"
  "CREATE UNIQUE INDEX run_key ON run (raw_id, cluster_id, moment);"
  "CREATE INDEX run_uuid ON run (uuid);"
  "CREATE INDEX run_end ON run (end_time);"
  "CREATE INDEX run_start ON run (start_time);"
  "CREATE INDEX run_submit ON run (submit_time);"
  "CREATE INDEX run_user ON run (user_name, end_time);"
  "CREATE INDEX run_uid ON run (uid, end_time);"
  "CREATE INDEX run_account ON run (account, end_time);"
  "CREATE INDEX run_job_id ON run (job_id) WHERE job_id IS NOT NULL;"
  "CREATE INDEX run_array ON run (array_job) WHERE array_job IS NOT NULL;"
  "CREATE TABLE run_step (run_id INTEGER NOT NULL, node TEXT NOT NULL, run_key"
  " TEXT NOT NULL, name TEXT NOT NULL, state TEXT, start_time INTEGER, end_time"
  " INTEGER, exit_code INTEGER, exit_signal INTEGER, nodes INTEGER, tasks INTEGER,"
  " cpus INTEGER, gpus INTEGER, cpu_us INTEGER, cpu_user_us INTEGER, cpu_system_us"
  " INTEGER, memory_peak_bytes INTEGER, energy_uj INTEGER, emissions_ug INTEGER,"
  " PRIMARY KEY (run_id, node, run_key, name)" NO_ROWID
  "CREATE TABLE run_node (run_id INTEGER NOT NULL, node TEXT NOT NULL, run_key"
  " TEXT NOT NULL, start_time INTEGER, end_time INTEGER, cpus INTEGER, gpus"
  " INTEGER, coverage_ppm INTEGER, cpu_us INTEGER, cpu_user_us INTEGER,"
  " cpu_system_us INTEGER, memory_peak_bytes INTEGER, energy_uj INTEGER,"
  " emissions_ug INTEGER, PRIMARY KEY (run_id, node, run_key)" NO_ROWID
  "CREATE TABLE run_device (run_id INTEGER NOT NULL, node TEXT NOT NULL, run_key"
  " TEXT NOT NULL, name TEXT NOT NULL, uuid TEXT, model TEXT, share_ppm INTEGER,"
  " energy_uj INTEGER, PRIMARY KEY (run_id, node, run_key, name)" NO_ROWID
  "CREATE TABLE run_energy (run_id INTEGER NOT NULL, node TEXT NOT NULL, run_key"
  " TEXT NOT NULL, name TEXT NOT NULL, quality TEXT NOT NULL, provider TEXT NOT"
  " NULL, zone TEXT NOT NULL, method TEXT NOT NULL, scope TEXT NOT NULL,"
  " factor_quality TEXT NOT NULL, energy_uj INTEGER, emissions_ug INTEGER, PRIMARY"
  " KEY (run_id, node, run_key, name, quality, provider, zone, method, scope,"
  " factor_quality)" NO_ROWID;

/* The records of the nodes. */
static const char records[] =
  "CREATE TABLE run_record (run_id INTEGER NOT NULL, node TEXT NOT NULL, run_key"
  " TEXT NOT NULL, content TEXT, PRIMARY KEY (run_id, node, run_key)" NO_ROWID;

/* What a run made of each of its accelerators. */
static const char use_of_devices[] =
  "ALTER TABLE run_device ADD COLUMN gpu_busy_us INTEGER;"
  "ALTER TABLE run_device ADD COLUMN gpu_observed_us INTEGER;"
  "ALTER TABLE run_device ADD COLUMN gpu_memory_peak_bytes INTEGER;"
  "ALTER TABLE run_device ADD COLUMN gpu_memory_size_bytes INTEGER;";

/* clang-format on */

/* Of how many runs a figure was known, beside its sum: on each day that they ran on, as
 * the days are there already. */
static const char known_runs[] =
  "ALTER TABLE usage_daily ADD COLUMN cpu_runs INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE usage_daily ADD COLUMN energy_runs INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE usage_daily ADD COLUMN emissions_runs INTEGER NOT NULL DEFAULT 0;"
  "UPDATE usage_daily SET cpu_runs = known.cpu, energy_runs = known.energy,"
  " emissions_runs = known.emissions FROM"
  " (SELECT d.day, d.cluster_id, d.user_name, d.uid, d.account, d.partition,"
  " count (r.cpu_us) AS cpu, count (r.energy_uj) AS energy,"
  " count (r.emissions_ug) AS emissions"
  " FROM (SELECT *, CASE WHEN end_time > 0 THEN end_time"
  " WHEN seen_time > start_time THEN seen_time ELSE start_time END AS until_time"
  " FROM run WHERE start_time > 0) AS r"
  " JOIN usage_daily AS d ON d.user_name = coalesce (r.user_name, '')"
  " AND d.day >= r.start_time / 86400 AND d.day <= CASE"
  " WHEN r.until_time - r.start_time > " LENGTH_MAX " THEN r.start_time + " LENGTH_MAX
  " - 1"
  " WHEN r.until_time > r.start_time THEN r.until_time - 1"
  " ELSE r.start_time END / 86400"
  " AND d.cluster_id = r.cluster_id AND d.uid = coalesce (r.uid, -1)"
  " AND d.account = coalesce (r.account, '')"
  " AND d.partition = coalesce (r.partition, '')"
  " GROUP BY d.day, d.cluster_id, d.user_name, d.uid, d.account, d.partition) AS known"
  " WHERE usage_daily.day = known.day AND usage_daily.cluster_id = known.cluster_id"
  " AND usage_daily.user_name = known.user_name AND usage_daily.uid = known.uid"
  " AND usage_daily.account = known.account"
  " AND usage_daily.partition = known.partition;";

/* Whose job it is: two schedulers may give one number. Of runs of before it is not
 * known. */
static const char schedulers[] =
  "ALTER TABLE run ADD COLUMN scheduler TEXT NOT NULL DEFAULT '';"
  "DROP INDEX run_key;"
  "CREATE UNIQUE INDEX run_key ON run (raw_id, cluster_id, scheduler, moment);";

/* The runs of a user's jobs of one name, the last to end first. */
static const char run_names[] =
  "CREATE INDEX run_name ON run (user_name, name, end_time);";

/* Runs that have ended, by the rules that judged them, the last to end first. */
static const char judged_runs[] =
  "CREATE INDEX run_judged ON run (verdict_rules, end_time) WHERE end_time > 0;";

/* Runs that go on, by the rules that judged them. */
static const char going_runs[] = "CREATE INDEX run_going ON run (verdict_rules)"
                                 " WHERE end_time = 0 AND start_time > 0;";

/* The runs of a partition, the last to begin first. The index has also what decides
 * whose they are: a viewer of few of them reads no rows of the others. */
static const char placed_runs[] =
  "CREATE INDEX run_partition ON run"
  " (partition, start_time, cluster_id, uid, account);"
  /* The few runs that wait or go on, by their state: see JM_RUN_IS_QUEUED. */
  "CREATE INDEX run_queued ON run (state) WHERE state IN"
  " ('PENDING', 'RUNNING', 'SUSPENDED', 'COMPLETING', 'UNKNOWN');";

/* What a version adds to the one before: a text that never changes once it was
 * released. Columns of later ones come from the table of quantities; what is more than
 * that stands here, or NULL. */
static const char *const versions[] = {
  first_tables, known_runs,  records, use_of_devices, schedulers, NULL,       run_names,
  NULL,         judged_runs, NULL,    going_runs,     NULL,       placed_runs
};

/* By the version that has them. */
static const char *const new_columns[] = {
#include "core/jm-new-columns.inc"
};

#define LAST_VERSION                                                                   \
 ((gint64) MAX (G_N_ELEMENTS (versions), G_N_ELEMENTS (new_columns) - 1))

static gboolean
has_table (JmSql *sql, gboolean *has, GError **error)
{
  const char *query =
    jm_sql_is_postgresql (sql)
      ? "SELECT count (*) FROM pg_tables WHERE tablename = 'store_setting'"
        " AND schemaname = current_schema ()"
      : "SELECT count (*) FROM sqlite_schema WHERE name = 'store_setting'";
  gint64 n;

  if (!jm_sql_query_number (sql, query, &n, error))
    return FALSE;

  *has = n > 0;

  return TRUE;
}

/* Whether a file is ours, or nobody's yet. */
static gboolean
check_file (JmSql *sql, GError **error)
{
  gint64 id, n_tables;

  if (jm_sql_is_postgresql (sql))
    return TRUE;
  if (!jm_sql_query_number (sql, "PRAGMA application_id", &id, error) ||
      !jm_sql_query_number (sql, "SELECT count (*) FROM sqlite_schema", &n_tables,
                            error))
    return FALSE;
  if ((id == 0 && n_tables == 0) || id == g_ascii_strtoll (APPLICATION_ID, NULL, 10))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: not an accounting database",
               jm_sql_get_name (sql));

  return FALSE;
}

static gboolean
check_version (JmSql *sql, gint64 version, GError **error)
{
  if (version <= LAST_VERSION)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "%s: of version %" G_GINT64_FORMAT
               ", made by a later jobmetrics: this one knows version %" G_GINT64_FORMAT,
               jm_sql_get_name (sql), version, LAST_VERSION);

  return FALSE;
}

/* 0 of a database that has no tables yet. */
static gboolean
get_version (JmSql *sql, gint64 *version, GError **error)
{
  gboolean has;

  if (!check_file (sql, error) || !has_table (sql, &has, error))
    return FALSE;
  *version = 0;

  return (!has || jm_archive_schema_get (sql, "version", version, error)) &&
         check_version (sql, *version, error);
}

static gboolean
make_version (JmSql *sql, gint64 version, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (version == 0 && !jm_sql_is_postgresql (sql))
    g_string_append (text, "PRAGMA application_id = " APPLICATION_ID ";");
  if (version < (gint64) G_N_ELEMENTS (versions) && versions[version] != NULL)
    g_string_append (text, versions[version]);
  if (version + 1 < (gint64) G_N_ELEMENTS (new_columns) &&
      new_columns[version + 1] != NULL)
    g_string_append (text, new_columns[version + 1]);

  return jm_sql_run (sql, text->str, error) &&
         jm_archive_schema_set (sql, "version", version + 1, error);
}

/* Another may have done it while one waited. */
static gboolean
advance (JmSql *sql, gboolean *done, GError **error)
{
  gint64 version;

  if (!jm_sql_begin (sql, error))
    return FALSE;
  if (get_version (sql, &version, error) &&
      (version == LAST_VERSION || make_version (sql, version, error)))
    {
      *done = version + 1 >= LAST_VERSION;
      return jm_sql_commit (sql, error);
    }

  jm_sql_roll_back (sql);

  return FALSE;
}

gboolean
jm_archive_schema_prepare (JmSql *sql, GError **error)
{
  gint64 version;
  gboolean done;

  if (!get_version (sql, &version, error))
    return FALSE;

  done = version == LAST_VERSION;
  while (!done)
    if (!advance (sql, &done, error))
      return FALSE;

  return TRUE;
}

gboolean
jm_archive_schema_check (JmSql *sql, GError **error)
{
  gint64 version;

  if (!get_version (sql, &version, error))
    return FALSE;
  if (version == LAST_VERSION)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "%s: of version %" G_GINT64_FORMAT
               ": who writes it has to bring it up to date first",
               jm_sql_get_name (sql), version);

  return FALSE;
}

gboolean
jm_archive_schema_begin (JmSql *sql, GError **error)
{
  gint64 version;

  if (!jm_sql_begin (sql, error))
    return FALSE;
  if (jm_archive_schema_get (sql, "version", &version, error) &&
      check_version (sql, version, error))
    return TRUE;

  jm_sql_roll_back (sql);

  return FALSE;
}

gboolean
jm_archive_schema_get (JmSql *sql, const char *name, gint64 *number, GError **error)
{
  JmSqlStatement *statement =
    jm_sql_get (sql, "SELECT number FROM store_setting WHERE name = ?1", error);
  g_autoptr (GError) problem = NULL;

  if (statement == NULL)
    return FALSE;
  *number = 0;
  jm_sql_bind_text (statement, 1, name);
  if (jm_sql_next (statement, &problem))
    {
      jm_sql_get_number (statement, 0, number);
      jm_sql_reset (statement);
    }
  if (problem == NULL)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&problem));

  return FALSE;
}

gboolean
jm_archive_schema_set (JmSql *sql, const char *name, gint64 number, GError **error)
{
  JmSqlStatement *statement =
    jm_sql_get (sql,
                "INSERT INTO store_setting (name, number) VALUES (?1, ?2)"
                " ON CONFLICT (name) DO UPDATE SET number = excluded.number",
                error);

  if (statement == NULL)
    return FALSE;
  jm_sql_bind_text (statement, 1, name);
  jm_sql_bind_number (statement, 2, number);

  return jm_sql_do (statement, error);
}
