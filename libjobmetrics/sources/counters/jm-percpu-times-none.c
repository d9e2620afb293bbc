/* jm-percpu-times-none.c: no programs for the kernel, without libbpf
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-bpf-private.h"
#include "sources/counters/jm-percpu-times-private.h"

JmPercpuTimes *
jm_percpu_times_new (JmHost *host, const char *dir, GError **error)
{
  jm_bpf_prepare (host, error);

  return NULL;
}

/* There is none. */
void
jm_percpu_times_free (JmPercpuTimes *self)
{
}

gboolean
jm_percpu_times_add (JmPercpuTimes *self, guint64 inode, guint *place, GError **error)
{
  g_return_val_if_reached (FALSE);
}

void
jm_percpu_times_remove (JmPercpuTimes *self, guint64 inode, guint place)
{
}

gboolean
jm_percpu_times_read (JmPercpuTimes *self, GError **error)
{
  g_return_val_if_reached (FALSE);
}

guint
jm_percpu_times_get_n_cpus (JmPercpuTimes *self)
{
  g_return_val_if_reached (0);
}

const guint64 *
jm_percpu_times_get (JmPercpuTimes *self, guint place)
{
  g_return_val_if_reached (NULL);
}
