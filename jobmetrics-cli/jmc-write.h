/* jmc-write.h: bytes written to the last, and files that are whole
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* FALSE with errno where not all of it could be written. */
gboolean jmc_write_all (int fd, const char *data, gsize length);

/* Writes @content to @path: a file is replaced by a whole one, or stays as it is, and
 * what is none, such as a device or a pipe, is written to. The error names the path. */
gboolean jmc_write_file (const char *path, GBytes *content, GError **error);

G_END_DECLS
