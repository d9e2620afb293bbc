/* jmc-top-column.h: the columns of top
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-text-table-private.h"
#include "core/jm-figure.h"
#include "core/jm-quantity-private.h"

G_BEGIN_DECLS

/* From left to right; the words come first. */
typedef enum
{
  JMC_TOP_ID,
  JMC_TOP_USER,
  JMC_TOP_ACCOUNT,
  JMC_TOP_NAME,
  JMC_TOP_CPUS,
  JMC_TOP_CPU_PERCENT,
  JMC_TOP_CPU_TIME,
  JMC_TOP_MEMORY,
  JMC_TOP_PEAK,
  JMC_TOP_LIMIT,
  JMC_TOP_MEMORY_PERCENT,
  JMC_TOP_READ_RATE,
  JMC_TOP_WRITE_RATE,
  JMC_TOP_PROCESSES,
  JMC_TOP_THREADS,
  JMC_TOP_PRESSURE,
  JMC_TOP_GPU_PERCENT,
  JMC_TOP_GPU_MEMORY,
  JMC_TOP_WATTS,
  JMC_TOP_ENERGY,
  JMC_TOP_AGE,
} JmcTopColumn;

#define JMC_TOP_N_TEXTS (JMC_TOP_NAME + 1)
#define JMC_TOP_N_COLUMNS (JMC_TOP_AGE + 1)

/* JmcTopColumnInfo:
 * @width: cells that it needs at least
 * @rank: columns of a higher one go first where a line is too short, those of the same
 *   together
 * @shorten: makes a narrower text of a figure than its format does, or NULL */
typedef struct
{
  JmQuantityId quantity;
  guint width;
  guint rank;
  char *(*shorten) (double value);
} JmcTopColumnInfo;

const JmcTopColumnInfo *jmc_top_column_get_info (JmcTopColumn column);
const char *jmc_top_column_get_title (JmcTopColumn column);
JmTextAlign jmc_top_column_get_align (JmcTopColumn column);
gboolean jmc_top_column_from_name (const char *name, guint *column);
char *jmc_top_column_format (JmcTopColumn column, JmFigure figure);
char *jmc_top_column_list_titles (void);

G_END_DECLS
