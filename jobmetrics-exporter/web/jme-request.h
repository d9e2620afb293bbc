/* jme-request.h: one request and its reply
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-body.h"

G_BEGIN_DECLS

#define JME_TYPE_REQUEST (jme_request_get_type ())
G_DECLARE_FINAL_TYPE (JmeRequest, jme_request, JME, REQUEST, GObject)

const char *jme_request_get_method (JmeRequest *self);

gboolean jme_request_is_head (JmeRequest *self);

gboolean jme_request_takes_parts (JmeRequest *self);

const char *jme_request_get_path (JmeRequest *self);

GBytes *jme_request_get_body (JmeRequest *self);

const char *jme_request_get_header (JmeRequest *self, const char *name);

/* How often the header is there. */
guint jme_request_count_header (JmeRequest *self, const char *name);

GStrv jme_request_get_values (JmeRequest *self, const char *name);

GStrv jme_request_list_pairs (JmeRequest *self);

GCancellable *jme_request_get_cancellable (JmeRequest *self);

/* At which port it came; 0 over a socket without one. */
guint jme_request_get_local_port (JmeRequest *self);

/* Where it comes from, as jme_web_client_describe_peer() has it. */
char *jme_request_describe_peer (JmeRequest *self);

/* Where it comes from, transfer full; NULL over a socket without addresses. */
GInetAddress *jme_request_get_remote_address (JmeRequest *self);

/* Whom web.yml's password let in; NULL where none was asked for. */
const char *jme_request_get_login_name (JmeRequest *self);

/* The client's, which web.yml's authorities verify; NULL where there is none. */
GTlsCertificate *jme_request_get_certificate (JmeRequest *self);

gboolean jme_request_get_peer (JmeRequest *self, guint *uid, int *pid);

void jme_request_set_header (JmeRequest *self, const char *name, const char *value);

void jme_request_reply (JmeRequest *self,
                        guint status,
                        const char *content_type,
                        GBytes *body);

void jme_request_reply_body (JmeRequest *self,
                             guint status,
                             const char *content_type,
                             JmeBody *body);

void jme_request_reply_text (JmeRequest *self, guint status, const char *text);

gboolean
jme_request_send_part (JmeRequest *self, const char *content_type, GBytes *part);

void jme_request_end_parts (JmeRequest *self);

gboolean jme_encoding_takes_gzip (const char *accept_encoding);

G_END_DECLS
