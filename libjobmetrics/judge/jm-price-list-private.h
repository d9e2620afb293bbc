/* jm-price-list-private.h: what accounts may spend
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

/* jm_price_list_get_cost(), marked as an estimate where it rests on one. */
gboolean jm_price_list_bill (JmPriceList *self,
                             JmRun *run,
                             gint64 since,
                             gint64 until,
                             JmFigure *cost);

/* In the order of the file. */
const JmBudget *jm_price_list_get_budgets (JmPriceList *self, guint *n_budgets);

G_END_DECLS
