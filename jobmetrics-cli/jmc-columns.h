/* jmc-columns.h: which columns a list has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "expose/jm-metric-selection.h"
#include "jmc-table.h"
#include "report/jm-field.h"

G_BEGIN_DECLS

typedef struct _JmcColumns JmcColumns;

JmcColumns *jmc_columns_parse (const char *text, GError **error);
void jmc_columns_free (JmcColumns *self);
void jmc_columns_add_metrics (JmcColumns *self, JmMetricSelection *selection);
void jmc_columns_add_optional (JmcColumns *self, const char *text);
void jmc_columns_add_collectors (const JmcColumns *self, JmCollectorSet *collectors);
void jmc_columns_add_fields (const JmcColumns *self, GPtrArray *fields);
JmcTable *
jmc_columns_make_table (JmcColumns *self, JmSnapshot *snapshot, GArray *subjects);
gboolean jmc_columns_has_estimates (const JmcColumns *self,
                                    JmSnapshot *snapshot,
                                    GArray *subjects);
void jmc_columns_append_csv_titles (const JmcColumns *self, GString *text);
void jmc_columns_append_csv (const JmcColumns *self,
                             JmSnapshot *snapshot,
                             GArray *subjects,
                             GString *text);
char *jmc_columns_describe (GPtrArray *quantities);
char *jmc_columns_describe_all (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcColumns, jmc_columns_free)

G_END_DECLS
