/* jm-command-source.c: power and energy, from a program of the site
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-host-private.h"
#include "sources/power/jm-power-types-private.h"

#include "base/jm-error.h"
#include "io/jm-command-runner-private.h"
#include "sources/power/jm-meter-source-private.h"
#include "sources/power/jm-polled-source-private.h"

#define DEFAULT_INTERVAL_S 10
#define DEFAULT_TIMEOUT_S 10

/*
 * JmCommandSource:
 *
 * Reads what a program of the site prints: lines `DOMAIN VALUE UNIT`, such as
 * `node 312.5 W` or `package-0 123456789 uJ`, or a number alone if its unit is set. It
 * is run in the background, without a shell.
 *
 * - Errors: `ABSENT` where there is no such program, or the host is a copied tree;
 *   `INVALID` where #JmCommandSource:command cannot be split into words.
 *
 * Since: 0.1
 */
struct _JmCommandSource
{
  JmMeterSource parent_instance;

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

G_DEFINE_FINAL_TYPE (JmCommandSource, jm_command_source, JM_TYPE_METER_SOURCE)

static const char *
get_command (JmCommandSource *self)
{
  return jm_polled_source_get_text (self, "command");
}

static char *
jm_command_source_read_text (gpointer source,
                             GCancellable *cancellable,
                             gsize *length,
                             GError **error)
{
  JmCommandSource *self = source;

  return jm_command_runner_run (self->runner, cancellable, length, error);
}

static gboolean
check_settings (JmCommandSource *self, GError **error)
{
  const char *command = get_command (self);

  if (command == NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                 "command: which one to run is not said");
  else if (!jm_host_is_live (jm_source_get_host (JM_SOURCE (self))))
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: not run for a copied tree",
                 command);
  else
    return TRUE;

  return FALSE;
}

static gboolean
jm_command_source_open (JmSource *source, GError **error)
{
  JmCommandSource *self = JM_COMMAND_SOURCE (source);

  if (!check_settings (self, error))
    return FALSE;

  g_clear_pointer (&self->runner, jm_command_runner_free);
  self->runner = jm_command_runner_new (get_command (self),
                                        jm_polled_source_get_timeout_ms (self), error);

  return self->runner != NULL &&
         jm_meter_source_start (JM_METER_SOURCE (self),
                                jm_command_runner_get_name (self->runner), error);
}

static void
jm_command_source_finalize (GObject *object)
{
  JmCommandSource *self = JM_COMMAND_SOURCE (object);

  g_clear_pointer (&self->runner, jm_command_runner_free);

  G_OBJECT_CLASS (jm_command_source_parent_class)->finalize (object);
}

/* The program is not run. */
static gboolean
jm_command_source_check (JmSource *source, GError **error)
{
  const char *command = get_command (JM_COMMAND_SOURCE (source));
  g_autoptr (JmCommandRunner) runner =
    jm_command_runner_new (command != NULL ? command : "", 0, error);

  return runner != NULL;
}

static void
jm_command_source_class_init (JmCommandSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  JM_SOURCE_CLASS (klass)->open = jm_command_source_open;
  JM_SOURCE_CLASS (klass)->check = jm_command_source_check;
  JM_POLLED_SOURCE_CLASS (klass)->thread_name = "jm-command";
  JM_METER_SOURCE_CLASS (klass)->read_text = jm_command_source_read_text;
  object_class->finalize = jm_command_source_finalize;

  /*
   * JmCommandSource:command:
   *
   * The command, split into words as a shell does; no shell runs it.
   *
   * Since: 0.1
   */
  properties[PROP_COMMAND] = jm_polled_source_text_property ("command", NULL);

  /*
   * JmCommandSource:interval:
   *
   * How often the meter is asked, seconds.
   *
   * Since: 0.1
   */
  properties[PROP_INTERVAL] = jm_polled_source_interval_property (DEFAULT_INTERVAL_S);

  /*
   * JmCommandSource:timeout:
   *
   * How long the command may take, seconds; then it is killed.
   *
   * Since: 0.1
   */
  properties[PROP_TIMEOUT] = jm_polled_source_timeout_property (DEFAULT_TIMEOUT_S);

  jm_polled_source_install_settings (object_class, N_PROPS, properties);
}

static void
jm_command_source_init (JmCommandSource *self)
{
}
