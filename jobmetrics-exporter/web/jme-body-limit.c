/* jme-body-limit.c: how much of a request's body is kept
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-body-limit.h"

#define KEY "jme-body-limit"

/* What is read of a body that is too long, so that its sender hears why. */
#define MAX_UNWANTED_BYTES (64 * 1024)

typedef struct
{
  guint64 n_bytes;
  guint64 max_bytes;
} BodyLimit;

/* Whatever the headers say, a body in chunks may be longer. */
static void
on_got_chunk (SoupServerMessage *message, GBytes *chunk, gpointer user_data)
{
  BodyLimit *self = g_object_get_data (G_OBJECT (message), KEY);

  self->n_bytes += g_bytes_get_size (chunk);
  if (self->n_bytes > self->max_bytes)
    soup_message_body_set_accumulate (soup_server_message_get_request_body (message),
                                      FALSE);
  if (self->n_bytes > self->max_bytes + MAX_UNWANTED_BYTES)
    jme_web_client_cut (JME_WEB_CLIENT (user_data));
}

void
jme_body_limit_set (SoupServerMessage *message, JmeWebClient *client, gsize max_bytes)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  goffset length = soup_message_headers_get_content_length (headers);
  BodyLimit *self = g_new0 (BodyLimit, 1);

  self->max_bytes = max_bytes;
  g_object_set_data_full (G_OBJECT (message), KEY, self, g_free);
  g_signal_connect_object (message, "got-chunk", G_CALLBACK (on_got_chunk), client, 0);
  soup_message_body_set_accumulate (soup_server_message_get_request_body (message),
                                    max_bytes > 0);

  if (length > 0 && (guint64) length > max_bytes + MAX_UNWANTED_BYTES)
    jme_web_client_cut (client);
}

/* A body that nobody wants is of no account, whatever its length. */
gboolean
jme_body_limit_is_exceeded (SoupServerMessage *message)
{
  const BodyLimit *self = g_object_get_data (G_OBJECT (message), KEY);

  return self != NULL && self->max_bytes > 0 && self->n_bytes > self->max_bytes;
}
