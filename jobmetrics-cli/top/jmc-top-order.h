/* jmc-top-order.h: words and numbers in the order in which people count
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jmc_top_order_compare (const char *a, const char *b);

G_END_DECLS
