/* jm-gpu-library.c: accelerators as a maker's library tells them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-gpu-library.h"

#include "core/jm-error.h"
#include "core/jm-gpu-report-private.h"
#include "sources/jm-poller-private.h"

#define DEFAULT_INTERVAL_S 5.0
#define MIN_S 0.01
#define MAX_S 3600.0
/* How many intervals an answer serves for. */
#define STALE_INTERVALS 3
/* Instances come and go with an administrator's word. */
#define ROUNDS_BETWEEN_LISTS 12

/**
 * JmGpuLibrary:
 *
 * Accelerators as the library of their maker tells them: the abstract class of those
 * that jobmetrics knows. It asks in a thread of its own, every `interval` seconds, and
 * tells the last answer with its age.
 *
 * Since: 0.1
 */
typedef struct
{
  double interval_s;
  JmPoller *poller;

  /* of the thread that asks */
  GPtrArray *gpus; /* of JmGpu; NULL where they must be listed */
  guint n_rounds;  /* since they were listed */
} JmGpuLibraryPrivate;

static void gpu_mapper_iface_init (JmGpuMapperInterface *iface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (JmGpuLibrary,
                                  jm_gpu_library,
                                  JM_TYPE_SOURCE,
                                  G_ADD_PRIVATE (JmGpuLibrary)
                                    G_IMPLEMENT_INTERFACE (JM_TYPE_GPU_MAPPER,
                                                           gpu_mapper_iface_init))

enum
{
  PROP_0,
  PROP_INTERVAL,
};

static JmGpuLibraryPrivate *
get_private (gpointer self)
{
  return jm_gpu_library_get_instance_private (JM_GPU_LIBRARY (self));
}

/* --- the thread that asks --- */

static gboolean
list (JmGpuLibrary *self, GError **error)
{
  JmGpuLibraryPrivate *priv = get_private (self);
  g_autoptr (GPtrArray) gpus =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_gpu_unref);

  if (!JM_GPU_LIBRARY_GET_CLASS (self)->list (self, gpus, error))
    return FALSE;

  g_clear_pointer (&priv->gpus, g_ptr_array_unref);
  priv->gpus = g_steal_pointer (&gpus);
  priv->n_rounds = 0;

  return TRUE;
}

static void
read_device (JmGpuLibrary *self, guint device, JmGpuReport *report)
{
  JmGpuLibraryPrivate *priv = get_private (self);
  JmGpu *gpu = g_ptr_array_index (priv->gpus, device);
  g_autoptr (GError) error = NULL;

  jm_gpu_report_add_device (report, gpu);
  if (!JM_GPU_LIBRARY_GET_CLASS (self)->read (self, device, gpu, report, &error))
    jm_gpu_report_add_error (report, error);
  jm_gpu_report_add (report, JM_METRIC_GPU_UP, error == NULL ? 1 : 0);
}

static gpointer
ask (gpointer self, GCancellable *cancellable, GError **error)
{
  JmGpuLibraryPrivate *priv = get_private (self);
  JmGpuReport *report;

  if ((priv->gpus == NULL || priv->n_rounds >= ROUNDS_BETWEEN_LISTS) &&
      !list (self, error))
    return NULL;

  priv->n_rounds++;
  report = jm_gpu_report_new ();
  for (guint i = 0; i < priv->gpus->len; i++)
    read_device (self, i, report);

  return report;
}

/* --- the mapper --- */

static gboolean
fail (GError *reason, GError **error)
{
  if (reason != NULL)
    g_propagate_error (error, reason);
  else
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "no answer yet");

  return FALSE;
}

static gboolean
jm_gpu_library_read_devices (JmGpuMapper *mapper, JmGpuReport *report, GError **error)
{
  JmGpuLibraryPrivate *priv = get_private (mapper);
  g_autoptr (GError) reason = NULL;
  g_autoptr (JmGpuReport) answer = NULL;
  gint64 age_us = 0;

  if (priv->poller != NULL)
    answer = jm_poller_get_latest (priv->poller, &age_us, &reason);
  if (answer == NULL || reason != NULL ||
      (double) age_us > STALE_INTERVALS * priv->interval_s * G_USEC_PER_SEC)
    return fail (g_steal_pointer (&reason), error);

  jm_gpu_report_append (report, answer);
  jm_gpu_report_set_age (report, (guint64) age_us);

  return TRUE;
}

static gboolean
jm_gpu_library_wait (JmGpuMapper *mapper, gint64 timeout_us)
{
  JmGpuLibraryPrivate *priv = get_private (mapper);

  return priv->poller != NULL && jm_poller_wait (priv->poller, timeout_us);
}

static void
gpu_mapper_iface_init (JmGpuMapperInterface *iface)
{
  iface->read_devices = jm_gpu_library_read_devices;
  iface->wait = jm_gpu_library_wait;
}

/* --- the source --- */

static gpointer
answer_ref (gpointer answer)
{
  return jm_gpu_report_ref (answer);
}

static void
answer_unref (gpointer answer)
{
  jm_gpu_report_unref (answer);
}

static gboolean
jm_gpu_library_open (JmSource *source, GError **error)
{
  JmGpuLibraryPrivate *priv = get_private (source);
  JmGpuLibraryClass *klass = JM_GPU_LIBRARY_GET_CLASS (source);

  if (!klass->load (JM_GPU_LIBRARY (source), error))
    return FALSE;

  priv->poller = jm_poller_new (klass->thread_name, (guint) (priv->interval_s * 1000),
                                ask, source, answer_ref, answer_unref);

  return TRUE;
}

static void
jm_gpu_library_get_property (GObject *object,
                             guint id,
                             GValue *value,
                             GParamSpec *pspec)
{
  if (id == PROP_INTERVAL)
    g_value_set_double (value, get_private (object)->interval_s);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
jm_gpu_library_set_property (GObject *object,
                             guint id,
                             const GValue *value,
                             GParamSpec *pspec)
{
  if (id == PROP_INTERVAL)
    get_private (object)->interval_s = g_value_get_double (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

/* Before a subclass finalizes what the thread that asks still uses. */
static void
jm_gpu_library_dispose (GObject *object)
{
  JmGpuLibraryPrivate *priv = get_private (object);

  g_clear_pointer (&priv->poller, jm_poller_free);
  g_clear_pointer (&priv->gpus, g_ptr_array_unref);

  G_OBJECT_CLASS (jm_gpu_library_parent_class)->dispose (object);
}

static void
jm_gpu_library_class_init (JmGpuLibraryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = jm_gpu_library_get_property;
  object_class->set_property = jm_gpu_library_set_property;
  object_class->dispose = jm_gpu_library_dispose;
  JM_SOURCE_CLASS (klass)->open = jm_gpu_library_open;

  /**
   * JmGpuLibrary:interval:
   *
   * How often the devices are asked, seconds.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_INTERVAL,
                                   g_param_spec_double ("interval", NULL, NULL, MIN_S,
                                                        MAX_S, DEFAULT_INTERVAL_S,
                                                        G_PARAM_READWRITE |
                                                          G_PARAM_CONSTRUCT_ONLY |
                                                          G_PARAM_STATIC_STRINGS));
}

static void
jm_gpu_library_init (JmGpuLibrary *self)
{
}
