/* jm-run-filter.h: which runs of a site are wanted, and in which order
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JM_RUN_FILTER_MAX_LIMIT:
 *
 * How many runs a page has at most.
 *
 * Since: 0.1
 */
#define JM_RUN_FILTER_MAX_LIMIT 1000

/**
 * JmRunFilter:
 *
 * Which runs to list: by default all, the last to end first, a hundred at once.
 *
 * Since: 0.1
 */
typedef struct _JmRunFilter JmRunFilter;

#define JM_TYPE_RUN_FILTER (jm_run_filter_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_run_filter_get_type (void);

JM_AVAILABLE_IN_ALL
JmRunFilter *jm_run_filter_new (void);

JM_AVAILABLE_IN_ALL
JmRunFilter *jm_run_filter_copy (JmRunFilter *self);

JM_AVAILABLE_IN_ALL
void jm_run_filter_free (JmRunFilter *self);

JM_AVAILABLE_IN_ALL
void jm_run_filter_set_cluster (JmRunFilter *self, const char *cluster);

JM_AVAILABLE_IN_ALL
void jm_run_filter_set_users (JmRunFilter *self, const char *const *users);

JM_AVAILABLE_IN_ALL
void jm_run_filter_set_accounts (JmRunFilter *self, const char *const *accounts);

JM_AVAILABLE_IN_ALL
void jm_run_filter_set_partition (JmRunFilter *self, const char *partition);

JM_AVAILABLE_IN_ALL
void jm_run_filter_set_states (JmRunFilter *self, const char *const *states);

JM_AVAILABLE_IN_ALL
gboolean jm_run_filter_set_verdicts (JmRunFilter *self,
                                     const char *const *kinds,
                                     GError **error);

JM_AVAILABLE_IN_ALL
void jm_run_filter_set_job (JmRunFilter *self, const char *job);

JM_AVAILABLE_IN_ALL
void jm_run_filter_set_name (JmRunFilter *self, const char *name);

JM_AVAILABLE_IN_ALL
void jm_run_filter_set_name_pattern (JmRunFilter *self, const char *pattern);

JM_AVAILABLE_IN_ALL
void jm_run_filter_set_node (JmRunFilter *self, const char *node);

JM_AVAILABLE_IN_ALL
void jm_run_filter_set_has_energy (JmRunFilter *self, gboolean has_energy);

JM_AVAILABLE_IN_ALL
void jm_run_filter_set_uuid (JmRunFilter *self, const char *uuid);

JM_AVAILABLE_IN_ALL
void jm_run_filter_set_period (JmRunFilter *self, gint64 since, gint64 until);

JM_AVAILABLE_IN_ALL
void jm_run_filter_set_started_since (JmRunFilter *self, gint64 since);

JM_AVAILABLE_IN_ALL
gboolean jm_run_filter_set_sort (JmRunFilter *self, const char *sort, GError **error);

JM_AVAILABLE_IN_ALL
void jm_run_filter_set_limit (JmRunFilter *self, guint limit);

JM_AVAILABLE_IN_ALL
gboolean
jm_run_filter_set_cursor (JmRunFilter *self, const char *cursor, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunFilter, jm_run_filter_free)

G_END_DECLS
