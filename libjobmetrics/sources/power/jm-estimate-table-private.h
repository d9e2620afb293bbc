/* jm-estimate-table-private.h: what processors take, by a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-data-private.h"
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
 * file, the group and the key that cannot be meant. */
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

G_END_DECLS
