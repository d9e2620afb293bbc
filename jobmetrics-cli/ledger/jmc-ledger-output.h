/* jmc-ledger-output.h: what becomes of the records that are read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "ledger/jmc-record-columns.h"
#include "ledger/jmc-record-page.h"

G_BEGIN_DECLS

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

G_END_DECLS
