/* jmc-pairs.c: names and what they stand for, in a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "pages/jmc-pairs.h"

static const JmTextColumn looks[] = {
  { NULL, JM_TEXT_ALIGN_LEFT },
  { NULL, JM_TEXT_ALIGN_LEFT },
};

JmTextTable *
jmc_pairs_new (void)
{
  return jm_text_table_new (looks, G_N_ELEMENTS (looks));
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

void
jmc_pairs_add_figure (JmTextTable *table, const char *title, JmTable *figure)
{
  g_autoptr (GPtrArray) columns = jm_table_list_columns (figure);
  const JmQuantity *quantity = columns->pdata[0];
  g_autofree char *text = jm_table_format_cell (figure, 0, 0);

  if (text == NULL)
    return;
  jm_text_table_add (table, title);
  jm_text_table_take (table,
                      g_strconcat (text,
                                   quantity->format == JM_FORMAT_PERCENT ? "%" : "",
                                   NULL));
}
