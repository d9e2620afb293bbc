/* jm-node.c: the whole truth about a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-node-private.h"

#include "base/jm-error.h"
#include "core/jm-collector-set-private.h"
#include "core/jm-readings-private.h"
#include "node/jm-node-settings-private.h"
#include "node/jm-sweep-private.h"
#include "sources/jobs/jm-cgroup-job-source-private.h"
#include "sources/jobs/jm-scheduler-definition-private.h"
#include "sources/process/jm-process-source-private.h"

/**
 * JmNode:
 *
 * A node: what it has, one round over it, and the join of all of its sources. One call,
 * jm_node_sample(), is the whole truth about the node at one moment.
 *
 * A node belongs to one thread; the snapshots that it hands out do not.
 *
 * Since: 0.1
 */
struct _JmNode
{
  GObject parent_instance;

  JmNodeSettings settings;

  /* what it has */
  JmSourceSet *sources;
  GPtrArray *problems; /* of GError: files of energy that were passed over */
  JmSweep *sweep;
  gboolean is_closed;
};

static void initable_iface_init (GInitableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmNode,
                               jm_node,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_INITABLE,
                                                      initable_iface_init))

/* --- what the node has --- */

static JmSourceSet *
open_sources (JmNode *self, GError **error)
{
  static const char *const nothing[] = { NULL };
  JmSourcePlan plan = {
    .host = self->settings.host,
    .schedulers = (const char *const *) self->settings.schedulers,
    .node_name = self->settings.node_name,
    .cluster = self->settings.cluster,
    .power_sources = (const char *const *) self->settings.power_sources,
    .gpu_sources = (const char *const *) self->settings.gpu_sources,
    .emission_providers = (const char *const *) self->settings.emission_providers,
    .collectors = self->settings.collectors,
    .memory_stat_interval_ms = self->settings.memory_stat_interval,
    .max_counters = self->settings.max_counters,
    .uses_bpf = self->settings.process_bpf,
    .uses_percpu_bpf = self->settings.percpu_bpf,
  };

  if (!jm_collector_set_has (&self->settings.collectors, JM_COLLECTOR_POWER))
    plan.power_sources = nothing;
  if (!jm_collector_set_has (&self->settings.collectors, JM_COLLECTOR_GPU) &&
      !jm_collector_set_has (&self->settings.collectors, JM_COLLECTOR_POWER))
    plan.gpu_sources = nothing;
  if (!jm_collector_set_has (&self->settings.collectors, JM_COLLECTOR_EMISSIONS))
    plan.emission_providers = nothing;

  return jm_source_set_open (&plan, error);
}

/* A helper of any scheduler is one in every job: a job may run within another's. */
static void
set_helpers (JmNode *self, JmProcessSource *processes)
{
  const GPtrArray *entries = jm_source_set_get_entries (self->sources);
  g_autoptr (GStrvBuilder) helpers = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  for (guint i = 0; i < entries->len; i++)
    {
      const JmSourceEntry *entry = entries->pdata[i];
      const char *const *own;

      if (!JM_IS_CGROUP_JOB_SOURCE (entry->source))
        continue;

      own = jm_scheduler_definition_get_helpers (
        jm_cgroup_job_source_get_definition (JM_CGROUP_JOB_SOURCE (entry->source)));
      if (own != NULL)
        g_strv_builder_addv (helpers, (const char **) own);
    }

  all = g_strv_builder_end (helpers);
  jm_process_source_set_helpers (processes, (const char *const *) all);
}

static void
set_up_processes (JmNode *self, JmProcessSource *processes)
{
  set_helpers (self, processes);
  jm_process_source_set_filesystems (processes,
                                     (const char *const *) self->settings.filesystems);
  jm_process_source_set_max_executables (processes, self->settings.max_executables);
  jm_process_source_set_threads_interval (processes, self->settings.threads_interval);
}

static void
use_sources_from (JmNode *self, guint first)
{
  const GPtrArray *entries = jm_source_set_get_entries (self->sources);

  for (guint i = first; i < entries->len; i++)
    {
      const JmSourceEntry *entry = entries->pdata[i];

      if (entry->source != NULL)
        jm_sweep_add_source (self->sweep, entry);
    }
}

/* Grams are made of joules, and joules are divided by what jobs made of the node. */
static void
add_what_is_reckoned_from (JmCollectorSet *collectors)
{
  if (jm_collector_set_has (collectors, JM_COLLECTOR_EMISSIONS))
    jm_collector_set_add (collectors, JM_COLLECTOR_POWER);
  if (jm_collector_set_has (collectors, JM_COLLECTOR_POWER))
    jm_collector_set_unite (collectors,
                            JM_COLLECTOR_SET (JM_COLLECTOR_CPU, JM_COLLECTOR_MEMORY,
                                              JM_COLLECTOR_GPU));
}

static gboolean
jm_node_initable_init (GInitable *initable, GCancellable *cancellable, GError **error)
{
  JmNode *self = JM_NODE (initable);
  JmSweepPlan plan = {
    self->settings.level,      self->settings.collectors,
    self->settings.collectors, (gint64) self->settings.linger * G_USEC_PER_SEC,
    self->settings.max_cpus,   (const char *const *) self->settings.gpu_order,
    self->settings.gpu_shards, self->settings.share_idle,
    self->settings.node_name,  (const char *const *) self->settings.energy_files
  };
  JmProcessSource *processes;

  jm_collector_set_add (&plan.shown, JM_COLLECTOR_JOBS);
  plan.collectors = plan.shown;
  add_what_is_reckoned_from (&plan.collectors);
  if (self->sweep != NULL)
    return TRUE;

  if (self->is_closed)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CLOSED, "the node is closed");
      return FALSE;
    }

  self->sources = open_sources (self, error);
  if (self->sources == NULL)
    return FALSE;

  processes = jm_source_set_find (self->sources, JM_SOURCE_KIND_PROCESSES);
  set_up_processes (self, processes);
  self->sweep = jm_sweep_new (&plan, self->sources, self->problems);
  use_sources_from (self, 0);

  return TRUE;
}

static void
initable_iface_init (GInitableIface *iface)
{
  iface->init = jm_node_initable_init;
}

/* --- GObject --- */

static void
jm_node_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  jm_node_settings_get (&JM_NODE (object)->settings, id, value);
}

static void
jm_node_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  jm_node_settings_set (&JM_NODE (object)->settings, id, value);
}

static void
jm_node_constructed (GObject *object)
{
  JmNode *self = JM_NODE (object);

  G_OBJECT_CLASS (jm_node_parent_class)->constructed (object);

  if (self->settings.host == NULL)
    self->settings.host = jm_host_new (NULL);
}

static void
jm_node_finalize (GObject *object)
{
  JmNode *self = JM_NODE (object);

  jm_node_close (self);
  g_ptr_array_unref (self->problems);
  jm_node_settings_clear (&self->settings);

  G_OBJECT_CLASS (jm_node_parent_class)->finalize (object);
}

static void
jm_node_class_init (JmNodeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = jm_node_constructed;
  object_class->get_property = jm_node_get_property;
  object_class->set_property = jm_node_set_property;
  object_class->finalize = jm_node_finalize;

  jm_node_settings_install (object_class);
}

static void
jm_node_init (JmNode *self)
{
  self->problems = g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);
}

/* --- public --- */

JmSourceSet *
jm_node_get_source_set (JmNode *self)
{
  return self->sources;
}

/**
 * jm_node_new_full:
 * @host: (nullable): the host; %NULL for the one that the program runs on
 * @error: return location for an error
 *
 * Makes a node. For other settings use g_initable_new() with the node's properties.
 *
 * - Errors: `INVALID` for an invalid setting. What the host lacks is no
 *   error: see jm_node_list_problems().
 *
 * Returns: (transfer full): the node
 * Since: 0.1
 */
JmNode *
jm_node_new_full (JmHost *host, GError **error)
{
  return g_initable_new (JM_TYPE_NODE, NULL, error, "host", host, NULL);
}

/**
 * jm_node_add_source:
 * @self: a node
 * @source: a #JmCgroupReader, #JmJobSource, #JmPowerSource or #JmEmissionProvider,
 *   perhaps written in another language
 *
 * Adds a source to those that the node found by itself. Its figures of jobs that exist
 * already appear from the next sweep on.
 *
 * Since: 0.1
 */
void
jm_node_add_source (JmNode *self, JmSource *source)
{
  guint n_before;

  g_return_if_fail (JM_IS_NODE (self));
  g_return_if_fail (self->sweep != NULL);
  g_return_if_fail (JM_IS_SOURCE (source));

  n_before = jm_source_set_get_entries (self->sources)->len;
  jm_source_set_add (self->sources, source);
  use_sources_from (self, n_before);
}

/**
 * jm_node_publish:
 * @self: a node
 *
 * Has the node write down who the jobs are, from the next sweep on, so that all
 * programs of the machine call them the same, whatever each of them read first: a file
 * for each run in `/run/jobmetrics-exporter/runs`, which every other node reads, and
 * which goes when the job is forgotten, and what they have used of energy in
 * `energy.json` above it. For the one program that watches jobs all the time.
 *
 * Since: 0.1
 */
void
jm_node_publish (JmNode *self)
{
  g_return_if_fail (JM_IS_NODE (self));
  g_return_if_fail (self->sweep != NULL);

  jm_run_directory_begin_writing (jm_sweep_get_runs (self->sweep));
}

void
jm_node_set_interval (JmNode *self, guint interval_ms)
{
  if (self->sweep != NULL)
    jm_sweep_set_interval (self->sweep, (gint64) interval_ms * 1000);
}

void
jm_node_set_ledger (JmNode *self, JmLedger *ledger)
{
  jm_node_set_ledger_and_memory (self, ledger, NULL);
}

void
jm_node_set_ledger_and_memory (JmNode *self,
                               JmLedger *ledger,
                               JmCheckpointMemory *memory)
{
  jm_sweep_set_ledger (self->sweep, ledger, memory);
}

gboolean
jm_node_await_stored (JmNode *self, guint timeout_ms)
{
  return self->sweep == NULL ||
         jm_sweep_await_stored (self->sweep, (gint64) timeout_ms * 1000);
}

/**
 * jm_node_wait_for_answers:
 * @self: a node
 * @timeout_ms: for how long at most, milliseconds
 *
 * Waits until the power sources and emission providers that answer in the background
 * have done so once. For programs that sample but once or twice; jm_node_sample() never
 * waits for them.
 *
 * Since: 0.1
 */
void
jm_node_wait_for_answers (JmNode *self, guint timeout_ms)
{
  g_return_if_fail (JM_IS_NODE (self));
  g_return_if_fail (self->sweep != NULL);

  jm_sweep_wait (self->sweep, (gint64) timeout_ms * 1000);
}

/* A binding's constructor may stop at g_object_new(). */
static gboolean
is_ready (JmNode *self, GCancellable *cancellable, GError **error)
{
  return !g_cancellable_set_error_if_cancelled (cancellable, error) &&
         g_initable_init (G_INITABLE (self), cancellable, error);
}

/**
 * jm_node_sample:
 * @self: a node
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Sweeps over the node: reads everything once and puts it together.
 *
 * - Shape: the node's totals, and figures of each job that runs or ended lately, down
 *   to #JmNode:level.
 * - Errors: only when cancelled or closed. A source that fails costs its own figures;
 *   why is in jm_snapshot_get_error().
 *
 * Returns: (transfer full): what was read
 * Since: 0.1
 */
JmSnapshot *
jm_node_sample (JmNode *self, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (JM_IS_NODE (self), NULL);

  return is_ready (self, cancellable, error) ? jm_sweep_sample (self->sweep) : NULL;
}

JmSnapshot *
jm_node_sample_to_show (JmNode *self, guint timeout_ms)
{
  return is_ready (self, NULL, NULL)
           ? jm_sweep_sample_to_show (self->sweep, (gint64) timeout_ms * 1000)
           : NULL;
}

/**
 * jm_node_list_processes:
 * @self: a node
 * @job: what a job is called, as jm_job_is_called() has it; best its uuid
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Lists the processes of a job as they are now, which no snapshot holds. Each is looked
 * at anew, with several system calls: for people who look, not for every sweep.
 *
 * - Shape: one record for each process that counts as the job's, and none for one that
 *   ended meanwhile; of a job that has ended there are none. Of one that may not be
 *   looked at, and of those beyond the first 20000, only the number and the place are
 *   reported.
 * - Errors: `ABSENT` where the node has no such job; as the host reports where a cgroup
 *   of it cannot be listed, for half a list would pass for a whole one; when cancelled
 *   or closed.
 * - Source: `cgroup.procs` of the job's cgroups, `/proc/PID/stat` and `exe`.
 *
 * Returns: (transfer container) (element-type JmProcess): the processes, by number
 * Since: 0.1
 */
GPtrArray *
jm_node_list_processes (JmNode *self,
                        const char *job,
                        GCancellable *cancellable,
                        GError **error)
{
  g_return_val_if_fail (JM_IS_NODE (self), NULL);
  g_return_val_if_fail (job != NULL, NULL);

  return is_ready (self, cancellable, error)
           ? jm_sweep_list_processes (self->sweep, job, cancellable, error)
           : NULL;
}

/**
 * jm_node_get_event_fd:
 * @self: a node
 *
 * Gets a descriptor to poll: when it becomes readable, jm_node_follow() should be
 * called soon.
 *
 * Returns: the descriptor, which stays the node's; -1 where there is none
 * Since: 0.1
 */
int
jm_node_get_event_fd (JmNode *self)
{
  g_return_val_if_fail (JM_IS_NODE (self), -1);
  g_return_val_if_fail (self->sweep != NULL, -1);

  return jm_sweep_get_event_fd (self->sweep);
}

/**
 * jm_node_follow:
 * @self: a node
 *
 * Follows births and deaths of jobs between two sweeps. Jobs of which something went
 * are read at once, for their own end may be near; those that began are read, and asked
 * who they are, a moment later. Whoever is woken by jm_node_get_event_fd() calls this,
 * also where nothing seems to have happened: it may be time to look again.
 *
 * Since: 0.1
 */
void
jm_node_follow (JmNode *self)
{
  g_return_if_fail (JM_IS_NODE (self));
  g_return_if_fail (self->sweep != NULL);

  jm_sweep_follow (self->sweep);
}

/**
 * jm_node_attend:
 * @self: a node
 * @job: what a job is called, as jm_job_is_called() has it
 *
 * Follows births and deaths, and reads a job at once, between two sweeps: for whoever
 * knows that it has just begun, or is about to end.
 *
 * Returns: whether the node has such a job
 * Since: 0.1
 */
gboolean
jm_node_attend (JmNode *self, const char *job)
{
  g_return_val_if_fail (JM_IS_NODE (self), FALSE);
  g_return_val_if_fail (self->sweep != NULL, FALSE);
  g_return_val_if_fail (job != NULL, FALSE);

  return jm_sweep_attend (self->sweep, job);
}

/**
 * jm_node_list_problems:
 * @self: a node
 *
 * Lists what the node has to do without though every node should have it, or somebody
 * asked for it: a broken scheduler definition, cgroups, a power source that was named.
 * jm_node_list_sources() has the others as well.
 *
 * Returns: (transfer full): one message each
 * Since: 0.1
 */
char **
jm_node_list_problems (JmNode *self)
{
  g_autoptr (GStrvBuilder) problems = g_strv_builder_new ();

  g_return_val_if_fail (JM_IS_NODE (self), NULL);

  if (self->sources != NULL)
    jm_source_set_list_problems (self->sources, problems);
  for (guint i = 0; i < self->problems->len; i++)
    {
      const GError *error = g_ptr_array_index (self->problems, i);

      g_strv_builder_add (problems, error->message);
    }

  return g_strv_builder_end (problems);
}

/**
 * jm_node_list_sources:
 * @self: a node
 *
 * Lists all that the node has or looked for, and how each fared when it was asked last.
 *
 * - Shape: in the order in which they are asked; of one kind, the best first. A source
 *   that was added is last of its kind.
 * - Errors: none: each record has its source's own.
 *
 * Returns: (transfer container) (element-type JmSourceInfo): the sources
 * Since: 0.1
 */
GPtrArray *
jm_node_list_sources (JmNode *self)
{
  g_return_val_if_fail (JM_IS_NODE (self), NULL);
  g_return_val_if_fail (self->sources != NULL, NULL);

  return jm_source_set_list (self->sources);
}

/**
 * jm_node_close:
 * @self: a node
 *
 * Gives back what the node holds: its sources, the files that they keep open, and their
 * watches. For languages in which an object's end is not in the program's hands;
 * snapshots that were taken stay. jm_node_sample() then fails with %G_IO_ERROR_CLOSED.
 *
 * Since: 0.1
 */
void
jm_node_close (JmNode *self)
{
  g_return_if_fail (JM_IS_NODE (self));

  self->is_closed = TRUE;
  g_clear_pointer (&self->sweep, jm_sweep_free);
  g_clear_pointer (&self->sources, jm_source_set_free);
}
