/* bench-allocations.h: how often memory was asked for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

/* How many blocks the process has asked for so far: malloc() and its kin count where
 * bench-allocations.c is linked into the program, or preloaded. */
guint64 bench_allocations_get (void);

/* Names the file, of eight bytes, in which a preloaded counter counts. */
#define BENCH_ALLOCATIONS_FILE "BENCH_ALLOCATIONS_FILE"
