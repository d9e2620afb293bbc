/* jm-archive-database.h: the archive of a site's runs
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

#define JM_TYPE_ARCHIVE_DATABASE (jm_archive_database_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmArchiveDatabase,
                      jm_archive_database,
                      JM,
                      ARCHIVE_DATABASE,
                      GObject)

JM_AVAILABLE_IN_ALL
JmArchiveDatabase *jm_archive_database_open (const char *uri, GError **error);

JM_AVAILABLE_IN_ALL
JmArchiveDatabase *jm_archive_database_open_for_reading (const char *uri,
                                                         GError **error);

JM_AVAILABLE_IN_ALL
gboolean
jm_archive_database_merge (JmArchiveDatabase *self, JmRunBatch *batch, GError **error);

JM_AVAILABLE_IN_ALL
char *jm_archive_database_get_position (JmArchiveDatabase *self,
                                        const char *source,
                                        GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_archive_database_list_runs (JmArchiveDatabase *self,
                                          JmRunFilter *filter,
                                          JmViewer *viewer,
                                          char **next,
                                          GError **error);

JM_AVAILABLE_IN_ALL
JmRun *jm_archive_database_find_run (JmArchiveDatabase *self,
                                     const char *uuid,
                                     JmViewer *viewer,
                                     GError **error);

JM_AVAILABLE_IN_ALL
JmRun *jm_archive_database_find_run_by_key (JmArchiveDatabase *self,
                                            const char *cluster,
                                            const char *raw_id,
                                            gint64 start_time,
                                            JmViewer *viewer,
                                            GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_archive_database_list_parts (JmArchiveDatabase *self,
                                           JmRun *run,
                                           JmRunPartKind kind,
                                           JmViewer *viewer,
                                           GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_archive_database_list_usage (JmArchiveDatabase *self,
                                           JmRunFilter *filter,
                                           JmUsageGroups groups,
                                           JmViewer *viewer,
                                           GError **error);

JM_AVAILABLE_IN_ALL
char **jm_archive_database_list_states (JmArchiveDatabase *self,
                                        const char *cluster,
                                        const char *raw_id,
                                        JmViewer *viewer,
                                        GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_archive_database_check_job (JmArchiveDatabase *self,
                                        const char *cluster,
                                        const char *raw_id,
                                        gint64 since,
                                        gint64 until,
                                        JmViewer *viewer,
                                        gboolean *is_seen,
                                        GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_archive_database_check_uuid (JmArchiveDatabase *self,
                                         const char *uuid,
                                         JmViewer *viewer,
                                         gboolean *is_seen,
                                         GError **error);

JM_AVAILABLE_IN_ALL
JmViewer *jm_archive_database_make_viewer (JmArchiveDatabase *self,
                                           const char *user,
                                           GError **error);

JM_AVAILABLE_IN_ALL
gint64
jm_archive_database_forget (JmArchiveDatabase *self, gint64 before, GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_archive_database_forget_records (JmArchiveDatabase *self,
                                             gint64 before,
                                             GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_archive_database_vacuum (JmArchiveDatabase *self, GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_archive_database_check (JmArchiveDatabase *self, GError **error);

JM_AVAILABLE_IN_ALL
gboolean
jm_archive_database_back_up (JmArchiveDatabase *self, const char *path, GError **error);

JM_AVAILABLE_IN_ALL
void jm_archive_database_close (JmArchiveDatabase *self);

G_END_DECLS
