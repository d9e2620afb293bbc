/* jm-pbs-commands.c: a PBS that is asked by its commands
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-types-private.h"

#include "base/jm-error.h"
#include "schedulers/jm-scheduler-commands-private.h"
#include "schedulers/pbs/jm-pbs-answers-private.h"

#define SERVER_KEY "pbs_server"
#define SERVER_OUTPUT_MAX (1 << 20)

/*
 * JmPbsCommands:
 *
 * An OpenPBS or a PBS Professional that is asked by its commands: qstat for its jobs,
 * pbsnodes for its hosts.
 *
 * - An array is a record of its tasks that run and one of those that wait.
 * - A host of several vnodes is one node. What these have each for themselves is not
 *   reported; where that is their state, the node's flag is `<various>`.
 * - Nodes of a job that waits: the chunks that it asks for.
 * - Errors: `ABSENT` where there is no such command, `UNAVAILABLE` where it fails or
 *   does not end; both only where #JmPbsCommands:cluster is not given.
 *
 * Since: 0.1
 */
struct _JmPbsCommands
{
  JmSchedulerCommands parent_instance;
};

G_DEFINE_FINAL_TYPE (JmPbsCommands, jm_pbs_commands, JM_TYPE_SCHEDULER_COMMANDS)

static void
on_chunk (const char *text, gsize length, gpointer data)
{
  jm_pbs_json_feed (data, text, length);
}

static gboolean
read_answer (JmCommandRunner *runner,
             gsize max_bytes,
             const JmPbsJsonHandler *handler,
             gpointer data,
             GCancellable *cancellable,
             GError **error)
{
  g_autoptr (JmPbsJson) json = jm_pbs_json_new (handler, data);

  return runner != NULL &&
         jm_command_runner_read_chunks (runner, max_bytes, on_chunk, json, cancellable,
                                        error) &&
         jm_pbs_json_finish (json, jm_command_runner_get_name (runner), error);
}

static gboolean
read_jobs (gpointer self,
           JmSchedulerReport *report,
           GCancellable *cancellable,
           GError **error)
{
  static const char *const arguments[] = { JM_PBS_JOBS_COMMAND, NULL };
  JmCommandRunner *runner =
    jm_scheduler_commands_get_runner (self, JM_SCHEDULER_TOPIC_JOBS, arguments, NULL,
                                      error);
  g_auto (JmPbsJobs) jobs = { 0 };

  jm_pbs_jobs_init (&jobs, report);

  return read_answer (runner, JM_SCHEDULER_OUTPUT_MAX, &jm_pbs_jobs_handler, &jobs,
                      cancellable, error);
}

static gboolean
read_nodes (gpointer self,
            JmSchedulerReport *report,
            GCancellable *cancellable,
            GError **error)
{
  static const char *const arguments[] = { JM_PBS_NODES_COMMAND, NULL };
  JmCommandRunner *runner =
    jm_scheduler_commands_get_runner (self, JM_SCHEDULER_TOPIC_NODES, arguments, NULL,
                                      error);
  g_auto (JmPbsNodes) nodes = { 0 };

  jm_pbs_nodes_init (&nodes, report);

  return read_answer (runner, JM_SCHEDULER_OUTPUT_MAX, &jm_pbs_nodes_handler, &nodes,
                      cancellable, error);
}

static gboolean
jm_pbs_commands_has_topic (gpointer self, JmSchedulerTopic topic)
{
  return topic == JM_SCHEDULER_TOPIC_JOBS || topic == JM_SCHEDULER_TOPIC_NODES;
}

static gboolean
jm_pbs_commands_read_topic (gpointer self,
                            JmSchedulerTopic topic,
                            JmSchedulerReport *report,
                            GCancellable *cancellable,
                            GError **error)
{
  return topic == JM_SCHEDULER_TOPIC_JOBS
           ? read_jobs (self, report, cancellable, error)
           : read_nodes (self, report, cancellable, error);
}

/* --- the server's name --- */

static void
on_server_begin (gpointer data, guint depth, const char *key)
{
}

static void
on_server_value (gpointer data, guint depth, const char *key, JmSlice text)
{
  char **cluster = data;

  if (depth == 1 && *cluster == NULL && text.length > 0 &&
      strcmp (key, SERVER_KEY) == 0)
    *cluster = g_utf8_make_valid (text.text, (gssize) text.length);
}

static void
on_server_end (gpointer data, guint depth)
{
}

static char *
jm_pbs_commands_find_cluster (gpointer self, GError **error)
{
  static const char *const arguments[] = { "qstat", "-B", "-f", "-F", "json", NULL };
  static const JmPbsJsonHandler handler = { on_server_begin, on_server_value,
                                            on_server_end };
  g_autoptr (JmCommandRunner) runner =
    jm_scheduler_commands_make_runner (self, arguments, NULL, error);
  g_autofree char *cluster = NULL;

  if (!read_answer (runner, SERVER_OUTPUT_MAX, &handler, &cluster, NULL, error))
    return NULL;
  if (cluster == NULL)
    g_set_error_literal (error, JM_ERROR, JM_ERROR_MALFORMED,
                         "qstat -B: there is no " SERVER_KEY);

  return g_steal_pointer (&cluster);
}

static void
jm_pbs_commands_class_init (JmPbsCommandsClass *klass)
{
  JmSchedulerCommandsClass *commands_class = JM_SCHEDULER_COMMANDS_CLASS (klass);
  static const char *const environment[] = { "PBS_CONF_FILE",
                                             "PBS_SERVER",
                                             "PBS_DEFAULT",
                                             "PBS_PRIMARY",
                                             "PBS_SECONDARY",
                                             "PBS_EXEC",
                                             "PBS_HOME",
                                             "PBS_BATCH_SERVICE_PORT",
                                             "PBS_LEAF_NAME",
                                             "PBS_LEAF_ROUTERS",
                                             "PBS_AUTH_METHOD",
                                             "PBS_SERVER_HOST_NAME",
                                             NULL };

  commands_class->scheduler = "pbs";
  commands_class->environment = environment;
  commands_class->find_cluster = jm_pbs_commands_find_cluster;
  commands_class->has_topic = jm_pbs_commands_has_topic;
  commands_class->read_topic = jm_pbs_commands_read_topic;
}

static void
jm_pbs_commands_init (JmPbsCommands *self)
{
}
