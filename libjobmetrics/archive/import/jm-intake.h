/* jm-intake.h: what sources tell of runs, into a site's archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/jm-archive-database.h"
#include "schedulers/jm-history.h"

G_BEGIN_DECLS

#define JM_TYPE_INTAKE (jm_intake_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmIntake, jm_intake, JM, INTAKE, GObject)

JM_AVAILABLE_IN_ALL
JmIntake *jm_intake_new (JmArchiveDatabase *store);

JM_AVAILABLE_IN_ALL
JmHistory *jm_intake_open_history (const char *specification, GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_intake_read_history (JmIntake *self,
                                 JmHistory *history,
                                 GCancellable *cancellable,
                                 GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_intake_merge (JmIntake *self, JmRunBatch *batch, GError **error);

JM_AVAILABLE_IN_ALL
guint64 jm_intake_get_n_runs (JmIntake *self);

JM_AVAILABLE_IN_ALL
guint64 jm_intake_get_n_refused (JmIntake *self);

G_END_DECLS
