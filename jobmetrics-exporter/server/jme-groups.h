/* jme-groups.h: runs of a site by user, account, name, partition or cluster
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-answer.h"
#include "server/jme-archive-query.h"

G_BEGIN_DECLS

/* As jm_archive_list_groups() by what the key `by` of @query names, of the last 5,000
 * runs. */
GPtrArray *jme_groups_list (JmeAnswer *self,
                            const JmeArchiveQuery *query,
                            const char *sort,
                            gboolean *has_more,
                            GError **error);

G_END_DECLS
