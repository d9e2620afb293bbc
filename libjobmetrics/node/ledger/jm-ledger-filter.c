/* jm-ledger-filter.c: which records of a ledger are wanted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-ledger-filter-private.h"

#include <string.h>

#define SEPARATORS ":/"
#define NAMES "(@name0, @name1, @name2, @name3)"

/* A job id such as `12.server` has also what stands before the first dot; the character
 * behind the dot is the slash. */
#define SHORT(name)                                                                    \
 "(job > " name " || '.' AND job < " name " || '/' AND instr (" name ", '.') = 0)"

static const char by_name[] =
  " AND (job IN " NAMES " OR uuid IN " NAMES " OR sluid IN " NAMES
  " OR array_job IN " NAMES " OR het_job IN " NAMES " OR alias IN " NAMES
  " OR " SHORT ("@name0") " OR " SHORT ("@name1") " OR " SHORT ("@name2") " OR " SHORT (
    "@name3") ")";

G_DEFINE_BOXED_TYPE (JmLedgerFilter,
                     jm_ledger_filter,
                     jm_ledger_filter_copy,
                     jm_ledger_filter_free)

/**
 * jm_ledger_filter_new:
 *
 * Creates a filter for all records.
 *
 * Returns: (transfer full): the filter
 * Since: 0.1
 */
JmLedgerFilter *
jm_ledger_filter_new (void)
{
  return g_new0 (JmLedgerFilter, 1);
}

/**
 * jm_ledger_filter_copy:
 * @self: a filter
 *
 * Copies a filter.
 *
 * Returns: (transfer full): the copy
 * Since: 0.1
 */
JmLedgerFilter *
jm_ledger_filter_copy (JmLedgerFilter *self)
{
  JmLedgerFilter *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = g_memdup2 (self, sizeof *self);
  copy->job = g_strdup (self->job);
  copy->user = g_strdup (self->user);
  copy->account = g_strdup (self->account);

  return copy;
}

/**
 * jm_ledger_filter_free:
 * @self: (transfer full): a filter
 *
 * Frees a filter.
 *
 * Since: 0.1
 */
void
jm_ledger_filter_free (JmLedgerFilter *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->job);
  g_free (self->user);
  g_free (self->account);
  g_free (self);
}

static void
take_text (char **place, const char *text)
{
  char *copy = g_strdup (text);

  g_free (*place);
  *place = copy;
}

/**
 * jm_ledger_filter_set_job:
 * @self: a filter
 * @job: (nullable): what a person calls it, as jm_job_is_called() has it; %NULL for all
 *
 * Lists only runs of one job: there are several of one that was requeued, and of
 * an id that came again.
 *
 * Since: 0.1
 */
void
jm_ledger_filter_set_job (JmLedgerFilter *self, const char *job)
{
  g_return_if_fail (self != NULL);

  take_text (&self->job, job);
}

/**
 * jm_ledger_filter_set_user:
 * @self: a filter
 * @user: (nullable): a user name; %NULL for all
 *
 * Lists only jobs of one user.
 *
 * Since: 0.1
 */
void
jm_ledger_filter_set_user (JmLedgerFilter *self, const char *user)
{
  g_return_if_fail (self != NULL);

  take_text (&self->user, user);
}

/**
 * jm_ledger_filter_set_uid:
 * @self: a filter
 * @uid: number of a user
 *
 * Lists only jobs of one user, by number: what a user may see. Jobs of unknown users
 * are not listed.
 *
 * Since: 0.1
 */
void
jm_ledger_filter_set_uid (JmLedgerFilter *self, guint uid)
{
  g_return_if_fail (self != NULL);

  self->uid = uid;
  self->has_uid = TRUE;
}

/**
 * jm_ledger_filter_set_account:
 * @self: a filter
 * @account: (nullable): the account that was charged; %NULL for all
 *
 * Lists only jobs of one account.
 *
 * Since: 0.1
 */
void
jm_ledger_filter_set_account (JmLedgerFilter *self, const char *account)
{
  g_return_if_fail (self != NULL);

  take_text (&self->account, account);
}

/**
 * jm_ledger_filter_set_state:
 * @self: a filter
 * @state: a state
 *
 * Lists only jobs in one state.
 *
 * Since: 0.1
 */
void
jm_ledger_filter_set_state (JmLedgerFilter *self, JmRunState state)
{
  g_return_if_fail (self != NULL);

  self->state = state;
  self->has_state = TRUE;
}

/**
 * jm_ledger_filter_set_period:
 * @self: a filter
 * @since_us: microseconds since 1970; 0 for no begin
 * @until_us: microseconds since 1970; 0 for no end
 *
 * Lists only jobs that ran at any time between the two.
 *
 * Since: 0.1
 */
void
jm_ledger_filter_set_period (JmLedgerFilter *self, gint64 since_us, gint64 until_us)
{
  g_return_if_fail (self != NULL);

  self->since_us = since_us;
  self->until_us = until_us;
}

/**
 * jm_ledger_filter_set_after:
 * @self: a filter
 * @position: position of a record, or 0
 *
 * Lists only records behind that position, so no running jobs. Who keeps the
 * last position that it was given, and asks with it, gets each record.
 *
 * Since: 0.1
 */
void
jm_ledger_filter_set_after (JmLedgerFilter *self, guint64 position)
{
  g_return_if_fail (self != NULL);

  self->after = position;
  self->has_after = TRUE;
}

/**
 * jm_ledger_filter_set_before:
 * @self: a filter
 * @position: position of a record; 0 for any
 *
 * Lists only records ahead of that position, so no running jobs. Together with a limit
 * it lists the last of these.
 *
 * Since: 0.1
 */
void
jm_ledger_filter_set_before (JmLedgerFilter *self, guint64 position)
{
  g_return_if_fail (self != NULL);

  self->before = position;
}

/**
 * jm_ledger_filter_set_limit:
 * @self: a filter
 * @limit: how many; 0 for all
 *
 * Lists at most so many: behind a position the first, else the last.
 *
 * Since: 0.1
 */
void
jm_ledger_filter_set_limit (JmLedgerFilter *self, guint limit)
{
  g_return_if_fail (self != NULL);

  self->limit = limit;
}

gboolean
jm_ledger_filter_is_selective (const JmLedgerFilter *self)
{
  return self->job != NULL || self->user != NULL || self->account != NULL ||
         self->has_uid || self->has_state || self->since_us != 0 || self->until_us != 0;
}

char *
jm_ledger_filter_format (const JmLedgerFilter *self, gboolean is_running)
{
  GString *text = g_string_new ("TRUE");

  if (self->job != NULL)
    g_string_append (text, by_name);
  if (self->user != NULL)
    g_string_append (text, " AND user = @user");
  if (self->account != NULL)
    g_string_append (text, " AND account = @account");
  if (self->has_uid)
    g_string_append (text, " AND uid = @uid");
  if (self->has_state)
    g_string_append_printf (text, " AND state = %d", (int) self->state);
  if (self->since_us != 0 && !is_running)
    g_string_append (text, " AND end_us >= @since");
  if (self->until_us != 0)
    g_string_append (text, " AND begin_us <= @until");
  if (self->has_after && !is_running)
    g_string_append (text, " AND position > @after");
  if (self->before != 0 && !is_running)
    g_string_append (text, " AND position < @before");

  return g_string_free (text, FALSE);
}

static void
bind_text (sqlite3_stmt *statement, const char *name, const char *text)
{
  int number = sqlite3_bind_parameter_index (statement, name);

  if (number > 0)
    jm_sqlite_bind_text (statement, number, text);
}

static void
bind_number (sqlite3_stmt *statement, const char *name, gint64 value)
{
  int number = sqlite3_bind_parameter_index (statement, name);

  if (number > 0)
    sqlite3_bind_int64 (statement, number, value);
}

/* What may be a name, without what may be the name of a scheduler or a cluster. */
static void
bind_names (const char *job, sqlite3_stmt *statement)
{
  const char *scheduler = strchr (job, SEPARATORS[0]);
  const char *cluster = strchr (job, SEPARATORS[1]);
  const char *both = scheduler != NULL ? strchr (scheduler, SEPARATORS[1]) : NULL;

  bind_text (statement, "@name0", job);
  bind_text (statement, "@name1", scheduler != NULL ? scheduler + 1 : job);
  bind_text (statement, "@name2", cluster != NULL ? cluster + 1 : job);
  bind_text (statement, "@name3", both != NULL ? both + 1 : job);
}

void
jm_ledger_filter_bind (const JmLedgerFilter *self, sqlite3_stmt *statement)
{
  if (self->job != NULL)
    bind_names (self->job, statement);
  bind_text (statement, "@user", self->user);
  bind_text (statement, "@account", self->account);
  bind_number (statement, "@uid", self->uid);
  bind_number (statement, "@since", self->since_us);
  bind_number (statement, "@until", self->until_us);
  bind_number (statement, "@after", (gint64) MIN (self->after, G_MAXINT64));
  bind_number (statement, "@before", (gint64) MIN (self->before, G_MAXINT64));
}

gboolean
jm_ledger_filter_matches (const JmLedgerFilter *self, JmJobRecord *record)
{
  return self->job == NULL ||
         jm_job_is_called (jm_job_record_get_job (record), self->job);
}
