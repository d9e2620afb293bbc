/* jm-job-selection.h: which jobs are meant
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-collector-set.h"
#include "core/jm-filter.h"
#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/**
 * JmJobState:
 * @JM_JOB_STATE_ANY: running or ended
 * @JM_JOB_STATE_RUNNING: has not ended
 * @JM_JOB_STATE_ENDED: has ended, and is on display for a while
 *
 * In which state jobs are meant to be.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_JOB_STATE_ANY,
  JM_JOB_STATE_RUNNING,
  JM_JOB_STATE_ENDED,
} JmJobState;

#define JM_TYPE_JOB_SELECTION (jm_job_selection_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmJobSelection, jm_job_selection, JM, JOB_SELECTION, GObject)

JM_AVAILABLE_IN_ALL
JmJobSelection *jm_job_selection_new (void);

JM_AVAILABLE_IN_ALL
void jm_job_selection_set_users (JmJobSelection *self, const char *const *users);

JM_AVAILABLE_IN_ALL
void jm_job_selection_set_accounts (JmJobSelection *self, const char *const *accounts);

JM_AVAILABLE_IN_ALL
void jm_job_selection_set_state (JmJobSelection *self, JmJobState state);

JM_AVAILABLE_IN_ALL
void jm_job_selection_set_filter (JmJobSelection *self, JmFilter *filter);

JM_AVAILABLE_IN_ALL
gboolean jm_job_selection_is_everything (JmJobSelection *self);

JM_AVAILABLE_IN_ALL
void jm_job_selection_add_collectors (JmJobSelection *self, JmCollectorSet *collectors);

JM_AVAILABLE_IN_ALL
gboolean
jm_job_selection_has (JmJobSelection *self, JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
GArray *jm_job_selection_list (JmJobSelection *self, JmSnapshot *snapshot);

G_END_DECLS
