/* jm-run-term-private.h: what rules of advice can ask of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-comparison-private.h"
#include "judge/jm-run-report.h"

G_BEGIN_DECLS

/* Names are those of the figures of runs, of what else rules ask, and of the texts of
 * stored runs; `cluster` is the run's, `user` the same as `user_name`. @of is the
 * JmRunReport. */
const JmVocabulary *jm_run_term_get_vocabulary (void);

/* As people read it, or as an option of the scheduler's commands takes it where that is
 * what it is for; NULL where it is not known. */
char *jm_run_term_format (const JmTerm *term, JmRunReport *report);

G_END_DECLS
