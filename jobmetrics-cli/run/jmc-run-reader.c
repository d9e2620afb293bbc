/* jmc-run-reader.c: the one job of a run, as a node reads jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "run/jmc-run-parts.h"

#include "core/jm-readings-private.h"
#include "run/jmc-affinity.h"
#include "run/jmc-local-job.h"
#include "sources/cgroup/jm-cgroup-reader.h"

#define NS_PER_US G_GUINT64_CONSTANT (1000)
#define THE_ONE 1

/* A hierarchy of a single job, whatever else is on the machine. The job is where the
 * scheduler definition `local` looks for it, wherever its cgroups are. */
struct _JmcRunReader
{
  JmSource parent_instance;
  JmcRunUnit unit;
  char *name;             /* of the job's cgroup */
  JmCgroupReader *kernel; /* NULL without a cgroup */
  GArray *cgroups;        /* of guint: what is open in the kernel's reader */
  char *cpus;             /* that the command may use; NULL where that is not known */
  guint n_cpus;
};

static void reader_iface_init (JmCgroupReaderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmcRunReader,
                               jmc_run_reader,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_CGROUP_READER,
                                                      reader_iface_init))

/* --- the hierarchy --- */

static char **
jmc_run_reader_list_children (JmCgroupReader *reader, const char *path, GError **error)
{
  JmcRunReader *self = JMC_RUN_READER (reader);
  const char *names[] = { NULL, NULL };

  if (g_str_equal (path, "/"))
    names[0] = JMC_LOCAL_JOB_CGROUP_FOLDER;
  else if (g_str_equal (path, "/" JMC_LOCAL_JOB_CGROUP_FOLDER))
    names[0] = self->name;

  return g_strdupv ((char **) names);
}

/* Nothing ever comes or goes. */
static char **
jmc_run_reader_take_changes (JmCgroupReader *reader)
{
  return g_new0 (char *, 1);
}

static guint
jmc_run_reader_open_cgroup (JmCgroupReader *reader,
                            const char *path,
                            JmSubjectKind level,
                            GError **error)
{
  return THE_ONE;
}

static void
jmc_run_reader_close_cgroup (JmCgroupReader *reader, guint cgroup)
{
}

/* --- figures --- */

static gboolean
read_cgroups (JmcRunReader *self, JmReadings *readings, guint from, GError **error)
{
  for (guint i = 0; i < self->cgroups->len; i++)
    if (!jm_cgroup_reader_read (self->kernel, g_array_index (self->cgroups, guint, i),
                                readings, error))
      return FALSE;

  if (self->cgroups->len > 1)
    jm_readings_merge (readings, from);

  return TRUE;
}

static guint64
to_ns (const struct timeval *time)
{
  return ((guint64) time->tv_sec * G_USEC_PER_SEC + (guint64) time->tv_usec) *
         NS_PER_US;
}

/* What those have used that ended, as the kernel says at their end, and those that are
 * there. */
static void
read_tree (JmcRunReader *self, JmReadings *readings)
{
  const struct rusage *ended = jmc_child_get_usage (self->unit.child);
  guint64 user_ns, system_ns;

  if (!jm_readings_begin (readings, JM_COLLECTOR_CPU))
    return;

  jmc_process_tree_get_cpu_times (self->unit.tree, &user_ns, &system_ns);
  user_ns += to_ns (&ended->ru_utime);
  system_ns += to_ns (&ended->ru_stime);
  jm_readings_add (readings, JM_METRIC_CPU_USER, user_ns);
  jm_readings_add (readings, JM_METRIC_CPU_SYSTEM, system_ns);
  jm_readings_add (readings, JM_METRIC_CPU_TOTAL, user_ns + system_ns);
}

/* Where no cpuset says so, the command's own affinity does. */
static void
add_cpus (JmcRunReader *self, JmReadings *readings, guint from)
{
  if (self->cpus == NULL || jm_readings_find (readings, from, JM_METRIC_CPUS) != NULL ||
      !jm_readings_begin (readings, JM_COLLECTOR_CPU))
    return;

  jm_readings_add (readings, JM_METRIC_CPUS, self->n_cpus);
  jm_readings_add_cpus (readings, self->cpus);
}

static gboolean
jmc_run_reader_read (JmCgroupReader *reader,
                     guint cgroup,
                     JmReadings *readings,
                     GError **error)
{
  JmcRunReader *self = JMC_RUN_READER (reader);
  guint from;

  jm_readings_get_values (readings, &from);
  if (self->kernel == NULL)
    read_tree (self, readings);
  else if (!read_cgroups (self, readings, from, error))
    return FALSE;
  add_cpus (self, readings, from);

  return TRUE;
}

static gboolean
jmc_run_reader_list_processes (JmCgroupReader *reader,
                               guint cgroup,
                               JmReadings *readings,
                               GError **error)
{
  JmcRunReader *self = JMC_RUN_READER (reader);
  g_autoptr (GArray) pids = self->unit.cgroup != NULL
                              ? jmc_run_cgroup_list_processes (self->unit.cgroup)
                              : jmc_process_tree_list_processes (self->unit.tree);

  for (guint i = 0; i < pids->len; i++)
    jm_readings_add_process (readings, (guint) g_array_index (pids, pid_t, i));

  return TRUE;
}

static void
reader_iface_init (JmCgroupReaderInterface *iface)
{
  iface->list_children = jmc_run_reader_list_children;
  iface->take_changes = jmc_run_reader_take_changes;
  iface->open_cgroup = jmc_run_reader_open_cgroup;
  iface->read = jmc_run_reader_read;
  iface->list_processes = jmc_run_reader_list_processes;
  iface->close_cgroup = jmc_run_reader_close_cgroup;
}

/* --- GObject --- */

static void
jmc_run_reader_finalize (GObject *object)
{
  JmcRunReader *self = JMC_RUN_READER (object);

  for (guint i = 0; i < self->cgroups->len; i++)
    jm_cgroup_reader_close_cgroup (self->kernel,
                                   g_array_index (self->cgroups, guint, i));
  g_array_unref (self->cgroups);
  g_clear_object (&self->kernel);
  g_free (self->name);
  g_free (self->cpus);

  G_OBJECT_CLASS (jmc_run_reader_parent_class)->finalize (object);
}

static void
jmc_run_reader_class_init (JmcRunReaderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jmc_run_reader_finalize;
}

static void
jmc_run_reader_init (JmcRunReader *self)
{
  self->cgroups = g_array_new (FALSE, FALSE, sizeof (guint));
}

static gboolean
open_cgroups (JmcRunReader *self, JmHost *host, GError **error)
{
  g_autoptr (GPtrArray) paths = jmc_run_cgroup_list_paths (self->unit.cgroup);

  self->kernel = jm_cgroup_reader_new_for_host (host, error);
  for (guint i = 0; self->kernel != NULL && i < paths->len; i++)
    {
      guint cgroup = jm_cgroup_reader_open_cgroup (self->kernel, paths->pdata[i],
                                                   JM_SUBJECT_KIND_JOB, error);

      if (cgroup == 0)
        return FALSE;
      g_array_append_val (self->cgroups, cgroup);
    }

  return self->kernel != NULL;
}

/* What @unit has must outlive the reader. */
JmcRunReader *
jmc_run_reader_new (JmHost *host, const JmcRunUnit *unit, GError **error)
{
  g_autoptr (JmcRunReader) self =
    g_object_new (JMC_TYPE_RUN_READER, "host", host, NULL);

  self->unit = *unit;
  self->name = g_strconcat (JMC_LOCAL_JOB_CGROUP_PREFIX, unit->job_id, NULL);
  self->cpus = jmc_affinity_read (host, &self->n_cpus);
  if (unit->cgroup != NULL && !open_cgroups (self, host, error))
    return NULL;

  return g_steal_pointer (&self);
}

/* Whether the job's figures are those of a cgroup. */
gboolean
jmc_run_reader_has_cgroup (JmcRunReader *self)
{
  return self->kernel != NULL;
}
