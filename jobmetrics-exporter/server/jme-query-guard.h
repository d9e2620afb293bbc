/* jme-query-guard.h: a time series database, of which users see their own runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "host/jm-settings-private.h"
#include "scrape/jme-dialects.h"
#include "server/jme-accounts.h"
#include "web/jme-router.h"

G_BEGIN_DECLS

/* Hands questions on that read series of runs alone which who asks may see. */
typedef struct _JmeQueryGuard JmeQueryGuard;

void jme_query_guard_add_settings (JmSettings *settings);

/* @accounts and @dialects outlive it. Returns NULL without an error where
 * --server.prometheus is not set.
 *
 * - Errors: INVALID for a setting; else as jm_secret_file_read_login(). */
JmeQueryGuard *jme_query_guard_new (const JmSettings *settings,
                                    JmeAccounts *accounts,
                                    JmeDialects *dialects,
                                    GError **error);

/* Gives up what is being asked. */
void jme_query_guard_free (JmeQueryGuard *self);

/* For a JmeQueryGuard. */
extern const JmeRoute jme_query_guard_routes[];

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeQueryGuard, jme_query_guard_free)

G_END_DECLS
