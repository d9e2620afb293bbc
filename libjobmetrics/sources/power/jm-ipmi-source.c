/* jm-ipmi-source.c: a node's power, from its BMC through the kernel
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-ipmi-source.h"

#include "core/jm-error.h"
#include "sources/power/jm-cpu-model-private.h"
#include "sources/power/jm-ipmi-source-private.h"
#include "sources/power/jm-polled-source-private.h"
#include "sources/power/jm-power-answer-private.h"

#define DEFAULT_DEVICE "/dev/ipmi0"
#define DEFAULT_INTERVAL_S 10
#define DEFAULT_TIMEOUT_S 5

/**
 * JmIpmiSource:
 *
 * Tells a node's power as its BMC measures it: DCMI's Get Power Reading, asked through
 * the kernel's device in the background. Needs the right to read and to write it.
 *
 * Since: 0.1
 */
struct _JmIpmiSource
{
  JmPolledSource parent_instance;

  char *path;
  const JmIpmiCalls *calls;
  JmIpmiDevice *device; /* of the thread that asks */
};

enum
{
  PROP_DEVICE = 1,
  PROP_INTERVAL,
  PROP_TIMEOUT,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (JmIpmiSource, jm_ipmi_source, JM_TYPE_POLLED_SOURCE)

static gpointer
jm_ipmi_source_poll (gpointer user_data, GCancellable *cancellable, GError **error)
{
  JmIpmiSource *self = user_data;
  JmPowerAnswer *answer;
  guint watts;

  if (!jm_ipmi_device_read_power (self->device,
                                  jm_polled_source_get_timeout_ms (
                                    JM_POLLED_SOURCE (self)),
                                  cancellable, &watts, error))
    return NULL;

  answer = jm_power_answer_new ();
  jm_power_answer_add_power (answer, "node", (guint64) watts * 1000000);

  return answer;
}

static gboolean
jm_ipmi_source_open (JmSource *source, GError **error)
{
  JmIpmiSource *self = JM_IPMI_SOURCE (source);

  if (!jm_host_is_live (jm_source_get_host (source)))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                   "%s: a copied tree has no BMC to ask", self->path);
      return FALSE;
    }

  self->device = jm_ipmi_device_new (self->path, self->calls, error);
  if (self->device == NULL)
    return FALSE;

  jm_polled_source_start (JM_POLLED_SOURCE (self), self->path);

  return TRUE;
}

static void
jm_ipmi_source_get_property (GObject *object,
                             guint id,
                             GValue *value,
                             GParamSpec *pspec)
{
  JmIpmiSource *self = JM_IPMI_SOURCE (object);

  switch (id)
    {
    case PROP_DEVICE:
      g_value_set_string (value, self->path);
      break;
    default:
      G_OBJECT_CLASS (jm_ipmi_source_parent_class)
        ->get_property (object, id, value, pspec);
    }
}

static void
jm_ipmi_source_set_property (GObject *object,
                             guint id,
                             const GValue *value,
                             GParamSpec *pspec)
{
  JmIpmiSource *self = JM_IPMI_SOURCE (object);

  switch (id)
    {
    case PROP_DEVICE:
      self->path = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_CLASS (jm_ipmi_source_parent_class)
        ->set_property (object, id, value, pspec);
    }
}

static void
jm_ipmi_source_constructed (GObject *object)
{
  JmIpmiSource *self = JM_IPMI_SOURCE (object);

  G_OBJECT_CLASS (jm_ipmi_source_parent_class)->constructed (object);

  if (self->path == NULL)
    self->path = g_strdup (DEFAULT_DEVICE);
}

static void
jm_ipmi_source_finalize (GObject *object)
{
  JmIpmiSource *self = JM_IPMI_SOURCE (object);

  g_clear_pointer (&self->device, jm_ipmi_device_free);
  g_free (self->path);

  G_OBJECT_CLASS (jm_ipmi_source_parent_class)->finalize (object);
}

/* The device is open: what fails is behind it. */
static void
advise_on_bmc (const GError *error, JmAdvice *advice)
{
  if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    jm_advice_add (advice, "Raise the privilege of the system interface in the BMC",
                   NULL);
  else if (g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    jm_advice_add (advice,
                   "Ask the BMC by --power.source=redfish,..., or a sensor of its "
                   "maker "
                   "by --power.source=command,...",
                   NULL);
  else if (g_error_matches (error, JM_ERROR, JM_ERROR_UNAVAILABLE))
    jm_advice_add (advice,
                   "Turn power measurement on in the BMC; ask less often, "
                   "--power.source=ipmi,interval=60; a BMC that never answers is reset "
                   "by ipmitool mc reset cold",
                   NULL);
}

static void
jm_ipmi_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  JmIpmiSource *self = JM_IPMI_SOURCE (source);
  JmHost *host = jm_source_get_host (source);
  JmCpuModel processor;

  jm_cpu_model_read (&processor, host);
  if (self->device != NULL)
    advise_on_bmc (error, advice);
  else if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    jm_advice_add (advice,
                   "The device must be a group's, and the unit hides it; the file says "
                   "how",
                   "power-ipmi.conf");
  else if (!jm_host_is_live (host) && jm_host_exists (host, self->path))
    jm_advice_add (advice, "Look on the machine itself: a copy has the device alone",
                   NULL);
  else if (g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    jm_advice_add (advice,
                   "modprobe -a ipmi_si ipmi_devintf, and both names in "
                   "/etc/modules-load.d/ipmi.conf",
                   NULL);

  if (jm_host_exists (host, self->path) ||
      (jm_host_is_live (host) && !processor.is_virtual))
    jm_advice_set_gain (advice, "node");
}

static void
jm_ipmi_source_class_init (JmIpmiSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  JmPolledSourceClass *polled_class = JM_POLLED_SOURCE_CLASS (klass);

  JM_SOURCE_CLASS (klass)->open = jm_ipmi_source_open;
  JM_SOURCE_CLASS (klass)->advise = jm_ipmi_source_advise;
  polled_class->thread_name = "jm-ipmi";
  polled_class->poll = jm_ipmi_source_poll;
  object_class->constructed = jm_ipmi_source_constructed;
  object_class->get_property = jm_ipmi_source_get_property;
  object_class->set_property = jm_ipmi_source_set_property;
  object_class->finalize = jm_ipmi_source_finalize;

  /**
   * JmIpmiSource:device:
   *
   * The device of the kernel's IPMI driver.
   *
   * Since: 0.1
   */
  properties[PROP_DEVICE] =
    g_param_spec_string ("device", NULL, NULL, DEFAULT_DEVICE,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY |
                           G_PARAM_STATIC_STRINGS);

  /**
   * JmIpmiSource:interval:
   *
   * How often the BMC is asked, seconds. Few measure more than once a second.
   *
   * Since: 0.1
   */
  properties[PROP_INTERVAL] = jm_polled_source_interval_property (DEFAULT_INTERVAL_S);

  /**
   * JmIpmiSource:timeout:
   *
   * How long an answer is waited for, seconds.
   *
   * Since: 0.1
   */
  properties[PROP_TIMEOUT] = jm_polled_source_timeout_property (DEFAULT_TIMEOUT_S);

  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
jm_ipmi_source_init (JmIpmiSource *self)
{
  self->calls = &jm_ipmi_system_calls;
}

/**
 * jm_ipmi_source_new:
 * @host: the host
 * @device: (nullable): the device; %NULL is `/dev/ipmi0`
 * @error: return location for an error
 *
 * Opens the BMC's device and begins to ask it.
 *
 * - Errors: `ABSENT` where there is no such device, or @host is a copied tree; `DENIED`
 *   where it may not be read and written.
 *
 * Returns: (transfer full): the source
 * Since: 0.1
 */
JmIpmiSource *
jm_ipmi_source_new (JmHost *host, const char *device, GError **error)
{
  return g_initable_new (JM_TYPE_IPMI_SOURCE, NULL, error, "host", host, "device",
                         device, NULL);
}

JmIpmiSource *
jm_ipmi_source_new_with_calls (JmHost *host,
                               double interval_s,
                               double timeout_s,
                               const JmIpmiCalls *calls,
                               GError **error)
{
  g_autoptr (JmIpmiSource) self =
    g_object_new (JM_TYPE_IPMI_SOURCE, "host", host, "interval", interval_s, "timeout",
                  timeout_s, NULL);

  self->calls = calls;
  if (!g_initable_init (G_INITABLE (self), NULL, error))
    return NULL;

  return g_steal_pointer (&self);
}
