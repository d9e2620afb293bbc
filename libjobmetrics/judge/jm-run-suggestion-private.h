/* jm-run-suggestion-private.h: what the next run should ask for, and its forms
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-json-private.h"
#include "base/jm-json-writer-private.h"
#include "core/jm-figures-private.h"
#include "judge/jm-request-history-private.h"
#include "judge/jm-run-suggestion.h"

G_BEGIN_DECLS

typedef struct
{
  guint n_known;
  JmFigure asked; /* last */
  JmFigure median;
  JmFigure most;
  JmFigure suggested;
  gboolean is_at_least;
  JmRequestTrial trials[JM_N_REQUEST_POLICIES];
} JmRequestAdvice;

struct _JmRunSuggestion
{
  JmRun *last; /* NULL where no run has ended */
  guint n_runs;
  double confidence;
  JmRequestAdvice requests[JM_N_REQUEST_KINDS];
  JmFigures *waits; /* NULL where they were not asked for */
};

/* How long @runs, of JmRun, of the partition of the last run waited before they began.
 * To be called before anybody else has the suggestion. */
void jm_run_suggestion_set_waits (JmRunSuggestion *self, GPtrArray *runs);

/* What confidence can be asked for. */
#define JM_RUN_SUGGESTION_LEAST_CONFIDENCE 0.5
#define JM_RUN_SUGGESTION_MOST_CONFIDENCE 0.99

/* `0.9` or `90%`, of 50% to 99%.
 *
 * - Errors: `INVALID` for anything else. */
gboolean jm_run_suggestion_parse_confidence (const char *text,
                                             double *confidence,
                                             GError **error);

/* Whether the options are the scheduler's: they are Slurm's. */
gboolean jm_run_suggestion_is_of_slurm (const JmRunSuggestion *self);

/* How a kind of request is called in a sentence, and its figures; NULL where they are
 * absent. */
const char *jm_request_kind_get_title (JmRequestKind kind);
char *jm_request_kind_format (JmRequestKind kind, JmFigure figure);

/* What was saved, such as `1.2 TiB h`. */
char *jm_request_kind_format_saved (JmRequestKind kind, double amount);

/* The members of an object, or all of it: numbers in base units. What is not known is
 * left out. */
void jm_run_suggestion_add_json (JmRunSuggestion *self, JmJsonWriter *json);
void jm_run_suggestion_append_json (JmRunSuggestion *self, JmJsonWriter *json);

/* Reads what jm_run_suggestion_append_json() wrote: the same text comes of it. A figure
 * that cannot be one is not known.
 *
 * @about: what messages call the document
 *
 * - Errors: `MALFORMED` where it is no suggestion. */
JmRunSuggestion *
jm_run_suggestion_read_json (JsonNode *json, const char *about, GError **error);

G_END_DECLS
