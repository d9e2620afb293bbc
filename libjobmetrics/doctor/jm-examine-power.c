/* jm-examine-power.c: what measures a node's energy, and what may not be read of it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-examination-private.h"

#include "doctor/jm-power-trial-private.h"
#include "host/jm-source-private.h"
#include "node/jm-node-private.h"
#include "sources/power/jm-cpu-model-private.h"

#define WITHOUT_METER                                                                  \
 "--power.source=estimate reckons it from the load; what comes of that is called "     \
 "estimated"
#define METER_OF_SITE                                                                  \
 "A BMC by --power.source=redfish,..., a site's own meter by "                         \
 "--power.source=command,... or file,...; without any, --power.source=estimate"

static GPtrArray *
try_found (JmExamination *self)
{
  g_autoptr (GPtrArray) entries =
    jm_examination_list_found (self, JM_SOURCE_KIND_POWER);
  GPtrArray *trials =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_power_trial_free);

  for (guint i = 0; i < entries->len; i++)
    {
      const JmSourceEntry *entry = entries->pdata[i];

      g_ptr_array_add (trials, jm_power_trial_new (entry->name, entry->source));
    }

  return trials;
}

/* --- what measures --- */

static char *
describe (const JmPowerTrial *trial)
{
  g_autofree char *domains = jm_examination_join (trial->domains);

  return g_strdup_printf ("%s (%s)", trial->name, domains);
}

static void
examine_meters (JmExamination *self, const GPtrArray *trials)
{
  g_autoptr (GPtrArray) working = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *list = NULL;
  JmCpuModel processor;

  for (guint i = 0; i < trials->len; i++)
    if (jm_power_trial_has_worked (trials->pdata[i]))
      g_ptr_array_add (working, describe (trials->pdata[i]));

  list = jm_examination_join (working);
  jm_cpu_model_read (&processor, self->host);
  if (working->len > 0)
    jm_examination_add (self, JM_TOPIC_POWER_METERS, JM_SEVERITY_GOOD, NULL,
                        "Energy is measured by %s", list);
  else if (processor.is_virtual)
    jm_examination_add (self, JM_TOPIC_POWER_METERS, JM_SEVERITY_NOTE, WITHOUT_METER,
                        "A virtual machine: nothing in it measures energy");
  else
    jm_examination_add (self, JM_TOPIC_POWER_METERS, JM_SEVERITY_NOTE, METER_OF_SITE,
                        "Nothing that can be read here measures energy");
}

/* --- what fails, or could be there --- */

static gboolean
has_gain (const GPtrArray *trials, const GPtrArray *missed, const char *gain)
{
  for (guint i = 0; i < trials->len; i++)
    if (jm_power_trial_tells (trials->pdata[i], gain))
      return TRUE;

  return g_ptr_array_find_with_equal_func ((GPtrArray *) missed, gain, g_str_equal,
                                           NULL);
}

static void
report_failure (JmExamination *self, const JmPowerTrial *trial)
{
  if (trial->error != NULL)
    jm_examination_add_failure (self, JM_TOPIC_POWER_MISSING, JM_SEVERITY_NOTE,
                                trial->name, trial->source, trial->error, NULL);
  else
    jm_examination_add (self, JM_TOPIC_POWER_MISSING, JM_SEVERITY_NOTE, NULL,
                        "%s: its counters stand still", trial->name);
}

/* One that is there and fails, or fails in part, is shown. One that is absent is missed
 * where it would add something, and no other was shown that would do the same: one way
 * is enough. */
static void
examine_failure (JmExamination *self,
                 const GPtrArray *trials,
                 const JmPowerTrial *trial,
                 GPtrArray *missed)
{
  g_autoptr (JmAdvice) advice = jm_advice_new ();
  const char *gain;

  if (trial->error != NULL)
    jm_source_advise (trial->source, trial->error, advice);
  gain = jm_advice_get_gain (advice);
  if (jm_power_trial_is_absent (trial) &&
      (gain == NULL || has_gain (trials, missed, gain)))
    return;

  report_failure (self, trial);
  if (gain != NULL)
    g_ptr_array_add (missed, g_strdup (gain));
}

static gboolean
has_failed (const JmPowerTrial *trial)
{
  return trial->error != NULL || !jm_power_trial_has_worked (trial);
}

static void
examine_failures (JmExamination *self, const GPtrArray *trials)
{
  g_autoptr (GPtrArray) missed = g_ptr_array_new_with_free_func (g_free);

  for (guint absent = FALSE; absent <= TRUE; absent++)
    for (guint i = 0; i < trials->len; i++)
      if (has_failed (trials->pdata[i]) &&
          jm_power_trial_is_absent (trials->pdata[i]) == (gboolean) absent)
        examine_failure (self, trials, trials->pdata[i], missed);
}

/* What measures energy here, and which right or module is missing for what does not. */
void
jm_examine_power (JmExamination *self)
{
  g_autoptr (GPtrArray) trials = try_found (self);

  examine_meters (self, trials);
  examine_failures (self, trials);
}
