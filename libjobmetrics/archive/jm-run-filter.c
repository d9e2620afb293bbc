/* jm-run-filter.c: which runs of a site are wanted, and in which order
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-run-filter-private.h"

#include <math.h>
#include <string.h>

#include "base/jm-error-private.h"
#include "base/jm-name-pattern-private.h"
#include "core/jm-run-derived-private.h"
#include "core/jm-run-words-private.h"
#include "judge/jm-run-advice-private.h"

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
  char **verdicts;
  char *job;
  char *name;
  char *name_pattern; /* in place of @name, or NULL */
  char *name_like;    /* the same for SQL */
  char *node;
  char *uuid;
  gint64 since;
  gint64 until; /* 0 for open */
  gint64 started_since;
  guint order;               /* of orders */
  const JmRunColumn *figure; /* by which they are sorted, in place of @order, or NULL */
  gboolean ascends;
  guint limit;
  gboolean has_energy;
  gboolean has_cursor;
  gint64 cursor_key;
  gint64 cursor_id;
};

/* A letter names an order in a cursor. */
static const struct
{
  char letter;
  const char *name;
  const char *column;
  JmRunField field;
} orders[] = {
  { 'e', "end", "end_time", JM_RUN_FIELD_END_TIME },
  { 's', "start", "start_time", JM_RUN_FIELD_START_TIME },
  { 'q', "submit", "submit_time", JM_RUN_FIELD_SUBMIT_TIME },
};

/* In a cursor, for the order by a figure. Its number are the bits of the figure, which
 * is never negative, or this. */
#define FIGURE_LETTER 'f'
#define UNKNOWN_BITS G_MAXINT64

G_DEFINE_BOXED_TYPE (JmRunFilter, jm_run_filter, jm_run_filter_copy, jm_run_filter_free)

/**
 * jm_run_filter_new:
 *
 * Creates a filter for all runs.
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
  copy->verdicts = g_strdupv (self->verdicts);
  copy->job = g_strdup (self->job);
  copy->name = g_strdup (self->name);
  copy->name_pattern = g_strdup (self->name_pattern);
  copy->name_like = g_strdup (self->name_like);
  copy->node = g_strdup (self->node);
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
  g_strfreev (self->verdicts);
  g_free (self->job);
  g_free (self->name);
  g_free (self->name_pattern);
  g_free (self->name_like);
  g_free (self->node);
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
 * Lists only runs on one cluster.
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
 * Lists only runs of some users.
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
 * @accounts: (nullable) (array zero-terminated=1): accounts, of which the first
 *   thousand count; %NULL for all
 *
 * Lists only runs of some accounts.
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
 * Lists only runs in one partition.
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
 * @states: (nullable) (array zero-terminated=1): states, as the scheduler writes them;
 *   %NULL for all
 *
 * Lists only runs in some states.
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
 * jm_run_filter_set_verdicts:
 * @self: a filter
 * @kinds: (nullable) (array zero-terminated=1): names of kinds of verdicts, such as
 *   `waste`, as jm_verdict_kind_get_name() has them; %NULL for all runs
 * @error: return location for an error
 *
 * Selects the runs with verdicts of some kinds. An archive judges a run soon after its
 * end; before that a run has no verdict, but that it waits or runs.
 *
 * - Errors: `INVALID` for another word.
 *
 * Returns: whether there are such kinds
 * Since: 0.1
 */
gboolean
jm_run_filter_set_verdicts (JmRunFilter *self, const char *const *kinds, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  for (guint i = 0; kinds != NULL && kinds[i] != NULL; i++)
    {
      JmVerdictKind kind;

      if (!jm_verdict_kind_from_name (kinds[i], &kind))
        return jm_error_refuse (error,
                                "none of good, waste, trouble, running, waiting, "
                                "too-short and not-enough-data",
                                kinds[i]);
    }
  take_list (&self->verdicts, kinds);

  return TRUE;
}

/**
 * jm_run_filter_set_job:
 * @self: a filter
 * @job: (nullable): a job's id: the scheduler's own number, as users see it, or that of
 *   a job array; %NULL for all
 *
 * Lists only runs of one job: there are several of one that was requeued, and of
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
 * jm_run_filter_set_name:
 * @self: a filter
 * @name: (nullable): a name that users give their jobs; %NULL for all
 *
 * Selects the runs of jobs of one name. Databases have an index by user and name: set
 * one user, or a period.
 *
 * Since: 0.1
 */
void
jm_run_filter_set_name (JmRunFilter *self, const char *name)
{
  g_return_if_fail (self != NULL);

  take_text (&self->name, name);
  g_clear_pointer (&self->name_pattern, g_free);
  g_clear_pointer (&self->name_like, g_free);
}

/**
 * jm_run_filter_set_name_pattern:
 * @self: a filter
 * @pattern: (nullable): a pattern of such names; %NULL for all
 *
 * Selects the runs of jobs by the pattern of a name, in place of
 * jm_run_filter_set_name(). In it `*` is any text, also none, and `?` one character; a
 * backslash before one of these, or before a backslash, makes it an ordinary character.
 *
 * Since: 0.1
 */
void
jm_run_filter_set_name_pattern (JmRunFilter *self, const char *pattern)
{
  g_autofree char *name = NULL;

  g_return_if_fail (self != NULL);

  name = pattern != NULL ? jm_name_pattern_to_name (pattern) : NULL;
  jm_run_filter_set_name (self, name);
  if (pattern == NULL || name != NULL)
    return;
  take_text (&self->name_pattern, pattern);
  self->name_like = jm_name_pattern_to_like (self->name_pattern);
}

/**
 * jm_run_filter_set_node:
 * @self: a filter
 * @node: (nullable): a node; %NULL for all
 *
 * Selects the runs that had one node, by the scheduler's list of the run's nodes or by
 * the records of the nodes. No index has them: set a period. A page may have fewer runs
 * than its limit, or none, before the last one.
 *
 * Since: 0.1
 */
void
jm_run_filter_set_node (JmRunFilter *self, const char *node)
{
  g_return_if_fail (self != NULL);

  take_text (&self->node, node);
}

/**
 * jm_run_filter_set_has_energy:
 * @self: a filter
 * @has_energy: whether lists of runs have it
 *
 * Reads each run with its energy and emissions in detail, which are its parts of the
 * kind %JM_RUN_PART_KIND_ENERGY.
 *
 * Since: 0.1
 */
void
jm_run_filter_set_has_energy (JmRunFilter *self, gboolean has_energy)
{
  g_return_if_fail (self != NULL);

  self->has_energy = has_energy;
}

/**
 * jm_run_filter_set_uuid:
 * @self: a filter
 * @uuid: (nullable): any uuid of a run; %NULL for all
 *
 * Lists only one run.
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
 * Lists only runs that went on at any time between the two; of those that never began,
 * those that ended or waited in it. For usage, whole days by UTC count.
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
 * jm_run_filter_set_started_since:
 * @self: a filter
 * @since: seconds since 1970; 0 for all
 *
 * Lists only runs that began at that time or later. Databases have an index by
 * partition and start.
 *
 * Since: 0.1
 */
void
jm_run_filter_set_started_since (JmRunFilter *self, gint64 since)
{
  g_return_if_fail (self != NULL);

  self->started_since = MAX (since, 0);
}

/**
 * jm_run_filter_set_sort:
 * @self: a filter
 * @sort: `end`, `start`, `submit`, or the name of a figure that the archive keeps of a
 *   run or that follows from what it keeps, such as `cpu_unused_seconds`; with a `-`
 *   before it the last or the greatest comes first
 * @error: return location for an error
 *
 * Sets the order of the runs. Those of which a figure is not known come behind all
 * others.
 *
 * - Errors: `INVALID` for another word.
 *
 * Returns: whether there is such an order
 * Since: 0.1
 */
gboolean
jm_run_filter_set_sort (JmRunFilter *self, const char *sort, GError **error)
{
  const char *name;
  const JmRunColumn *figure;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (sort != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  name = sort + (*sort == '-' ? 1 : 0);
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    if (g_str_equal (name, orders[i].name))
      {
        self->order = i;
        self->figure = NULL;
        self->ascends = *sort != '-';
        return TRUE;
      }

  figure = jm_run_column_from_name (name);
  if (figure == NULL || figure->sql == NULL)
    return jm_error_refuse (error, "neither end, start, submit nor a figure of runs",
                            sort);
  self->figure = figure;
  self->ascends = *sort != '-';

  return TRUE;
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

static char
get_letter (const JmRunFilter *self)
{
  return self->figure != NULL ? FIGURE_LETTER : orders[self->order].letter;
}

/* What is not known is behind all that is. */
static double
get_unknown (const JmRunFilter *self)
{
  return self->ascends ? G_MAXDOUBLE : -1;
}

static double
get_cursor_figure (const JmRunFilter *self)
{
  double value;

  memcpy (&value, &self->cursor_key, sizeof value);

  return self->cursor_key == UNKNOWN_BITS ? get_unknown (self) : value;
}

/* Not bits that are no figure. */
static gboolean
is_sound_key (const JmRunFilter *self)
{
  return self->figure == NULL || self->cursor_key == UNKNOWN_BITS ||
         isfinite (get_cursor_figure (self));
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
 * @cursor: (nullable): where a page begins, as the last page reported; %NULL for the
 *   first
 * @error: return location for an error
 *
 * Continues behind a page. Runs that are added or changed meanwhile neither
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
  if (*cursor != get_letter (self))
    return jm_error_refuse (error, "not a page of this order", cursor);

  rest = parse_number (cursor + 1, '-', &self->cursor_key);
  if (rest != NULL)
    rest = parse_number (rest, '\0', &self->cursor_id);
  self->has_cursor = rest != NULL && is_sound_key (self);

  return self->has_cursor || jm_error_refuse (error, "not a page", cursor);
}

/* By what the run has its place, as the cursor has it. */
static gint64
get_key (const JmRunFilter *self, JmRun *run)
{
  JmFigure figure;
  gint64 bits;

  if (self->figure == NULL)
    return jm_run_peek (run, orders[self->order].field);
  figure = jm_run_derived_get (run, self->figure->quantity);
  memcpy (&bits, &figure.value, sizeof bits);

  return figure.is_known ? bits : UNKNOWN_BITS;
}

char *
jm_run_filter_make_cursor (JmRunFilter *self, JmRun *last)
{
  return g_strdup_printf ("%c%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, get_letter (self),
                          get_key (self, last), last->id);
}

guint
jm_run_filter_get_limit (JmRunFilter *self)
{
  return self->limit;
}

gboolean
jm_run_filter_get_has_energy (JmRunFilter *self)
{
  return self->has_energy;
}

void
jm_run_filter_get_period (JmRunFilter *self, gint64 *since, gint64 *until)
{
  *since = self->since;
  *until = self->until;
}

const char *
jm_run_filter_get_node (JmRunFilter *self)
{
  return self->node;
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

static gboolean
are_queued (char *const *states)
{
  static const char *const queued[] = {
    JM_RUN_PENDING,    JM_RUN_RUNNING, JM_RUN_SUSPENDED,
    JM_RUN_COMPLETING, JM_RUN_UNCLEAR, NULL,
  };

  for (; *states != NULL; states++)
    if (!g_strv_contains (queued, *states))
      return FALSE;

  return TRUE;
}

/* The second condition follows from the first, and has SQLite pick the index
 * run_queued. */
static void
append_states (JmRunFilter *self, JmSqlQuery *query)
{
  append_list (query, " AND state", self->states);
  if (self->states != NULL && are_queued (self->states))
    jm_sql_query_append (query, " AND " JM_RUN_IS_QUEUED);
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

/* NOT BETWEEN adds nothing to what follows it. Indexes have what it asks for, so that
 * the rows of earlier runs need not be read. */
void
jm_run_filter_append_period (gint64 since, gint64 until, JmSqlQuery *query)
{
  if (since > 0)
    {
      jm_sql_query_append (query, " AND end_time NOT BETWEEN 1 AND ");
      jm_sql_query_append_number (query, since);
      jm_sql_query_append (query, " AND (end_time > ");
      jm_sql_query_append_number (query, since);
      jm_sql_query_append (query, " OR (end_time = 0 AND (" JM_RUN_GONE_SINCE " > ");
      jm_sql_query_append_number (query, since);
      jm_sql_query_append (query, " OR " JM_RUN_IS_GONE " IS NOT TRUE)))");
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
jm_run_filter_append_name (JmRunFilter *self, JmSqlQuery *query)
{
  append_text (query, " AND name = ", self->name);
  append_text (query, " AND name LIKE ", self->name_like);
  if (self->name_like != NULL)
    jm_sql_query_append (query, " ESCAPE '!'");
}

void
jm_run_filter_append_conditions (JmRunFilter *self, JmSqlQuery *query)
{
  append_names (self, query);
  append_states (self, query);
  append_list (query, " AND verdict_kind", self->verdicts);
  jm_run_filter_append_name (self, query);
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
  if (self->started_since > 0)
    {
      jm_sql_query_append (query, " AND start_time >= ");
      jm_sql_query_append_number (query, self->started_since);
    }
  jm_run_filter_append_period (self->since, self->until, query);
}

gboolean
jm_run_filter_is_of_a_name (JmRunFilter *self)
{
  const gboolean has_start =
    self->name_like != NULL && self->name_like[0] != '%' && self->name_like[0] != '_';

  return (self->name != NULL || has_start) && self->users == NULL &&
         self->job == NULL && self->uuid == NULL && self->started_since == 0;
}

gboolean
jm_run_filter_is_of_jobs (JmRunFilter *self)
{
  return self->job != NULL || self->name != NULL || self->name_pattern != NULL ||
         self->node != NULL || self->uuid != NULL || self->started_since > 0;
}

gboolean
jm_run_filter_is_of_a_job (JmRunFilter *self)
{
  return self->name != NULL && self->users != NULL;
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

/* Every digit of it, so that it is the same number there. */
static void
append_figure (JmSqlQuery *query, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  jm_sql_query_append (query, "CAST (");
  jm_sql_query_append (query, g_ascii_dtostr (digits, sizeof digits, value));
  jm_sql_query_append (query, " AS DOUBLE PRECISION)");
}

static void
append_key (const JmRunFilter *self, JmSqlQuery *query)
{
  if (self->figure == NULL)
    {
      jm_sql_query_append (query, orders[self->order].column);
      return;
    }
  jm_sql_query_append (query, "coalesce (");
  jm_sql_query_append (query, self->figure->sql);
  jm_sql_query_append (query, ", ");
  append_figure (query, get_unknown (self));
  jm_sql_query_append (query, ")");
}

static void
append_cursor (const JmRunFilter *self, JmSqlQuery *query)
{
  jm_sql_query_append (query, " AND (");
  append_key (self, query);
  jm_sql_query_append (query, self->ascends ? ", id) > (" : ", id) < (");
  if (self->figure == NULL)
    jm_sql_query_append_number (query, self->cursor_key);
  else
    append_figure (query, get_cursor_figure (self));
  jm_sql_query_append (query, ", ");
  jm_sql_query_append_number (query, self->cursor_id);
  jm_sql_query_append (query, ")");
}

void
jm_run_filter_append_page (JmRunFilter *self, guint limit, JmSqlQuery *query)
{
  if (self->has_cursor)
    append_cursor (self, query);
  jm_sql_query_append (query, " ORDER BY ");
  append_key (self, query);
  jm_sql_query_append (query, self->ascends ? ", id LIMIT " : " DESC, id DESC LIMIT ");
  jm_sql_query_append_number (query, (gint64) limit + 1);
}

/* --- parameters of a server --- */

static void
add (GString *text, const char *name, const char *value)
{
  g_autofree char *escaped =
    value != NULL ? g_uri_escape_string (value, NULL, FALSE) : NULL;

  if (escaped != NULL)
    g_string_append_printf (text, "%s%s=%s", text->len > 0 ? "&" : "", name, escaped);
}

static void
add_list (GString *text, const char *name, char **values)
{
  for (; values != NULL && *values != NULL; values++)
    add (text, name, *values);
}

static void
add_number (GString *text, const char *name, gint64 number)
{
  g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, number);

  if (number > 0)
    add (text, name, value);
}

static void
add_name (GString *text, const JmRunFilter *self)
{
  g_autofree char *pattern =
    self->name != NULL ? jm_name_pattern_from_name (self->name) : NULL;

  add (text, "name", pattern != NULL ? pattern : self->name_pattern);
}

static GString *
make_parameters (const JmRunFilter *self)
{
  GString *text = g_string_new (NULL);

  add_list (text, "user", self->users);
  add_list (text, "account", self->accounts);
  add (text, "partition", self->partition);
  add (text, "cluster", self->cluster);
  add_number (text, "since", self->since);
  add_number (text, "until", self->until);

  return text;
}

char *
jm_run_filter_make_parameters (JmRunFilter *self, guint limit, const char *cursor)
{
  GString *text = make_parameters (self);
  g_autofree char *sort =
    g_strconcat (self->ascends ? "" : "-",
                 self->figure != NULL ? jm_quantity_get (self->figure->quantity)->name
                                      : orders[self->order].name,
                 NULL);

  add_list (text, "state", self->states);
  add_list (text, "verdict", self->verdicts);
  add (text, "job", self->job);
  add_name (text, self);
  add (text, "node", self->node);
  add_number (text, "started_since", self->started_since);
  add (text, "parts", self->has_energy ? "energy" : NULL);
  add (text, "sort", sort);
  add_number (text, "limit", limit);
  add (text, "cursor", cursor);

  return g_string_free (text, FALSE);
}

static GString *
make_grouped_parameters (const JmRunFilter *self, JmUsageGroups groups)
{
  static const char *const names[] = { "cluster", "user", "account", "partition",
                                       "day" };
  GString *text = make_parameters (self);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if ((groups & 1u << i) != 0)
      add (text, "group", names[i]);

  return text;
}

char *
jm_run_filter_make_usage_parameters (JmRunFilter *self, JmUsageGroups groups)
{
  return g_string_free (make_grouped_parameters (self, groups), FALSE);
}

char *
jm_run_filter_make_statistics_parameters (JmRunFilter *self, JmUsageGroups groups)
{
  GString *text = make_grouped_parameters (self, groups);

  if ((groups & JM_USAGE_GROUPS_STATE) != 0)
    add (text, "group", "state");
  add_list (text, "state", self->states);
  add_list (text, "verdict", self->verdicts);

  return g_string_free (text, FALSE);
}
