/* jme-said.c: what has been said already need not be said again
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jme-said.h"

#define MAX_TOPICS 1024

struct _JmeSaid
{
  GHashTable *messages; /* of char *: the last message, by topic */
};

JmeSaid *
jme_said_new (void)
{
  JmeSaid *self = g_new0 (JmeSaid, 1);

  self->messages = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return self;
}

void
jme_said_free (JmeSaid *self)
{
  g_hash_table_unref (self->messages);
  g_free (self);
}

/**
 * jme_said_is_news:
 * @self: what has been said
 * @topic: what the message is about, such as a collector's name
 * @message: the message
 *
 * Remembers the last message of each topic, of 1024 topics at most: past that it
 * starts anew and a message may be said twice.
 *
 * Returns: whether the topic's last message was another one
 */
gboolean
jme_said_is_news (JmeSaid *self, const char *topic, const char *message)
{
  if (g_strcmp0 (g_hash_table_lookup (self->messages, topic), message) == 0)
    return FALSE;

  if (g_hash_table_size (self->messages) >= MAX_TOPICS)
    g_hash_table_remove_all (self->messages);
  g_hash_table_replace (self->messages, g_strdup (topic), g_strdup (message));

  return TRUE;
}

/**
 * jme_said_forget:
 * @self: what has been said
 * @topic: what works again, so that its next failure is news
 */
void
jme_said_forget (JmeSaid *self, const char *topic)
{
  g_hash_table_remove (self->messages, topic);
}
