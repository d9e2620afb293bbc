/* jme-ledger-status.h: how the ledger fares, for who keeps the node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "node/jme-node-ledger.h"
#include "web/jme-request.h"

G_BEGIN_DECLS

/* Answers with what is known without a look at the disk, which may hang. */
void jme_ledger_status_answer (const JmeNodeLedger *ledger, JmeRequest *request);

G_END_DECLS
