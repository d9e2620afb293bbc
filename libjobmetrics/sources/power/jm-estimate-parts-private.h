/* jm-estimate-parts-private.h: what power is estimated from
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-data-private.h"
#include "host/jm-host.h"
#include "host/jm-topology-private.h"
#include "sources/power/jm-cpu-model-private.h"

G_BEGIN_DECLS

/* The bounds of all watts here, also of those that an administrator sets. */
#define JM_ESTIMATE_MAX_WATTS 1000.0

typedef struct
{
  double idle_watts_per_core;
  double busy_watts_per_core;
  double watts_per_gib;
  guint threads_per_core;
} JmEstimateRow;

/* Finds the row of @cpu; that of the group @name if it is not NULL. INVALID names the
 * file, the group and the key that are invalid. */
gboolean jm_estimate_table_find (const JmDataFile *table,
                                 const char *name,
                                 const JmCpuModel *cpu,
                                 JmEstimateRow *row,
                                 GError **error);

/* The same in a text that was read from @path. */
gboolean jm_estimate_table_find_in (const char *path,
                                    const char *text,
                                    gsize length,
                                    const char *name,
                                    const JmCpuModel *cpu,
                                    JmEstimateRow *row,
                                    GError **error);

/* Fills @shares with the part of the memory that each of @packages, by their numbers,
 * has, as the kernel's NUMA nodes have it: 1 in all. @seats, of JmCpuSeat, say on which
 * a node's CPUs are. What has no CPUs, such as memory behind CXL, goes the same ways;
 * where nothing is known all have as much. */
void jm_memory_share_read (JmHost *host,
                           const GArray *seats,
                           const guint64 *packages,
                           guint n_packages,
                           double *shares);

/* The kilobytes of a node's `meminfo`. */
gboolean jm_memory_share_parse (const char *text, gsize length, guint64 *kib);

/* Sums over time what its packages take: while idle by time, while busy by CPU time. */
typedef struct _JmEstimateModel JmEstimateModel;

/* @seats, of JmCpuSeat, may be empty: there is then one package of @n_cpus cores. */
JmEstimateModel *jm_estimate_model_new (const GArray *seats, guint n_cpus);
void jm_estimate_model_free (JmEstimateModel *self);

/* Whether a core is seen to have more than one thread. */
gboolean jm_estimate_model_shows_threads (const JmEstimateModel *self);

void jm_estimate_model_set_watts (JmEstimateModel *self,
                                  double idle_watts_per_core,
                                  double busy_watts_per_core);

/* Goes on to @now_us of a monotonic clock. @busy_ticks, of guint64, is for how long
 * each CPU was busy up to now; what it was before the first call does not count. */
void
jm_estimate_model_step (JmEstimateModel *self, const GArray *busy_ticks, gint64 now_us);

guint jm_estimate_model_count_packages (const JmEstimateModel *self);
/* The number that the machine has for it. */
guint64 jm_estimate_model_get_package (const JmEstimateModel *self, guint i);
guint64 jm_estimate_model_get_energy_uj (const JmEstimateModel *self, guint i);
double jm_estimate_model_get_seconds (const JmEstimateModel *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEstimateModel, jm_estimate_model_free)

G_END_DECLS
