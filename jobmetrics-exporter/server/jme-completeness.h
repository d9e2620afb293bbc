/* jme-completeness.h: how many runs of the accounting have the records of their nodes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-archive-database-private.h"
#include "base/jm-json-writer-private.h"
#include "base/jm-text-writer-private.h"
#include "expose/jm-metric-selection.h"

G_BEGIN_DECLS

/* Measured in one thread, and read by any. */
typedef struct _JmeCompleteness JmeCompleteness;

JmeCompleteness *jme_completeness_new (void);
void jme_completeness_free (JmeCompleteness *self);

/* Counts runs of the accounting that ended within a week, but in the last hour: until
 * then their records may be under way. Within five minutes they are not counted again.
 */
gboolean jme_completeness_measure (JmeCompleteness *self,
                                   JmArchiveDatabase *store,
                                   GError **error);

/* Those of the last of these days. */
void jme_completeness_append_figures (JmeCompleteness *self,
                                      JmMetricSelection *selection,
                                      JmTextWriter *writer);
gboolean jme_completeness_match_figures (const char *pattern);

/* All days. */
void jme_completeness_append_state (JmeCompleteness *self, JmJsonWriter *json);

G_END_DECLS
