/* jmc-pairs.c: names and what they stand for, in a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "pages/jmc-pairs.h"

static const JmcColumn columns[] = {
  { NULL, JMC_ALIGN_LEFT },
  { NULL, JMC_ALIGN_LEFT },
};

JmcTable *
jmc_pairs_new (void)
{
  return jmc_table_new (columns, G_N_ELEMENTS (columns));
}

void
jmc_pairs_add (JmcTable *table, const char *title, const char *text)
{
  jmc_table_add (table, title);
  jmc_table_add (table, text);
}

/* The same, and frees @text. */
void
jmc_pairs_take (JmcTable *table, const char *title, char *text)
{
  jmc_pairs_add (table, title, text);
  g_free (text);
}
