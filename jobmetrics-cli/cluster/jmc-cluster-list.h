/* jmc-cluster-list.h: jobmetrics-cli queue, nodes, partitions, shares
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jmc_queue_main (int argc, char **argv);
int jmc_nodes_main (int argc, char **argv);
int jmc_partitions_main (int argc, char **argv);
int jmc_shares_main (int argc, char **argv);

G_END_DECLS
