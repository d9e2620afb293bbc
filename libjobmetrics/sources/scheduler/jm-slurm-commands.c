/* jm-slurm-commands.c: a Slurm that is asked by its commands
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-slurm-commands.h"

#include <string.h>

#include "core/jm-error.h"
#include "sources/jm-command-runner-private.h"
#include "sources/scheduler/jm-sinfo-private.h"
#include "sources/scheduler/jm-slurm-limit-private.h"
#include "sources/scheduler/jm-slurm-pairs-private.h"
#include "sources/scheduler/jm-slurm-sdiag-private.h"
#include "sources/scheduler/jm-slurm-share-private.h"
#include "sources/scheduler/jm-squeue-private.h"

#define DEFAULT_TIMEOUT_S 60
#define MAX_TIMEOUT_S 3600
/* Two million jobs, or a cluster of 200,000 nodes in several partitions each. */
#define OUTPUT_MAX ((gsize) 1 << 30)
#define CONFIGURATION_MAX (1 << 20)
#define CLUSTER_KEY "ClusterName"

/**
 * JmSlurmCommands:
 *
 * A Slurm that is asked by its commands: squeue, sinfo, scontrol, sshare, sacctmgr and
 * sdiag, one for each topic, without a shell and with an environment of their own.
 * Whoever may run them is told what `PrivateData` lets that user see.
 *
 * Since: 0.1
 */
struct _JmSlurmCommands
{
  JmSource parent_instance;
  char *cluster;
  char *directory;
  guint timeout;
  char **environment;
  JmCommandRunner *runners[JM_N_SCHEDULER_TOPICS]; /* NULL until it is asked for */
};

enum
{
  PROP_CLUSTER = 1,
  PROP_DIRECTORY,
  PROP_TIMEOUT,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

/* What its lines go to, while one command runs. */
typedef struct
{
  JmSchedulerReport *report;
  const char *cluster;
  JmSinfoReader *nodes;
  JmSlurmSdiag diagnostics;
} Reading;

static void scheduler_iface_init (JmSchedulerInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmSlurmCommands,
                               jm_slurm_commands,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_SCHEDULER,
                                                      scheduler_iface_init))

/* --- what each line is --- */

static void
take_job (Reading *reading, JmSlice line)
{
  jm_squeue_parse_line (line.text, line.length, reading->report);
}

static void
take_node (Reading *reading, JmSlice line)
{
  jm_sinfo_reader_take (reading->nodes, line.text, line.length);
}

static void
take_partition (Reading *reading, JmSlice line)
{
  jm_slurm_read_partition (reading->report, line);
}

static void
take_limit (Reading *reading, JmSlice line)
{
  jm_slurm_read_limit (reading->report, reading->cluster, line);
}

static void
take_reservation (Reading *reading, JmSlice line)
{
  jm_slurm_read_reservation (reading->report, line);
}

static void
take_license (Reading *reading, JmSlice line)
{
  jm_slurm_read_license (reading->report, line);
}

static void
take_share (Reading *reading, JmSlice line)
{
  jm_slurm_read_share (reading->report, line);
}

static void
take_diagnostics (Reading *reading, JmSlice line)
{
  jm_slurm_sdiag_read (&reading->diagnostics, reading->report, line);
}

/* --- the commands --- */

/* A format is put behind the arguments. */
typedef struct
{
  const char *arguments[7];
  char *(*make_format) (void);
  void (*take) (Reading *reading, JmSlice line);
} Command;

static char *
make_share_format (void)
{
  return g_strdup (JM_SLURM_SHARE_FORMAT);
}

static char *
make_limit_format (void)
{
  return g_strdup (JM_SLURM_LIMIT_FORMAT);
}

/* Tasks of an array that wait are left in one line, which is the cheapest way. */
static const Command commands[JM_N_SCHEDULER_TOPICS] = {
  [JM_SCHEDULER_TOPIC_JOBS] = { { "squeue", "--all", "--noheader", "--noconvert",
                                  "--Format" },
                                jm_squeue_make_format,
                                take_job },
  [JM_SCHEDULER_TOPIC_NODES] = { { "sinfo", "--all", "--noheader", "--Node",
                                   "--Format" },
                                 jm_sinfo_make_format,
                                 take_node },
  [JM_SCHEDULER_TOPIC_PARTITIONS] = { { "scontrol", "show", "partition", "--all",
                                        "--oneliner" },
                                      NULL,
                                      take_partition },
  [JM_SCHEDULER_TOPIC_RESERVATIONS] = { { "scontrol", "show", "reservation",
                                          "--oneliner" },
                                        NULL,
                                        take_reservation },
  [JM_SCHEDULER_TOPIC_LICENSES] = { { "scontrol", "show", "licenses", "--oneliner" },
                                    NULL,
                                    take_license },
  [JM_SCHEDULER_TOPIC_SHARES] = { { "sshare", "--all", "--parsable2", "--noheader",
                                    "--format" },
                                  make_share_format,
                                  take_share },
  [JM_SCHEDULER_TOPIC_LIMITS] = { { "sacctmgr", "--noheader", "--parsable2", "show",
                                    "assoc" },
                                  make_limit_format,
                                  take_limit },
  [JM_SCHEDULER_TOPIC_DIAGNOSTICS] = { { "sdiag" }, NULL, take_diagnostics },
};

static JmCommandRunner *
make_runner (JmSlurmCommands *self,
             const char *const *arguments,
             const char *format,
             GError **error)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autofree char *program = self->directory != NULL
                               ? g_build_filename (self->directory, arguments[0], NULL)
                               : g_strdup (arguments[0]);

  g_ptr_array_add (argv, program);
  for (guint i = 1; arguments[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) arguments[i]);
  if (format != NULL)
    g_ptr_array_add (argv, (gpointer) format);
  g_ptr_array_add (argv, NULL);

  return jm_command_runner_new_with_argv ((const char *const *) argv->pdata,
                                          (const char *const *) self->environment,
                                          self->timeout * 1000, error);
}

static JmCommandRunner *
get_runner (JmSlurmCommands *self, JmSchedulerTopic topic, GError **error)
{
  const Command *command = &commands[topic];

  if (self->runners[topic] == NULL)
    {
      g_autofree char *format =
        command->make_format != NULL ? command->make_format () : NULL;

      self->runners[topic] = make_runner (self, command->arguments, format, error);
    }

  return self->runners[topic];
}

/* --- reading --- */

typedef struct
{
  Reading *reading;
  const Command *command;
} LineData;

static void
on_line (const char *line, gsize length, gboolean is_whole, gpointer data)
{
  LineData *self = data;
  JmSlice text = { line, length };

  if (is_whole)
    self->command->take (self->reading, text);
  else
    jm_scheduler_report_complain (self->reading->report, "a line that is cut");
}

static gboolean
jm_slurm_commands_read (JmScheduler *scheduler,
                        JmSchedulerTopic topic,
                        JmSchedulerReport *report,
                        GCancellable *cancellable,
                        GError **error)
{
  JmSlurmCommands *self = JM_SLURM_COMMANDS (scheduler);
  g_autoptr (JmSinfoReader) nodes = jm_sinfo_reader_new (report);
  Reading reading = { .report = report, .cluster = self->cluster, .nodes = nodes };
  LineData data = { &reading, &commands[topic] };
  JmCommandRunner *runner;

  if (commands[topic].take == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "slurm: %s are not asked for",
                   jm_scheduler_topic_get_name (topic));
      return FALSE;
    }

  runner = get_runner (self, topic, error);
  jm_slurm_sdiag_init (&reading.diagnostics);
  if (runner == NULL || !jm_command_runner_read_lines (runner, OUTPUT_MAX, on_line,
                                                       &data, cancellable, error))
    return FALSE;

  if (topic == JM_SCHEDULER_TOPIC_DIAGNOSTICS)
    jm_slurm_sdiag_finish (&reading.diagnostics, report);
  jm_scheduler_report_set_time (report, g_get_real_time ());

  return TRUE;
}

static const char *
jm_slurm_commands_get_cluster (JmScheduler *scheduler)
{
  return JM_SLURM_COMMANDS (scheduler)->cluster;
}

static gboolean
jm_slurm_commands_has_topic (JmScheduler *scheduler, JmSchedulerTopic topic)
{
  return (guint) topic < JM_N_SCHEDULER_TOPICS && commands[topic].take != NULL;
}

static void
scheduler_iface_init (JmSchedulerInterface *iface)
{
  iface->read = jm_slurm_commands_read;
  iface->get_cluster = jm_slurm_commands_get_cluster;
  iface->has_topic = jm_slurm_commands_has_topic;
}

/* --- the source --- */

/* What would change the output is not handed on; times are seconds since 1970, and
 * lists of an array's tasks are whole. */
static char **
make_environment (void)
{
  static const char *const kept[] = { "SLURM_CONF", NULL };
  char **environment = jm_command_make_environment (kept);

  environment = g_environ_setenv (environment, "SLURM_TIME_FORMAT", "%s", TRUE);

  return g_environ_setenv (environment, "SLURM_BITSTR_LEN", "0", TRUE);
}

/* `ClusterName             = lab` */
static void
on_configuration (const char *line, gsize length, gboolean is_whole, gpointer data)
{
  JmSlurmCommands *self = data;
  g_autofree char *text = g_strndup (line, length);
  char *value;

  if (self->cluster != NULL || !is_whole || !g_str_has_prefix (text, CLUSTER_KEY))
    return;

  value = strchr (text, '=');
  if (value != NULL && *g_strstrip (value + 1) != '\0' &&
      g_utf8_validate (value + 1, -1, NULL))
    self->cluster = g_strdup (g_strstrip (value + 1));
}

static gboolean
ask_for_cluster (JmSlurmCommands *self, GError **error)
{
  static const char *const arguments[] = { "scontrol", "show", "config", NULL };
  g_autoptr (JmCommandRunner) runner = make_runner (self, arguments, NULL, error);

  if (runner == NULL ||
      !jm_command_runner_read_lines (runner, CONFIGURATION_MAX, on_configuration, self,
                                     NULL, error))
    return FALSE;
  if (self->cluster == NULL)
    g_set_error_literal (error, JM_ERROR, JM_ERROR_MALFORMED,
                         "scontrol show config: there is no " CLUSTER_KEY);

  return self->cluster != NULL;
}

static gboolean
jm_slurm_commands_open (JmSource *source, GError **error)
{
  JmSlurmCommands *self = JM_SLURM_COMMANDS (source);

  g_strfreev (self->environment);
  self->environment = make_environment ();

  return self->cluster != NULL || ask_for_cluster (self, error);
}

static void
jm_slurm_commands_get_property (GObject *object,
                                guint id,
                                GValue *value,
                                GParamSpec *pspec)
{
  JmSlurmCommands *self = JM_SLURM_COMMANDS (object);

  switch (id)
    {
    case PROP_CLUSTER:
      g_value_set_string (value, self->cluster);
      break;
    case PROP_DIRECTORY:
      g_value_set_string (value, self->directory);
      break;
    case PROP_TIMEOUT:
      g_value_set_uint (value, self->timeout);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
jm_slurm_commands_set_property (GObject *object,
                                guint id,
                                const GValue *value,
                                GParamSpec *pspec)
{
  JmSlurmCommands *self = JM_SLURM_COMMANDS (object);

  switch (id)
    {
    case PROP_CLUSTER:
      self->cluster = g_value_dup_string (value);
      break;
    case PROP_DIRECTORY:
      self->directory = g_value_dup_string (value);
      break;
    case PROP_TIMEOUT:
      self->timeout = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
jm_slurm_commands_finalize (GObject *object)
{
  JmSlurmCommands *self = JM_SLURM_COMMANDS (object);

  for (guint i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    g_clear_pointer (&self->runners[i], jm_command_runner_free);
  g_strfreev (self->environment);
  g_free (self->cluster);
  g_free (self->directory);

  G_OBJECT_CLASS (jm_slurm_commands_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags flags =
    G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  /**
   * JmSlurmCommands:cluster:
   *
   * The cluster's name; by default what `scontrol show config` tells.
   *
   * Since: 0.1
   */
  properties[PROP_CLUSTER] = g_param_spec_string ("cluster", NULL, NULL, NULL, flags);

  /**
   * JmSlurmCommands:directory:
   *
   * Where the commands are; by default they are looked for in `PATH`.
   *
   * Since: 0.1
   */
  properties[PROP_DIRECTORY] =
    g_param_spec_string ("directory", NULL, NULL, NULL, flags);

  /**
   * JmSlurmCommands:timeout:
   *
   * Seconds that a command may take; then it is killed, with all that it started.
   *
   * Since: 0.1
   */
  properties[PROP_TIMEOUT] = g_param_spec_uint ("timeout", NULL, NULL, 1, MAX_TIMEOUT_S,
                                                DEFAULT_TIMEOUT_S, flags);

  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
jm_slurm_commands_class_init (JmSlurmCommandsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = jm_slurm_commands_get_property;
  object_class->set_property = jm_slurm_commands_set_property;
  object_class->finalize = jm_slurm_commands_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_slurm_commands_open;

  install_properties (object_class);
}

static void
jm_slurm_commands_init (JmSlurmCommands *self)
{
}

/**
 * jm_slurm_commands_new:
 * @host: the host
 * @cluster: (nullable): see #JmSlurmCommands:cluster
 * @error: return location for an error
 *
 * Makes a scheduler.
 *
 * - Errors: `ABSENT` where there is no such command, `UNAVAILABLE` where it fails or
 * does
 *   not end; both only where @cluster is not given.
 *
 * Returns: (transfer full): the scheduler
 * Since: 0.1
 */
JmSlurmCommands *
jm_slurm_commands_new (JmHost *host, const char *cluster, GError **error)
{
  g_return_val_if_fail (JM_IS_HOST (host), NULL);

  return g_initable_new (JM_TYPE_SLURM_COMMANDS, NULL, error, "host", host, "cluster",
                         cluster, NULL);
}
