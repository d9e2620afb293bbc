/* jm-job-tracker.c: the jobs of a node, from birth to oblivion
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-job-tracker-private.h"

#include "collect/jm-cgroup-tree-private.h"

struct _JmJobTracker
{
  JmCgroupReader *reader;
  JmRunDirectory *runs; /* not owned */
  GPtrArray *sources;
  JmProcessSource *processes;
  JmSubjectKind deepest;
  JmCgroupTree *tree;
  GPtrArray *jobs; /* of JmTrackedJob, owned */
  gint64 now_us;
  gboolean has_looked;  /* what comes from now on is new */
  JmReadings *readings; /* where errors go, while it is refreshed; else NULL */
};

/* --- subjects --- */

static void
subject_free (gpointer data)
{
  JmTrackedSubject *subject = data;

  g_ptr_array_unref (subject->children);
  g_array_unref (subject->cgroups);
  g_clear_pointer (&subject->step, g_ref_string_release);
  g_clear_pointer (&subject->task, g_ref_string_release);
  g_clear_pointer (&subject->late, jm_readings_unref);
  g_free (subject);
}

static JmTrackedSubject *
subject_new (JmJobTracker *self,
             JmTrackedJob *job,
             JmTrackedSubject *parent,
             JmSubjectKind level)
{
  JmTrackedSubject *subject = g_new0 (JmTrackedSubject, 1);
  guint parent_group = parent != NULL ? parent->group : 0;

  subject->job = job;
  subject->parent = parent;
  subject->level = level;
  subject->children = g_ptr_array_new_with_free_func (subject_free);
  subject->cgroups = g_array_new (FALSE, FALSE, sizeof (guint));
  subject->group = level <= self->deepest
                     ? jm_process_source_add_group (self->processes, parent_group)
                     : parent_group;
  if (parent != NULL)
    g_ptr_array_add (parent->children, subject);

  return subject;
}

static void
subject_remove_group (JmJobTracker *self, JmTrackedSubject *subject)
{
  for (guint i = 0; i < subject->children->len; i++)
    subject_remove_group (self, g_ptr_array_index (subject->children, i));

  if (subject->level <= self->deepest)
    jm_process_source_remove_group (self->processes, subject->group);
}

/* A child of that name: a living one, or a new one in place of one that ended. */
static JmTrackedSubject *
subject_get_child (JmJobTracker *self,
                   JmTrackedSubject *parent,
                   const char *step,
                   const char *task)
{
  JmSubjectKind level = task != NULL ? JM_SUBJECT_KIND_TASK : JM_SUBJECT_KIND_STEP;
  JmTrackedSubject *subject;

  for (guint i = 0; i < parent->children->len; i++)
    {
      subject = g_ptr_array_index (parent->children, i);
      if (g_strcmp0 (subject->step, step) != 0 || g_strcmp0 (subject->task, task) != 0)
        continue;
      if (subject->end_us == 0)
        return subject;

      subject_remove_group (self, subject);
      g_ptr_array_remove_index (parent->children, i);
      break;
    }

  subject = subject_new (self, parent->job, parent, level);
  subject->step = g_ref_string_new (step);
  subject->task = task != NULL ? g_ref_string_new (task) : NULL;

  return subject;
}

/* --- jobs --- */

static void
job_free (gpointer data)
{
  JmTrackedJob *job = data;

  subject_free (job->subject);
  g_clear_pointer (&job->energy, jm_energy_account_free);
  g_ptr_array_unref (job->cgroups);
  g_clear_pointer (&job->job, jm_job_unref);
  g_clear_pointer (&job->draft, jm_job_draft_free);
  g_clear_pointer (&job->place, jm_place_unref);
  g_object_unref (job->source);
  g_free (job->run_key);
  g_free (job->path);
  g_free (job->word);
  g_free (job);
}

static void
remove_job (JmJobTracker *self, guint index)
{
  JmTrackedJob *job = g_ptr_array_index (self->jobs, index);

  if (job->run_key != NULL)
    jm_run_directory_remove (self->runs, job->run_key);
  subject_remove_group (self, job->subject);
  g_ptr_array_remove_index (self->jobs, index);
}

/* The living job of that name, or a new one. A job id that comes back, as after a
 * requeue, is another run: the one that ended stays on display beside it. */
static JmTrackedJob *
get_job (JmJobTracker *self, JmJobSource *source, const char *word)
{
  JmTrackedJob *job;

  for (guint i = 0; i < self->jobs->len; i++)
    {
      job = g_ptr_array_index (self->jobs, i);
      if (job->source == source && g_str_equal (job->word, word) &&
          job->subject->end_us == 0)
        return job;
    }

  job = g_new0 (JmTrackedJob, 1);
  job->source = g_object_ref (source);
  job->word = g_strdup (word);
  job->is_older = !self->has_looked;
  job->cgroups = g_ptr_array_new ();
  job->subject = subject_new (self, job, NULL, JM_SUBJECT_KIND_JOB);
  g_ptr_array_add (self->jobs, job);

  return job;
}

static JmTrackedSubject *
get_subject (JmJobTracker *self, JmJobSource *source, JmPlace *place)
{
  const char *step = jm_place_get_step (place);
  const char *task = jm_place_get_task (place);
  JmTrackedSubject *subject = get_job (self, source, jm_place_get_job (place))->subject;

  if (step != NULL)
    subject = subject_get_child (self, subject, step, NULL);
  if (task != NULL)
    subject = subject_get_child (self, subject, step, task);

  return subject;
}

/* --- cgroups --- */

/* Below a job only its own source has a say: a job within a job is the outer one's. */
static JmPlace *
match_path (JmJobTracker *self,
            const char *path,
            const JmTrackedCgroup *above,
            JmJobSource **source)
{
  if (above != NULL)
    {
      *source = above->subject->job->source;
      return jm_job_source_match (*source, path);
    }

  for (guint i = 0; i < self->sources->len; i++)
    {
      JmPlace *place;

      *source = g_ptr_array_index (self->sources, i);
      place = jm_job_source_match (*source, path);
      if (place != NULL)
        return place;
    }

  return NULL;
}

/* A cgroup that is gone already is none. */
static void
on_failed (const GError *error, gpointer user_data)
{
  JmJobTracker *self = user_data;

  if (self->readings != NULL)
    jm_readings_add_error (self->readings, error);
}

/* What a job is asked by once its cgroups are gone. */
static void
remember_path (JmJobTracker *self, const JmTrackedCgroup *cgroup)
{
  JmTrackedJob *job = cgroup->subject->job;

  if (job->path != NULL)
    return;

  job->path = g_strdup (cgroup->path);
  job->place = jm_place_ref (cgroup->place);
  for (guint i = 0; i < JM_MAX_HIERARCHIES && job->inode == 0; i++)
    {
      job->inode = jm_cgroup_reader_get_inode (self->reader, cgroup->path, i);
      job->hierarchy = i;
    }
  job->run_key = jm_run_directory_make_key (self->runs, job->inode);
}

/* A new cgroup may tell more of who the job is than those before it: the extern step's
 * processes know less than the batch step's. */
static void
attach (JmJobTracker *self, JmTrackedCgroup *cgroup)
{
  JmTrackedJob *job = cgroup->subject->job;

  cgroup->cgroup = jm_cgroup_reader_open_cgroup (self->reader, cgroup->path,
                                                 cgroup->subject->level, NULL);
  if (cgroup->cgroup == 0)
    return;

  g_ptr_array_add (job->cgroups, cgroup);
  if (cgroup->has_figures)
    g_array_append_val (cgroup->subject->cgroups, cgroup->cgroup);
  job->n_asked = 0;
}

static void
on_born (JmCgroupNode *node, gpointer user_data)
{
  JmJobTracker *self = user_data;
  JmTrackedCgroup *above = node->data;
  g_autoptr (JmPlace) place = NULL;
  JmJobSource *source = NULL;
  JmTrackedCgroup *cgroup;

  place = match_path (self, node->path, above, &source);
  node->data = NULL;
  if (place == NULL && above == NULL)
    return;

  cgroup = g_new0 (JmTrackedCgroup, 1);
  cgroup->path = g_strdup (node->path);
  cgroup->subject = place != NULL ? get_subject (self, source, place) : above->subject;
  cgroup->is_helper = place != NULL ? jm_place_is_helper (place) : above->is_helper;
  cgroup->has_figures = place != NULL && !cgroup->is_helper;
  cgroup->place = jm_place_ref (place != NULL ? place : above->place);
  remember_path (self, cgroup);
  if (!cgroup->is_helper)
    attach (self, cgroup);
  if (above != NULL)
    above->n_below++;
  node->data = cgroup;
}

/* The cgroup of a job went, and one of the same path came, before anybody looked. In
 * cgroup v1 a job comes into its hierarchies, and goes from them, one by one: that it
 * is in others now says nothing. */
static gboolean
is_another (JmCgroupNode *node, gpointer user_data)
{
  JmJobTracker *self = user_data;
  JmTrackedCgroup *cgroup = node->data;
  const JmTrackedJob *job = cgroup != NULL ? cgroup->subject->job : NULL;
  guint64 inode;

  if (job == NULL || job->inode == 0 || g_strcmp0 (job->path, node->path) != 0)
    return FALSE;

  inode = jm_cgroup_reader_get_inode (self->reader, node->path, job->hierarchy);

  return inode != 0 && inode != job->inode;
}

static void
on_changed (JmCgroupNode *node, gpointer user_data)
{
  JmTrackedCgroup *cgroup = node->data;

  if (cgroup != NULL)
    cgroup->subject->job->is_touched = TRUE;
}

static void
remove_handle (GArray *handles, guint handle)
{
  for (guint i = 0; i < handles->len; i++)
    if (g_array_index (handles, guint, i) == handle)
      {
        g_array_remove_index (handles, i);
        return;
      }
}

static void
detach (JmJobTracker *self, JmTrackedCgroup *cgroup)
{
  JmTrackedSubject *subject = cgroup->subject;

  g_ptr_array_remove (subject->job->cgroups, cgroup);
  jm_cgroup_reader_close_cgroup (self->reader, cgroup->cgroup);

  if (!cgroup->has_figures)
    return;

  remove_handle (subject->cgroups, cgroup->cgroup);
  if (subject->cgroups->len == 0)
    subject->end_us = self->now_us;
}

static void
on_died (JmCgroupNode *node, gpointer user_data)
{
  JmJobTracker *self = user_data;
  JmTrackedCgroup *cgroup = node->data;

  if (cgroup == NULL)
    return;

  if (cgroup->cgroup != 0)
    detach (self, cgroup);
  if (node->parent != NULL && node->parent->data != NULL)
    ((JmTrackedCgroup *) node->parent->data)->n_below--;
  jm_place_unref (cgroup->place);
  g_free (cgroup->path);
  g_free (cgroup);
}

/* --- the tracker --- */

JmJobTracker *
jm_job_tracker_new (JmCgroupReader *reader,
                    JmRunDirectory *runs,
                    GPtrArray *sources,
                    JmProcessSource *processes,
                    JmSubjectKind deepest)
{
  static const JmCgroupTreeEvents events = { on_born, is_another, on_changed, on_died,
                                             on_failed };
  JmJobTracker *self = g_new0 (JmJobTracker, 1);

  self->reader = g_object_ref (reader);
  self->runs = runs;
  self->sources = g_ptr_array_ref (sources);
  self->processes = g_object_ref (processes);
  self->deepest = deepest;
  self->jobs = g_ptr_array_new_with_free_func (job_free);
  self->tree = jm_cgroup_tree_new (reader, &events, self);

  return self;
}

void
jm_job_tracker_free (JmJobTracker *self)
{
  jm_cgroup_tree_free (self->tree);
  g_ptr_array_unref (self->jobs);
  g_ptr_array_unref (self->sources);
  g_object_unref (self->processes);
  g_object_unref (self->reader);
  g_free (self);
}

void
jm_job_tracker_refresh (JmJobTracker *self, gint64 now_us, JmReadings *readings)
{
  self->now_us = now_us;
  self->readings = readings;
  jm_cgroup_tree_refresh (self->tree);
  self->readings = NULL;
  self->has_looked = TRUE;
}

static char *
find_own_path (const JmTrackedJob *job)
{
  for (guint i = 0; i < job->cgroups->len; i++)
    {
      const JmTrackedCgroup *cgroup = g_ptr_array_index (job->cgroups, i);

      if (cgroup->subject == job->subject && cgroup->has_figures)
        return g_strdup (cgroup->path);
    }

  return NULL;
}

void
jm_job_tracker_renew (JmJobTracker *self, JmTrackedJob *job, gint64 now_us)
{
  g_autofree char *path = find_own_path (job);

  self->now_us = now_us;
  if (path != NULL)
    jm_cgroup_tree_forget (self->tree, path);
}

static void
expire_children (JmJobTracker *self, JmTrackedSubject *subject, gint64 before_us)
{
  for (guint i = subject->children->len; i-- > 0;)
    {
      JmTrackedSubject *child = g_ptr_array_index (subject->children, i);

      expire_children (self, child, before_us);
      if (child->end_us == 0 || child->end_us >= before_us)
        continue;

      subject_remove_group (self, child);
      g_ptr_array_remove_index (subject->children, i);
    }
}

void
jm_job_tracker_expire (JmJobTracker *self, gint64 before_us)
{
  for (guint i = self->jobs->len; i-- > 0;)
    {
      JmTrackedJob *job = g_ptr_array_index (self->jobs, i);

      /* All of its cgroups went before one could be opened. */
      if (job->cgroups->len == 0 && job->subject->end_us == 0)
        job->subject->end_us = self->now_us;

      expire_children (self, job->subject, before_us);
      if (job->subject->end_us != 0 && job->subject->end_us < before_us)
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
