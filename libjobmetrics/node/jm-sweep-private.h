/* jm-sweep-private.h: one round over a node, and what it is made of
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "core/jm-snapshot.h"
#include "node/jm-job-tracker-private.h"
#include "node/jm-run-directory-private.h"
#include "node/jm-stage-private.h"

G_BEGIN_DECLS

/* One descriptor that polls readable when one of several does, and at a set time. */
typedef struct _JmAlarm JmAlarm;

JmAlarm *jm_alarm_new (void);
void jm_alarm_free (JmAlarm *self);

/* @fd stays the caller's. %FALSE where it cannot be polled. */
gboolean jm_alarm_add_fd (JmAlarm *self, int fd);

/* -1 as long as none was added: then nobody polls, and a set time wakes nobody. */
int jm_alarm_get_fd (const JmAlarm *self);

/* By the monotonic clock; G_MAXINT64 for never. What was set before is no more. */
void jm_alarm_set (JmAlarm *self, gint64 due_us);

/* Whoever was woken has come. */
void jm_alarm_clear (JmAlarm *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmAlarm, jm_alarm_free)

/* The runs that have ended and are on display still. */
typedef struct _JmEndedRuns JmEndedRuns;

/* @runs must outlive it. */
JmEndedRuns *jm_ended_runs_new (JmRunDirectory *runs, gint64 linger_us);
void jm_ended_runs_free (JmEndedRuns *self);

/* Adds to a round those of which the exporter alone knows, unless this is the exporter.
 */
void jm_ended_runs_add (JmEndedRuns *self, JmRound *round);

/* Gives the others those that a round saw the end of. */
void jm_ended_runs_publish (JmEndedRuns *self, JmSnapshot *snapshot);

/* ... of one between two rounds, of which @last was the one before. */
void
jm_ended_runs_publish_job (JmEndedRuns *self, JmTrackedJob *tracked, JmSnapshot *last);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEndedRuns, jm_ended_runs_free)

/* Lists the processes of @job (JmProcess), which @reader's cgroups hold. */
GPtrArray *jm_process_list_read (JmTrackedJob *job,
                                 JmCgroupReader *reader,
                                 JmProcessSource *table,
                                 GCancellable *cancellable,
                                 GError **error);

typedef struct _JmSweep JmSweep;

/* @sources must outlive the sweep, which copies nothing of @plan. Messages about what
 * is in the way go to @problems, of GError. */
JmSweep *
jm_sweep_new (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems);
void jm_sweep_free (JmSweep *self);

/* Puts a source of the set to use. */
void jm_sweep_add_source (JmSweep *self, const JmSourceEntry *entry);

/* What the programs of this machine agree on of its jobs. */
JmRunDirectory *jm_sweep_get_runs (JmSweep *self);

/* Says that rounds come at a steady interval: far more than that is a gap. */
void jm_sweep_set_interval (JmSweep *self, gint64 interval_us);

/* Goes on with what the ledger has, and keeps in it what comes. See jm_checkpoint_new()
 * for @memory. */
void jm_sweep_set_ledger (JmSweep *self, JmLedger *ledger, JmCheckpointMemory *memory);

/* Whether the last round is kept; waits for it no longer than that. */
gboolean jm_sweep_await_stored (JmSweep *self, gint64 timeout_us);

/* Waits until what answers in the background has done so once. */
void jm_sweep_wait (JmSweep *self, gint64 timeout_us);

int jm_sweep_get_event_fd (JmSweep *self);

/* Reads everything once. */
JmSnapshot *jm_sweep_sample (JmSweep *self);

/* The same, and returns what of it may be shown: waits no longer than that until it
 * outlives the program, see jm_held_counters_show(). */
JmSnapshot *jm_sweep_sample_to_show (JmSweep *self, gint64 timeout_us);

/* Between two rounds: follows births and deaths, and reads the jobs whose end is near.
 */
void jm_sweep_follow (JmSweep *self);

/* The same, and reads the job of that name; FALSE where there is none. */
gboolean jm_sweep_attend (JmSweep *self, const char *name);

/* The processes of a job (JmProcess) as they are now. */
GPtrArray *jm_sweep_list_processes (JmSweep *self,
                                    const char *job,
                                    GCancellable *cancellable,
                                    GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSweep, jm_sweep_free)

G_END_DECLS
