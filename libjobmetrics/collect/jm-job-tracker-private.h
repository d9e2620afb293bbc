/* jm-job-tracker-private.h: the jobs of a node, from birth to oblivion
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/energy/jm-energy-account-private.h"
#include "collect/jm-run-directory-private.h"
#include "core/jm-job-draft-private.h"
#include "core/jm-readings.h"
#include "sources/cgroup/jm-cgroup-reader.h"
#include "sources/jobs/jm-job-source.h"
#include "sources/process/jm-process-source.h"

G_BEGIN_DECLS

typedef struct _JmTrackedJob JmTrackedJob;
typedef struct _JmTrackedSubject JmTrackedSubject;

/* A job, one of its steps, or a task: what figures are about. */
struct _JmTrackedSubject
{
  JmTrackedJob *job;
  JmTrackedSubject *parent;
  GPtrArray *children; /* of JmTrackedSubject, owned */
  JmSubjectKind level;
  char *step; /* GRefStrings, or NULL */
  char *task;
  GArray *cgroups; /* of guint: the cgroups whose figures are its own */
  guint group;     /* in the process table; its parent's below the deepest level */
  gint64 end_us;   /* when its last cgroup went; 0 while it lives */
  gboolean has_unlisted; /* processes that could not be listed in this round */
  guint last_subject;    /* its number in the last snapshot; 0 if it was in none */
  JmReadings *late;      /* read after the last sweep, when its end was near */
};

/* A cgroup whose processes are a job's. */
typedef struct
{
  guint cgroup;
  JmTrackedSubject *subject;
  gboolean has_figures; /* they are the subject's; else it lies below the subject's */
  gboolean is_helper;   /* the scheduler's own processes */
  guint n_below;        /* cgroups directly below */
  gboolean is_empty;    /* no process was in it when it was asked last */
  guint n_passed_over;  /* rounds in which it was not asked for processes */
  char *path;
  JmPlace *place;
} JmTrackedCgroup;

struct _JmTrackedJob
{
  JmJobSource *source;
  char *word;        /* what paths call it */
  char *path;        /* of the first of its own cgroups; NULL until one was seen */
  guint64 inode;     /* of that one; 0 where not known */
  guint hierarchy;   /* the one in which it has that number */
  char *run_key;     /* made of it; NULL where the machine does not tell one */
  JmPlace *place;    /* ... and what that is */
  JmJob *job;        /* NULL until its id is known */
  JmJobDraft *draft; /* what is known of it so far; NULL before it was asked */
  guint n_asked;  /* sweeps in which it was asked who it is, since its newest cgroup */
  guint n_sweeps; /* ... since its first */
  gboolean is_older; /* it ran before anybody looked, so that its steps are there */
  JmTrackedSubject *subject;
  GPtrArray *cgroups; /* of JmTrackedCgroup without helpers; not owned */
  guint n_lost;       /* sweeps in a row that could not read it, though it is listed */
  JmEnergyAccount *energy; /* NULL until it had a share in a round */
  gboolean is_touched;     /* something below it changed: its end may be near */
};

/* More than cgroup v1 has. */
#define JM_MAX_HIERARCHIES 16

typedef struct _JmJobTracker JmJobTracker;

JmJobTracker *jm_job_tracker_new (JmCgroupReader *reader,
                                  JmRunDirectory *runs,
                                  GPtrArray *sources,
                                  JmProcessSource *processes,
                                  JmSubjectKind deepest);
void jm_job_tracker_free (JmJobTracker *self);

/* Follows births and deaths of cgroups; what could not be listed is told to @readings. */
void jm_job_tracker_refresh (JmJobTracker *self, gint64 now_us, JmReadings *readings);

/* Looks afresh at a job that is listed but cannot be read: its cgroup may have gone and
 * come back. */
void jm_job_tracker_renew (JmJobTracker *self, JmTrackedJob *job, gint64 now_us);

/* Forgets subjects that ended before @before_us. */
void jm_job_tracker_expire (JmJobTracker *self, gint64 before_us);

/* The jobs in the order in which they were first seen, ended ones included. */
GPtrArray *jm_job_tracker_get_jobs (JmJobTracker *self);

JmCgroupReader *jm_job_tracker_get_reader (JmJobTracker *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmJobTracker, jm_job_tracker_free)

G_END_DECLS
