/* jm-ipmi-command-source.c: a node's power, from a program that asks its BMC
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-power-types-private.h"

#include "io/jm-command-runner-private.h"
#include "sources/power/jm-dcmi-private.h"
#include "sources/power/jm-polled-source-private.h"

#define DEFAULT_COMMAND "/usr/sbin/ipmi-dcmi --get-system-power-statistics"
#define DEFAULT_INTERVAL_S 30
#define DEFAULT_TIMEOUT_S 10

/*
 * JmIpmiCommandSource:
 *
 * Reads a node's power as its BMC measures it, asked by a program: FreeIPMI's
 * `ipmi-dcmi --get-system-power-statistics`, `ipmitool dcmi power reading`,
 * `ipmiutil dcmi power`, or a script that prints what one of them does. It is run in
 * the background, without a shell.
 *
 * - Errors: `ABSENT` where there is no such program, or the host is a copied tree;
 *   `INVALID` where #JmIpmiCommandSource:command cannot be split into words.
 *
 * Since: 0.1
 */
struct _JmIpmiCommandSource
{
  JmDcmiSource parent_instance;

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

G_DEFINE_FINAL_TYPE (JmIpmiCommandSource, jm_ipmi_command_source, JM_TYPE_DCMI_SOURCE)

static const char *
get_command (gpointer self)
{
  return jm_polled_source_get_text (self, "command");
}

static const char *
jm_ipmi_command_source_open_transport (gpointer source, GError **error)
{
  JmIpmiCommandSource *self = source;

  self->runner = jm_command_runner_new (get_command (self),
                                        jm_polled_source_get_timeout_ms (self), error);

  return self->runner != NULL ? jm_command_runner_get_name (self->runner) : NULL;
}

static gboolean
jm_ipmi_command_source_ask (gpointer source,
                            GCancellable *cancellable,
                            JmDcmiReading *reading,
                            GError **error)
{
  JmIpmiCommandSource *self = source;
  gsize length;
  g_autofree char *text =
    jm_command_runner_run (self->runner, cancellable, &length, error);

  return text != NULL &&
         jm_dcmi_parse_text (text, length, jm_command_runner_get_name (self->runner),
                             reading, error);
}

static void
jm_ipmi_command_source_finalize (GObject *object)
{
  JmIpmiCommandSource *self = JM_IPMI_COMMAND_SOURCE (object);

  g_clear_pointer (&self->runner, jm_command_runner_free);

  G_OBJECT_CLASS (jm_ipmi_command_source_parent_class)->finalize (object);
}

/* The program is not run. */
static gboolean
jm_ipmi_command_source_check (JmSource *source, GError **error)
{
  g_autoptr (JmCommandRunner) runner =
    jm_command_runner_new (get_command (source), 0, error);

  return runner != NULL;
}

static void
jm_ipmi_command_source_class_init (JmIpmiCommandSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  JmDcmiSourceClass *dcmi_class = JM_DCMI_SOURCE_CLASS (klass);

  JM_SOURCE_CLASS (klass)->check = jm_ipmi_command_source_check;
  JM_POLLED_SOURCE_CLASS (klass)->thread_name = "jm-ipmi-command";
  dcmi_class->setting = "command";
  dcmi_class->open_transport = jm_ipmi_command_source_open_transport;
  dcmi_class->ask = jm_ipmi_command_source_ask;
  object_class->finalize = jm_ipmi_command_source_finalize;

  /*
   * JmIpmiCommandSource:command:
   *
   * The command, split into words as a shell does; no shell runs it.
   *
   * Since: 0.1
   */
  properties[PROP_COMMAND] =
    jm_polled_source_text_property ("command", DEFAULT_COMMAND);

  /*
   * JmIpmiCommandSource:interval:
   *
   * How often the command is run, seconds.
   *
   * Since: 0.1
   */
  properties[PROP_INTERVAL] = jm_polled_source_interval_property (DEFAULT_INTERVAL_S);

  /*
   * JmIpmiCommandSource:timeout:
   *
   * How long the command may take, seconds; then it is killed.
   *
   * Since: 0.1
   */
  properties[PROP_TIMEOUT] = jm_polled_source_timeout_property (DEFAULT_TIMEOUT_S);

  jm_polled_source_install_settings (object_class, N_PROPS, properties);
}

static void
jm_ipmi_command_source_init (JmIpmiCommandSource *self)
{
}
