/* jme-server-routes.h: what the server answers, beside its pages
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-settings-private.h"
#include "scrape/jme-dialects.h"
#include "server/jme-archive-intake.h"
#include "server/jme-archive.h"
#include "server/jme-queue.h"
#include "web/jme-router.h"

G_BEGIN_DECLS

/* JmeArchiveHealth:
 * @accounts: what is read
 * @intake: what is written
 * @queue: what schedulers report
 *
 * What the answers on health are about. */
typedef struct
{
  JmeArchive *accounts;
  JmeArchiveIntake *intake;
  JmeQueue *queue;
} JmeArchiveHealth;

/* To everybody whether all is well, to administrators what is not; and administrators
 * have all read anew. For a JmeArchiveHealth. */
extern const JmeRoute jme_archive_health_routes[];

/* What jm_archive_ask() answers; for a JmeArchive. */
extern const JmeRoute jme_questions_routes[];

/* Pages of clusters, accounts, users and partitions; for a JmeArchive. */
extern const JmeRoute jme_names_routes[];

/* Runs in groups, with sums and medians; for a JmeArchive. */
extern const JmeRoute jme_groups_routes[];

/* Waits, durations, efficiencies and what was lost; for a JmeArchive. */
extern const JmeRoute jme_statistics_routes[];

/* Sums of days; for a JmeArchive. */
extern const JmeRoute jme_usage_routes[];

/* Hands questions on that read series of runs alone which who asks may see. */
typedef struct _JmeQueryGuard JmeQueryGuard;

void jme_query_guard_add_settings (JmSettings *settings);

/* @accounts and @dialects outlive it. Returns NULL without an error where
 * --server.prometheus is not set.
 *
 * - Errors: INVALID for a setting; else as jm_secret_read_login(). */
JmeQueryGuard *jme_query_guard_new (const JmSettings *settings,
                                    JmeArchive *accounts,
                                    JmeDialects *dialects,
                                    GError **error);

/* Gives up what is being asked. */
void jme_query_guard_free (JmeQueryGuard *self);

/* For a JmeQueryGuard. */
extern const JmeRoute jme_query_guard_routes[];

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeQueryGuard, jme_query_guard_free)

G_END_DECLS
