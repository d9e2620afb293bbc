/* jm-hsmp-source.c: power of AMD's server processors, from their management port
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-power-domain-private.h"
#include "host/jm-host-private.h"
#include "host/jm-source-private.h"
#include "sources/power/jm-power-types-private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "core/jm-readings-private.h"
#include "sources/power/jm-cpu-model-private.h"
#include "sources/power/jm-power-bound-private.h"

/* Since when EPYC processors have a port to manage them by. */
#define FIRST_FAMILY 0x19

#define DEVICE "/dev/hsmp"
#define HSMP_IOCTL _IOWR (0xF8, 0, JmHsmpMessage)

/* MI300A, the largest machine that has the port, has four. */
#define MAX_SOCKETS 8

#define UW_PER_MW 1000

#define BANDWIDTH_SHIFT 8
#define BANDWIDTH_MASK 0xfff
#define BYTES_PER_GIGABYTE G_GUINT64_CONSTANT (1000000000)

G_STATIC_ASSERT (sizeof (JmHsmpMessage) == 44);

/*
 * JmHsmpSource:
 *
 * Power of AMD's server processors as their Host System Management Port reports it
 * (https://docs.kernel.org/arch/x86/amd_hsmp.html).
 *
 * - Shape: the power of each socket, `package-N`. RAPL counts the same and is better
 *   where it may be read: it misses nothing between two readings.
 * - Units: microwatts; the firmware has an average of the last moments in milliwatts.
 * - Errors: `ABSENT` where there is no `/dev/hsmp`, and on a copied tree; `DENIED`
 *   where it may not be read, which all users may by default.
 * - Source: `/dev/hsmp`, opened for reading, message 04h.
 *
 * Since: 0.1
 */
struct _JmHsmpSource
{
  JmSource parent_instance;

  const JmHsmpCalls *calls; /* NULL for those of the system */
  gpointer user_data;

  char *path;
  int fd;
  char *domains[MAX_SOCKETS]; /* GRefStrings */
  char *memories[MAX_SOCKETS];
  guint n_sockets;
};

static void power_source_iface_init (JmPowerSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmHsmpSource,
                               jm_hsmp_source,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_POWER_SOURCE,
                                                      power_source_iface_init))

/* For reading alone, as the driver then lets no message through that sets anything. */
static int
system_open (gpointer user_data, const char *path)
{
  int fd = TEMP_FAILURE_RETRY (open (path, O_RDONLY | O_CLOEXEC));

  return fd >= 0 ? fd : -errno;
}

static int
system_send (gpointer user_data, int fd, JmHsmpMessage *message)
{
  return TEMP_FAILURE_RETRY (ioctl (fd, HSMP_IOCTL, message)) == 0 ? 0 : -errno;
}

static void
system_close (gpointer user_data, int fd)
{
  close (fd);
}

static const JmHsmpCalls system_calls = { system_open, system_send, system_close };

static int
ask (JmHsmpSource *self, JmHsmpMessageId id, guint socket, guint32 *answer)
{
  JmHsmpMessage message = { .id = id, .n_answers = 1, .socket = (guint16) socket };
  int result = self->calls->send (self->user_data, self->fd, &message);

  if (result == 0)
    *answer = message.words[0];

  return result;
}

static void
set_error (JmHsmpSource *self, guint socket, int error_number, GError **error)
{
  g_set_error (error, JM_ERROR, (int) jm_error_from_errno (error_number),
               "%s: socket %u: %s", self->path, socket, g_strerror (error_number));
}

static gboolean
check_power (JmHsmpSource *self, guint socket, guint32 power_mw, GError **error)
{
  if (power_mw == 0)
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                 "%s: socket %u: 0 mW, which is no reading", self->path, socket);
  else if (!jm_power_is_possible (self->domains[socket],
                                  (guint64) power_mw * UW_PER_MW))
    g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                 "%s: socket %u: no processor takes %u mW", self->path, socket,
                 power_mw);
  else
    return TRUE;

  return FALSE;
}

static gboolean
read_power (JmHsmpSource *self, guint socket, guint32 *power_mw, GError **error)
{
  int result = ask (self, JM_HSMP_GET_SOCKET_POWER, socket, power_mw);

  if (result == 0)
    return check_power (self, socket, *power_mw, error);

  set_error (self, socket, -result, error);
  return FALSE;
}

static void
note (JmReadings *readings, GError *error, GError **first)
{
  if (*first == NULL)
    *first = g_error_copy (error);
  jm_readings_add_error (readings, error);
}

/* The kernel's header calls the unit Gbps, AMD's own library (e_smi.h) GB/s; twelve
 * channels of DDR5 are 460 of the latter. Not every firmware knows the message. */
static void
read_traffic (JmHsmpSource *self, guint socket, JmReadings *readings)
{
  guint32 answer;

  if (ask (self, JM_HSMP_GET_DDR_BANDWIDTH, socket, &answer) == 0)
    jm_readings_add_for_domain (readings, JM_METRIC_NODE_MEMORY_TRAFFIC,
                                self->memories[socket],
                                (answer >> BANDWIDTH_SHIFT & BANDWIDTH_MASK) *
                                  BYTES_PER_GIGABYTE);
}

static gboolean
jm_hsmp_source_read (JmPowerSource *source, JmReadings *readings, GError **error)
{
  JmHsmpSource *self = JM_HSMP_SOURCE (source);
  g_autoptr (GError) first = NULL;
  guint n_read = 0;

  for (guint i = 0; i < self->n_sockets; i++)
    {
      g_autoptr (GError) lost = NULL;
      guint32 power_mw;

      if (!read_power (self, i, &power_mw, &lost))
        {
          note (readings, lost, &first);
          continue;
        }

      jm_readings_add_power (readings, self->domains[i],
                             (guint64) power_mw * UW_PER_MW);
      read_traffic (self, i, readings);
      n_read++;
    }

  if (n_read > 0)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&first));
  return FALSE;
}

/* The driver answers ENODEV behind the last socket. */
static int
count_sockets (JmHsmpSource *self)
{
  guint32 answer;
  int result = 0;

  while (self->n_sockets < MAX_SOCKETS)
    {
      g_autofree char *domain = NULL;
      g_autofree char *memory = NULL;

      result = ask (self, JM_HSMP_GET_SOCKET_POWER, self->n_sockets, &answer);
      if (result == -ENODEV || (result < 0 && self->n_sockets == 0))
        break;

      domain = g_strdup_printf ("package-%u", self->n_sockets);
      memory = g_strdup_printf ("dram-%u", self->n_sockets);
      self->domains[self->n_sockets] = g_ref_string_new (domain);
      self->memories[self->n_sockets++] = g_ref_string_new (memory);
    }

  return self->n_sockets > 0 ? 0 : result;
}

static void
forget (JmHsmpSource *self)
{
  if (self->fd >= 0)
    self->calls->close (self->user_data, self->fd);
  self->fd = -1;
  g_clear_pointer (&self->path, g_free);
  while (self->n_sockets > 0)
    {
      g_ref_string_release (self->domains[--self->n_sockets]);
      g_ref_string_release (self->memories[self->n_sockets]);
    }
}

static gboolean
choose_calls (JmHsmpSource *self, GError **error)
{
  if (self->calls == NULL && jm_host_is_live (jm_source_get_host (JM_SOURCE (self))))
    self->calls = &system_calls;
  if (self->calls != NULL)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
               "%s: a device of a copied tree gives no answer", self->path);
  return FALSE;
}

static gboolean
jm_hsmp_source_open (JmSource *source, GError **error)
{
  JmHsmpSource *self = JM_HSMP_SOURCE (source);
  int result;

  forget (self);
  self->path = jm_host_resolve (jm_source_get_host (source), DEVICE);
  if (!choose_calls (self, error))
    return FALSE;

  result = self->calls->open (self->user_data, self->path);
  if (result < 0)
    {
      jm_path_error_set_errno (error, self->path, -result);
      return FALSE;
    }

  self->fd = result;
  result = count_sockets (self);
  if (result == 0)
    return TRUE;

  set_error (self, 0, -result, error);
  return FALSE;
}

static void
jm_hsmp_source_finalize (GObject *object)
{
  forget (JM_HSMP_SOURCE (object));

  G_OBJECT_CLASS (jm_hsmp_source_parent_class)->finalize (object);
}

static void
power_source_iface_init (JmPowerSourceInterface *iface)
{
  iface->read = jm_hsmp_source_read;
}

static void
jm_hsmp_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  JmCpuModel processor;

  jm_cpu_model_read (&processor, jm_source_get_host (source));
  if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    jm_advice_add (advice, "The unit hides devices", "power-hsmp.conf");
  else if (g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    jm_advice_add (advice, "modprobe amd_hsmp", NULL);
  else
    return;

  if (g_str_equal (processor.vendor, "AuthenticAMD") && !processor.is_virtual &&
      processor.family >= FIRST_FAMILY && jm_host_is_live (jm_source_get_host (source)))
    jm_advice_set_gain (advice, "package");
}

static void
jm_hsmp_source_class_init (JmHsmpSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_hsmp_source_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_hsmp_source_open;
  JM_SOURCE_CLASS (klass)->advise = jm_hsmp_source_advise;
}

static void
jm_hsmp_source_init (JmHsmpSource *self)
{
  self->fd = -1;
}

JmHsmpSource *
jm_hsmp_source_new (JmHost *host, GError **error)
{
  return g_initable_new (JM_TYPE_HSMP_SOURCE, NULL, error, "host", host, NULL);
}

JmHsmpSource *
jm_hsmp_source_new_with_calls (JmHost *host,
                               const JmHsmpCalls *calls,
                               gpointer user_data,
                               GError **error)
{
  g_autoptr (JmHsmpSource) self =
    g_object_new (JM_TYPE_HSMP_SOURCE, "host", host, NULL);

  self->calls = calls;
  self->user_data = user_data;
  if (!g_initable_init (G_INITABLE (self), NULL, error))
    return NULL;

  return g_steal_pointer (&self);
}
