/* jm-examination.c: a node that is being examined
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-examination-private.h"

#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "host/jm-source-private.h"
#include "node/jm-cgroup-tree-private.h"
#include "node/jm-node-private.h"
#include "sources/cgroup/jm-cgroup-reader.h"
#include "sources/jobs/jm-job-sources-private.h"
#include "sources/jobs/jm-scheduler-definition-private.h"

/* See login.defs(5) and systemd's list of users and groups. */
#define FIRST_USER 1000
#define NOBODY 65534

/* How many names stand in a sentence. */
#define NAMES_MAX 5

static const char *const topic_names[JM_N_TOPICS] = {
  [JM_TOPIC_HOST_LIVE] = "host.live",
  [JM_TOPIC_HOST_USER] = "host.user",
  [JM_TOPIC_CGROUP_VERSION] = "cgroup.version",
  [JM_TOPIC_CGROUP_CPUACCT] = "cgroup.cpuacct",
  [JM_TOPIC_CGROUP_CPU] = "cgroup.cpu",
  [JM_TOPIC_CGROUP_CPUSET] = "cgroup.cpuset",
  [JM_TOPIC_CGROUP_MEMORY] = "cgroup.memory",
  [JM_TOPIC_CGROUP_IO] = "cgroup.io",
  [JM_TOPIC_CGROUP_PIDS] = "cgroup.pids",
  [JM_TOPIC_MEMORY_PEAK] = "memory.peak",
  [JM_TOPIC_MEMORY_SWAP] = "memory.swap",
  [JM_TOPIC_PRESSURE] = "pressure",
  [JM_TOPIC_INOTIFY] = "inotify",
  [JM_TOPIC_FILES_LIMIT] = "files.limit",
  [JM_TOPIC_PROC_MOUNT] = "proc.mount",
  [JM_TOPIC_PROC_HIDEPID] = "proc.hidepid",
  [JM_TOPIC_PROC_IO] = "proc.io",
  [JM_TOPIC_PROC_FD] = "proc.fd",
  [JM_TOPIC_PROC_ENVIRON] = "proc.environ",
  [JM_TOPIC_PROC_EXE] = "proc.exe",
  [JM_TOPIC_PROC_BPF] = "proc.bpf",
  [JM_TOPIC_HOOKS_DIRECTORY] = "hooks.directory",
  [JM_TOPIC_HOOKS_FILES] = "hooks.files",
  [JM_TOPIC_HOOKS_PROLOG] = "hooks.prolog",
  [JM_TOPIC_HOOKS_EPILOG] = "hooks.epilog",
  [JM_TOPIC_SPOOL_DIRECTORY] = "spool.directory",
  [JM_TOPIC_SCHEDULERS_FILES] = "schedulers.files",
  [JM_TOPIC_SCHEDULERS_OVERLAP] = "schedulers.overlap",
  [JM_TOPIC_SCHEDULERS_PATHS] = "schedulers.paths",
  [JM_TOPIC_JOBS_FOUND] = "jobs.found",
  [JM_TOPIC_JOBS_IDENTITY] = "jobs.identity",
  [JM_TOPIC_POWER_METERS] = "power.meters",
  [JM_TOPIC_POWER_MISSING] = "power.missing",
  [JM_TOPIC_POWER_SOURCES] = "power.sources",
  [JM_TOPIC_GPU_LIBRARIES] = "gpu.libraries",
  [JM_TOPIC_GPU_MISSING] = "gpu.missing",
  [JM_TOPIC_GPU_JOBS] = "gpu.jobs",
  [JM_TOPIC_GPU_SOURCES] = "gpu.sources",
  [JM_TOPIC_EMISSIONS_PROVIDERS] = "emissions.providers",
  [JM_TOPIC_DATA_TABLES] = "data.tables",
  [JM_TOPIC_LEDGER] = "ledger",
  [JM_TOPIC_COLLECTORS] = "collectors",
  [JM_TOPIC_CLOCK] = "clock",
};

static void
job_free (gpointer data)
{
  JmExaminedJob *job = data;

  jm_path_match_clear (&job->match);
  g_free (job->path);
  g_free (job);
}

/* Those who log in, and not root or the user of a daemon, for whom root looks. */
static gboolean
is_user (uid_t uid)
{
  return uid >= FIRST_USER && uid != NOBODY;
}

/* Whether the host's procfs is the running kernel's, and not a copy. */
gboolean
jm_examination_is_kernels_own (JmHost *host)
{
  g_autofree char *proc = jm_host_resolve (host, "/proc");
  struct statfs fs;

  return proc != NULL && statfs (proc, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

static const JmCgroupLayout *
get_layout (JmCgroupJobSource *source)
{
  return jm_scheduler_definition_get_layout (
    jm_cgroup_job_source_get_definition (source));
}

/* Whether @path is the very cgroup of a job of the source: it may look like one, and be
 * made by a user. */
static gboolean
is_job (JmExamination *self,
        JmCgroupJobSource *source,
        const char *path,
        JmPathMatch *match)
{
  g_autoptr (JmPlace) place = jm_job_source_match (JM_JOB_SOURCE (source), path);
  const char *below;

  return place != NULL &&
         jm_cgroup_layout_find_job (get_layout (source), path, self->node_name, match,
                                    &below) &&
         *below == '\0';
}

static void
add_job (JmExamination *self, JmCgroupJobSource *source, const char *path)
{
  JmExaminedJob *job = g_new0 (JmExaminedJob, 1);

  job->source = source;
  g_hash_table_add (self->present, source);
  job->path = g_strdup (path);
  is_job (self, source, job->path, &job->match);
  g_ptr_array_add (self->jobs, job);
}

static void
add_overlap (JmExamination *self,
             const char *path,
             JmCgroupJobSource *first,
             JmCgroupJobSource *second)
{
  g_ptr_array_add (self->overlaps,
                   g_strdup_printf ("%s is a job of both %s and %s", path,
                                    jm_examination_get_scheduler (first),
                                    jm_examination_get_scheduler (second)));
}

static JmCgroupJobSource *
look_for_job (JmExamination *self, const char *path)
{
  JmCgroupJobSource *found = NULL;

  for (guint i = 0; i < self->sources->len; i++)
    {
      JmCgroupJobSource *source = g_ptr_array_index (self->sources, i);
      g_auto (JmPathMatch) match = { 0 };

      if (!is_job (self, source, path, &match))
        continue;
      if (found == NULL)
        found = source;
      else
        add_overlap (self, path, found, source);
    }

  return found;
}

static void
look_for_hall (JmExamination *self, const char *path)
{
  gboolean is_hall = FALSE;

  for (guint i = 0; i < self->sources->len; i++)
    if (jm_cgroup_layout_is_hall (get_layout (self->sources->pdata[i]), path))
      {
        is_hall = TRUE;
        g_hash_table_add (self->present, self->sources->pdata[i]);
      }

  if (is_hall)
    g_ptr_array_add (self->halls, g_strdup (path));
}

static void
on_born (JmCgroupNode *node, gpointer user_data)
{
  JmExamination *self = user_data;
  JmCgroupJobSource *source;

  self->n_cgroups++;
  if (node->data != NULL) /* below a job */
    return;

  source = look_for_job (self, node->path);
  if (source != NULL)
    {
      add_job (self, source, node->path);
      node->data = source;
    }
  else
    look_for_hall (self, node->path);
}

static gboolean
is_wanted (JmCgroupNode *node, gpointer user_data)
{
  JmExamination *self = user_data;

  for (guint i = 0; i < self->sources->len; i++)
    if (jm_job_source_may_have_jobs (self->sources->pdata[i], node->path))
      return TRUE;

  return FALSE;
}

static void
find_jobs (JmExamination *self)
{
  static const JmCgroupTreeEvents events = {
    .born = on_born,
    .is_wanted = is_wanted,
  };
  g_autoptr (JmCgroupReader) reader =
    jm_cgroup_reader_new_for_host (self->host, &self->cgroup_error);
  g_autoptr (JmCgroupTree) tree = NULL;
  g_auto (GStrv) top = NULL;

  if (reader == NULL)
    return;

  top = jm_cgroup_reader_list_children (reader, "/", &self->cgroup_error);
  tree = jm_cgroup_tree_new (reader, &events, self);
  jm_cgroup_tree_refresh (tree, g_get_monotonic_time ());
}

/* A node with those libraries of accelerators; NULL for what is found. */
JmNode *
jm_examination_open_node (JmExamination *self,
                          const char *const *gpu_sources,
                          GError **error)
{
  return g_initable_new (JM_TYPE_NODE, NULL, error, "host", self->host, "schedulers",
                         self->schedulers, "node-name", self->node_name, "gpu-sources",
                         gpu_sources, NULL);
}

static void
sample (JmExamination *self)
{
  self->node = jm_examination_open_node (self, NULL, &self->node_error);
  if (self->node != NULL)
    self->snapshot = jm_node_sample (self->node, NULL, &self->node_error);
}

/* Looks at everything once; the jm_examine_ functions then say what that means. */
JmExamination *
jm_examination_new (JmHost *host, const char *const *schedulers, const char *node_name)
{
  JmExamination *self = g_new0 (JmExamination, 1);

  self->host = g_object_ref (host);
  self->schedulers = schedulers;
  self->node_name = node_name;
  self->is_kernels_own = jm_examination_is_kernels_own (host);
  self->is_for_users = is_user (geteuid ());
  self->mounts = jm_cgroup_mounts_new (host);
  self->is_unified = jm_cgroup_mounts_prefer_unified (self->mounts, host);
  self->sources =
    jm_job_sources_load (host, schedulers, node_name, NULL, &self->problems);
  self->jobs = g_ptr_array_new_with_free_func (job_free);
  self->halls = g_ptr_array_new_with_free_func (g_free);
  self->present = g_hash_table_new (NULL, NULL);
  self->overlaps = g_ptr_array_new_with_free_func (g_free);
  self->findings = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_finding_unref);

  find_jobs (self);
  sample (self);

  return self;
}

void
jm_examination_free (JmExamination *self)
{
  g_clear_pointer (&self->findings, g_ptr_array_unref);
  g_clear_pointer (&self->snapshot, jm_snapshot_unref);
  g_clear_object (&self->node);
  g_ptr_array_unref (self->overlaps);
  g_ptr_array_unref (self->halls);
  g_hash_table_unref (self->present);
  g_ptr_array_unref (self->jobs);
  g_ptr_array_unref (self->problems);
  g_ptr_array_unref (self->sources);
  g_clear_error (&self->node_error);
  g_clear_error (&self->cgroup_error);
  jm_cgroup_mounts_free (self->mounts);
  g_object_unref (self->host);
  g_free (self);
}

const char *
jm_topic_get_name (JmTopic topic)
{
  return topic_names[topic];
}

/* @remedy is NULL where nothing is to be done; the rest says what was seen. */
void
jm_examination_add (JmExamination *self,
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
                   jm_finding_new (severity, topic_names[topic], seen, remedy));
}

/* Jobs of one scheduler are alike: the first stands for all. */
JmExaminedJob *
jm_examination_get_first_job (JmExamination *self, JmCgroupJobSource *source)
{
  for (guint i = 0; i < self->jobs->len; i++)
    {
      JmExaminedJob *job = g_ptr_array_index (self->jobs, i);

      if (job->source == source)
        return job;
    }

  return NULL;
}

/* A job of the node's scheduler rather than one that was started by hand. */
JmExaminedJob *
jm_examination_get_any_job (JmExamination *self)
{
  for (guint i = 0; i < self->jobs->len; i++)
    {
      JmExaminedJob *job = g_ptr_array_index (self->jobs, i);

      if (g_strcmp0 (jm_examination_get_scheduler (job->source), JM_OWN_SCHEDULER) != 0)
        return job;
    }

  return self->jobs->len > 0 ? g_ptr_array_index (self->jobs, 0) : NULL;
}

const char *
jm_examination_get_scheduler (JmCgroupJobSource *source)
{
  return jm_scheduler_definition_get_name (
    jm_cgroup_job_source_get_definition (source));
}

/* The first of the names, and how many more there are. */
char *
jm_examination_join (GPtrArray *names)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (names->len, NAMES_MAX); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            (const char *) g_ptr_array_index (names, i));
  if (names->len > NAMES_MAX)
    g_string_append_printf (text, " and %u more", names->len - NAMES_MAX);

  return g_string_free (text, FALSE);
}

/* @remedy, and what the definition of @source advises; with NULL, what those do whose
 * jobs are, or would be, here. Of nothing at all it is NULL. */
char *
jm_examination_advise (JmExamination *self,
                       JmCgroupJobSource *source,
                       const char *topic,
                       const char *remedy)
{
  GString *text = g_string_new (remedy);

  for (guint i = 0; i < self->sources->len; i++)
    {
      JmCgroupJobSource *other = g_ptr_array_index (self->sources, i);
      const char *advice =
        jm_scheduler_definition_get_advice (jm_cgroup_job_source_get_definition (other),
                                            topic);

      if (advice != NULL &&
          (source == NULL ? g_hash_table_contains (self->present, other)
                          : source == other))
        g_string_append_printf (text, "%s%s", text->len > 0 ? ". " : "", advice);
    }

  return g_string_free (text, text->len == 0);
}

/* What mends an error, for who looks: a user is not asked to edit the system. */
char *
jm_examination_get_remedy (JmExamination *self, JmAdvice *advice)
{
  g_autofree char *plain = NULL;

  if (!self->is_for_users)
    return jm_advice_get_text (advice);

  plain = jm_advice_get_plain_text (advice);

  return plain != NULL ? g_strconcat ("An administrator can: ", plain, NULL) : NULL;
}

/* Adds why the source of that name fails, with what it advises itself, else @remedy.
 * @source is NULL where it could not be made. */
void
jm_examination_add_failure (JmExamination *self,
                            JmTopic topic,
                            JmSeverity severity,
                            const char *name,
                            JmSource *source,
                            const GError *error,
                            const char *remedy)
{
  g_autoptr (JmAdvice) advice = jm_advice_new ();
  g_autofree char *own = NULL;

  if (source != NULL)
    jm_source_advise (source, error, advice);
  own = jm_examination_get_remedy (self, advice);
  jm_examination_add (self, topic, severity, own != NULL ? own : remedy, "%s: %s", name,
                      error->message);
}

GPtrArray *
jm_examination_list_found (JmExamination *self, JmSourceKind kind)
{
  GPtrArray *found = g_ptr_array_new ();
  const GPtrArray *entries;

  if (self->node == NULL)
    return found;

  entries = jm_source_set_get_entries (jm_node_get_source_set (self->node));
  for (guint i = 0; i < entries->len; i++)
    {
      JmSourceEntry *entry = entries->pdata[i];

      if (entry->kind == kind && entry->source != NULL && !entry->is_superseded)
        g_ptr_array_add (found, entry);
    }

  return found;
}
