/* jmc-pairs.c: names and what they stand for, in a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "pages/jmc-pairs.h"

static const JmTextColumn columns[] = {
  { NULL, JM_TEXT_ALIGN_LEFT },
  { NULL, JM_TEXT_ALIGN_LEFT },
};

JmTextTable *
jmc_pairs_new (void)
{
  return jm_text_table_new (columns, G_N_ELEMENTS (columns));
}

void
jmc_pairs_add (JmTextTable *table, const char *title, const char *text)
{
  jm_text_table_add (table, title);
  jm_text_table_add (table, text);
}

/* The same, and frees @text. */
void
jmc_pairs_take (JmTextTable *table, const char *title, char *text)
{
  jmc_pairs_add (table, title, text);
  g_free (text);
}
