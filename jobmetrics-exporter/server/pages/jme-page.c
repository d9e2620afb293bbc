/* jme-page.c: a page of the server, for somebody who is known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-page.h"

static const struct
{
  guint status;
  const char *title;
  const char *advice;
} refusals[] = {
  { 400, "Invalid request",
    "Correct the address, or choose anew on one of the pages." },
  { 401, "Sign in",
    "These pages are for users who are signed in. Ask the administrators of this site "
    "for the address at which you sign in." },
  { 403, "Not for you",
    "You may not see this. Ask the administrators of this site if you need it." },
  { 404, "Not found",
    "It does not exist, or you may not see it. Search for a job, a user, an account or "
    "a name above." },
  { 0, "Not available now", "Try again in a minute." },
};

/* What is around @page for who asks, as far as that is known. */
static void
reply_with (const JmeAnswer *answer,
            const JmeHtmlPage *page,
            guint status,
            const char *text)
{
  GString *out = g_string_new (NULL);
  JmeHtmlPage whole = *page;
  g_autoptr (GBytes) body = NULL;

  whole.links = answer->viewer != NULL && jm_viewer_sees_all (answer->viewer)
                  ? jme_pages_links_of_administrators
                  : jme_pages_links;
  whole.has_search = TRUE;
  whole.user = answer->user;
  jme_html_begin_layout (out, &whole);
  g_string_append (out, text);
  jme_html_end_page (out);

  body = g_string_free_to_bytes (out);
  jme_html_reply (answer->request, status, body);
}

static void
refuse (const JmeAnswer *answer, guint status, const char *reason)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint i = 0;

  while (refusals[i].status != status && refusals[i].status != 0)
    i++;
  g_string_append_printf (text, "<h1>%s</h1>\n<p>%u: ", refusals[i].title, status);
  jme_html_append_escaped (text, reason);
  g_string_append_printf (text, "</p>\n<p>%s</p>\n", refusals[i].advice);
  reply_with (answer, &(JmeHtmlPage){ .title = refusals[i].title }, status, text->str);
}

gboolean
jme_page_begin (JmeAnswer *answer, const JmePages *pages, JmeRequest *request)
{
  return jme_answer_begin_with (answer, pages->accounts, request, refuse);
}

void
jme_page_reply (JmeAnswer *answer, const JmeHtmlPage *page)
{
  reply_with (answer, page, 200, answer->text->str);
}
