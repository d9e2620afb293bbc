/* jmc-commands.h: the commands of jobmetrics-cli
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Each takes the command line from its own name on, and returns the exit status. */
int jmc_list_main (int argc, char **argv);
int jmc_show_main (int argc, char **argv);
int jmc_ledger_main (int argc, char **argv);
int jmc_top_main (int argc, char **argv);
int jmc_power_main (int argc, char **argv);
int jmc_gpus_main (int argc, char **argv);
int jmc_queue_main (int argc, char **argv);
int jmc_nodes_main (int argc, char **argv);
int jmc_partitions_main (int argc, char **argv);
int jmc_shares_main (int argc, char **argv);
int jmc_history_main (int argc, char **argv);
int jmc_job_main (int argc, char **argv);
int jmc_report_main (int argc, char **argv);
int jmc_compare_main (int argc, char **argv);
int jmc_keep_main (int argc, char **argv);
int jmc_suggest_main (int argc, char **argv);
int jmc_usage_main (int argc, char **argv);
int jmc_waste_main (int argc, char **argv);
int jmc_import_main (int argc, char **argv);
int jmc_store_main (int argc, char **argv);
int jmc_emissions_main (int argc, char **argv);
int jmc_metrics_main (int argc, char **argv);
int jmc_run_main (int argc, char **argv);
int jmc_trace_main (int argc, char **argv);
int jmc_doctor_main (int argc, char **argv);

G_END_DECLS
