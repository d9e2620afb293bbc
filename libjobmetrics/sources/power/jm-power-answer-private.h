/* jm-power-answer-private.h: what a meter said when it was last asked
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"
#include "sources/power/jm-energy-trace-private.h"

G_BEGIN_DECLS

/* Figures by domain, and why a domain has none. Nobody writes it once it is handed on;
 * any thread may then read it. */
typedef struct _JmPowerAnswer JmPowerAnswer;

JmPowerAnswer *jm_power_answer_new (void);
JmPowerAnswer *jm_power_answer_ref (JmPowerAnswer *self);
void jm_power_answer_unref (JmPowerAnswer *self);

/* Microwatts, or microjoules since the source was opened. */
void
jm_power_answer_add_power (JmPowerAnswer *self, const char *domain, guint64 power_uw);
void
jm_power_answer_add_energy (JmPowerAnswer *self, const char *domain, guint64 energy_uj);

/* Says how far the counter was followed from which the energy of that domain is. */
void jm_power_answer_add_trace (JmPowerAnswer *self,
                                const char *domain,
                                const JmEnergyTrace *trace);
gboolean jm_power_answer_find_trace (JmPowerAnswer *self,
                                     const char *domain,
                                     JmEnergyTrace *trace);

/* What it has besides, such as the maximum of a time; @statistic is static. */
void jm_power_answer_add_statistic (JmPowerAnswer *self,
                                    const char *domain,
                                    const char *statistic,
                                    guint64 power_uw);

/* Why a domain is left out; takes @problem. The first one is reported. */
void jm_power_answer_take_problem (JmPowerAnswer *self, GError *problem);

/* Ends the making of an answer: one without any figure is none, and its problem why. */
JmPowerAnswer *jm_power_answer_finish (JmPowerAnswer *self, GError **error);

void jm_power_answer_read (JmPowerAnswer *self, JmReadings *readings);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPowerAnswer, jm_power_answer_unref)

G_END_DECLS
