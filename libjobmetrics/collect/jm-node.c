/* jm-node.c: the whole truth about a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-node.h"

#include "collect/jm-node-energy-private.h"
#include "collect/jm-sweep-private.h"
#include "core/jm-error.h"
#include "core/jm-readings-private.h"
#include "sources/cgroup/jm-cgroup-detect.h"
#include "sources/jobs/jm-job-sources.h"
#include "sources/machine/jm-machine.h"
#include "sources/process/jm-process-table.h"

#define DEFAULT_LINGER_SECONDS 120
#define DEFAULT_MAX_EXECUTABLES 10
#define DEFAULT_MAX_CPUS 256

#define NO_DEFINITIONS "no scheduler definition was found, so no job can be"

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

  /* what it is told */
  JmHost *host;
  JmLevel level;
  guint collectors;
  char *cluster;
  char *node_name;
  char **schedulers;
  char **filesystems;
  guint linger;
  guint max_executables;
  guint max_cpus;
  guint memory_stat_interval;
  char **power_sources;
  char **emission_providers;
  gboolean share_idle;
  char **energy_files;
  gboolean keep_energy;

  /* what it has */
  GPtrArray *job_sources; /* of JmJobSource */
  GPtrArray *problems;    /* of GError: what was passed over at the start */
  JmSweep *sweep;
  gboolean is_closed;
};

enum
{
  PROP_HOST = 1,
  PROP_LEVEL,
  PROP_COLLECTORS,
  PROP_CLUSTER,
  PROP_NODE_NAME,
  PROP_SCHEDULERS,
  PROP_FILESYSTEMS,
  PROP_LINGER,
  PROP_MAX_EXECUTABLES,
  PROP_MAX_CPUS,
  PROP_MEMORY_STAT_INTERVAL,
  PROP_POWER_SOURCES,
  PROP_EMISSION_PROVIDERS,
  PROP_SHARE_IDLE,
  PROP_ENERGY_FILES,
  PROP_KEEP_ENERGY,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static void initable_iface_init (GInitableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmNode,
                               jm_node,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_INITABLE,
                                                      initable_iface_init))

/* --- what the node has --- */

/* What the host lacks costs its own figures, not the node. */
static void
open_cgroups (JmNode *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCgroupReader) reader =
    jm_cgroup_reader_new_for_host (self->host, &error);

  if (reader == NULL)
    {
      g_ptr_array_add (self->problems, g_steal_pointer (&error));
      return;
    }

  g_object_set (reader, "memory-stat-interval", self->memory_stat_interval, NULL);
  jm_sweep_add_reader (self->sweep, reader);
}

static JmMachine *
open_machine (JmNode *self)
{
  g_autoptr (GError) error = NULL;
  JmMachine *machine = jm_machine_new (self->host, &error);

  if (machine == NULL)
    g_ptr_array_add (self->problems, g_steal_pointer (&error));

  return machine;
}

static JmProcessTable *
open_processes (JmNode *self, GError **error)
{
  JmProcessTable *processes = jm_process_table_new (self->host, error);

  if (processes == NULL)
    return NULL;

  jm_process_table_set_filesystems (processes, (const char *const *) self->filesystems);
  jm_process_table_set_max_executables (processes, self->max_executables);

  return processes;
}

static JmEnergyAccounts *
open_energy (JmNode *self, JmMachine *machine, GError **error)
{
  const char *const nothing[] = { NULL };
  JmEnergyPlan plan = { (const char *const *) self->power_sources,
                        (const char *const *) self->emission_providers,
                        self->share_idle, (const char *const *) self->energy_files,
                        self->keep_energy };

  if ((self->collectors & 1u << JM_COLLECTOR_POWER) == 0)
    plan.power_sources = nothing;
  if ((self->collectors & 1u << JM_COLLECTOR_EMISSIONS) == 0)
    plan.emission_providers = nothing;

  return jm_node_energy_open (&plan, self->host, machine, self->problems, error);
}

static void
open_job_sources (JmNode *self)
{
  self->job_sources =
    jm_job_sources_load (self->host, (const char *const *) self->schedulers,
                         self->node_name, self->cluster, &self->problems);

  if (self->job_sources->len == 0)
    g_ptr_array_add (self->problems,
                     g_error_new_literal (JM_ERROR, JM_ERROR_ABSENT, NO_DEFINITIONS));
}

static gboolean
jm_node_initable_init (GInitable *initable, GCancellable *cancellable, GError **error)
{
  JmNode *self = JM_NODE (initable);
  const JmSweepPlan plan = { self->level, self->collectors | 1u << JM_COLLECTOR_JOBS,
                             (gint64) self->linger * G_USEC_PER_SEC, self->max_cpus };
  g_autoptr (JmMachine) machine = NULL;
  g_autoptr (JmProcessTable) processes = NULL;
  g_autoptr (JmEnergyAccounts) energy = NULL;

  if (self->sweep != NULL)
    return TRUE;

  if (self->is_closed)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CLOSED, "the node is closed");
      return FALSE;
    }

  processes = open_processes (self, error);
  if (processes == NULL)
    return FALSE;

  open_job_sources (self);
  machine = open_machine (self);
  energy = open_energy (self, machine, error);
  if (energy == NULL)
    return FALSE;

  self->sweep = jm_sweep_new (&plan, self->job_sources, processes, machine,
                              g_steal_pointer (&energy));
  open_cgroups (self);

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
  JmNode *self = JM_NODE (object);

  switch (id)
    {
    case PROP_HOST:
      g_value_set_object (value, self->host);
      break;
    case PROP_LEVEL:
      g_value_set_uint (value, self->level);
      break;
    case PROP_COLLECTORS:
      g_value_set_uint (value, self->collectors);
      break;
    case PROP_CLUSTER:
      g_value_set_string (value, self->cluster);
      break;
    case PROP_NODE_NAME:
      g_value_set_string (value, self->node_name);
      break;
    case PROP_SCHEDULERS:
      g_value_set_boxed (value, self->schedulers);
      break;
    case PROP_FILESYSTEMS:
      g_value_set_boxed (value, self->filesystems);
      break;
    case PROP_LINGER:
      g_value_set_uint (value, self->linger);
      break;
    case PROP_MAX_EXECUTABLES:
      g_value_set_uint (value, self->max_executables);
      break;
    case PROP_MAX_CPUS:
      g_value_set_uint (value, self->max_cpus);
      break;
    case PROP_MEMORY_STAT_INTERVAL:
      g_value_set_uint (value, self->memory_stat_interval);
      break;
    case PROP_POWER_SOURCES:
      g_value_set_boxed (value, self->power_sources);
      break;
    case PROP_EMISSION_PROVIDERS:
      g_value_set_boxed (value, self->emission_providers);
      break;
    case PROP_SHARE_IDLE:
      g_value_set_boolean (value, self->share_idle);
      break;
    case PROP_ENERGY_FILES:
      g_value_set_boxed (value, self->energy_files);
      break;
    case PROP_KEEP_ENERGY:
      g_value_set_boolean (value, self->keep_energy);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
jm_node_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  JmNode *self = JM_NODE (object);

  switch (id)
    {
    case PROP_HOST:
      self->host = g_value_dup_object (value);
      break;
    case PROP_LEVEL:
      self->level = g_value_get_uint (value);
      break;
    case PROP_COLLECTORS:
      self->collectors = g_value_get_uint (value);
      break;
    case PROP_CLUSTER:
      self->cluster = g_value_dup_string (value);
      break;
    case PROP_NODE_NAME:
      self->node_name = g_value_dup_string (value);
      break;
    case PROP_SCHEDULERS:
      self->schedulers = g_value_dup_boxed (value);
      break;
    case PROP_FILESYSTEMS:
      self->filesystems = g_value_dup_boxed (value);
      break;
    case PROP_LINGER:
      self->linger = g_value_get_uint (value);
      break;
    case PROP_MAX_EXECUTABLES:
      self->max_executables = g_value_get_uint (value);
      break;
    case PROP_MAX_CPUS:
      self->max_cpus = g_value_get_uint (value);
      break;
    case PROP_MEMORY_STAT_INTERVAL:
      self->memory_stat_interval = g_value_get_uint (value);
      break;
    case PROP_POWER_SOURCES:
      self->power_sources = g_value_dup_boxed (value);
      break;
    case PROP_EMISSION_PROVIDERS:
      self->emission_providers = g_value_dup_boxed (value);
      break;
    case PROP_SHARE_IDLE:
      self->share_idle = g_value_get_boolean (value);
      break;
    case PROP_ENERGY_FILES:
      self->energy_files = g_value_dup_boxed (value);
      break;
    case PROP_KEEP_ENERGY:
      self->keep_energy = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
jm_node_constructed (GObject *object)
{
  JmNode *self = JM_NODE (object);

  G_OBJECT_CLASS (jm_node_parent_class)->constructed (object);

  if (self->host == NULL)
    self->host = jm_host_new (NULL);
}

static void
jm_node_finalize (GObject *object)
{
  JmNode *self = JM_NODE (object);

  jm_node_close (self);
  g_clear_pointer (&self->problems, g_ptr_array_unref);
  g_clear_object (&self->host);
  g_free (self->cluster);
  g_free (self->node_name);
  g_strfreev (self->schedulers);
  g_strfreev (self->filesystems);
  g_strfreev (self->power_sources);
  g_strfreev (self->emission_providers);
  g_strfreev (self->energy_files);

  G_OBJECT_CLASS (jm_node_parent_class)->finalize (object);
}

#define PROPERTY_FLAGS                                                                 \
 (G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS)

/* Where the node is, and what it calls itself. */
static void
make_place_properties (void)
{
  /**
   * JmNode:host:
   *
   * The host; by default the one that the program runs on.
   *
   * Since: 0.1
   */
  properties[PROP_HOST] =
    g_param_spec_object ("host", NULL, NULL, JM_TYPE_HOST, PROPERTY_FLAGS);

  /**
   * JmNode:cluster:
   *
   * Name of the cluster; by default what hook files and environments tell.
   *
   * Since: 0.1
   */
  properties[PROP_CLUSTER] =
    g_param_spec_string ("cluster", NULL, NULL, NULL, PROPERTY_FLAGS);

  /**
   * JmNode:node-name:
   *
   * The scheduler's name of this node, for machines on which several daemons of a
   * scheduler run, each with cgroups of its own name; by default all are read.
   *
   * Since: 0.1
   */
  properties[PROP_NODE_NAME] =
    g_param_spec_string ("node-name", NULL, NULL, NULL, PROPERTY_FLAGS);

  /**
   * JmNode:schedulers:
   *
   * Directories with scheduler definitions; a file in a later one takes the place of
   * one of the same name. By default those of the installation.
   *
   * Since: 0.1
   */
  properties[PROP_SCHEDULERS] =
    g_param_spec_boxed ("schedulers", NULL, NULL, G_TYPE_STRV, PROPERTY_FLAGS);
}

/* What is read, and how much of it. */
static void
make_reading_properties (void)
{
  /**
   * JmNode:level:
   *
   * The deepest #JmLevel that is read: jobs alone, their steps, or their tasks too.
   *
   * Since: 0.1
   */
  properties[PROP_LEVEL] =
    g_param_spec_uint ("level", NULL, NULL, JM_LEVEL_JOB, JM_LEVEL_TASK, JM_LEVEL_JOB,
                       PROPERTY_FLAGS);

  /**
   * JmNode:collectors:
   *
   * Which collectors work: a bit for each #JmCollector, the first the lowest.
   * %JM_COLLECTOR_JOBS, without which the others have nothing to read, always does.
   *
   * Since: 0.1
   */
  properties[PROP_COLLECTORS] =
    g_param_spec_uint ("collectors", NULL, NULL, 0, JM_ALL_COLLECTORS,
                       JM_ALL_COLLECTORS, PROPERTY_FLAGS);

  /**
   * JmNode:filesystems:
   *
   * Mount points whose use by jobs is told.
   *
   * Since: 0.1
   */
  properties[PROP_FILESYSTEMS] =
    g_param_spec_boxed ("filesystems", NULL, NULL, G_TYPE_STRV, PROPERTY_FLAGS);

  /**
   * JmNode:linger:
   *
   * For how many seconds the last figures of a job that has ended stay on display.
   *
   * Since: 0.1
   */
  properties[PROP_LINGER] = g_param_spec_uint ("linger", NULL, NULL, 0, 86400,
                                               DEFAULT_LINGER_SECONDS, PROPERTY_FLAGS);

  /**
   * JmNode:max-executables:
   *
   * How many executables of a job have their CPU time told apart.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_EXECUTABLES] =
    g_param_spec_uint ("max-executables", NULL, NULL, 0, 1000, DEFAULT_MAX_EXECUTABLES,
                       PROPERTY_FLAGS);

  /**
   * JmNode:max-cpus:
   *
   * A job with more CPUs has no figures by CPU.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_CPUS] = g_param_spec_uint ("max-cpus", NULL, NULL, 0, 65536,
                                                 DEFAULT_MAX_CPUS, PROPERTY_FLAGS);

  /**
   * JmNode:memory-stat-interval:
   *
   * Least time between two readings of a cgroup's `memory.stat`, for which the kernel
   * takes a lock, in milliseconds.
   *
   * Since: 0.1
   */
  properties[PROP_MEMORY_STAT_INTERVAL] =
    g_param_spec_uint ("memory-stat-interval", NULL, NULL, 0, G_MAXUINT, 0,
                       PROPERTY_FLAGS);
}

/* Where energy is read, and how it is reckoned. */
static void
make_energy_properties (void)
{
  /**
   * JmNode:power-sources:
   *
   * Which power sources are read, the best first: each a name, perhaps with properties,
   * such as `ipmi,interval=30`; `auto` stands for those that are found. By default
   * these.
   *
   * Since: 0.1
   */
  properties[PROP_POWER_SOURCES] =
    g_param_spec_boxed ("power-sources", NULL, NULL, G_TYPE_STRV, PROPERTY_FLAGS);

  /**
   * JmNode:emission-providers:
   *
   * Who says what electricity emits: each a name, perhaps with properties, such as
   * `owid,zone=FR`. A later one is asked for the factor where those before it have
   * none. By default the world's average.
   *
   * Since: 0.1
   */
  properties[PROP_EMISSION_PROVIDERS] =
    g_param_spec_boxed ("emission-providers", NULL, NULL, G_TYPE_STRV, PROPERTY_FLAGS);

  /**
   * JmNode:share-idle:
   *
   * Whether the energy that the node takes when idle is shared among the jobs by what
   * of it is allocated to each; else it is told by itself.
   *
   * Since: 0.1
   */
  properties[PROP_SHARE_IDLE] =
    g_param_spec_boolean ("share-idle", NULL, NULL, FALSE, PROPERTY_FLAGS);

  /**
   * JmNode:energy-files:
   *
   * Files with the energy of jobs so far. The first that can be read is gone on with:
   * with the exporter's, a program without meters of its own knows what jobs have used.
   *
   * Since: 0.1
   */
  properties[PROP_ENERGY_FILES] =
    g_param_spec_boxed ("energy-files", NULL, NULL, G_TYPE_STRV, PROPERTY_FLAGS);

  /**
   * JmNode:keep-energy:
   *
   * Whether #JmNode:energy-files are written from time to time, and when the node is
   * closed.
   *
   * Since: 0.1
   */
  properties[PROP_KEEP_ENERGY] =
    g_param_spec_boolean ("keep-energy", NULL, NULL, FALSE, PROPERTY_FLAGS);
}

static void
jm_node_class_init (JmNodeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = jm_node_constructed;
  object_class->get_property = jm_node_get_property;
  object_class->set_property = jm_node_set_property;
  object_class->finalize = jm_node_finalize;

  make_place_properties ();
  make_reading_properties ();
  make_energy_properties ();
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
jm_node_init (JmNode *self)
{
}

/* --- public --- */

/**
 * jm_node_new:
 *
 * Makes the node that the program runs on, with default settings.
 *
 * Returns: (transfer full): the node
 * Since: 0.1
 */
JmNode *
jm_node_new (void)
{
  g_autoptr (GError) error = NULL;
  JmNode *self = jm_node_new_full (NULL, &error);

  /* Only settings can be wrong, and there are none. */
  if (self == NULL)
    g_error ("%s", error->message);

  return self;
}

/**
 * jm_node_new_full:
 * @host: (nullable): the host; %NULL for the one that the program runs on
 * @error: return location for an error
 *
 * Makes a node. For other settings use g_initable_new() with the node's properties.
 *
 * - Errors: `INVALID` for a setting that cannot be meant. What the host lacks is no
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
 * Adds a source to those that the node found by itself. What it should tell of jobs
 * that exist already is seen from the next sweep on.
 *
 * Since: 0.1
 */
void
jm_node_add_source (JmNode *self, JmSource *source)
{
  g_return_if_fail (JM_IS_NODE (self));
  g_return_if_fail (self->sweep != NULL);
  g_return_if_fail (JM_IS_SOURCE (source));

  if (JM_IS_JOB_SOURCE (source))
    g_ptr_array_add (self->job_sources, g_object_ref (source));
  if (JM_IS_CGROUP_READER (source))
    jm_sweep_add_reader (self->sweep, JM_CGROUP_READER (source));
  if (JM_IS_POWER_SOURCE (source) || JM_IS_EMISSION_PROVIDER (source))
    jm_node_energy_add (jm_sweep_get_energy (self->sweep), source);
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

  jm_energy_accounts_wait (jm_sweep_get_energy (self->sweep),
                           (gint64) timeout_ms * 1000);
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
 * why is in jm_snapshot_get_error().
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
 *   told.
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
 * Follows births and deaths of jobs between two sweeps, and reads at once those jobs of
 * which something went, for their own end may be near.
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
 * jm_node_list_problems:
 * @self: a node
 *
 * Lists what the node had to pass over when it was made: a broken scheduler definition,
 * or that the host has no cgroups.
 *
 * Returns: (transfer full): one message each
 * Since: 0.1
 */
char **
jm_node_list_problems (JmNode *self)
{
  g_autoptr (GStrvBuilder) problems = g_strv_builder_new ();

  g_return_val_if_fail (JM_IS_NODE (self), NULL);

  for (guint i = 0; self->problems != NULL && i < self->problems->len; i++)
    {
      const GError *error = g_ptr_array_index (self->problems, i);

      g_strv_builder_add (problems, error->message);
    }

  return g_strv_builder_end (problems);
}

/**
 * jm_node_close:
 * @self: a node
 *
 * Gives back what the node holds: its sources, the files that they keep open, and their
 * watches. For languages in which an object's end is not in the program's hands;
 * snapshots that were taken stay. jm_node_sample() then tells %G_IO_ERROR_CLOSED.
 *
 * Since: 0.1
 */
void
jm_node_close (JmNode *self)
{
  g_return_if_fail (JM_IS_NODE (self));

  self->is_closed = TRUE;
  g_clear_pointer (&self->sweep, jm_sweep_free);
  g_clear_pointer (&self->job_sources, g_ptr_array_unref);
}
