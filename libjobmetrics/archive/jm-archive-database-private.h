/* jm-archive-database-private.h: the archive of a site in a database, and what its
 * tables say of runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "access/jm-viewer-private.h"
#include "archive/jm-archive.h"
#include "archive/jm-run-reader-private.h"
#include "core/jm-figure.h"
#include "core/jm-run-batch-private.h"
#include "judge/jm-run-rules.h"
#include "sql/jm-sql-private.h"

G_BEGIN_DECLS

#define JM_TYPE_ARCHIVE_DATABASE (jm_archive_database_get_type ())

G_DECLARE_FINAL_TYPE (JmArchiveDatabase,
                      jm_archive_database,
                      JM,
                      ARCHIVE_DATABASE,
                      GObject)

JmArchiveDatabase *jm_archive_database_open (const char *uri, GError **error);

JmArchiveDatabase *jm_archive_database_open_for_reading (const char *uri,
                                                         GCancellable *stop,
                                                         GError **error);

gboolean
jm_archive_database_merge (JmArchiveDatabase *self, JmRunBatch *batch, GError **error);

/* Keeps @run, which goes on, from policies on idle runs until @time, seconds since 1970. */
gboolean jm_archive_database_keep (JmArchiveDatabase *self,
                                   JmRun *run,
                                   gint64 time,
                                   GError **error);

char *jm_archive_database_get_position (JmArchiveDatabase *self,
                                        const char *source,
                                        GError **error);

GPtrArray *jm_archive_database_list_runs (JmArchiveDatabase *self,
                                          JmRunFilter *filter,
                                          JmViewer *viewer,
                                          char **next,
                                          GError **error);

/* Lists the runs with most of each of some figures, all of which sort runs, in one
 * reading of all runs of the filter.
 *
 * - Shape: for each figure a list of runs, the greatest first, at most the limit of the
 *   filter; without those of which it is unknown or 0.
 * - Errors: as jm_archive_database_list_runs().
 *
 * Returns: (transfer full): of arrays of JmRun */
GPtrArray *jm_archive_database_list_greatest (JmArchiveDatabase *self,
                                              JmRunFilter *filter,
                                              const char *const *figures,
                                              JmViewer *viewer,
                                              GError **error);

gboolean jm_archive_database_begin_reading (JmArchiveDatabase *self, GError **error);

void jm_archive_database_end_reading (JmArchiveDatabase *self);

JmRun *jm_archive_database_find_run (JmArchiveDatabase *self,
                                     const char *uuid,
                                     JmViewer *viewer,
                                     GError **error);

JmRun *jm_archive_database_find_run_by_key (JmArchiveDatabase *self,
                                            const char *cluster,
                                            const char *raw_id,
                                            gint64 start_time,
                                            JmViewer *viewer,
                                            GError **error);

/* A run may have several 100,000 steps; so many are read at once, the last of all where
 * it is not said which. */
#define JM_ARCHIVE_STEPS_MAX 1000

GPtrArray *jm_archive_database_list_steps (JmArchiveDatabase *self,
                                           JmRun *run,
                                           const JmStepPage *page,
                                           JmViewer *viewer,
                                           GError **error);

GPtrArray *jm_archive_database_list_parts (JmArchiveDatabase *self,
                                           JmRun *run,
                                           JmRunPartKind kind,
                                           JmViewer *viewer,
                                           GError **error);

GPtrArray *jm_archive_database_list_usage (JmArchiveDatabase *self,
                                           JmRunFilter *filter,
                                           JmUsageGroups groups,
                                           JmViewer *viewer,
                                           GError **error);

/* Adds up what runs used between two times, by cluster, user and account: of each run
 * that went on at any moment between them the part that was, by the course in its
 * nodes' records, or else in proportion to the time. It counts as a run whenever it
 * began.
 *
 * - Shape: in no order. @is_whole: whether all such runs were read.
 * - Errors: as jm_archive_database_list_runs(). */
GPtrArray *jm_archive_database_list_usage_between (JmArchiveDatabase *self,
                                                   JmRunFilter *filter,
                                                   JmViewer *viewer,
                                                   gint64 from,
                                                   gint64 to,
                                                   gboolean *is_whole,
                                                   GError **error);

#define JM_RUN_HOUR_SECONDS 3600

typedef enum
{
  JM_RUN_HOUR_CPUS,    /* allocated */
  JM_RUN_HOUR_MEMORY,  /* allocated, bytes */
  JM_RUN_HOUR_GPUS,    /* allocated */
  JM_RUN_HOUR_POWER,   /* of runs with known energy, watts */
  JM_RUN_HOUR_WAITING, /* runs that were submitted and had not begun */
  JM_N_RUN_HOUR_MEANS,
} JmRunHourMean;

/* Means over the hour, of the one that goes on over its past part. A mean is unknown
 * where no run of the hour has its figure. */
typedef struct
{
  gint64 begin; /* seconds since 1970 */
  JmFigure means[JM_N_RUN_HOUR_MEANS];
} JmRunHour;

/* Reads the runs of a cluster that went on or waited between @since, which is the begin
 * of an hour, and @now.
 *
 * - Shape: of JmRunHour, each hour from @since until that of @now. The energy of a run
 *   is spread evenly over its time. *@has_more where there are more than 200,000 of
 *   these runs; the figures are then too low.
 * - Errors: as jm_archive_database_list_runs(). */
GArray *jm_archive_database_list_hours (JmArchiveDatabase *self,
                                        const char *cluster,
                                        gint64 since,
                                        gint64 now,
                                        JmViewer *viewer,
                                        gboolean *has_more,
                                        GError **error);

/* Adds how long the run that is suggested would wait if it were submitted now, by the
 * runs that began in its partition in the last 7 days and that the viewer may see.
 * Nothing is read where too few runs have ended. */
gboolean jm_archive_database_add_waits (JmArchiveDatabase *self,
                                        JmRunSuggestion *suggestion,
                                        JmViewer *viewer,
                                        GError **error);

/* Compares the run of a report with the runs like it that the viewer may see. */
gboolean jm_archive_database_add_siblings (JmArchiveDatabase *self,
                                           JmRunReport *report,
                                           JmViewer *viewer,
                                           GError **error);

/* As jm_archive_list_totals() of what the viewer may see: of the @max runs that began
 * first or some more, and whether there are others.
 *
 * Returns: (transfer full): of JmRunTotals */
GPtrArray *jm_archive_database_list_totals (JmArchiveDatabase *self,
                                            JmRunFilter *filter,
                                            JmUsageGroups groups,
                                            guint max,
                                            JmViewer *viewer,
                                            gboolean *has_more,
                                            GError **error);

char **jm_archive_database_list_states (JmArchiveDatabase *self,
                                        const char *cluster,
                                        const char *raw_id,
                                        JmViewer *viewer,
                                        GError **error);

gboolean jm_archive_database_check_job (JmArchiveDatabase *self,
                                        const char *cluster,
                                        const char *raw_id,
                                        gint64 since,
                                        gint64 until,
                                        JmViewer *viewer,
                                        gboolean *is_seen,
                                        GError **error);

gboolean jm_archive_database_check_uuid (JmArchiveDatabase *self,
                                         const char *uuid,
                                         JmViewer *viewer,
                                         gboolean *is_seen,
                                         GError **error);

/* JmArchiveSite:
 * @managers: what schedulers are called, such as `slurm`, by the cluster that they
 *   manage and whose accounting is read; that of an empty key manages all others
 * @shares_accounts: whether the members of an account see the series of all its runs
 *
 * What a database does not know of its site. */
typedef struct
{
  GHashTable *managers;
  gboolean shares_accounts;
} JmArchiveSite;

/* Lets a viewer see what members of an account see of series. */
void jm_archive_site_share_accounts (const JmArchiveSite *self, JmViewer *viewer);

JmViewer *jm_archive_database_make_viewer (JmArchiveDatabase *self,
                                           const char *user,
                                           const JmArchiveSite *site,
                                           GError **error);

gint64
jm_archive_database_forget (JmArchiveDatabase *self, gint64 before, GError **error);

gboolean jm_archive_database_forget_records (JmArchiveDatabase *self,
                                             gint64 before,
                                             GError **error);

gboolean jm_archive_database_judge (JmArchiveDatabase *self,
                                    JmRunRules *rules,
                                    gboolean *is_done,
                                    GError **error);

gboolean jm_archive_database_vacuum (JmArchiveDatabase *self, GError **error);

gboolean jm_archive_database_check (JmArchiveDatabase *self, GError **error);

gboolean
jm_archive_database_back_up (JmArchiveDatabase *self, const char *path, GError **error);

void jm_archive_database_close (JmArchiveDatabase *self);

/* As jm_sql_set_stop(). */
gboolean jm_archive_database_set_stop (JmArchiveDatabase *self, GCancellable *stop);

/* The store's own; NULL with `UNAVAILABLE` once it is closed. */
JmSql *jm_archive_database_get_sql (JmArchiveDatabase *self, GError **error);

/* Sets the names of the nodes that the site reads now, as jm_run_targets_new() makes
 * them. Until then they are those that have been read. */
void jm_archive_database_set_targets (JmArchiveDatabase *self, GHashTable *targets);

/* These, which no thread changes any more; NULL where none were set or needed yet. */
GHashTable *jm_archive_database_get_targets (JmArchiveDatabase *self);

/* A cluster, user, account or partition that has had runs. Nobody changes it once it is
 * made. */
typedef struct _JmListing JmListing;

#define JM_TYPE_LISTING (jm_listing_get_type ())

GType jm_listing_get_type (void);

JmListing *jm_listing_ref (JmListing *self);

void jm_listing_unref (JmListing *self);

const char *jm_listing_get_name (JmListing *self);

gint64 jm_listing_get_n_runs (JmListing *self);

gint64 jm_listing_get_first_day (JmListing *self);

gint64 jm_listing_get_last_day (JmListing *self);

GPtrArray *jm_archive_database_list_names (JmArchiveDatabase *self,
                                           JmUsageGroups kind,
                                           JmRunFilter *filter,
                                           const char *after,
                                           JmViewer *viewer,
                                           gboolean *has_more,
                                           GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmListing, jm_listing_unref)

/* @JM_RUN_STATISTIC_RUNS: runs that ended
 * @JM_RUN_STATISTIC_COMPLETED: those of them that ended as `COMPLETED`
 * @JM_RUN_STATISTIC_FAILED: as `FAILED`
 * @JM_RUN_STATISTIC_CANCELLED: as `CANCELLED`
 * @JM_RUN_STATISTIC_TIMEOUT: as `TIMEOUT`
 * @JM_RUN_STATISTIC_OUT_OF_MEMORY: as `OUT_OF_MEMORY`
 * @JM_RUN_STATISTIC_NODE_FAIL: as `NODE_FAIL`
 * @JM_RUN_STATISTIC_PREEMPTED: as `PREEMPTED`
 * @JM_RUN_STATISTIC_OTHER: as anything else, or nobody knows
 * @JM_RUN_STATISTIC_WAIT_MEAN: how long they were queued, seconds: from when nothing but
 *   the queue held them back, where that is known, else from their submission
 * @JM_RUN_STATISTIC_WAIT_MIN: the shortest of it
 * @JM_RUN_STATISTIC_WAIT_MEDIAN: the least that is no shorter than half of them
 * @JM_RUN_STATISTIC_WAIT_P90: the least that is no shorter than nine tenths of them
 * @JM_RUN_STATISTIC_WAIT_MAX: the longest of it
 * @JM_RUN_STATISTIC_DURATION_MEAN: how long they ran, seconds
 * @JM_RUN_STATISTIC_DURATION_MIN: the shortest of it
 * @JM_RUN_STATISTIC_DURATION_MEDIAN: the least that is no shorter than half of them
 * @JM_RUN_STATISTIC_DURATION_P90: the least that is no shorter than nine tenths of them
 * @JM_RUN_STATISTIC_DURATION_MAX: the longest of it
 * @JM_RUN_STATISTIC_CPUS: CPUs they were given times how long, seconds
 * @JM_RUN_STATISTIC_CPU_EFFICIENCY: CPU time by that, where both are known
 * @JM_RUN_STATISTIC_CPUS_UNUSED: what of it was not used, where both are known, seconds
 * @JM_RUN_STATISTIC_CPUS_LOST: what of it went into runs that ended as `FAILED`,
 *   `TIMEOUT`, `OUT_OF_MEMORY` or `NODE_FAIL`, seconds
 * @JM_RUN_STATISTIC_MEMORY_EFFICIENCY: most memory used at once by what was given, each
 *   times how long, of runs on one node where both are known
 * @JM_RUN_STATISTIC_MEMORY: memory they were given times how long, byte seconds, in
 *   whole mebibytes
 * @JM_RUN_STATISTIC_MEMORY_UNUSED: what of it is beyond the peak of the fullest node on
 *   each, where that is known
 * @JM_RUN_STATISTIC_GPUS: accelerators they were given times how long, seconds
 * @JM_RUN_STATISTIC_GPUS_UNUSED: what of it was not used, of runs that were judged
 * @JM_RUN_STATISTIC_ENERGY: energy, joules
 * @JM_RUN_STATISTIC_ENERGY_LOST: what of it went into runs that ended so
 * @JM_RUN_STATISTIC_EMISSIONS: CO2 equivalent, grams
 * @JM_RUN_STATISTIC_EMISSIONS_LOST: what of it went into runs that ended so
 *
 * What is reckoned of runs. */
typedef enum
{
  JM_RUN_STATISTIC_RUNS,
  JM_RUN_STATISTIC_COMPLETED,
  JM_RUN_STATISTIC_FAILED,
  JM_RUN_STATISTIC_CANCELLED,
  JM_RUN_STATISTIC_TIMEOUT,
  JM_RUN_STATISTIC_OUT_OF_MEMORY,
  JM_RUN_STATISTIC_NODE_FAIL,
  JM_RUN_STATISTIC_PREEMPTED,
  JM_RUN_STATISTIC_OTHER,
  JM_RUN_STATISTIC_WAIT_MEAN,
  JM_RUN_STATISTIC_WAIT_MIN,
  JM_RUN_STATISTIC_WAIT_MEDIAN,
  JM_RUN_STATISTIC_WAIT_P90,
  JM_RUN_STATISTIC_WAIT_MAX,
  JM_RUN_STATISTIC_DURATION_MEAN,
  JM_RUN_STATISTIC_DURATION_MIN,
  JM_RUN_STATISTIC_DURATION_MEDIAN,
  JM_RUN_STATISTIC_DURATION_P90,
  JM_RUN_STATISTIC_DURATION_MAX,
  JM_RUN_STATISTIC_CPUS,
  JM_RUN_STATISTIC_CPU_EFFICIENCY,
  JM_RUN_STATISTIC_CPUS_UNUSED,
  JM_RUN_STATISTIC_CPUS_LOST,
  JM_RUN_STATISTIC_MEMORY_EFFICIENCY,
  JM_RUN_STATISTIC_MEMORY,
  JM_RUN_STATISTIC_MEMORY_UNUSED,
  JM_RUN_STATISTIC_GPUS,
  JM_RUN_STATISTIC_GPUS_UNUSED,
  JM_RUN_STATISTIC_ENERGY,
  JM_RUN_STATISTIC_ENERGY_LOST,
  JM_RUN_STATISTIC_EMISSIONS,
  JM_RUN_STATISTIC_EMISSIONS_LOST,
} JmRunStatistic;

/* How many JmRunStatistic there are. */
#define JM_N_RUN_STATISTICS (JM_RUN_STATISTIC_EMISSIONS_LOST + 1)

/* Over how long a time runs are reckoned at most: 400 days, in seconds. */
#define JM_RUN_STATISTICS_MAX_PERIOD 34560000

/* How some runs fared together. Nobody changes it once it is made. */
typedef struct _JmRunStatistics JmRunStatistics;

#define JM_TYPE_RUN_STATISTICS (jm_run_statistics_get_type ())

GType jm_run_statistics_get_type (void);

const char *jm_run_statistic_get_name (JmRunStatistic statistic);

JmRunStatistics *jm_run_statistics_ref (JmRunStatistics *self);

void jm_run_statistics_unref (JmRunStatistics *self);

const char *jm_run_statistics_get_group (JmRunStatistics *self, JmUsageGroups group);

gint64 jm_run_statistics_get_day (JmRunStatistics *self);

gboolean jm_run_statistics_get_value (JmRunStatistics *self,
                                      JmRunStatistic statistic,
                                      double *value);

GPtrArray *jm_archive_database_list_statistics (JmArchiveDatabase *self,
                                                JmRunFilter *filter,
                                                gint64 since,
                                                gint64 until,
                                                JmUsageGroups groups,
                                                JmViewer *viewer,
                                                GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunStatistics, jm_run_statistics_unref)

/* The runs of a cluster that ended within a day, by its accounting. */
typedef struct
{
  char *cluster;
  gint64 days_ago;   /* 0 for the day before the time that was asked for */
  gint64 n_ended;    /* that had begun */
  gint64 n_complete; /* of these, with records of the end on all their nodes */
} JmRunCompleteness;

/* For the @n_days before @until, seconds since 1970; a day without runs is left out.
 *
 * - Shape: in the order of clusters, and of @days_ago.
 *
 * Returns: (transfer full): of JmRunCompleteness */
GArray *jm_archive_database_list_completeness (JmArchiveDatabase *self,
                                               gint64 until,
                                               guint n_days,
                                               GError **error);

/* JmArchiveView:
 * @database: what is read
 * @viewer: who reads, and what they may see
 * @user: their name
 * @site: (nullable): whose it is
 *
 * A database as one person may read it. */
typedef struct
{
  JmArchiveDatabase *database;
  JmViewer *viewer;
  const char *user;
  const JmArchiveSite *site;
} JmArchiveView;

/* Its site outlives the archive, which keeps the rest. */
JmArchive *jm_archive_new_for_view (const JmArchiveView *view);

/* What the archive was made for, or opened; NULL for a server. */
const JmArchiveView *jm_archive_get_view (JmArchive *self);

/* In the words of the dialect that @path of jm_archive_ask() is of: why there is no
 * answer, for a status of HTTP; NULL for one without such words, or without a dialect.
 */
GBytes *jm_archive_word_refusal (const char *path, guint status, const char *reason);

G_END_DECLS
