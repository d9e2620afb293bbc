/* jmc-mail-lines.h: the lines of a file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* All of them, without their ends; NULL with an error where the file cannot be read or
 * has more than @max_bytes. */
GStrv jmc_mail_lines_read (const char *path, gsize max_bytes, GError **error);

G_END_DECLS
