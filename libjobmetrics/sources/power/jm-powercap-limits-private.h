/* jm-powercap-limits-private.h: what a zone of powercap may take
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

/* The constraints of one zone, of which Intel's have up to three: `long_term`,
 * `short_term`, `peak_power`. */
typedef struct _JmPowercapLimits JmPowercapLimits;

/* @counter is the path of the zone's counter, beside which they are. */
JmPowercapLimits *jm_powercap_limits_new (JmHost *host, const char *counter);
void jm_powercap_limits_free (JmPowercapLimits *self);

/* One that cannot be read is not missed: nothing is reckoned from it. */
void jm_powercap_limits_tell (JmPowercapLimits *self,
                              const char *domain,
                              JmReadings *readings);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPowercapLimits, jm_powercap_limits_free)

G_END_DECLS
