/* jm-secret-file-private.h: passwords and tokens that a file of a host keeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"
#include "host/jm-source.h"

G_BEGIN_DECLS

/* As jm_secret_read_token() and jm_secret_read_login(), in the tree of a host. */
char *jm_secret_file_read_token (JmHost *host, const char *path, GError **error);
gboolean jm_secret_file_read_login (JmHost *host,
                                    const char *path,
                                    char **username,
                                    char **password,
                                    GError **error);

/* What mends a file that was DENIED. */
void jm_secret_file_advise (const GError *error, JmAdvice *advice);

G_END_DECLS
