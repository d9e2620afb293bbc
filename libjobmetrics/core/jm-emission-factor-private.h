/* jm-emission-factor-private.h: a factor as figures are reckoned with it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-emission-factor.h"
#include "core/jm-labels.h"

G_BEGIN_DECLS

/* In the unit of the metric table. */
guint64 jm_emission_factor_get_ug_per_kwh (JmEmissionFactor *self);

/* The labels of its series, which live as long as the factor: all of it, its provider
 * and zone, and those of what energy that was measured or estimated has emitted by it.
 */
JmLabels *jm_emission_factor_get_labels (JmEmissionFactor *self);
JmLabels *jm_emission_factor_get_zone_labels (JmEmissionFactor *self);
JmLabels *jm_emission_factor_get_grams_labels (JmEmissionFactor *self,
                                               gboolean is_estimated);

G_END_DECLS
