/* jm-text-format-private.h: who likes no text best
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether a client asks for Prometheus' protobuf by name, delimited, and likes it at
 * least as well as any text. @accept may be NULL. */
gboolean jm_prefers_protobuf (const char *accept);

G_END_DECLS
