/* jm-secret-file-private.h: passwords and tokens that a file keeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"
#include "host/jm-source.h"

G_BEGIN_DECLS

/* What is read here is never part of a message.
 *
 * Errors: DENIED where others may read or change the file, or we may not; MALFORMED
 * where it does not hold what is wanted; else as the system says. */

/* A file with one line of printable text and nothing else. */
char *jm_secret_file_read_token (JmHost *host, const char *path, GError **error);

/* A file with the lines `username=NAME` and `password=TEXT`, empty lines and comments
 * that begin with #. */
gboolean jm_secret_file_read_login (JmHost *host,
                                    const char *path,
                                    char **username,
                                    char **password,
                                    GError **error);

/* What those make of a file's text; @path is what messages call it. */
char *jm_secret_file_parse_token (const char *text, const char *path, GError **error);
gboolean jm_secret_file_parse_login (const char *text,
                                     const char *path,
                                     char **username,
                                     char **password,
                                     GError **error);

/* What mends a file that was DENIED. */
void jm_secret_file_advise (const GError *error, JmAdvice *advice);

G_END_DECLS
