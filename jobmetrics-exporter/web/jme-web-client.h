/* jme-web-client.h: connections of clients, and how long each may take
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * JmeWebClientState:
 * @JME_WEB_CLIENT_IDLE: it has its reply, and may ask again
 * @JME_WEB_CLIENT_SHAKING_HANDS: TLS begins
 * @JME_WEB_CLIENT_ASKING: its request is coming in
 * @JME_WEB_CLIENT_LOGGING_IN: its request is here, its password is looked at
 * @JME_WEB_CLIENT_WAITING: its request is here, our reply is not
 * @JME_WEB_CLIENT_READING: our reply is going out
 * @JME_WEB_CLIENT_CUT: it is being thrown out
 */
typedef enum
{
  JME_WEB_CLIENT_IDLE,
  JME_WEB_CLIENT_SHAKING_HANDS,
  JME_WEB_CLIENT_ASKING,
  JME_WEB_CLIENT_LOGGING_IN,
  JME_WEB_CLIENT_WAITING,
  JME_WEB_CLIENT_READING,
  JME_WEB_CLIENT_CUT,
} JmeWebClientState;

/**
 * JmePeer:
 * @uid: as whom it connected
 * @pid: the process that did, as this program sees it; 0 where it cannot
 *
 * Who is at the other end of a local connection, by the kernel's word.
 */
typedef struct
{
  guint uid;
  int pid;
} JmePeer;

/* Whether that is root, or whom this program runs as. */
gboolean jme_peer_is_trusted (const JmePeer *self);

#define JME_TYPE_WEB_CLIENT (jme_web_client_get_type ())
G_DECLARE_FINAL_TYPE (JmeWebClient, jme_web_client, JME, WEB_CLIENT, GObject)

JmeWebClient *
jme_web_client_new (GObject *server, GSocket *socket, guint ask_ms, guint read_ms);

GObject *jme_web_client_get_server (JmeWebClient *self);

GIOStream *jme_web_client_get_stream (JmeWebClient *self);

/* Of web.yml when it came in. */
void jme_web_client_set_generation (JmeWebClient *self, guint generation);
guint jme_web_client_get_generation (JmeWebClient *self);

JmeWebClientState jme_web_client_get_state (JmeWebClient *self);

void jme_web_client_set_state (JmeWebClient *self, JmeWebClientState state);

GCancellable *jme_web_client_get_gone (JmeWebClient *self);

char *jme_web_client_describe_peer (JmeWebClient *self);

/* Has the kernel say who connected. FALSE where it does not. */
gboolean jme_web_client_identify (JmeWebClient *self);

/* NULL of one that was not identified. */
const JmePeer *jme_web_client_get_peer (JmeWebClient *self);

/* A certificate that was verified, transfer none; NULL of who showed none. */
void jme_web_client_set_certificate (JmeWebClient *self, GTlsCertificate *certificate);
GTlsCertificate *jme_web_client_get_certificate (JmeWebClient *self);

/* Where it comes from, transfer full; NULL over a socket without addresses. */
GInetAddress *jme_web_client_get_remote_address (JmeWebClient *self);

/* At which port it came; 0 over a socket without one. */
guint jme_web_client_get_local_port (JmeWebClient *self);

void jme_web_client_note_progress (JmeWebClient *self);

gint64 jme_web_client_get_progress_us (JmeWebClient *self);

void jme_web_client_cut (JmeWebClient *self);

void jme_web_client_finish (JmeWebClient *self);

typedef void (*JmeWebClientNext) (JmeWebClient *self);

void jme_web_client_rest (JmeWebClient *self,
                          GIOStream *stream,
                          guint idle_ms,
                          JmeWebClientNext on_next);

/* Clients, the oldest first. */
typedef struct
{
  GQueue queue; /* of JmeWebClient */
} JmeWebClients;

void jme_web_clients_init (JmeWebClients *self);

/* Takes over a reference, which jme_web_clients_remove() gives back. */
void jme_web_clients_add (JmeWebClients *self, JmeWebClient *client);
void jme_web_clients_remove (JmeWebClients *self, JmeWebClient *client);

/* How many are in one of the states from @from to @to. */
guint jme_web_clients_count (const JmeWebClients *self,
                             JmeWebClientState from,
                             JmeWebClientState to);

/* How many connections a user has over the local socket. */
guint jme_web_clients_count_of (const JmeWebClients *self, guint uid);

/* Throws out the oldest in one of these states; FALSE where there is none. */
gboolean jme_web_clients_cut_oldest (JmeWebClients *self,
                                     JmeWebClientState from,
                                     JmeWebClientState to);

/* Throws out the one that has taken nothing of its reply for the longest time, if that
 * is half a second; FALSE where there is none. */
gboolean jme_web_clients_cut_most_stalled (JmeWebClients *self);

void jme_web_clients_cut_all (JmeWebClients *self);

G_END_DECLS
