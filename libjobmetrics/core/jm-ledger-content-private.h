/* jm-ledger-content-private.h: a record as a few KiB
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-record.h"

G_BEGIN_DECLS

/* JSON, deflated.
 *
 * - Errors: `UNAVAILABLE` for what would not be read again, as it is too large. */
GBytes *jm_ledger_content_pack (JmJobRecord *record, GError **error);

/* The record, at that position.
 *
 * - Errors: `MALFORMED`, with @name. */
JmJobRecord *jm_ledger_content_unpack (GBytes *content,
                                       guint64 position,
                                       const char *name,
                                       GError **error);

G_END_DECLS
