/* bench-exporter.h: an exporter that is watched from outside
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

#include "bench-meter.h"

typedef struct _BenchExporter BenchExporter;

/* Starts @program for the node that BENCH_NODE names, perhaps with one more option, and
 * waits until it has swept it. NULL where that fails: it says why itself. */
BenchExporter *
bench_exporter_new (const char *program, double interval_s, const char *option);
void bench_exporter_free (BenchExporter *self);

/* What it has cost so far; the wall time is that of a clock. */
BenchCost bench_exporter_get_cost (BenchExporter *self);
guint64 bench_exporter_get_resident_kib (BenchExporter *self);
guint64 bench_exporter_get_sleeps (BenchExporter *self);
pid_t bench_exporter_get_pid (BenchExporter *self);

/* Scrapes it plainly, or as Prometheus does: as OpenMetrics, packed. Returns: the size
 * of the answer in bytes, 0 where there is none. */
gsize bench_exporter_scrape (BenchExporter *self, gboolean as_prometheus);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchExporter, bench_exporter_free)
