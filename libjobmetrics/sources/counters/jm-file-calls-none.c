/* jm-file-calls-none.c: no programs for the kernel, without libbpf
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-bpf-private.h"
#include "sources/counters/jm-file-calls-private.h"

JmFileCalls *
jm_file_calls_new (JmHost *host, GError **error)
{
  jm_bpf_prepare (host, error);

  return NULL;
}

/* There is none of either. */
void
jm_file_calls_free (JmFileCalls *self)
{
}

JmFileCount *
jm_file_count_new (JmFileCalls *calls, const char *dir, GError **error)
{
  g_return_val_if_reached (NULL);
}

void
jm_file_count_free (JmFileCount *self)
{
}

gboolean
jm_file_count_read (JmFileCount *self, guint major, guint minor, JmFileSum *sum)
{
  return FALSE;
}

void
jm_file_count_forget (JmFileCount *self, guint major, guint minor)
{
}
