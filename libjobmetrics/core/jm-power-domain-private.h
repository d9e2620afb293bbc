/* jm-power-domain-private.h: the names of power domains
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"

G_BEGIN_DECLS

const char *jm_power_domain_get_name (JmPowerDomain domain);

JmPowerDomain jm_power_domain_from_name (const char *name, guint *number, guint *die);

G_END_DECLS
