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

JmeWebClient *jme_request_get_client (JmeRequest *self);

gboolean jme_request_has_good_query (JmeRequest *self);

gboolean jme_request_has_long_body (JmeRequest *self);

/* Whose password was found right. */
void jme_request_set_login_name (JmeRequest *self, const char *name);

/* Between the two the request is a worker's: what that answers goes out at the end. */
void jme_request_begin_work (JmeRequest *self);
void jme_request_end_work (JmeRequest *self);

/* Asks the worker to come to an end; in the server's thread. */
void jme_request_stop_work (JmeRequest *self);

/* Whether the worker sends its reply in parts. */
gboolean jme_request_has_parts (JmeRequest *self);

G_END_DECLS
