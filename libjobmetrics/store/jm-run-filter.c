/* jm-run-filter.c: which runs of a site are wanted, and in which order
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "store/jm-run-filter-private.h"

#include <string.h>

#include "core/jm-error-private.h"

#define DEFAULT_LIMIT 100
#define DAY_SECONDS 86400
/* Of a list: SQLite takes some thousands of values. */
#define MAX_NAMES 1000

struct _JmRunFilter
{
  char *cluster;
  char **users;
  char **accounts;
  char *partition;
  char **states;
  char *job;
  char *name;
  char *uuid;
  gint64 since;
  gint64 until; /* 0 for open */
  JmRunOrder order;
  gboolean ascends;
  guint limit;
  gboolean has_cursor;
  gint64 cursor_time;
  gint64 cursor_id;
};

/* A letter names an order in a cursor. */
static const struct
{
  char letter;
  const char *column;
  JmRunField field;
} orders[] = {
  [JM_RUN_ORDER_END] = { 'e', "end_time", JM_RUN_FIELD_END_TIME },
  [JM_RUN_ORDER_START] = { 's', "start_time", JM_RUN_FIELD_START_TIME },
  [JM_RUN_ORDER_SUBMIT] = { 'q', "submit_time", JM_RUN_FIELD_SUBMIT_TIME },
};

G_DEFINE_BOXED_TYPE (JmRunFilter, jm_run_filter, jm_run_filter_copy, jm_run_filter_free)

/**
 * jm_run_filter_new:
 *
 * Creates a filter that wants every run.
 *
 * Returns: (transfer full): the filter
 * Since: 0.1
 */
JmRunFilter *
jm_run_filter_new (void)
{
  JmRunFilter *self = g_new0 (JmRunFilter, 1);

  self->limit = DEFAULT_LIMIT;

  return self;
}

/**
 * jm_run_filter_copy:
 * @self: a filter
 *
 * Copies a filter.
 *
 * Returns: (transfer full): the copy
 * Since: 0.1
 */
JmRunFilter *
jm_run_filter_copy (JmRunFilter *self)
{
  JmRunFilter *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = g_memdup2 (self, sizeof *self);
  copy->cluster = g_strdup (self->cluster);
  copy->users = g_strdupv (self->users);
  copy->accounts = g_strdupv (self->accounts);
  copy->partition = g_strdup (self->partition);
  copy->states = g_strdupv (self->states);
  copy->job = g_strdup (self->job);
  copy->name = g_strdup (self->name);
  copy->uuid = g_strdup (self->uuid);

  return copy;
}

/**
 * jm_run_filter_free:
 * @self: (transfer full): a filter
 *
 * Frees a filter.
 *
 * Since: 0.1
 */
void
jm_run_filter_free (JmRunFilter *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->cluster);
  g_strfreev (self->users);
  g_strfreev (self->accounts);
  g_free (self->partition);
  g_strfreev (self->states);
  g_free (self->job);
  g_free (self->name);
  g_free (self->uuid);
  g_free (self);
}

/* A database takes no other text than UTF-8; what is none is nobody's name. */
static void
take_text (char **place, const char *text)
{
  char *copy = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  g_free (*place);
  *place = copy;
}

static void
take_list (char ***place, const char *const *texts)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; texts != NULL && texts[i] != NULL && i < MAX_NAMES; i++)
    {
      g_autofree char *text = g_utf8_make_valid (texts[i], -1);

      g_strv_builder_add (builder, text);
    }
  g_strfreev (*place);
  *place = texts != NULL ? g_strv_builder_end (builder) : NULL;
}

/**
 * jm_run_filter_set_cluster:
 * @self: a filter
 * @cluster: (nullable): a cluster; %NULL for all
 *
 * Wants the runs on one cluster alone.
 *
 * Since: 0.1
 */
void
jm_run_filter_set_cluster (JmRunFilter *self, const char *cluster)
{
  g_return_if_fail (self != NULL);

  take_text (&self->cluster, cluster);
}

/**
 * jm_run_filter_set_users:
 * @self: a filter
 * @users: (nullable) (array zero-terminated=1): user names, of which the first thousand
 *   count; %NULL for all
 *
 * Wants the runs of some users alone.
 *
 * Since: 0.1
 */
void
jm_run_filter_set_users (JmRunFilter *self, const char *const *users)
{
  g_return_if_fail (self != NULL);

  take_list (&self->users, users);
}

/**
 * jm_run_filter_set_accounts:
 * @self: a filter
 * @accounts: (nullable) (array zero-terminated=1): accounts, of which the first thousand
 *   count; %NULL for all
 *
 * Wants the runs of some accounts alone.
 *
 * Since: 0.1
 */
void
jm_run_filter_set_accounts (JmRunFilter *self, const char *const *accounts)
{
  g_return_if_fail (self != NULL);

  take_list (&self->accounts, accounts);
}

/**
 * jm_run_filter_set_partition:
 * @self: a filter
 * @partition: (nullable): a partition; %NULL for all
 *
 * Wants the runs in one partition alone.
 *
 * Since: 0.1
 */
void
jm_run_filter_set_partition (JmRunFilter *self, const char *partition)
{
  g_return_if_fail (self != NULL);

  take_text (&self->partition, partition);
}

/**
 * jm_run_filter_set_states:
 * @self: a filter
 * @states: (nullable) (array zero-terminated=1): states, as the scheduler says them;
 *   %NULL for all
 *
 * Wants the runs in some states alone.
 *
 * Since: 0.1
 */
void
jm_run_filter_set_states (JmRunFilter *self, const char *const *states)
{
  g_return_if_fail (self != NULL);

  take_list (&self->states, states);
}

/**
 * jm_run_filter_set_job:
 * @self: a filter
 * @job: (nullable): a job's id: the scheduler's own number, as users see it, or that of
 *   a job array; %NULL for all
 *
 * Wants the runs of one job alone: there are several of one that was requeued, and of
 * an id that came again.
 *
 * Since: 0.1
 */
void
jm_run_filter_set_job (JmRunFilter *self, const char *job)
{
  g_return_if_fail (self != NULL);

  take_text (&self->job, job);
}

/**
 * jm_run_filter_set_uuid:
 * @self: a filter
 * @uuid: (nullable): any uuid of a run; %NULL for all
 *
 * Wants one run alone.
 *
 * Since: 0.1
 */
void
jm_run_filter_set_uuid (JmRunFilter *self, const char *uuid)
{
  g_return_if_fail (self != NULL);

  take_text (&self->uuid, uuid);
}

/**
 * jm_run_filter_set_period:
 * @self: a filter
 * @since: seconds since 1970; 0 for open
 * @until: seconds since 1970; 0 for open
 *
 * Wants the runs that went on at any moment between the two; of those that never began,
 * those that ended or waited in it. Of usage it wants whole days, by UTC.
 *
 * Since: 0.1
 */
void
jm_run_filter_set_period (JmRunFilter *self, gint64 since, gint64 until)
{
  g_return_if_fail (self != NULL);

  self->since = MAX (since, 0);
  self->until = MAX (until, 0);
}

/**
 * jm_run_filter_set_order:
 * @self: a filter
 * @order: by what
 * @ascends: whether the first comes first; else the last does
 *
 * Sets the order of the runs.
 *
 * Since: 0.1
 */
void
jm_run_filter_set_order (JmRunFilter *self, JmRunOrder order, gboolean ascends)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail ((guint) order < G_N_ELEMENTS (orders));

  self->order = order;
  self->ascends = ascends;
}

/**
 * jm_run_filter_set_limit:
 * @self: a filter
 * @limit: how many runs a page has at most, which is 1 to %JM_RUN_FILTER_MAX_LIMIT
 *
 * Sets the length of a page.
 *
 * Since: 0.1
 */
void
jm_run_filter_set_limit (JmRunFilter *self, guint limit)
{
  g_return_if_fail (self != NULL);

  self->limit = CLAMP (limit, 1, JM_RUN_FILTER_MAX_LIMIT);
}

/* The digits before @end, and where the text goes on behind that. */
static const char *
parse_number (const char *text, char end, gint64 *number)
{
  char digits[20];
  const char *stop = strchr (text, end);
  gsize length = stop != NULL ? (gsize) (stop - text) : 0;
  guint64 value;

  if (length == 0 || length >= sizeof digits)
    return NULL;
  memcpy (digits, text, length);
  digits[length] = '\0';
  if (!g_ascii_string_to_unsigned (digits, 10, 0, G_MAXINT64, &value, NULL))
    return NULL;
  *number = (gint64) value;

  return stop + 1;
}

/**
 * jm_run_filter_set_cursor:
 * @self: a filter, of which the order is set
 * @cursor: (nullable): where a page begins, as the page before it said; %NULL for the
 *   first
 * @error: return location for an error
 *
 * Wants what comes behind a page. Runs that are added or changed meanwhile neither
 * repeat nor hide others.
 *
 * - Errors: `INVALID` for what is no cursor, or one of another order.
 *
 * Returns: (skip): whether it is one
 * Since: 0.1
 */
gboolean
jm_run_filter_set_cursor (JmRunFilter *self, const char *cursor, GError **error)
{
  const char *rest;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  self->has_cursor = FALSE;
  if (cursor == NULL)
    return TRUE;
  if (*cursor != orders[self->order].letter)
    return jm_error_refuse (error, "not a page of this order", cursor);

  rest = parse_number (cursor + 1, '-', &self->cursor_time);
  if (rest != NULL)
    rest = parse_number (rest, '\0', &self->cursor_id);
  self->has_cursor = rest != NULL;

  return self->has_cursor || jm_error_refuse (error, "not a page", cursor);
}

void
jm_run_filter_set_name (JmRunFilter *self, const char *name)
{
  take_text (&self->name, name);
}

char *
jm_run_filter_make_cursor (JmRunFilter *self, const JmStoredRun *last)
{
  return g_strdup_printf ("%c%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT,
                          orders[self->order].letter,
                          jm_stored_run_peek (last, orders[self->order].field),
                          last->id);
}

guint
jm_run_filter_get_limit (JmRunFilter *self)
{
  return self->limit;
}

/* --- SQL --- */

static void
append_text (JmSqlQuery *query, const char *condition, const char *text)
{
  if (text == NULL)
    return;
  jm_sql_query_append (query, condition);
  jm_sql_query_append_text (query, text);
}

static void
append_list (JmSqlQuery *query, const char *condition, char **texts)
{
  if (texts == NULL)
    return;
  jm_sql_query_append (query, condition);
  jm_sql_query_append_list (query, (const char *const *) texts);
}

/* Of runs and of days alike. */
static void
append_names (JmRunFilter *self, JmSqlQuery *query)
{
  if (self->cluster != NULL)
    {
      append_text (query, " AND cluster_id = (SELECT id FROM cluster WHERE name = ",
                   self->cluster);
      jm_sql_query_append (query, ")");
    }
  append_list (query, " AND user_name", self->users);
  append_list (query, " AND account", self->accounts);
  append_text (query, " AND partition = ", self->partition);
}

void
jm_run_filter_append_period (gint64 since, gint64 until, JmSqlQuery *query)
{
  if (since > 0)
    {
      jm_sql_query_append (query, " AND (end_time = 0 OR end_time > ");
      jm_sql_query_append_number (query, since);
      jm_sql_query_append (query, ")");
    }
  if (until > 0)
    {
      jm_sql_query_append (query,
                           " AND (CASE WHEN start_time > 0 THEN start_time"
                           " WHEN end_time > 0 THEN end_time ELSE submit_time END) < ");
      jm_sql_query_append_number (query, until);
    }
}

void
jm_run_filter_append_conditions (JmRunFilter *self, JmSqlQuery *query)
{
  append_names (self, query);
  append_list (query, " AND state", self->states);
  append_text (query, " AND name = ", self->name);
  if (self->job != NULL)
    {
      append_text (query, " AND (raw_id = ", self->job);
      append_text (query, " OR job_id = ", self->job);
      append_text (query, " OR array_job = ", self->job);
      jm_sql_query_append (query, ")");
    }
  if (self->uuid != NULL)
    {
      append_text (query, " AND (uuid = ", self->uuid);
      append_text (query,
                   " OR id IN (SELECT run_id FROM alias WHERE uuid = ", self->uuid);
      jm_sql_query_append (query, "))");
    }
  jm_run_filter_append_period (self->since, self->until, query);
}

void
jm_run_filter_append_usage_conditions (JmRunFilter *self, JmSqlQuery *query)
{
  append_names (self, query);
  if (self->since > 0)
    {
      jm_sql_query_append (query, " AND day >= ");
      jm_sql_query_append_number (query, self->since / DAY_SECONDS);
    }
  if (self->until > 0)
    {
      jm_sql_query_append (query, " AND day <= ");
      jm_sql_query_append_number (query, (self->until - 1) / DAY_SECONDS);
    }
}

void
jm_run_filter_append_page (JmRunFilter *self, JmSqlQuery *query)
{
  const char *column = orders[self->order].column;
  const char *direction = self->ascends ? "" : " DESC";
  g_autofree char *order =
    g_strdup_printf (" ORDER BY %s%s, id%s LIMIT ", column, direction, direction);

  if (self->has_cursor)
    {
      g_autofree char *behind =
        g_strdup_printf (" AND (%s, id) %c (", column, self->ascends ? '>' : '<');

      jm_sql_query_append (query, behind);
      jm_sql_query_append_number (query, self->cursor_time);
      jm_sql_query_append (query, ", ");
      jm_sql_query_append_number (query, self->cursor_id);
      jm_sql_query_append (query, ")");
    }
  jm_sql_query_append (query, order);
  jm_sql_query_append_number (query, (gint64) self->limit + 1);
}
