/* jm-job-store.h: the accounts of a site's runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "access/jm-viewer.h"
#include "archive/jm-run-filter.h"
#include "core/jm-run-batch.h"
#include "core/jm-usage.h"

G_BEGIN_DECLS

#define JM_TYPE_JOB_STORE (jm_job_store_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmJobStore, jm_job_store, JM, JOB_STORE, GObject)

JM_AVAILABLE_IN_ALL
JmJobStore *jm_job_store_open (const char *uri, GError **error);

JM_AVAILABLE_IN_ALL
JmJobStore *jm_job_store_open_for_reading (const char *uri, GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_job_store_merge (JmJobStore *self, JmRunBatch *batch, GError **error);

JM_AVAILABLE_IN_ALL
char *jm_job_store_get_position (JmJobStore *self, const char *source, GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_job_store_list_runs (JmJobStore *self,
                                   JmRunFilter *filter,
                                   JmViewer *viewer,
                                   char **next,
                                   GError **error);

JM_AVAILABLE_IN_ALL
JmStoredRun *jm_job_store_find_run (JmJobStore *self,
                                    const char *uuid,
                                    JmViewer *viewer,
                                    GError **error);

JM_AVAILABLE_IN_ALL
JmStoredRun *jm_job_store_find_run_by_key (JmJobStore *self,
                                           const char *cluster,
                                           const char *raw_id,
                                           gint64 start_time,
                                           JmViewer *viewer,
                                           GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_job_store_list_parts (JmJobStore *self,
                                    JmStoredRun *run,
                                    JmRunPartKind kind,
                                    JmViewer *viewer,
                                    GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_job_store_list_usage (JmJobStore *self,
                                    JmRunFilter *filter,
                                    JmUsageGroups groups,
                                    JmViewer *viewer,
                                    GError **error);

JM_AVAILABLE_IN_ALL
char **jm_job_store_list_states (JmJobStore *self,
                                 const char *cluster,
                                 const char *raw_id,
                                 JmViewer *viewer,
                                 GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_job_store_check_job (JmJobStore *self,
                                 const char *cluster,
                                 const char *raw_id,
                                 gint64 since,
                                 gint64 until,
                                 JmViewer *viewer,
                                 gboolean *is_seen,
                                 GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_job_store_check_uuid (JmJobStore *self,
                                  const char *uuid,
                                  JmViewer *viewer,
                                  gboolean *is_seen,
                                  GError **error);

JM_AVAILABLE_IN_ALL
JmViewer *jm_job_store_make_viewer (JmJobStore *self, const char *user, GError **error);

JM_AVAILABLE_IN_ALL
gint64 jm_job_store_forget (JmJobStore *self, gint64 before, GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_job_store_forget_records (JmJobStore *self, gint64 before, GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_job_store_vacuum (JmJobStore *self, GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_job_store_check (JmJobStore *self, GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_job_store_back_up (JmJobStore *self, const char *path, GError **error);

JM_AVAILABLE_IN_ALL
void jm_job_store_close (JmJobStore *self);

G_END_DECLS
