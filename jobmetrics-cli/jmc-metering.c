/* jmc-metering.c: how a command learns of energy
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-metering.h"

#include "jmc-output.h"

/* Sources in a BMC take seconds to answer. */
#define ANSWER_MS 5000

static const char *const nothing[] = { NULL };

/* Whether the file that was named is there; has reported so where it is not. */
gboolean
jmc_metering_check (const JmcMetering *self)
{
  if (self->file == NULL || g_file_test (self->file, G_FILE_TEST_IS_REGULAR))
    return TRUE;

  jmc_output_complain ("--power.file=%s: not a file", self->file);

  return FALSE;
}

/* --- the node --- */

/* Whether the command opens sources itself. */
gboolean
jmc_metering_reads_sources (const JmcMetering *self)
{
  return self->meters == JMC_METERS_FOUND || self->meters == JMC_METERS_SOURCES ||
         (self->meters == JMC_METERS_TOLD && self->sources != NULL);
}

/* Where the accounts are, be they there or not. */
char *
jmc_metering_get_file (const JmcMetering *self, JmHost *host)
{
  return self->file != NULL ? g_strdup (self->file)
                            : jm_host_resolve (host, JMC_USUAL_ACCOUNTS);
}

/* What the sources alone reported is of the time since they were opened: accounts of
 * a longer time are added to it only where somebody asks for that. */
static gboolean
reads_file (const JmcMetering *self)
{
  switch (self->meters)
    {
    case JMC_METERS_TOLD:
      return self->sources == NULL || self->file != NULL;
    case JMC_METERS_FOUND:
      return TRUE;
    case JMC_METERS_NONE:
    case JMC_METERS_SOURCES:
    default:
      return FALSE;
    }
}

/* Its strings are as long-lived as @self. */
JmcMeteringPlan
jmc_metering_make_plan (const JmcMetering *self, JmHost *host)
{
  JmcMeteringPlan plan = { nothing, nothing, NULL };

  if (jmc_metering_reads_sources (self))
    {
      plan.sources = self->sources;
      plan.providers = self->providers;
    }
  if (reads_file (self))
    {
      plan.files = g_new0 (char *, 2);
      plan.files[0] = jmc_metering_get_file (self, host);
    }

  return plan;
}

void
jmc_metering_plan_clear (JmcMeteringPlan *plan)
{
  g_clear_pointer (&plan->files, g_strfreev);
}

/* Waits for sources and providers that answer in the background, not for long. */
void
jmc_metering_wait (JmNode *node)
{
  jm_node_wait_for_answers (node, ANSWER_MS);
}

/* The same where accelerators are looked at, which are asked in the background. */
void
jmc_metering_wait_for_gpus (JmNode *node, const JmCollectorSet *collectors)
{
  if (jm_collector_set_has (collectors, JM_COLLECTOR_GPU))
    jmc_metering_wait (node);
}

/* A sweep over sources shows what happened since the one before. Takes that one where
 * it is wanted, and waits until it is time for the next; NULL where it is not. */
JmSnapshot *
jmc_metering_begin (const JmcMetering *self, JmNode *node)
{
  JmSnapshot *before;

  if (!jmc_metering_reads_sources (self) ||
      (self->sources == NULL && self->lead_us == 0))
    return NULL;

  jmc_metering_wait (node);
  before = jm_node_sample (node, NULL, NULL);
  g_usleep ((gulong) (self->lead_us != 0 ? self->lead_us : G_USEC_PER_SEC));

  return before;
}
