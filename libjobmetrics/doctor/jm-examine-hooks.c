/* jm-examine-hooks.c: what a scheduler's prolog and epilog leave
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-examination-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-number-private.h"
#include "sources/jobs/jm-property-file-private.h"
#include "sources/jobs/jm-scheduler-definition-private.h"

/* No hook writes a file of this name: to ask for it shows whether the directory is
 * trusted. */
#define NO_FILE ".none"

/* One directory of hooks, which several definitions may name. */
typedef struct
{
  JmExamination *examination;
  const char *path;
  char **files;     /* without those that are being written */
  GHashTable *jobs; /* of char *: names that jobs of this node may have */
} Directory;

static const JmSchedulerHook *
get_hook (JmCgroupJobSource *source)
{
  return jm_scheduler_definition_get_hook (
    jm_cgroup_job_source_get_definition (source));
}

static const char *
get_directory (JmCgroupJobSource *source)
{
  return jm_scheduler_hook_get_directory (get_hook (source));
}

/* How hooks are installed; with NULL, those of any scheduler. */
static char *
describe_hooks (JmExamination *self, JmCgroupJobSource *source)
{
  char *advice = jm_examination_advise (self, source, "hooks.prolog", NULL);

  if (advice != NULL)
    return advice;

  return g_strdup (
    "What starts a job must leave a file about it: see the manual's page "
    "on scheduler definitions");
}

static gboolean
is_property_file (const char *name)
{
  return name[0] != '.';
}

/* --- the directory and its files --- */

static gboolean
is_trusted (JmExamination *self, const char *path, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (JmPropertyFile) file =
    jm_property_file_read (self->host, path, NO_FILE, &problem);

  if (file != NULL || g_error_matches (problem, JM_ERROR, JM_ERROR_ABSENT))
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

static gboolean
open_directory (Directory *self)
{
  JmExamination *examination = self->examination;
  g_autoptr (GError) error = NULL;

  if (!jm_host_exists (examination->host, self->path))
    {
      g_autofree char *hooks = describe_hooks (examination, NULL);
      g_autofree char *remedy =
        g_strconcat (hooks, "; systemd-tmpfiles --create makes the directory", NULL);

      jm_examination_add (examination, JM_TOPIC_HOOKS_DIRECTORY, JM_SEVERITY_NOTE,
                          remedy, "%s is not there: no hook identifies jobs",
                          self->path);
      return FALSE;
    }

  if (is_trusted (examination, self->path, &error))
    self->files = jm_host_list_dir (examination->host, self->path, &error);
  if (self->files == NULL)
    {
      jm_examination_add (examination, JM_TOPIC_HOOKS_DIRECTORY, JM_SEVERITY_PROBLEM,
                          "The directory must be root's, with mode 0755; or 0750, with "
                          "the daemon's group (SupplementaryGroups= in its unit)",
                          "%s: no file in it is believed", error->message);
      return FALSE;
    }

  jm_examination_add (examination, JM_TOPIC_HOOKS_DIRECTORY, JM_SEVERITY_GOOD, NULL,
                      "%s is there, and can be trusted", self->path);
  return TRUE;
}

static gboolean
check_file (const Directory *self, const char *name, GError **error)
{
  g_autoptr (JmPropertyFile) file =
    jm_property_file_read (self->examination->host, self->path, name, error);

  return file != NULL && jm_property_file_check (file, error);
}

static void
examine_files (const Directory *self)
{
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  guint n_files = 0;

  for (char **name = self->files; *name != NULL; name++)
    {
      g_autoptr (GError) error = NULL;

      if (!is_property_file (*name))
        continue;
      n_files++;
      if (!check_file (self, *name, &error) &&
          !g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
        g_ptr_array_add (faults, g_strdup (error->message));
    }

  for (guint i = 0; i < faults->len; i++)
    jm_examination_add (self->examination, JM_TOPIC_HOOKS_FILES, JM_SEVERITY_PROBLEM,
                        "Remove the file, and see what wrote it: jobmetrics-prolog "
                        "leaves lines NAME=VALUE in a file of root's, mode 0644",
                        "%s", (const char *) g_ptr_array_index (faults, i));
  if (faults->len == 0)
    jm_examination_add (self->examination, JM_TOPIC_HOOKS_FILES, JM_SEVERITY_GOOD, NULL,
                        "%s: sound files: %u", self->path, n_files);
}

/* --- files and jobs --- */

static gboolean
has_file (const Directory *self, char **names)
{
  for (char **name = names; *name != NULL; name++)
    if (g_strv_contains ((const char *const *) self->files, *name))
      return TRUE;

  return FALSE;
}

static void
take_names (const Directory *self, char **names)
{
  for (char **name = names; *name != NULL; name++)
    g_hash_table_add (self->jobs, g_strdup (*name));
}

/* A job's path may have its id alone, and its hook write a file of its SLUID too. */
static void
take_names_of_identity (const Directory *self, JmCgroupJobSource *source, JmJob *job)
{
  g_auto (JmPathMatch) match = { 0 };
  g_auto (GStrv) names = NULL;

  match.fields[JM_PATH_FIELD_JOB] = g_strdup (jm_job_get_id (job));
  match.fields[JM_PATH_FIELD_SLUID] =
    g_strdup (jm_job_get_field (job, JM_JOB_FIELD_SLUID));
  names = jm_scheduler_hook_list_files (get_hook (source), &match);
  take_names (self, names);
}

static void
take_names_of_identities (const Directory *self, JmCgroupJobSource *source)
{
  JmSnapshot *snapshot = self->examination->snapshot;
  g_autoptr (GPtrArray) jobs =
    snapshot != NULL ? jm_snapshot_get_jobs (snapshot) : NULL;

  for (guint i = 0; jobs != NULL && i < jobs->len; i++)
    {
      JmJob *job = g_ptr_array_index (jobs, i);

      if (g_strcmp0 (jm_job_get_field (job, JM_JOB_FIELD_SCHEDULER),
                     jm_examination_get_scheduler (source)) == 0)
        take_names_of_identity (self, source, job);
    }
}

/* The jobs of one scheduler that have no file. */
static void
examine_prolog (const Directory *self, JmCgroupJobSource *source)
{
  JmExamination *examination = self->examination;
  g_autoptr (GPtrArray) lacking = g_ptr_array_new ();
  g_autofree char *hooks = describe_hooks (examination, source);
  g_autofree char *list = NULL;
  g_autofree char *jobs = NULL;
  guint n_jobs = 0;

  for (guint i = 0; i < examination->jobs->len; i++)
    {
      JmExaminedJob *job = g_ptr_array_index (examination->jobs, i);
      g_auto (GStrv) names = NULL;

      if (job->source != source)
        continue;
      n_jobs++;
      names = jm_scheduler_hook_list_files (get_hook (source), &job->match);
      take_names (self, names);
      if (!has_file (self, names))
        g_ptr_array_add (lacking, job->path);
    }

  list = jm_examination_join (lacking);
  jobs = jm_number_count (n_jobs, "job");
  if (lacking->len > 0)
    jm_examination_add (examination, JM_TOPIC_HOOKS_PROLOG, JM_SEVERITY_NOTE, hooks,
                        "%s: no file in %s for %u of %s: %s",
                        jm_examination_get_scheduler (source), self->path, lacking->len,
                        jobs, list);
  else if (n_jobs > 0)
    jm_examination_add (examination, JM_TOPIC_HOOKS_PROLOG, JM_SEVERITY_GOOD, NULL,
                        "%s: a file in %s for %u of %s",
                        jm_examination_get_scheduler (source), self->path, n_jobs,
                        jobs);
}

/* A job that was given the node and has started nothing there yet has a file and no
 * cgroup: a note says enough. */
static void
examine_epilog (const Directory *self)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new ();
  g_autofree char *hooks = describe_hooks (self->examination, NULL);
  g_autofree char *remedy =
    g_strconcat (hooks, "; files of jobs that have ended may be removed", NULL);
  g_autofree char *list = NULL;

  for (char **name = self->files; *name != NULL; name++)
    if (is_property_file (*name) && !g_hash_table_contains (self->jobs, *name))
      g_ptr_array_add (left, *name);

  list = jm_examination_join (left);
  if (left->len > 0)
    jm_examination_add (self->examination, JM_TOPIC_HOOKS_EPILOG, JM_SEVERITY_NOTE,
                        remedy, "%s: files of jobs that run nothing here: %s",
                        self->path, list);
  else
    jm_examination_add (self->examination, JM_TOPIC_HOOKS_EPILOG, JM_SEVERITY_GOOD,
                        NULL, "%s: no files of jobs that have ended", self->path);
}

static void
examine_directory (JmExamination *examination, const char *path)
{
  g_autoptr (GHashTable) jobs =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Directory self = { examination, path, NULL, jobs };

  if (!open_directory (&self))
    return;

  examine_files (&self);
  for (guint i = 0; i < examination->sources->len; i++)
    {
      JmCgroupJobSource *source = g_ptr_array_index (examination->sources, i);

      if (g_strcmp0 (get_directory (source), path) != 0)
        continue;
      examine_prolog (&self, source);
      take_names_of_identities (&self, source);
    }

  /* of several nodes on one machine, the others' jobs are not known here */
  if (examination->node_name == NULL && examination->cgroup_error == NULL)
    examine_epilog (&self);
  g_strfreev (self.files);
}

/* The hooks of jobs: whether they are installed, and can be believed. */
void
jm_examine_hooks (JmExamination *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->sources->len; i++)
    {
      const char *path = get_directory (g_ptr_array_index (self->sources, i));

      if (path != NULL && g_hash_table_add (seen, (char *) path))
        examine_directory (self, path);
    }
}
