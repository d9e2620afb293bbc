/* jm-examine-jobs.c: which schedulers and jobs are known, and how
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-examination-private.h"

#include "base/jm-number-private.h"
#include "core/jm-snapshot-private.h"
#include "node/jm-cgroup-tree-private.h"
#include "sources/cgroup/jm-cgroup-reader.h"

/* Jobs by the origin of their identity. */
typedef struct
{
  guint n_jobs;
  guint n_by_hook;
  GPtrArray *by_environment; /* of const char *: ids */
  GPtrArray *by_path;        /* of those that still have processes */
} Identities;

static void
examine_files (JmExamination *self)
{
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *n_definitions = NULL;

  for (guint i = 0; i < self->problems->len; i++)
    {
      const GError *error = g_ptr_array_index (self->problems, i);

      jm_examination_add (self, JM_TOPIC_SCHEDULERS_FILES, JM_SEVERITY_PROBLEM,
                          "Mend the file, as the manual's page on scheduler "
                          "definitions explains; until then it is ignored",
                          "%s", error->message);
    }

  n_definitions = jm_number_count (self->sources->len, "definition");
  for (guint i = 0; i < self->sources->len; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "",
                            jm_scheduler_definition_get_path (
                              jm_cgroup_job_source_get_definition (
                                self->sources->pdata[i])));

  if (self->sources->len > 0)
    jm_examination_add (self, JM_TOPIC_SCHEDULERS_FILES, JM_SEVERITY_GOOD, NULL,
                        "%s: %s", n_definitions, list->str);
  else
    jm_examination_add (self, JM_TOPIC_SCHEDULERS_FILES, JM_SEVERITY_PROBLEM,
                        "Remove the empty files that hide those which are built in, or "
                        "name a directory: --schedulers=DIR",
                        "There is no scheduler definition: no job can be known");
}

static void
find_same_names (JmExamination *self)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->sources->len; i++)
    {
      const char *name = jm_examination_get_scheduler (self->sources->pdata[i]);

      if (!g_hash_table_add (names, (char *) name))
        g_ptr_array_add (self->overlaps,
                         g_strdup_printf ("two definitions have the name %s", name));
    }
}

static void
examine_overlap (JmExamination *self)
{
  g_autofree char *list = NULL;

  find_same_names (self);
  list = jm_examination_join (self->overlaps);
  if (self->overlaps->len > 0)
    jm_examination_add (self, JM_TOPIC_SCHEDULERS_OVERLAP, JM_SEVERITY_PROBLEM,
                        "Let Exclude= of one definition name what is the other's; a "
                        "site's file replaces a built-in one of the same file name",
                        "%s", list);
  else if (self->sources->len > 0)
    jm_examination_add (self, JM_TOPIC_SCHEDULERS_OVERLAP, JM_SEVERITY_GOOD, NULL,
                        "No two definitions claim one job");
}

/* --- jobs --- */

/* A job that has just ended has no processes left to read. */
static gboolean
has_processes (JmSnapshot *snapshot, guint subject)
{
  double n;

  return jm_snapshot_get_metric (snapshot, subject, JM_METRIC_PROCESSES, &n) && n > 0;
}

/* The cluster may come from the scheduler's own file, which knows no job. */
static gboolean
is_told_by_hook (JmJob *job)
{
  guint n_fields = jm_job_count_fields (job, JM_ORIGIN_HOOK);

  return n_fields > (jm_job_get_origin (job, JM_JOB_FIELD_CLUSTER) == JM_ORIGIN_HOOK);
}

static void
sort_by_identity (JmSnapshot *snapshot, Identities *identities)
{
  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    {
      JmJob *job = jm_snapshot_get_job (snapshot, i);

      if (jm_snapshot_get_kind (snapshot, i) != JM_SUBJECT_KIND_JOB)
        continue;

      identities->n_jobs++;
      if (is_told_by_hook (job))
        identities->n_by_hook++;
      else if (jm_job_count_fields (job, JM_ORIGIN_ENVIRONMENT) > 0)
        g_ptr_array_add (identities->by_environment, (char *) jm_job_get_id (job));
      else if (has_processes (snapshot, i))
        g_ptr_array_add (identities->by_path, (char *) jm_job_get_id (job));
    }
}

static gboolean
is_called (JmSnapshot *snapshot, const char *name)
{
  g_autoptr (GPtrArray) jobs = jm_snapshot_get_jobs (snapshot);

  for (guint i = 0; i < jobs->len; i++)
    {
      if (g_str_equal (name, jm_job_get_id (g_ptr_array_index (jobs, i))))
        return TRUE;
    }

  return FALSE;
}

/* A path may say nothing of the id: Slurm's may have a SLUID alone, HTCondor's has the
 * name of a slot. */
static void
examine_nameless (JmExamination *self)
{
  g_autoptr (GPtrArray) nameless = g_ptr_array_new ();
  g_autofree char *remedy =
    jm_examination_advise (self, NULL, "jobs.identity",
                           "Install the hooks (see hooks.prolog)");
  g_autofree char *list = NULL;

  for (guint i = 0; i < self->jobs->len; i++)
    {
      JmExaminedJob *job = g_ptr_array_index (self->jobs, i);

      if (!jm_path_match_has (&job->match, JM_PATH_FIELD_JOB) &&
          is_called (self->snapshot, jm_path_match_get_name (&job->match)))
        g_ptr_array_add (nameless, job->path);
    }

  list = jm_examination_join (nameless);
  if (nameless->len > 0)
    jm_examination_add (self, JM_TOPIC_JOBS_IDENTITY, JM_SEVERITY_PROBLEM, remedy,
                        "Jobs are called as their cgroups are, for no hook reports "
                        "their ids: %s",
                        list);
}

static void
tell_identities (JmExamination *self, const Identities *identities)
{
  g_autofree char *by_path = jm_examination_join (identities->by_path);
  g_autofree char *by_environment = jm_examination_join (identities->by_environment);
  g_autofree char *jobs = jm_number_count (identities->n_jobs, "job");

  if (identities->by_path->len > 0)
    jm_examination_add (self, JM_TOPIC_JOBS_IDENTITY, JM_SEVERITY_PROBLEM,
                        "Install the hooks (see hooks.prolog), or let the daemon read "
                        "environments (see proc.environ)",
                        "Known by the path alone, without account, partition and name: "
                        "%u of %s: %s",
                        identities->by_path->len, jobs, by_path);
  if (identities->by_environment->len > 0)
    jm_examination_add (self, JM_TOPIC_JOBS_IDENTITY, JM_SEVERITY_NOTE,
                        "Install the hooks (see hooks.prolog)",
                        "Known by the environment, which users can forge: %u of %s: %s",
                        identities->by_environment->len, jobs, by_environment);
  if (identities->n_jobs > 0 && identities->n_by_hook == identities->n_jobs)
    jm_examination_add (self, JM_TOPIC_JOBS_IDENTITY, JM_SEVERITY_GOOD, NULL,
                        "Hooks identified all of the jobs");
}

static void
examine_found (JmExamination *self)
{
  g_autoptr (GPtrArray) by_environment = g_ptr_array_new ();
  g_autoptr (GPtrArray) by_path = g_ptr_array_new ();
  g_autofree char *remedy =
    jm_examination_advise (self, NULL, "jobs.found",
                           "Look again while a job runs; one that should be here may "
                           "have a cgroup that no "
                           "definition names, or none");
  Identities identities = { 0, 0, by_environment, by_path };
  g_autofree char *jobs = NULL;

  sort_by_identity (self->snapshot, &identities);
  jobs = jm_number_count (identities.n_jobs, "job");
  if (identities.n_jobs > 0)
    jm_examination_add (self, JM_TOPIC_JOBS_FOUND, JM_SEVERITY_GOOD, NULL,
                        "%s: %u identified by a hook, %u by an environment, %u by "
                        "the path alone",
                        jobs, identities.n_by_hook, by_environment->len,
                        identities.n_jobs - identities.n_by_hook - by_environment->len);
  else if (self->jobs->len == 0)
    jm_examination_add (self, JM_TOPIC_JOBS_FOUND, JM_SEVERITY_NOTE, remedy,
                        "No jobs run here: cannot determine what jobs lack");
  tell_identities (self, &identities);
  examine_nameless (self);
}

/* --- jobs in containers --- */

typedef struct
{
  GPtrArray *sources;
  GHashTable *paths; /* of JmCgroupJobSource to GPtrArray of char * */
} Misplaced;

static void
look_for_misplaced (JmCgroupNode *node, gpointer user_data)
{
  Misplaced *self = user_data;

  for (guint i = 0; i < self->sources->len; i++)
    {
      JmCgroupJobSource *source = g_ptr_array_index (self->sources, i);
      JmSchedulerDefinition *definition = jm_cgroup_job_source_get_definition (source);
      GPtrArray *paths = g_hash_table_lookup (self->paths, source);

      if (!jm_cgroup_layout_is_misplaced (jm_scheduler_definition_get_layout (
                                            definition),
                                          node->path))
        continue;
      if (paths == NULL)
        {
          paths = g_ptr_array_new_with_free_func (g_free);
          g_hash_table_insert (self->paths, source, paths);
        }
      g_ptr_array_add (paths, g_strdup (node->path));
    }
}

static void
find_misplaced (JmExamination *self, Misplaced *misplaced)
{
  static const JmCgroupTreeEvents events = { .born = look_for_misplaced };
  g_autoptr (JmCgroupReader) reader = jm_cgroup_reader_new_for_host (self->host, NULL);
  g_autoptr (JmCgroupTree) tree =
    reader != NULL ? jm_cgroup_tree_new (reader, &events, misplaced) : NULL;

  if (tree != NULL)
    jm_cgroup_tree_refresh (tree, g_get_monotonic_time ());
}

/* Whoever is root in a container can make cgroups there that look like jobs, so that
 * these count only where the site says so. */
static void
examine_misplaced (JmExamination *self)
{
  g_autoptr (GHashTable) paths =
    g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  Misplaced misplaced = { self->sources, paths };

  find_misplaced (self, &misplaced);
  for (guint i = 0; i < self->sources->len; i++)
    {
      JmCgroupJobSource *source = g_ptr_array_index (self->sources, i);
      GPtrArray *found = g_hash_table_lookup (paths, source);
      g_autofree char *list = found != NULL ? jm_examination_join (found) : NULL;
      g_autofree char *remedy =
        jm_examination_advise (self, source, "jobs.contained", NULL);

      if (found == NULL)
        continue;
      jm_examination_add (self, JM_TOPIC_JOBS_FOUND, JM_SEVERITY_NOTE,
                          remedy != NULL
                            ? remedy
                            : "Where only root starts containers, a definition that "
                              "begins with Extends= can name these paths",
                          "These look like jobs of %s in a container, and do not count "
                          "as jobs: %s",
                          jm_examination_get_scheduler (source), list);
    }
}

/* --- collectors --- */

static void
tell_error (JmExamination *self, JmCollector collector)
{
  const GError *error = jm_snapshot_get_error (self->snapshot, collector);
  gboolean is_denied = !jm_snapshot_has_failed (self->snapshot, collector);

  jm_examination_add (self, JM_TOPIC_COLLECTORS,
                      is_denied ? JM_SEVERITY_NOTE : JM_SEVERITY_PROBLEM,
                      is_denied ? "See the manual's page on privileges" : NULL,
                      "%s: reads that failed: %u; the first: %s",
                      jm_collector_get_name (collector),
                      jm_snapshot_get_n_errors (self->snapshot, collector),
                      error->message);
}

static void
examine_collectors (JmExamination *self)
{
  guint n_failed = 0;

  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    if (jm_snapshot_get_error (self->snapshot, i) != NULL)
      {
        tell_error (self, i);
        n_failed++;
      }

  if (n_failed == 0)
    jm_examination_add (self, JM_TOPIC_COLLECTORS, JM_SEVERITY_GOOD, NULL,
                        "One sample of the node took %.1f ms, without an error",
                        (double) jm_snapshot_get_duration (self->snapshot) / 1e6);
}

/* Which schedulers and jobs are known, and how it went to read them. */
void
jm_examine_jobs (JmExamination *self)
{
  examine_files (self);
  examine_overlap (self);

  if (self->snapshot == NULL)
    {
      jm_examination_add (self, JM_TOPIC_COLLECTORS, JM_SEVERITY_PROBLEM, NULL,
                          "The node could not be sampled: %s",
                          self->node_error->message);
      return;
    }

  examine_found (self);
  examine_misplaced (self);
  examine_collectors (self);
}
