/* jme-archive.h: the archive of a site, for requests that come at once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-archive-database-private.h"
#include "archive/tsdb/jm-tsdb-fill-private.h"
#include "judge/jm-run-rules.h"
#include "server/jme-archive-intake.h"
#include "web/jme-identity.h"

G_BEGIN_DECLS

/* Hands out stores, each for one thread; may be asked by several. */
typedef struct _JmeAccounts JmeArchive;

void jme_archive_add_settings (JmSettings *settings);

/* @uri is as jm_archive_database_open() has it; @identity says who asks, and outlives
 * this. */
JmeArchive *jme_archive_new (const char *uri, const JmeIdentityConfig *identity);
void jme_archive_free (JmeArchive *self);

const JmeIdentityConfig *jme_archive_get_identity (JmeArchive *self);

/* Where single runs' series are, and what is read of which cluster; neither is known
 * without it. @settings outlive this. */
void jme_archive_set_settings (JmeArchive *self, const JmSettings *settings);

/* What is known of the site beside its runs. */
const JmArchiveSite *jme_archive_get_site (JmeArchive *self);

/* Who knows which nodes are read; it outlives all requests. */
void jme_archive_set_intake (JmeArchive *self, JmeArchiveIntake *intake);

/* What runs are judged by; they outlive all requests. */
void jme_archive_set_rules (JmeArchive *self, JmRunRules *rules);
JmRunRules *jme_archive_get_rules (JmeArchive *self);

/* As jm_run_gap_explain(). */
char *jme_archive_explain_gap (JmeArchive *self, JmRun *run);

/* As jme_archive_fill_make_tsdb(). */
JmTsdb *jme_archive_make_tsdb (JmeArchive *self, GError **error);

/* One that is read alone, for jme_archive_give_back() when it has not failed. @stop ends
 * what is read. */
JmArchiveDatabase *
jme_archive_take_store (JmeArchive *self, GCancellable *stop, GError **error);
void jme_archive_give_back (JmeArchive *self, JmArchiveDatabase *store);

/* Notes in the store that the owner of @run keeps it until @time. */
gboolean jme_archive_keep (JmeArchive *self, JmRun *run, gint64 time, GError **error);

/* Whether @user (NULL for root) may read a whole table now, which takes long: one at a
 * time, and few users at once. jme_archive_end_table() ends it. */
gboolean jme_archive_begin_table (JmeArchive *self, const char *user);
void jme_archive_end_table (JmeArchive *self, const char *user);

/* Closes those that were given back, once another of them has failed. */
void jme_archive_close_idle (JmeArchive *self);

G_END_DECLS
