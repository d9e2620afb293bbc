/* answers.h: what a power source reports, in a test
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-readings-private.h"
#include "sources/power/jm-power-source.h"

/* Longer than anything takes; who waits so long waits for what does not come. */
#define ANSWERS_PATIENCE_US (60 * G_USEC_PER_SEC)

/* Readings fit to be filled by a source. */
JmReadings *answers_new (void);

/* Waits until the source has asked once. */
gboolean answers_wait (gpointer source);

/* Reads once, and begins anew with what was there before. */
gboolean answers_read (JmReadings *self, gpointer source, GError **error);

/* The only figure of that domain; asserts that there is one. */
guint64 answers_get (JmReadings *self, JmMetric metric, const char *domain);
gboolean answers_have (JmReadings *self, JmMetric metric, const char *domain);

/* Of a metric with a third label; 0 where there is none. */
guint64 answers_get_detail (JmReadings *self,
                            JmMetric metric,
                            const char *domain,
                            const char *detail);

/* What kept a domain from being reported, or NULL. */
const GError *answers_get_problem (JmReadings *self);

#define assert_power(readings, domain, power_uw)                                       \
 g_assert_cmpuint (answers_get (readings, JM_METRIC_NODE_POWER, domain), ==, power_uw)

#define assert_energy(readings, domain, energy_uj)                                     \
 g_assert_cmpuint (answers_get (readings, JM_METRIC_NODE_ENERGY, domain), ==, energy_uj)

#define assert_says(error, code, words)                                                \
 do                                                                                    \
  {                                                                                    \
   g_assert_error (error, JM_ERROR, (int) (code));                                     \
   if (strstr ((error)->message, words) == NULL)                                       \
    g_error ("'%s' does not say '%s'", (error)->message, words);                       \
  }                                                                                    \
 while (FALSE)
