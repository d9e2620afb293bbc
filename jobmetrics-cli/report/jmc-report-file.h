/* jmc-report-file.h: a file that is whole, or as it was before
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes @content to @path: a file is replaced by a whole one, or stays as it is, and
 * what is none, such as a device or a pipe, is written to. The error names the path. */
gboolean jmc_report_file_write (const char *path, GBytes *content, GError **error);

G_END_DECLS
