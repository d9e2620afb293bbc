/* bench-record.c: what a steady sweep reads
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "bench-record.h"

#include "registry/jm-registry.h"

#define PAUSE_US 500000
#define MIN_WARM_UPS (BENCH_SETTLE_US / PAUSE_US - 2)
#define MAX_WARM_UPS (BENCH_SETTLE_US / PAUSE_US)

JmNode *
bench_record_open_node (JmSubjectKind level, gboolean uses_bpf)
{
  g_autoptr (GError) error = NULL;
  JmNode *node = g_initable_new (JM_TYPE_NODE, NULL, &error, "level", level,
                                 "node-name", g_getenv ("BENCH_NODE"),
                                 "threads-interval", 0, "process-bpf", uses_bpf, NULL);

  if (node == NULL)
    g_error ("%s", error->message);

  return node;
}

gboolean
bench_record_runs_bpf (JmNode *node)
{
  g_autoptr (GPtrArray) sources = jm_node_list_sources (node);

  for (guint i = 0; i < sources->len; i++)
    if (jm_source_info_get_kind (sources->pdata[i]) == JM_SOURCE_KIND_PROCESSES &&
        g_str_equal (jm_source_info_get_name (sources->pdata[i]), "bpf") &&
        jm_source_info_get_state (sources->pdata[i]) == JM_SOURCE_STATE_WORKING)
      return TRUE;

  return FALSE;
}

void
bench_record_sweep (gpointer node)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSnapshot) snapshot = jm_node_sample (node, NULL, &error);

  if (snapshot == NULL)
    g_error ("%s", error->message);
}

static BenchRecord
record_sweep (JmNode *node)
{
  BenchRecord record;

  bench_accesses_start ();
  bench_record_sweep (node);
  record.accesses = bench_accesses_stop (&record.missing);

  return record;
}

BenchRecord
bench_record_steady_sweep (JmNode *node)
{
  BenchRecord record = record_sweep (node);

  for (guint i = 0; i < MAX_WARM_UPS; i++)
    {
      BenchRecord last = record;
      gboolean is_steady;

      g_usleep (PAUSE_US);
      record = record_sweep (node);
      is_steady =
        record.accesses->len == last.accesses->len && record.missing->len == 0;
      bench_record_clear (&last);
      if (is_steady && i >= MIN_WARM_UPS)
        break;
    }

  return record;
}

void
bench_record_clear (BenchRecord *self)
{
  g_array_unref (self->accesses);
  g_ptr_array_unref (self->missing);
}
