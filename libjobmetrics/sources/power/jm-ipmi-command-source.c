/* jm-ipmi-command-source.c: a node's power, from a program that asks its BMC
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-ipmi-command-source.h"

#include "core/jm-error.h"
#include "sources/power/jm-command-runner-private.h"
#include "sources/power/jm-dcmi-private.h"
#include "sources/power/jm-polled-source-private.h"
#include "sources/power/jm-power-answer-private.h"

#define DEFAULT_COMMAND "/usr/sbin/ipmi-dcmi --get-system-power-statistics"
#define DEFAULT_INTERVAL_S 30
#define DEFAULT_TIMEOUT_S 10

/**
 * JmIpmiCommandSource:
 *
 * Tells a node's power as its BMC measures it, asked by a program: FreeIPMI's
 * `ipmi-dcmi --get-system-power-statistics`, `ipmitool dcmi power reading`,
 * `ipmiutil dcmi power`, or a script that prints what one of them does. It is run in
 * the background, without a shell.
 *
 * Since: 0.1
 */
struct _JmIpmiCommandSource
{
  JmPolledSource parent_instance;

  char *command;
  JmCommandRunner *runner; /* of the thread that asks */
};

enum
{
  PROP_COMMAND = 1,
  PROP_INTERVAL,
  PROP_TIMEOUT,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (JmIpmiCommandSource, jm_ipmi_command_source, JM_TYPE_POLLED_SOURCE)

static gpointer
jm_ipmi_command_source_poll (gpointer user_data,
                             GCancellable *cancellable,
                             GError **error)
{
  JmIpmiCommandSource *self = user_data;
  g_autofree char *text = NULL;
  JmPowerAnswer *answer;
  gsize length;
  guint watts;

  text = jm_command_runner_run (self->runner, cancellable, &length, error);
  if (text == NULL ||
      !jm_dcmi_parse_text (text, length, jm_command_runner_get_name (self->runner),
                           &watts, error))
    return NULL;

  answer = jm_power_answer_new ();
  jm_power_answer_add_power (answer, "node", (guint64) watts * 1000000);

  return answer;
}

static gboolean
jm_ipmi_command_source_open (JmSource *source, GError **error)
{
  JmIpmiCommandSource *self = JM_IPMI_COMMAND_SOURCE (source);

  if (!jm_host_is_live (jm_source_get_host (source)))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: not run for a copied tree",
                   self->command);
      return FALSE;
    }

  self->runner =
    jm_command_runner_new (self->command,
                           jm_polled_source_get_timeout_ms (JM_POLLED_SOURCE (self)),
                           error);
  if (self->runner == NULL)
    return FALSE;

  jm_polled_source_start (JM_POLLED_SOURCE (self),
                          jm_command_runner_get_name (self->runner));

  return TRUE;
}

static void
jm_ipmi_command_source_get_property (GObject *object,
                                     guint id,
                                     GValue *value,
                                     GParamSpec *pspec)
{
  JmIpmiCommandSource *self = JM_IPMI_COMMAND_SOURCE (object);

  switch (id)
    {
    case PROP_COMMAND:
      g_value_set_string (value, self->command);
      break;
    default:
      G_OBJECT_CLASS (jm_ipmi_command_source_parent_class)
        ->get_property (object, id, value, pspec);
    }
}

static void
jm_ipmi_command_source_set_property (GObject *object,
                                     guint id,
                                     const GValue *value,
                                     GParamSpec *pspec)
{
  JmIpmiCommandSource *self = JM_IPMI_COMMAND_SOURCE (object);

  switch (id)
    {
    case PROP_COMMAND:
      self->command = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_CLASS (jm_ipmi_command_source_parent_class)
        ->set_property (object, id, value, pspec);
    }
}

static void
jm_ipmi_command_source_constructed (GObject *object)
{
  JmIpmiCommandSource *self = JM_IPMI_COMMAND_SOURCE (object);

  G_OBJECT_CLASS (jm_ipmi_command_source_parent_class)->constructed (object);

  if (self->command == NULL)
    self->command = g_strdup (DEFAULT_COMMAND);
}

static void
jm_ipmi_command_source_finalize (GObject *object)
{
  JmIpmiCommandSource *self = JM_IPMI_COMMAND_SOURCE (object);

  g_clear_pointer (&self->runner, jm_command_runner_free);
  g_free (self->command);

  G_OBJECT_CLASS (jm_ipmi_command_source_parent_class)->finalize (object);
}

/* The program is not run. */
static gboolean
jm_ipmi_command_source_check (JmSource *source, GError **error)
{
  JmIpmiCommandSource *self = JM_IPMI_COMMAND_SOURCE (source);
  g_autoptr (JmCommandRunner) runner = NULL;

  runner = jm_command_runner_new (self->command, 0, error);

  return runner != NULL;
}

static void
jm_ipmi_command_source_class_init (JmIpmiCommandSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  JmPolledSourceClass *polled_class = JM_POLLED_SOURCE_CLASS (klass);

  JM_SOURCE_CLASS (klass)->open = jm_ipmi_command_source_open;
  JM_SOURCE_CLASS (klass)->check = jm_ipmi_command_source_check;
  polled_class->thread_name = "jm-ipmi-command";
  polled_class->poll = jm_ipmi_command_source_poll;
  object_class->constructed = jm_ipmi_command_source_constructed;
  object_class->get_property = jm_ipmi_command_source_get_property;
  object_class->set_property = jm_ipmi_command_source_set_property;
  object_class->finalize = jm_ipmi_command_source_finalize;

  /**
   * JmIpmiCommandSource:command:
   *
   * The command, split into words as a shell does; no shell runs it.
   *
   * Since: 0.1
   */
  properties[PROP_COMMAND] =
    g_param_spec_string ("command", NULL, NULL, DEFAULT_COMMAND,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY |
                           G_PARAM_STATIC_STRINGS);

  /**
   * JmIpmiCommandSource:interval:
   *
   * How often the command is run, seconds.
   *
   * Since: 0.1
   */
  properties[PROP_INTERVAL] = jm_polled_source_interval_property (DEFAULT_INTERVAL_S);

  /**
   * JmIpmiCommandSource:timeout:
   *
   * How long the command may take, seconds; then it is killed.
   *
   * Since: 0.1
   */
  properties[PROP_TIMEOUT] = jm_polled_source_timeout_property (DEFAULT_TIMEOUT_S);

  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
jm_ipmi_command_source_init (JmIpmiCommandSource *self)
{
}

/**
 * jm_ipmi_command_source_new:
 * @host: the host
 * @command: (nullable): the command; %NULL is FreeIPMI's `ipmi-dcmi`
 * @error: return location for an error
 *
 * Begins to run a command that asks the BMC.
 *
 * - Errors: `ABSENT` where there is no such program, or @host is a copied tree;
 *   `INVALID` where @command cannot be split into words.
 *
 * Returns: (transfer full): the source
 * Since: 0.1
 */
JmIpmiCommandSource *
jm_ipmi_command_source_new (JmHost *host, const char *command, GError **error)
{
  return g_initable_new (JM_TYPE_IPMI_COMMAND_SOURCE, NULL, error, "host", host,
                         "command", command, NULL);
}
