/* jm-scheduler-trial.c: what a definition would do on this machine
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-doctor.h"

#include "base/jm-number-private.h"
#include "doctor/jm-examination-private.h"
#include "node/jm-cgroup-tree-private.h"
#include "sources/cgroup/jm-cgroup-reader.h"
#include "sources/cgroup/jm-spool-reader-private.h"
#include "sources/jobs/jm-job-sources-private.h"
#include "sources/jobs/jm-scheduler-definition-private.h"

/* Of cgroups that are no job the first are explained. */
#define EXPLAINED_MAX 10

typedef struct
{
  JmHost *host;
  const char *node_name;
  JmSchedulerDefinition *definition;
  const JmCgroupLayout *layout;
  GPtrArray *others; /* of JmCgroupJobSource: what it would stand beside */
  GPtrArray *jobs;   /* of char *: paths, and what they are */
  guint n_explained;
  GHashTable *overlaps; /* of char *: pairs of files */
  GPtrArray *findings;  /* of JmFinding */
} Trial;

static void add (Trial *self,
                 JmTopic topic,
                 JmSeverity severity,
                 const char *remedy,
                 const char *format,
                 ...) G_GNUC_PRINTF (5, 6);

static void
add (Trial *self,
     JmTopic topic,
     JmSeverity severity,
     const char *remedy,
     const char *format,
     ...)
{
  g_autofree char *seen = NULL;
  va_list arguments;

  va_start (arguments, format);
  seen = g_strdup_vprintf (format, arguments);
  va_end (arguments);

  g_ptr_array_add (self->findings,
                   jm_finding_new (severity, jm_topic_get_name (topic), seen, remedy));
}

static void
explain (Trial *self, const char *path)
{
  g_autofree char *text =
    jm_cgroup_layout_explain (self->layout, path, self->node_name);

  add (self, JM_TOPIC_SCHEDULERS_PATHS, JM_SEVERITY_NOTE, NULL, "%s: %s", path, text);
}

/* --- beside other definitions --- */

static JmSchedulerDefinition *
get_other (const Trial *self, guint i)
{
  return jm_cgroup_job_source_get_definition (self->others->pdata[i]);
}

static gboolean
is_job_of (JmSchedulerDefinition *definition, const char *path, const char *node_name)
{
  g_auto (JmPathMatch) match = { 0 };
  const char *below;

  return jm_cgroup_layout_find_job (jm_scheduler_definition_get_layout (definition),
                                    path, node_name, &match, &below) &&
         *below == '\0';
}

static void
tell_overlap (Trial *self, JmSchedulerDefinition *other, const char *path)
{
  g_autofree char *both =
    g_strdup_printf ("%s and %s", jm_scheduler_definition_get_path (self->definition),
                     jm_scheduler_definition_get_path (other));

  if (g_hash_table_contains (self->overlaps, both))
    return;

  add (self, JM_TOPIC_SCHEDULERS_OVERLAP, JM_SEVERITY_PROBLEM,
       "Let Exclude= of one of them name what is the other's", "%s is a job by both %s",
       path, both);
  g_hash_table_add (self->overlaps, g_steal_pointer (&both));
}

/* Paths such as each of two describes: where no jobs run no others are known. */
static void
compare_examples (Trial *self,
                  JmSchedulerDefinition *other,
                  JmSchedulerDefinition *described_by)
{
  g_auto (GStrv) paths =
    jm_cgroup_layout_list_examples (jm_scheduler_definition_get_layout (described_by));

  for (char **path = paths; *path != NULL; path++)
    if (is_job_of (self->definition, *path, NULL) && is_job_of (other, *path, NULL))
      tell_overlap (self, other, *path);
}

static void
compare_with_others (Trial *self)
{
  for (guint i = 0; i < self->others->len; i++)
    {
      compare_examples (self, get_other (self, i), self->definition);
      compare_examples (self, get_other (self, i), get_other (self, i));
    }
}

/* --- on this machine --- */

static void
add_job (Trial *self, const char *path)
{
  g_autofree char *what =
    jm_cgroup_layout_explain (self->layout, path, self->node_name);

  g_ptr_array_add (self->jobs, g_strdup_printf ("%s is %s", path, what));
  for (guint i = 0; i < self->others->len; i++)
    if (is_job_of (get_other (self, i), path, self->node_name))
      tell_overlap (self, get_other (self, i), path);
}

static void
on_born (JmCgroupNode *node, gpointer user_data)
{
  Trial *self = user_data;

  if (is_job_of (self->definition, node->path, self->node_name))
    add_job (self, node->path);
  else if (node->parent != NULL && self->n_explained < EXPLAINED_MAX &&
           jm_cgroup_layout_is_hall (self->layout, node->parent->path))
    {
      explain (self, node->path);
      self->n_explained++;
    }
}

static gboolean
is_wanted (JmCgroupNode *node, gpointer user_data)
{
  const Trial *self = user_data;

  return jm_cgroup_layout_may_have_jobs (self->layout, node->path) &&
         !is_job_of (self->definition, node->path, self->node_name);
}

static void
walk (Trial *self, JmCgroupReader *reader)
{
  static const JmCgroupTreeEvents events = {
    .born = on_born,
    .is_wanted = is_wanted,
  };
  g_autoptr (JmCgroupTree) tree = jm_cgroup_tree_new (reader, &events, self);

  jm_cgroup_tree_refresh (tree, g_get_monotonic_time ());
}

static void
look_at_kernel (Trial *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCgroupReader) reader =
    jm_cgroup_reader_new_for_host (self->host, &error);

  if (reader != NULL)
    walk (self, reader);
  else
    add (self, JM_TOPIC_CGROUP_VERSION, JM_SEVERITY_PROBLEM, NULL, "%s",
         error->message);
}

static void
look_at_spool (Trial *self, const JmSchedulerSpool *spool)
{
  g_autoptr (JmSpoolReader) reader =
    g_initable_new (JM_TYPE_SPOOL_READER, NULL, NULL, "host", self->host, "name",
                    jm_scheduler_definition_get_name (self->definition), "directories",
                    (const char *const *) spool->directories, "group-file",
                    spool->group, NULL);

  if (reader != NULL)
    walk (self, JM_CGROUP_READER (reader));
}

static void
look_at_cgroups (Trial *self)
{
  const JmSchedulerSpool *spool = jm_scheduler_definition_get_spool (self->definition);
  g_autofree char *jobs = NULL;
  g_autofree char *list = NULL;

  look_at_kernel (self);
  if (spool->directories != NULL)
    look_at_spool (self, spool);

  list = jm_examination_join (self->jobs);
  jobs = jm_number_count (self->jobs->len, "job");
  if (self->jobs->len > 0)
    add (self, JM_TOPIC_JOBS_FOUND, JM_SEVERITY_GOOD, NULL, "%s: %s", jobs, list);
  else
    add (self, JM_TOPIC_JOBS_FOUND, JM_SEVERITY_NOTE,
         "Look again while a job runs, or name its cgroup behind the options",
         "No cgroup of this machine is a job by it");
}

/* --- the trial --- */

/* A file of the same name would take its place. */
static gboolean
is_replaced (JmSchedulerDefinition *other, const char *name)
{
  g_autofree char *base =
    g_path_get_basename (jm_scheduler_definition_get_path (other));
  g_autofree char *built_in = g_strconcat (name, " (", NULL);

  return g_str_equal (base, name) || g_str_has_prefix (base, built_in);
}

static GPtrArray *
load_others (JmHost *host,
             const char *definition,
             const char *const *schedulers,
             const char *node_name)
{
  g_autofree char *name = g_path_get_basename (definition);
  GPtrArray *sources = jm_job_sources_load (host, schedulers, node_name, NULL, NULL);

  for (guint i = sources->len; i-- > 0;)
    if (is_replaced (jm_cgroup_job_source_get_definition (sources->pdata[i]), name))
      g_ptr_array_remove_index (sources, i);

  return sources;
}

static void
try_definition (Trial *self, const char *const *paths)
{
  self->layout = jm_scheduler_definition_get_layout (self->definition);
  add (self, JM_TOPIC_SCHEDULERS_FILES, JM_SEVERITY_GOOD, NULL,
       "%s is a sound definition of %s",
       jm_scheduler_definition_get_path (self->definition),
       jm_scheduler_definition_get_name (self->definition));

  compare_with_others (self);
  look_at_cgroups (self);
  if (g_hash_table_size (self->overlaps) == 0)
    add (self, JM_TOPIC_SCHEDULERS_OVERLAP, JM_SEVERITY_GOOD, NULL,
         "It claims no path of the %u other definitions, nor do they claim one of its",
         self->others->len);

  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    explain (self, paths[i]);
}

/**
 * jm_doctor_examine_scheduler:
 * @host: the host
 * @definition: (type filename): a key file, which need not be installed
 * @schedulers: (nullable) (array zero-terminated=1) (element-type filename): as
 *   jm_job_sources_load() takes them: what the definition would stand beside
 * @node_name: (nullable): see #JmNode:node-name
 * @paths: (nullable) (array zero-terminated=1): cgroups that are to be explained, from
 *   the root of a hierarchy
 *
 * Tries a scheduler definition: whether it is sound, whether it claims what another
 * one claims, which cgroups of this machine are jobs by it, and why others are not.
 *
 * - Shape: topics as jm_doctor_examine() has them.
 *
 * Returns: (transfer full) (element-type JmFinding): what was found out
 * Since: 0.1
 */
GPtrArray *
jm_doctor_examine_scheduler (JmHost *host,
                             const char *definition,
                             const char *const *schedulers,
                             const char *node_name,
                             const char *const *paths)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSchedulerDefinition) file = NULL;
  g_autoptr (GPtrArray) others = NULL;
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) overlaps =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Trial trial = { host, node_name };

  g_return_val_if_fail (JM_IS_HOST (host), NULL);
  g_return_val_if_fail (definition != NULL, NULL);

  trial.findings = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_finding_unref);
  file = jm_scheduler_definition_new_from_file (definition, &error);
  if (file == NULL)
    {
      add (&trial, JM_TOPIC_SCHEDULERS_FILES, JM_SEVERITY_PROBLEM,
           "Mend the file, as the manual's page on scheduler definitions explains",
           "%s", error->message);
      return trial.findings;
    }

  others = load_others (host, definition, schedulers, node_name);
  trial.definition = file;
  trial.others = others;
  trial.jobs = jobs;
  trial.overlaps = overlaps;
  try_definition (&trial, paths);

  return trial.findings;
}
