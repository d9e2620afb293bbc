/* jmc-power-reason.h: why a power source cannot be read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"

G_BEGIN_DECLS

char *jmc_power_reason_find (const JmcOptions *options, const char *name);
GPtrArray *jmc_power_reason_examine (const JmcOptions *options);

G_END_DECLS
