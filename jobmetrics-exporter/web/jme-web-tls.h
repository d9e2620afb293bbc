/* jme-web-tls.h: the server's side of TLS, and how a connection becomes one of it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "web/jme-web-client.h"
#include "web/jme-web-config.h"

G_BEGIN_DECLS

typedef struct _JmeWebTls JmeWebTls;

JmeWebTls *jme_web_tls_new (const JmeWebConfig *config, GError **error);

JmeWebTls *jme_web_tls_ref (JmeWebTls *self);

void jme_web_tls_unref (JmeWebTls *self);

GDateTime *jme_web_tls_get_expiry (JmeWebTls *self);

GIOStream *jme_web_tls_wrap (JmeWebTls *self, GIOStream *stream, GError **error);

gboolean jme_web_tls_check_peer (JmeWebTls *self, GTlsConnection *connection);

/* The client's certificate, transfer none, where web.yml has clients verified and its
 * own authorities verify this one now; NULL of any other. */
GTlsCertificate *jme_web_tls_find_verified (JmeWebTls *self,
                                            GTlsConnection *connection);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeWebTls, jme_web_tls_unref)

/* JmeHandshakeSteps:
 * @begins: called when the client has said something, and its handshake keeps a thread
 *   of GIO's busy from now on
 * @ends: called once in any case, with the stream of TLS; with %NULL where there is
 *   none, or the client was cut meanwhile
 *
 * What the owner of a client does about its handshake. */
typedef struct
{
  void (*begins) (JmeWebClient *client);
  void (*ends) (JmeWebClient *client, GIOStream *stream);
} JmeHandshakeSteps;

/* Shakes hands with a client that has connected by @socket. @steps outlives that. */
void jme_web_handshake_start (JmeWebClient *client,
                              GSocket *socket,
                              JmeWebTls *tls,
                              const JmeHandshakeSteps *steps);

G_END_DECLS
