/* jme-web-clients.c: all who are connected, and who has to go for others
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-web-clients.h"

#define STALL_US (G_USEC_PER_SEC / 2)

void
jme_web_clients_init (JmeWebClients *self)
{
  g_queue_init (&self->queue);
}

void
jme_web_clients_add (JmeWebClients *self, JmeWebClient *client)
{
  g_queue_push_tail (&self->queue, client);
}

void
jme_web_clients_remove (JmeWebClients *self, JmeWebClient *client)
{
  if (g_queue_remove (&self->queue, client))
    g_object_unref (client);
}

guint
jme_web_clients_count (const JmeWebClients *self,
                       JmeWebClientState from,
                       JmeWebClientState to)
{
  guint n = 0;

  for (GList *l = self->queue.head; l != NULL; l = l->next)
    {
      JmeWebClientState state = jme_web_client_get_state (l->data);

      n += state >= from && state <= to;
    }

  return n;
}

guint
jme_web_clients_count_of (const JmeWebClients *self, guint uid)
{
  guint n = 0;

  for (GList *l = self->queue.head; l != NULL; l = l->next)
    {
      const JmePeer *peer = jme_web_client_get_peer (l->data);

      n += peer != NULL && peer->uid == uid;
    }

  return n;
}

gboolean
jme_web_clients_cut_oldest (JmeWebClients *self,
                            JmeWebClientState from,
                            JmeWebClientState to)
{
  for (GList *l = self->queue.head; l != NULL; l = l->next)
    {
      JmeWebClientState state = jme_web_client_get_state (l->data);

      if (state >= from && state <= to)
        {
          jme_web_client_cut (l->data);
          return TRUE;
        }
    }

  return FALSE;
}

gboolean
jme_web_clients_cut_most_stalled (JmeWebClients *self)
{
  gint64 since_us = g_get_monotonic_time () - STALL_US;
  JmeWebClient *stalled = NULL;

  for (GList *l = self->queue.head; l != NULL; l = l->next)
    if (jme_web_client_get_state (l->data) == JME_WEB_CLIENT_READING &&
        jme_web_client_get_progress_us (l->data) <= since_us)
      {
        since_us = jme_web_client_get_progress_us (l->data);
        stalled = l->data;
      }

  if (stalled == NULL)
    return FALSE;
  jme_web_client_cut (stalled);

  return TRUE;
}

void
jme_web_clients_cut_all (JmeWebClients *self)
{
  for (GList *l = self->queue.head; l != NULL; l = l->next)
    jme_web_client_cut (l->data);
}
