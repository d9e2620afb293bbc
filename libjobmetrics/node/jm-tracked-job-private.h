/* jm-tracked-job-private.h: a job that is on display, its cgroups and its subjects
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-place.h"
#include "core/jm-readings.h"
#include "core/jm-snapshot-private.h"
#include "node/jm-run-directory-private.h"
#include "sources/cgroup/jm-cgroup-reader.h"
#include "sources/jobs/jm-job-source.h"

G_BEGIN_DECLS

/* What a stage keeps of a job, of a subject or of a cgroup, and is freed with it.
 *
 * @state: NULL until there is something to keep */
typedef struct
{
  gpointer state;
  GDestroyNotify free;
} JmSlot;

static inline void
jm_slot_clear (JmSlot *self)
{
  if (self->state != NULL)
    self->free (self->state);
  *self = (JmSlot){ NULL, NULL };
}

typedef struct _JmTrackedCgroup JmTrackedCgroup;
typedef struct _JmTrackedSubject JmTrackedSubject;

/* Without a @place of its own it is a part of what @above is; one of the two may be
 * NULL. */
JmTrackedCgroup *jm_tracked_cgroup_new (const char *path,
                                        JmTrackedSubject *subject,
                                        JmPlace *place,
                                        JmTrackedCgroup *above);
void jm_tracked_cgroup_free (JmTrackedCgroup *self);

/* Gives it a number in @reader, unless it has gone, is the scheduler's own, or may not
 * be looked at. */
gboolean jm_tracked_cgroup_open (JmTrackedCgroup *self,
                                 JmCgroupReader *reader,
                                 JmSubjectKind kind,
                                 GError **error);

/* Whether it may not be looked at, as of the last try. */
gboolean jm_tracked_cgroup_is_denied (const JmTrackedCgroup *self);

/* Its number in the reader; 0 where it was not opened. */
guint jm_tracked_cgroup_get_number (const JmTrackedCgroup *self);
const char *jm_tracked_cgroup_get_path (const JmTrackedCgroup *self);
JmPlace *jm_tracked_cgroup_get_place (const JmTrackedCgroup *self);
JmTrackedSubject *jm_tracked_cgroup_get_subject (const JmTrackedCgroup *self);

/* Of its directory in the first hierarchy; 0 where it has none there. */
guint64 jm_tracked_cgroup_get_inode (JmTrackedCgroup *self, JmCgroupReader *reader);

/* Whether its figures are the subject's; else it lies below one of which they are. */
gboolean jm_tracked_cgroup_has_figures (const JmTrackedCgroup *self);

/* Of whoever counts what it does. */
JmSlot *jm_tracked_cgroup_get_slot (JmTrackedCgroup *self);

/* Whether it is worth while to ask in this round for its processes. */
gboolean jm_tracked_cgroup_is_due (JmTrackedCgroup *self);

/* Says whether it had none when it was asked. */
void jm_tracked_cgroup_set_empty (JmTrackedCgroup *self, gboolean is_empty);

/* Whether it had none when it was asked, or lies above others that have them. */
gboolean jm_tracked_cgroup_is_empty (const JmTrackedCgroup *self);

/* Whether a process of it was seen. */
gboolean jm_tracked_cgroup_is_met (const JmTrackedCgroup *self);

typedef enum
{
  JM_OCCUPANCY_UNKNOWN, /* none is known to have a process, and one cannot be read */
  JM_OCCUPANCY_EMPTY,
  JM_OCCUPANCY_POPULATED,
} JmOccupancy;

/* Whether there is a process in any of @cgroups, as the kernel says of what is below
 * them too, else as they list them. */
JmOccupancy jm_tracked_cgroups_find_occupancy (const GPtrArray *cgroups,
                                               JmCgroupReader *reader,
                                               JmReadings *readings);

/* Whether processes are expected in it of which none was seen yet. */
gboolean jm_tracked_cgroup_is_unmet (const JmTrackedCgroup *self);

typedef struct _JmTrackedJob JmTrackedJob;

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

/* Whether a snapshot has had its end. */
gboolean jm_tracked_subject_is_told (const JmTrackedSubject *self);

/* A sum over some of its processes is none, neither for those above it. */
void jm_tracked_subject_mark_unlisted (JmTrackedSubject *self);
void jm_tracked_subject_clear_unlisted (JmTrackedSubject *self);
gboolean jm_tracked_subject_has_unlisted (const JmTrackedSubject *self);

/* Whether its cgroups had its CPU time, once at least. */
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

/* One of its cgroups, which is removed, used so much CPU time, and so much more than
 * was
 * read of it, and no more up to @until_us; 0 for at least so much. */
void jm_tracked_subject_note_unread_cpu (JmTrackedSubject *self,
                                         guint64 used_ns,
                                         guint64 unread_ns,
                                         gint64 until_us);

/* Up to when all its CPU time is known; 0 where that is up to its last reading. */
gint64 jm_tracked_subject_get_cpu_time (const JmTrackedSubject *self);

/* Of whoever keeps its counters. */
JmSlot *jm_tracked_subject_get_slot (JmTrackedSubject *self);

/* Keeps what was read between two rounds, when its end was near, until it is read
 * again; readings that may be used anew come back in @late. */
void jm_tracked_subject_swap_late (JmTrackedSubject *self, JmReadings **late);
void jm_tracked_subject_drop_late (JmTrackedSubject *self);

/* What was read of it as late as possible, with CPU time that was found since; @last is
 * the snapshot of the round before, or NULL. */
const JmReading *jm_tracked_subject_get_last_readings (JmTrackedSubject *self,
                                                       JmSnapshot *last,
                                                       guint *n_readings);

/* Who a job is: asked of @source, which finds it at @place, until it is decided. */
typedef struct _JmJobIdentity JmJobIdentity;

/* What it is learnt from. */
typedef struct
{
  JmCgroupReader *reader;
  const GPtrArray *cgroups; /* of JmTrackedCgroup: those that are open */
  JmRunDirectory *runs;     /* what all agree on; they get it, too */
  JmReadings *readings;     /* lend their list of processes */
  gboolean has_ended;
  gboolean was_missed; /* a cgroup of it went before it could be opened */
} JmJobEvidence;

/* A job @is_older that ran before anybody looked, so that its steps are there. */
JmJobIdentity *
jm_job_identity_new (JmJobSource *source, JmPlace *place, gboolean is_older);
void jm_job_identity_free (JmJobIdentity *self);

/* It ended, and its cgroups are still there: they are no run before a process is in
 * them. */
void jm_job_identity_set_left (JmJobIdentity *self);

gboolean
jm_job_identity_is_of (const JmJobIdentity *self, JmJobSource *source, JmPlace *place);
JmJobSource *jm_job_identity_get_source (const JmJobIdentity *self);

/* What it is asked by once its cgroups are gone, and the key of its run: taken of the
 * first that is known. */
void jm_job_identity_set_cgroup (JmJobIdentity *self,
                                 const JmTrackedCgroup *cgroup,
                                 JmCgroupReader *reader,
                                 JmRunDirectory *runs);

/* Whether @path is that of its first cgroup, and another one than it was. */
gboolean jm_job_identity_is_replaced (const JmJobIdentity *self,
                                      const char *path,
                                      JmCgroupReader *reader);

/* Learns more, while there is more to learn. */
void jm_job_identity_learn (JmJobIdentity *self, const JmJobEvidence *evidence);

/* As long as it is known by its path alone, or in part. */
gboolean jm_job_identity_is_vague (const JmJobIdentity *self);

/* A round begins. */
void jm_job_identity_count_round (JmJobIdentity *self);

/* There is a new cgroup to ask. */
void jm_job_identity_ask_again (JmJobIdentity *self);

/* NULL as long as its id is not known. */
JmJob *jm_job_identity_get_job (const JmJobIdentity *self);

/* NULL where the machine does not have one. */
const char *jm_job_identity_get_run_key (const JmJobIdentity *self);

/* Takes @identity over; @group is the job's number in the process table. */
JmTrackedJob *jm_tracked_job_new (JmJobIdentity *identity, guint group);
void jm_tracked_job_free (JmTrackedJob *self);

JmJobIdentity *jm_tracked_job_get_identity (const JmTrackedJob *self);
JmTrackedSubject *jm_tracked_job_get_subject (const JmTrackedJob *self);

/* Who it is, as far as is known; NULL as long as it cannot be shown. */
JmJob *jm_tracked_job_get_job (const JmTrackedJob *self);

/* Asks on who it is, until that is decided. */
void jm_tracked_job_learn (JmTrackedJob *self,
                           JmCgroupReader *reader,
                           JmRunDirectory *runs,
                           JmReadings *readings);

/* Those of its cgroups that are open. */
JmTrackedCgroup *jm_tracked_job_get_cgroup (const JmTrackedJob *self, guint i);
void jm_tracked_job_add_cgroup (JmTrackedJob *self, JmTrackedCgroup *cgroup);
void jm_tracked_job_remove_cgroup (JmTrackedJob *self,
                                   JmTrackedCgroup *cgroup,
                                   gint64 now_us);

/* Looks at its processes, for whoever watches for their end, and asks them who it is,
 * as long as their cgroups alone show that. */
void jm_tracked_job_meet (JmTrackedJob *self,
                          JmCgroupReader *reader,
                          JmRunDirectory *runs,
                          JmReadings *readings);

/* Whether there is nothing more to learn of it before the next round. */
gboolean jm_tracked_job_is_met (const JmTrackedJob *self);

/* For its scheduler's hook: whether it had processes, and has none any more. Of one
 * that had some it is remembered that it is about to end. */
gboolean jm_tracked_job_is_deserted (JmTrackedJob *self,
                                     JmCgroupReader *reader,
                                     JmReadings *readings);
gboolean jm_tracked_job_is_to_end (const JmTrackedJob *self);

/* Whether those who listed its processes last found none. */
gboolean jm_tracked_job_looks_empty (const JmTrackedJob *self);

/* Since which round it has had no process, or 0. */
gint64 jm_tracked_job_find_empty_time (JmTrackedJob *self,
                                       JmCgroupReader *reader,
                                       JmReadings *readings,
                                       gint64 now_us);

/* A cgroup of it went before it could be opened. */
void jm_tracked_job_miss (JmTrackedJob *self);

/* When a cgroup of it came and went, where that was long before anybody heard of it;
 * else 0. The first birth and the last death count. */
void jm_tracked_job_note_life (JmTrackedJob *self, gint64 born_us, gint64 died_us);

/* The round at @now_us has found a cgroup of it. */
void jm_tracked_job_hear (JmTrackedJob *self, gint64 now_us);

/* When it began, as its cgroups show: what came while a round hung is older than the
 * first look at it. */
gint64 jm_tracked_job_find_begin (const JmTrackedJob *self);
gint64 jm_tracked_job_get_death (const JmTrackedJob *self);

/* Of a job all of whose cgroups did. */
gboolean jm_tracked_job_was_missed (const JmTrackedJob *self);

/* Counts rounds in a row that could not read it, though it is listed. */
void jm_tracked_job_count_round (JmTrackedJob *self, gboolean is_read);
guint jm_tracked_job_get_n_lost (const JmTrackedJob *self);

typedef enum
{
  JM_JOB_SLOT_ENERGY,  /* its share of each round's joules */
  JM_JOB_SLOT_GPUS,    /* its accelerators */
  JM_JOB_SLOT_HISTORY, /* what it did so far */
  JM_N_JOB_SLOTS
} JmJobSlot;

JmSlot *jm_tracked_job_get_slot (JmTrackedJob *self, JmJobSlot slot);

G_END_DECLS
