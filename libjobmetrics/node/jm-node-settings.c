/* jm-node-settings.c: what a node is configured with
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-node-settings-private.h"

#include <gobject/gvaluecollector.h>

#include "base/jm-setting-private.h"
#include "core/jm-collector-set-private.h"
#include "core/jm-metric-private.h"
#include "core/jm-readings-private.h"

typedef struct
{
  JmSetting setting;
  gsize offset; /* of its value in JmNodeSettings */
} Row;

#define VALUE(field) G_STRUCT_OFFSET (JmNodeSettings, field)

/* In the order of JmSubjectKind; the node alone has no jobs to show. */
static const char *const levels[] = { "job", "step", "task", NULL };

/* The host's, which is an object of its own. */
static const JmSetting host_settings[] = {
  { .name = "path.rootfs",
    .property = "root",
    .group = "host",
    .kind = JM_SETTING_DIRECTORY,
    .argument = "DIR",
    .help = "Root of the host's files, or of a copied tree",
    .preset_help = "/" },
  { .name = "path.procfs",
    .property = "procfs",
    .group = "host",
    .kind = JM_SETTING_DIRECTORY,
    .argument = "DIR",
    .help = "The host's procfs",
    .preset_help = "/proc in the root" },
  { .name = "path.sysfs",
    .property = "sysfs",
    .group = "host",
    .kind = JM_SETTING_DIRECTORY,
    .argument = "DIR",
    .help = "The host's sysfs",
    .preset_help = "/sys in the root" },
  { .name = "path.cgroupfs",
    .property = "cgroupfs",
    .group = "host",
    .kind = JM_SETTING_DIRECTORY,
    .argument = "DIR",
    .help = "The host's cgroups",
    .preset_help = "fs/cgroup in sysfs" },
};

static const Row rows[] = {
  /**
   * JmNode:cluster:
   *
   * Name of the cluster; by default as hook files and environments report it.
   *
   * Since: 0.1
   */
  { { .name = "cluster",
      .property = "cluster",
      .group = "jobs",
      .kind = JM_SETTING_TEXT,
      .argument = "NAME",
      .help = "Name of the cluster, a part of the jobs' uuids",
      .preset_help = "as hooks and environments report it" },
    VALUE (cluster) },

  /**
   * JmNode:node-name:
   *
   * The scheduler's name of this node, for machines on which several daemons of a
   * scheduler run, each with cgroups of its own name; by default all are read.
   *
   * Since: 0.1
   */
  { { .name = "node.name",
      .property = "node-name",
      .group = "jobs",
      .kind = JM_SETTING_TEXT,
      .argument = "NAME",
      .help = "The scheduler's name of this node, where several daemons of a scheduler "
              "run on one machine" },
    VALUE (node_name) },

  /**
   * JmNode:schedulers:
   *
   * More directories with scheduler definitions, besides those that are built in and
   * the site's, as jm_job_sources_load() takes them; an empty array: none at all.
   *
   * Since: 0.1
   */
  { { .name = "schedulers",
      .property = "schedulers",
      .group = "jobs",
      .kind = JM_SETTING_DIRECTORY,
      .is_list = TRUE,
      .argument = "DIR",
      .help = "One more directory with scheduler definitions, besides those that are "
              "built in and the site's" },
    VALUE (schedulers) },

  /**
   * JmNode:level:
   *
   * The deepest #JmSubjectKind that is read: jobs alone, their steps, or their tasks
   * too.
   *
   * Since: 0.1
   */
  { { .name = "sample.level",
      .property = "level",
      .group = "level",
      .kind = JM_SETTING_CHOICE,
      .argument = "LEVEL",
      .help = "Deepest level of figures",
      .preset = "job",
      .low = JM_SUBJECT_KIND_JOB,
      .high = JM_SUBJECT_KIND_TASK,
      .choices = levels },
    VALUE (level) },

  /**
   * JmNode:linger:
   *
   * For how many seconds the last figures of a job that has ended stay on display.
   *
   * Since: 0.1
   */
  { { .name = "sample.linger",
      .property = "linger",
      .group = "sweep",
      .kind = JM_SETTING_COUNT,
      .argument = "SECONDS",
      .help = "How long the figures of a job that ended stay on display",
      .preset = "120",
      .high = 86400 },
    VALUE (linger) },

  /**
   * JmNode:memory-stat-interval:
   *
   * Least time between two readings of a cgroup's `memory.stat`, for which the kernel
   * takes a lock, in milliseconds.
   *
   * Since: 0.1
   */
  { { .name = "collector.memory.stat.interval",
      .property = "memory-stat-interval",
      .group = "sweep",
      .kind = JM_SETTING_DURATION,
      .argument = "SECONDS",
      .help =
        "Least time between two readings of a cgroup's memory.stat, for which the "
        "kernel takes a lock",
      .preset = "0",
      .high = 86400 },
    VALUE (memory_stat_interval) },

  /**
   * JmNode:threads-interval:
   *
   * Least time between two readings of the states of all threads, of which each costs
   * as much as a process, in milliseconds.
   *
   * Since: 0.1
   */
  { { .name = "collector.threads.interval",
      .property = "threads-interval",
      .group = "sweep",
      .kind = JM_SETTING_DURATION,
      .argument = "SECONDS",
      .help = "Least time between two readings of the states of all threads; each "
              "costs as much as a process",
      .preset = "60",
      .high = 86400 },
    VALUE (threads_interval) },

  /**
   * JmNode:process-bpf:
   *
   * Whether processes are read by programs that run in the kernel: all at once, and
   * none is too short to be seen. Without the capabilities that it takes, or where the
   * kernel does not take the programs, procfs is read.
   *
   * Since: 0.1
   */
  { { .name = "collector.process.bpf",
      .property = "process-bpf",
      .group = "sweep",
      .kind = JM_SETTING_FLAG,
      .help = "Read processes by BPF programs, which miss no short one; without "
              "CAP_BPF and CAP_PERFMON procfs is read" },
    VALUE (process_bpf) },

  /**
   * JmNode:max-executables:
   *
   * How many executables of a job have their CPU time listed.
   *
   * Since: 0.1
   */
  { { .name = "collector.process.max-executables",
      .property = "max-executables",
      .group = "sweep",
      .kind = JM_SETTING_COUNT,
      .argument = "N",
      .help = "Executables of a job whose CPU time is shown apart",
      .preset = "10",
      .high = 1000 },
    VALUE (max_executables) },

  /**
   * JmNode:percpu-bpf:
   *
   * Whether CPU time by CPU is reported of jobs in cgroups of version 2, too, by a
   * program that runs in the kernel: there is no file for it. It takes `CAP_BPF` and
   * `CAP_PERFMON`, and Linux 6.6 or later.
   *
   * Since: 0.1
   */
  { { .name = "collector.percpu.bpf",
      .property = "percpu-bpf",
      .group = "sweep",
      .kind = JM_SETTING_FLAG,
      .help = "Report CPU time by CPU on cgroup v2, too, by a BPF program; it takes "
              "CAP_BPF, CAP_PERFMON and Linux 6.6" },
    VALUE (percpu_bpf) },

  /**
   * JmNode:max-cpus:
   *
   * A job with more CPUs has no figures by CPU.
   *
   * Since: 0.1
   */
  { { .name = "collector.percpu.max-cpus",
      .property = "max-cpus",
      .group = "sweep",
      .kind = JM_SETTING_COUNT,
      .argument = "N",
      .help = "A job with more CPUs has no figures by CPU",
      .preset = "256",
      .high = 65536 },
    VALUE (max_cpus) },

  /**
   * JmNode:max-counters:
   *
   * How many counters of perf may be open at once. Each is a file: one for each event,
   * each job, and each CPU that the job may run on.
   *
   * Since: 0.1
   */
  { { .name = "collector.perf.max-counters",
      .property = "max-counters",
      .group = "sweep",
      .kind = JM_SETTING_COUNT,
      .argument = "N",
      .help =
        "Counters of perf that may be open at once, of all jobs together; each is a "
        "file",
      .preset = "8192",
      .low = 1,
      .high = 1048576 },
    VALUE (max_counters) },

  /**
   * JmNode:filesystems:
   *
   * Mount points whose use by jobs is reported.
   *
   * Since: 0.1
   */
  { { .name = "collector.files.filesystem",
      .property = "filesystems",
      .group = "sweep",
      .kind = JM_SETTING_FILE,
      .is_list = TRUE,
      .argument = "PATH",
      .help = "Mount point whose use by jobs is shown" },
    VALUE (filesystems) },

  /**
   * JmNode:power-sources:
   *
   * Which power sources are read, the best first: each a name, perhaps with properties,
   * such as `ipmi,interval=30`; `auto` stands for those that are found. By default
   * these.
   *
   * Since: 0.1
   */
  { { .name = "power.source",
      .property = "power-sources",
      .group = "power",
      .kind = JM_SETTING_TEXT,
      .is_list = TRUE,
      .argument = "NAME[,PROPERTY=VALUE]...",
      .help = "Power source with its properties, the best first",
      .preset_help = "auto: those that are found" },
    VALUE (power_sources) },

  /**
   * JmNode:gpu-sources:
   *
   * What is asked for accelerators and whose they are, the most believed first: each a
   * name, perhaps with properties, such as `nvml,interval=10`; `auto` stands for those
   * that are found. By default these.
   *
   * Since: 0.1
   */
  { { .name = "gpu.source",
      .property = "gpu-sources",
      .group = "gpus",
      .kind = JM_SETTING_TEXT,
      .is_list = TRUE,
      .argument = "NAME[,PROPERTY=VALUE]...",
      .help = "Library of accelerators, or map of their jobs, with its properties, the "
              "most trusted first",
      .preset_help = "auto: those that are found" },
    VALUE (gpu_sources) },

  /**
   * JmNode:gpu-order:
   *
   * The names of the node's accelerators in the order in which its scheduler numbers
   * them; by default in the order of their names, each instance in place of its parent.
   *
   * Since: 0.1
   */
  { { .name = "gpu.order",
      .property = "gpu-order",
      .group = "gpus",
      .kind = JM_SETTING_TEXT,
      .is_list = TRUE,
      .argument = "GPU",
      .help = "Next accelerator in the order in which the scheduler numbers them",
      .preset_help = "as the driver numbers them" },
    VALUE (gpu_order) },

  /**
   * JmNode:gpu-shards:
   *
   * How many shards each accelerator is divided into, as gres.conf has it; 0 where they
   * are not, and jobs on one share it alike.
   *
   * Since: 0.1
   */
  { { .name = "gpu.shards",
      .property = "gpu-shards",
      .group = "gpus",
      .kind = JM_SETTING_COUNT,
      .argument = "N",
      .help = "Shards that the scheduler divides each accelerator into",
      .preset = "0",
      .high = 65536 },
    VALUE (gpu_shards) },

  /**
   * JmNode:share-idle:
   *
   * Whether the energy that the node takes when idle is shared among the jobs by what
   * of it is allocated to each; else it is reported by itself.
   *
   * Since: 0.1
   */
  { { .name = "power.share-idle",
      .property = "share-idle",
      .group = "sharing",
      .kind = JM_SETTING_FLAG,
      .help = "Add to each job its share of the node's idle energy, by its CPUs" },
    VALUE (share_idle) },

  /**
   * JmNode:energy-files:
   *
   * Files with the energy of jobs so far, as the exporter writes one for all programs
   * of the node. The first that can be read is gone on with: a program without meters
   * of its own then knows what jobs have used.
   *
   * Since: 0.1
   */
  { { .name = "power.file",
      .property = "energy-files",
      .group = "accounts",
      .kind = JM_SETTING_FILE,
      .is_list = TRUE,
      .argument = "FILE",
      .help = "File with the energy of jobs so far, for jobs that the ledger lacks; "
              "the first readable one counts" },
    VALUE (energy_files) },

  /**
   * JmNode:emission-providers:
   *
   * Who says what electricity emits: each a name, perhaps with properties, such as
   * `owid,zone=FR`. Where one has no factor, a later one of the same
   * method and scope takes its place. By default the world's average.
   *
   * Since: 0.1
   */
  { { .name = "emissions.provider",
      .property = "emission-providers",
      .group = "emissions",
      .kind = JM_SETTING_TEXT,
      .is_list = TRUE,
      .argument = "NAME[,PROPERTY=VALUE]...",
      .help = "Provider of emission factors with its properties, the preferred first",
      .preset_help = "global" },
    VALUE (emission_providers) },
};

/* Two have types of their own; the others are numbered as their rows are. */
enum
{
  PROP_HOST = 1,
  PROP_COLLECTORS,
  PROP_FIRST_ROW,
  N_PROPS = PROP_FIRST_ROW + G_N_ELEMENTS (rows)
};

/* --- values --- */

static void
get_field (const Row *row, gconstpointer field, GValue *value)
{
  switch (jm_setting_get_value_type (&row->setting))
    {
    case G_TYPE_STRING:
      g_value_set_string (value, *(const char *const *) field);
      break;
    case G_TYPE_BOOLEAN:
      g_value_set_boolean (value, *(const gboolean *) field);
      break;
    case G_TYPE_UINT:
      g_value_set_uint (value, *(const guint *) field);
      break;
    default:
      g_value_set_boxed (value, *(gconstpointer const *) field);
    }
}

void
jm_node_settings_get (const JmNodeSettings *self, guint id, GValue *value)
{
  if (id == PROP_HOST)
    g_value_set_object (value, self->host);
  else if (id == PROP_COLLECTORS)
    g_value_set_boxed (value, &self->collectors);
  else
    get_field (&rows[id - PROP_FIRST_ROW],
               (const char *) self + rows[id - PROP_FIRST_ROW].offset, value);
}

/* Each is set but once, when the node is made. */
static void
set_field (const Row *row, gpointer field, const GValue *value)
{
  switch (jm_setting_get_value_type (&row->setting))
    {
    case G_TYPE_STRING:
      *(char **) field = g_value_dup_string (value);
      break;
    case G_TYPE_BOOLEAN:
      *(gboolean *) field = g_value_get_boolean (value);
      break;
    case G_TYPE_UINT:
      *(guint *) field = g_value_get_uint (value);
      break;
    default:
      *(gpointer *) field = g_value_dup_boxed (value);
    }
}

/* Unless some are chosen, the usual ones work. */
static void
set_collectors (JmCollectorSet *self, const JmCollectorSet *chosen)
{
  g_autoptr (JmCollectorSet) usual = jm_collector_set_new_usual ();

  *self = chosen != NULL ? *chosen : *usual;
  jm_collector_set_intersect (self, jm_collector_set_get_of_node ());
}

void
jm_node_settings_set (JmNodeSettings *self, guint id, const GValue *value)
{
  if (id == PROP_HOST)
    self->host = g_value_dup_object (value);
  else if (id == PROP_COLLECTORS)
    set_collectors (&self->collectors, g_value_get_boxed (value));
  else
    set_field (&rows[id - PROP_FIRST_ROW],
               (char *) self + rows[id - PROP_FIRST_ROW].offset, value);
}

void
jm_node_settings_clear (JmNodeSettings *self)
{
  g_clear_object (&self->host);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GType type = jm_setting_get_value_type (&rows[i].setting);
      gpointer *field = (gpointer *) (gpointer) ((char *) self + rows[i].offset);

      if (type == G_TYPE_STRV)
        g_clear_pointer (field, g_strfreev);
      else if (type == G_TYPE_STRING)
        g_clear_pointer (field, g_free);
    }
}

/* --- properties --- */

#define PROPERTY_FLAGS                                                                 \
 (G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS)

void
jm_node_settings_install (GObjectClass *klass)
{
  GParamSpec *properties[N_PROPS] = { NULL };

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
   * JmNode:collectors:
   *
   * Which collectors work; %NULL for the usual ones.
   * %JM_COLLECTOR_JOBS, without which the others have nothing to read, always does.
   *
   * Since: 0.1
   */
  properties[PROP_COLLECTORS] =
    g_param_spec_boxed ("collectors", NULL, NULL, JM_TYPE_COLLECTOR_SET,
                        PROPERTY_FLAGS);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    properties[PROP_FIRST_ROW + i] = jm_setting_make_property (&rows[i].setting);

  g_object_class_install_properties (klass, N_PROPS, properties);
}

/* --- settings with an option --- */

/* Turns all collectors off but those that are named. */
#define DISABLE_DEFAULTS "collector.disable-defaults"

static char *
make_collector_name (JmCollector collector)
{
  return g_strconcat ("collector.", jm_collector_get_name (collector), NULL);
}

static void
add_collectors (JmSettings *settings)
{
  const JmSetting disable = { .name = DISABLE_DEFAULTS,
                              .group = "collectors",
                              .kind = JM_SETTING_FLAG,
                              .help =
                                "Turn all collectors off but those that are named" };

  /* The first finds the jobs that the others read: it cannot be turned off. */
  for (JmCollector i = JM_COLLECTOR_JOBS + 1; i < JM_N_NODE_COLLECTORS; i++)
    {
      g_autofree char *name = make_collector_name (i);
      const JmSetting setting = { .name = g_intern_string (name),
                                  .group = "collectors",
                                  .kind = JM_SETTING_FLAG,
                                  .help = jm_collector_get_help (i),
                                  .preset =
                                    jm_collector_is_usual (i) ? "true" : "false" };

      jm_settings_add (settings, &setting);
    }
  jm_settings_add (settings, &disable);
}

/* Which of them the settings mean. */
static JmCollectorSet *
choose_collectors (const JmSettings *settings)
{
  gboolean only_named = jm_settings_get_flag (settings, DISABLE_DEFAULTS);
  JmCollectorSet *collectors = jm_collector_set_new ();

  for (JmCollector i = JM_COLLECTOR_JOBS + 1; i < JM_N_NODE_COLLECTORS; i++)
    {
      g_autofree char *name = make_collector_name (i);

      if (jm_settings_get_flag (settings, name) &&
          (!only_named || jm_settings_is_given (settings, name)))
        jm_collector_set_add (collectors, i);
    }

  return collectors;
}

void
jm_node_settings_add (JmSettings *settings)
{
  jm_settings_add_rows (settings, host_settings, G_N_ELEMENTS (host_settings));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    jm_settings_add (settings, &rows[i].setting);
  add_collectors (settings);
}

/* --- a node of settings --- */

typedef struct
{
  GObjectClass *klass;
  GPtrArray *names; /* of char * */
  GArray *values;   /* of GValue, as many */
} Properties;

static void
properties_clear (Properties *self)
{
  g_type_class_unref (self->klass);
  g_ptr_array_unref (self->names);
  g_array_unref (self->values);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Properties, properties_clear)

/* Returns the value to be filled in, which has the property's type. */
static GValue *
properties_add (Properties *self, const char *name)
{
  GParamSpec *property = g_object_class_find_property (self->klass, name);
  GValue value = G_VALUE_INIT;

  for (guint i = 0; i < self->names->len; i++)
    if (g_str_equal (self->names->pdata[i], name))
      return &g_array_index (self->values, GValue, i);

  g_value_init (&value, property->value_type);
  g_ptr_array_add (self->names, (gpointer) property->name);
  g_array_append_val (self->values, value);

  return &g_array_index (self->values, GValue, self->values->len - 1);
}

static void
add_settings (Properties *properties, const JmSettings *settings)
{
  for (gsize i = 0; i < jm_settings_get_size (settings); i++)
    {
      const char *name = jm_settings_get_setting (settings, i)->property;

      if (name != NULL &&
          g_object_class_find_property (properties->klass, name) != NULL)
        g_value_copy (jm_settings_get_value (settings, i),
                      properties_add (properties, name));
    }

  if (jm_settings_has (settings, DISABLE_DEFAULTS))
    g_value_take_boxed (properties_add (properties, "collectors"),
                        choose_collectors (settings));
}

static void
add_arguments (Properties *properties, const char *first_property, va_list arguments)
{
  const char *name = first_property;

  while (name != NULL)
    {
      GValue *value = properties_add (properties, name);
      g_autofree char *problem = NULL;

      G_VALUE_COLLECT (value, arguments, 0, &problem);
      if (problem != NULL)
        g_error ("%s: %s", name, problem);
      name = va_arg (arguments, const char *);
    }
}

JmHost *
jm_node_settings_make_host (const JmSettings *settings)
{
  return jm_host_new_with_paths (jm_settings_get_text (settings, "path.rootfs"),
                                 jm_settings_get_text (settings, "path.procfs"),
                                 jm_settings_get_text (settings, "path.sysfs"),
                                 jm_settings_get_text (settings, "path.cgroupfs"));
}

JmNode *
jm_node_settings_make_node (const JmSettings *settings,
                            GError **error,
                            const char *first_property,
                            ...)
{
  g_auto (Properties)
    properties = { g_type_class_ref (JM_TYPE_NODE), g_ptr_array_new (),
                   g_array_new (FALSE, FALSE, sizeof (GValue)) };
  g_autoptr (JmNode) node = NULL;
  va_list arguments;

  g_array_set_clear_func (properties.values, (GDestroyNotify) g_value_unset);
  if (settings != NULL)
    add_settings (&properties, settings);
  va_start (arguments, first_property);
  add_arguments (&properties, first_property, arguments);
  va_end (arguments);

  node = JM_NODE (g_object_new_with_properties (JM_TYPE_NODE, properties.names->len,
                                                (const char **) properties.names->pdata,
                                                (const GValue *) (gconstpointer)
                                                  properties.values->data));

  return g_initable_init (G_INITABLE (node), NULL, error) ? g_steal_pointer (&node)
                                                          : NULL;
}

/**
 * jm_node_list_settings:
 *
 * Lists what a node may be configured with, as the options of the programs and the keys
 * of their configuration files have it. Settings with a #JmSetting.property are
 * properties of the node, or of its host where they stand in the group `host`.
 *
 * Returns: (transfer container) (element-type JmSetting): the settings
 * Since: 0.1
 */
GPtrArray *
jm_node_list_settings (void)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_setting_free);
  g_autoptr (JmSettings) settings = jm_settings_new ();

  jm_node_settings_add (settings);
  for (gsize i = 0; i < jm_settings_get_size (settings); i++)
    {
      const JmSetting *setting = jm_settings_get_setting (settings, i);

      if (setting->name != NULL)
        g_ptr_array_add (list, jm_setting_copy (setting));
    }

  return list;
}
