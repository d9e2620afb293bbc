/* jme-log-filter.c: which messages were logged already
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "daemon/jme-log-filter.h"

#define MAX_TOPICS 1024

struct _JmeLogFilter
{
  GHashTable *messages; /* of char *: the last message, by topic */
};

JmeLogFilter *
jme_log_filter_new (void)
{
  JmeLogFilter *self = g_new0 (JmeLogFilter, 1);

  self->messages = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return self;
}

void
jme_log_filter_free (JmeLogFilter *self)
{
  g_hash_table_unref (self->messages);
  g_free (self);
}

/**
 * jme_log_filter_is_new:
 * @self: which messages were logged
 * @topic: what the message is about, such as a collector's name
 * @message: the message
 *
 * Remembers the last message of each topic, of 1024 topics at most: past that it
 * starts anew and a message may be logged twice.
 *
 * Returns: whether the topic's last message was another one
 */
gboolean
jme_log_filter_is_new (JmeLogFilter *self, const char *topic, const char *message)
{
  if (g_strcmp0 (g_hash_table_lookup (self->messages, topic), message) == 0)
    return FALSE;

  if (g_hash_table_size (self->messages) >= MAX_TOPICS)
    g_hash_table_remove_all (self->messages);
  g_hash_table_replace (self->messages, g_strdup (topic), g_strdup (message));

  return TRUE;
}

/**
 * jme_log_filter_forget:
 * @self: which messages were logged
 * @topic: what works again, so that its next failure is new
 */
void
jme_log_filter_forget (JmeLogFilter *self, const char *topic)
{
  g_hash_table_remove (self->messages, topic);
}
