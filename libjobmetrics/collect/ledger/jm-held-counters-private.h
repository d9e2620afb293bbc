/* jm-held-counters-private.h: counters that wait for a slow disk
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/ledger/jm-checkpoint-private.h"
#include "core/jm-snapshot-private.h"

G_BEGIN_DECLS

/* While a round is neither in memory that outlives the program nor in the ledger, the
 * counters that only this program keeps are shown as they were stored last, or not at
 * all if they never were: a program that follows a kill shows no less. The others, and
 * gauges, are shown as they are. */
typedef struct _JmHeldCounters JmHeldCounters;

/* What is stored is shown for @longest_us at most. After that all is shown as it is, and
 * the ledger as one that is not up, until it has caught up with what was shown. */
JmHeldCounters *jm_held_counters_new (JmCheckpoint *checkpoint, gint64 longest_us);
void jm_held_counters_free (JmHeldCounters *self);

/* Waits no longer than that until @snapshot is stored, which was handed over last and
 * was made of @readings. @sums has the numbers, of guint, upwards, of the subjects whose
 * CPU time is a sum over processes: the kernel keeps none that goes on without them.
 *
 * Returns: (transfer full): what of it may be shown */
JmSnapshot *jm_held_counters_show (JmHeldCounters *self,
                                   JmSnapshot *snapshot,
                                   JmReadings *readings,
                                   GArray *sums,
                                   gint64 timeout_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmHeldCounters, jm_held_counters_free)

G_END_DECLS
