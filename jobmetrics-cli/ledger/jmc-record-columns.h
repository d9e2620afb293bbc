/* jmc-record-columns.h: which columns a list of records has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-table.h"
#include "report/jm-record-field-private.h"

G_BEGIN_DECLS

/* The columns, and the cells of the records that were added. */
typedef struct _JmcRecordColumns JmcRecordColumns;

JmcRecordColumns *jmc_record_columns_parse (const char *text, GError **error);
void jmc_record_columns_add_optional (JmcRecordColumns *self, const char *text);
void jmc_record_columns_free (JmcRecordColumns *self);

void jmc_record_columns_add (JmcRecordColumns *self, JmJobRecord *record);
guint jmc_record_columns_get_n_records (JmcRecordColumns *self);
gboolean jmc_record_columns_has_estimates (JmcRecordColumns *self);
JmcTable *jmc_record_columns_make_table (JmcRecordColumns *self);

void jmc_record_columns_append_csv_titles (JmcRecordColumns *self, GString *text);
void jmc_record_columns_append_csv (JmcRecordColumns *self,
                                    JmJobRecord *record,
                                    GString *text);
char *jmc_record_columns_describe_all (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcRecordColumns, jmc_record_columns_free)

G_END_DECLS
