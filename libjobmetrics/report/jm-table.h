/* jm-table.h: rows by quantities, as people and programs read them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-job-record.h"
#include "core/jm-quantity.h"
#include "core/jm-run.h"
#include "core/jm-snapshot.h"
#include "core/jm-usage.h"
#include "judge/jm-run-report.h"
#include "judge/jm-run-verdict.h"
#include "schedulers/jm-scheduler-report.h"

G_BEGIN_DECLS

#define JM_TYPE_TABLE (jm_table_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmTable, jm_table, JM, TABLE, GObject)

JM_AVAILABLE_IN_ALL
JmTable *jm_table_new_of_jobs (const char *columns, GError **error);

JM_AVAILABLE_IN_ALL
JmTable *jm_table_new_of_records (const char *columns, GError **error);

JM_AVAILABLE_IN_ALL
JmTable *jm_table_new_of_runs (const char *columns, GError **error);

JM_AVAILABLE_IN_ALL
JmTable *jm_table_new_of_sums (const char *columns, GError **error);

JM_AVAILABLE_IN_ALL
JmTable *jm_table_new_of_partitions (const char *columns, GError **error);

JM_AVAILABLE_IN_ALL
JmTable *
jm_table_new_of_scheduler (JmSchedulerTopic topic, const char *columns, GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_table_list_quantities (JmTable *self);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_table_list_columns (JmTable *self);

JM_AVAILABLE_IN_ALL
gboolean jm_table_add_columns (JmTable *self, const char *columns, GError **error);

JM_AVAILABLE_IN_ALL
void jm_table_add_optional_columns (JmTable *self, const char *columns);

JM_AVAILABLE_IN_ALL
void jm_table_add_subject (JmTable *self, JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
void jm_table_add_record (JmTable *self, JmJobRecord *record);

JM_AVAILABLE_IN_ALL
void jm_table_add_run (JmTable *self,
                       JmRun *run,
                       JmRunReport *report,
                       JmRunVerdict *verdict);

JM_AVAILABLE_IN_ALL
void jm_table_add_usage (JmTable *self, JmUsage *usage);

JM_AVAILABLE_IN_ALL
void jm_table_add_totals (JmTable *self, JmRunTotals *totals);

JM_AVAILABLE_IN_ALL
void jm_table_add_listed (JmTable *self,
                          JmSchedulerReport *report,
                          guint i,
                          const char *cluster);

JM_AVAILABLE_IN_ALL
gboolean
jm_table_sort (JmTable *self, const char *column, gboolean descends, GError **error);

JM_AVAILABLE_IN_ALL
void jm_table_clear (JmTable *self);

JM_AVAILABLE_IN_ALL
guint jm_table_get_n_rows (JmTable *self);

JM_AVAILABLE_IN_ALL
gboolean jm_table_has_estimates (JmTable *self);

JM_AVAILABLE_IN_ALL
gboolean jm_table_get_value (JmTable *self, guint row, guint column, double *value);

JM_AVAILABLE_IN_ALL
char *jm_table_format_cell (JmTable *self, guint row, guint column);

JM_AVAILABLE_IN_ALL
char *
jm_table_to_text (JmTable *self, guint width, gboolean has_titles, gboolean has_color);

JM_AVAILABLE_IN_ALL
char *
jm_table_to_html_page (JmTable *self, const char *title, const char *const *notes);

JM_AVAILABLE_IN_ALL
GBytes *jm_table_to_pdf (JmTable *self,
                         const char *title,
                         const char *const *notes,
                         GError **error);

JM_AVAILABLE_IN_ALL
char *jm_table_to_csv (JmTable *self, gboolean has_titles);

JM_AVAILABLE_IN_ALL
char *jm_table_to_json (JmTable *self);

JM_AVAILABLE_IN_ALL
char *jm_table_to_json_lines (JmTable *self);

G_END_DECLS
