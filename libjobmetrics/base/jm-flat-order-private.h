/* jm-flat-order-private.h: in which lines of a table its keys stand
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"

G_BEGIN_DECLS

/* A table with more keys is read without an order. */
#define JM_FLAT_ORDER_KEYS_MAX 16

/**
 * JmFlatOrder:
 * @n_lines: of the whole table; 0 where no order is known
 * @n_keys: how many keys stand in it
 * @missing: bit n is set where key n does not, and may come
 * @lines: the lines of those that stand in it, ascending
 * @keys: which key each is
 *
 * Where the keys of a table stood the last time. A kernel writes each of its tables in
 * one order, so that the keys need not be looked for: whether they are there still is
 * seen where they were. All zeros is an order that is not known yet.
 */
typedef struct
{
  guint8 n_lines;
  guint8 n_keys;
  guint16 missing;
  guint8 lines[JM_FLAT_ORDER_KEYS_MAX];
  guint8 keys[JM_FLAT_ORDER_KEYS_MAX];
} JmFlatOrder;

gboolean jm_flat_order_take (const JmFlatOrder *self,
                             const char *text,
                             gsize length,
                             const JmFlatKey *keys,
                             guint64 *values,
                             guint64 *found_mask);
gboolean jm_flat_order_parse (JmFlatOrder *self,
                              const char *text,
                              gsize length,
                              const JmFlatKey *keys,
                              guint n_keys,
                              guint64 *values,
                              guint64 *found_mask);

G_END_DECLS
