/* jm-slurm-commands.c: a Slurm that is asked by its commands
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-types-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "schedulers/jm-scheduler-commands-private.h"
#include "schedulers/slurm/jm-slurm-output-private.h"

#define CONFIGURATION_MAX (1 << 20)
#define CLUSTER_KEY "ClusterName"

/*
 * JmSlurmCommands:
 *
 * A Slurm that is asked by its commands: squeue, sinfo, scontrol, sshare, sacctmgr and
 * sdiag, one for each topic and two for limits, without a shell and with an environment
 * of their own. Whoever may run them gets what `PrivateData` lets that user see.
 *
 * - Errors: `ABSENT` where there is no such command, `UNAVAILABLE` where it fails or
 *   does not end; both only where #JmSlurmCommands:cluster is not given.
 *
 * Since: 0.1
 */
struct _JmSlurmCommands
{
  JmSchedulerCommands parent_instance;
};

G_DEFINE_FINAL_TYPE (JmSlurmCommands, jm_slurm_commands, JM_TYPE_SCHEDULER_COMMANDS)

/* What its lines go to, while one command runs. */
typedef struct
{
  JmSchedulerReport *report;
  const char *cluster;
  char *separator; /* of the columns of tables */
  JmSinfoReader *nodes;
  JmSlurmSdiag diagnostics;
} Reading;

/* --- what each line is --- */

static void
take_job (Reading *reading, JmSlice line)
{
  jm_squeue_take_row (reading->separator, line, reading->report);
}

static void
take_node (Reading *reading, JmSlice line)
{
  jm_sinfo_reader_take (reading->nodes, line);
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
take_qos (Reading *reading, JmSlice line)
{
  jm_slurm_read_qos (reading->report, line);
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

typedef struct
{
  const char *arguments[7];
  void (*take) (Reading *reading, JmSlice line);
  /* of rows that may go over several lines; its format is put behind the arguments */
  const JmSlurmTable *table;
  guint n_names; /* columns of `--parsable2` that people fill in, which stand first */
} Command;

/* The second question of the topic of limits. */
static const Command qos_command = { { "sacctmgr", "--noheader", "--parsable2", "show",
                                       "qos", JM_SLURM_QOS_FORMAT },
                                     take_qos,
                                     .n_names = 1 };

/* Tasks of an array that wait are left in one line, which is the cheapest way. Jobs
 * that ended are listed as long as the controller remembers them (MinJobAge), as
 * slurmrestd does. */
static const Command commands[JM_N_SCHEDULER_TOPICS] = {
  [JM_SCHEDULER_TOPIC_JOBS] = { { "squeue", "--all", "--states=all", "--noheader",
                                  "--noconvert", "--Format" },
                                take_job,
                                &jm_squeue_table },
  [JM_SCHEDULER_TOPIC_NODES] = { { "sinfo", "--all", "--noheader", "--Node",
                                   "--Format" },
                                 take_node,
                                 &jm_sinfo_table },
  [JM_SCHEDULER_TOPIC_PARTITIONS] = { { "scontrol", "show", "partition", "--all",
                                        "--oneliner" },
                                      take_partition },
  [JM_SCHEDULER_TOPIC_RESERVATIONS] = { { "scontrol", "show", "reservation",
                                          "--oneliner" },
                                        take_reservation },
  [JM_SCHEDULER_TOPIC_LICENSES] = { { "scontrol", "show", "licenses", "--oneliner" },
                                    take_license },
  [JM_SCHEDULER_TOPIC_SHARES] = { { "sshare", "--all", "--parsable2", "--noheader",
                                    "--format", JM_SLURM_SHARE_FORMAT },
                                  take_share,
                                  .n_names = 3 },
  [JM_SCHEDULER_TOPIC_LIMITS] = { { "sacctmgr", "--noheader", "--parsable2", "show",
                                    "assoc", JM_SLURM_LIMIT_FORMAT },
                                  take_limit,
                                  .n_names = 4 },
  [JM_SCHEDULER_TOPIC_DIAGNOSTICS] = { { "sdiag" }, take_diagnostics },
};

static JmCommandRunner *
get_runner (gpointer self,
            JmSchedulerTopic topic,
            const char *separator,
            GError **error)
{
  const Command *command = &commands[topic];
  g_autofree char *format = command->table != NULL
                              ? jm_slurm_table_make_format (command->table, separator)
                              : NULL;

  return jm_scheduler_commands_get_runner (self, topic, command->arguments, format,
                                           error);
}

/* --- reading --- */

typedef struct
{
  Reading *reading;
  const Command *command;
  JmSlurmRows *rows;     /* NULL, as the next one: each line is a row */
  JmSlurmPieces *pieces; /* of the columns of `--parsable2` */
  gboolean is_settled;   /* the separator */
} LineData;

static void
on_row (JmSlice row, gpointer data)
{
  LineData *self = data;

  self->command->take (self->reading, row);
}

static void
on_line (const char *line, gsize length, gboolean is_whole, gpointer data)
{
  LineData *self = data;
  JmSlice text = { line, length };

  if (self->rows != NULL && !self->is_settled)
    self->is_settled = jm_slurm_settle_separator (self->reading->separator, text);
  if (self->rows != NULL)
    jm_slurm_rows_take (self->rows, text, is_whole);
  else if (self->pieces != NULL && is_whole)
    jm_slurm_pieces_take (self->pieces, text);
  else if (is_whole)
    on_row (text, self);
  else
    jm_scheduler_report_pass_over (self->reading->report, "a line that is cut");
}

/* As the format behind its arguments names them. */
static guint
count_columns (const Command *command)
{
  const char *format = "";
  guint n_columns = 1;

  for (guint i = 0; command->arguments[i] != NULL; i++)
    format = command->arguments[i];
  for (const char *comma = strchr (format, ','); comma != NULL;
       comma = strchr (comma + 1, ','))
    n_columns++;

  return n_columns;
}

/* Limits begin with their cluster, and shares with as many spaces as their account is
 * deep in the tree; only its root has none. */
static char *
make_beginning (const Reading *reading, const Command *command)
{
  if (command->take == take_limit)
    return g_strconcat (reading->cluster, "|", NULL);

  return command->take == take_share ? g_strdup (" ") : NULL;
}

static gboolean
read_lines (JmCommandRunner *runner,
            Reading *reading,
            const Command *command,
            GCancellable *cancellable,
            GError **error)
{
  LineData data = { reading, command, NULL, NULL, FALSE };
  g_autoptr (JmSlurmRows) rows = NULL;
  g_autoptr (JmSlurmPieces) pieces = NULL;
  g_autofree char *beginning = make_beginning (reading, command);
  const JmSlurmPiecesShape shape = { count_columns (command), command->n_names,
                                     beginning, command->take == take_share };

  if (command->table != NULL)
    rows =
      jm_slurm_rows_new (reading->separator, command->table->n_columns, on_row, &data);
  if (command->n_names > 0)
    pieces = jm_slurm_pieces_new (&shape, reading->report, on_row, &data);
  data.rows = rows;
  data.pieces = pieces;
  if (runner == NULL ||
      !jm_command_runner_read_lines (runner, JM_SCHEDULER_OUTPUT_MAX, on_line, &data,
                                     cancellable, error))
    return FALSE;
  if (rows != NULL)
    jm_slurm_rows_finish (rows);
  if (pieces != NULL)
    jm_slurm_pieces_finish (pieces);

  return TRUE;
}

static gboolean
read_qos (gpointer self, Reading *reading, GCancellable *cancellable, GError **error)
{
  g_autoptr (JmCommandRunner) runner =
    jm_scheduler_commands_make_runner (self, qos_command.arguments, NULL, error);

  return read_lines (runner, reading, &qos_command, cancellable, error);
}

static gboolean
jm_slurm_commands_read_topic (gpointer self,
                              JmSchedulerTopic topic,
                              JmSchedulerReport *report,
                              GCancellable *cancellable,
                              GError **error)
{
  g_autofree char *separator = jm_slurm_make_separator ();
  g_autoptr (JmSinfoReader) nodes = jm_sinfo_reader_new (separator, report);
  Reading reading = { .report = report,
                      .cluster = jm_scheduler_get_cluster (self),
                      .separator = separator,
                      .nodes = nodes };

  jm_slurm_sdiag_init (&reading.diagnostics);
  if (!read_lines (get_runner (self, topic, separator, error), &reading,
                   &commands[topic], cancellable, error))
    return FALSE;

  if (topic == JM_SCHEDULER_TOPIC_DIAGNOSTICS)
    jm_slurm_sdiag_finish (&reading.diagnostics, report);

  return topic != JM_SCHEDULER_TOPIC_LIMITS ||
         read_qos (self, &reading, cancellable, error);
}

static gboolean
jm_slurm_commands_has_topic (gpointer self, JmSchedulerTopic topic)
{
  return commands[topic].take != NULL;
}

/* --- the source --- */

/* `ClusterName             = lab` */
static void
on_configuration (const char *line, gsize length, gboolean is_whole, gpointer data)
{
  char **cluster = data;
  g_autofree char *text = g_strndup (line, length);
  char *value;

  if (*cluster != NULL || !is_whole || !g_str_has_prefix (text, CLUSTER_KEY))
    return;

  value = strchr (text, '=');
  if (value != NULL && *g_strstrip (value + 1) != '\0' &&
      g_utf8_validate (value + 1, -1, NULL))
    *cluster = g_strdup (g_strstrip (value + 1));
}

static char *
jm_slurm_commands_find_cluster (gpointer self, GError **error)
{
  static const char *const arguments[] = { "scontrol", "show", "config", NULL };
  g_autoptr (JmCommandRunner) runner =
    jm_scheduler_commands_make_runner (self, arguments, NULL, error);
  g_autofree char *cluster = NULL;

  if (runner == NULL ||
      !jm_command_runner_read_lines (runner, CONFIGURATION_MAX, on_configuration,
                                     &cluster, NULL, error))
    return NULL;
  if (cluster == NULL)
    g_set_error_literal (error, JM_ERROR, JM_ERROR_MALFORMED,
                         "scontrol show config: there is no " CLUSTER_KEY);

  return g_steal_pointer (&cluster);
}

static void
jm_slurm_commands_class_init (JmSlurmCommandsClass *klass)
{
  JmSchedulerCommandsClass *commands_class = JM_SCHEDULER_COMMANDS_CLASS (klass);
  /* times are seconds since 1970, and lists of an array's tasks are whole */
  static const char *const environment[] = { "SLURM_CONF", "SLURM_TIME_FORMAT=%s",
                                             "SLURM_BITSTR_LEN=0", NULL };

  commands_class->scheduler = "slurm";
  commands_class->environment = environment;
  commands_class->find_cluster = jm_slurm_commands_find_cluster;
  commands_class->has_topic = jm_slurm_commands_has_topic;
  commands_class->read_topic = jm_slurm_commands_read_topic;
}

static void
jm_slurm_commands_init (JmSlurmCommands *self)
{
}
