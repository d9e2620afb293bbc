/* jm-gridengine-commands.c: a Grid Engine that is asked by its commands
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-types-private.h"

#include "schedulers/gridengine/jm-gridengine-answers-private.h"
#include "schedulers/jm-scheduler-commands-private.h"

#define DEFAULT_CELL "default"

/*
 * JmGridEngineCommands:
 *
 * A Grid Engine that is asked by its commands: qstat for its jobs, qhost for its nodes.
 *
 * - CPUs: of a job its slots; of a node its processors, and the slots that jobs have.
 * - What a job asked for: known of jobs with one slot. Of others it depends on the
 *   resource whether it is meant for each slot.
 * - A job's priority is that of qstat, times 100,000.
 *
 * Since: 0.1
 */
struct _JmGridEngineCommands
{
  JmSchedulerCommands parent_instance;
};

G_DEFINE_FINAL_TYPE (JmGridEngineCommands,
                     jm_grid_engine_commands,
                     JM_TYPE_SCHEDULER_COMMANDS)

static void
on_chunk (const char *text, gsize length, gpointer data)
{
  jm_gridengine_xml_feed (data, text, length);
}

static gboolean
read_answer (gpointer self,
             JmSchedulerTopic topic,
             const char *const *arguments,
             JmGridengineXml *xml,
             GCancellable *cancellable,
             GError **error)
{
  JmCommandRunner *runner =
    jm_scheduler_commands_get_runner (self, topic, arguments, NULL, error);

  return runner != NULL &&
         jm_command_runner_read_chunks (runner, JM_SCHEDULER_OUTPUT_MAX, on_chunk, xml,
                                        cancellable, error) &&
         jm_gridengine_xml_finish (xml, error);
}

static gboolean
read_jobs (gpointer self,
           JmSchedulerReport *report,
           GCancellable *cancellable,
           GError **error)
{
  static const char *const arguments[] = { JM_GRIDENGINE_JOBS_COMMAND, NULL };
  g_auto (JmGridengineJobs) jobs = { 0 };
  g_autoptr (JmGridengineXml) xml =
    jm_gridengine_xml_new (JM_GRIDENGINE_JOBS_ROOT, &jm_gridengine_jobs_handler, &jobs);

  jm_gridengine_jobs_init (&jobs, report);

  return read_answer (self, JM_SCHEDULER_TOPIC_JOBS, arguments, xml, cancellable,
                      error);
}

static gboolean
read_nodes (gpointer self,
            JmSchedulerReport *report,
            GCancellable *cancellable,
            GError **error)
{
  static const char *const arguments[] = { JM_GRIDENGINE_NODES_COMMAND, NULL };
  g_auto (JmGridengineNodes) nodes = { 0 };
  g_autoptr (JmGridengineXml) xml =
    jm_gridengine_xml_new (JM_GRIDENGINE_NODES_ROOT, &jm_gridengine_nodes_handler,
                           &nodes);

  jm_gridengine_nodes_init (&nodes, report);

  return read_answer (self, JM_SCHEDULER_TOPIC_NODES, arguments, xml, cancellable,
                      error);
}

static gboolean
jm_grid_engine_commands_has_topic (gpointer self, JmSchedulerTopic topic)
{
  return topic == JM_SCHEDULER_TOPIC_JOBS || topic == JM_SCHEDULER_TOPIC_NODES;
}

static gboolean
jm_grid_engine_commands_read_topic (gpointer self,
                                    JmSchedulerTopic topic,
                                    JmSchedulerReport *report,
                                    GCancellable *cancellable,
                                    GError **error)
{
  return topic == JM_SCHEDULER_TOPIC_JOBS
           ? read_jobs (self, report, cancellable, error)
           : read_nodes (self, report, cancellable, error);
}

static char *
jm_grid_engine_commands_find_cluster (gpointer self, GError **error)
{
  const char *cell = g_getenv ("SGE_CELL");

  return g_strdup (cell != NULL && cell[0] != '\0' && g_utf8_validate (cell, -1, NULL)
                     ? cell
                     : DEFAULT_CELL);
}

static void
jm_grid_engine_commands_class_init (JmGridEngineCommandsClass *klass)
{
  JmSchedulerCommandsClass *commands_class = JM_SCHEDULER_COMMANDS_CLASS (klass);
  static const char *const environment[] = { "SGE_ROOT",         "SGE_CELL",
                                             "SGE_CLUSTER_NAME", "SGE_QMASTER_PORT",
                                             "SGE_EXECD_PORT",   NULL };

  commands_class->scheduler = "gridengine";
  commands_class->environment = environment;
  commands_class->find_cluster = jm_grid_engine_commands_find_cluster;
  commands_class->has_topic = jm_grid_engine_commands_has_topic;
  commands_class->read_topic = jm_grid_engine_commands_read_topic;
}

static void
jm_grid_engine_commands_init (JmGridEngineCommands *self)
{
}
