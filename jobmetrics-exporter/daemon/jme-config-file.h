/* jme-config-file.h: options from a file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Reads a key file's @group, in which each key is the name of an option: `key=value` is
 * `--key=value`, several values stand apart by semicolons, and `true` and `false` stand
 * for an option without a value and its `no-` form. Returns the arguments, the first of
 * which is the file's own name. */
char **jme_config_file_read (const char *path, const char *group, GError **error);

G_END_DECLS
