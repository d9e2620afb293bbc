/* jm-cgroup-memory-stat.c: what a job's memory consists of, not too often
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-memory-stat-private.h"

/* The kernel makes it in a buffer of one page, of which it fills about half. */
#define TEXT_MAX 16384

static gboolean
is_fresh (const JmCgroupMemoryStat *self, gint64 now_us, guint interval_ms)
{
  return self->read_us != 0 && now_us - self->read_us < (gint64) interval_ms * 1000;
}

/* Reads memory.stat again where the last figures are older than the interval. What
 * cannot be read is not known any more. */
void
jm_cgroup_memory_stat_refresh (JmCgroupMemoryStat *self,
                               JmCgroupFile *file,
                               JmCgroupSweep *sweep,
                               const JmFlatKey *keys,
                               guint n_keys,
                               gint64 now_us,
                               guint interval_ms)
{
  char text[TEXT_MAX];
  gssize length;

  if (is_fresh (self, now_us, interval_ms))
    return;

  g_assert (n_keys <= JM_CGROUP_FIGURES_MAX);
  self->found = 0;
  self->read_us = 0;

  length = jm_cgroup_file_read (file, sweep, text, sizeof text);
  if (length < 0)
    return;

  self->read_us = now_us;
  if (!jm_flat_order_parse (&self->order, text, (gsize) length, keys, n_keys,
                            self->values, &self->found))
    jm_cgroup_file_report (file, sweep, "not lines of a key and a number",
                           (JmSlice){ text, (gsize) length });
}

/* Adds the figure of one key, if it was there. */
void
jm_cgroup_memory_stat_add (const JmCgroupMemoryStat *self,
                           JmCgroupSweep *sweep,
                           guint index,
                           JmMetric metric)
{
  if (self->found & (G_GUINT64_CONSTANT (1) << index))
    jm_readings_add (sweep->readings, metric, self->values[index]);
}
