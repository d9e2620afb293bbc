/* jm-ended-runs-private.h: what the exporter saw the end of, for all programs of the
 * node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/jm-run-directory-private.h"
#include "collect/jm-stage-private.h"
#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/* The runs that have ended and are on display still. */
typedef struct _JmEndedRuns JmEndedRuns;

/* @runs must outlive it. */
JmEndedRuns *jm_ended_runs_new (JmRunDirectory *runs, gint64 linger_us);
void jm_ended_runs_free (JmEndedRuns *self);

/* Adds to a round those of which the exporter alone knows, unless this is the exporter.
 */
void jm_ended_runs_add (JmEndedRuns *self, JmRound *round);

/* Tells the others of those that a round saw the end of. */
void jm_ended_runs_publish (JmEndedRuns *self, JmSnapshot *snapshot);

/* ... of one between two rounds, of which @last was the one before. */
void
jm_ended_runs_publish_job (JmEndedRuns *self, JmTrackedJob *tracked, JmSnapshot *last);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEndedRuns, jm_ended_runs_free)

G_END_DECLS
