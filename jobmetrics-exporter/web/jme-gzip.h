/* jme-gzip.h: replies packed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Returns: (transfer full) (nullable): @plain as gzip, packed quickly rather than well;
 * %NULL when that fails */
GBytes *jme_gzip (GBytes *plain);

G_END_DECLS
