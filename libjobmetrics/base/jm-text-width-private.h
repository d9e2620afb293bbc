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

G_END_DECLS
