/* jme-archive-query.c: which runs or sums a client asks for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-archive-query.h"

#include <string.h>

#include "access/jm-promql-private.h"
#include "base/jm-error.h"
#include "base/jm-moment-private.h"
#include "judge/jm-run-suggestion-private.h"

#define MICRO 1000000
/* Values of one key. */
#define MAX_VALUES 100
/* Of what somebody types. */
#define MAX_TYPED 256

typedef struct
{
  JmeArchiveQuery *query;
  JmeArchiveList list;
  gboolean sorts_by_figure;
} Reader;

typedef gboolean (*TakeFunc) (Reader *self,
                              const char *name,
                              const char *const *values,
                              GError **error);

static gboolean
refuse (const char *name, const char *value, const char *why, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s=%s: %s", name, value, why);

  return FALSE;
}

/* --- keys --- */

static gboolean
take_verdicts (Reader *self,
               const char *name,
               const char *const *values,
               GError **error)
{
  return jm_run_filter_set_verdicts (self->query->filter, values, NULL) ||
         refuse (name, values[0], "a kind of verdict, such as waste or good", error);
}

static gboolean
take_parts (Reader *self, const char *name, const char *const *values, GError **error)
{
  self->query->has_energy = g_str_equal (values[0], "energy");
  jm_run_filter_set_has_energy (self->query->filter, self->query->has_energy);

  return self->query->has_energy || refuse (name, values[0], "not energy", error);
}

static gboolean
take_confidence (Reader *self,
                 const char *name,
                 const char *const *values,
                 GError **error)
{
  return jm_run_suggestion_parse_confidence (values[0], &self->query->confidence,
                                             NULL) ||
         refuse (name, values[0], "a share from 0.5 to 0.99", error);
}

static gboolean
take_runs (Reader *self, const char *name, const char *const *values, GError **error)
{
  self->query->runs = g_strdupv ((char **) values);

  return TRUE;
}

/* Seconds since 1970, or as people write it, in UTC. */
static gboolean
read_moment (const char *name, const char *value, gint64 *seconds, GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr (GError) reason = NULL;
  gint64 time_us;

  if (g_ascii_string_to_signed (value, 10, 0, G_MAXINT32 * G_GINT64_CONSTANT (1000),
                                seconds, NULL))
    return TRUE;
  if (!jm_moment_parse (value, now, &time_us, &reason))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s=%s: %s", name, value,
                   reason->message);
      return FALSE;
    }
  *seconds = time_us / MICRO;

  return TRUE;
}

static gboolean
take_since (Reader *self, const char *name, const char *const *values, GError **error)
{
  return read_moment (name, values[0], &self->query->since, error);
}

static gboolean
take_started_since (Reader *self,
                    const char *name,
                    const char *const *values,
                    GError **error)
{
  gint64 since;

  if (!read_moment (name, values[0], &since, error))
    return FALSE;
  jm_run_filter_set_started_since (self->query->filter, since);

  return TRUE;
}

static gboolean
take_until (Reader *self, const char *name, const char *const *values, GError **error)
{
  return read_moment (name, values[0], &self->query->until, error);
}

/* Seconds, or as `1h30m`; a field of a form may be empty. */
static gboolean
read_elapsed (const char *name, const char *value, double *seconds, GError **error)
{
  guint64 number;

  if (*value == '\0')
    return TRUE;
  if (g_ascii_string_to_unsigned (value, 10, 0, G_MAXINT32, &number, NULL))
    *seconds = (double) number;
  else if (!jm_promql_parse_duration (value, seconds) || *seconds > G_MAXINT32)
    return refuse (name, value, "a time since the start, such as 90 or 1h30m", error);

  return TRUE;
}

static gboolean
take_from (Reader *self, const char *name, const char *const *values, GError **error)
{
  return read_elapsed (name, values[0], &self->query->from, error);
}

/* Behind the key `from`. */
static gboolean
take_to (Reader *self, const char *name, const char *const *values, GError **error)
{
  if (!read_elapsed (name, values[0], &self->query->to, error))
    return FALSE;

  return *values[0] == '\0' || self->query->to > self->query->from ||
         refuse (name, values[0], "not after from", error);
}

/* What the API groups by where a client does not say. */
static const JmeRunGrouping by_user = { JM_USAGE_GROUPS_USER, "user", "User" };

const JmeRunGrouping jme_run_groupings[] = {
  { JM_USAGE_GROUPS_NAME, "name", "Job name" },
  { JM_USAGE_GROUPS_ACCOUNT, "account", "Account" },
  { JM_USAGE_GROUPS_PARTITION, "partition", "Partition" },
  { JM_USAGE_GROUPS_CLUSTER, "cluster", "Cluster" },
  { JM_USAGE_GROUPS_USER, "user", "User" },
};
const guint jme_run_groupings_n = G_N_ELEMENTS (jme_run_groupings);

/* One's own runs have one user. */
static gboolean
take_by (Reader *self, const char *name, const char *const *values, GError **error)
{
  const guint n =
    jme_run_groupings_n - (self->list == JME_ARCHIVE_PAGE_OF_OWN_RUNS ? 1 : 0);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (values[0], jme_run_groupings[i].name))
      self->query->by = &jme_run_groupings[i];

  return self->query->by != NULL ||
         refuse (name, values[0],
                 self->list == JME_ARCHIVE_PAGE_OF_OWN_RUNS
                   ? "not name, account, partition or cluster"
                   : "not name, account, partition, cluster or user",
                 error);
}

static gboolean
take_columns (Reader *self, const char *name, const char *const *values, GError **error)
{
  g_autoptr (GPtrArray) all = jm_run_list_quantities ();

  self->query->columns = g_ptr_array_new ();
  for (guint n = 0; values[n] != NULL; n++)
    {
      guint i = 0;

      while (i < all->len && !jm_quantity_is_called (all->pdata[i], values[n]))
        i++;
      if (i == all->len || ((JmQuantity *) all->pdata[i])->title == NULL)
        return refuse (name, values[n], "no figure of runs", error);
      if (!g_ptr_array_find (self->query->columns, all->pdata[i], NULL))
        g_ptr_array_add (self->query->columns, all->pdata[i]);
    }

  return TRUE;
}

static gboolean
take_sort (Reader *self, const char *name, const char *const *values, GError **error)
{
  static const char *const moments[] = { "end", "start", "submit", NULL };

  /* those of groups are found out by who lists them */
  if (self->list == JME_ARCHIVE_GROUPS)
    {
      self->query->sort = g_strdup (values[0]);
      return TRUE;
    }
  self->sorts_by_figure =
    !g_strv_contains (moments, values[0] + (*values[0] == '-' ? 1 : 0));

  return jm_run_filter_set_sort (self->query->filter, values[0], NULL) ||
         refuse (name, values[0],
                 "end, start, submit or a figure of runs, or one of them behind a -",
                 error);
}

/* Behind the key `sort`. Each page by a figure would take all runs to be put in order
 * again. */
static gboolean
take_all (Reader *self, GError **error)
{
  jm_run_filter_set_limit (self->query->filter, JM_RUN_FILTER_MAX_LIMIT);
  self->query->wants_all = TRUE;

  return !self->sorts_by_figure ||
         jm_run_filter_set_sort (self->query->filter, "-end", error);
}

static gboolean
take_limit (Reader *self, const char *name, const char *const *values, GError **error)
{
  guint64 limit;

  if (self->list == JME_ARCHIVE_RUNS && g_str_equal (values[0], "all"))
    return take_all (self, error);
  if (!g_ascii_string_to_unsigned (values[0], 10, 1, JM_RUN_FILTER_MAX_LIMIT, &limit,
                                   NULL))
    return refuse (name, values[0], "a number from 1 to 1000", error);
  jm_run_filter_set_limit (self->query->filter, (guint) limit);

  return TRUE;
}

static gboolean
take_format (Reader *self, const char *name, const char *const *values, GError **error)
{
  self->query->is_csv = g_str_equal (values[0], "csv");

  return self->query->is_csv || g_str_equal (values[0], "json") ||
         refuse (name, values[0], "json or csv", error);
}

static const struct
{
  const char *name;
  JmUsageGroups group;
} groups[] = {
  { "cluster", JM_USAGE_GROUPS_CLUSTER },
  { "user", JM_USAGE_GROUPS_USER },
  { "account", JM_USAGE_GROUPS_ACCOUNT },
  { "partition", JM_USAGE_GROUPS_PARTITION },
  { "day", JM_USAGE_GROUPS_DAY },
  { "state", JM_USAGE_GROUPS_STATE }, /* of statistics alone, and so the last */
};

static gboolean
take_groups (Reader *self, const char *name, const char *const *values, GError **error)
{
  gboolean of_runs = self->list == JME_ARCHIVE_STATISTICS;
  guint n = G_N_ELEMENTS (groups) - (of_runs ? 0 : 1);

  /* a page has one column of names */
  if (self->list == JME_ARCHIVE_PAGE_OF_HOURS)
    return (jm_usage_groups_parse (values[0], &self->query->groups, NULL) &&
            strchr (values[0], ',') == NULL &&
            (self->query->groups & (JM_USAGE_GROUPS_DAY | JM_USAGE_GROUPS_NAME)) ==
              0) ||
           refuse (name, values[0],
                   "not cluster, user, account, partition, node or month", error);
  for (; *values != NULL; values++)
    {
      guint i = 0;

      while (i < n && !g_str_equal (*values, groups[i].name))
        i++;
      if (i == n)
        return refuse (name, *values,
                       of_runs ? "cluster, user, account, partition, day or state"
                               : "cluster, user, account, partition or day",
                       error);
      self->query->groups |= groups[i].group;
    }

  return TRUE;
}

/* What it stands for is found out by who searches. */
static gboolean
take_words (Reader *self, const char *name, const char *const *values, GError **error)
{
  return TRUE;
}

/* A suggestion is of the runs of one name. */
static gboolean
take_name (Reader *self, const char *name, const char *const *values, GError **error)
{
  if (self->list == JME_ARCHIVE_SUGGESTION)
    jm_run_filter_set_name (self->query->filter, values[0]);
  else
    jm_run_filter_set_name_pattern (self->query->filter, values[0]);

  return TRUE;
}

/* The cursor of runs is of an order, and so comes behind it. */
static gboolean
take_cursor (Reader *self, const char *name, const char *const *values, GError **error)
{
  if (self->list == JME_ARCHIVE_NAMES || self->list == JME_ARCHIVE_PAGE_OF_NAMES)
    {
      self->query->after = g_strdup (values[0]);
      return TRUE;
    }
  if (self->list == JME_ARCHIVE_STEPS)
    return g_ascii_string_to_unsigned (values[0], 10, 1, G_MAXINT32,
                                       &self->query->n_passed, NULL) ||
           refuse (name, values[0], "not of this list", error);

  return jm_run_filter_set_cursor (self->query->filter, values[0], error);
}

#define PAGES (JME_ARCHIVE_RUNS | JME_ARCHIVE_NAMES)
#define GROUPED (JME_ARCHIVE_SUMS | JME_ARCHIVE_STATISTICS)
#define CHOSEN (JME_ARCHIVE_RUNS | JME_ARCHIVE_GROUPS)
#define OF_RUNS (CHOSEN | JME_ARCHIVE_STATISTICS)
#define ALL (PAGES | GROUPED | JME_ARCHIVE_GROUPS)
#define ZOOMED (JME_ARCHIVE_PAGE_OF_RUN | JME_ARCHIVE_PAGE_OF_COMPARISON)
#define SEEN_RUNS (JME_ARCHIVE_PAGE_OF_RUNS | JME_ARCHIVE_PAGE_OF_OWN_RUNS)
#define SEEN_PAGES (SEEN_RUNS | JME_ARCHIVE_PAGE_OF_NAMES)
#define SEEN_SUMS (JME_ARCHIVE_PAGE_OF_SUMS | JME_ARCHIVE_PAGE_OF_HOURS)
#define SEEN                                                                           \
 (SEEN_PAGES | SEEN_SUMS | JME_ARCHIVE_PAGE_OF_NODES | JME_ARCHIVE_PAGE_OF_SEARCH)

/* A key has a function of its own, or is one of the filter. */
static const struct
{
  const char *name;
  gboolean is_list;
  guint lists; /* of which it chooses */
  TakeFunc take;
  void (*set) (JmRunFilter *filter, const char *value);
  void (*set_list) (JmRunFilter *filter, const char *const *values);
} keys[] = {
  { "cluster", FALSE,
    ALL | SEEN_RUNS | SEEN_SUMS | JME_ARCHIVE_PAGE_OF_NODES | JME_ARCHIVE_SUGGESTION,
    .set = jm_run_filter_set_cluster },
  { "user", TRUE, ALL | JME_ARCHIVE_PAGE_OF_RUNS | JME_ARCHIVE_SUGGESTION,
    .set_list = jm_run_filter_set_users },
  { "account", TRUE, ALL | SEEN_RUNS, .set_list = jm_run_filter_set_accounts },
  { "partition", FALSE, ALL | SEEN_RUNS, .set = jm_run_filter_set_partition },
  { "state", TRUE, OF_RUNS | SEEN_RUNS | JME_ARCHIVE_PAGE_OF_NODES,
    .set_list = jm_run_filter_set_states },
  { "verdict", TRUE, OF_RUNS | SEEN_RUNS, take_verdicts },
  { "job", FALSE, CHOSEN | SEEN_RUNS, .set = jm_run_filter_set_job },
  { "name", FALSE, CHOSEN | SEEN_RUNS | JME_ARCHIVE_SUGGESTION, take_name },
  { "node", FALSE, CHOSEN | SEEN_RUNS, .set = jm_run_filter_set_node },
  { "parts", FALSE, JME_ARCHIVE_RUNS, take_parts },
  { "confidence", FALSE, JME_ARCHIVE_SUGGESTION, take_confidence },
  { "uuid", FALSE, CHOSEN | SEEN_RUNS, .set = jm_run_filter_set_uuid },
  { "run", TRUE, JME_ARCHIVE_PAGE_OF_COMPARISON, take_runs },
  { "since", FALSE, ALL | SEEN_RUNS | SEEN_SUMS | JME_ARCHIVE_PAGE_OF_NODES,
    take_since },
  { "until", FALSE, ALL | SEEN_RUNS | SEEN_SUMS, take_until },
  { "started_since", FALSE, JME_ARCHIVE_RUNS, take_started_since },
  { "sort", FALSE, CHOSEN | SEEN_RUNS, take_sort },
  { "column", TRUE, SEEN_RUNS, take_columns },
  { "by", FALSE, JME_ARCHIVE_GROUPS | SEEN_RUNS, take_by },
  { "from", FALSE, ZOOMED, take_from },
  { "to", FALSE, ZOOMED, take_to },
  { "limit", FALSE, PAGES | SEEN_RUNS | JME_ARCHIVE_STEPS, take_limit },
  { "format", FALSE, ALL | JME_ARCHIVE_SERIES, take_format },
  { "group", TRUE, GROUPED | JME_ARCHIVE_PAGE_OF_HOURS, take_groups },
  { "q", FALSE, JME_ARCHIVE_PAGE_OF_SEARCH, take_words },
  { "cursor", FALSE, PAGES | SEEN_PAGES | JME_ARCHIVE_STEPS, take_cursor },
};

/* --- the whole --- */

/* A filter that is misspelt would show more than was asked for. */
static gboolean
check_names (JmeRequest *request, guint list, GError **error)
{
  g_auto (GStrv) pairs = jme_request_list_pairs (request);

  for (guint n = 0; pairs[n] != NULL; n += 2)
    {
      guint i = 0;

      while (i < G_N_ELEMENTS (keys) && !g_str_equal (pairs[n], keys[i].name))
        i++;
      if (i == G_N_ELEMENTS (keys) || (keys[i].lists & list) == 0)
        return refuse (pairs[n], "", "no such key here", error);
    }

  return TRUE;
}

/* On a page each key is a field of a form: there once, but for boxes to tick, and
 * perhaps empty. */
static gboolean
check_field (const char *name, const char *const *values, guint n, GError **error)
{
  if (n > 1 && !g_str_equal (name, "column"))
    return refuse (name, values[n - 1], "there too often", error);
  for (guint i = 0; i < n; i++)
    if (strlen (values[i]) > MAX_TYPED)
      return refuse (name, "", "too long", error);

  return TRUE;
}

static gboolean
take_key (Reader *self, guint i, JmeRequest *request, GError **error)
{
  g_auto (GStrv) values = jme_request_get_values (request, keys[i].name);
  guint n = g_strv_length (values);
  gboolean is_page = (self->list & SEEN) != 0;

  if (n == 0)
    return TRUE;
  if (is_page && !check_field (keys[i].name, (const char *const *) values, n, error))
    return FALSE;
  if (is_page && *values[0] == '\0')
    return TRUE;
  if (n > (keys[i].is_list ? MAX_VALUES : 1))
    return refuse (keys[i].name, values[n - 1], "there too often", error);

  if (keys[i].set != NULL)
    keys[i].set (self->query->filter, values[0]);
  if (keys[i].set_list != NULL)
    keys[i].set_list (self->query->filter, (const char *const *) values);

  return keys[i].take == NULL ||
         keys[i].take (self, keys[i].name, (const char *const *) values, error);
}

gboolean
jme_archive_query_init (JmeArchiveQuery *self,
                        JmeRequest *request,
                        JmeArchiveList list,
                        GError **error)
{
  Reader reader = { .query = self, .list = list };

  *self = (JmeArchiveQuery){ .filter = jm_run_filter_new (),
                             .confidence = JM_RUN_SUGGESTION_CONFIDENCE };
  /* what waits and what runs comes first where people look */
  if ((list & SEEN_RUNS) != 0)
    jm_run_filter_set_sort (self->filter, "-submit", NULL);
  if (!check_names (request, list, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (!take_key (&reader, i, request, error))
      return FALSE;
  if (self->wants_all && !self->is_csv)
    return refuse ("limit", "all", "only with format=csv", error);
  if (list == JME_ARCHIVE_GROUPS && self->by == NULL)
    self->by = &by_user;
  if (list != JME_ARCHIVE_STATISTICS)
    jm_run_filter_set_period (self->filter, self->since, self->until);

  return TRUE;
}

void
jme_archive_query_clear (JmeArchiveQuery *self)
{
  g_clear_pointer (&self->filter, jm_run_filter_free);
  g_clear_pointer (&self->after, g_free);
  g_clear_pointer (&self->sort, g_free);
  g_clear_pointer (&self->runs, g_strfreev);
  g_clear_pointer (&self->columns, g_ptr_array_unref);
}
