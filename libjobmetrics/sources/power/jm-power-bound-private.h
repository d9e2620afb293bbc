/* jm-power-bound-private.h: which powers cannot be
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"

G_BEGIN_DECLS

/* More than any domain of that kind draws, microwatts. */
guint64 jm_power_get_bound_uw (JmPowerDomain domain);

/* Whether @power_uw may be what @domain, a name, draws: neither more than any draws,
 * nor what meters answer that have measured nothing: a register with all bits set. */
gboolean jm_power_is_possible (const char *domain, guint64 power_uw);

G_END_DECLS
