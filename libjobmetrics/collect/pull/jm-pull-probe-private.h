/* jm-pull-probe-private.h: whether nodes' ledgers can be read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jm-ledger-client-private.h"

G_BEGIN_DECLS

/* Asks each of @targets, of JmPullTarget, for one record, many at once and for a minute at
 * most. Returns a text `CLUSTER/NODE: REASON` for each that fails, in their order, and
 * sets @n_unasked to how many were not asked in that time. */
GPtrArray *jm_pull_probe (const JmLedgerClient *client,
                          const GPtrArray *targets,
                          guint *n_unasked);

G_END_DECLS
