/* jme-archive-intake.h: reads what schedulers report into the archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-json-writer-private.h"
#include "base/jm-settings-private.h"
#include "base/jm-text-writer-private.h"
#include "expose/jm-metric-selection.h"
#include "judge/jm-run-rules.h"

G_BEGIN_DECLS

/* A thread that writes the store, which nobody else does. */
typedef struct _JmeAccountsIntake JmeArchiveIntake;

void jme_archive_intake_add_settings (JmSettings *settings);

/* Which histories are read; NULL where none is. */
const char *const *jme_archive_intake_get_histories (const JmSettings *settings);

/* - Errors: `INVALID` for an invalid history. */
JmeArchiveIntake *
jme_archive_intake_new (const JmSettings *settings, const char *uri, GError **error);

/* The rules by which it judges runs; to be set before it begins. */
void jme_archive_intake_set_rules (JmeArchiveIntake *self, JmRunRules *rules);

/* Begins, and goes on until it is freed. */
void jme_archive_intake_start (JmeArchiveIntake *self);

/* Has all read soon instead of at the next interval: 10 seconds after the last time, or
 * at once where that is longer ago. For any thread. */
void jme_archive_intake_hurry (JmeArchiveIntake *self);

/* Reads all once, in the caller's thread. FALSE where some of it cannot be read: that
 * is logged. */
gboolean jme_archive_intake_run_once (JmeArchiveIntake *self);

/* NULL when all was read; else a sentence, what is amiss. */
char *jme_archive_intake_describe_lack (JmeArchiveIntake *self);

/* Which nodes cannot be read, which keeps nobody from being served; NULL for none. */
char *jme_archive_intake_describe_failed_nodes (JmeArchiveIntake *self);

/* A JmNodeReasonFunc. */
const char *jme_archive_intake_explain_node (const char *cluster,
                                             const char *node,
                                             gint64 end_time,
                                             gpointer self);

/* Adds histories and the time series database, as JmePeerState. */
void jme_archive_intake_list_peers (JmeArchiveIntake *self, GPtrArray *peers);

/* Samples of when each node's ledger was read to its end last. */
void jme_archive_intake_append_nodes (JmeArchiveIntake *self, JmTextWriter *writer);

/* Members of a JSON object, in detail: what was read when, and what is amiss, without
 * the peers. */
void jme_archive_intake_append_state (JmeArchiveIntake *self, JmJsonWriter *json);

void jme_archive_intake_append_figures (JmeArchiveIntake *self,
                                        JmMetricSelection *selection,
                                        JmTextWriter *writer);
gboolean jme_archive_intake_match_figures (const char *pattern);

/* Waits for what is being stored. */
void jme_archive_intake_free (JmeArchiveIntake *self);

G_END_DECLS
