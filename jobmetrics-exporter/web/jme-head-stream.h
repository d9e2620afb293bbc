/* jme-head-stream.h: a connection whose request is looked at before libsoup reads it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Finds what a proxy in front may read otherwise than this server does, so that the two
 * take different requests, hosts or paths from one text (RFC 9112, section 11.2). @head
 * is the request line and the headers, with the empty line at their end.
 *
 * Returns: (nullable): a sentence; NULL where nothing is wrong */
const char *jme_head_find_fault (const char *head, gsize length);

#define JME_TYPE_HEAD_STREAM (jme_head_stream_get_type ())
G_DECLARE_FINAL_TYPE (JmeHeadStream, jme_head_stream, JME, HEAD_STREAM, GIOStream)

/* For one request. Where its head has a fault, a request for `/` is read in its place,
 * and no body. */
JmeHeadStream *jme_head_stream_new (GIOStream *base);

/* What jme_head_find_fault() found, or that the head is too long; NULL for nothing, or
 * before the head is here. *@status is that of the answer. */
const char *jme_head_stream_get_fault (JmeHeadStream *self, guint *status);

/* Whether another request may follow on the connection: the client wants it, and
 * nothing came behind the head, so that the next request can begin nowhere else. */
gboolean jme_head_stream_may_be_kept (JmeHeadStream *self);

/* Has the base stay open when this stream is closed. */
void jme_head_stream_keep (JmeHeadStream *self);
gboolean jme_head_stream_is_kept (JmeHeadStream *self);

GIOStream *jme_head_stream_get_base (JmeHeadStream *self);

G_END_DECLS
