/* jme-html.h: plain pages, whatever text they hold
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* NULL shows as a dash: what is not known. */
void jme_html_append_escaped (GString *out, const char *text);
void jme_html_append_cell (GString *out, const char *text);
void jme_html_append_number_cell (GString *out, const char *text);

/* What stands before and behind a page's own. */
void jme_html_begin_page (GString *out);
void jme_html_end_page (GString *out);

G_END_DECLS
