/* jme-encoding.h: whether a reply goes out compressed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean jme_encoding_takes_gzip (const char *accept_encoding);

G_END_DECLS
