/* jm-examine-power.c: what measures a node's energy, and what may not be read of it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-examination-private.h"

#include <string.h>

#include "doctor/jm-power-advice-private.h"
#include "doctor/jm-power-trial-private.h"
#include "sources/power/jm-cpu-model-private.h"

#define CPUINFO_MAX (64 * 1024 * 1024)
/* Since when EPYC processors have a port to manage them by. */
#define HSMP_FAMILY 0x19

#define WITHOUT_METER                                                                  \
 "--power.source=estimate reckons it from the load; what comes of that is called "     \
 "estimated"
#define METER_OF_SITE                                                                  \
 "A BMC by --power.source=redfish,..., a site's own meter by "                         \
 "--power.source=command,... or file,...; without any, --power.source=estimate"

typedef enum
{
  METER_RAPL_PERF,
  METER_RAPL_POWERCAP,
  METER_HSMP,
  METER_CRAY,
  METER_HWMON,
  METER_IPMI,
} MeterKind;

#define N_METERS (METER_IPMI + 1)

static const char *const meter_names[N_METERS] = {
  [METER_RAPL_PERF] = "rapl-perf", [METER_RAPL_POWERCAP] = "rapl-powercap",
  [METER_HSMP] = "hsmp",           [METER_CRAY] = "cray",
  [METER_HWMON] = "hwmon",         [METER_IPMI] = "ipmi",
};

typedef struct
{
  JmPowerTrial meters[N_METERS];
  gboolean is_virtual;
  gboolean is_x86;
  gboolean may_have_hsmp;
} Equipment;

static void
equipment_clear (Equipment *self)
{
  for (guint i = 0; i < N_METERS; i++)
    jm_power_trial_clear (&self->meters[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Equipment, equipment_clear)

/* --- what the machine is --- */

static void
look_at_processor (Equipment *self, JmHost *host)
{
  gsize length = 0;
  g_autofree char *text =
    jm_host_read_all (host, "/proc/cpuinfo", CPUINFO_MAX, &length, NULL);
  JmCpuModel model;
  gboolean is_amd;

  jm_cpu_model_parse (&model, text != NULL ? text : "", length);
  is_amd = g_str_equal (model.vendor, "AuthenticAMD");
  self->is_virtual = model.is_virtual;
  self->is_x86 = is_amd || g_str_equal (model.vendor, "GenuineIntel");
  self->may_have_hsmp = is_amd && model.family >= HSMP_FAMILY && text != NULL &&
                        strstr (text, "EPYC") != NULL;
}

static void
take_stock (Equipment *self, JmHost *host)
{
  look_at_processor (self, host);
  for (guint i = 0; i < N_METERS; i++)
    jm_power_trial_init (&self->meters[i], meter_names[i], host);
}

static gboolean
has_node (const Equipment *self)
{
  for (guint i = 0; i < N_METERS; i++)
    if (self->meters[i].has_node)
      return TRUE;

  return FALSE;
}

/* --- what measures --- */

static char *
describe (const char *name, const JmPowerTrial *meter)
{
  g_autofree char *domains = jm_examination_join (meter->domains);

  return g_strdup_printf ("%s (%s)", name, domains);
}

static void
examine_meters (JmExamination *self, const Equipment *equipment)
{
  g_autoptr (GPtrArray) working = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *list = NULL;

  for (guint i = 0; i < N_METERS; i++)
    if (jm_power_trial_has_worked (&equipment->meters[i]))
      g_ptr_array_add (working, describe (meter_names[i], &equipment->meters[i]));

  list = jm_examination_join (working);
  if (working->len > 0)
    jm_examination_add (self, JM_TOPIC_POWER_METERS, JM_SEVERITY_GOOD, NULL,
                        "Energy is measured by %s", list);
  else if (equipment->is_virtual)
    jm_examination_add (self, JM_TOPIC_POWER_METERS, JM_SEVERITY_NOTE, WITHOUT_METER,
                        "A virtual machine: nothing in it measures energy");
  else
    jm_examination_add (self, JM_TOPIC_POWER_METERS, JM_SEVERITY_NOTE, METER_OF_SITE,
                        "Nothing that can be read here measures energy");
}

/* What is there and fails, and has no topic of its own. */
static void
examine_failures (JmExamination *self, const Equipment *equipment)
{
  static const MeterKind kinds[] = { METER_CRAY, METER_HWMON };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const JmPowerTrial *meter = &equipment->meters[kinds[i]];
      const char *name = meter_names[kinds[i]];

      if (meter->error != NULL &&
          !jm_power_trial_has_failed_with (meter, JM_ERROR_ABSENT))
        jm_examination_add (self, JM_TOPIC_POWER_METERS, JM_SEVERITY_NOTE,
                            jm_power_advise (name, meter->error), "%s: %s", name,
                            meter->error->message);
    }
}

/* --- processors --- */

static const MeterKind ways[] = { METER_RAPL_PERF, METER_RAPL_POWERCAP, METER_HSMP };

static void
tell_way (JmExamination *self, const Equipment *equipment, MeterKind way)
{
  const JmPowerTrial *meter = &equipment->meters[way];

  if (meter->error != NULL)
    jm_examination_add (self, JM_TOPIC_POWER_RAPL, JM_SEVERITY_NOTE,
                        jm_power_advise (meter_names[way], meter->error), "%s: %s",
                        meter_names[way], meter->error->message);
  else
    jm_examination_add (self, JM_TOPIC_POWER_RAPL, JM_SEVERITY_NOTE, NULL,
                        "%s: its counters stand still", meter_names[way]);
}

/* Of a way that is there but a right is told, else of modules that could be missing. */
static void
miss_processors (JmExamination *self, const Equipment *equipment)
{
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    if (!jm_power_trial_has_failed_with (&equipment->meters[ways[i]], JM_ERROR_ABSENT))
      {
        tell_way (self, equipment, ways[i]);
        return;
      }

  if (!jm_host_is_live (self->host))
    {
      tell_way (self, equipment, METER_RAPL_POWERCAP);
      return;
    }
  tell_way (self, equipment, METER_RAPL_PERF);
  if (equipment->may_have_hsmp)
    tell_way (self, equipment, METER_HSMP);
}

static void
examine_rapl (JmExamination *self, const Equipment *equipment)
{
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    if (jm_power_trial_has_worked (&equipment->meters[ways[i]]))
      {
        jm_examination_add (self, JM_TOPIC_POWER_RAPL, JM_SEVERITY_GOOD, NULL,
                            "The processors' own counters can be read: %s",
                            meter_names[ways[i]]);
        return;
      }

  if (equipment->is_x86 && !equipment->is_virtual)
    miss_processors (self, equipment);
}

/* --- the BMC --- */

static void
examine_ipmi (JmExamination *self, const Equipment *equipment)
{
  const JmPowerTrial *meter = &equipment->meters[METER_IPMI];
  gboolean is_there = jm_host_exists (self->host, "/dev/ipmi0");

  if (jm_power_trial_has_worked (meter))
    jm_examination_add (self, JM_TOPIC_POWER_IPMI, JM_SEVERITY_GOOD, NULL,
                        "The BMC tells what the node draws");
  else if (is_there && !jm_host_is_live (self->host))
    jm_examination_add (self, JM_TOPIC_POWER_IPMI, JM_SEVERITY_NOTE, NULL,
                        "/dev/ipmi0 is there; whether the BMC answers, a copied tree "
                        "cannot tell");
  else if (jm_host_is_live (self->host) && meter->error != NULL &&
           (is_there || !(equipment->is_virtual || has_node (equipment))))
    jm_examination_add (self, JM_TOPIC_POWER_IPMI, JM_SEVERITY_NOTE,
                        jm_power_advise (meter_names[METER_IPMI], meter->error),
                        "%s; fans, disks and power supplies are measured by a BMC "
                        "alone",
                        meter->error->message);
}

/* What measures energy here, and which right or module is missing for what does not. */
void
jm_examine_power (JmExamination *self)
{
  g_auto (Equipment) equipment = { 0 };

  take_stock (&equipment, self->host);
  examine_failures (self, &equipment);
  examine_meters (self, &equipment);
  examine_rapl (self, &equipment);
  examine_ipmi (self, &equipment);
}
