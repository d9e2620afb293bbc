/* jme-html.c: cells of a table, whatever text they hold
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-html.h"

void
jme_html_append_escaped (GString *out, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text != NULL ? text : "–", -1);

  g_string_append (out, escaped);
}

void
jme_html_append_cell (GString *out, const char *text)
{
  g_string_append (out, "<td>");
  jme_html_append_escaped (out, text);
  g_string_append (out, "</td>");
}

void
jme_html_append_number_cell (GString *out, const char *text)
{
  g_string_append (out, "<td class=\"number\">");
  jme_html_append_escaped (out, text);
  g_string_append (out, "</td>");
}
