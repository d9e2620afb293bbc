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
