/* jm-cpu-seat.c: which package and die a CPU is on
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-cpu-seat-private.h"

#include <string.h>

#include "core/jm-error.h"

#define MODALIAS "/sys/devices/system/cpu/modalias"

/* The kernel's own numbers of makers, X86_VENDOR_AMD and X86_VENDOR_HYGON. */
#define AMD "cpu:type:x86,ven0002"
#define HYGON "cpu:type:x86,ven0009"

/* A line of a few kilobytes: all features of the processor. */
#define MODALIAS_SIZE 16384

static gboolean
read_number (JmHost *host, guint cpu, const char *name, guint64 *value, GError **error)
{
  g_autofree char *path =
    g_strdup_printf ("/sys/devices/system/cpu/cpu%u/topology/%s", cpu, name);

  return jm_host_read_uint64 (host, path, value, error);
}

gboolean
jm_cpu_seat_read (JmCpuSeat *self, JmHost *host, guint cpu, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  *self = (JmCpuSeat){ 0 };
  if (!read_number (host, cpu, "physical_package_id", &self->package, error))
    return FALSE;
  if (read_number (host, cpu, "die_id", &self->die, &local_error) ||
      g_error_matches (local_error, JM_ERROR, JM_ERROR_ABSENT))
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

gboolean
jm_cpu_counts_by_package (JmHost *host)
{
  char text[MODALIAS_SIZE];

  if (jm_host_read (host, MODALIAS, text, sizeof text, NULL) < 0)
    return FALSE;

  return strncmp (text, AMD, strlen (AMD)) == 0 ||
         strncmp (text, HYGON, strlen (HYGON)) == 0;
}
