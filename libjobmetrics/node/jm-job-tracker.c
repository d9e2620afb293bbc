/* jm-job-tracker.c: the jobs of a node, from birth to oblivion
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "node/jm-job-tracker-private.h"

#include "base/jm-error.h"
#include "node/jm-cgroup-tree-private.h"
#include "sources/cgroup/jm-cgroup-kernel-reader-private.h"
#include "sources/cgroup/jm-cgroup-types-private.h"
#include "sources/jobs/jm-cgroup-job-source-private.h"

/* How long a job may have no process before it is over: Slurm makes and removes the
 * cgroups of steps one after the other, which takes it a moment. */
#define EMPTY_US (60 * G_USEC_PER_SEC)

struct _JmJobTracker
{
  JmCgroupReader *reader;
  JmRunDirectory *runs; /* not owned */
  GPtrArray *sources;
  JmProcessSource *processes;
  JmSubjectKind deepest;
  JmCgroupTree *tree;
  GPtrArray *jobs;     /* of JmTrackedJob, owned */
  JmLookout *lookout;  /* for some of them */
  GPtrArray *unopened; /* of JmTrackedCgroup: there, and could not be opened yet */
  GPtrArray *unlisted; /* of JmTrackedCgroup: what is below is not all known */
  GHashTable *left;   /* of char *: paths of jobs that ended and whose cgroups stayed */
  GHashTable *rivals; /* sources whose claims on others' jobs were logged */
  gint64 now_us;
  gboolean has_looked;  /* what comes from now on is new */
  GPtrArray *changed;   /* where jobs go of which is heard; else NULL */
  JmReadings *readings; /* where errors go, while it is refreshed; else NULL */
};

static JmTrackedJob *
job_of (const JmTrackedCgroup *cgroup)
{
  return jm_tracked_subject_get_job (jm_tracked_cgroup_get_subject (cgroup));
}

/* --- subjects --- */

/* One deeper than is shown is counted with what it is a part of. */
static guint
add_group (JmJobTracker *self, const JmTrackedSubject *parent, JmSubjectKind kind)
{
  guint parent_group = parent != NULL ? jm_tracked_subject_get_group (parent) : 0;

  return kind <= self->deepest
           ? jm_process_source_add_group (self->processes, parent_group)
           : parent_group;
}

static void
remove_groups (JmJobTracker *self, const JmTrackedSubject *subject)
{
  JmTrackedSubject *child;

  for (guint i = 0; (child = jm_tracked_subject_get_child (subject, i)) != NULL; i++)
    remove_groups (self, child);

  if (jm_tracked_subject_get_kind (subject) <= self->deepest)
    jm_process_source_remove_group (self->processes,
                                    jm_tracked_subject_get_group (subject));
}

static void
remove_child (JmJobTracker *self, JmTrackedSubject *parent, guint i)
{
  remove_groups (self, jm_tracked_subject_get_child (parent, i));
  jm_tracked_subject_remove_child (parent, i);
}

/* A child of that name: a living one, or a new one in place of one that ended. */
static JmTrackedSubject *
get_child (JmJobTracker *self,
           JmTrackedSubject *parent,
           JmSubjectKind kind,
           JmLabels *labels)
{
  guint i;

  if (jm_tracked_subject_find_child (parent, labels, &i))
    {
      JmTrackedSubject *child = jm_tracked_subject_get_child (parent, i);

      if (jm_tracked_subject_get_end_time (child) == 0)
        return child;
      remove_child (self, parent, i);
    }

  return jm_tracked_subject_new (jm_tracked_subject_get_job (parent), parent, kind,
                                 labels, add_group (self, parent, kind));
}

/* --- jobs --- */

static void
remove_job (JmJobTracker *self, guint index)
{
  JmTrackedJob *job = g_ptr_array_index (self->jobs, index);
  const char *run_key = jm_job_identity_get_run_key (jm_tracked_job_get_identity (job));

  if (run_key != NULL)
    jm_run_directory_remove (self->runs, run_key);
  remove_groups (self, jm_tracked_job_get_subject (job));
  jm_lookout_remove (self->lookout, job);
  g_ptr_array_remove_index (self->jobs, index);
}

static void
look_out_for (JmJobTracker *self, JmTrackedJob *job)
{
  jm_lookout_add (self->lookout, job, g_get_monotonic_time ());
}

static gboolean
has_ended (const JmTrackedJob *job)
{
  return jm_tracked_subject_get_end_time (jm_tracked_job_get_subject (job)) != 0;
}

static gboolean
is_of (const JmTrackedJob *job, JmJobSource *source, JmPlace *place)
{
  return jm_job_identity_is_of (jm_tracked_job_get_identity (job), source, place);
}

static gboolean
has_unopened (JmJobTracker *self, const JmTrackedJob *job)
{
  for (guint i = 0; i < self->unopened->len; i++)
    if (job_of (self->unopened->pdata[i]) == job)
      return TRUE;

  return FALSE;
}

/* One that may be opened yet is not missed. */
static gboolean
was_missed (JmJobTracker *self, const JmTrackedJob *job)
{
  return jm_tracked_job_was_missed (job) && !has_unopened (self, job);
}

/* Whether a cgroup, which may have gone already, is a part of @job. Of a run that came
 * and went unseen the news may come in several pieces; a run that has a cgroup is
 * another one. */
static gboolean
takes_part (JmJobTracker *self, const JmTrackedJob *job, gboolean is_gone)
{
  if (was_missed (self, job))
    return is_gone;

  return !has_ended (job) ||
         (is_gone && !jm_tracked_subject_is_told (jm_tracked_job_get_subject (job)));
}

/* The living job of that name, or a new one. A job id that comes back, as after a
 * requeue, is another run: the one that ended stays on display beside it. */
static JmTrackedJob *
get_job (JmJobTracker *self, JmJobSource *source, JmPlace *place, gboolean is_gone)
{
  JmTrackedJob *job;

  for (guint i = self->jobs->len; i-- > 0;)
    {
      job = g_ptr_array_index (self->jobs, i);
      if (!is_of (job, source, place))
        continue;
      if (takes_part (self, job, is_gone))
        return job;
      if (!has_ended (job))
        jm_tracked_subject_end (jm_tracked_job_get_subject (job), self->now_us);
    }

  job = jm_tracked_job_new (jm_job_identity_new (source, place, !self->has_looked),
                            add_group (self, NULL, JM_SUBJECT_KIND_JOB));
  g_ptr_array_add (self->jobs, job);

  return job;
}

static JmTrackedSubject *
get_subject (JmJobTracker *self,
             JmJobSource *source,
             JmPlace *place,
             const JmTrackedCgroup *above,
             gboolean is_gone)
{
  const char *step = jm_place_get_step (place);
  const char *task = jm_place_get_task (place);
  JmTrackedJob *job = above != NULL ? job_of (above) : NULL;
  JmTrackedSubject *subject;

  /* it lies within a cgroup of the same job as a rule */
  if (job == NULL || has_ended (job) || !is_of (job, source, place))
    job = get_job (self, source, place, is_gone);
  subject = jm_tracked_job_get_subject (job);

  if (step != NULL)
    {
      g_autoptr (JmLabels) labels = jm_labels_of (step, NULL);

      subject = get_child (self, subject, JM_SUBJECT_KIND_STEP, labels);
    }
  if (task != NULL)
    {
      g_autoptr (JmLabels) labels = jm_labels_of (step, task, NULL);

      subject = get_child (self, subject, JM_SUBJECT_KIND_TASK, labels);
    }

  return subject;
}

/* --- cgroups --- */

static const char *
get_name (JmJobSource *source)
{
  return JM_IS_CGROUP_JOB_SOURCE (source)
           ? jm_scheduler_definition_get_path (
               jm_cgroup_job_source_get_definition (JM_CGROUP_JOB_SOURCE (source)))
           : G_OBJECT_TYPE_NAME (source);
}

/* Of two definitions that claim a job, the first has it, and the second is reported
 * once. */
static void
look_for_rivals (JmJobTracker *self, guint owner, const char *path)
{
  for (guint i = owner + 1; i < self->sources->len; i++)
    {
      JmJobSource *rival = g_ptr_array_index (self->sources, i);
      g_autoptr (JmPlace) place = jm_job_source_match (rival, path);

      if (place != NULL && g_hash_table_add (self->rivals, rival))
        g_warning ("%s: a job by both %s and %s; it is counted by the first", path,
                   get_name (g_ptr_array_index (self->sources, owner)),
                   get_name (rival));
    }
}

/* Below a job only its own source has a say: a job within a job is the outer one's. */
static JmPlace *
match_path (JmJobTracker *self,
            const char *path,
            const JmTrackedCgroup *above,
            JmJobSource **source)
{
  if (above != NULL)
    {
      *source =
        jm_job_identity_get_source (jm_tracked_job_get_identity (job_of (above)));
      return jm_job_source_match (*source, path);
    }

  for (guint i = 0; i < self->sources->len; i++)
    {
      JmPlace *place;

      *source = g_ptr_array_index (self->sources, i);
      place = jm_job_source_match (*source, path);
      if (place != NULL)
        {
          look_for_rivals (self, i, path);
          return place;
        }
    }

  return NULL;
}

static void
on_failed (JmCgroupNode *node, const GError *error, gpointer user_data)
{
  JmJobTracker *self = user_data;

  if (node != NULL && node->data != NULL)
    g_ptr_array_add (self->unlisted, node->data);
  if (self->readings != NULL)
    jm_readings_add_error (self->readings, error);
}

/* A cgroup that is gone already is none. One that cannot be opened, though it is there,
 * is tried again. */
static void
open_cgroup (JmJobTracker *self, JmTrackedCgroup *cgroup)
{
  JmTrackedSubject *subject = jm_tracked_cgroup_get_subject (cgroup);
  g_autoptr (GError) error = NULL;

  if (jm_tracked_cgroup_open (cgroup, self->reader,
                              jm_tracked_subject_get_kind (subject), &error))
    jm_tracked_job_add_cgroup (job_of (cgroup), cgroup);
  else if (g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    jm_tracked_job_miss (job_of (cgroup));
  else if (error != NULL)
    {
      g_ptr_array_add (self->unopened, cgroup);
      if (self->readings != NULL)
        jm_readings_add_error (self->readings, error);
    }
}

static void
retry_unopened (JmJobTracker *self)
{
  g_autoptr (GPtrArray) cgroups = g_steal_pointer (&self->unopened);

  self->unopened = g_ptr_array_new ();
  for (guint i = 0; i < cgroups->len; i++)
    open_cgroup (self, g_ptr_array_index (cgroups, i));
}

static void
on_born (JmCgroupNode *node, gpointer user_data)
{
  JmJobTracker *self = user_data;
  JmTrackedCgroup *above = node->data;
  g_autoptr (JmPlace) place = NULL;
  JmJobSource *source = NULL;
  JmTrackedSubject *subject;
  JmTrackedCgroup *cgroup;
  JmJobIdentity *identity;

  place = match_path (self, node->path, above, &source);
  node->data = NULL;
  if (place == NULL && above == NULL)
    return;

  subject = place != NULL ? get_subject (self, source, place, above, node->is_gone)
                          : jm_tracked_cgroup_get_subject (above);
  cgroup = jm_tracked_cgroup_new (node->path, subject, place, above);
  identity = jm_tracked_job_get_identity (job_of (cgroup));
  jm_job_identity_set_cgroup (identity, cgroup, self->reader, self->runs);
  if (g_hash_table_remove (self->left, node->path))
    jm_job_identity_set_left (identity);
  open_cgroup (self, cgroup);
  node->data = cgroup;
  jm_tracked_job_note_life (job_of (cgroup), node->born_us, 0);
  jm_tracked_job_hear (job_of (cgroup), self->now_us);

  /* those that are older are read by the round that found them */
  if (self->has_looked)
    look_out_for (self, job_of (cgroup));
}

/* Below a job all is its; elsewhere only what may lead to one. */
static gboolean
is_wanted (JmCgroupNode *node, gpointer user_data)
{
  JmJobTracker *self = user_data;

  if (node->data != NULL)
    return TRUE;

  for (guint i = 0; i < self->sources->len; i++)
    if (jm_job_source_may_have_jobs (g_ptr_array_index (self->sources, i), node->path))
      return TRUE;

  return FALSE;
}

/* The cgroup of a job went, and one of the same path came, before anybody looked. */
static gboolean
is_another (JmCgroupNode *node, gpointer user_data)
{
  JmJobTracker *self = user_data;
  const JmTrackedCgroup *cgroup = node->data;

  return cgroup != NULL &&
         jm_job_identity_is_replaced (jm_tracked_job_get_identity (job_of (cgroup)),
                                      node->path, self->reader);
}

static void
on_changed (JmCgroupNode *node, gpointer user_data)
{
  JmJobTracker *self = user_data;
  const JmTrackedCgroup *cgroup = node->data;

  if (cgroup == NULL)
    return;

  look_out_for (self, job_of (cgroup));
  if (self->changed != NULL && !g_ptr_array_find (self->changed, job_of (cgroup), NULL))
    g_ptr_array_add (self->changed, job_of (cgroup));
}

/* What was never opened is not what ends it, unless there is nothing else of it. A job
 * that was missed ends in the next round: there may be more news of it. */
static void
end_unopened (JmJobTracker *self, const JmTrackedCgroup *cgroup, gint64 died_us)
{
  JmTrackedSubject *subject = jm_tracked_cgroup_get_subject (cgroup);
  guint n_cgroups;

  jm_tracked_subject_get_cgroups (subject, &n_cgroups);
  if (n_cgroups == 0 && jm_tracked_cgroup_has_figures (cgroup) &&
      jm_tracked_subject_get_end_time (subject) == 0 &&
      !was_missed (self, job_of (cgroup)))
    jm_tracked_subject_end (subject, died_us);
}

/* It went before a try to open it succeeded; of one that may not be looked at nothing
 * could have been known. */
static void
miss_unopened (JmJobTracker *self, JmTrackedCgroup *cgroup, gint64 died_us)
{
  if (g_ptr_array_remove (self->unopened, cgroup) &&
      !jm_tracked_cgroup_is_denied (cgroup))
    jm_tracked_job_miss (job_of (cgroup));
  end_unopened (self, cgroup, died_us);
}

/* Before it is closed. */
static void
note_unread (JmJobTracker *self, const JmTrackedCgroup *cgroup, gint64 died_us)
{
  guint64 used_ns, unread_ns;
  gboolean is_all;

  if (jm_tracked_cgroup_has_figures (cgroup) &&
      jm_cgroup_kernel_reader_find_unread (self->reader,
                                           jm_tracked_cgroup_get_number (cgroup),
                                           &used_ns, &unread_ns, &is_all))
    jm_tracked_subject_note_unread_cpu (jm_tracked_cgroup_get_subject (cgroup), used_ns,
                                        unread_ns, is_all ? died_us : 0);
}

static void
on_died (JmCgroupNode *node, gpointer user_data)
{
  JmJobTracker *self = user_data;
  JmTrackedCgroup *cgroup = node->data;
  const gint64 died_us = node->died_us != 0 ? node->died_us : self->now_us;

  if (cgroup == NULL)
    return;

  jm_tracked_job_note_life (job_of (cgroup), 0, node->died_us);
  if (jm_tracked_cgroup_get_number (cgroup) != 0)
    {
      look_out_for (self, job_of (cgroup));
      note_unread (self, cgroup, died_us);
      jm_tracked_job_remove_cgroup (job_of (cgroup), cgroup, died_us);
      jm_cgroup_reader_close_cgroup (self->reader,
                                     jm_tracked_cgroup_get_number (cgroup));
    }
  else
    miss_unopened (self, cgroup, died_us);
  g_ptr_array_remove (self->unlisted, cgroup);
  jm_tracked_cgroup_free (cgroup);
}

/* --- the tracker --- */

JmJobTracker *
jm_job_tracker_new (JmCgroupReader *reader,
                    JmRunDirectory *runs,
                    GPtrArray *sources,
                    JmProcessSource *processes,
                    JmSubjectKind deepest)
{
  static const JmCgroupTreeEvents events = { .born = on_born,
                                             .is_wanted = is_wanted,
                                             .is_another = is_another,
                                             .changed = on_changed,
                                             .died = on_died,
                                             .failed = on_failed };
  JmJobTracker *self = g_new0 (JmJobTracker, 1);

  self->reader = g_object_ref (reader);
  self->runs = runs;
  self->sources = g_ptr_array_ref (sources);
  self->processes = g_object_ref (processes);
  self->deepest = deepest;
  self->jobs = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_tracked_job_free);
  self->lookout = jm_lookout_new ();
  self->unopened = g_ptr_array_new ();
  self->unlisted = g_ptr_array_new ();
  self->left = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->rivals = g_hash_table_new (NULL, NULL);
  self->tree = jm_cgroup_tree_new (reader, &events, self);

  return self;
}

void
jm_job_tracker_free (JmJobTracker *self)
{
  jm_cgroup_tree_free (self->tree);
  jm_lookout_free (self->lookout);
  g_ptr_array_unref (self->jobs);
  g_ptr_array_unref (self->unopened);
  g_ptr_array_unref (self->unlisted);
  g_hash_table_unref (self->left);
  g_hash_table_unref (self->rivals);
  g_ptr_array_unref (self->sources);
  g_object_unref (self->processes);
  g_object_unref (self->reader);
  g_free (self);
}

gboolean
jm_job_tracker_hear (JmJobTracker *self)
{
  jm_cgroup_tree_hear (self->tree);

  return jm_cgroup_tree_is_behind (self->tree);
}

gboolean
jm_job_tracker_hear_of_jobs (JmJobTracker *self, GPtrArray *jobs)
{
  gboolean is_behind;

  self->changed = jobs;
  is_behind = jm_job_tracker_hear (self);
  self->changed = NULL;

  return is_behind;
}

void
jm_job_tracker_refresh (JmJobTracker *self, gint64 now_us, JmReadings *readings)
{
  self->now_us = now_us;
  self->readings = readings;
  g_ptr_array_set_size (self->unlisted, 0);
  retry_unopened (self);
  jm_cgroup_tree_refresh (self->tree, now_us);
  g_hash_table_remove_all (self->left);
  self->readings = NULL;
  self->has_looked = TRUE;
}

static void
mark_unlisted (gpointer cgroup, gpointer user_data)
{
  jm_tracked_subject_mark_unlisted (jm_tracked_cgroup_get_subject (cgroup));
}

void
jm_job_tracker_mark_unlisted (JmJobTracker *self)
{
  g_ptr_array_foreach (self->unopened, mark_unlisted, NULL);
  g_ptr_array_foreach (self->unlisted, mark_unlisted, NULL);
}

static const char *
find_own_path (const JmTrackedJob *job)
{
  const JmTrackedCgroup *cgroup;

  for (guint i = 0; (cgroup = jm_tracked_job_get_cgroup (job, i)) != NULL; i++)
    if (jm_tracked_cgroup_get_subject (cgroup) == jm_tracked_job_get_subject (job) &&
        jm_tracked_cgroup_has_figures (cgroup))
      return jm_tracked_cgroup_get_path (cgroup);

  return NULL;
}

void
jm_job_tracker_renew (JmJobTracker *self, JmTrackedJob *job, gint64 now_us)
{
  g_autofree char *path = g_strdup (find_own_path (job));

  self->now_us = now_us;
  if (path != NULL)
    jm_cgroup_tree_forget (self->tree, path);
}

void
jm_job_tracker_leave (JmJobTracker *self, JmTrackedJob *job, gint64 end_us)
{
  const char *path = find_own_path (job);

  if (path == NULL)
    return;

  g_hash_table_add (self->left, g_strdup (path));
  jm_job_tracker_renew (self, job, end_us);
}

/* Where the kernel says that even the scheduler's own processes have gone. A job may
 * have none for a moment, between two steps: but not after its epilog. */
void
jm_job_tracker_leave_empty (JmJobTracker *self,
                            JmTrackedJob *job,
                            gint64 now_us,
                            JmReadings *readings)
{
  gint64 empty_us;

  if (has_ended (job) || jm_tracked_job_get_job (job) == NULL ||
      !JM_IS_CGROUP_KERNEL_READER (self->reader) ||
      !jm_cgroup_job_source_is_over_when_empty (
        jm_job_identity_get_source (jm_tracked_job_get_identity (job))))
    return;

  empty_us = jm_tracked_job_find_empty_time (job, self->reader, readings, now_us);
  if (empty_us != 0 &&
      (now_us - empty_us >= EMPTY_US || jm_tracked_job_is_to_end (job)))
    jm_job_tracker_leave (self, job, empty_us);
}

JmTrackedJob *
jm_job_tracker_take_due (JmJobTracker *self)
{
  return jm_lookout_take (self->lookout, g_get_monotonic_time ());
}

void
jm_job_tracker_meet (JmJobTracker *self, JmTrackedJob *job, JmReadings *readings)
{
  jm_tracked_job_meet (job, self->reader, self->runs, readings);
  if (has_ended (job) ||
      (jm_tracked_job_is_met (job) && jm_lookout_has_seen (self->lookout, job)))
    jm_lookout_remove (self->lookout, job);
}

gint64
jm_job_tracker_get_next_look (const JmJobTracker *self)
{
  return jm_lookout_get_next (self->lookout);
}

/* What is deeper than is shown is in no snapshot, nor is a job of which nothing
 * is known. */
static gboolean
is_over (JmJobTracker *self, const JmTrackedSubject *subject, gint64 before_us)
{
  return jm_tracked_subject_ended_before (subject, before_us) &&
         (jm_tracked_subject_is_told (subject) ||
          jm_tracked_subject_get_kind (subject) > self->deepest ||
          jm_tracked_job_get_job (jm_tracked_subject_get_job (subject)) == NULL);
}

static void
expire_children (JmJobTracker *self, JmTrackedSubject *subject, gint64 before_us)
{
  JmTrackedSubject *child;
  guint i = 0;

  while ((child = jm_tracked_subject_get_child (subject, i)) != NULL)
    {
      expire_children (self, child, before_us);
      if (is_over (self, child, before_us))
        remove_child (self, subject, i);
      else
        i++;
    }
}

void
jm_job_tracker_expire (JmJobTracker *self, gint64 before_us)
{
  for (guint i = self->jobs->len; i-- > 0;)
    {
      const JmTrackedJob *job = g_ptr_array_index (self->jobs, i);
      JmTrackedSubject *subject = jm_tracked_job_get_subject (job);

      if (was_missed (self, job))
        jm_tracked_subject_end (subject, jm_tracked_job_get_death (job) != 0
                                           ? jm_tracked_job_get_death (job)
                                           : self->now_us);

      expire_children (self, subject, before_us);
      if (is_over (self, subject, before_us))
        remove_job (self, i);
    }
}

GPtrArray *
jm_job_tracker_get_jobs (JmJobTracker *self)
{
  return self->jobs;
}

JmCgroupReader *
jm_job_tracker_get_reader (JmJobTracker *self)
{
  return self->reader;
}
