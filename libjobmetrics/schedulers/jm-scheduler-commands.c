/* jm-scheduler-commands.c: a scheduler that is asked by its commands
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-commands-private.h"

#include <string.h>

#include "base/jm-environment-private.h"
#include "base/jm-error.h"
#include "host/jm-source-private.h"

#define DEFAULT_TIMEOUT_S 60
#define MAX_TIMEOUT_S 3600

/*
 * JmSchedulerCommands:
 *
 * A scheduler that is asked by its commands, one for each topic, without a shell and
 * with an environment of their own.
 *
 * Since: 0.1
 */
typedef struct
{
  char *cluster;
  char *directory;
  guint timeout;
  char **environment;
  JmCommandRunner *runners[JM_N_SCHEDULER_TOPICS]; /* NULL until it is asked for */
} JmSchedulerCommandsPrivate;

static void scheduler_iface_init (JmSchedulerInterface *iface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (JmSchedulerCommands,
                                  jm_scheduler_commands,
                                  JM_TYPE_SOURCE,
                                  G_ADD_PRIVATE (JmSchedulerCommands)
                                    G_IMPLEMENT_INTERFACE (JM_TYPE_SCHEDULER,
                                                           scheduler_iface_init))

static JmSchedulerCommandsPrivate *
get_private (gpointer self)
{
  return jm_scheduler_commands_get_instance_private (self);
}

/* --- the scheduler --- */

static gboolean
jm_scheduler_commands_has_topic (JmScheduler *scheduler, JmSchedulerTopic topic)
{
  return (guint) topic < JM_N_SCHEDULER_TOPICS &&
         JM_SCHEDULER_COMMANDS_GET_CLASS (scheduler)->has_topic (scheduler, topic);
}

static gboolean
jm_scheduler_commands_read (JmScheduler *scheduler,
                            JmSchedulerTopic topic,
                            JmSchedulerReport *report,
                            GCancellable *cancellable,
                            GError **error)
{
  JmSchedulerCommandsClass *klass = JM_SCHEDULER_COMMANDS_GET_CLASS (scheduler);

  if (!jm_scheduler_commands_has_topic (scheduler, topic))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: %s are not asked for",
                   klass->scheduler, jm_scheduler_topic_get_name (topic));
      return FALSE;
    }
  if (!klass->read_topic (scheduler, topic, report, cancellable, error))
    return FALSE;

  jm_scheduler_report_set_time (report, g_get_real_time ());

  return TRUE;
}

static const char *
jm_scheduler_commands_get_cluster (JmScheduler *scheduler)
{
  return get_private (scheduler)->cluster;
}

static void
scheduler_iface_init (JmSchedulerInterface *iface)
{
  iface->read = jm_scheduler_commands_read;
  iface->get_cluster = jm_scheduler_commands_get_cluster;
  iface->has_topic = jm_scheduler_commands_has_topic;
}

/* --- the source --- */

/* What would change the output is not handed on. */
static char **
make_environment (const char *const *wanted)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  char **environment;

  for (guint i = 0; wanted[i] != NULL; i++)
    if (strchr (wanted[i], '=') == NULL)
      g_ptr_array_add (kept, (gpointer) wanted[i]);
  g_ptr_array_add (kept, NULL);
  environment = jm_command_make_environment ((const char *const *) kept->pdata);

  for (guint i = 0; wanted[i] != NULL; i++)
    {
      const char *equals = strchr (wanted[i], '=');

      if (equals != NULL)
        {
          g_autofree char *name = g_strndup (wanted[i], (gsize) (equals - wanted[i]));

          environment = g_environ_setenv (environment, name, equals + 1, TRUE);
        }
    }

  return environment;
}

static gboolean
jm_scheduler_commands_open (JmSource *source, GError **error)
{
  JmSchedulerCommandsClass *klass = JM_SCHEDULER_COMMANDS_GET_CLASS (source);
  JmSchedulerCommandsPrivate *priv = get_private (source);

  g_strfreev (priv->environment);
  priv->environment = make_environment (klass->environment);
  if (priv->cluster == NULL)
    priv->cluster = klass->find_cluster (source, error);

  return priv->cluster != NULL;
}

static void
jm_scheduler_commands_finalize (GObject *object)
{
  JmSchedulerCommandsPrivate *priv = get_private (object);

  for (guint i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    g_clear_pointer (&priv->runners[i], jm_command_runner_free);
  g_strfreev (priv->environment);

  G_OBJECT_CLASS (jm_scheduler_commands_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{
  /*
   * JmSchedulerCommands:cluster:
   *
   * The cluster's name; by default what the scheduler calls itself.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "cluster",
                            G_PRIVATE_OFFSET (JmSchedulerCommands, cluster), NULL);

  /*
   * JmSchedulerCommands:directory:
   *
   * Where the commands are; by default they are looked for in `PATH`.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "directory",
                            G_PRIVATE_OFFSET (JmSchedulerCommands, directory), NULL);

  /*
   * JmSchedulerCommands:timeout:
   *
   * Seconds that a command may take; then it is killed, with all that it started.
   *
   * Since: 0.1
   */
  jm_source_class_add_uint (object_class, "timeout",
                            G_PRIVATE_OFFSET (JmSchedulerCommands, timeout), 1,
                            MAX_TIMEOUT_S, DEFAULT_TIMEOUT_S);
}

static void
jm_scheduler_commands_class_init (JmSchedulerCommandsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = jm_scheduler_commands_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_scheduler_commands_open;

  install_properties (object_class);
}

static void
jm_scheduler_commands_init (JmSchedulerCommands *self)
{
}

JmCommandRunner *
jm_scheduler_commands_make_runner (JmSchedulerCommands *self,
                                   const char *const *arguments,
                                   const char *last,
                                   GError **error)
{
  JmSchedulerCommandsPrivate *priv = get_private (self);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();

  for (guint i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) arguments[i]);
  if (last != NULL)
    g_ptr_array_add (argv, (gpointer) last);
  g_ptr_array_add (argv, NULL);

  return jm_command_runner_new_with_argv (priv->directory,
                                          (const char *const *) argv->pdata,
                                          (const char *const *) priv->environment,
                                          priv->timeout * 1000, error);
}

JmCommandRunner *
jm_scheduler_commands_get_runner (JmSchedulerCommands *self,
                                  JmSchedulerTopic topic,
                                  const char *const *arguments,
                                  const char *last,
                                  GError **error)
{
  JmSchedulerCommandsPrivate *priv = get_private (self);

  if (priv->runners[topic] == NULL)
    priv->runners[topic] =
      jm_scheduler_commands_make_runner (self, arguments, last, error);
  else if (last != NULL)
    jm_command_runner_set_last_argument (priv->runners[topic], last);

  return priv->runners[topic];
}
