/* jme-node-ledger.h: the ledger that a node's exporter keeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "host/jm-settings-private.h"
#include "store/jm-ledger.h"

G_BEGIN_DECLS

/* The path of the ledger among the settings. */
#define JME_LEDGER_FILE "ledger.file"

void jme_node_ledger_add_settings (JmSettings *settings);

/* NULL where none is wanted, or none can be had, which is logged. */
JmLedger *jme_node_ledger_open (const JmSettings *settings);

/* Writes what waits, and gives up in time. */
void jme_node_ledger_close (JmLedger *ledger);

G_END_DECLS
