/* jm-natural-order-private.h: words and numbers in the order in which people count
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jm_natural_order_compare (const char *a, const char *b);

G_END_DECLS
