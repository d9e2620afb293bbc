/* jmc-ledger-output.h: the records that are read as a table, pages or CSV
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-job-record.h"
#include "report/jm-table.h"

G_BEGIN_DECLS

/* JmcRecordStyle:
 * @width: of the terminal, 0 for none
 * @is_ascii: whether the plots have to do without UTF-8
 * @depth: how far down figures are shown: of the job, its steps or their tasks */
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
 * @table: of a table and of CSV
 * @is_bare: whether titles are left out
 * @is_terminal: whether names must not steer one
 * @n_records: how many there were */
typedef struct
{
  JmcLedgerForm form;
  JmTable *table;
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
