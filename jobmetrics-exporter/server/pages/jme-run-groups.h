/* jme-run-groups.h: runs of a page by user, account, name, partition or cluster
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-answer.h"
#include "server/jme-archive-query.h"

G_BEGIN_DECLS

/* Sums and medians of the last runs that the filter of @query has, by what its `by` names.
 *
 * - Errors: those of the store. */
gboolean
jme_run_groups_append (JmeAnswer *answer, const JmeArchiveQuery *query, GError **error);

G_END_DECLS
