/* jmc-quantity.h: figures as people type them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-field.h"

G_BEGIN_DECLS

/* Reads a figure with its unit, such as 1.5GiB or 2h30m, for a field of @kind. */
gboolean
jmc_quantity_parse (const char *text, JmcFieldKind kind, double *value, GError **error);

G_END_DECLS
