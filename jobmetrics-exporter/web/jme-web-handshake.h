/* jme-web-handshake.h: how a client's connection becomes one of TLS
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-web-client.h"
#include "web/jme-web-tls.h"

G_BEGIN_DECLS

/* JmeHandshakeSteps:
 * @begins: called when the client has said something, and its handshake keeps a thread
 *   of GIO's busy from now on
 * @ends: called once in any case, with the stream of TLS; with %NULL where there is none,
 *   or the client was cut meanwhile
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
