/* jmc-accounts-form.h: in which form rows are printed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"
#include "jmc-table.h"

G_BEGIN_DECLS

typedef enum
{
  JMC_ACCOUNTS_FORM_TABLE,
  JMC_ACCOUNTS_FORM_JSON,  /* an array */
  JMC_ACCOUNTS_FORM_LINES, /* JSON, a line each */
  JMC_ACCOUNTS_FORM_CSV,
  JMC_ACCOUNTS_FORM_REPORTSEFF, /* of runs alone */
} JmcAccountsFormKind;

/* JmcAccountsForm:
 * @has_reportseff: whether what is printed are runs
 * @is_bare: whether titles are left out
 * @n_rows: how many objects were printed */
typedef struct
{
  char *format_text;
  gboolean csv;
  gboolean has_reportseff;
  gboolean is_bare;
  JmcAccountsFormKind kind;
  JmcColor color;
  guint n_rows;
} JmcAccountsForm;

void jmc_accounts_form_add_entries (JmcAccountsForm *self, GOptionGroup *group);
gboolean jmc_accounts_form_parse (JmcAccountsForm *self, const JmcOptions *options);
void jmc_accounts_form_clear (JmcAccountsForm *self);

/* One object of JSON, and what stands behind all of them. */
void jmc_accounts_form_print_json (JmcAccountsForm *self, GString *json);
void jmc_accounts_form_end_json (JmcAccountsForm *self);

void jmc_accounts_form_print_table (JmcAccountsForm *self, JmcTable *table);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcAccountsForm, jmc_accounts_form_clear)

G_END_DECLS
