/* jm-ipmi-source.c: a node's power, from its BMC through the kernel
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-host-private.h"
#include "host/jm-source-private.h"
#include "sources/power/jm-power-types-private.h"

#include "base/jm-error.h"
#include "sources/power/jm-cpu-model-private.h"
#include "sources/power/jm-polled-source-private.h"

#define DEFAULT_DEVICE "/dev/ipmi0"
#define DEFAULT_INTERVAL_S 10
#define DEFAULT_TIMEOUT_S 5

/*
 * JmIpmiSource:
 *
 * Reads a node's power as its BMC measures it: DCMI's Get Power Reading, asked through
 * the kernel's device in the background. Needs the right to read and to write it.
 *
 * - Errors: `ABSENT` where there is no such device, or the host is a copied tree;
 *   `DENIED` where it may not be read and written.
 *
 * Since: 0.1
 */
struct _JmIpmiSource
{
  JmDcmiSource parent_instance;

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

G_DEFINE_FINAL_TYPE (JmIpmiSource, jm_ipmi_source, JM_TYPE_DCMI_SOURCE)

static const char *
get_path (JmIpmiSource *self)
{
  return jm_polled_source_get_text (self, "device");
}

static const char *
jm_ipmi_source_open_transport (gpointer source, GError **error)
{
  JmIpmiSource *self = source;

  self->device = jm_ipmi_device_new (get_path (self), self->calls, error);

  return self->device != NULL ? get_path (self) : NULL;
}

static gboolean
jm_ipmi_source_ask (gpointer source,
                    GCancellable *cancellable,
                    JmDcmiReading *reading,
                    GError **error)
{
  JmIpmiSource *self = source;

  return jm_ipmi_device_read_power (self->device,
                                    jm_polled_source_get_timeout_ms (self), cancellable,
                                    reading, error);
}

static void
jm_ipmi_source_finalize (GObject *object)
{
  JmIpmiSource *self = JM_IPMI_SOURCE (object);

  g_clear_pointer (&self->device, jm_ipmi_device_free);

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
  else if (!jm_host_is_live (host) && jm_host_exists (host, get_path (self)))
    jm_advice_add (advice, "Look on the machine itself: a copy has the device alone",
                   NULL);
  else if (g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    jm_advice_add (advice,
                   "modprobe -a ipmi_si ipmi_devintf, and both names in "
                   "/etc/modules-load.d/ipmi.conf",
                   NULL);

  if (jm_host_exists (host, get_path (self)) ||
      (jm_host_is_live (host) && !processor.is_virtual))
    jm_advice_set_gain (advice, "node");
}

static void
jm_ipmi_source_class_init (JmIpmiSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  JmDcmiSourceClass *dcmi_class = JM_DCMI_SOURCE_CLASS (klass);

  JM_SOURCE_CLASS (klass)->advise = jm_ipmi_source_advise;
  JM_POLLED_SOURCE_CLASS (klass)->thread_name = "jm-ipmi";
  dcmi_class->setting = "device";
  dcmi_class->open_transport = jm_ipmi_source_open_transport;
  dcmi_class->ask = jm_ipmi_source_ask;
  object_class->finalize = jm_ipmi_source_finalize;

  /*
   * JmIpmiSource:device:
   *
   * The device of the kernel's IPMI driver.
   *
   * Since: 0.1
   */
  properties[PROP_DEVICE] = jm_polled_source_text_property ("device", DEFAULT_DEVICE);

  /*
   * JmIpmiSource:interval:
   *
   * How often the BMC is asked, seconds. Few measure more than once a second.
   *
   * Since: 0.1
   */
  properties[PROP_INTERVAL] = jm_polled_source_interval_property (DEFAULT_INTERVAL_S);

  /*
   * JmIpmiSource:timeout:
   *
   * How long an answer is waited for, seconds.
   *
   * Since: 0.1
   */
  properties[PROP_TIMEOUT] = jm_polled_source_timeout_property (DEFAULT_TIMEOUT_S);

  jm_polled_source_install_settings (object_class, N_PROPS, properties);
}

static void
jm_ipmi_source_init (JmIpmiSource *self)
{
  self->calls = &jm_ipmi_system_calls;
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
