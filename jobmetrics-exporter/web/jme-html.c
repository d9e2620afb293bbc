/* jme-html.c: pages, whatever text they hold
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-html.h"

#include <string.h>

#include "jme-config.h"
#include "web/jme-static.h"

#define POLICY                                                                         \
 "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "     \
 "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/* --- text --- */

/* HTML has no other control characters; marks of writing direction could make a name
 * read as another. */
static gboolean
is_text (gunichar c)
{
  if (c == '\t' || c == '\n')
    return TRUE;

  return !g_unichar_iscntrl (c) && !(c >= 0x202a && c <= 0x202e) &&
         !(c >= 0x2066 && c <= 0x2069) && (c & 0xfffe) != 0xfffe &&
         !(c >= 0xfdd0 && c <= 0xfdef);
}

static void
append_character (GString *out, gunichar c)
{
  switch (c)
    {
    case '&':
      g_string_append (out, "&amp;");
      break;
    case '<':
      g_string_append (out, "&lt;");
      break;
    case '>':
      g_string_append (out, "&gt;");
      break;
    case '"':
      g_string_append (out, "&quot;");
      break;
    case '\'':
      g_string_append (out, "&#39;");
      break;
    default:
      g_string_append_unichar (out, is_text (c) ? c : 0xfffd);
    }
}

void
jme_html_append_escaped (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "–", -1);

  for (const char *at = valid; *at != '\0'; at = g_utf8_next_char (at))
    append_character (out, g_utf8_get_char (at));
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

/* --- what is around --- */

static void
append_head (GString *out, const char *title)
{
  g_string_append (out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                        "<meta charset=\"utf-8\">\n"
                        "<meta name=\"viewport\" "
                        "content=\"width=device-width, initial-scale=1\">\n"
                        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
  jme_html_append_escaped (out, title);
  g_string_append (out, " – jobmetrics</title>\n"
                        "<link rel=\"icon\" href=\"data:,\">\n"
                        "<link rel=\"stylesheet\" href=\"" JME_STATIC_STYLE "\">\n"
                        "<script src=\"" JME_STATIC_SCRIPT "\" defer></script>\n"
                        "</head>\n<body>\n"
                        "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n");
}

static void
append_link (GString *out, const JmeHtmlLink *link, const char *attribute)
{
  g_string_append (out, "<li><a href=\"");
  jme_html_append_escaped (out, link->path);
  g_string_append_printf (out, "\"%s>", attribute);
  jme_html_append_escaped (out, link->text);
  g_string_append (out, "</a></li>\n");
}

static void
append_links (GString *out, const JmeHtmlPage *page)
{
  g_string_append (out, "<nav aria-label=\"Pages\"><ul>\n");
  for (const JmeHtmlLink *link = page->links; link->path != NULL; link++)
    append_link (out, link,
                 g_strcmp0 (link->path, page->section) == 0 ? " aria-current=\"true\""
                                                            : "");
  g_string_append (out, "</ul></nav>\n");
}

static void
append_search (GString *out, const char *words)
{
  g_string_append (out, "<form class=\"search\" role=\"search\" action=\"/search\">\n"
                        "<label class=\"unseen\" for=\"q\">Search jobs</label>\n"
                        "<input id=\"q\" name=\"q\" type=\"search\" maxlength=\"256\" "
                        "placeholder=\"Job, user, account, name\" value=\"");
  jme_html_append_escaped (out, words != NULL ? words : "");
  g_string_append (out, "\">\n<button>Search</button>\n</form>\n");
}

static void
append_above (GString *out, const JmeHtmlPage *page)
{
  g_string_append (out, "<nav class=\"above\" aria-label=\"Where this is\"><ol>\n");
  for (const JmeHtmlLink *link = page->above; link->path != NULL; link++)
    append_link (out, link, "");
  g_string_append (out, "<li aria-current=\"page\">");
  jme_html_append_escaped (out, page->title);
  g_string_append (out, "</li>\n</ol></nav>\n");
}

static void
append_banner (GString *out, const JmeHtmlPage *page)
{
  g_string_append (out, "<header>\n<a class=\"brand\" href=\"/\">jobmetrics</a>\n");
  if (page->links != NULL)
    append_links (out, page);
  if (page->has_search)
    append_search (out, page->search);
  if (page->user != NULL)
    {
      g_string_append (out, "<p class=\"user\"><span class=\"unseen\">You are </span>");
      jme_html_append_escaped (out, page->user);
      g_string_append (out, "</p>\n");
    }
  g_string_append (out, "</header>\n");
}

void
jme_html_begin_layout (GString *out, const JmeHtmlPage *page)
{
  append_head (out, page->title);
  append_banner (out, page);
  if (page->above != NULL)
    append_above (out, page);
  g_string_append (out, "<main id=\"main\" tabindex=\"-1\"");
  if (page->refresh_seconds > 0)
    g_string_append_printf (out, " data-refresh=\"%u\"", page->refresh_seconds);
  g_string_append (out, ">\n");
}

void
jme_html_begin_page (GString *out, const char *title)
{
  const JmeHtmlPage page = { .title = title };

  jme_html_begin_layout (out, &page);
}

void
jme_html_end_page (GString *out)
{
  g_string_append (out, "</main>\n<footer><p>jobmetrics " JME_VERSION
                        ". Times are in UTC.</p></footer>\n</body>\n</html>\n");
}

/* --- tables --- */

void
jme_html_begin_table (GString *out, const char *id, const char *caption)
{
  g_string_append_printf (out,
                          "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
                          "aria-labelledby=\"%s\"><table>\n<caption id=\"%s\">",
                          id, id);
  jme_html_append_escaped (out, caption);
  g_string_append (out, "</caption>\n");
}

void
jme_html_end_table (GString *out)
{
  g_string_append (out, "</table></div>\n");
}

/* --- answers --- */

gboolean
jme_html_is_wanted (JmeRequest *request)
{
  const char *accepted = jme_request_get_header (request, "Accept");

  return accepted != NULL && strstr (accepted, "text/html") != NULL;
}

void
jme_html_reply (JmeRequest *request, guint status, GBytes *page)
{
  jme_request_set_header (request, "Content-Security-Policy", POLICY);
  jme_request_set_header (request, "X-Content-Type-Options", "nosniff");
  jme_request_set_header (request, "Referrer-Policy", "same-origin");
  jme_request_set_header (request, "Cache-Control", "no-store");
  jme_request_reply (request, status, "text/html; charset=utf-8", page);
}
