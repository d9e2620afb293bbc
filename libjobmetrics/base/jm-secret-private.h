/* jm-secret-private.h: passwords and tokens that a file keeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What is read here is never part of a message.
 *
 * Errors: DENIED where others may read or change the file, or we may not; MALFORMED
 * where it does not hold what is wanted; else as the system says. */

/* A file of this machine with one line of printable text and nothing else. */
char *jm_secret_read_token (const char *path, GError **error);

/* A file of this machine with the lines `username=NAME` and `password=TEXT`, empty
 * lines and comments that begin with #. */
gboolean jm_secret_read_login (const char *path,
                               char **username,
                               char **password,
                               GError **error);

/* The text of an open file; @path is what messages call it. */
char *jm_secret_read_open (int fd, const char *path, GError **error);

/* What those make of a file's text. */
char *jm_secret_parse_token (const char *text, const char *path, GError **error);
gboolean jm_secret_parse_login (const char *text,
                                const char *path,
                                char **username,
                                char **password,
                                GError **error);

G_END_DECLS
