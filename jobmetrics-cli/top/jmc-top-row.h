/* jmc-top-row.h: a job, step, task, executable or process as top shows it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "core/jm-snapshot.h"
#include "top/jmc-top-column.h"

G_BEGIN_DECLS

typedef enum
{
  JMC_TOP_JOB,
  JMC_TOP_STEP,
  JMC_TOP_TASK,
  JMC_TOP_EXECUTABLE,
  JMC_TOP_PROCESS,
} JmcTopKind;

/* What only grows, and is shown by how fast it does. */
typedef enum
{
  JMC_TOP_COUNTER_CPU,
  JMC_TOP_COUNTER_READ,
  JMC_TOP_COUNTER_WRITE,
  JMC_TOP_COUNTER_PROCESS_READ,
  JMC_TOP_COUNTER_PROCESS_WRITE,
  JMC_TOP_COUNTER_CPU_PRESSURE,
  JMC_TOP_COUNTER_MEMORY_PRESSURE,
  JMC_TOP_COUNTER_IO_PRESSURE,
} JmcTopCounter;

#define JMC_TOP_N_COUNTERS (JMC_TOP_COUNTER_IO_PRESSURE + 1)

/* JmcTopRow:
 * @kind: what the row is about
 * @key: the same in every sweep, and no other row's
 * @texts: the words, by column, safe for a terminal; NULL where unknown
 * @figures: the figures, by column; those of words are unknown
 * @counters: what rates are made of
 * @rates: how fast these grow, where one snapshot has that, as one of a past time does
 * @read_us: when that was read, by a clock that never jumps
 * @has_ended: whether these are a job's last figures
 * @is_listed: whether a job's processes are among its parts
 * @parent: the row that it is a part of, or NULL
 * @children: of JmcTopRow, in the order in which they are shown */
typedef struct _JmcTopRow JmcTopRow;
struct _JmcTopRow
{
  JmcTopKind kind;
  char *key;
  char *texts[JMC_TOP_N_TEXTS];
  JmFigure figures[JMC_TOP_N_COLUMNS];
  JmFigure counters[JMC_TOP_N_COUNTERS];
  JmFigure rates[JMC_TOP_N_COUNTERS];
  gint64 read_us;
  gboolean has_ended;
  gboolean is_listed;
  const JmcTopRow *parent;
  GPtrArray *children;
};

GPtrArray *jmc_top_row_list (JmSnapshot *snapshot, gint64 now_us);
JmcTopRow *jmc_top_row_add_part (JmcTopRow *self,
                                 JmcTopKind kind,
                                 const char *name,
                                 const char *label,
                                 gint64 now_us);
void jmc_top_row_set_rates (JmcTopRow *self, GHashTable *earlier, JmFigure allocated);
void jmc_top_row_add_to (JmcTopRow *self, GHashTable *rows);
void
jmc_top_row_sort_parts (JmcTopRow *self, JmcTopColumn column, gboolean is_reversed);
int jmc_top_row_compare (const JmcTopRow *a,
                         const JmcTopRow *b,
                         JmcTopColumn column,
                         gboolean is_reversed);
gboolean jmc_top_row_matches (const JmcTopRow *self, const char *folded);

G_END_DECLS
