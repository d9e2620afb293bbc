/* bench-bare-store.h: bare inserts of what a site's archive keeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"

G_BEGIN_DECLS

/* A file with the columns of runs and of steps and nothing else: no key but the run's
 * number, no index, no sum. What it costs is the least that the same bytes can. */
typedef struct _BenchBareStore BenchBareStore;

BenchBareStore *bench_bare_store_new (const char *path);
void bench_bare_store_free (BenchBareStore *self);

void bench_bare_store_begin (BenchBareStore *self);
void bench_bare_store_commit (BenchBareStore *self);

/* The steps are those of the run that was inserted last. */
void bench_bare_store_insert_run (BenchBareStore *self, const JmRun *run);
void bench_bare_store_insert_step (BenchBareStore *self, const JmRunPart *step);

G_END_DECLS
