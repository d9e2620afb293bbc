/* jm-natural-order.h: words and numbers in the order in which people count
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-version-macros.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
int jm_natural_order_compare (const char *a, const char *b);

G_END_DECLS
