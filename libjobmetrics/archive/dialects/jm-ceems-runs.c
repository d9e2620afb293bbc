/* jm-ceems-runs.c: the runs that are asked for in CEEMS' words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/dialects/jm-ceems-runs-private.h"

#include "core/jm-run-private.h"

#include <string.h>

/* Runs of one answer, and such as are read for one. */
#define MAX_RUNS 10000
#define MAX_READ 100000

typedef enum
{
  WANTED,
  NOT_WANTED,
  NO_MORE,
} Verdict;

typedef struct Visit Visit;

struct Visit
{
  JmCeemsAnswer *answer;
  Verdict (*judge) (Visit *self, JmRun *run);
  const char *uuid; /* that is looked for */
  JmCeemsRunFunc func;
  gpointer data;
  gboolean is_over;
};

/* --- which --- */

static gboolean
is_of_cluster (Visit *self, JmRun *run)
{
  return jm_ceems_query_wants (self->answer->query.clusters, jm_run_get_cluster (run));
}

/* The last to end come first, and behind those that ended what goes on or waits. */
static Verdict
judge_by_window (Visit *self, JmRun *run)
{
  const JmCeemsQuery *query = &self->answer->query;
  gint64 end = jm_run_peek (run, JM_RUN_FIELD_END_TIME);

  if (end == 0 && !query->running)
    return NO_MORE;
  if (!is_of_cluster (self, run))
    return NOT_WANTED;
  if (end == 0)
    return jm_run_peek (run, JM_RUN_FIELD_START_TIME) > 0 ? WANTED : NOT_WANTED;

  return end >= query->from && end <= query->to ? WANTED : NOT_WANTED;
}

/* Those that go on come first. */
static Verdict
judge_as_active (Visit *self, JmRun *run)
{
  if (jm_run_peek (run, JM_RUN_FIELD_END_TIME) > 0)
    return NO_MORE;

  return is_of_cluster (self, run) && jm_run_peek (run, JM_RUN_FIELD_START_TIME) > 0
           ? WANTED
           : NOT_WANTED;
}

/* The id of a job array has all its tasks, which nobody asked for here. */
static Verdict
judge_by_id (Visit *self, JmRun *run)
{
  gboolean is_it =
    g_uuid_string_is_valid (self->uuid) ||
    g_str_equal (jm_run_get_raw_id (run), self->uuid) ||
    g_strcmp0 (jm_run_peek_text (run, JM_RUN_FIELD_JOBID), self->uuid) == 0;

  return is_it && is_of_cluster (self, run) ? WANTED : NOT_WANTED;
}

/* --- page by page --- */

static void
visit_page (Visit *self, GPtrArray *runs)
{
  for (guint i = 0; i < runs->len && !self->is_over; i++)
    {
      Verdict verdict = self->judge (self, runs->pdata[i]);

      self->is_over = verdict == NO_MORE ||
                      (verdict == WANTED && !self->func (runs->pdata[i], self->data));
    }
  self->answer->n_read += runs->len;
}

static gboolean
visit_all (Visit *self, JmRunFilter *filter, GError **error)
{
  const JmArchiveView *view = &self->answer->view;
  char *cursor = NULL;

  jm_run_filter_set_limit (filter, JM_RUN_FILTER_MAX_LIMIT);
  do
    {
      g_autofree char *last = cursor;
      g_autoptr (GPtrArray) runs = NULL;

      cursor = NULL;
      if (jm_run_filter_set_cursor (filter, last, error))
        runs = jm_archive_database_list_runs (view->database, filter, view->viewer,
                                              &cursor, error);
      if (runs == NULL)
        return FALSE;
      visit_page (self, runs);
    }
  while (cursor != NULL && !self->is_over && self->answer->n_read < MAX_READ);

  if (cursor != NULL && !self->is_over)
    jm_ceems_answer_warn (self->answer, "not all: %u jobs were read, ask for less time",
                          self->answer->n_read);
  g_free (cursor);

  return TRUE;
}

static void
choose_id (JmRunFilter *filter, const char *uuid)
{
  gboolean is_uuid = g_uuid_string_is_valid (uuid);
  g_autofree char *lower = g_ascii_strdown (uuid, -1);

  jm_run_filter_set_uuid (filter, is_uuid ? lower : NULL);
  jm_run_filter_set_job (filter, is_uuid ? NULL : uuid);
}

static gboolean
visit_ids (Visit *self, JmRunFilter *filter, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  self->judge = judge_by_id;
  for (GStrv uuid = self->answer->query.uuids; *uuid != NULL && !self->is_over; uuid++)
    {
      self->uuid = *uuid;
      choose_id (filter, *uuid);
      if (g_hash_table_add (seen, *uuid) && !visit_all (self, filter, error))
        return FALSE;
    }

  return TRUE;
}

gboolean
jm_ceems_visit_runs (JmCeemsAnswer *self,
                     JmRunFilter *filter,
                     JmCeemsRunFunc func,
                     gpointer data,
                     GError **error)
{
  const JmCeemsQuery *query = &self->query;
  Visit visit = { self, judge_by_window, NULL, func, data, FALSE };

  if (query->uuids != NULL)
    return visit_ids (&visit, filter, error);

  /* the store's ends are open, and 0 is none */
  jm_run_filter_set_period (filter, MAX (query->from - 1, 0), query->to + 1);

  return visit_all (&visit, filter, error);
}

gboolean
jm_ceems_visit_active (JmCeemsAnswer *self,
                       JmRunFilter *filter,
                       JmCeemsRunFunc func,
                       gpointer data,
                       GError **error)
{
  Visit visit = { self, judge_as_active, NULL, func, data, FALSE };

  jm_run_filter_set_sort (filter, "end", NULL);

  return visit_all (&visit, filter, error);
}

/* --- a list --- */

static int
compare (gconstpointer a, gconstpointer b)
{
  JmRun *one = *(JmRun *const *) a;
  JmRun *other = *(JmRun *const *) b;
  int order = strcmp (jm_run_get_cluster (one), jm_run_get_cluster (other));
  gint64 starts[2] = { jm_run_peek (one, JM_RUN_FIELD_START_TIME),
                       jm_run_peek (other, JM_RUN_FIELD_START_TIME) };
  gint64 submits[2] = { jm_run_peek (one, JM_RUN_FIELD_SUBMIT_TIME),
                        jm_run_peek (other, JM_RUN_FIELD_SUBMIT_TIME) };

  if (order == 0)
    order = strcmp (jm_run_get_raw_id (one), jm_run_get_raw_id (other));
  if (order == 0)
    order = (starts[0] > starts[1]) - (starts[0] < starts[1]);

  return order != 0 ? order : (submits[0] > submits[1]) - (submits[0] < submits[1]);
}

/* One may have been asked for by its id and by its uuid. */
static void
drop_doubles (GPtrArray *runs)
{
  for (guint i = runs->len; i > 1; i--)
    if (compare (&runs->pdata[i - 1], &runs->pdata[i - 2]) == 0)
      g_ptr_array_remove_index (runs, i - 1);
}

static gboolean
keep (JmRun *run, gpointer data)
{
  GPtrArray *runs = data;

  g_ptr_array_add (runs, jm_run_ref (run));

  return runs->len <= MAX_RUNS;
}

GPtrArray *
jm_ceems_list_runs (JmCeemsAnswer *self, JmRunFilter *filter, GError **error)
{
  g_autoptr (GPtrArray) runs =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_unref);

  if (!jm_ceems_visit_runs (self, filter, keep, runs, error))
    return NULL;
  if (runs->len > MAX_RUNS)
    {
      g_ptr_array_set_size (runs, MAX_RUNS);
      jm_ceems_answer_warn (self, "not all: the last %u alone, ask for less time",
                            MAX_RUNS);
    }
  g_ptr_array_sort (runs, compare);
  drop_doubles (runs);

  return g_steal_pointer (&runs);
}

/* --- whose --- */

typedef struct
{
  JmCeemsAnswer *answer;
  JmRunFilter *filter;
  JmViewer *viewer;
  JmViewer *everybody;
  guint n_seen;
  gboolean is_kept_out;
} Ownership;

/* What the viewer sees of a page is all of it or is not: what they see of the whole is
 * a part of it, in the same order. */
static gboolean
compare_page (Ownership *self, char **cursor, GError **error)
{
  const JmArchiveView *view = &self->answer->view;
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) all =
    jm_archive_database_list_runs (view->database, self->filter, self->everybody, &next,
                                   error);
  g_autoptr (GPtrArray) seen = NULL;

  if (all != NULL)
    seen = jm_archive_database_list_runs (view->database, self->filter, self->viewer,
                                          cursor, error);
  if (seen == NULL)
    return FALSE;

  self->n_seen += seen->len;
  self->answer->n_read += all->len;
  self->is_kept_out = seen->len != all->len || g_strcmp0 (next, *cursor) != 0 ||
                      self->answer->n_read > MAX_READ;

  return TRUE;
}

/* Of one cluster, or NULL for all. */
static gboolean
compare_all (Ownership *self, const char *cluster, GError **error)
{
  char *cursor = NULL;

  jm_run_filter_set_cluster (self->filter, cluster);
  do
    {
      g_autofree char *last = cursor;

      cursor = NULL;
      if (!jm_run_filter_set_cursor (self->filter, last, error) ||
          !compare_page (self, &cursor, error))
        return FALSE;
    }
  while (cursor != NULL && !self->is_kept_out);
  g_free (cursor);

  return TRUE;
}

gboolean
jm_ceems_owns (JmCeemsAnswer *self,
               const char *uuid,
               JmViewer *viewer,
               gboolean *owns,
               GError **error)
{
  static char *const any[] = { NULL, NULL };
  char *const *clusters = self->query.clusters;
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) everybody = jm_viewer_new_for_all ();
  Ownership ownership = { self, filter, viewer, everybody, 0, FALSE };
  guint i = 0;

  choose_id (filter, uuid);
  jm_run_filter_set_limit (filter, JM_RUN_FILTER_MAX_LIMIT);
  if (self->query.has_window)
    jm_run_filter_set_period (filter, MAX (self->query.from - 1, 0),
                              self->query.to + 1);
  if (clusters == NULL)
    clusters = any;
  do
    if (!compare_all (&ownership, clusters[i++], error))
      return FALSE;
  while (clusters[i] != NULL && !ownership.is_kept_out);
  *owns = ownership.n_seen > 0 && !ownership.is_kept_out;

  return TRUE;
}
