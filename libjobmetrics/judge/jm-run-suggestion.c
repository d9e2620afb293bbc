/* jm-run-suggestion.c: what the next run of a job should ask for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-suggestion-private.h"

#include "core/jm-run-private.h"
#include "judge/jm-run-report-private.h"

G_DEFINE_BOXED_TYPE (JmRunSuggestion,
                     jm_run_suggestion,
                     g_atomic_rc_box_acquire,
                     jm_run_suggestion_unref)

/* --- runs --- */

static gint64
get_end (JmRun *run)
{
  return jm_run_peek (run, JM_RUN_FIELD_END_TIME);
}

static gboolean
has_ended (JmRun *run)
{
  const gint64 start = jm_run_peek (run, JM_RUN_FIELD_START_TIME);

  return start > 0 && get_end (run) >= start;
}

static gboolean
has_same (JmRun *run, JmRun *other, JmRunField field)
{
  return g_strcmp0 (jm_run_peek_text (run, field), jm_run_peek_text (other, field)) ==
         0;
}

static gboolean
is_similar (JmRun *run, JmRun *other)
{
  return g_str_equal (jm_run_get_cluster (run), jm_run_get_cluster (other)) &&
         has_same (run, other, JM_RUN_FIELD_USER) &&
         has_same (run, other, JM_RUN_FIELD_NAME);
}

static JmRun *
find_last (GPtrArray *runs)
{
  JmRun *last = NULL;

  for (guint i = 0; i < runs->len; i++)
    if (has_ended (runs->pdata[i]) &&
        (last == NULL || get_end (runs->pdata[i]) > get_end (last)))
      last = runs->pdata[i];

  return last;
}

/* Those that have ended, and are of the same job as the last of them. */
static GPtrArray *
choose_runs (GPtrArray *runs, JmRun *last)
{
  GPtrArray *chosen = g_ptr_array_new ();

  for (guint i = 0; i < runs->len && chosen->len < JM_RUN_SUGGESTION_MAX_RUNS; i++)
    if (has_ended (runs->pdata[i]) && is_similar (runs->pdata[i], last))
      g_ptr_array_add (chosen, runs->pdata[i]);

  return chosen;
}

/* --- the suggestion --- */

/* How CPUs are shared among nodes is not known. */
static gboolean
is_on_many_nodes (JmRun *run)
{
  gint64 nodes = 0;

  return jm_run_get_number (run, JM_RUN_FIELD_NODES, &nodes) && nodes > 1;
}

static void
advise (JmRunSuggestion *self, JmRequestKind kind, GPtrArray *runs)
{
  JmRequestAdvice *request = &self->requests[kind];
  g_auto (JmRequestHistory) history = { 0 };

  jm_request_history_init (&history, kind, runs, self->confidence);
  request->n_known = history.entries->len;
  request->asked = jm_request_get_asked (kind, self->last);
  request->median = jm_request_history_get_median (&history);
  request->most = jm_request_history_get_most (&history);
  for (guint i = 0; i < JM_N_REQUEST_POLICIES; i++)
    request->trials[i] = jm_request_history_try (&history, i);
  if (kind != JM_REQUEST_KIND_CPUS || !is_on_many_nodes (self->last))
    request->suggested = jm_request_history_suggest (&history, &request->is_at_least);
}

/**
 * jm_run_suggestion_new:
 * @runs: (element-type JmRun): runs of a job, the last to end first
 * @confidence: the share of runs that a request should suffice for, between 0 and 1,
 *   such as %JM_RUN_SUGGESTION_CONFIDENCE
 *
 * Reckons from past runs what the next one should ask for. The runs count that have
 * ended and have cluster, user and name of the last of them; of these the first
 * %JM_RUN_SUGGESTION_MAX_RUNS. A run that was cancelled, failed or was killed may have
 * needed more than it used, and never lowers the suggestion.
 *
 * Returns: (transfer full): the suggestion
 * Since: 0.1
 */
JmRunSuggestion *
jm_run_suggestion_new (GPtrArray *runs, double confidence)
{
  g_autoptr (GPtrArray) chosen = NULL;
  JmRunSuggestion *self;
  JmRun *last;

  g_return_val_if_fail (runs != NULL, NULL);
  g_return_val_if_fail (confidence > 0 && confidence < 1, NULL);

  self = g_atomic_rc_box_new0 (JmRunSuggestion);
  self->confidence = confidence;
  last = find_last (runs);
  if (last == NULL)
    return self;

  self->last = jm_run_ref (last);
  chosen = choose_runs (runs, last);
  self->n_runs = chosen->len;
  for (guint i = 0; i < JM_N_REQUEST_KINDS; i++)
    advise (self, i, chosen);

  return self;
}

void
jm_run_suggestion_set_waits (JmRunSuggestion *self, GPtrArray *runs)
{
  const JmFigure limit = self->requests[JM_REQUEST_KIND_TIME_LIMIT].suggested;

  g_clear_pointer (&self->waits, jm_figures_free);
  self->waits = jm_figures_new ();
  if (self->last != NULL)
    jm_run_waits_expect (self->waits, self->last, limit.is_known ? limit.value : 0,
                         runs);
}

static void
clear (gpointer self)
{
  g_clear_pointer (&((JmRunSuggestion *) self)->last, jm_run_unref);
  g_clear_pointer (&((JmRunSuggestion *) self)->waits, jm_figures_free);
}

/**
 * jm_run_suggestion_unref:
 * @self: (transfer full): a suggestion
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
jm_run_suggestion_unref (JmRunSuggestion *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, clear);
}

/**
 * jm_run_suggestion_get_n_runs:
 * @self: a suggestion
 *
 * Gets how many runs counted.
 *
 * Returns: their number
 * Since: 0.1
 */
guint
jm_run_suggestion_get_n_runs (JmRunSuggestion *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_runs;
}

/**
 * jm_run_suggestion_get_n_known:
 * @self: a suggestion
 * @kind: a resource
 *
 * Gets of how many runs it is known how much of a resource they used, or needed at
 * least.
 *
 * Returns: their number
 * Since: 0.1
 */
guint
jm_run_suggestion_get_n_known (JmRunSuggestion *self, JmRequestKind kind)
{
  g_return_val_if_fail (self != NULL && (guint) kind < JM_N_REQUEST_KINDS, 0);

  return self->requests[kind].n_known;
}

static gboolean
get_figure (JmFigure figure, double *value)
{
  *value = figure.value;

  return figure.is_known;
}

/**
 * jm_run_suggestion_get_asked:
 * @self: a suggestion
 * @kind: a resource
 * @value: (out): return location for the amount, in the unit of @kind
 *
 * Gets how much the last run asked for.
 *
 * Returns: whether it is known
 * Since: 0.1
 */
gboolean
jm_run_suggestion_get_asked (JmRunSuggestion *self, JmRequestKind kind, double *value)
{
  g_return_val_if_fail (self != NULL && (guint) kind < JM_N_REQUEST_KINDS, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  return get_figure (self->requests[kind].asked, value);
}

/**
 * jm_run_suggestion_get_median:
 * @self: a suggestion
 * @kind: a resource
 * @value: (out): return location for the amount, in the unit of @kind
 *
 * Gets how much half of the runs used at most.
 *
 * Returns: whether it is known
 * Since: 0.1
 */
gboolean
jm_run_suggestion_get_median (JmRunSuggestion *self, JmRequestKind kind, double *value)
{
  g_return_val_if_fail (self != NULL && (guint) kind < JM_N_REQUEST_KINDS, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  return get_figure (self->requests[kind].median, value);
}

/**
 * jm_run_suggestion_get_most:
 * @self: a suggestion
 * @kind: a resource
 * @value: (out): return location for the amount, in the unit of @kind
 *
 * Gets the most that a run used.
 *
 * Returns: whether it is known
 * Since: 0.1
 */
gboolean
jm_run_suggestion_get_most (JmRunSuggestion *self, JmRequestKind kind, double *value)
{
  g_return_val_if_fail (self != NULL && (guint) kind < JM_N_REQUEST_KINDS, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  return get_figure (self->requests[kind].most, value);
}

/**
 * jm_run_suggestion_get_suggested:
 * @self: a suggestion
 * @kind: a resource
 * @value: (out): return location for the amount, in the unit of @kind
 *
 * Gets how much the next run should ask for: what would have sufficed for the chosen
 * share of the runs, with a margin of a fifth for memory and of a quarter for time, up
 * to a number that people write. What the last run asked for is kept where that
 * sufficed and the margin alone would be more. Of CPUs there is a suggestion where most
 * runs kept less than half of theirs busy, of accelerators there is none.
 *
 * Returns: whether there is a suggestion
 * Since: 0.1
 */
gboolean
jm_run_suggestion_get_suggested (JmRunSuggestion *self,
                                 JmRequestKind kind,
                                 double *value)
{
  g_return_val_if_fail (self != NULL && (guint) kind < JM_N_REQUEST_KINDS, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  return get_figure (self->requests[kind].suggested, value);
}

/**
 * jm_run_suggestion_is_at_least:
 * @self: a suggestion
 * @kind: a resource
 *
 * Gets whether more than the suggestion may be needed: so many runs failed, were
 * cancelled or were killed that it is not known how much would have sufficed.
 *
 * Returns: whether it may
 * Since: 0.1
 */
gboolean
jm_run_suggestion_is_at_least (JmRunSuggestion *self, JmRequestKind kind)
{
  g_return_val_if_fail (self != NULL && (guint) kind < JM_N_REQUEST_KINDS, FALSE);

  return self->requests[kind].is_at_least;
}

/**
 * jm_run_suggestion_get_n_judged:
 * @self: a suggestion
 * @kind: a resource
 * @policy: a way to choose a request
 *
 * Gets on how many of the runs a policy could be tried: on those that began when five
 * others had ended, and of which it is known whether the request would have sufficed.
 *
 * Returns: their number
 * Since: 0.1
 */
guint
jm_run_suggestion_get_n_judged (JmRunSuggestion *self,
                                JmRequestKind kind,
                                JmRequestPolicy policy)
{
  g_return_val_if_fail (self != NULL && (guint) kind < JM_N_REQUEST_KINDS, 0);
  g_return_val_if_fail ((guint) policy < JM_N_REQUEST_POLICIES, 0);

  return self->requests[kind].trials[policy].n_judged;
}

/**
 * jm_run_suggestion_get_n_failed:
 * @self: a suggestion
 * @kind: a resource
 * @policy: a way to choose a request
 *
 * Gets how many of these runs would have failed, or would have been slower with fewer
 * CPUs than they kept busy.
 *
 * Returns: their number
 * Since: 0.1
 */
guint
jm_run_suggestion_get_n_failed (JmRunSuggestion *self,
                                JmRequestKind kind,
                                JmRequestPolicy policy)
{
  g_return_val_if_fail (self != NULL && (guint) kind < JM_N_REQUEST_KINDS, 0);
  g_return_val_if_fail ((guint) policy < JM_N_REQUEST_POLICIES, 0);

  return self->requests[kind].trials[policy].n_failed;
}

/**
 * jm_run_suggestion_get_saved:
 * @self: a suggestion
 * @kind: a resource
 * @policy: a way to choose a request
 * @amount: (out): return location for byte hours of memory, CPU hours, or hours of the
 *   time limit
 * @percent: (out): return location for its share of what these runs reserved
 *
 * Gets how much less these runs would have reserved; negative where it is more. A run
 * that would have failed counts as one that reserved the smaller request in vain.
 *
 * Returns: whether it is known
 * Since: 0.1
 */
gboolean
jm_run_suggestion_get_saved (JmRunSuggestion *self,
                             JmRequestKind kind,
                             JmRequestPolicy policy,
                             double *amount,
                             double *percent)
{
  const JmRequestTrial *trial;

  g_return_val_if_fail (self != NULL && (guint) kind < JM_N_REQUEST_KINDS, FALSE);
  g_return_val_if_fail ((guint) policy < JM_N_REQUEST_POLICIES, FALSE);
  g_return_val_if_fail (amount != NULL && percent != NULL, FALSE);

  trial = &self->requests[kind].trials[policy];
  *amount = trial->saved;
  *percent = trial->saved_percent.value;

  return trial->saved_percent.is_known;
}
