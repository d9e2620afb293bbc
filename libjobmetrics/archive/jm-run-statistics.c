/* jm-run-statistics.c: how runs fared
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <math.h>

#include "access/jm-viewer-private.h"
#include "archive/jm-archive-database-private.h"
#include "archive/jm-archive-private.h"
#include "archive/jm-run-filter-private.h"
#include "base/jm-error-private.h"
#include "base/jm-json-private.h"
#include "core/jm-run-field-private.h"
#include "sql/jm-sql-list-private.h"

#define DAY_SECONDS 86400
#define MILLION 1e6
#define MIB 1048576.0
/* More would fill the memory. */
#define MAX_GROUPS 10000
#define DEFAULT_SECONDS (30 * DAY_SECONDS)
/* Of more runs no order is made, which takes memory for each. */
#define MAX_RANKED 1000000

#define N_TEXT_GROUPS 5

struct _JmRunStatistics
{
  char *groups[N_TEXT_GROUPS];
  gint64 day;    /* since 1970; -1 where they are not kept apart */
  guint64 known; /* bits of those statistics that are */
  double values[JM_N_RUN_STATISTICS];
};

G_STATIC_ASSERT (JM_N_RUN_STATISTICS <= 64);

G_DEFINE_BOXED_TYPE (JmRunStatistics,
                     jm_run_statistics,
                     jm_run_statistics_ref,
                     jm_run_statistics_unref)

/* --- how each is reckoned --- */

/* What is worked with of each run; a value that is not known is null, and goes into
 * nothing. Products stay below what a column holds, whatever a run says of itself. */
/* clang-format off */
#define CHOSEN \
  "SELECT cluster_id, coalesce (user_name, '') AS user_name," \
  " coalesce (account, '') AS account, coalesce (partition, '') AS partition," \
  " coalesce (state, '') AS state, end_time / 86400 AS day, cpu_us, energy_uj," \
  " emissions_ug, gpu_unused_us, cpus * seconds AS given, seconds, wait," \
  " CASE WHEN nodes = 1 AND memory_allocated_bytes > 0" \
  " THEN memory_peak_bytes / 1048576 * seconds END AS memory_used," \
  " CASE WHEN nodes = 1 AND memory_peak_bytes IS NOT NULL" \
  " THEN memory_allocated_bytes / 1048576 * seconds END AS memory_given," \
  " memory_allocated_bytes / 1048576 * seconds AS memory_held," \
  " CASE WHEN memory_peak_bytes IS NULL OR nodes IS NULL OR nodes < 1 THEN NULL" \
  " WHEN memory_peak_bytes >= memory_allocated_bytes / nodes THEN 0 * seconds" \
  " ELSE (memory_allocated_bytes / 1048576 - memory_peak_bytes / 1048576 * nodes)" \
  " * seconds END AS memory_unused, gpus_allocated * seconds AS gpus_held," \
  " CASE WHEN state IN ('FAILED', 'TIMEOUT', 'OUT_OF_MEMORY', 'NODE_FAIL')" \
  " THEN 1 END AS is_lost FROM (SELECT *," \
  " CASE WHEN start_time > 0 AND end_time >= start_time THEN" \
  " coalesce (elapsed_seconds, CASE WHEN end_time - start_time < 316224000" \
  " THEN end_time - start_time ELSE 316224000 END) END AS seconds," \
  " CASE WHEN submit_time > 0 AND start_time >= submit_time THEN start_time -" \
  " CASE WHEN eligible_time BETWEEN submit_time AND start_time" \
  " THEN eligible_time ELSE submit_time END END AS wait FROM run WHERE"
/* clang-format on */

#define STATE(name) "count (CASE WHEN state = '" name "' THEN 1 END)"
/* The nearest rank: a value that some run had. */
#define RANK(column, percent)                                                          \
 "min (CASE WHEN " column "_rank * 100 >= " column "_count * " percent " THEN " column \
 " END)"
/* A sum of a large site passes what 64 bits hold: it comes in two. */
#define SUM(value) "sum ((" value ") / 1000000)", "sum ((" value ") % 1000000)"
#define OF_LOST(value)                                                                 \
 SUM ("CASE WHEN is_lost = 1 THEN " value " ELSE 0 * " value " END")
#define WHERE_USED(value)                                                              \
 "CASE WHEN cpu_us IS NOT NULL AND given > 0 THEN " value " END"

typedef enum
{
  KIND_NUMBER,   /* one column */
  KIND_QUOTIENT, /* one column by another */
  KIND_SUM,      /* of whole numbers, in units */
  KIND_MILLIONTHS /* a sum of millionths */,
  KIND_RATIO, /* a sum by another sum */
} Kind;

static const struct
{
  const char *name;
  Kind kind;
  double unit; /* of a ratio, or of a sum */
  const char *columns[4];
} statistics[JM_N_RUN_STATISTICS] = {
  [JM_RUN_STATISTIC_RUNS] = { "runs", KIND_NUMBER, 1, { "count (*)" } },
  [JM_RUN_STATISTIC_COMPLETED] = { "completed_runs",
                                   KIND_NUMBER,
                                   1,
                                   { STATE ("COMPLETED") } },
  [JM_RUN_STATISTIC_FAILED] = { "failed_runs", KIND_NUMBER, 1, { STATE ("FAILED") } },
  [JM_RUN_STATISTIC_CANCELLED] = { "cancelled_runs",
                                   KIND_NUMBER,
                                   1,
                                   { STATE ("CANCELLED") } },
  [JM_RUN_STATISTIC_TIMEOUT] = { "timeout_runs",
                                 KIND_NUMBER,
                                 1,
                                 { STATE ("TIMEOUT") } },
  [JM_RUN_STATISTIC_OUT_OF_MEMORY] = { "out_of_memory_runs",
                                       KIND_NUMBER,
                                       1,
                                       { STATE ("OUT_OF_MEMORY") } },
  [JM_RUN_STATISTIC_NODE_FAIL] = { "node_fail_runs",
                                   KIND_NUMBER,
                                   1,
                                   { STATE ("NODE_FAIL") } },
  [JM_RUN_STATISTIC_PREEMPTED] = { "preempted_runs",
                                   KIND_NUMBER,
                                   1,
                                   { STATE ("PREEMPTED") } },
  [JM_RUN_STATISTIC_OTHER] = { "other_runs",
                               KIND_NUMBER,
                               1,
                               { "count (CASE WHEN state NOT IN ('COMPLETED', 'FAILED',"
                                 " 'CANCELLED', 'TIMEOUT', 'OUT_OF_MEMORY',"
                                 " 'NODE_FAIL', 'PREEMPTED') THEN 1 END)" } },
  [JM_RUN_STATISTIC_WAIT_MEAN] = { "wait_mean_seconds",
                                   KIND_QUOTIENT,
                                   1,
                                   { "sum (wait)", "count (wait)" } },
  [JM_RUN_STATISTIC_WAIT_MIN] = { "wait_min_seconds",
                                  KIND_NUMBER,
                                  1,
                                  { "min (wait)" } },
  [JM_RUN_STATISTIC_WAIT_MEDIAN] = { "wait_median_seconds",
                                     KIND_NUMBER,
                                     1,
                                     { RANK ("wait", "50") } },
  [JM_RUN_STATISTIC_WAIT_P90] = { "wait_p90_seconds",
                                  KIND_NUMBER,
                                  1,
                                  { RANK ("wait", "90") } },
  [JM_RUN_STATISTIC_WAIT_MAX] = { "wait_max_seconds",
                                  KIND_NUMBER,
                                  1,
                                  { "max (wait)" } },
  [JM_RUN_STATISTIC_DURATION_MEAN] = { "duration_mean_seconds",
                                       KIND_QUOTIENT,
                                       1,
                                       { "sum (seconds)", "count (seconds)" } },
  [JM_RUN_STATISTIC_DURATION_MIN] = { "duration_min_seconds",
                                      KIND_NUMBER,
                                      1,
                                      { "min (seconds)" } },
  [JM_RUN_STATISTIC_DURATION_MEDIAN] = { "duration_median_seconds",
                                         KIND_NUMBER,
                                         1,
                                         { RANK ("seconds", "50") } },
  [JM_RUN_STATISTIC_DURATION_P90] = { "duration_p90_seconds",
                                      KIND_NUMBER,
                                      1,
                                      { RANK ("seconds", "90") } },
  [JM_RUN_STATISTIC_DURATION_MAX] = { "duration_max_seconds",
                                      KIND_NUMBER,
                                      1,
                                      { "max (seconds)" } },
  [JM_RUN_STATISTIC_CPUS] = { "allocated_cpu_seconds", KIND_SUM, 1, { SUM ("given") } },
  [JM_RUN_STATISTIC_CPU_EFFICIENCY] = { "cpu_efficiency_ratio",
                                        KIND_RATIO,
                                        MILLION,
                                        { SUM (WHERE_USED ("cpu_us")),
                                          SUM (WHERE_USED ("given")) } },
  [JM_RUN_STATISTIC_CPUS_UNUSED] = { "unused_cpu_seconds",
                                     KIND_SUM,
                                     1,
                                     { SUM (WHERE_USED (
                                       "CASE WHEN given > cpu_us / 1000000 THEN given"
                                       " - cpu_us / 1000000 ELSE 0 END")) } },
  [JM_RUN_STATISTIC_CPUS_LOST] = { "lost_cpu_seconds",
                                   KIND_SUM,
                                   1,
                                   { OF_LOST ("given") } },
  [JM_RUN_STATISTIC_MEMORY_EFFICIENCY] = { "memory_efficiency_ratio",
                                           KIND_RATIO,
                                           1,
                                           { SUM ("memory_used"),
                                             SUM ("memory_given") } },
  [JM_RUN_STATISTIC_MEMORY] = { "allocated_memory_byte_seconds",
                                KIND_SUM,
                                MIB,
                                { SUM ("memory_held") } },
  [JM_RUN_STATISTIC_MEMORY_UNUSED] = { "unused_memory_byte_seconds",
                                       KIND_SUM,
                                       MIB,
                                       { SUM ("memory_unused") } },
  [JM_RUN_STATISTIC_GPUS] = { "allocated_gpu_seconds",
                              KIND_SUM,
                              1,
                              { SUM ("gpus_held") } },
  [JM_RUN_STATISTIC_GPUS_UNUSED] = { "unused_gpu_seconds",
                                     KIND_MILLIONTHS,
                                     1,
                                     { SUM ("gpu_unused_us") } },
  [JM_RUN_STATISTIC_ENERGY] = { "energy_joules",
                                KIND_MILLIONTHS,
                                1,
                                { SUM ("energy_uj") } },
  [JM_RUN_STATISTIC_ENERGY_LOST] = { "lost_energy_joules",
                                     KIND_MILLIONTHS,
                                     1,
                                     { OF_LOST ("energy_uj") } },
  [JM_RUN_STATISTIC_EMISSIONS] = { "emissions_grams",
                                   KIND_MILLIONTHS,
                                   1,
                                   { SUM ("emissions_ug") } },
  [JM_RUN_STATISTIC_EMISSIONS_LOST] = { "lost_emissions_grams",
                                        KIND_MILLIONTHS,
                                        1,
                                        { OF_LOST ("emissions_ug") } },
};

static const struct
{
  JmUsageGroups group;
  const char *column;
  const char *name;
} groupings[] = {
  { JM_USAGE_GROUPS_CLUSTER, "cluster_id", "cluster" },
  { JM_USAGE_GROUPS_USER, "user_name", "user" },
  { JM_USAGE_GROUPS_ACCOUNT, "account", "account" },
  { JM_USAGE_GROUPS_PARTITION, "partition", "partition" },
  { JM_USAGE_GROUPS_STATE, "state", "state" },
  { JM_USAGE_GROUPS_DAY, "day", "day_start_time" },
};

/* --- one row --- */

/* Gets what it is called, with its unit, such as `wait_mean_seconds`.
 *
 * Returns the name. */
const char *
jm_run_statistic_get_name (JmRunStatistic statistic)
{
  g_return_val_if_fail ((guint) statistic < JM_N_RUN_STATISTICS, NULL);

  return statistics[statistic].name;
}

/* Adds a reference.
 *
 * Returns @self. */
JmRunStatistics *
jm_run_statistics_ref (JmRunStatistics *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  JmRunStatistics *self = data;

  for (guint i = 0; i < N_TEXT_GROUPS; i++)
    g_free (self->groups[i]);
}

/* Drops a reference. */
void
jm_run_statistics_unref (JmRunStatistics *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, clear);
}

/* Gets of which cluster, user, account, partition or state they are.
 *
 * Returns the name, which is empty where none is known; NULL where they are of all. */
const char *
jm_run_statistics_get_group (JmRunStatistics *self, JmUsageGroups group)
{
  g_return_val_if_fail (self != NULL, NULL);

  for (guint i = 0; i < N_TEXT_GROUPS; i++)
    if (groupings[i].group == group)
      return self->groups[i];

  return NULL;
}

/* Gets of which day they are.
 *
 * Returns when it begins by UTC, seconds since 1970; -1 where they are of all days. */
gint64
jm_run_statistics_get_day (JmRunStatistics *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->day < 0 ? -1 : self->day * DAY_SECONDS;
}

/* Gets what was reckoned. What nobody knew of a run goes into nothing.
 *
 * Returns whether it is known: of at least one run, and, of a median or the like, of no
 * more runs than can be put in order. */
gboolean
jm_run_statistics_get_value (JmRunStatistics *self,
                             JmRunStatistic statistic,
                             double *value)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail ((guint) statistic < JM_N_RUN_STATISTICS, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  *value = self->values[statistic];

  return (self->known & (G_GUINT64_CONSTANT (1) << statistic)) != 0;
}

/* --- reading --- */

static guint
count_columns (guint i)
{
  guint n = 0;

  while (n < G_N_ELEMENTS (statistics[i].columns) && statistics[i].columns[n] != NULL)
    n++;

  return n;
}

static double
add_parts (const gint64 *parts)
{
  return (double) parts[0] * MILLION + (double) parts[1];
}

static gboolean
reckon (guint i, const gint64 *parts, double *value)
{
  switch (statistics[i].kind)
    {
    case KIND_QUOTIENT:
      *value = (double) parts[0] / (double) parts[1];
      return parts[1] > 0;
    case KIND_SUM:
      *value = add_parts (parts) * statistics[i].unit;
      return TRUE;
    case KIND_MILLIONTHS:
      *value = (double) parts[0] + (double) parts[1] / MILLION;
      return TRUE;
    case KIND_RATIO:
      *value = add_parts (parts) / statistics[i].unit / add_parts (parts + 2);
      return add_parts (parts + 2) > 0;
    case KIND_NUMBER:
    default:
      *value = (double) parts[0];
      return TRUE;
    }
}

static void
read_value (JmRunStatistics *self, JmSqlStatement *row, guint i, int *column)
{
  gint64 parts[4] = { 0 };
  gboolean is_known = TRUE;
  double value;

  for (guint n = 0; n < count_columns (i); n++)
    if (!jm_sql_get_number (row, (*column)++, &parts[n]))
      is_known = FALSE;
  if (!is_known || !reckon (i, parts, &value))
    return;
  self->values[i] = value;
  self->known |= G_GUINT64_CONSTANT (1) << i;
}

static gpointer
read_statistics (JmSqlStatement *row, gconstpointer data)
{
  JmUsageGroups groups = *(const JmUsageGroups *) data;
  JmRunStatistics *self = g_atomic_rc_box_new0 (JmRunStatistics);
  int column = 0;

  self->day = -1;
  for (guint i = 0; i < N_TEXT_GROUPS; i++)
    if ((groups & groupings[i].group) != 0)
      {
        const char *text = jm_sql_get_text (row, column++);

        self->groups[i] = g_strdup (text != NULL ? text : "");
      }
  if ((groups & JM_USAGE_GROUPS_DAY) != 0)
    jm_sql_get_number (row, column++, &self->day);
  for (guint i = 0; i < JM_N_RUN_STATISTICS; i++)
    read_value (self, row, i, &column);

  return self;
}

/* --- the query --- */

typedef struct
{
  JmSql *sql;
  JmRunFilter *filter;
  gint64 since, until;
  JmUsageGroups groups;
  JmViewer *viewer;
  gboolean is_ranked;
} Question;

/* Of those that ended, for which there is an index with each owner. */
static void
append_conditions (const Question *self, JmSqlQuery *query)
{
  jm_viewer_append_run_condition (self->viewer, query);
  jm_run_filter_append_conditions (self->filter, query);
  jm_sql_query_append (query, " AND end_time > 0 AND end_time >= ");
  jm_sql_query_append_number (query, self->since);
  jm_sql_query_append (query, " AND end_time < ");
  jm_sql_query_append_number (query, self->until);
}

static void
append_groups (const Question *self, GString *text, const char *before)
{
  for (guint i = 0; i < G_N_ELEMENTS (groupings); i++)
    if ((self->groups & groupings[i].group) != 0)
      {
        g_string_append_printf (text, "%s%s", before, groupings[i].column);
        before = ", ";
      }
}

/* Where there are too many for it, they have no ranks, and so no medians. */
static void
append_rank (const Question *self, GString *text, const char *column)
{
  if (!self->is_ranked)
    {
      g_string_append_printf (text, ", 0 AS %s_rank, 1 AS %s_count", column, column);
      return;
    }

  g_string_append_printf (text, ", row_number () OVER (PARTITION BY %s IS NULL",
                          column);
  append_groups (self, text, ", ");
  g_string_append_printf (text, " ORDER BY %s) AS %s_rank, count (%s) OVER (", column,
                          column, column);
  append_groups (self, text, "PARTITION BY ");
  g_string_append_printf (text, ") AS %s_count", column);
}

static void
append_columns (const Question *self, GString *text)
{
  const char *before = "";

  for (guint i = 0; i < G_N_ELEMENTS (groupings); i++)
    if ((self->groups & groupings[i].group) != 0)
      g_string_append_printf (text, "%s, ",
                              groupings[i].group == JM_USAGE_GROUPS_CLUSTER
                                ? "(SELECT name FROM cluster WHERE id = cluster_id)"
                                : groupings[i].column);
  for (guint i = 0; i < JM_N_RUN_STATISTICS; i++)
    for (guint n = 0; n < count_columns (i); n++)
      {
        g_string_append_printf (text, "%s%s", before, statistics[i].columns[n]);
        before = ", ";
      }
}

static void
append_query (const Question *self, JmSqlQuery *query)
{
  jm_sql_query_append (query, "SELECT ");
  append_columns (self, query->text);
  jm_sql_query_append (query, " FROM (SELECT chosen.*");
  append_rank (self, query->text, "wait");
  append_rank (self, query->text, "seconds");
  jm_sql_query_append (query, " FROM (" CHOSEN);
  append_conditions (self, query);
  jm_sql_query_append (query, ") AS began) AS chosen) AS ranked");
  append_groups (self, query->text, " GROUP BY ");
  append_groups (self, query->text, " ORDER BY ");
  jm_sql_query_append (query, " LIMIT ");
  jm_sql_query_append_number (query, MAX_GROUPS + 1);
}

static gpointer
read_count (JmSqlStatement *row, gconstpointer data)
{
  gint64 *n = g_new0 (gint64, 1);

  jm_sql_get_number (row, 0, n);

  return n;
}

static gboolean
find_whether_ranked (Question *self, GError **error)
{
  g_auto (JmSqlQuery) query = { 0 };
  g_autoptr (GPtrArray) counts = NULL;

  jm_sql_query_init (&query);
  jm_sql_query_append (&query, "SELECT count (*) FROM (SELECT 1 FROM run WHERE");
  append_conditions (self, &query);
  jm_sql_query_append (&query, " LIMIT ");
  jm_sql_query_append_number (&query, MAX_RANKED + 1);
  jm_sql_query_append (&query, ") AS found");
  counts = jm_sql_list (&query, self->sql, read_count, NULL, g_free, error);
  if (counts == NULL)
    return FALSE;
  self->is_ranked = counts->len == 1 && *(gint64 *) counts->pdata[0] <= MAX_RANKED;

  return TRUE;
}

static GPtrArray *
ask (const Question *self, GError **error)
{
  g_auto (JmSqlQuery) query = { 0 };
  g_autoptr (GPtrArray) list = NULL;

  jm_sql_query_init (&query);
  append_query (self, &query);
  list = jm_sql_list (&query, self->sql, read_statistics, &self->groups,
                      (GDestroyNotify) jm_run_statistics_unref, error);
  if (list == NULL || list->len <= MAX_GROUPS)
    return g_steal_pointer (&list);

  g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                       "more than 10000 groups: choose fewer runs");

  return NULL;
}

/* Reckons how the runs fared that ended at @since or later, and before @until.
 *
 * - Shape: in the order of cluster, user, account, partition, state and day; one
 *   without groups, even of no runs. Medians and the like are left out of more than a
 *   million runs.
 * - Errors: `INVALID` for a longer time, and for more than 10,000 groups; as
 *   jm_archive_database_open().
 *
 * Returns the statistics. */
GPtrArray *
jm_archive_database_list_statistics (JmArchiveDatabase *self,
                                     JmRunFilter *filter,
                                     gint64 since,
                                     gint64 until,
                                     JmUsageGroups groups,
                                     JmViewer *viewer,
                                     GError **error)
{
  Question question = {
    .filter = filter,
    .since = since,
    .until = until,
    .groups = groups,
    .viewer = viewer,
  };

  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), NULL);
  g_return_val_if_fail (filter != NULL && viewer != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (since < 0 || until < since || until - since > JM_RUN_STATISTICS_MAX_PERIOD)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                           "a period of more than 400 days, or one that ends before it"
                           " begins");
      return NULL;
    }
  question.sql = jm_archive_database_get_sql (self, error);

  return question.sql != NULL && find_whether_ranked (&question, error)
           ? ask (&question, error)
           : NULL;
}

/* --- as an archive has them --- */

static void
add_text (GVariantBuilder *row, guint group, const char *text)
{
  GVariant *value = g_variant_new_take_string (g_utf8_make_valid (text, -1));

  g_variant_builder_add (row, "{sv}", groupings[group].name, value);
}

static void
add_day (GVariantBuilder *row, gint64 day)
{
  g_variant_builder_add (row, "{sv}", groupings[N_TEXT_GROUPS].name,
                         g_variant_new_int64 (day));
}

static void
add_row (GVariantBuilder *rows, JmRunStatistics *self)
{
  g_variant_builder_open (rows, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < N_TEXT_GROUPS; i++)
    if (self->groups[i] != NULL)
      add_text (rows, i, self->groups[i]);
  if (self->day >= 0)
    add_day (rows, self->day * DAY_SECONDS);
  for (guint i = 0; i < JM_N_RUN_STATISTICS; i++)
    {
      double value;

      if (jm_run_statistics_get_value (self, i, &value))
        g_variant_builder_add (rows, "{sv}", statistics[i].name,
                               g_variant_new_double (value));
    }
  g_variant_builder_close (rows);
}

GVariant *
jm_run_statistics_pack (const GPtrArray *rows)
{
  g_auto (GVariantBuilder) all = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aa{sv}"));

  for (guint i = 0; i < rows->len; i++)
    add_row (&all, rows->pdata[i]);

  return g_variant_ref_sink (g_variant_builder_end (&all));
}

/* None of them is ever negative. */
static gboolean
read_number (JsonNode *json, const char *name, double *value)
{
  return jm_json_get_number (json, name, value) && isfinite (*value) && *value >= 0;
}

/* Returns the name of an invalid member, or NULL. */
static const char *
read_groups (JsonNode *json, JmUsageGroups groups, GVariantBuilder *row)
{
  double day;

  for (guint i = 0; i < N_TEXT_GROUPS; i++)
    {
      const char *text = jm_json_get_string (json, groupings[i].name);

      if ((groups & groupings[i].group) == 0)
        continue;
      if (text == NULL)
        return groupings[i].name;
      add_text (row, i, text);
    }
  if ((groups & JM_USAGE_GROUPS_DAY) == 0)
    return NULL;
  if (!read_number (json, groupings[N_TEXT_GROUPS].name, &day) || day > JM_RUN_TIME_MAX)
    return groupings[N_TEXT_GROUPS].name;
  add_day (row, (gint64) day);

  return NULL;
}

static const char *
read_values (JsonNode *json, GVariantBuilder *row)
{
  for (guint i = 0; i < JM_N_RUN_STATISTICS; i++)
    {
      const char *name = statistics[i].name;
      JsonNode *member = jm_json_get (json, name);
      double value;

      if (member == NULL || JSON_NODE_HOLDS_NULL (member))
        continue;
      if (!read_number (json, name, &value))
        return name;
      g_variant_builder_add (row, "{sv}", name, g_variant_new_double (value));
    }

  return NULL;
}

GVariant *
jm_run_statistics_read (JsonNode *json,
                        JmUsageGroups groups,
                        const char *about,
                        GError **error)
{
  g_auto (GVariantBuilder) all = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aa{sv}"));
  JsonNode *list = jm_json_get (json, "statistics");
  const char *bad = list == NULL || !JSON_NODE_HOLDS_ARRAY (list) ? "statistics" : NULL;

  for (guint i = 0; bad == NULL && i < jm_json_get_length (list); i++)
    {
      JsonNode *element = jm_json_get_element (list, i);

      g_variant_builder_open (&all, G_VARIANT_TYPE_VARDICT);
      bad = read_groups (element, groups, &all);
      if (bad == NULL)
        bad = read_values (element, &all);
      if (bad == NULL)
        g_variant_builder_close (&all);
    }
  if (bad == NULL)
    return g_variant_ref_sink (g_variant_builder_end (&all));

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: the answer has no valid %s",
               about, bad);

  return NULL;
}

/* The server's default, too. */
static JmRunFilter *
set_period (JmRunFilter *filter)
{
  JmRunFilter *whole = jm_run_filter_copy (filter);
  gint64 since, until;

  jm_run_filter_get_period (filter, &since, &until);
  if (until == 0)
    until = g_get_real_time () / G_USEC_PER_SEC + 1;
  if (since == 0)
    since = MAX (until - DEFAULT_SECONDS, 1);
  jm_run_filter_set_period (whole, since, until);

  return whole;
}

static gboolean
check_question (JmRunFilter *filter, JmUsageGroups groups, GError **error)
{
  JmUsageGroups known = JM_USAGE_GROUPS_NONE;

  for (guint i = 0; i < G_N_ELEMENTS (groupings); i++)
    known |= groupings[i].group;
  if ((groups & ~(guint) known) == 0 && !jm_run_filter_is_of_jobs (filter))
    return TRUE;

  g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                       "invalid statistics: group them by cluster, user, account, "
                       "partition, state or day, and do not filter by job, name, node, "
                       "uuid or start");

  return FALSE;
}

/**
 * jm_archive_list_statistics:
 * @self: an archive
 * @filter: of which runs; clusters, users, accounts, partition, states, verdicts and
 *   period count, which is of the runs' ends here: at most 400 days, by default the
 *   last 30
 * @groups: what the statistics are kept apart by: cluster, user, account, partition,
 *   state, day
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Finds how the runs fared that ended: in which states, how long they waited and ran,
 * what they used and what was lost. The names are those of `/api/v1/statistics` of the
 * server's API, each with its unit, such as `wait_median_seconds`.
 *
 * ```python
 * by = JobMetrics.UsageGroups.USER
 * rows = archive.list_statistics(week, by, None).unpack()
 * waits = {row["user"]: row.get("wait_p90_seconds") for row in rows}
 * ```
 *
 * - Shape: `aa{sv}`, a dictionary for each group: text for each of @groups, but for
 *   `day_start_time`, seconds since 1970; else floating point numbers. What is not
 *   known of any run is left out. One row without groups, even of no runs.
 * - Errors: %JM_ERROR_INVALID for other @groups, for a filter by a job, name, node, uuid
 *   or start, for a longer period, and for more than 10,000 groups; those of
 *   jm_archive_read_runs().
 *
 * Returns: (transfer full): the statistics
 * Since: 0.1
 */
GVariant *
jm_archive_list_statistics (JmArchive *self,
                            JmRunFilter *filter,
                            JmUsageGroups groups,
                            GCancellable *cancellable,
                            GError **error)
{
  JmArchiveInterface *iface;
  g_autoptr (JmRunFilter) ended = NULL;

  g_return_val_if_fail (JM_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (filter != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  iface = JM_ARCHIVE_GET_IFACE (self);
  if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
      !check_question (filter, groups, error))
    return NULL;
  if (iface->list_statistics == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: there are no statistics",
                   jm_archive_get_name (self));
      return NULL;
    }
  ended = set_period (filter);

  return iface->list_statistics (self, ended, groups, cancellable, error);
}
