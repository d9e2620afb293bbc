/* jm-job-identity.c: who a job is, as it is learnt
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-tracked-job-private.h"

#include "base/jm-error.h"
#include "core/jm-job-draft-private.h"
#include "core/jm-job-private.h"
#include "core/jm-place-private.h"
#include "core/jm-readings-private.h"
#include "sources/jobs/jm-cgroup-job-source-private.h"

/* More than cgroup v1 has. */
#define MAX_HIERARCHIES 16

/* For how many rounds after its newest cgroup more is asked of a job of which the path
 * alone is known: its processes may come late on a busy node, or may never be readable.
 */
#define ROUNDS_WHILE_UNKNOWN 60
/* ... of one of which more is known; the batch step's processes know most, and come
 * after the extern step's. */
#define ROUNDS_WHILE_KNOWN 3
/* ... and after its first, since a job may begin a step each second. */
#define ROUNDS_AT_MOST 8
/* In how many rounds a source that may know more, and did not answer, is asked again.
 */
#define ROUNDS_WHILE_PARTIAL 5
/* After how many a job is shown by what its path calls it. */
#define ROUNDS_BEFORE_PATH 2
/* ... and one whose cgroup has no number that could be read. */
#define ROUNDS_BEFORE_KEY 3
/* Each of a job's cgroups is asked; a job array of tasks has thousands. */
#define MAX_CGROUPS 16

struct _JmJobIdentity
{
  JmJobSource *source;
  JmPlace *place;    /* what paths call it, and where */
  char *path;        /* of the first of its cgroups; NULL until one was seen */
  guint64 inode;     /* of that one; 0 where not known */
  guint hierarchy;   /* the one in which it has that number */
  char *run_key;     /* made of it */
  JmJob *job;        /* NULL until its id is known */
  JmJobDraft *draft; /* what is known of it so far; NULL before it was asked */
  guint n_asked;   /* rounds in which it was asked who it is, since its newest cgroup */
  guint n_rounds;  /* ... since its first */
  guint n_partial; /* ... behind an answer that was partial */
  gboolean is_partial; /* the last answer: somebody could not be asked */
  gboolean is_older;
  gboolean is_left; /* behind by the scheduler, unless it has a process */
  gboolean is_over; /* a run in these cgroups has ended */
  gboolean
    is_empty; /* its cgroups had no process, or were gone, when it was asked last */
};

/* --- asking --- */

static gboolean
learn_from (JmJobIdentity *self, const char *path, JmPlace *place, guint pid)
{
  g_autoptr (JmJob) answer = jm_job_source_identify (self->source, path, place, pid);

  if (answer == NULL)
    return FALSE;

  self->is_partial = self->is_partial || answer->is_partial;

  return jm_job_draft_merge (self->draft, answer);
}

static gboolean
ask_cgroup (JmJobIdentity *self,
            const JmTrackedCgroup *cgroup,
            const JmJobEvidence *evidence)
{
  g_autoptr (GError) error = NULL;
  const guint *pids;
  guint n_pids;

  jm_readings_clear_processes (evidence->readings);
  jm_cgroup_reader_list_processes (evidence->reader,
                                   jm_tracked_cgroup_get_number (cgroup),
                                   evidence->readings, &error);
  pids = jm_readings_get_processes (evidence->readings, &n_pids);
  if (error != NULL && !g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    {
      self->is_partial = TRUE;
      self->is_empty = FALSE;
    }
  else if (n_pids > 0)
    self->is_empty = FALSE;

  return learn_from (self, jm_tracked_cgroup_get_path (cgroup),
                     jm_tracked_cgroup_get_place (cgroup), n_pids > 0 ? pids[0] : 0);
}

/* All are asked, for each may know what the others do not: the extern step's processes,
 * which come first, know next to nothing. Of a job that was gone before a cgroup of it
 * could be opened, a hook's file may still have it.
 *
 * Returns: whether anything new was found */
static gboolean
ask (JmJobIdentity *self, const JmJobEvidence *evidence)
{
  const GPtrArray *cgroups = evidence->cgroups;
  gboolean has_changed = FALSE;

  self->is_partial = FALSE;
  if (cgroups->len == 0 && self->path != NULL)
    return learn_from (self, self->path, self->place, 0);

  self->is_empty = TRUE;
  for (guint i = 0; i < MIN (cgroups->len, MAX_CGROUPS); i++)
    has_changed |= ask_cgroup (self, g_ptr_array_index (cgroups, i), evidence);

  return has_changed;
}

/* --- deciding --- */

/* The cluster may come from a file that knows no job. */
static gboolean
is_known_by_path_alone (const JmJobIdentity *self)
{
  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    if (i != JM_JOB_FIELD_CLUSTER &&
        jm_job_draft_get_origin (self->draft, i) > JM_ORIGIN_PATH)
      return FALSE;

  return TRUE;
}

static gboolean
is_decided (const JmJobIdentity *self, const JmJobEvidence *evidence)
{
  if (evidence->has_ended)
    return TRUE;
  if (is_known_by_path_alone (self))
    return self->n_asked >= ROUNDS_WHILE_UNKNOWN;
  if (self->is_partial && self->n_partial < ROUNDS_WHILE_PARTIAL)
    return FALSE;

  return self->is_older || self->n_asked >= ROUNDS_WHILE_KNOWN ||
         self->n_rounds >= ROUNDS_AT_MOST;
}

/* An earlier program knew the job, which went while this one looked for the first time,
 * or of which the scheduler has left an empty cgroup of another number: what was kept
 * of it says more. */
static gboolean
is_kept_already (const JmJobIdentity *self, const JmJobEvidence *evidence)
{
  return self->is_older && self->job == NULL &&
         (evidence->was_missed || self->is_empty) &&
         jm_run_directory_remembers (evidence->runs, jm_place_get_job (self->place));
}

/* Where no cgroup may be looked at, and no other source knows, there is nothing to
 * show. A job that was gone before a cgroup of it could be opened is shown all the
 * same: that it was there is more than nothing. */
static gboolean
is_rumour (const JmJobIdentity *self, const JmJobEvidence *evidence)
{
  if (is_kept_already (self, evidence))
    return TRUE;

  return self->job == NULL && evidence->cgroups->len == 0 && !evidence->was_missed &&
         is_known_by_path_alone (self);
}

/* A series never changes its name: the first uuid stays for the job's life. */
static void
show (JmJobIdentity *self, JmRunDirectory *runs)
{
  g_clear_pointer (&self->job, jm_job_unref);
  self->job = jm_job_draft_to_job (self->draft);
  jm_job_draft_keep_uuid (self->draft, self->job);
  jm_run_directory_write (runs, self->job);
}

/* --- what has been published --- */

/* What is known of the run under one of its cgroup's numbers. In cgroup v1 another job
 * may have that number in another hierarchy. */
static JmJob *
find_published (const JmJobIdentity *self,
                const JmJobEvidence *evidence,
                guint hierarchy)
{
  guint64 inode = jm_cgroup_reader_get_inode (evidence->reader, self->path, hierarchy);
  g_autofree char *key = jm_run_directory_make_key (evidence->runs, inode);
  g_autoptr (JmJob) known =
    key != NULL ? jm_run_directory_read (evidence->runs, key) : NULL;

  return known != NULL && jm_job_is_called (known, jm_place_get_job (self->place))
           ? g_steal_pointer (&known)
           : NULL;
}

/* Takes what the exporter has shown of the job, or what an exporter that ran before
 * this one had decided. Whoever saw the job in fewer hierarchies took the number of one
 * that is no longer the first. */
static gboolean
adopt (JmJobIdentity *self, const JmJobEvidence *evidence)
{
  JmJob *known = NULL;

  if (self->run_key == NULL ||
      (jm_run_directory_is_writing (evidence->runs) && self->job != NULL))
    return FALSE;

  for (guint i = 0; i < MAX_HIERARCHIES && known == NULL; i++)
    known = find_published (self, evidence, i);
  if (known == NULL)
    return FALSE;

  g_clear_pointer (&self->job, jm_job_unref);
  self->job = known;
  g_free (self->run_key);
  self->run_key = g_strdup (jm_job_get_run_key (known));

  return TRUE;
}

/* The exporter goes on from what it has adopted; whoever only reads leaves it at that.
 */
static void
take_over (JmJobIdentity *self, JmRunDirectory *runs)
{
  jm_job_draft_merge (self->draft, self->job);
  jm_job_draft_set (self->draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH,
                    jm_job_get_id (self->job), -1);
  jm_job_draft_keep_uuid (self->draft, self->job);
  jm_job_draft_set_run_key (self->draft, self->run_key);
  jm_run_directory_write (runs, self->job);
}

/* --- the identity --- */

JmJobIdentity *
jm_job_identity_new (JmJobSource *source, JmPlace *place, gboolean is_older)
{
  JmJobIdentity *self = g_new0 (JmJobIdentity, 1);

  self->source = g_object_ref (source);
  self->place = jm_place_ref (place);
  self->is_older = is_older;
  self->is_left = is_older && jm_cgroup_job_source_is_over_when_empty (source);

  return self;
}

void
jm_job_identity_set_left (JmJobIdentity *self)
{
  self->is_left = TRUE;
  self->is_over = TRUE;
}

void
jm_job_identity_free (JmJobIdentity *self)
{
  g_clear_pointer (&self->job, jm_job_unref);
  g_clear_pointer (&self->draft, jm_job_draft_free);
  jm_place_unref (self->place);
  g_object_unref (self->source);
  g_free (self->run_key);
  g_free (self->path);
  g_free (self);
}

gboolean
jm_job_identity_is_of (const JmJobIdentity *self, JmJobSource *source, JmPlace *place)
{
  return self->source == source &&
         g_str_equal (jm_place_get_job (self->place), jm_place_get_job (place)) &&
         g_strcmp0 (jm_place_get_root (self->place), jm_place_get_root (place)) == 0;
}

JmJobSource *
jm_job_identity_get_source (const JmJobIdentity *self)
{
  return self->source;
}

static void
find_run_key (JmJobIdentity *self, JmCgroupReader *reader, JmRunDirectory *runs)
{
  for (guint i = 0; i < MAX_HIERARCHIES && self->inode == 0; i++)
    {
      self->inode = jm_cgroup_reader_get_inode (reader, self->path, i);
      self->hierarchy = i;
    }
  self->run_key = jm_run_directory_make_key (runs, self->inode);
}

void
jm_job_identity_set_cgroup (JmJobIdentity *self,
                            const JmTrackedCgroup *cgroup,
                            JmCgroupReader *reader,
                            JmRunDirectory *runs)
{
  if (self->path != NULL)
    return;

  self->path = g_strdup (jm_tracked_cgroup_get_path (cgroup));
  find_run_key (self, reader, runs);
}

/* In cgroup v1 a job comes into its hierarchies, and goes from them, one by one: that
 * it is in others now says nothing. */
gboolean
jm_job_identity_is_replaced (const JmJobIdentity *self,
                             const char *path,
                             JmCgroupReader *reader)
{
  guint64 inode;

  if (self->inode == 0 || g_strcmp0 (self->path, path) != 0)
    return FALSE;

  inode = jm_cgroup_reader_get_inode (reader, path, self->hierarchy);

  return inode != 0 && inode != self->inode;
}

/* Whether nothing more will be learnt. */
static gboolean
is_settled (const JmJobIdentity *self)
{
  return self->job != NULL && jm_job_is_decided (self->job);
}

/* Asks whoever knows. Returns: whether there is anything new to show */
static gboolean
learn (JmJobIdentity *self, const JmJobEvidence *evidence)
{
  gboolean has_changed = ask (self, evidence);

  if (is_rumour (self, evidence))
    return FALSE;

  /* Its id is not known: what the path calls it has to do. */
  if (self->n_asked > ROUNDS_BEFORE_PATH || self->is_older || evidence->has_ended)
    has_changed |= jm_job_draft_set (self->draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH,
                                     jm_place_get_job (self->place), -1);
  if (jm_job_draft_get (self->draft, JM_JOB_FIELD_ID) == NULL)
    return FALSE;
  if (!is_decided (self, evidence))
    return has_changed || self->job == NULL;

  jm_job_draft_set_decided (self->draft);

  return TRUE;
}

/* Its cgroups were there before anybody looked, or are there after its end, and have no
 * process: it does not run. Those of a run that is over may go at any moment, and what
 * cannot be read has no process. */
static gboolean
is_left_behind (JmJobIdentity *self, const JmJobEvidence *evidence)
{
  JmOccupancy occupancy;

  if (!self->is_left || (self->job == NULL && evidence->has_ended))
    return self->is_left;

  occupancy = jm_tracked_cgroups_find_occupancy (evidence->cgroups, evidence->reader,
                                                 evidence->readings);
  self->is_left =
    self->job == NULL && (occupancy == JM_OCCUPANCY_EMPTY ||
                          (occupancy == JM_OCCUPANCY_UNKNOWN && self->is_over));

  return self->is_left;
}

/* What one program keeps of a run the next one finds by the number of its cgroup. Where
 * that cannot be read though the cgroup is there, it may be in the next round; not
 * every reader has numbers. */
static gboolean
is_nameless (const JmJobIdentity *self, const JmJobEvidence *evidence)
{
  return self->inode == 0 && self->job == NULL && evidence->cgroups->len > 0 &&
         !evidence->has_ended && self->n_rounds < ROUNDS_BEFORE_KEY &&
         jm_cgroup_reader_get_inode (evidence->reader, "/", 0) != 0;
}

void
jm_job_identity_learn (JmJobIdentity *self, const JmJobEvidence *evidence)
{
  if (is_settled (self) || is_left_behind (self, evidence))
    return;

  /* What could not be read may be now, as long as the path is this run's; the key of a
   * job that is shown stays. */
  if (self->run_key == NULL && self->job == NULL && evidence->cgroups->len > 0 &&
      !evidence->has_ended)
    find_run_key (self, evidence->reader, evidence->runs);
  if (is_nameless (self, evidence))
    return;
  if (self->draft == NULL)
    self->draft = jm_job_draft_new ();
  jm_job_draft_set_run_key (self->draft, self->run_key);
  if (adopt (self, evidence))
    {
      if (!jm_run_directory_is_writing (evidence->runs))
        return;
      take_over (self, evidence->runs);
    }
  if (!is_settled (self) && learn (self, evidence))
    show (self, evidence->runs);
}

gboolean
jm_job_identity_is_vague (const JmJobIdentity *self)
{
  return !is_settled (self) &&
         (self->draft == NULL || self->is_partial || is_known_by_path_alone (self));
}

void
jm_job_identity_count_round (JmJobIdentity *self)
{
  self->n_asked++;
  self->n_rounds++;
  if (self->is_partial)
    self->n_partial++;
}

void
jm_job_identity_ask_again (JmJobIdentity *self)
{
  self->n_asked = 0;
}

JmJob *
jm_job_identity_get_job (const JmJobIdentity *self)
{
  return self->job;
}

const char *
jm_job_identity_get_run_key (const JmJobIdentity *self)
{
  return self->run_key;
}
