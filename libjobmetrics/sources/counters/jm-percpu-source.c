/* jm-percpu-source.c: how long jobs ran on each CPU, where no file has it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/counters/jm-counter-types-private.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "core/jm-readings-private.h"
#include "host/jm-source-private.h"
#include "sources/counters/jm-percpu-times-private.h"

/* Reads how long each job ran on each CPU, by a BPF program that visits the cgroups of
 * version 2 (iter/cgroup): the kernel counts that, and has no file for it. What ran in
 * cgroups below that are no more is in it.
 *
 * - Shape: a figure for each CPU on which the job ran.
 * - Errors: ABSENT on a copied tree, and where kernel or build have no BPF; DENIED
 *   without CAP_BPF and CAP_PERFMON. */
struct _JmPercpuSource
{
  JmSource parent_instance;

  char *mount; /* of version 2 */
  JmPercpuTimes *times;
  JmLabels **labels; /* of each CPU, once it is reported */
  GError *failure;   /* of the last round */
};

/* One that is asked for. */
typedef struct
{
  char *dir;
  guint64 inode;
  guint place;
} Cgroup;

static void counter_source_iface_init (JmCounterSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmPercpuSource,
                               jm_percpu_source,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_COUNTER_SOURCE,
                                                      counter_source_iface_init))

static gboolean
jm_percpu_source_open (JmSource *source, GError **error)
{
  JmPercpuSource *self = JM_PERCPU_SOURCE (source);

  self->times = jm_percpu_times_new (jm_source_get_host (source), self->mount, error);
  if (self->times == NULL)
    return FALSE;

  self->labels = g_new0 (JmLabels *, jm_percpu_times_get_n_cpus (self->times));
  return TRUE;
}

static void
jm_percpu_source_begin_round (JmCounterSource *source)
{
  JmPercpuSource *self = JM_PERCPU_SOURCE (source);

  g_clear_error (&self->failure);
  jm_percpu_times_read (self->times, &self->failure);
}

/* --- cgroups --- */

static gpointer
jm_percpu_source_open_cgroup (JmCounterSource *source, const char *dir, GError **error)
{
  JmPercpuSource *self = JM_PERCPU_SOURCE (source);
  Cgroup cgroup = { .dir = (char *) dir };
  struct stat status;

  if (stat (dir, &status) != 0)
    {
      jm_path_error_set_errno (error, dir, errno);
      return NULL;
    }

  cgroup.inode = status.st_ino;
  if (!jm_percpu_times_add (self->times, cgroup.inode, &cgroup.place, error))
    return NULL;

  cgroup.dir = g_strdup (dir);
  return g_memdup2 (&cgroup, sizeof cgroup);
}

static void
add_times (JmPercpuSource *self, const guint64 *times_ns, JmReadings *readings)
{
  guint n_cpus = jm_percpu_times_get_n_cpus (self->times);

  for (guint cpu = 0; cpu < n_cpus; cpu++)
    {
      if (times_ns[cpu] == 0)
        continue;
      if (self->labels[cpu] == NULL)
        {
          char number[16];

          g_snprintf (number, sizeof number, "%u", cpu);
          self->labels[cpu] = jm_labels_of (number, NULL);
        }
      jm_readings_add_labelled (readings, JM_METRIC_PERCPU, self->labels[cpu],
                                times_ns[cpu]);
      jm_readings_place (readings, cpu, times_ns[cpu]);
    }
}

/* One that was opened since the round began is reported in the next. */
static gboolean
jm_percpu_source_read (JmCounterSource *source,
                       gpointer data,
                       JmReadings *readings,
                       GError **error)
{
  JmPercpuSource *self = JM_PERCPU_SOURCE (source);
  const Cgroup *cgroup = data;
  const guint64 *times_ns;

  if (self->failure != NULL)
    {
      g_propagate_error (error, g_error_copy (self->failure));
      return FALSE;
    }

  times_ns = jm_percpu_times_get (self->times, cgroup->place);
  if (times_ns == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                   "%s: its CPUs were not measured in this sweep", cgroup->dir);
      return FALSE;
    }

  add_times (self, times_ns, readings);
  return TRUE;
}

static void
jm_percpu_source_close_cgroup (JmCounterSource *source, gpointer data)
{
  JmPercpuSource *self = JM_PERCPU_SOURCE (source);
  Cgroup *cgroup = data;

  jm_percpu_times_remove (self->times, cgroup->inode, cgroup->place);
  g_free (cgroup->dir);
  g_free (cgroup);
}

static void
counter_source_iface_init (JmCounterSourceInterface *iface)
{
  iface->collector = JM_COLLECTOR_PERCPU;
  iface->begin_round = jm_percpu_source_begin_round;
  iface->open_cgroup = jm_percpu_source_open_cgroup;
  iface->read = jm_percpu_source_read;
  iface->close_cgroup = jm_percpu_source_close_cgroup;
}

/* --- GObject --- */

static void
jm_percpu_source_finalize (GObject *object)
{
  JmPercpuSource *self = JM_PERCPU_SOURCE (object);

  for (guint i = 0;
       self->labels != NULL && i < jm_percpu_times_get_n_cpus (self->times); i++)
    g_clear_pointer (&self->labels[i], jm_labels_unref);
  g_free (self->labels);
  g_clear_pointer (&self->times, jm_percpu_times_free);
  g_clear_error (&self->failure);

  G_OBJECT_CLASS (jm_percpu_source_parent_class)->finalize (object);
}

static void
jm_percpu_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    jm_advice_add (advice, "CAP_BPF and CAP_PERFMON", "process-bpf.conf");
}

static void
jm_percpu_source_class_init (JmPercpuSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = jm_percpu_source_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_percpu_source_open;
  JM_SOURCE_CLASS (klass)->advise = jm_percpu_source_advise;

  /* where cgroup version 2 is mounted */
  jm_source_class_add_text (object_class, "mount",
                            G_STRUCT_OFFSET (JmPercpuSource, mount), NULL);
}

static void
jm_percpu_source_init (JmPercpuSource *self)
{
}

JmPercpuSource *
jm_percpu_source_new (JmHost *host, const char *mount, GError **error)
{
  return g_initable_new (JM_TYPE_PERCPU_SOURCE, NULL, error, "host", host, "mount",
                         mount, NULL);
}
