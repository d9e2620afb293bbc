/* jm-dcmi-source.c: a node's power, as its BMC reports it by IPMI
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-host-private.h"
#include "sources/power/jm-dcmi-private.h"

#include "base/jm-error.h"
#include "sources/power/jm-polled-source-private.h"
#include "sources/power/jm-power-answer-private.h"

#define NODE "node"
#define UW_PER_WATT 1000000

/*
 * JmDcmiSource:
 *
 * Reads a node's power as its BMC measures it: DCMI's Get Power Reading. The abstract
 * class of the ways to ask for it: the kernel's device, and programs that ask the BMC.
 *
 * - Shape: `node`; and its minimum, maximum and average over the BMC's own time.
 * - Units: microwatts, of whole watts.
 * - Errors: `ABSENT` in a copied tree, which has no BMC to ask.
 *
 * Since: 0.1
 */
G_DEFINE_ABSTRACT_TYPE (JmDcmiSource, jm_dcmi_source, JM_TYPE_POLLED_SOURCE)

static const char *const statistic_names[JM_N_DCMI_STATISTICS] = {
  [JM_DCMI_MINIMUM] = "minimum",
  [JM_DCMI_MAXIMUM] = "maximum",
  [JM_DCMI_AVERAGE] = "average",
};

static gpointer
jm_dcmi_source_poll (gpointer self, GCancellable *cancellable, GError **error)
{
  JmPowerAnswer *answer;
  JmDcmiReading reading = { 0 };

  if (!JM_DCMI_SOURCE_GET_CLASS (self)->ask (self, cancellable, &reading, error))
    return NULL;

  answer = jm_power_answer_new ();
  jm_power_answer_add_power (answer, NODE, (guint64) reading.watts * UW_PER_WATT);
  for (guint i = 0; i < JM_N_DCMI_STATISTICS; i++)
    if (reading.statistics[i] > 0)
      jm_power_answer_add_statistic (answer, NODE, statistic_names[i],
                                     (guint64) reading.statistics[i] * UW_PER_WATT);

  return answer;
}

static gboolean
jm_dcmi_source_open (JmSource *source, GError **error)
{
  JmDcmiSourceClass *klass = JM_DCMI_SOURCE_GET_CLASS (source);
  const char *name;

  if (!jm_host_is_live (jm_source_get_host (source)))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                   "%s: a copied tree has no BMC to ask",
                   jm_polled_source_get_text (source, klass->setting));
      return FALSE;
    }

  name = klass->open_transport (source, error);
  if (name == NULL)
    return FALSE;

  jm_polled_source_start (source, name);

  return TRUE;
}

static void
jm_dcmi_source_class_init (JmDcmiSourceClass *klass)
{
  JM_SOURCE_CLASS (klass)->open = jm_dcmi_source_open;
  JM_POLLED_SOURCE_CLASS (klass)->poll = jm_dcmi_source_poll;
}

static void
jm_dcmi_source_init (JmDcmiSource *self)
{
}
