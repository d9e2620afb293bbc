/* jme-html.h: pages, whatever text they hold
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-request.h"

G_BEGIN_DECLS

/* JmeHtmlLink:
 * @path: where it leads
 * @text: what it is called
 *
 * A link to a page. */
typedef struct
{
  const char *path;
  const char *text;
} JmeHtmlLink;

/* JmeHtmlPage:
 * @title: what it is about
 * @links: (nullable): to the other pages, up to one without a path
 * @section: (nullable): the path of that link which the page belongs to
 * @above: (nullable): pages that lead to this one, up to one without a path
 * @has_search: whether there is a box that asks `/search`
 * @search: (nullable): what stands in it
 * @user: (nullable): who asks
 * @refresh_seconds: how often what it shows may have changed; 0 for never
 *
 * What is around a page's own. */
typedef struct
{
  const char *title;
  const JmeHtmlLink *links;
  const char *section;
  const JmeHtmlLink *above;
  gboolean has_search;
  const char *search;
  const char *user;
  guint refresh_seconds;
} JmeHtmlPage;

/* Text of an element or attribute, any bytes; NULL shows as a dash: what is not known.
 */
void jme_html_append_escaped (GString *out, const char *text);
void jme_html_append_cell (GString *out, const char *text);
void jme_html_append_number_cell (GString *out, const char *text);

/* What stands before and behind a page's own. */
void jme_html_begin_page (GString *out, const char *title);
void jme_html_begin_layout (GString *out, const JmeHtmlPage *page);
void jme_html_end_page (GString *out);

/* A table that scrolls in a box of its own, which the keyboard reaches. @id is in no
 * other element of the page; rows of the head and of the body follow. */
void jme_html_begin_table (GString *out, const char *id, const char *caption);
void jme_html_end_table (GString *out);

/* Whether a person reads the answer, and no program. */
gboolean jme_html_is_wanted (JmeRequest *request);

/* Answers with a page, which may load nothing but what this very server has. */
void jme_html_reply (JmeRequest *request, guint status, GBytes *page);

G_END_DECLS
