/* jm-error-private.h: errors in the usual words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-error.h"

G_BEGIN_DECLS

/* Refuses what somebody has written: `PROBLEM: VALUE`.
 *
 * Returns: %FALSE, for whoever ends with it */
gboolean jm_error_refuse (GError **error, const char *problem, const char *value);

G_END_DECLS
