/* bench-references.h: what a sweep is compared with
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "bench-accesses.h"
#include "bench-meter.h"

/* A process of its own that reads the same files and does nothing with them: it has
 * the same number of descriptors left to keep open. */
typedef struct _BenchReferences BenchReferences;

typedef enum
{
  BENCH_REFERENCE_OPENED, /* every file is opened, read and closed */
  BENCH_REFERENCE_KEPT,   /* what the sweep keeps open is kept open, the rest is not */
} BenchReference;

/* @accesses: of BenchAccess. NULL where it could not be started. */
BenchReferences *bench_references_new (GArray *accesses);
void bench_references_free (BenchReferences *self);

BenchCost
bench_references_run (BenchReferences *self, BenchReference which, guint n_repeats);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchReferences, bench_references_free)
