/* jm-memory-share-private.h: how much of a machine's memory is each socket's
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/* Fills @shares with the part of the memory that each of @packages, by their numbers,
 * has, as the kernel's NUMA nodes tell it: 1 in all. @seats, of JmCpuSeat, say on which
 * a node's CPUs are. What has no CPUs, such as memory behind CXL, goes the same ways;
 * where nothing is told all have as much. */
void jm_memory_share_read (JmHost *host,
                           const GArray *seats,
                           const guint64 *packages,
                           guint n_packages,
                           double *shares);

/* The kilobytes of a node's `meminfo`. */
gboolean jm_memory_share_parse (const char *text, gsize length, guint64 *kib);

G_END_DECLS
