/* jm-path-error-private.h: errors that name a file and quote what it said
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

void jm_path_error_set_errno (GError **error, const char *path, int error_number);
void jm_path_error_set_malformed (GError **error,
                                  const char *path,
                                  const char *problem,
                                  const char *text,
                                  gsize length);

G_END_DECLS
