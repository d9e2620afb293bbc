/* jm-price-list.h: what a site charges for runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"
#include "judge/jm-run-report.h"

G_BEGIN_DECLS

/**
 * JM_PRICE_LIST_FILE:
 *
 * Where a site has its prices, unless an option names another file.
 *
 * Since: 0.1
 */
#define JM_PRICE_LIST_FILE "/etc/jobmetrics/prices.conf"

/**
 * JmPriceList:
 *
 * What a site charges for CPUs, accelerators, memory, storage and energy, by cluster,
 * partition, account and period. It never changes once it is read.
 *
 * Since: 0.1
 */
typedef struct _JmPriceList JmPriceList;

#define JM_TYPE_PRICE_LIST (jm_price_list_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_price_list_get_type (void);

JM_AVAILABLE_IN_ALL
JmPriceList *jm_price_list_new (JmHost *host, const char *path, GError **error);

JM_AVAILABLE_IN_ALL
JmPriceList *jm_price_list_new_from_text (const char *path,
                                          const char *text,
                                          gsize length,
                                          GError **error);

JM_AVAILABLE_IN_ALL
void jm_price_list_unref (JmPriceList *self);

JM_AVAILABLE_IN_ALL
const char *jm_price_list_get_currency (JmPriceList *self);

JM_AVAILABLE_IN_ALL
char **jm_price_list_list_problems (JmPriceList *self);

JM_AVAILABLE_IN_ALL
gboolean jm_price_list_get_cost (JmPriceList *self,
                                 JmRun *run,
                                 gint64 since,
                                 gint64 until,
                                 double *cost);

JM_AVAILABLE_IN_ALL
void jm_price_list_add_cost (JmPriceList *self, JmRunReport *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPriceList, jm_price_list_unref)

G_END_DECLS
