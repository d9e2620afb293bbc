/* jm-snappy-private.h: the snappy library, where somebody wants it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <snappy-c.h>

G_BEGIN_DECLS

/* It brings the library of C++ with it, a tenth of a node's memory: so it is loaded
 * when the first request is to be made. */
typedef struct
{
  __typeof__ (snappy_compress) *compress;
  __typeof__ (snappy_max_compressed_length) *max_compressed_length;
} JmSnappy;

/* Errors: `ABSENT` where the library is not installed. */
const JmSnappy *jm_snappy_get (GError **error);

G_END_DECLS
