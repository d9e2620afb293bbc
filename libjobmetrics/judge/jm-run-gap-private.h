/* jm-run-gap-private.h: why a run lacks records of its nodes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run.h"

G_BEGIN_DECLS

/* Why a site has no record of @node about a run of @cluster that ended at @end_time,
 * such as "its ledger cannot be read"; NULL where nobody knows. The text is static. */
typedef const char *(*JmNodeReasonFunc) (const char *cluster,
                                         const char *node,
                                         gint64 end_time,
                                         gpointer data);

/* Explains in a sentence why the records of a run that ended are not complete. Its
 * parts of the kind %JM_RUN_PART_KIND_NODE must have been read.
 *
 * Returns: (nullable) (transfer full): the sentence; NULL where all are there, and of a
 * run that has not begun or not ended */
char *jm_run_gap_explain (JmRun *run, JmNodeReasonFunc func, gpointer data);

G_END_DECLS
