/* jmc-ledger-query.c: which records are wanted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "ledger/jmc-ledger-peer.h"

#include <string.h>

#include "base/jm-moment-private.h"
#include "core/jm-job-record.h"
#include "jmc-output.h"

void
jmc_ledger_query_clear (JmcLedgerQuery *self)
{
  jmc_selection_clear (&self->selection);
  g_clear_pointer (&self->state_text, g_free);
  g_clear_pointer (&self->since_text, g_free);
  g_clear_pointer (&self->until_text, g_free);
  g_clear_pointer (&self->limit_text, g_free);
}

/* --- options --- */

void
jmc_ledger_query_add_entries (JmcLedgerQuery *self, GOptionGroup *group)
{
  const GOptionEntry entries[] = {
    { "user", 0, 0, G_OPTION_ARG_STRING, &self->selection.users_text,
      "Only jobs of these users, by name or number", "NAME,…" },
    { "account", 0, 0, G_OPTION_ARG_STRING, &self->selection.accounts_text,
      "Only jobs of these accounts", "NAME,…" },
    { "state", 0, 0, G_OPTION_ARG_STRING, &self->state_text,
      "Only jobs that are running, that ended, or the end of which was lost", "STATE" },
    { "since", 0, 0, G_OPTION_ARG_STRING, &self->since_text,
      "Only jobs that ran after that, such as yesterday or -2h", "TIME" },
    { "until", 0, 0, G_OPTION_ARG_STRING, &self->until_text,
      "Only jobs that ran before that, such as '2026-11-22 10:00'", "TIME" },
    { "limit", 0, 0, G_OPTION_ARG_STRING, &self->limit_text, "Only the last N jobs",
      "N" },
    { "filter", 0, 0, G_OPTION_ARG_STRING, &self->selection.filter_text,
      "Only jobs of which this is true, such as 'peak > 1G && user == alice'",
      "EXPRESSION" },
    { NULL },
  };

  jmc_options_add_entries (group, entries);
}

static gboolean
parse_state (JmcLedgerQuery *self)
{
  self->is_of_state = self->state_text != NULL;
  if (!self->is_of_state || jm_run_state_from_name (self->state_text, &self->state))
    return TRUE;

  jmc_output_complain ("--state=%s: neither running, ended nor lost", self->state_text);

  return FALSE;
}

static gboolean
parse_limit (JmcLedgerQuery *self)
{
  guint64 limit;

  if (self->limit_text == NULL)
    return TRUE;

  if (!g_ascii_string_to_unsigned (self->limit_text, 10, 1, G_MAXINT, &limit, NULL))
    {
      jmc_output_complain ("--limit=%s: not a number of jobs from 1 on",
                           self->limit_text);
      return FALSE;
    }
  self->limit = (guint) limit;

  return TRUE;
}

static gboolean
parse_moment (const char *option, const char *text, GDateTime *now, gint64 *time_us)
{
  g_autoptr (GError) error = NULL;

  if (text == NULL)
    return TRUE;

  if (!jm_moment_parse (text, now, time_us, &error))
    {
      jmc_output_complain ("%s: %s", option, error->message);
      return FALSE;
    }
  *time_us = MAX (*time_us, 1); /* 0 is for open */

  return TRUE;
}

static gboolean
parse_period (JmcLedgerQuery *self)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  if (!parse_moment ("--since", self->since_text, now, &self->since_us) ||
      !parse_moment ("--until", self->until_text, now, &self->until_us))
    return FALSE;

  if (self->until_us == 0 || self->since_us <= self->until_us)
    return TRUE;

  jmc_output_complain ("--since=%s is later than --until=%s", self->since_text,
                       self->until_text);

  return FALSE;
}

/* FALSE, and has reported why, where the options are invalid. */
gboolean
jmc_ledger_query_parse (JmcLedgerQuery *self)
{
  return jmc_selection_parse (&self->selection) && parse_state (self) &&
         parse_period (self) && parse_limit (self);
}

/* --- asking --- */

/* NULL for none, and for several, which the ledger is not asked for at once. */
static const char *
get_only (const char *text)
{
  return text != NULL && *text != '\0' && strchr (text, ',') == NULL ? text : NULL;
}

/* The same of --user, which may be a number. */
static const char *
get_only_user (const JmcLedgerQuery *self)
{
  const char *user = get_only (self->selection.users_text);

  return user != NULL && !g_ascii_isdigit (*user) ? user : NULL;
}

/* What the ledger is asked for: all that matches is among it. A limit is not, since
 * what comes may be thinned out afterwards. */
JmLedgerFilter *
jmc_ledger_query_make_filter (const JmcLedgerQuery *self, const char *job)
{
  JmLedgerFilter *filter = jm_ledger_filter_new ();
  const char *user = get_only_user (self);
  const char *account = get_only (self->selection.accounts_text);

  if (user != NULL)
    jm_ledger_filter_set_user (filter, user);
  if (job != NULL)
    jm_ledger_filter_set_job (filter, job);
  if (account != NULL)
    jm_ledger_filter_set_account (filter, account);
  if (self->is_of_state)
    jm_ledger_filter_set_state (filter, self->state);
  jm_ledger_filter_set_period (filter, self->since_us, self->until_us);

  return filter;
}

/* Whether the ledger itself can filter by all that the query selects: only then does a
 * limit on its records give that many. */
gboolean
jmc_ledger_query_is_exact (const JmcLedgerQuery *self)
{
  return self->selection.filter_text == NULL &&
         (self->selection.users_text == NULL || get_only_user (self) != NULL) &&
         (self->selection.accounts_text == NULL ||
          get_only (self->selection.accounts_text) != NULL);
}

static void
add_parameter (GString *text, const char *name, const char *value)
{
  g_autofree char *escaped =
    value != NULL ? g_uri_escape_string (value, NULL, FALSE) : NULL;

  if (escaped != NULL)
    g_string_append_printf (text, "&%s=%s", name, escaped);
}

static void
add_moment (GString *text, const char *name, gint64 seconds)
{
  g_string_append_printf (text, "&%s=%" G_GINT64_FORMAT, name, seconds);
}

/* The same for a URL, each with a & before it; times in whole seconds, outwards. */
char *
jmc_ledger_query_make_parameters (const JmcLedgerQuery *self, const char *job)
{
  GString *text = g_string_new (NULL);

  add_parameter (text, "job", job);
  add_parameter (text, "user", get_only_user (self));
  add_parameter (text, "account", get_only (self->selection.accounts_text));
  if (self->since_us > 0)
    add_moment (text, "since", self->since_us / G_USEC_PER_SEC);
  if (self->until_us > 0)
    add_moment (text, "until", self->until_us / G_USEC_PER_SEC + 1);

  return g_string_free (text, FALSE);
}

/* --- judging --- */

static gboolean
ran_meanwhile (const JmcLedgerQuery *self, JmJobRecord *record)
{
  const gint64 end_us = jm_job_record_get_end_time (record);

  if (self->since_us > 0 && end_us > 0 && end_us < self->since_us)
    return FALSE;

  return self->until_us == 0 || jm_job_record_get_begin_time (record) <= self->until_us;
}

/* Whether the record is meant; @job is NULL for any. */
gboolean
jmc_ledger_query_matches (const JmcLedgerQuery *self,
                          const char *job,
                          JmJobRecord *record)
{
  if (job != NULL && !jm_job_is_called (jm_job_record_get_job (record), job))
    return FALSE;
  if (self->is_of_state && jm_job_record_get_state (record) != self->state)
    return FALSE;

  return ran_meanwhile (self, record) &&
         jm_job_selection_has (self->selection.jobs,
                               jm_job_record_get_snapshot (record), JM_RECORD_SUBJECT);
}
