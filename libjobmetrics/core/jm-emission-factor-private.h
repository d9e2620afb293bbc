/* jm-emission-factor-private.h: a factor as figures are reckoned with it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-emission-factor.h"

G_BEGIN_DECLS

/* In the unit of the metric table. */
guint64 jm_emission_factor_get_ug_per_kwh (JmEmissionFactor *self);

/* GRefStrings that live as long as the factor: the labels of its series. */
char *jm_emission_factor_get_label (JmEmissionFactor *self);      /* all of it */
char *jm_emission_factor_get_zone_label (JmEmissionFactor *self); /* provider/zone */

G_END_DECLS
