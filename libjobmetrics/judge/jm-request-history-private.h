/* jm-request-history-private.h: what past runs asked for and used of one resource
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "judge/jm-run-suggestion.h"

G_BEGIN_DECLS

/* JmRequestHistory:
 * @entries: the runs whose use is known, the last to end first
 * @by_need: numbers of @entries, the least use first; a lower bound comes after a use
 *   of the same size */
typedef struct
{
  JmRequestKind kind;
  double confidence;
  GArray *entries;
  GArray *by_need;
} JmRequestHistory;

/* JmRequestTrial:
 * @n_judged: runs of which it is known whether the request would have sufficed
 * @n_failed: those of them for which it would not
 * @saved: what would not have been reserved, in hours of the kind's unit
 * @saved_percent: its share of what those runs did reserve, where that is known */
typedef struct
{
  guint n_judged;
  guint n_failed;
  double saved;
  JmFigure saved_percent;
} JmRequestTrial;

/* @runs is of JmRun, in any order. */
void jm_request_history_init (JmRequestHistory *self,
                              JmRequestKind kind,
                              GPtrArray *runs,
                              double confidence);
void jm_request_history_clear (JmRequestHistory *self);

/* What a run asked for, as its scheduler knows; absent where it does not. */
JmFigure jm_request_get_asked (JmRequestKind kind, JmRun *run);

JmFigure jm_request_history_get_median (const JmRequestHistory *self);
JmFigure jm_request_history_get_most (const JmRequestHistory *self);

/* What the next run should ask for; absent where too few runs are known, or where they
 * do not show it. @is_at_least: more may be needed. */
JmFigure jm_request_history_suggest (const JmRequestHistory *self,
                                     gboolean *is_at_least);

/* Applies a policy to each run by the runs that had ended when it began. Users ask
 * earlier; but runs that were submitted together could not be tried otherwise. */
JmRequestTrial jm_request_history_try (const JmRequestHistory *self,
                                       JmRequestPolicy policy);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmRequestHistory, jm_request_history_clear)

G_END_DECLS
