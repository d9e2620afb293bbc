/* jmc-order.h: in which order jobs are listed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "report/jm-field.h"

G_BEGIN_DECLS

typedef struct _JmcOrder JmcOrder;

JmcOrder *jmc_order_parse (const char *text, GError **error);
void jmc_order_free (JmcOrder *self);
void jmc_order_add_collectors (const JmcOrder *self, JmCollectorSet *collectors);
void jmc_order_add_fields (const JmcOrder *self, GPtrArray *fields);
void jmc_order_sort (const JmcOrder *self, JmSnapshot *snapshot, GArray *jobs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcOrder, jmc_order_free)

G_END_DECLS
