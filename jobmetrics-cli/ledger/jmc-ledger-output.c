/* jmc-ledger-output.c: what becomes of the records that are read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "ledger/jmc-ledger-output.h"

#include <stdio.h>

#include "core/jm-safe-text-private.h"
#include "jmc-output.h"
#include "ledger/jmc-profile-csv.h"
#include "store/jm-record-json-private.h"

/* A hostile name in a CSV steers no terminal. */
static void
print_csv (JmcLedgerOutput *self, GString *text)
{
  if (self->is_terminal)
    jm_safe_text_make_lines (text);
  jmc_output_print (text->str);
}

/* JSON is UTF-8 whatever the locale says. */
static void
print_json (JmcLedgerOutput *self, JmJobRecord *record)
{
  g_autofree char *json = jm_record_json_format (record);

  if (self->form == JMC_LEDGER_FORM_JSON)
    fputs (self->n_records > 0 ? ",\n" : "\n", stdout);
  fputs (json, stdout);
  if (self->form == JMC_LEDGER_FORM_LINES)
    fputc ('\n', stdout);
}

static void
print_page (JmcLedgerOutput *self, JmJobRecord *record)
{
  g_autofree char *page = jmc_record_page_render (record, &self->style);

  if (self->n_records > 0)
    jmc_output_print ("\n");
  jmc_output_print (page);
}

static void
print_table (JmcLedgerOutput *self)
{
  g_autoptr (JmcTable) table = jmc_record_columns_make_table (self->columns);
  g_autofree char *lines = NULL;

  if (self->is_bare)
    jmc_table_hide_titles (table);
  lines = jmc_table_render (table, self->style.width, self->style.color);
  jmc_output_print (lines);
  if (!self->is_bare && jmc_record_columns_has_estimates (self->columns))
    jmc_output_print ("\n" JMC_TABLE_ESTIMATE_LEGEND "\n");
}

/* What stands before all records. */
static void
begin (JmcLedgerOutput *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (self->is_begun)
    return;

  self->is_begun = TRUE;
  if (self->form == JMC_LEDGER_FORM_JSON)
    fputc ('[', stdout);
  else if (self->form == JMC_LEDGER_FORM_CSV && !self->is_bare)
    jmc_record_columns_append_csv_titles (self->columns, text);
  else if (self->form == JMC_LEDGER_FORM_PROFILES && !self->is_bare)
    jmc_profile_csv_append_titles (text);

  jmc_output_print (text->str);
}

/* Only a table waits for the last of them: its columns are as wide as the widest. */
void
jmc_ledger_output_take (JmcLedgerOutput *self, JmJobRecord *record)
{
  g_autoptr (GString) text = g_string_new (NULL);

  begin (self);
  switch (self->form)
    {
    case JMC_LEDGER_FORM_JSON:
    case JMC_LEDGER_FORM_LINES:
      print_json (self, record);
      break;
    case JMC_LEDGER_FORM_CSV:
      jmc_record_columns_append_csv (self->columns, record, text);
      print_csv (self, text);
      break;
    case JMC_LEDGER_FORM_PAGES:
      print_page (self, record);
      break;
    case JMC_LEDGER_FORM_PROFILES:
      jmc_profile_csv_append (text, record);
      print_csv (self, text);
      break;
    case JMC_LEDGER_FORM_TABLE:
    default:
      jmc_record_columns_add (self->columns, record);
      break;
    }
  self->n_records++;
}

/* What stands behind all records. Where they could not be read to the end, nothing
 * does: an array that is cut off is no JSON. */
void
jmc_ledger_output_end (JmcLedgerOutput *self)
{
  begin (self);
  if (self->form == JMC_LEDGER_FORM_JSON)
    fputs (self->n_records > 0 ? "\n]\n" : "]\n", stdout);
  else if (self->form == JMC_LEDGER_FORM_TABLE)
    print_table (self);
}
