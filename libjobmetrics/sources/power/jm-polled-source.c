/* jm-polled-source.c: a meter that is asked in the background
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-polled-source-private.h"

#include "core/jm-error.h"
#include "sources/jm-poller-private.h"
#include "sources/power/jm-power-answer-private.h"

#define INTERVAL "interval"
#define TIMEOUT "timeout"
/* Intervals and time-outs that an administrator may set, seconds. */
#define MIN_S 0.01
#define MAX_S 3600.0
/* How many intervals an answer serves for. */
#define STALE_INTERVALS 3

/**
 * JmPolledSource:
 *
 * A meter that may be slow to answer and is asked in the background: the abstract class
 * of those that jobmetrics knows. It tells the last answer with its age, for up to
 * three intervals.
 *
 * Since: 0.1
 */
typedef struct
{
  double interval_s;
  double timeout_s;
  char *what; /* is asked */
  JmPoller *poller;
} JmPolledSourcePrivate;

static void power_source_iface_init (JmPowerSourceInterface *iface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (JmPolledSource,
                                  jm_polled_source,
                                  JM_TYPE_SOURCE,
                                  G_ADD_PRIVATE (JmPolledSource)
                                    G_IMPLEMENT_INTERFACE (JM_TYPE_POWER_SOURCE,
                                                           power_source_iface_init))

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

static gboolean
jm_polled_source_read (JmPowerSource *source, JmReadings *readings, GError **error)
{
  JmPolledSourcePrivate *priv =
    jm_polled_source_get_instance_private (JM_POLLED_SOURCE (source));
  g_autoptr (GError) reason = NULL;
  g_autoptr (JmPowerAnswer) answer = NULL;
  gint64 age_us = 0;

  if (priv->poller != NULL)
    answer = jm_poller_get_latest (priv->poller, &age_us, &reason);
  if (answer == NULL ||
      (double) age_us > STALE_INTERVALS * priv->interval_s * G_USEC_PER_SEC)
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

  return priv->poller != NULL && jm_poller_wait (priv->poller, timeout_us);
}

static void
power_source_iface_init (JmPowerSourceInterface *iface)
{
  iface->read = jm_polled_source_read;
  iface->wait = jm_polled_source_wait;
}

/* The properties are the subclasses', which number them: they are known by name. */
static double *
find_seconds (GObject *object, GParamSpec *pspec)
{
  JmPolledSourcePrivate *priv =
    jm_polled_source_get_instance_private (JM_POLLED_SOURCE (object));

  if (g_str_equal (pspec->name, INTERVAL))
    return &priv->interval_s;
  if (g_str_equal (pspec->name, TIMEOUT))
    return &priv->timeout_s;

  return NULL;
}

static void
jm_polled_source_get_property (GObject *object,
                               guint id,
                               GValue *value,
                               GParamSpec *pspec)
{
  const double *seconds = find_seconds (object, pspec);

  if (seconds != NULL)
    g_value_set_double (value, *seconds);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
jm_polled_source_set_property (GObject *object,
                               guint id,
                               const GValue *value,
                               GParamSpec *pspec)
{
  double *seconds = find_seconds (object, pspec);

  if (seconds != NULL)
    *seconds = g_value_get_double (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

/* Before a subclass finalizes what the thread that asks still uses. */
static void
jm_polled_source_dispose (GObject *object)
{
  JmPolledSourcePrivate *priv =
    jm_polled_source_get_instance_private (JM_POLLED_SOURCE (object));

  g_clear_pointer (&priv->poller, jm_poller_free);

  G_OBJECT_CLASS (jm_polled_source_parent_class)->dispose (object);
}

static void
jm_polled_source_finalize (GObject *object)
{
  JmPolledSourcePrivate *priv =
    jm_polled_source_get_instance_private (JM_POLLED_SOURCE (object));

  g_free (priv->what);

  G_OBJECT_CLASS (jm_polled_source_parent_class)->finalize (object);
}

static void
jm_polled_source_class_init (JmPolledSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = jm_polled_source_get_property;
  object_class->set_property = jm_polled_source_set_property;
  object_class->dispose = jm_polled_source_dispose;
  object_class->finalize = jm_polled_source_finalize;
}

static void
jm_polled_source_init (JmPolledSource *self)
{
}

static GParamSpec *
seconds_property (const char *name, double default_s)
{
  return g_param_spec_double (name, NULL, NULL, MIN_S, MAX_S, default_s,
                              G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY |
                                G_PARAM_STATIC_STRINGS);
}

GParamSpec *
jm_polled_source_interval_property (double default_s)
{
  return seconds_property (INTERVAL, default_s);
}

GParamSpec *
jm_polled_source_timeout_property (double default_s)
{
  return seconds_property (TIMEOUT, default_s);
}

guint
jm_polled_source_get_timeout_ms (JmPolledSource *self)
{
  JmPolledSourcePrivate *priv = jm_polled_source_get_instance_private (self);

  return (guint) (priv->timeout_s * 1000);
}

void
jm_polled_source_start (JmPolledSource *self, const char *what)
{
  JmPolledSourcePrivate *priv = jm_polled_source_get_instance_private (self);
  JmPolledSourceClass *klass = JM_POLLED_SOURCE_GET_CLASS (self);

  priv->what = g_strdup (what);
  priv->poller = jm_poller_new (klass->thread_name, (guint) (priv->interval_s * 1000),
                                klass->poll, self, answer_ref, answer_unref);
}
