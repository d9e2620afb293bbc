/* jm-archive.h: a site's store of runs, as one person may read it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "archive/jm-run-filter.h"
#include "core/jm-run.h"
#include "core/jm-usage.h"
#include "judge/jm-price-list.h"
#include "judge/jm-run-report.h"
#include "judge/jm-run-suggestion.h"
#include "judge/jm-site-carbon.h"

G_BEGIN_DECLS

/**
 * JM_ARCHIVE_GROUP_COLUMNS:
 *
 * What jm_archive_list_groups() knows of a group beside its names, as columns of
 * jm_table_new_of_sums().
 *
 * Since: 0.1
 */
#define JM_ARCHIVE_GROUP_COLUMNS                                                       \
 "runs,median_elapsed_seconds,allocated_cpu_seconds,cpu_unused_seconds,"               \
 "median_cpu_efficiency_percent,allocated_memory_byte_seconds,"                        \
 "memory_unused_byte_seconds,median_memory_share_percent,allocated_gpu_seconds,"       \
 "gpu_unused_seconds,energy_joules"

#define JM_TYPE_ARCHIVE (jm_archive_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_INTERFACE (JmArchive, jm_archive, JM, ARCHIVE, GObject)

/**
 * JmRunFunc:
 * @run: a run
 * @user_data: what the caller gave
 *
 * Takes a run.
 *
 * Since: 0.1
 */
typedef void (*JmRunFunc) (JmRun *run, gpointer user_data);

/**
 * JmArchiveInterface:
 * @get_name: what messages call it
 * @get_user: whose runs are one's own there
 * @get_url: where its pages are, without a `/` at its end, or %NULL
 * @list_runs: a new array of #JmRun: a page of at most @limit, behind @cursor; sets
 *   @next where there are more
 * @list_usage: a new array of #JmUsage: sums, as one may see them
 * @find_run: one run with its parts, but for its records; %JM_ERROR_ABSENT where there
 *   is none
 * @list_records: a new array of #JmJobRecord: the records of a run's nodes, as far as
 *   they are kept
 * @list_series: a new array of #JmTsdbSeries: its course over time, as far as a time
 *   series database has it
 * @refresh: has the archive read soon what happened just now
 * @ask: hands a question of jm_archive_ask() on, whose parameters end with %NULL
 * @keep_run: keeps a run from policies on idle runs
 * @suggest: has a server make a suggestion, which knows nothing of a job without runs
 * @list_statistics: as jm_archive_list_statistics(), with both ends of the period
 *
 * A database, or a server over HTTP. The last six may be left out.
 *
 * Since: 0.1
 */
struct _JmArchiveInterface
{
  GTypeInterface parent_iface;

  const char *(*get_name) (JmArchive *self);
  const char *(*get_user) (JmArchive *self);
  const char *(*get_url) (JmArchive *self);
  GPtrArray *(*list_runs) (JmArchive *self,
                           JmRunFilter *filter,
                           guint limit,
                           const char *cursor,
                           char **next,
                           GCancellable *cancellable,
                           GError **error);
  GPtrArray *(*list_usage) (JmArchive *self,
                            JmRunFilter *filter,
                            JmUsageGroups groups,
                            GCancellable *cancellable,
                            GError **error);
  JmRun *(*find_run) (JmArchive *self,
                      const char *uuid,
                      GCancellable *cancellable,
                      GError **error);
  GPtrArray *(*list_records) (JmArchive *self,
                              JmRun *run,
                              GCancellable *cancellable,
                              GError **error);
  GPtrArray *(*list_series) (JmArchive *self,
                             JmRun *run,
                             GCancellable *cancellable,
                             GError **error);
  gboolean (*refresh) (JmArchive *self, GCancellable *cancellable, GError **error);
  GBytes *(*ask) (JmArchive *self,
                  const char *path,
                  const char *const *parameters,
                  GBytes *body,
                  GCancellable *cancellable,
                  GError **error);
  gboolean (*keep_run) (JmArchive *self,
                        const char *uuid,
                        guint seconds,
                        GCancellable *cancellable,
                        GError **error);
  JmRunSuggestion *(*suggest) (JmArchive *self,
                               const char *user,
                               const char *cluster,
                               const char *name,
                               double confidence,
                               GCancellable *cancellable,
                               GError **error);
  GVariant *(*list_statistics) (JmArchive *self,
                                JmRunFilter *filter,
                                JmUsageGroups groups,
                                GCancellable *cancellable,
                                GError **error);

  gpointer padding[4];
};

JM_AVAILABLE_IN_ALL
JmArchive *jm_archive_open (const char *place,
                            const char *login_file,
                            const char *ca_file,
                            GError **error);

JM_AVAILABLE_IN_ALL
const char *jm_archive_get_user (JmArchive *self);

JM_AVAILABLE_IN_ALL
const char *jm_archive_get_url (JmArchive *self);

JM_AVAILABLE_IN_ALL
gboolean jm_archive_read_runs (JmArchive *self,
                               JmRunFilter *filter,
                               guint max,
                               JmRunFunc func,
                               gpointer user_data,
                               GCancellable *cancellable,
                               GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_archive_list_runs (JmArchive *self,
                                 JmRunFilter *filter,
                                 guint max,
                                 GCancellable *cancellable,
                                 GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_archive_list_usage (JmArchive *self,
                                  JmRunFilter *filter,
                                  JmUsageGroups groups,
                                  GCancellable *cancellable,
                                  GError **error);

JM_AVAILABLE_IN_ALL
GVariant *jm_archive_list_statistics (JmArchive *self,
                                      JmRunFilter *filter,
                                      JmUsageGroups groups,
                                      GCancellable *cancellable,
                                      GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_run_totals_list_quantities (void);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_archive_list_totals (JmArchive *self,
                                   JmRunFilter *filter,
                                   JmUsageGroups groups,
                                   JmPriceList *prices,
                                   GCancellable *cancellable,
                                   GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_archive_list_groups (JmArchive *self,
                                   JmRunFilter *filter,
                                   JmUsageGroups groups,
                                   guint max,
                                   const char *sort,
                                   gboolean *has_more,
                                   GCancellable *cancellable,
                                   GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_archive_list_budgets (JmArchive *self,
                                    JmPriceList *prices,
                                    gint64 now,
                                    GCancellable *cancellable,
                                    GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_archive_list_carbon (JmArchive *self,
                                   JmRunFilter *filter,
                                   JmUsageGroups groups,
                                   JmSiteCarbon *site,
                                   GCancellable *cancellable,
                                   GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_archive_list_fitting (JmArchive *self,
                                    JmRunFilter *filter,
                                    guint *n_waiting,
                                    GCancellable *cancellable,
                                    GError **error);

JM_AVAILABLE_IN_ALL
JmRun *jm_archive_find_run (JmArchive *self,
                            const char *uuid,
                            GCancellable *cancellable,
                            GError **error);

JM_AVAILABLE_IN_ALL
JmRun *jm_archive_find_job (JmArchive *self,
                            const char *job,
                            const char *cluster,
                            guint *n_runs,
                            GCancellable *cancellable,
                            GError **error);

JM_AVAILABLE_IN_ALL
JmRunReport *jm_archive_read_report (JmArchive *self,
                                     const char *uuid,
                                     GCancellable *cancellable,
                                     GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_archive_add_series (JmArchive *self,
                                JmRunReport *report,
                                GCancellable *cancellable,
                                GError **error);

JM_AVAILABLE_IN_ALL
JmRunSuggestion *jm_archive_suggest (JmArchive *self,
                                     const char *user,
                                     const char *cluster,
                                     const char *name,
                                     double confidence,
                                     GCancellable *cancellable,
                                     GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_archive_add_siblings (JmArchive *self,
                                  JmRunReport *report,
                                  GCancellable *cancellable,
                                  GError **error);

JM_AVAILABLE_IN_ALL
gboolean
jm_archive_refresh (JmArchive *self, GCancellable *cancellable, GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_archive_keep_run (JmArchive *self,
                              const char *uuid,
                              guint seconds,
                              GCancellable *cancellable,
                              GError **error);

JM_AVAILABLE_IN_ALL
GBytes *jm_archive_ask (JmArchive *self,
                        const char *path,
                        const char *const *parameters,
                        GBytes *body,
                        GCancellable *cancellable,
                        GError **error);

G_END_DECLS
