/* jm-polled-source.c: a meter that is asked in the background
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-polled-source-private.h"

#include "base/jm-error.h"
#include "io/jm-follower-private.h"
#include "sources/power/jm-power-answer-private.h"

#define INTERVAL "interval"
#define TIMEOUT "timeout"
/* Intervals and time-outs that an administrator may set, seconds. */
#define MIN_S 0.01
#define MAX_S 3600.0
/* How many intervals an answer serves for. */
#define STALE_INTERVALS 3
#define SETTING_FLAGS                                                                  \
 (G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS)

/*
 * JmPolledSource:
 *
 * A meter that may be slow to answer and is asked in the background: the abstract class
 * of those that jobmetrics knows. It returns the last answer with its age, until a
 * question fails or has taken three intervals.
 *
 * Since: 0.1
 */
typedef struct
{
  GHashTable *settings; /* by name: GValue */
  char *what;           /* is asked */
  JmFollower *follower;
} JmPolledSourcePrivate;

static void power_source_iface_init (JmPowerSourceInterface *iface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (JmPolledSource,
                                  jm_polled_source,
                                  JM_TYPE_SOURCE,
                                  G_ADD_PRIVATE (JmPolledSource)
                                    G_IMPLEMENT_INTERFACE (JM_TYPE_POWER_SOURCE,
                                                           power_source_iface_init))

static const GValue *
get_setting (JmPolledSource *self, const char *name)
{
  JmPolledSourcePrivate *priv = jm_polled_source_get_instance_private (self);

  return g_hash_table_lookup (priv->settings, name);
}

static gpointer
answer_ref (gpointer answer)
{
  return jm_power_answer_ref (answer);
}

static void
answer_unref (gpointer answer)
{
  jm_power_answer_unref (answer);
}

/* Why there is no answer: best in the words of the last question. */
static gboolean
fail (const char *what, GError *reason, gint64 age_us, GError **error)
{
  if (reason != NULL)
    g_propagate_error (error, reason);
  else if (age_us > 0)
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                 "%s: no answer for %" G_GINT64_FORMAT " seconds", what,
                 age_us / G_USEC_PER_SEC);
  else
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: no answer yet", what);

  return FALSE;
}

static double
get_interval_s (gpointer self)
{
  return jm_polled_source_get_seconds (self, INTERVAL);
}

static gboolean
jm_polled_source_read (JmPowerSource *source, JmReadings *readings, GError **error)
{
  JmPolledSourcePrivate *priv =
    jm_polled_source_get_instance_private (JM_POLLED_SOURCE (source));
  g_autoptr (GError) reason = NULL;
  g_autoptr (JmPowerAnswer) answer = NULL;
  gint64 age_us = 0;

  if (priv->follower != NULL)
    answer = jm_follower_get_latest (priv->follower, &age_us, &reason);
  if (answer == NULL || reason != NULL ||
      (double) age_us > STALE_INTERVALS * get_interval_s (source) * G_USEC_PER_SEC)
    return fail (priv->what, g_steal_pointer (&reason), age_us, error);

  jm_power_answer_read (answer, readings);
  jm_readings_set_age (readings, (guint64) age_us);

  return TRUE;
}

static gboolean
jm_polled_source_wait (JmPowerSource *source, gint64 timeout_us)
{
  JmPolledSourcePrivate *priv =
    jm_polled_source_get_instance_private (JM_POLLED_SOURCE (source));

  return priv->follower != NULL &&
         jm_follower_wait_for_rounds (priv->follower, 1, timeout_us);
}

static gboolean
jm_polled_source_trace (gpointer source, const char *domain, gpointer trace)
{
  JmPolledSourcePrivate *priv = jm_polled_source_get_instance_private (source);
  g_autoptr (JmPowerAnswer) answer = NULL;
  g_autoptr (GError) reason = NULL;
  gint64 age_us;

  if (priv->follower != NULL)
    answer = jm_follower_get_latest (priv->follower, &age_us, &reason);

  return answer != NULL && jm_power_answer_find_trace (answer, domain, trace);
}

static void
power_source_iface_init (JmPowerSourceInterface *iface)
{
  iface->read = jm_polled_source_read;
  iface->wait = jm_polled_source_wait;
  iface->trace = jm_polled_source_trace;
}

/* The properties are those of the subclasses, which number them: their values are kept
 * by name. */
static void
jm_polled_source_get_property (GObject *object,
                               guint id,
                               GValue *value,
                               GParamSpec *pspec)
{
  const GValue *setting = get_setting (JM_POLLED_SOURCE (object), pspec->name);

  if (setting != NULL)
    g_value_copy (setting, value);
}

static void
jm_polled_source_set_property (GObject *object,
                               guint id,
                               const GValue *value,
                               GParamSpec *pspec)
{
  JmPolledSourcePrivate *priv =
    jm_polled_source_get_instance_private (JM_POLLED_SOURCE (object));
  GValue *setting = g_new0 (GValue, 1);

  g_value_init (setting, pspec->value_type);
  if (G_VALUE_HOLDS_STRING (value) && g_value_get_string (value) == NULL)
    g_param_value_set_default (pspec, setting);
  else
    g_value_copy (value, setting);

  g_hash_table_replace (priv->settings, (gpointer) pspec->name, setting);
}

static void
setting_free (gpointer data)
{
  GValue *setting = data;

  g_value_unset (setting);
  g_free (setting);
}

/* Before a subclass finalizes what the thread that asks still uses. */
static void
jm_polled_source_dispose (GObject *object)
{
  JmPolledSourcePrivate *priv =
    jm_polled_source_get_instance_private (JM_POLLED_SOURCE (object));

  g_clear_pointer (&priv->follower, jm_follower_free);

  G_OBJECT_CLASS (jm_polled_source_parent_class)->dispose (object);
}

static void
jm_polled_source_finalize (GObject *object)
{
  JmPolledSourcePrivate *priv =
    jm_polled_source_get_instance_private (JM_POLLED_SOURCE (object));

  g_free (priv->what);
  g_hash_table_unref (priv->settings);

  G_OBJECT_CLASS (jm_polled_source_parent_class)->finalize (object);
}

static void
jm_polled_source_class_init (JmPolledSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = jm_polled_source_dispose;
  object_class->finalize = jm_polled_source_finalize;
}

static void
jm_polled_source_init (JmPolledSource *self)
{
  JmPolledSourcePrivate *priv = jm_polled_source_get_instance_private (self);

  /* the names are those of properties, which last */
  priv->settings = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, setting_free);
}

/* A class does not inherit these functions. */
void
jm_polled_source_install_settings (GObjectClass *object_class,
                                   guint n_properties,
                                   GParamSpec **properties)
{
  object_class->get_property = jm_polled_source_get_property;
  object_class->set_property = jm_polled_source_set_property;
  g_object_class_install_properties (object_class, n_properties, properties);
}

GParamSpec *
jm_polled_source_text_property (const char *name, const char *default_text)
{
  return g_param_spec_string (name, NULL, NULL, default_text, SETTING_FLAGS);
}

GParamSpec *
jm_polled_source_flag_property (const char *name)
{
  return g_param_spec_boolean (name, NULL, NULL, FALSE, SETTING_FLAGS);
}

GParamSpec *
jm_polled_source_seconds_property (const char *name,
                                   double min_s,
                                   double max_s,
                                   double default_s)
{
  return g_param_spec_double (name, NULL, NULL, min_s, max_s, default_s, SETTING_FLAGS);
}

GParamSpec *
jm_polled_source_interval_property (double default_s)
{
  return jm_polled_source_seconds_property (INTERVAL, MIN_S, MAX_S, default_s);
}

GParamSpec *
jm_polled_source_timeout_property (double default_s)
{
  return jm_polled_source_seconds_property (TIMEOUT, MIN_S, MAX_S, default_s);
}

const char *
jm_polled_source_get_text (gpointer self, const char *name)
{
  return g_value_get_string (get_setting (self, name));
}

gboolean
jm_polled_source_get_flag (gpointer self, const char *name)
{
  return g_value_get_boolean (get_setting (self, name));
}

double
jm_polled_source_get_seconds (gpointer self, const char *name)
{
  return g_value_get_double (get_setting (self, name));
}

guint
jm_polled_source_get_timeout_ms (gpointer self)
{
  return (guint) (jm_polled_source_get_seconds (self, TIMEOUT) * 1000);
}

void
jm_polled_source_start (gpointer self, const char *what)
{
  JmPolledSourcePrivate *priv = jm_polled_source_get_instance_private (self);
  JmPolledSourceClass *klass = JM_POLLED_SOURCE_GET_CLASS (self);
  const JmFollowerPace pace =
    jm_follower_pace_of_interval ((guint) (get_interval_s (self) * 1000));

  priv->what = g_strdup (what);
  priv->follower = jm_follower_new (klass->thread_name, &pace, klass->poll, self,
                                    answer_ref, answer_unref);
}
