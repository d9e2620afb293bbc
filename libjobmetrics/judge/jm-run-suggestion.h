/* jm-run-suggestion.h: what the next run of a job should ask for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run.h"

G_BEGIN_DECLS

/**
 * JmRequestKind:
 * @JM_REQUEST_KIND_MEMORY: memory of each node, bytes
 * @JM_REQUEST_KIND_TIME_LIMIT: time limit, seconds
 * @JM_REQUEST_KIND_CPUS: CPUs of all nodes together
 * @JM_REQUEST_KIND_GPUS: accelerators of all nodes together
 *
 * A resource that a job asks its scheduler for.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_REQUEST_KIND_MEMORY,
  JM_REQUEST_KIND_TIME_LIMIT,
  JM_REQUEST_KIND_CPUS,
  JM_REQUEST_KIND_GPUS,
} JmRequestKind;

/**
 * JM_N_REQUEST_KINDS:
 *
 * How many #JmRequestKind there are.
 *
 * Since: 0.1
 */
#define JM_N_REQUEST_KINDS (JM_REQUEST_KIND_GPUS + 1)

/**
 * JmRequestPolicy:
 * @JM_REQUEST_POLICY_SUGGESTION: the suggestion
 * @JM_REQUEST_POLICY_KEEP: what each run did ask for
 * @JM_REQUEST_POLICY_LAST: a fifth more than the run before used
 * @JM_REQUEST_POLICY_MOST: the most that one of the last ten runs used
 *
 * A way to choose a request, tried on past runs.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_REQUEST_POLICY_SUGGESTION,
  JM_REQUEST_POLICY_KEEP,
  JM_REQUEST_POLICY_LAST,
  JM_REQUEST_POLICY_MOST,
} JmRequestPolicy;

/**
 * JM_N_REQUEST_POLICIES:
 *
 * How many #JmRequestPolicy there are.
 *
 * Since: 0.1
 */
#define JM_N_REQUEST_POLICIES (JM_REQUEST_POLICY_MOST + 1)

/**
 * JM_RUN_SUGGESTION_CONFIDENCE:
 *
 * The share of runs that a suggestion suffices for, where no other is given.
 *
 * Since: 0.1
 */
#define JM_RUN_SUGGESTION_CONFIDENCE 0.95

/**
 * JM_RUN_SUGGESTION_MIN_RUNS:
 *
 * With fewer runs there is no suggestion.
 *
 * Since: 0.1
 */
#define JM_RUN_SUGGESTION_MIN_RUNS 5

/**
 * JM_RUN_SUGGESTION_MAX_RUNS:
 *
 * On how many runs a suggestion rests at most.
 *
 * Since: 0.1
 */
#define JM_RUN_SUGGESTION_MAX_RUNS 500

/**
 * JM_RUN_SUGGESTION_MAX_AGE:
 *
 * How old the runs are at most that a suggestion rests on: 180 days, in seconds.
 *
 * Since: 0.1
 */
#define JM_RUN_SUGGESTION_MAX_AGE 15552000

#define JM_TYPE_REQUEST_KIND (jm_request_kind_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_request_kind_get_type (void);

#define JM_TYPE_REQUEST_POLICY (jm_request_policy_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_request_policy_get_type (void);

/**
 * JmRunSuggestion:
 *
 * What the next run of a job should ask for, as its past runs show: an immutable
 * record, shared by reference.
 *
 * Since: 0.1
 */
typedef struct _JmRunSuggestion JmRunSuggestion;

#define JM_TYPE_RUN_SUGGESTION (jm_run_suggestion_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_run_suggestion_get_type (void);

JM_AVAILABLE_IN_ALL
JmRunSuggestion *jm_run_suggestion_new (GPtrArray *runs, double confidence);

JM_AVAILABLE_IN_ALL
void jm_run_suggestion_unref (JmRunSuggestion *self);

JM_AVAILABLE_IN_ALL
char *jm_run_suggestion_describe_wait (JmRunSuggestion *self);

JM_AVAILABLE_IN_ALL
guint jm_run_suggestion_get_n_runs (JmRunSuggestion *self);

JM_AVAILABLE_IN_ALL
guint jm_run_suggestion_get_n_known (JmRunSuggestion *self, JmRequestKind kind);

JM_AVAILABLE_IN_ALL
gboolean
jm_run_suggestion_get_asked (JmRunSuggestion *self, JmRequestKind kind, double *value);

JM_AVAILABLE_IN_ALL
gboolean
jm_run_suggestion_get_median (JmRunSuggestion *self, JmRequestKind kind, double *value);

JM_AVAILABLE_IN_ALL
gboolean
jm_run_suggestion_get_most (JmRunSuggestion *self, JmRequestKind kind, double *value);

JM_AVAILABLE_IN_ALL
gboolean jm_run_suggestion_get_suggested (JmRunSuggestion *self,
                                          JmRequestKind kind,
                                          double *value);

JM_AVAILABLE_IN_ALL
gboolean jm_run_suggestion_is_at_least (JmRunSuggestion *self, JmRequestKind kind);

JM_AVAILABLE_IN_ALL
guint jm_run_suggestion_get_n_judged (JmRunSuggestion *self,
                                      JmRequestKind kind,
                                      JmRequestPolicy policy);

JM_AVAILABLE_IN_ALL
guint jm_run_suggestion_get_n_failed (JmRunSuggestion *self,
                                      JmRequestKind kind,
                                      JmRequestPolicy policy);

JM_AVAILABLE_IN_ALL
gboolean jm_run_suggestion_get_saved (JmRunSuggestion *self,
                                      JmRequestKind kind,
                                      JmRequestPolicy policy,
                                      double *amount,
                                      double *percent);

JM_AVAILABLE_IN_ALL
char *jm_run_suggestion_to_string (JmRunSuggestion *self);

JM_AVAILABLE_IN_ALL
char **jm_run_suggestion_list_options (JmRunSuggestion *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunSuggestion, jm_run_suggestion_unref)

G_END_DECLS
