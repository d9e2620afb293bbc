/* jme-web-clients.h: all who are connected, and who has to go for others
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-web-client.h"

G_BEGIN_DECLS

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
