/* jmc-columns.h: which columns a list has, and in which order its lines are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-field.h"
#include "expose/jm-metric-selection.h"
#include "report/jm-table.h"

G_BEGIN_DECLS

/* Columns of lists of jobs, unless others are asked for. */
#define JMC_LIST_OTHER_COLUMNS                                                         \
 "user,account,name,state,cpus,cpu_time,eff,mem,peak,mem_limit,procs,threads,age"
#define JMC_LIST_COLUMNS "jobid," JMC_LIST_OTHER_COLUMNS
/* Those that the ledger may know of a past time. */
#define JMC_LIST_COLUMNS_OF_MOMENT                                                     \
 "jobid,user,account,name,cpus,cpus_used,mem,mem_limit,threads,age"
#define JMC_LIST_COLUMNS_OF_STEPS "jobid,step," JMC_LIST_OTHER_COLUMNS
/* These are shown where they are known of some job. */
#define JMC_LIST_COLUMNS_OF_ENERGY "energy,co2"
#define JMC_LIST_COLUMNS_OF_SOURCES "watts"
#define JMC_LIST_COLUMNS_OF_GPUS "devices,gpu,gpu_mem"

/* A column for each metric of jobs that is selected, but for those that are there. */
void jmc_columns_add_metrics (JmTable *table, JmMetricSelection *selection);

/* Of a table of jobs: the fields that are its columns, of const JmField. */
GPtrArray *jmc_columns_list_fields (JmTable *table);

/* What --columns=help prints: all that a table's columns may be, a line for each. */
char *jmc_columns_describe (JmTable *table);

typedef struct _JmcOrder JmcOrder;

JmcOrder *jmc_order_parse (const char *text, GError **error);
void jmc_order_free (JmcOrder *self);
void jmc_order_add_collectors (const JmcOrder *self, JmCollectorSet *collectors);
void jmc_order_add_fields (const JmcOrder *self, GPtrArray *fields);
void jmc_order_sort (const JmcOrder *self, JmSnapshot *snapshot, GArray *jobs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcOrder, jmc_order_free)

G_END_DECLS
