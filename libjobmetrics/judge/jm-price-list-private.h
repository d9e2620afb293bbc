/* jm-price-list-private.h: what runs cost, and what accounts may spend
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figures-private.h"
#include "judge/jm-price-list.h"

G_BEGIN_DECLS

/* JmBudget: what an account may spend
 * @from: when its period begins, seconds since 1970
 * @to: the first second behind it
 * @amount: in the currency of the list */
typedef struct
{
  char *account;
  gint64 from;
  gint64 to;
  double amount;
} JmBudget;

/* JmBill: what a run cost, or a part of it
 * @cost: or cost at least; estimated where the energy that it is for was
 * @is_whole: whether that is all of it
 * @storage: what it was given of the storage that has a price, or that at least, bytes
 *   times seconds; unknown where none has
 * @storage_cost: what that cost at least, of @cost; unknown where no storage has a
 *   price */
typedef struct
{
  JmFigure cost;
  gboolean is_whole;
  JmFigure storage;
  JmFigure storage_cost;
} JmBill;

/* As jm_price_list_get_cost(). */
JmBill jm_price_list_bill (JmPriceList *self, JmRun *run, gint64 since, gint64 until);

/* In the order of the file. */
const JmBudget *jm_price_list_get_budgets (JmPriceList *self, guint *n_budgets);

G_END_DECLS
