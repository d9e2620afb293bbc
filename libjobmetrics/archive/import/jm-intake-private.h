/* jm-intake-private.h: what sources have of runs, into a site's archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/jm-archive-database-private.h"
#include "schedulers/jm-history-private.h"

G_BEGIN_DECLS

#define JM_TYPE_INTAKE (jm_intake_get_type ())

G_DECLARE_FINAL_TYPE (JmIntake, jm_intake, JM, INTAKE, GObject)

JmIntake *jm_intake_new (JmArchiveDatabase *store);

JmHistory *jm_intake_open_history (const char *specification, GError **error);

gboolean jm_intake_check_history (const char *specification, GError **error);

gboolean jm_intake_read_history (JmIntake *self,
                                 JmHistory *history,
                                 GCancellable *cancellable,
                                 GError **error);

gboolean jm_intake_merge (JmIntake *self, JmRunBatch *batch, GError **error);

guint64 jm_intake_get_n_runs (JmIntake *self);

guint64 jm_intake_get_n_refused (JmIntake *self);

guint64 jm_intake_get_n_unread (JmIntake *self);

G_END_DECLS
