/* jme-job-parts.h: what a run has parts of, on its page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-answer.h"
#include "store/jm-stored-run.h"

G_BEGIN_DECLS

/* What a report does not have: steps, emission factors, and what the scheduler said of
 * it, as far as there are.
 *
 * - Errors: those of the store. */
gboolean jme_job_parts_append (JmeAnswer *answer,
                               JmStoredRun *run,
                               GPtrArray *parts,
                               GError **error);

G_END_DECLS
