/* jmc-text.h: how much room text takes on a terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint jmc_text_get_width (const char *text);
void jmc_text_cut (GString *line, guint width);

/* Lines of words, no wider than @width cells as far as no word is. */
void jmc_text_append_wrapped (GString *text, const char *sentence, guint width);

G_END_DECLS
