/* jm-cpu-seat-private.h: which package and die a CPU is on
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/* A die's number is its own within its package. */
typedef struct
{
  guint64 package;
  guint64 die; /* 0 where the kernel knows none: before Linux 5.1 */
} JmCpuSeat;

gboolean jm_cpu_seat_read (JmCpuSeat *self, JmHost *host, guint cpu, GError **error);

/* Whether the processors have one energy counter for each package, however many dies
 * the kernel knows there: those of AMD and of its licensee Hygon. */
gboolean jm_cpu_counts_by_package (JmHost *host);

G_END_DECLS
