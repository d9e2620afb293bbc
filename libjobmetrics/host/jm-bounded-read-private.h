/* jm-bounded-read-private.h: a whole file that somebody else writes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Adds to @text all that is left to read of @fd, at most up to @max bytes of text:
 * EMSGSIZE, as that of @path, where there is more. */
gboolean
jm_bounded_read (int fd, gsize max, GString *text, const char *path, GError **error);

G_END_DECLS
