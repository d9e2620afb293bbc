/* jme-html.c: plain pages, whatever text they hold
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-html.h"

/* Text keeps a contrast of 4.5:1, in either scheme of colours. On paper nothing
 * scrolls, so that all columns must do with its width. */
#define STYLE                                                                          \
 "body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; "  \
 "padding: 0 1rem; color: #1c2430; background: #fff; }\n"                              \
 "h1 { font-size: 1.5rem; margin: 0; } "                                               \
 "h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }\n"                                   \
 "table { border-collapse: collapse; width: 100%; }\n"                                 \
 "th, td { text-align: left; padding: .3rem .8rem .3rem 0; "                           \
 "border-bottom: 1px solid #d9dee5; vertical-align: top; }\n"                          \
 "th { font-weight: 600; color: #566070; }\n"                                          \
 "td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; "      \
 "padding-right: 1.2rem; white-space: nowrap; }\n"                                     \
 ".ended { color: #667080; } .failed { color: #b3261e; }\n"                            \
 "a { color: #0b57d0; } p { margin: .3rem 0; } .scroll { overflow-x: auto; }\n"        \
 "@media screen and (prefers-color-scheme: dark) { "                                   \
 "body { color: #dde3ea; background: #14181d; } th, td { border-color: #333b45; } "    \
 "th { color: #9aa5b1; } .ended { color: #8b95a1; } .failed { color: #f2867e; } "      \
 "a { color: #8ab4f8; } }\n"                                                           \
 "@media print { @page { size: A4 landscape; margin: 10mm; } "                         \
 "body { font-size: 7pt; margin: 0; max-width: none; padding: 0; } "                   \
 ".scroll { overflow: visible; } "                                                     \
 "th, td { padding: .15rem .4rem .15rem 0; overflow-wrap: anywhere; } "                \
 "td.number, th.number { padding-right: .5rem; } }\n"

static const char head[] = "<!DOCTYPE html>\n"
                           "<html lang=\"en\">\n"
                           "<head>\n"
                           "<meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width\">\n"
                           "<title>jobmetrics</title>\n"
                           "<style>\n" STYLE "</style>\n"
                           "</head>\n"
                           "<body>\n";

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

void
jme_html_begin_page (GString *out)
{
  g_string_append (out, head);
}

void
jme_html_end_page (GString *out)
{
  g_string_append (out, "</body>\n</html>\n");
}
