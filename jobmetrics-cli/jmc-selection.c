/* jmc-selection.c: the options that say which jobs are meant
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-selection.h"

#include "jmc-output.h"

void
jmc_selection_clear (JmcSelection *self)
{
  g_clear_pointer (&self->users_text, g_free);
  g_clear_pointer (&self->accounts_text, g_free);
  g_clear_pointer (&self->state_text, g_free);
  g_clear_pointer (&self->filter_text, g_free);
  g_clear_pointer (&self->users, g_strfreev);
  g_clear_pointer (&self->accounts, g_strfreev);
  g_clear_pointer (&self->filter, jmc_filter_free);
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

  g_option_group_add_entries (group, entries);
}

static gboolean
parse_state (JmcSelection *self)
{
  static const char *const names[] = {
    [JMC_STATE_RUNNING] = "running",
    [JMC_STATE_ENDED] = "ended",
  };

  if (self->state_text == NULL)
    return TRUE;

  for (JmcState i = JMC_STATE_RUNNING; i <= JMC_STATE_ENDED; i++)
    if (g_str_equal (self->state_text, names[i]))
      {
        self->state = i;
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

  self->filter = jmc_filter_parse (self->filter_text, &error);
  if (self->filter == NULL)
    jmc_output_complain ("--filter: %s", error->message);

  return self->filter != NULL;
}

/* FALSE, and has reported why, where the options cannot be meant. */
gboolean
jmc_selection_parse (JmcSelection *self)
{
  if (self->users_text != NULL)
    self->users = g_strsplit (self->users_text, ",", -1);
  if (self->accounts_text != NULL)
    self->accounts = g_strsplit (self->accounts_text, ",", -1);

  return parse_state (self) && parse_filter (self);
}

/* Whether none of the options was given. */
gboolean
jmc_selection_is_everything (const JmcSelection *self)
{
  return self->users == NULL && self->accounts == NULL &&
         self->state == JMC_STATE_ANY && self->filter == NULL;
}

guint
jmc_selection_get_collectors (const JmcSelection *self)
{
  return self->filter != NULL ? jmc_filter_get_collectors (self->filter) : 0;
}

static gboolean
is_one_of (JmJob *job, JmJobField field, char **names)
{
  const char *text = jm_job_get_field (job, field);

  return text != NULL && g_strv_contains ((const char *const *) names, text);
}

static gboolean
has_state (const JmcSelection *self, JmSnapshot *snapshot, guint subject)
{
  gboolean is_ended = jm_snapshot_get_end_time (snapshot, subject) > 0;

  return self->state == JMC_STATE_ANY ||
         (self->state == JMC_STATE_ENDED) == (is_ended != 0);
}

/* Whether the job @subject is meant. */
gboolean
jmc_selection_has (const JmcSelection *self, JmSnapshot *snapshot, guint subject)
{
  JmJob *job = jm_snapshot_get_job (snapshot, subject);

  if (self->users != NULL && !is_one_of (job, JM_JOB_FIELD_USER, self->users) &&
      !is_one_of (job, JM_JOB_FIELD_UID, self->users))
    return FALSE;

  if (self->accounts != NULL && !is_one_of (job, JM_JOB_FIELD_ACCOUNT, self->accounts))
    return FALSE;

  return has_state (self, snapshot, subject) &&
         (self->filter == NULL || jmc_filter_matches (self->filter, snapshot, subject));
}

/* The subjects (guint) of the jobs that are meant, in the snapshot's order. */
GArray *
jmc_selection_list (const JmcSelection *self, JmSnapshot *snapshot)
{
  GArray *jobs = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (jm_snapshot_get_level (snapshot, i) == JM_LEVEL_JOB &&
        jmc_selection_has (self, snapshot, i))
      g_array_append_val (jobs, i);

  return jobs;
}
