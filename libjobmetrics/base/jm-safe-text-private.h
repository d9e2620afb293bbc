/* jm-safe-text-private.h: text that steers no terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Beyond escape sequences: marks of writing direction can make a line read as another,
 * line separators can make one line look like two. */
gboolean jm_safe_text_has (gunichar c);

/* A copy of @text, which may be any bytes, in which every character that could steer a
 * terminal is a question mark. */
char *jm_safe_text_make (const char *text);

/* The same in place for text of several lines, the ends of which stay. */
void jm_safe_text_make_lines (GString *text);

G_END_DECLS
