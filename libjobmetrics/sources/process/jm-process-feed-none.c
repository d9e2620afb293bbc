/* jm-process-feed-none.c: the kernel reports nothing by itself, without BPF
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-bpf-private.h"
#include "sources/process/jm-process-feed-private.h"

JmProcessFeed *
jm_process_feed_new (JmHost *host, GError **error)
{
  jm_bpf_prepare (host, error);

  return NULL;
}

void
jm_process_feed_free (JmProcessFeed *self)
{
}

gboolean
jm_process_feed_read (JmProcessFeed *self, GError **error)
{
  g_return_val_if_reached (FALSE);
}

void
jm_process_feed_add_cgroup (JmProcessFeed *self, guint64 inode, guint group)
{
}

gboolean
jm_process_feed_list_cgroup (JmProcessFeed *self, guint64 inode, JmReadings *readings)
{
  return FALSE;
}

gboolean
jm_process_feed_find (JmProcessFeed *self, guint pid, JmFedProcess *process)
{
  return FALSE;
}

const char *
jm_process_feed_find_executable (JmProcessFeed *self, guint pid)
{
  return NULL;
}

guint
jm_process_feed_next_thread (JmProcessFeed *self, guint thread, JmFedThread *told)
{
  g_return_val_if_reached (0);
}

gboolean
jm_process_feed_take_end (JmProcessFeed *self,
                          guint pid,
                          guint64 starttime_ticks,
                          JmFedEnd *end)
{
  return FALSE;
}

void
jm_process_feed_take_ends (JmProcessFeed *self, JmFedEndFunc func, gpointer user_data)
{
}

guint64
jm_process_feed_get_n_lost (JmProcessFeed *self)
{
  return 0;
}
