/* jme-queue.h: what becomes of each job, read into the archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-settings-private.h"
#include "base/jm-text-writer-private.h"
#include "expose/jm-metric-selection.h"
#include "schedulers/jm-scheduler-report.h"

G_BEGIN_DECLS

/* Asks schedulers for their jobs, each in a thread of its own. */
typedef struct _JmeQueue JmeQueue;

void jme_queue_add_settings (JmSettings *settings);

/* @uri is as jm_archive_database_open() has it.
 *
 * - Errors: `INVALID` for an invalid scheduler. */
JmeQueue *jme_queue_new (const JmSettings *settings, const char *uri, GError **error);

/* Begins, and goes on until it is freed. */
void jme_queue_start (JmeQueue *self);

/* NULL when each was asked well the last time; else a sentence, what is amiss. */
char *jme_queue_describe_lack (JmeQueue *self);

/* Adds each scheduler about each topic, as JmePeerState. */
void jme_queue_list_peers (JmeQueue *self, GPtrArray *peers);

void jme_queue_append_figures (JmeQueue *self,
                               JmMetricSelection *selection,
                               JmTextWriter *writer);
gboolean jme_queue_match_figures (const char *pattern);

/* JmeQueueNews:
 * @cluster: (nullable): of whom; %NULL while the scheduler could not be asked
 * @reports: (nullable): the last report of each topic
 * @age_us: how old that is
 * @problem: (nullable): why it reported nothing newer of its jobs
 *
 * What one scheduler reported last. */
typedef struct
{
  char *cluster;
  JmSchedulerReport *reports[JM_N_SCHEDULER_TOPICS];
  gint64 age_us[JM_N_SCHEDULER_TOPICS];
  char *problem;
} JmeQueueNews;

/* Of each scheduler, in the order of the settings: of JmeQueueNews. For any thread. */
GPtrArray *jme_queue_list_news (JmeQueue *self);

void jme_queue_free (JmeQueue *self);

G_END_DECLS
