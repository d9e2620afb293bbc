/* jme-intake-state.h: how far the intake is with histories and with records of nodes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/import/jm-intake-private.h"
#include "archive/jm-archive-database-private.h"
#include "base/jm-json-writer-private.h"
#include "expose/jm-metric-selection.h"
#include "expose/jm-text-writer-private.h"

G_BEGIN_DECLS

typedef struct
{
  const char *specification; /* the settings' */
  JmHistory *history;        /* NULL while it cannot be opened */
  gint64 success_us;         /* when it was read to its end last; 0 for never */
  char *problem;             /* why it could not be read the last time, or NULL */
} JmeHistoryReading;

/* The cluster that a history's specification names; NULL where it has none. */
char *jme_history_get_cluster (const char *specification);

/* Reads what is new. The outcome is taken by the other, under the caller's lock. */
gboolean jme_history_reading_run (JmeHistoryReading *self,
                                  JmIntake *intake,
                                  GCancellable *cancellable,
                                  GError **error);
void jme_history_reading_take_outcome (JmeHistoryReading *self, const GError *error);

/* One for each, as jme_peer_append() has it. */
void jme_history_reading_append_samples (const JmeHistoryReading *readings,
                                         guint n_readings,
                                         JmTextWriter *writer);
void jme_history_reading_append_state (const JmeHistoryReading *self,
                                       JmJsonWriter *json);

/* The member `last_success_time`; null for 0. */
void jme_history_reading_append_success (JmJsonWriter *json, gint64 time_us);

void jme_history_reading_clear (JmeHistoryReading *self);

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
