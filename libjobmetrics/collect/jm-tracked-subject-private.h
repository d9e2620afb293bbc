/* jm-tracked-subject-private.h: a job, a step or a task that is on display
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/ledger/jm-counter-carry-private.h"
#include "core/jm-readings.h"
#include "core/jm-snapshot-private.h"

G_BEGIN_DECLS

typedef struct _JmTrackedJob JmTrackedJob;
typedef struct _JmTrackedSubject JmTrackedSubject;

/* @group is its number in the process table. What has a @parent is that one's child,
 * which owns it. */
JmTrackedSubject *jm_tracked_subject_new (JmTrackedJob *job,
                                          JmTrackedSubject *parent,
                                          JmSubjectKind kind,
                                          JmLabels *labels,
                                          guint group);
void jm_tracked_subject_free (JmTrackedSubject *self);

JmTrackedJob *jm_tracked_subject_get_job (const JmTrackedSubject *self);
JmSubjectKind jm_tracked_subject_get_kind (const JmTrackedSubject *self);
JmLabels *jm_tracked_subject_get_labels (const JmTrackedSubject *self);
guint jm_tracked_subject_get_group (const JmTrackedSubject *self);

/* Those that live, and those that ended and are still on display; NULL behind the last.
 */
JmTrackedSubject *jm_tracked_subject_get_child (const JmTrackedSubject *self, guint i);
gboolean jm_tracked_subject_find_child (const JmTrackedSubject *self,
                                        JmLabels *labels,
                                        guint *i);
void jm_tracked_subject_remove_child (JmTrackedSubject *self, guint i);

/* The numbers of the cgroups whose figures are its own. It ends when the last goes. */
const guint *jm_tracked_subject_get_cgroups (const JmTrackedSubject *self, guint *n);
void jm_tracked_subject_add_cgroup (JmTrackedSubject *self, guint cgroup);
void
jm_tracked_subject_remove_cgroup (JmTrackedSubject *self, guint cgroup, gint64 now_us);

/* Microseconds since 1970; 0 while it lives. */
gint64 jm_tracked_subject_get_end_time (const JmTrackedSubject *self);
void jm_tracked_subject_end (JmTrackedSubject *self, gint64 now_us);
gboolean jm_tracked_subject_ended_before (const JmTrackedSubject *self, gint64 time_us);

/* Whether a snapshot has told of its end. */
gboolean jm_tracked_subject_is_told (const JmTrackedSubject *self);

/* A sum over some of its processes is none, neither for those above it. */
void jm_tracked_subject_mark_unlisted (JmTrackedSubject *self);
void jm_tracked_subject_clear_unlisted (JmTrackedSubject *self);
gboolean jm_tracked_subject_has_unlisted (const JmTrackedSubject *self);

/* Whether its cgroups told of its CPU time, once at least. */
void jm_tracked_subject_note_own_cpu (JmTrackedSubject *self);
gboolean jm_tracked_subject_has_own_cpu (const JmTrackedSubject *self);

/* Its number in the snapshot that is made. */
void jm_tracked_subject_set_number (JmTrackedSubject *self, guint number);
guint jm_tracked_subject_get_number (const JmTrackedSubject *self);

/* When its counters were read first and last, since 1970; 0 for never. */
gint64 jm_tracked_subject_get_first_read_time (const JmTrackedSubject *self);
void jm_tracked_subject_set_read_time (JmTrackedSubject *self, gint64 read_us);
gint64 jm_tracked_subject_get_read_time (const JmTrackedSubject *self);

/* Whether its last process had gone when they were read last. */
void jm_tracked_subject_note_final (JmTrackedSubject *self);
gboolean jm_tracked_subject_is_final (const JmTrackedSubject *self);

/* What an earlier program showed of it; it is looked for once. */
gboolean jm_tracked_subject_has_carry (const JmTrackedSubject *self);
void jm_tracked_subject_set_carry (JmTrackedSubject *self, JmCounterCarry *carry);
JmCounterCarry *jm_tracked_subject_get_carry (const JmTrackedSubject *self);

/* Keeps what was read between two rounds, when its end was near, until it is read
 * again; readings that may be used anew come back in @late. */
void jm_tracked_subject_swap_late (JmTrackedSubject *self, JmReadings **late);
void jm_tracked_subject_drop_late (JmTrackedSubject *self);

/* What was read of it as late as possible; @last is the snapshot of the round before,
 * or NULL. */
const JmReading *jm_tracked_subject_get_last_readings (const JmTrackedSubject *self,
                                                       JmSnapshot *last,
                                                       guint *n_readings);

G_END_DECLS
