/* jme-request-private.h: one request and its reply, as the server makes them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <libsoup/soup.h>

#include "web/jme-request.h"
#include "web/jme-web-client.h"

G_BEGIN_DECLS

JmeRequest *jme_request_new (SoupServerMessage *message, JmeWebClient *client);

gboolean jme_request_has_good_query (JmeRequest *self);

G_END_DECLS
