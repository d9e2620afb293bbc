/* jmc-selection.c: the options that say which jobs are meant
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-selection.h"

#include "core/jm-filter-private.h"
#include "jmc-options.h"
#include "jmc-output.h"

void
jmc_selection_clear (JmcSelection *self)
{
  g_clear_pointer (&self->users_text, g_free);
  g_clear_pointer (&self->accounts_text, g_free);
  g_clear_pointer (&self->state_text, g_free);
  g_clear_pointer (&self->filter_text, g_free);
  g_clear_pointer (&self->filter, jm_filter_unref);
  g_clear_object (&self->jobs);
}

/* --user, --account, --state and --filter. */
void
jmc_selection_add_entries (JmcSelection *self, GOptionGroup *group)
{
  const GOptionEntry entries[] = {
    { "user", 0, 0, G_OPTION_ARG_STRING, &self->users_text,
      "Only jobs of these users, by name or number", "NAME,…" },
    { "account", 0, 0, G_OPTION_ARG_STRING, &self->accounts_text,
      "Only jobs of these accounts", "NAME,…" },
    { "state", 0, 0, G_OPTION_ARG_STRING, &self->state_text,
      "Only jobs that are running, or that ended", "STATE" },
    { "filter", 0, 0, G_OPTION_ARG_STRING, &self->filter_text,
      "Only jobs of which this is true, such as 'mem > 1G && user == alice'",
      "EXPRESSION" },
    { NULL },
  };

  jmc_options_add_entries (group, entries);
}

static gboolean
parse_state (JmcSelection *self)
{
  static const char *const names[] = {
    [JM_JOB_STATE_RUNNING] = "running",
    [JM_JOB_STATE_ENDED] = "ended",
  };

  if (self->state_text == NULL)
    return TRUE;

  for (guint i = JM_JOB_STATE_RUNNING; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (self->state_text, names[i]))
      {
        jm_job_selection_set_state (self->jobs, i);
        return TRUE;
      }

  jmc_output_complain ("--state=%s: neither running nor ended", self->state_text);

  return FALSE;
}

static gboolean
parse_filter (JmcSelection *self)
{
  g_autoptr (GError) error = NULL;

  if (self->filter_text == NULL)
    return TRUE;

  self->filter = jm_filter_new (self->filter_text, &error);
  if (self->filter != NULL)
    jm_job_selection_set_filter (self->jobs, self->filter);
  else
    jmc_output_complain ("--filter: %s", error->message);

  return self->filter != NULL;
}

static char **
split (const char *text)
{
  return text != NULL ? g_strsplit (text, ",", -1) : NULL;
}

/* FALSE, and has reported why, where the options are invalid. */
gboolean
jmc_selection_parse (JmcSelection *self)
{
  g_auto (GStrv) users = split (self->users_text);
  g_auto (GStrv) accounts = split (self->accounts_text);

  self->jobs = jm_job_selection_new ();
  jm_job_selection_set_users (self->jobs, (const char *const *) users);
  jm_job_selection_set_accounts (self->jobs, (const char *const *) accounts);

  return parse_state (self) && parse_filter (self);
}

/* Adds the fields (const JmField) by which jobs are chosen. */
void
jmc_selection_add_fields (const JmcSelection *self, GPtrArray *fields)
{
  if (self->filter != NULL)
    jm_filter_add_fields (self->filter, fields);
}
