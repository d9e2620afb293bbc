/* jm-command-source.c: power and energy, from a program of the site
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-command-source.h"

#include "core/jm-error.h"
#include "sources/power/jm-command-runner-private.h"
#include "sources/power/jm-polled-source-private.h"
#include "sources/power/jm-power-meter-private.h"

#define DEFAULT_INTERVAL_S 10
#define DEFAULT_TIMEOUT_S 10

/**
 * JmCommandSource:
 *
 * Tells what a program of the site prints: lines `DOMAIN VALUE UNIT`, such as
 * `node 312.5 W` or `package-0 123456789 uJ`, or a number alone if its unit is set. It
 * is run in the background, without a shell.
 *
 * Since: 0.1
 */
struct _JmCommandSource
{
  JmPolledSource parent_instance;

  char *command;
  JmCommandRunner *runner; /* of the thread that asks */
  JmPowerMeterSettings settings;
  JmPowerMeter *meter; /* of the thread that asks */
};

enum
{
  PROP_COMMAND = 1,
  PROP_INTERVAL,
  PROP_TIMEOUT,
  PROP_DOMAIN,
  PROP_UNIT,
  PROP_RANGE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (JmCommandSource, jm_command_source, JM_TYPE_POLLED_SOURCE)

static gpointer
jm_command_source_poll (gpointer user_data, GCancellable *cancellable, GError **error)
{
  JmCommandSource *self = user_data;
  g_autofree char *text = NULL;
  gsize length;

  text = jm_command_runner_run (self->runner, cancellable, &length, error);
  if (text == NULL)
    return NULL;

  return jm_power_meter_take (self->meter, text, length, g_get_monotonic_time (),
                              error);
}

static gboolean
check_settings (JmCommandSource *self, GError **error)
{
  if (self->command == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "command: which one to run is not said");
      return FALSE;
    }
  if (!jm_host_is_live (jm_source_get_host (JM_SOURCE (self))))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: not run for a copied tree",
                   self->command);
      return FALSE;
    }

  return TRUE;
}

static gboolean
jm_command_source_open (JmSource *source, GError **error)
{
  JmCommandSource *self = JM_COMMAND_SOURCE (source);
  g_autoptr (JmCommandRunner) runner = NULL;

  if (!check_settings (self, error))
    return FALSE;

  runner =
    jm_command_runner_new (self->command,
                           jm_polled_source_get_timeout_ms (JM_POLLED_SOURCE (self)),
                           error);
  if (runner == NULL)
    return FALSE;
  self->meter =
    jm_power_meter_new (&self->settings, jm_command_runner_get_name (runner), error);
  if (self->meter == NULL)
    return FALSE;

  self->runner = g_steal_pointer (&runner);
  jm_polled_source_start (JM_POLLED_SOURCE (self),
                          jm_command_runner_get_name (self->runner));

  return TRUE;
}

static void
jm_command_source_get_property (GObject *object,
                                guint id,
                                GValue *value,
                                GParamSpec *pspec)
{
  JmCommandSource *self = JM_COMMAND_SOURCE (object);

  switch (id)
    {
    case PROP_COMMAND:
      g_value_set_string (value, self->command);
      break;
    case PROP_DOMAIN:
      g_value_set_string (value, self->settings.domain);
      break;
    case PROP_UNIT:
      g_value_set_string (value, self->settings.unit);
      break;
    case PROP_RANGE:
      g_value_set_string (value, self->settings.range);
      break;
    default:
      G_OBJECT_CLASS (jm_command_source_parent_class)
        ->get_property (object, id, value, pspec);
    }
}

static void
jm_command_source_set_property (GObject *object,
                                guint id,
                                const GValue *value,
                                GParamSpec *pspec)
{
  JmCommandSource *self = JM_COMMAND_SOURCE (object);

  switch (id)
    {
    case PROP_COMMAND:
      self->command = g_value_dup_string (value);
      break;
    case PROP_DOMAIN:
      self->settings.domain = g_value_dup_string (value);
      break;
    case PROP_UNIT:
      self->settings.unit = g_value_dup_string (value);
      break;
    case PROP_RANGE:
      self->settings.range = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_CLASS (jm_command_source_parent_class)
        ->set_property (object, id, value, pspec);
    }
}

static void
jm_command_source_finalize (GObject *object)
{
  JmCommandSource *self = JM_COMMAND_SOURCE (object);

  g_clear_pointer (&self->runner, jm_command_runner_free);
  g_clear_pointer (&self->meter, jm_power_meter_free);
  jm_power_meter_settings_clear (&self->settings);
  g_free (self->command);

  G_OBJECT_CLASS (jm_command_source_parent_class)->finalize (object);
}

/* The program is not run. */
static gboolean
jm_command_source_check (JmSource *source, GError **error)
{
  JmCommandSource *self = JM_COMMAND_SOURCE (source);
  g_autoptr (JmCommandRunner) runner =
    jm_command_runner_new (self->command != NULL ? self->command : "", 0, error);

  return runner != NULL;
}

static void
jm_command_source_class_init (JmCommandSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  JmPolledSourceClass *polled_class = JM_POLLED_SOURCE_CLASS (klass);
  const GParamFlags flags =
    G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  JM_SOURCE_CLASS (klass)->open = jm_command_source_open;
  JM_SOURCE_CLASS (klass)->check = jm_command_source_check;
  polled_class->thread_name = "jm-command";
  polled_class->poll = jm_command_source_poll;
  object_class->get_property = jm_command_source_get_property;
  object_class->set_property = jm_command_source_set_property;
  object_class->finalize = jm_command_source_finalize;

  /**
   * JmCommandSource:command:
   *
   * The command, split into words as a shell does; no shell runs it.
   *
   * Since: 0.1
   */
  properties[PROP_COMMAND] = g_param_spec_string ("command", NULL, NULL, NULL, flags);

  /**
   * JmCommandSource:interval:
   *
   * How often the meter is asked, seconds.
   *
   * Since: 0.1
   */
  properties[PROP_INTERVAL] = jm_polled_source_interval_property (DEFAULT_INTERVAL_S);

  /**
   * JmCommandSource:timeout:
   *
   * How long the command may take, seconds; then it is killed.
   *
   * Since: 0.1
   */
  properties[PROP_TIMEOUT] = jm_polled_source_timeout_property (DEFAULT_TIMEOUT_S);

  /**
   * JmCommandSource:domain:
   *
   * What a number alone is about; %NULL is `node`.
   *
   * Since: 0.1
   */
  properties[PROP_DOMAIN] = g_param_spec_string ("domain", NULL, NULL, NULL, flags);

  /**
   * JmCommandSource:unit:
   *
   * The unit of a number alone: W, mW, uW, J, mJ, kJ, uJ, Wh or kWh. %NULL where there
   * is a unit in each line.
   *
   * Since: 0.1
   */
  properties[PROP_UNIT] = g_param_spec_string ("unit", NULL, NULL, NULL, flags);

  /**
   * JmCommandSource:range:
   *
   * The energy at which counters begin again at zero, such as `65536 J`; %NULL where
   * they never do. One that goes back is then out of order.
   *
   * Since: 0.1
   */
  properties[PROP_RANGE] = g_param_spec_string ("range", NULL, NULL, NULL, flags);

  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
jm_command_source_init (JmCommandSource *self)
{
}

/**
 * jm_command_source_new:
 * @host: the host
 * @command: the command, split into words as a shell does
 * @error: return location for an error
 *
 * Begins to run a command that tells power or energy.
 *
 * - Errors: `ABSENT` where there is no such program, or @host is a copied tree;
 *   `INVALID` where @command cannot be split into words.
 *
 * Returns: (transfer full): the source
 * Since: 0.1
 */
JmCommandSource *
jm_command_source_new (JmHost *host, const char *command, GError **error)
{
  return g_initable_new (JM_TYPE_COMMAND_SOURCE, NULL, error, "host", host, "command",
                         command, NULL);
}
