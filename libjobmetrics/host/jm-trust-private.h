/* jm-trust-private.h: who can have written a file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <sys/stat.h>

#include "host/jm-host.h"

G_BEGIN_DECLS

/* Whether @uid is root, the user that this program runs as, or @owner. */
gboolean jm_trust_is_owner (JmHost *host, guint uid, guint owner);

gboolean jm_trust_is_writable_by_others (JmHost *host, const struct stat *st);

/* Whether a file or directory is of @kind (`S_IFREG`, `S_IFDIR`), and only root, the
 * user that this program runs as or @owner can have written it. */
gboolean jm_trust_check (JmHost *host,
                         const struct stat *st,
                         mode_t kind,
                         guint owner,
                         const char *path,
                         GError **error);

/* The same of an open one. */
gboolean jm_trust_check_fd (JmHost *host,
                            int fd,
                            mode_t kind,
                            guint owner,
                            const char *path,
                            GError **error);

G_END_DECLS
