/* jm-estimate-model-private.h: what a machine would have taken, doing what it did
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "host/jm-topology-private.h"

G_BEGIN_DECLS

/* Sums over time what its packages take: while idle by time, while busy by CPU time. */
typedef struct _JmEstimateModel JmEstimateModel;

/* @seats, of JmCpuSeat, may be empty: there is then one package of @n_cpus cores. */
JmEstimateModel *jm_estimate_model_new (const GArray *seats, guint n_cpus);
void jm_estimate_model_free (JmEstimateModel *self);

/* Whether a core is seen to have more than one thread. */
gboolean jm_estimate_model_shows_threads (const JmEstimateModel *self);

void jm_estimate_model_set_watts (JmEstimateModel *self,
                                  double idle_watts_per_core,
                                  double busy_watts_per_core);

/* Goes on to @now_us of a monotonic clock. @busy_ticks, of guint64, is for how long each
 * CPU was busy up to now; what it was before the first call does not count. */
void
jm_estimate_model_step (JmEstimateModel *self, const GArray *busy_ticks, gint64 now_us);

guint jm_estimate_model_count_packages (const JmEstimateModel *self);
/* The number that the machine has for it. */
guint64 jm_estimate_model_get_package (const JmEstimateModel *self, guint i);
guint64 jm_estimate_model_get_energy_uj (const JmEstimateModel *self, guint i);
double jm_estimate_model_get_seconds (const JmEstimateModel *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEstimateModel, jm_estimate_model_free)

G_END_DECLS
