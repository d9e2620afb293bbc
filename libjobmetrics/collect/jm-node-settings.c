/* jm-node-settings.c: what a node is told
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-node-settings-private.h"

#include "core/jm-readings-private.h"

#define DEFAULT_LINGER_SECONDS 120
#define DEFAULT_MAX_EXECUTABLES 10
#define DEFAULT_MAX_CPUS 256

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

static const gsize offsets[N_PROPS] = {
  [PROP_HOST] = G_STRUCT_OFFSET (JmNodeSettings, host),
  [PROP_LEVEL] = G_STRUCT_OFFSET (JmNodeSettings, level),
  [PROP_COLLECTORS] = G_STRUCT_OFFSET (JmNodeSettings, collectors),
  [PROP_CLUSTER] = G_STRUCT_OFFSET (JmNodeSettings, cluster),
  [PROP_NODE_NAME] = G_STRUCT_OFFSET (JmNodeSettings, node_name),
  [PROP_SCHEDULERS] = G_STRUCT_OFFSET (JmNodeSettings, schedulers),
  [PROP_FILESYSTEMS] = G_STRUCT_OFFSET (JmNodeSettings, filesystems),
  [PROP_LINGER] = G_STRUCT_OFFSET (JmNodeSettings, linger),
  [PROP_MAX_EXECUTABLES] = G_STRUCT_OFFSET (JmNodeSettings, max_executables),
  [PROP_MAX_CPUS] = G_STRUCT_OFFSET (JmNodeSettings, max_cpus),
  [PROP_MEMORY_STAT_INTERVAL] = G_STRUCT_OFFSET (JmNodeSettings, memory_stat_interval),
  [PROP_POWER_SOURCES] = G_STRUCT_OFFSET (JmNodeSettings, power_sources),
  [PROP_EMISSION_PROVIDERS] = G_STRUCT_OFFSET (JmNodeSettings, emission_providers),
  [PROP_SHARE_IDLE] = G_STRUCT_OFFSET (JmNodeSettings, share_idle),
  [PROP_ENERGY_FILES] = G_STRUCT_OFFSET (JmNodeSettings, energy_files),
  [PROP_KEEP_ENERGY] = G_STRUCT_OFFSET (JmNodeSettings, keep_energy),
};

/* --- values --- */

void
jm_node_settings_get (const JmNodeSettings *self, guint id, GValue *value)
{
  gconstpointer field = (const char *) self + offsets[id];

  switch (G_TYPE_FUNDAMENTAL (properties[id]->value_type))
    {
    case G_TYPE_OBJECT:
      g_value_set_object (value, *(gpointer const *) field);
      break;
    case G_TYPE_BOXED:
      g_value_set_boxed (value, *(gconstpointer const *) field);
      break;
    case G_TYPE_STRING:
      g_value_set_string (value, *(const char *const *) field);
      break;
    case G_TYPE_BOOLEAN:
      g_value_set_boolean (value, *(const gboolean *) field);
      break;
    default:
      g_value_set_uint (value, *(const guint *) field);
    }
}

/* Each is set but once, when the node is made. */
void
jm_node_settings_set (JmNodeSettings *self, guint id, const GValue *value)
{
  gpointer field = (char *) self + offsets[id];

  switch (G_TYPE_FUNDAMENTAL (properties[id]->value_type))
    {
    case G_TYPE_OBJECT:
      *(gpointer *) field = g_value_dup_object (value);
      break;
    case G_TYPE_BOXED:
      *(gpointer *) field = g_value_dup_boxed (value);
      break;
    case G_TYPE_STRING:
      *(char **) field = g_value_dup_string (value);
      break;
    case G_TYPE_BOOLEAN:
      *(gboolean *) field = g_value_get_boolean (value);
      break;
    default:
      *(guint *) field = g_value_get_uint (value);
    }
}

void
jm_node_settings_clear (JmNodeSettings *self)
{
  for (guint i = PROP_HOST; i < N_PROPS; i++)
    {
      gpointer *field = (gpointer *) (gpointer) ((char *) self + offsets[i]);

      if (G_IS_PARAM_SPEC_OBJECT (properties[i]))
        g_clear_object (field);
      else if (G_IS_PARAM_SPEC_BOXED (properties[i]))
        g_clear_pointer (field, g_strfreev);
      else if (G_IS_PARAM_SPEC_STRING (properties[i]))
        g_clear_pointer (field, g_free);
    }
}

/* --- properties --- */

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
   * More directories with scheduler definitions, besides those that are built in and
   * the site's, as jm_job_sources_load() takes them; an empty array: none at all.
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

void
jm_node_settings_install (GObjectClass *klass)
{
  make_place_properties ();
  make_reading_properties ();
  make_energy_properties ();
  g_object_class_install_properties (klass, N_PROPS, properties);
}
