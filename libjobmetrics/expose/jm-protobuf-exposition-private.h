/* jm-protobuf-exposition-private.h: the text that scrapers get, as protobuf
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define JM_PROTOBUF_EXPOSITION_CONTENT_TYPE                                            \
 "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; "          \
 "encoding=delimited"

/* Whether a client should have it: it asks for it by name, likes it at least as well as
 * any text, and the library was built with it. @accept is its `Accept` header, or NULL. */
gboolean jm_protobuf_exposition_is_wanted (const char *accept);

/* The families of @text, each a message behind its length.
 *
 * - Shape: families and samples in the order of the text; counters, gauges, and what is
 *   neither untyped. Empty labels are left out, for they are the same as none.
 * - Errors: `MALFORMED` for a text that is none; `ABSENT` where the library was built
 *   without protobuf. */
GBytes *jm_protobuf_exposition_encode (const char *text, gsize length, GError **error);

/* Whether a client asks for Prometheus' protobuf by name, delimited, and likes it at
 * least as well as any text. @accept may be NULL. */
gboolean jm_prefers_protobuf (const char *accept);

G_END_DECLS
