/* jm-usage-window.c: what runs used between two times
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-archive-database-private.h"
#include "archive/jm-run-filter-private.h"
#include "archive/jm-usage-change-private.h"
#include "core/jm-job-profile-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "core/jm-run-record-private.h"
#include "core/jm-usage-private.h"

#define MILLION 1000000
/* Runs that are read for one answer. */
#define MAX_RUNS 100000

typedef struct
{
  JmArchiveDatabase *store;
  JmViewer *viewer;
  gint64 from;
  gint64 to;
  GPtrArray *usages;   /* of JmUsage */
  GHashTable *by_name; /* the same, by cluster, user and account */
} Window;

/* A part of a run's totals. */
typedef struct
{
  double time;
  double cpu;
  double energy;
} Shares;

/* --- whose --- */

static const char *
get_text (JmRun *run, JmRunField field)
{
  const char *text = jm_run_peek_text (run, field);

  return text != NULL ? text : "";
}

static JmUsage *
take_usage (Window *self, JmRun *run)
{
  const char *cluster = jm_run_get_cluster (run);
  const char *user = get_text (run, JM_RUN_FIELD_USER);
  const char *account = get_text (run, JM_RUN_FIELD_ACCOUNT);
  g_autofree char *name = g_strjoin ("\n", cluster, user, account, NULL);
  JmUsage *usage = g_hash_table_lookup (self->by_name, name);

  if (usage != NULL)
    return usage;
  usage = jm_usage_new ();
  usage->cluster = g_strdup (cluster);
  usage->user = g_strdup (user);
  usage->account = g_strdup (account);
  g_ptr_array_add (self->usages, usage);
  g_hash_table_insert (self->by_name, g_steal_pointer (&name), usage);

  return usage;
}

/* --- how much --- */

/* What the profiles have of a series between the times, as a part of all that they
 * have; @otherwise where one of them does not have it. The last point is as long as the
 * run. */
static double
find_share (GPtrArray *records,
            JmProfileSeries series,
            gint64 from_us,
            gint64 to_us,
            gint64 end_us,
            double otherwise)
{
  double inside = 0, all = 0;

  for (guint i = 0; i < records->len; i++)
    {
      JmJobProfile *profile = jm_job_record_get_profile (records->pdata[i]);
      guint n_points = 0;
      const JmProfilePoint *points =
        profile != NULL ? jm_job_profile_get_points (profile, series, &n_points) : NULL;

      if (points == NULL)
        return otherwise;
      for (guint k = 0; k < n_points; k++)
        {
          const gint64 interval_us = jm_job_profile_get_interval (profile);
          const gint64 begin_us =
            jm_job_profile_get_begin_time (profile) + (gint64) k * interval_us;
          const gint64 length_us = CLAMP (end_us - begin_us, 1, interval_us);
          const gint64 part_us =
            MIN (to_us, begin_us + length_us) - MAX (from_us, begin_us);

          all += (double) points[k].sum;
          inside +=
            (double) points[k].sum * (double) MAX (part_us, 0) / (double) length_us;
        }
    }

  return all > 0 ? inside / all : otherwise;
}

static GPtrArray *
read_records (Window *self, JmRun *run, GError **error)
{
  g_autoptr (GPtrArray) parts =
    jm_archive_database_list_parts (self->store, run, JM_RUN_PART_KIND_RECORD,
                                    self->viewer, error);

  for (guint i = 0; parts != NULL && i < parts->len; i++)
    jm_run_add_part (run, parts->pdata[i]);

  return parts != NULL ? jm_run_record_unpack_all (run) : NULL;
}

/* Of a run that is not in the window as a whole the records of its nodes say how much
 * it did in it. */
static gboolean
find_shares (Window *self,
             JmRun *run,
             gint64 start,
             gint64 until,
             Shares *shares,
             GError **error)
{
  const gint64 from = MAX (start, self->from);
  const gint64 to = MIN (until, self->to);
  g_autoptr (GPtrArray) records = NULL;

  *shares = (Shares){ 1, 1, 1 };
  if (from == start && to == until)
    return TRUE;

  records = read_records (self, run, error);
  if (records == NULL)
    return FALSE;
  shares->time = shares->cpu = shares->energy =
    (double) (to - from) / (double) (until - start);
  if (records->len == 0)
    return TRUE;
  shares->cpu = find_share (records, JM_PROFILE_SERIES_CPU, from * G_USEC_PER_SEC,
                            to * G_USEC_PER_SEC, until * G_USEC_PER_SEC, shares->time);
  shares->energy =
    find_share (records, JM_PROFILE_SERIES_ENERGY, from * G_USEC_PER_SEC,
                to * G_USEC_PER_SEC, until * G_USEC_PER_SEC, shares->time);

  return TRUE;
}

static void
add_amount (JmUsage *usage, JmUsageQuantity quantity, gint64 amount)
{
  if (!jm_usage_quantity_is_in_millionths (quantity))
    {
      usage->whole[quantity] += amount;
      return;
    }
  usage->millionths[quantity] += amount % MILLION;
  usage->whole[quantity] += amount / MILLION + usage->millionths[quantity] / MILLION;
  usage->millionths[quantity] %= MILLION;
}

static double
get_share (const Shares *shares, JmUsageQuantity quantity)
{
  switch (quantity)
    {
    case JM_USAGE_QUANTITY_CPU_TIME:
      return shares->cpu;
    case JM_USAGE_QUANTITY_ENERGY:
    case JM_USAGE_QUANTITY_EMISSIONS:
      return shares->energy;
    default:
      return shares->time;
    }
}

static gboolean
add_run (Window *self, JmRun *run, GError **error)
{
  const gint64 start = jm_run_peek (run, JM_RUN_FIELD_START_TIME);
  const gint64 until = MAX (jm_run_get_until (run), start);
  gint64 totals[JM_N_USAGE_QUANTITIES];
  gboolean known[JM_N_USAGE_MEASURED];
  JmUsage *usage;
  Shares shares;

  if (!jm_run_has (run, JM_RUN_FIELD_START_TIME) || start >= self->to ||
      (until <= self->from && start < self->from))
    return TRUE;
  if (!find_shares (self, run, start, until, &shares, error))
    return FALSE;

  usage = take_usage (self, run);
  jm_usage_change_total_up (run, MIN (until - start, JM_RUN_LENGTH_MAX), totals, known);
  totals[JM_USAGE_QUANTITY_RUNS] = 1;
  add_amount (usage, JM_USAGE_QUANTITY_RUNS, 1);
  for (JmUsageQuantity q = JM_USAGE_QUANTITY_WALL; q < JM_N_USAGE_QUANTITIES; q++)
    add_amount (usage, q, (gint64) ((double) totals[q] * get_share (&shares, q) + 0.5));
  for (guint i = 0; i < JM_N_USAGE_MEASURED; i++)
    usage->n_measured[i] += known[i];

  return TRUE;
}

/* The page behind @cursor, which becomes where the next one begins, or NULL. */
static GPtrArray *
list_page (const Window *self, JmRunFilter *page, char **cursor, GError **error)
{
  g_autofree char *from = *cursor;

  *cursor = NULL;

  return jm_run_filter_set_cursor (page, from, error)
           ? jm_archive_database_list_runs (self->store, page, self->viewer, cursor,
                                            error)
           : NULL;
}

static gboolean
add_runs (Window *self, GPtrArray *runs, GError **error)
{
  for (guint i = 0; i < runs->len; i++)
    if (!add_run (self, runs->pdata[i], error))
      return FALSE;

  return TRUE;
}

GPtrArray *
jm_archive_database_list_usage_between (JmArchiveDatabase *self,
                                        JmRunFilter *filter,
                                        JmViewer *viewer,
                                        gint64 from,
                                        gint64 to,
                                        gboolean *is_whole,
                                        GError **error)
{
  g_autoptr (JmRunFilter) page = jm_run_filter_copy (filter);
  g_autoptr (GPtrArray) usages =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_usage_unref);
  g_autoptr (GHashTable) by_name =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Window window = { self, viewer, from, to, usages, by_name };
  g_autofree char *next = NULL;
  guint n_runs = 0;

  jm_run_filter_set_period (page, MAX (from - 1, 1), to);
  jm_run_filter_set_limit (page, JM_RUN_FILTER_MAX_LIMIT);
  do
    {
      g_autoptr (GPtrArray) runs = list_page (&window, page, &next, error);

      if (runs == NULL || !add_runs (&window, runs, error))
        return NULL;
      n_runs += runs->len;
    }
  while (next != NULL && n_runs < MAX_RUNS);
  *is_whole = next == NULL;

  return g_steal_pointer (&usages);
}
