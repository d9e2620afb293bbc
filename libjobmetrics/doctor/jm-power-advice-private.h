/* jm-power-advice-private.h: what helps a source of energy that gives no figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @name as specifications have it. Returns: (nullable): NULL where only the error's own
 * words help */
const char *jm_power_advise (const char *name, const GError *error);

G_END_DECLS
