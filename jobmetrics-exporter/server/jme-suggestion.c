/* jme-suggestion.c: what the next run of a job should ask for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-suggestion.h"

#include "base/jm-error.h"
#include "judge/jm-run-suggestion-private.h"
#include "server/jme-archive-query.h"

#define SUGGESTION "/api/v1/suggestion"

/* The rest of the suggestion is good without them, unless nobody waits for it any
 * more. */
static gboolean
add_waits (JmeAnswer *answer, JmRunSuggestion *suggestion, GError **error)
{
  GCancellable *cancellable = jme_request_get_cancellable (answer->request);
  g_autoptr (GError) problem = NULL;

  if (jm_archive_database_add_waits (answer->store, suggestion, answer->viewer,
                                     &problem))
    return TRUE;
  if (g_cancellable_is_cancelled (cancellable))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  g_warning ("the waits of a suggestion cannot be read: %s", problem->message);

  return TRUE;
}

JmRunSuggestion *
jme_suggestion_find (JmeAnswer *answer,
                     JmRunFilter *filter,
                     double confidence,
                     GError **error)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  g_autoptr (JmRunSuggestion) suggestion = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autofree char *next = NULL;

  jm_run_filter_set_period (filter, now - JM_RUN_SUGGESTION_MAX_AGE, 0);
  jm_run_filter_set_sort (filter, "-end", NULL);
  jm_run_filter_set_limit (filter, JM_RUN_SUGGESTION_MAX_RUNS);
  runs =
    jm_archive_database_list_runs (answer->store, filter, answer->viewer, &next, error);

  if (runs == NULL)
    return NULL;

  suggestion = jm_run_suggestion_new (runs, confidence);

  return add_waits (answer, suggestion, error) ? g_steal_pointer (&suggestion) : NULL;
}

/* One's own, unless another is named. */
static gboolean
choose_user (JmeAnswer *answer, const JmeArchiveQuery *query, GError **error)
{
  const char *const own[] = { answer->user != NULL ? answer->user : "", NULL };
  g_auto (GStrv) users = jme_request_get_values (answer->request, "user");
  const guint n_users = g_strv_length (users);

  if (n_users == 0)
    jm_run_filter_set_users (query->filter, own);
  if (n_users <= 1)
    return TRUE;

  g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID, "user: there too often");

  return FALSE;
}

static void
on_suggestion (JmeRequest *request, gpointer accounts)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRunSuggestion) suggestion = NULL;

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  if (jme_archive_query_init (&query, request, JME_ARCHIVE_SUGGESTION, &error) &&
      choose_user (&answer, &query, &error))
    suggestion = jme_suggestion_find (&answer, query.filter, query.confidence, &error);
  if (suggestion == NULL)
    {
      jme_answer_fail (&answer, error);
      return;
    }

  jm_run_suggestion_append_json (suggestion, &answer.json);
  jme_answer_reply_json (&answer);
}

const JmeRoute jme_suggestion_routes[] = {
  { .path = SUGGESTION, JME_ANSWER_ROUTE, .handler = on_suggestion },
  { NULL },
};
