/* jm-run-verdict.h: whether a run was any good, in one sentence
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-quantity.h"
#include "judge/jm-run-report.h"

G_BEGIN_DECLS

/**
 * JmVerdictKind:
 * @JM_VERDICT_KIND_GOOD: it came to a good end, its use of CPUs, memory and
 *   accelerators is known, and no rule found waste or trouble
 * @JM_VERDICT_KIND_WASTE: it did not use a part of what it was given
 * @JM_VERDICT_KIND_TROUBLE: it failed, or something slowed it down
 * @JM_VERDICT_KIND_RUNNING: it is running, and no rule has found a problem so far
 * @JM_VERDICT_KIND_WAITING: it has not begun
 * @JM_VERDICT_KIND_TOO_SHORT: it was too short to judge how much it used
 * @JM_VERDICT_KIND_NOT_ENOUGH_DATA: a figure is missing that is needed to judge it, or
 *   no rules were asked
 *
 * The judgement of a run in one sentence.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_VERDICT_KIND_GOOD,
  JM_VERDICT_KIND_WASTE,
  JM_VERDICT_KIND_TROUBLE,
  JM_VERDICT_KIND_RUNNING,
  JM_VERDICT_KIND_WAITING,
  JM_VERDICT_KIND_TOO_SHORT,
  JM_VERDICT_KIND_NOT_ENOUGH_DATA,
} JmVerdictKind;

/**
 * JM_N_VERDICT_KINDS:
 *
 * How many #JmVerdictKind there are.
 *
 * Since: 0.1
 */
#define JM_N_VERDICT_KINDS (JM_VERDICT_KIND_NOT_ENOUGH_DATA + 1)

#define JM_TYPE_VERDICT_KIND (jm_verdict_kind_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_verdict_kind_get_type (void);

JM_AVAILABLE_IN_ALL
const char *jm_verdict_kind_get_name (JmVerdictKind kind);

/**
 * JmRunVerdict:
 *
 * The verdict on a run: an immutable record, shared by reference.
 *
 * Since: 0.1
 */
typedef struct _JmRunVerdict JmRunVerdict;

#define JM_TYPE_RUN_VERDICT (jm_run_verdict_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_run_verdict_get_type (void);

JM_AVAILABLE_IN_ALL
JmRunVerdict *jm_run_verdict_new (JmRunReport *report, GPtrArray *advice);

JM_AVAILABLE_IN_ALL
void jm_run_verdict_unref (JmRunVerdict *self);

JM_AVAILABLE_IN_ALL
JmVerdictKind jm_run_verdict_get_kind (JmRunVerdict *self);

JM_AVAILABLE_IN_ALL
const char *jm_run_verdict_get_title (JmRunVerdict *self);

JM_AVAILABLE_IN_ALL
const char *jm_run_verdict_get_sentence (JmRunVerdict *self);

JM_AVAILABLE_IN_ALL
const char *jm_run_verdict_get_next_step (JmRunVerdict *self);

JM_AVAILABLE_IN_ALL
const char *jm_run_verdict_get_cause (JmRunVerdict *self);

JM_AVAILABLE_IN_ALL
char *jm_run_verdict_to_string (JmRunVerdict *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunVerdict, jm_run_verdict_unref)

G_END_DECLS
