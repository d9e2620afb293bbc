/* jme-accounts.h: the archive of a site, for requests that come at once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-archive-database.h"
#include "archive/tsdb/jm-tsdb.h"
#include "judge/jm-run-rules.h"
#include "server/jme-accounts-intake.h"
#include "web/jme-identity.h"

G_BEGIN_DECLS

/* Hands out stores, each for one thread; may be asked by several. */
typedef struct _JmeAccounts JmeAccounts;

void jme_accounts_add_settings (JmSettings *settings);

/* @uri is as jm_archive_database_open() has it; @identity tells who asks, and outlives this. */
JmeAccounts *jme_accounts_new (const char *uri, const JmeIdentityConfig *identity);
void jme_accounts_free (JmeAccounts *self);

const JmeIdentityConfig *jme_accounts_get_identity (JmeAccounts *self);

/* Where single runs' series are; none without it. @settings outlive this. */
void jme_accounts_set_settings (JmeAccounts *self, const JmSettings *settings);

/* Who knows which nodes are read; it outlives all requests. */
void jme_accounts_set_intake (JmeAccounts *self, JmeAccountsIntake *intake);

/* What runs are judged by; they outlive all requests. */
void jme_accounts_set_rules (JmeAccounts *self, JmRunRules *rules);
JmRunRules *jme_accounts_get_rules (JmeAccounts *self);

/* As jm_run_gap_explain(). */
char *jme_accounts_explain_gap (JmeAccounts *self, JmRun *run);

/* Hides what the accounting of a cluster does not have, where one is read. */
void jme_accounts_hold_to_accounting (JmeAccounts *self, JmViewer *viewer);

/* Lets the members of an account see the series of all its runs, where that is set. */
void jme_accounts_share_accounts (JmeAccounts *self, JmViewer *viewer);

/* As jme_accounts_fill_make_tsdb(). */
JmTsdb *jme_accounts_make_tsdb (JmeAccounts *self, GError **error);

/* One that is read alone, for jme_accounts_give_back() when it has not failed. */
JmArchiveDatabase *jme_accounts_take_store (JmeAccounts *self, GError **error);
void jme_accounts_give_back (JmeAccounts *self, JmArchiveDatabase *store);

/* Closes those that were given back, once another of them has failed. */
void jme_accounts_close_idle (JmeAccounts *self);

G_END_DECLS
