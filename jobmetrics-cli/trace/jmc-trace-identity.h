/* jmc-trace-identity.h: of which job a traced command is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "store/jm-trace-record-private.h"

G_BEGIN_DECLS

/* Fills in who @record is of: @job where it is given, else what the scheduler left in
 * the environment. Returns FALSE where there is no job, or @job is no number of one. */
gboolean jmc_trace_identity_fill (JmTraceRecord *record, const char *job);

/* Where the exporter is, as @text or the environment says: with a scheme and a path. */
char *jmc_trace_identity_find_url (const char *text);

G_END_DECLS
