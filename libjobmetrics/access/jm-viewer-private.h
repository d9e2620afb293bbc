/* jm-viewer-private.h: what may be seen, in the query itself
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "sql/jm-sql-query-private.h"

G_BEGIN_DECLS

/* Who asks an accounting database, and what they may see: nothing, until they are let.
 * The database itself applies it to every row. */
typedef struct _JmViewer JmViewer;

#define JM_TYPE_VIEWER (jm_viewer_get_type ())

GType jm_viewer_get_type (void);

JmViewer *jm_viewer_new (void);

JmViewer *jm_viewer_new_for_all (void);

JmViewer *jm_viewer_copy (JmViewer *self);

void jm_viewer_free (JmViewer *self);

void jm_viewer_let_own (JmViewer *self, const char *cluster, guint uid);

void jm_viewer_let_account (JmViewer *self, const char *cluster, const char *account);

void jm_viewer_let_cluster (JmViewer *self, const char *cluster);

/* Of how many clusters they see all. */
guint jm_viewer_count_clusters (JmViewer *self);

void jm_viewer_hold_to_accounting (JmViewer *self, const char *cluster);

gboolean jm_viewer_sees_all (JmViewer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmViewer, jm_viewer_free)

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
