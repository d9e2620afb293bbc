/* jmc-import-lines.h: the lines of an archive, of any length
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "host/jm-parse-private.h"

G_BEGIN_DECLS

/* @is_whole is FALSE where more than a mebibyte has no end; of it nothing more comes. */
typedef gboolean (*JmcImportLineFunc) (JmSlice line,
                                       guint64 number,
                                       gboolean is_whole,
                                       gpointer data,
                                       GError **error);

/* @path is - for the standard input. */
gboolean jmc_import_lines_read (const char *path,
                                JmcImportLineFunc func,
                                gpointer data,
                                GError **error);

G_END_DECLS
