/* jmc-run-choice.c: which run of the accounts an id means
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-run-choice.h"

#include "core/jm-error.h"
#include "store/jm-run-derived-private.h"

/* Of an array all tasks are called so; the newest thousand are enough. */
#define MAX_RUNS 1000

typedef struct
{
  const char *job;
  JmStoredRun *newest;
  gboolean is_exact; /* it is that job itself, not one of its array */
  guint n_runs;
} Choice;

static gint64
get_time (JmStoredRun *run)
{
  gint64 time = 0;

  if (!jm_stored_run_get_number (run, JM_RUN_FIELD_START_TIME, &time))
    jm_stored_run_get_number (run, JM_RUN_FIELD_SUBMIT_TIME, &time);

  return time;
}

static void
on_run (JmStoredRun *run, gpointer data)
{
  Choice *self = data;
  const gboolean is_exact = g_str_equal (jm_run_derived_get_job_id (run), self->job);

  self->n_runs++;
  if (self->newest != NULL &&
      (is_exact != self->is_exact ? self->is_exact
                                  : get_time (run) <= get_time (self->newest)))
    return;

  g_clear_pointer (&self->newest, jm_stored_run_unref);
  self->newest = jm_stored_run_ref (run);
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

char *
jmc_run_choice_find (JmcAccountsSource *source,
                     const char *job,
                     const char *cluster,
                     GError **error)
{
  g_auto (JmcAccountsQuery) query = { .sort = "-start", .limit = MAX_RUNS };
  Choice choice = { .job = job };
  g_autoptr (JmStoredRun) newest = NULL;
  gboolean is_read;

  query.job = g_strdup (job);
  query.cluster = g_strdup (cluster);
  is_read = jmc_accounts_source_read_runs (source, &query, on_run, &choice, error);
  newest = choice.newest;
  if (!is_read)
    return NULL;
  if (newest == NULL || jm_stored_run_get_text (newest, JM_RUN_FIELD_UUID) == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no such job in the accounts",
                   job);
      return NULL;
    }
  hint_at_others (&choice);

  return g_strdup (jm_stored_run_get_text (newest, JM_RUN_FIELD_UUID));
}
