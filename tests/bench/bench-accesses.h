/* bench-accesses.h: which files one sweep reads
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

typedef enum
{
  BENCH_ACCESS_READ,
  BENCH_ACCESS_LIST,
  BENCH_ACCESS_SIZE,
  BENCH_ACCESS_LINK,
} BenchAccessKind;

/* One file of which something is read. */
typedef struct
{
  BenchAccessKind kind;
  char *path;
  guint n_reads;    /* pread() or getdents64() in one sweep, the one that ends it too */
  gboolean is_kept; /* through a descriptor that was open before the sweep */
} BenchAccess;

/* What the library reads from now on, until it is stopped. For this the program is
 * linked so that the library's calls go through the functions here. */
void bench_accesses_start (void);

/* Returns: of BenchAccess, in the order of the first read; @missing are the
 * paths that could not be opened. */
GArray *bench_accesses_stop (GPtrArray **missing);
