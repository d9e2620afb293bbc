/* jm-report-lines.c: lines of a report: a title, and a text behind it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/page/jm-report-lines-private.h"

#include "base/jm-safe-text-private.h"

static void
line_clear (gpointer line)
{
  g_free (((JmReportLine *) line)->text);
}

GArray *
jm_report_lines_new (void)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (JmReportLine));

  g_array_set_clear_func (lines, line_clear);

  return lines;
}

void
jm_report_lines_take_toned (GArray *lines,
                            const char *title,
                            char *text,
                            JmReportTone tone)
{
  G_GNUC_UNUSED g_autofree char *owned = text;
  JmReportLine line = { title, NULL, tone };

  if (text == NULL)
    return;

  line.text = jm_safe_text_make (text);
  g_array_append_val (lines, line);
}

void
jm_report_lines_take (GArray *lines, const char *title, char *text)
{
  jm_report_lines_take_toned (lines, title, text, JM_REPORT_TONE_PLAIN);
}

const char *
jm_report_lines_find (GArray *lines, const char *title)
{
  for (guint i = 0; i < lines->len; i++)
    if (g_str_equal (g_array_index (lines, JmReportLine, i).title, title))
      return g_array_index (lines, JmReportLine, i).text;

  return NULL;
}
