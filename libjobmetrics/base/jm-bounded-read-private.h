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

/* Returns what an ordinary file holds, from an open descriptor or from a path of this
 * machine that somebody named: a pipe in its place does not hang.
 *
 * Errors: `ABSENT`, `DENIED`, `UNAVAILABLE` as the system says; `INVALID` where it is
 * longer than @max, or no ordinary file. */
GBytes *jm_bounded_read_ordinary (int fd, gsize max, const char *path, GError **error);
GBytes *jm_bounded_read_file (const char *path, gsize max, GError **error);

G_END_DECLS
