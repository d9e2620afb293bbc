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

/* In local time, with the zone: beside it stands no other that would have it. NULL
 * where it is not known. */
char *
jmc_pairs_format_moment (JmFigure moment)
{
  g_autofree char *text = jm_figure_format (moment, JM_FORMAT_TIME);
  g_autoptr (GDateTime) time =
    moment.is_known ? g_date_time_new_from_unix_local ((gint64) moment.value) : NULL;
  g_autofree char *zone = time != NULL ? g_date_time_format (time, " %Z") : NULL;

  return text != NULL && zone != NULL ? g_strconcat (text, zone, NULL)
                                      : g_steal_pointer (&text);
}

static char *
format_figure (JmTable *figure)
{
  g_autoptr (GPtrArray) columns = jm_table_list_columns (figure);
  const JmFormat format = ((const JmQuantity *) columns->pdata[0])->format;
  g_autofree char *text = jm_table_format_cell (figure, 0, 0);
  double value;

  if (format == JM_FORMAT_TIME && jm_table_get_value (figure, 0, 0, &value))
    return jmc_pairs_format_moment (jm_figure_known (value));

  return text != NULL && format == JM_FORMAT_PERCENT ? g_strconcat (text, "%", NULL)
                                                     : g_steal_pointer (&text);
}

void
jmc_pairs_add_figure (JmTextTable *table, const char *title, JmTable *figure)
{
  char *text = format_figure (figure);

  if (text != NULL)
    jmc_pairs_take (table, title, text);
}
