/* jm-examine-exporter-private.h: what running exporters know of ledgers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "doctor/jm-doctor.h"

G_BEGIN_DECLS

/* Asks the exporter behind a local socket what nobody sees from without: whether it can
 * write its ledger, and whether it gave up records.
 *
 * Returns: of JmFinding; empty where all is well, and where nobody answers */
GPtrArray *jm_doctor_examine_exporter (const char *socket);

/* Asks the server behind a local socket which nodes it cannot read, which it tells
 * administrators and root alone.
 *
 * Returns: as the one before */
GPtrArray *jm_doctor_examine_server (const char *socket);

G_END_DECLS
