/* jm-cpu-maker.c: what follows from who made the processors
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-cpu-maker-private.h"

#include <string.h>

#define MODALIAS "/sys/devices/system/cpu/modalias"

/* The kernel's own numbers of makers, X86_VENDOR_AMD and X86_VENDOR_HYGON. */
#define AMD "cpu:type:x86,ven0002"
#define HYGON "cpu:type:x86,ven0009"

/* A line of a few kilobytes: all features of the processor. */
#define MODALIAS_SIZE 16384

gboolean
jm_cpu_counts_by_package (JmHost *host)
{
  char text[MODALIAS_SIZE];

  if (jm_host_read (host, MODALIAS, text, sizeof text, NULL) < 0)
    return FALSE;

  return strncmp (text, AMD, strlen (AMD)) == 0 ||
         strncmp (text, HYGON, strlen (HYGON)) == 0;
}
