/* jm-job-states-private.h: the states of each job, as its scheduler reported them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/jm-archive-database-private.h"
#include "core/jm-run.h"
#include "schedulers/jm-scheduler-report.h"

G_BEGIN_DECLS

/* Adds a document to the history of each job that is not as it was, and what it has
 * to the job's run. Belongs to one thread, as its store does. */
typedef struct _JmJobStates JmJobStates;

JmJobStates *jm_job_states_new (JmArchiveDatabase *store);
void jm_job_states_free (JmJobStates *self);

/* @jobs is all of a cluster's queue, as it was at @time_us since 1970; @scheduler is
 * what its runs are called by. A job of which nothing was taken yet is compared with
 * the last of its documents. The run of a job that has been missing for ten minutes is
 * LOST where it was waiting and ENDED where it was running, unless the accounting knows
 * its end; none is while a part of the queue could not be read (@jobs has complaints).
 *
 * - Errors: those of the store, after which the same may be taken again. */
gboolean jm_job_states_take (JmJobStates *self,
                             const char *cluster,
                             const char *scheduler,
                             JmSchedulerReport *jobs,
                             gint64 time_us,
                             GError **error);

guint64 jm_job_states_get_n_documents (JmJobStates *self);

/* What stands in such a history of a job: JSON, on one line. */
char *jm_job_states_render (const JmSchedulerJob *job, gint64 time_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmJobStates, jm_job_states_free)

/* Fills in what the queue has of a job, as it was at @time_us since 1970: who it is,
 * what it does and why it waits, what it asks for and has. A job that waits has no
 * begin, whatever the scheduler expects, and one that is shown after its end has that.
 */
void jm_queued_run_fill (JmRun *run, const JmSchedulerJob *job, gint64 time_us);

G_END_DECLS
