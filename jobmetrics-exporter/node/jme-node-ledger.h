/* jme-node-ledger.h: the ledger that a node's exporter keeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-settings-private.h"
#include "base/jm-text-writer-private.h"
#include "expose/jm-metric-selection.h"
#include "node/jm-node.h"
#include "node/ledger/jm-ledger.h"

G_BEGIN_DECLS

/* The path of the ledger among the settings. */
#define JME_LEDGER_FILE "ledger.file"

/* What pages say where there is none. */
#define JME_LEDGER_NONE "404: this daemon keeps no ledger (--ledger.file)\n"

/* JmeNodeLedger:
 * @path: (nullable): where it is; none is wanted without
 * @ledger: (nullable): none is wanted, or none could be had
 * @error: (nullable): why the one of the settings could not be had, even where another
 *   is in its place
 * @tried_us: when that was
 * @stored_fd: of the checkpoint that the service manager kept; -1 for none
 *
 * The ledger of a node. */
typedef struct
{
  char *path;
  JmLedger *ledger;
  GError *error;
  gint64 tried_us;
  int stored_fd;
} JmeNodeLedger;

void jme_node_ledger_add_settings (JmSettings *settings);

/* Takes what the service manager kept, before there are sockets and children. */
void jme_node_ledger_init (JmeNodeLedger *self);

/* Has @node keep a ledger. That none can be had is logged. */
void
jme_node_ledger_open (JmeNodeLedger *self, JmNode *node, const JmSettings *settings);

/* Metrics where none can be had: the sweeps say nothing of it then. */
void jme_node_ledger_append_lack (JmMetricSelection *selection,
                                  JmTextWriter *writer,
                                  gpointer user_data);

/* Writes what waits, and gives up in time. */
void jme_node_ledger_close (JmeNodeLedger *self, gint64 timeout_us);

G_END_DECLS
