/* jmc-list.h: jobmetrics-cli list: the jobs of a node as a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

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

int jmc_list_main (int argc, char **argv);

G_END_DECLS
