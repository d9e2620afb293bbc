/* jme-body-limit.h: how much of a request's body is kept
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <libsoup/soup.h>

#include "web/jme-web-client.h"

G_BEGIN_DECLS

/* Keeps @max_bytes of the body of @message, whose headers have come, and none where it
 * is longer. A body that is far longer ends the connection of @client. */
void
jme_body_limit_set (SoupServerMessage *message, JmeWebClient *client, gsize max_bytes);

/* Whether the body, which has come, is longer than was kept. */
gboolean jme_body_limit_is_exceeded (SoupServerMessage *message);

G_END_DECLS
