/* jm-text-width-private.h: how much room text takes on a terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How many cells of a terminal @text takes, which must be valid UTF-8. */
guint jm_text_width_get (const char *text);

/* How many bytes of @text fit so many cells. */
gsize jm_text_width_fit (const char *text, guint width);

/* Cuts @line down to at most @width cells. */
void jm_text_width_cut (GString *line, guint width);

/* Lines of words, no wider than @width cells as far as no word is. */
void jm_text_width_append_wrapped (GString *text, const char *sentence, guint width);

G_END_DECLS
