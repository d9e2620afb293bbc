/* jm-shortest-decimal-private.h: the fewest digits that say which double is meant
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @digits * 10^@exponent; the last digit is not 0. */
typedef struct
{
  guint64 digits;
  int exponent;
} JmShortestDecimal;

JmShortestDecimal jm_shortest_decimal_from_double (double value);

G_END_DECLS
