/* jmc-write-all.h: bytes written to the last
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* FALSE with errno where not all of it could be written. */
gboolean jmc_write_all (int fd, const char *data, gsize length);

G_END_DECLS
