/* jme-trace-page.h: what wrappers told last, for people and programs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of an array of JmTraceRecord. */
GBytes *jme_trace_page_render (GPtrArray *records, gint64 now_us);
GBytes *jme_trace_page_render_json (GPtrArray *records);

/* Whether a browser or a program reads, by its `Accept` header, which may be NULL. */
gboolean jme_trace_page_wants_html (const char *accept);

G_END_DECLS
