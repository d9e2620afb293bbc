/* jmc-ledger-output.h: the records that are read as a table, pages or CSV
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-text-table-private.h"
#include "core/jm-job-record.h"
#include "core/jm-record-field-private.h"

G_BEGIN_DECLS

/* The columns, and the cells of the records that were added. */
typedef struct _JmcRecordColumns JmcRecordColumns;

JmcRecordColumns *jmc_record_columns_parse (const char *text, GError **error);
void jmc_record_columns_add_optional (JmcRecordColumns *self, const char *text);
void jmc_record_columns_free (JmcRecordColumns *self);

void jmc_record_columns_add (JmcRecordColumns *self, JmJobRecord *record);
guint jmc_record_columns_get_n_records (JmcRecordColumns *self);
gboolean jmc_record_columns_has_estimates (JmcRecordColumns *self);
JmTextTable *jmc_record_columns_make_table (JmcRecordColumns *self);

void jmc_record_columns_append_csv_titles (JmcRecordColumns *self, GString *text);
void jmc_record_columns_append_csv (JmcRecordColumns *self,
                                    JmJobRecord *record,
                                    GString *text);
char *jmc_record_columns_describe_all (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcRecordColumns, jmc_record_columns_free)

/* JmcRecordStyle:
 * @width: of the terminal, 0 for none
 * @is_ascii: whether the plots have to do without UTF-8
 * @depth: how far down figures are told: of the job, its steps or their tasks */
typedef struct
{
  guint width;
  gboolean color;
  gboolean is_ascii;
  JmSubjectKind depth;
} JmcRecordStyle;

char *jmc_record_page_render (JmJobRecord *record, const JmcRecordStyle *style);

/* JmcLedgerForm:
 * @JMC_LEDGER_FORM_TABLE: a line each, in columns
 * @JMC_LEDGER_FORM_JSON: an array
 * @JMC_LEDGER_FORM_LINES: JSON, a line each
 * @JMC_LEDGER_FORM_CSV: comma-separated values
 * @JMC_LEDGER_FORM_PAGES: a page each
 * @JMC_LEDGER_FORM_PROFILES: the course of each as comma-separated values */
typedef enum
{
  JMC_LEDGER_FORM_TABLE,
  JMC_LEDGER_FORM_JSON,
  JMC_LEDGER_FORM_LINES,
  JMC_LEDGER_FORM_CSV,
  JMC_LEDGER_FORM_PAGES,
  JMC_LEDGER_FORM_PROFILES,
} JmcLedgerForm;

/* JmcLedgerOutput:
 * @columns: of a table and of CSV
 * @is_bare: whether titles are left out
 * @is_terminal: whether names must not steer one
 * @n_records: how many there were */
typedef struct
{
  JmcLedgerForm form;
  JmcRecordColumns *columns;
  JmcRecordStyle style;
  gboolean is_bare;
  gboolean is_terminal;
  gboolean is_begun;
  guint n_records;
} JmcLedgerOutput;

void jmc_ledger_output_take (JmcLedgerOutput *self, JmJobRecord *record);
void jmc_ledger_output_end (JmcLedgerOutput *self);

void jmc_profile_csv_append_titles (GString *text);
void jmc_profile_csv_append (GString *text, JmJobRecord *record);

G_END_DECLS
