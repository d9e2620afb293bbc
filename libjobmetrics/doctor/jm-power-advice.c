/* jm-power-advice.c: what helps a source of energy that gives no figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-power-advice-private.h"

#include <string.h>

#include "core/jm-error.h"

/* One of those that are installed. */
#define DROP_IN(name)                                                                  \
 "copy " name " from share/doc/jobmetrics to "                                         \
 "/etc/systemd/system/jobmetrics-exporter-node.service.d"

#define SECRET                                                                         \
 "chmod 0640, with a group that the daemon is in; or " DROP_IN ("credentials.conf")

/* What goes for the source, the code and, where they are given, words of the message.
 */
typedef struct
{
  const char *name;
  JmError code;
  const char *words; /* or NULL */
  const char *advice;
} Advice;

/* The first that fits; what a message quotes is in the sources themselves. */
static const Advice advices[] = {
  { "rapl-perf", JM_ERROR_DENIED, NULL,
    "CAP_PERFMON: " DROP_IN (
      "power-perf.conf") "; kernel.perf_event_paranoid must be 2 at most, and on "
                         "Debian is 3" },
  { "rapl-perf", JM_ERROR_ABSENT, NULL,
    "modprobe rapl (intel_rapl_perf before Linux 5.8)" },
  { "rapl-powercap", JM_ERROR_DENIED, NULL,
    "Best perf's counters (modprobe rapl), with CAP_PERFMON by power-perf.conf; else "
    "CAP_DAC_READ_SEARCH: " DROP_IN ("power-powercap.conf") },
  { "rapl-powercap", JM_ERROR_ABSENT, NULL, "modprobe intel_rapl_msr" },
  { "hsmp", JM_ERROR_DENIED, NULL,
    "The unit hides devices: " DROP_IN ("power-hsmp.conf") },
  { "hsmp", JM_ERROR_ABSENT, NULL, "modprobe amd_hsmp" },
  { "ipmi", JM_ERROR_DENIED, "completion code",
    "Raise the privilege of the system interface in the BMC" },
  { "ipmi", JM_ERROR_DENIED, NULL,
    "The device must be a group's, and the unit hides it: " DROP_IN (
      "power-ipmi.conf") ", which says how" },
  { "ipmi", JM_ERROR_ABSENT, "completion code",
    "Ask the BMC by --power.source=redfish,..., or a sensor of its maker by "
    "--power.source=command,..." },
  { "ipmi", JM_ERROR_ABSENT, NULL,
    "modprobe -a ipmi_si ipmi_devintf, and both names in "
    "/etc/modules-load.d/ipmi.conf" },
  { "ipmi", JM_ERROR_UNAVAILABLE, "not active",
    "Turn power measurement on in the BMC; or ask it by --power.source=redfish,..." },
  { "ipmi", JM_ERROR_UNAVAILABLE, NULL,
    "A longer interval, --power.source=ipmi,interval=60; a BMC that never answers is "
    "reset by ipmitool mc reset cold" },
  { "hwmon", JM_ERROR_DENIED, NULL,
    "What amd_energy counts RAPL counts too; else a udev rule for the files' mode" },
  { "redfish", JM_ERROR_DENIED, NULL, SECRET },
  { "electricity-maps", JM_ERROR_DENIED, NULL, SECRET },
  { "watttime", JM_ERROR_DENIED, NULL, SECRET },
};

static gboolean
fits (const Advice *advice, const char *name, const GError *error)
{
  return g_str_equal (advice->name, name) &&
         g_error_matches (error, JM_ERROR, (int) advice->code) &&
         (advice->words == NULL || strstr (error->message, advice->words) != NULL);
}

const char *
jm_power_advise (const char *name, const GError *error)
{
  for (guint i = 0; i < G_N_ELEMENTS (advices); i++)
    if (fits (&advices[i], name, error))
      return advices[i].advice;

  return NULL;
}
