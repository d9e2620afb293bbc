/* jm-job-history-private.h: what a job did so far
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-record-private.h"
#include "core/jm-snapshot-private.h"

G_BEGIN_DECLS

/* Made empty; what is too many, or has a name that no reader takes, is left out. */
typedef struct
{
  JmCoverage coverages[JM_RECORD_MAX_COVERAGES];
  guint n;
} JmCoverages;

/* A job's life, for how long of it somebody watched, and how its totals were got. */
typedef struct
{
  gint64 life_us;
  gint64 observed_us;
  JmTotalMethod method;
} JmWatched;

void jm_coverages_add (JmCoverages *self,
                       const char *what,
                       double ratio,
                       JmTotalMethod method);

/* @is_read: it had figures, however short its life was. */
void
jm_coverages_add_life (JmCoverages *self, const JmWatched *watched, gboolean is_read);

/* Of each part of the node, and of each of its sockets where there are several. */
void jm_coverages_add_energy (JmCoverages *self,
                              const JmWatched *watched,
                              JmSnapshot *snapshot,
                              guint subject);

/* Follows one run of a job from round to round: its profile, and how much of it was
 * observed. */
typedef struct _JmJobHistory JmJobHistory;

/* A job that was first seen then. */
JmJobHistory *jm_job_history_new (gint64 seen_us);

/* One of which an earlier program kept @record: what was not observed meanwhile is a
 * gap. */
JmJobHistory *jm_job_history_restore (JmJobRecord *record);

void jm_job_history_free (JmJobHistory *self);

/* The clock was set by so much: all times so far are so much later. */
void jm_job_history_move (JmJobHistory *self, gint64 by_us);

/**
 * JmJobReading:
 * @time_us: when the job's counters were read last, since 1970; 0 for never
 * @is_final: whether its last process had gone by then
 * @is_of_processes: whether CPU time is the sum over those processes that were seen
 * @cpu_us: up to when all its CPU time is known, where that is later; else 0
 *
 * What is known of the figures of a job in a round.
 */
typedef struct
{
  gint64 time_us;
  gboolean is_final;
  gboolean is_of_processes;
  gint64 cpu_us;
} JmJobReading;

/* Takes a round: the figures of @subject, the job; the energy goes up to @energy_us,
 * which is 0 where none came since the round before. */
void jm_job_history_take (JmJobHistory *self,
                          JmSnapshot *snapshot,
                          guint subject,
                          const JmJobReading *reading,
                          gint64 energy_us);

/* The most of it that was seen at once: of processes, threads, and memory without
 * files.
 */
guint64 jm_job_history_raise_peak (JmJobHistory *self, JmMetric peak, guint64 now);

/* The record of it as it is now; @end_us is 0 while it runs. */
JmJobRecord *jm_job_history_make_record (JmJobHistory *self,
                                         const char *node,
                                         JmSnapshot *snapshot,
                                         guint subject,
                                         gint64 end_us);

/* Whether it is time to keep what is known of it, as @job, while it runs. */
gboolean jm_job_history_is_due (const JmJobHistory *self, JmJob *job, gint64 now_us);
void jm_job_history_keep (JmJobHistory *self, JmJob *job, gint64 now_us);

/* Its record is written for good. */
void jm_job_history_close (JmJobHistory *self);
gboolean jm_job_history_is_closed (const JmJobHistory *self);

/* The record of a run that ended while nobody watched, at @until_us at the latest, from
 * what was kept of it. */
JmJobRecord *jm_job_history_lose (JmJobRecord *record, gint64 until_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmJobHistory, jm_job_history_free)

G_END_DECLS
