/* jm-viewer-private.h: what may be seen, in the query itself
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "access/jm-viewer.h"
#include "sql/jm-sql-query-private.h"

G_BEGIN_DECLS

/* A condition on the columns `cluster_id`, `uid` and `account` of the rows. */
void jm_viewer_append_condition (JmViewer *self, JmSqlQuery *query);

/* Whether a row of runs is one that the accounting of its cluster has, if that is read.
 */
void jm_viewer_append_accounted (JmViewer *self, JmSqlQuery *query);

/* Lets them see also the runs of each account in which the accounting has one of
 * theirs.
 */
void jm_viewer_share_accounts (JmViewer *self);

/* Both, for rows of runs of the table `run`. */
void jm_viewer_append_run_condition (JmViewer *self, JmSqlQuery *query);

G_END_DECLS
