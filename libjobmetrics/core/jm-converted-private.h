/* jm-converted-private.h: bytes that were packed or unpacked
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* All of @data through a converter, or NULL where it fails or gives more than is
 * allowed. */
GByteArray *jm_converted_make (GConverter *converter,
                               gconstpointer data,
                               gsize size,
                               gsize max_size);

G_END_DECLS
