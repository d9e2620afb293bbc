/* jmc-run-choice.c: which run of the accounts an id means
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-run-choice.h"

#include "core/jm-error.h"
#include "core/jm-run-derived-private.h"

/* Of an array all tasks are called so; the newest thousand are enough. */
#define MAX_RUNS 1000

typedef struct
{
  const char *job; /* NULL for any */
  JmRun *newest;
  gboolean is_exact; /* it is that job itself, not one of its array */
  guint n_runs;
} Choice;

static void
choice_clear (Choice *self)
{
  g_clear_pointer (&self->newest, jm_run_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Choice, choice_clear)

static gint64
get_time (JmRun *run)
{
  gint64 time = 0;

  if (!jm_run_get_number (run, JM_RUN_FIELD_START_TIME, &time))
    jm_run_get_number (run, JM_RUN_FIELD_SUBMIT_TIME, &time);

  return time;
}

static void
on_run (JmRun *run, gpointer data)
{
  Choice *self = data;
  const gboolean is_exact = g_strcmp0 (jm_run_derived_get_job_id (run), self->job) == 0;

  self->n_runs++;
  if (self->newest != NULL &&
      (is_exact != self->is_exact ? self->is_exact
                                  : get_time (run) <= get_time (self->newest)))
    return;

  g_clear_pointer (&self->newest, jm_run_unref);
  self->newest = jm_run_ref (run);
  self->is_exact = is_exact;
}

static void
hint_at_others (const Choice *choice)
{
  if (choice->n_runs > 1)
    jmc_output_complain ("%s: the newest of %u runs; the others: jobmetrics-cli "
                         "history "
                         "--job=%s --columns=jobid,began,state,uuid",
                         choice->job, choice->n_runs, choice->job);
}

static char *
get_uuid (Choice *self, const char *missing, GError **error)
{
  g_autoptr (JmRun) newest = g_steal_pointer (&self->newest);
  const char *uuid =
    newest != NULL ? jm_run_get_text (newest, JM_RUN_FIELD_UUID) : NULL;

  if (uuid == NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s", missing);

  return g_strdup (uuid);
}

char *
jmc_run_choice_find (JmcAccountsSource *source,
                     const char *job,
                     const char *cluster,
                     GError **error)
{
  g_auto (JmcAccountsQuery) query = { .sort = "-start", .limit = MAX_RUNS };
  g_auto (Choice) choice = { .job = job };
  g_autofree char *missing = g_strdup_printf ("%s: no such job in the accounts", job);
  char *uuid;

  query.job = g_strdup (job);
  query.cluster = g_strdup (cluster);
  if (!jmc_accounts_source_read_runs (source, &query, on_run, &choice, error))
    return NULL;

  uuid = get_uuid (&choice, missing, error);
  if (uuid != NULL)
    hint_at_others (&choice);

  return uuid;
}

char *
jmc_run_choice_find_last (JmcAccountsSource *source,
                          const char *cluster,
                          GError **error)
{
  const char *const users[] = { source->user, NULL };
  g_auto (JmcAccountsQuery) query = { .sort = "-start", .limit = 1 };
  g_auto (Choice) choice = { 0 };
  g_autofree char *missing =
    g_strdup_printf ("the accounts have no run of %s", source->user);

  query.users = g_strdupv ((char **) users);
  query.cluster = g_strdup (cluster);
  if (!jmc_accounts_source_read_runs (source, &query, on_run, &choice, error))
    return NULL;

  return get_uuid (&choice, missing, error);
}
