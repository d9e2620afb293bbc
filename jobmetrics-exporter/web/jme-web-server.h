/* jme-web-server.h: a small HTTP server that bears hostile clients
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "web/jme-identity.h"
#include "web/jme-router.h"

G_BEGIN_DECLS

#define JME_TYPE_WEB_SERVER (jme_web_server_get_type ())
G_DECLARE_FINAL_TYPE (JmeWebServer, jme_web_server, JME, WEB_SERVER, GObject)

/**
 * JmeWebLimits:
 * @clients: connections at once; one more throws out the oldest that is idle, or else
 *   the one that asks the longest
 * @handshakes: TLS handshakes at once, likewise
 * @requests: requests at once that are not answered to their end; one more gets 503
 * @workers: threads at once for slow handlers; what is beyond them waits
 * @work_ms: milliseconds that a slow handler may take
 * @ask_ms: milliseconds from a connection to the end of its request
 * @read_ms: milliseconds that a client may take for the reply
 * @idle_ms: milliseconds until a connection without another request is closed
 * @per_user: connections at once that a user has over the local socket; one more is
 *   closed. Root, and whom this program runs as, have as many as they like
 */
typedef struct
{
  guint clients;
  guint handshakes;
  guint requests;
  guint workers;
  guint work_ms;
  guint ask_ms;
  guint read_ms;
  guint idle_ms;
  guint per_user;
} JmeWebLimits;

JmeWebServer *jme_web_server_new (const char *config_path, GError **error);

void jme_web_server_set_limits (JmeWebServer *self, const JmeWebLimits *limits);

void jme_web_server_set_identity (JmeWebServer *self,
                                  const JmeIdentityConfig *identity);

void jme_web_server_add_routes (JmeWebServer *self,
                                const JmeRoute *routes,
                                gpointer user_data);

void jme_web_server_reload (JmeWebServer *self);

gboolean
jme_web_server_listen (JmeWebServer *self, const char *address, GError **error);

gboolean
jme_web_server_listen_locally (JmeWebServer *self, const char *path, GError **error);

gboolean jme_web_server_adopt (JmeWebServer *self, int fd, GError **error);

GStrv jme_web_server_list_addresses (JmeWebServer *self);

gboolean jme_web_server_is_tls (JmeWebServer *self);

void jme_web_server_stop_listening (JmeWebServer *self);

void jme_web_server_finish_work (JmeWebServer *self);

void jme_web_server_close (JmeWebServer *self);

G_END_DECLS
