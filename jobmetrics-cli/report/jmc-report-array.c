/* jmc-report-array.c: the report of a job array: its tasks together
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "report/jmc-report-array.h"

#include <string.h>

#include "accounts/jmc-accounts-place.h"
#include "accounts/jmc-judged-run.h"
#include "core/jm-safe-text-private.h"
#include "report/jmc-report-rules.h"
#include "store/jm-run-derived-private.h"

/* The records of each are read; of more tasks, those that began last are looked at. */
#define MAX_TASKS 1000
#define LABEL_CELLS 14

static const JmQuantityId spread[] = {
  JM_QUANTITY_CPU_EFFICIENCY,
  JM_QUANTITY_MEMORY_SHARE,
  JM_QUANTITY_GPU_UTILIZATION_SHARE,
  JM_QUANTITY_TIME_SHARE,
  JM_QUANTITY_ELAPSED,
};

typedef struct
{
  const char *job;
  GHashTable *ids;  /* of tasks, without values */
  GPtrArray *tasks; /* of JmcJudgedRun: the newest run of each */
  guint n_runs;     /* that were looked at */
} Array;

/* A number may be used again, by another cluster or another user. */
static gboolean
is_of_array (const Array *self, JmStoredRun *run)
{
  const JmcJudgedRun *first = self->tasks->len > 0 ? self->tasks->pdata[0] : NULL;

  return g_strcmp0 (jm_stored_run_get_text (run, JM_RUN_FIELD_ARRAY_JOBID),
                    self->job) == 0 &&
         (first == NULL ||
          (g_str_equal (jm_stored_run_get_cluster (run),
                        jm_stored_run_get_cluster (first->run)) &&
           g_strcmp0 (jm_stored_run_get_text (run, JM_RUN_FIELD_USER),
                      jm_stored_run_get_text (first->run, JM_RUN_FIELD_USER)) == 0));
}

static void
on_run (JmStoredRun *run, gpointer data)
{
  Array *self = data;

  self->n_runs++;
  /* those that began last come first */
  if (is_of_array (self, run) &&
      g_hash_table_add (self->ids, g_strdup (jm_run_derived_get_job_id (run))))
    g_ptr_array_add (self->tasks, jmc_judged_run_new (run));
}

/* *@is_cut: whether there may be more. */
static GPtrArray *
read_tasks (JmcAccountsSource *source, const JmcReportQuery *query, gboolean *is_cut)
{
  g_auto (JmcAccountsQuery) all = { .sort = "-start", .limit = MAX_TASKS };
  g_autoptr (GHashTable) ids =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) tasks =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jmc_judged_run_free);
  Array self = { query->job, ids, tasks, 0 };

  all.job = g_strdup (query->job);
  all.cluster = g_strdup (query->cluster);

  if (!jmc_accounts_source_read_runs (source, &all, on_run, &self, NULL))
    return NULL;
  *is_cut = self.n_runs == MAX_TASKS;

  return g_steal_pointer (&tasks);
}

/* --- counts of words --- */

static void
count (GHashTable *counts, const char *word)
{
  const guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, word));

  g_hash_table_insert (counts, g_strdup (word), GUINT_TO_POINTER (n + 1));
}

static int
compare_counts (gconstpointer a, gconstpointer b, gpointer counts)
{
  const guint one = GPOINTER_TO_UINT (g_hash_table_lookup (counts, a));
  const guint other = GPOINTER_TO_UINT (g_hash_table_lookup (counts, b));

  return one != other ? (one > other ? -1 : 1) : strcmp (a, b);
}

/* `30 COMPLETED, 8 FAILED`: the most frequent first. */
static void
append_counts (GString *text, const char *title, GHashTable *counts)
{
  GList *words =
    g_list_sort_with_data (g_hash_table_get_keys (counts), compare_counts, counts);

  g_string_append_printf (text, "%*s: ", LABEL_CELLS, title);
  for (GList *i = words; i != NULL; i = i->next)
    {
      g_autofree char *safe = jm_safe_text_make (i->data);

      g_string_append_printf (text, "%s%u %s", i == words ? "" : ", ",
                              GPOINTER_TO_UINT (g_hash_table_lookup (counts, i->data)),
                              safe);
    }
  g_string_append_c (text, '\n');
  g_list_free (words);
}

/* --- spread --- */

static int
compare_figures (gconstpointer a, gconstpointer b)
{
  return jm_figure_compare (*(const JmFigure *) a, *(const JmFigure *) b, FALSE);
}

/* Least, median and most of those that are known. */
static void
append_spread (GString *text, GPtrArray *tasks, JmQuantityId quantity)
{
  const JmQuantity *row = jm_quantity_get (quantity);
  g_autoptr (GArray) figures = g_array_new (FALSE, FALSE, sizeof (JmFigure));
  const guint *at;

  for (guint i = 0; i < tasks->len; i++)
    {
      const JmFigure figure = jmc_judged_run_get (tasks->pdata[i], quantity);

      if (figure.is_known)
        g_array_append_val (figures, figure);
    }
  if (figures->len == 0)
    return;

  g_array_sort (figures, compare_figures);
  at = (const guint[]){ 0, (figures->len - 1) / 2, figures->len - 1 };
  g_string_append_printf (text, "%*s  ", LABEL_CELLS, row->title);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *cell =
        jm_figure_format (g_array_index (figures, JmFigure, at[i]), row->format);

      g_string_append_printf (text, "%12s", cell);
    }
  if (figures->len < tasks->len)
    g_string_append_printf (text, "  (of %u tasks)", figures->len);
  g_string_append_c (text, '\n');
}

/* --- all of it --- */

static void
judge (GPtrArray *tasks, JmcAccountsSource *source, const JmcOptions *options)
{
  g_autoptr (JmRunRules) rules = jmc_report_rules_open (options, jmc_output_complain);
  g_autoptr (GError) error = NULL;
  guint n_unjudged = 0;

  for (guint i = 0; rules != NULL && i < tasks->len; i++)
    n_unjudged += !jmc_judged_run_judge (tasks->pdata[i], source, rules,
                                         error == NULL ? &error : NULL);
  if (n_unjudged > 0)
    jmc_output_complain ("%u tasks have no verdict: %s", n_unjudged, error->message);
}

static void
append_words (GString *text, GPtrArray *tasks)
{
  g_autoptr (GHashTable) states =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) verdicts =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < tasks->len; i++)
    {
      const JmcJudgedRun *task = tasks->pdata[i];
      const char *state = jm_stored_run_get_text (task->run, JM_RUN_FIELD_STATE);

      count (states, state != NULL ? state : "of an unknown state");
      if (task->verdict != NULL)
        count (verdicts, jm_run_verdict_get_title (task->verdict));
    }
  append_counts (text, "States", states);
  append_counts (text, "Verdicts", verdicts);
}

static void
append_worst (GString *text, GPtrArray *tasks)
{
  const JmcJudgedRun *worst = NULL;
  JmFigure most = { 0 };

  for (guint i = 0; i < tasks->len; i++)
    {
      const JmFigure unused =
        jmc_judged_run_get (tasks->pdata[i], JM_QUANTITY_CPU_UNUSED);

      if (unused.is_known && unused.value > most.value)
        {
          worst = tasks->pdata[i];
          most = unused;
        }
    }
  if (worst != NULL)
    {
      g_autofree char *amount = jm_figure_format (most, JM_FORMAT_DURATION);
      g_autofree char *id = jm_safe_text_make (jm_run_derived_get_job_id (worst->run));

      g_string_append_printf (text, "%*s: %s, %s CPU time unused\n", LABEL_CELLS,
                              "Worst task", id, amount);
    }
}

static char *
make (GPtrArray *tasks, const char *job, gboolean is_cut)
{
  const JmcJudgedRun *first = tasks->pdata[0];
  const char *name = jm_stored_run_get_text (first->run, JM_RUN_FIELD_NAME);
  g_autofree char *safe = jm_safe_text_make (name != NULL ? name : "");
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "Job array %s%s%s: %s%u tasks\n", job,
                          *safe != '\0' ? ", " : "", safe, is_cut ? "the newest " : "",
                          tasks->len);
  g_string_append_printf (text, "%*s  %12s%12s%12s\n", LABEL_CELLS, "", "least",
                          "median", "most");
  for (guint i = 0; i < G_N_ELEMENTS (spread); i++)
    append_spread (text, tasks, spread[i]);
  append_words (text, tasks);
  append_worst (text, tasks);
  g_string_append_printf (text, "%*s: jobmetrics-cli history --job=%s\n", LABEL_CELLS,
                          "More", job);

  return g_string_free (text, FALSE);
}

static gboolean
may_be_array (const char *job)
{
  return *job != '\0' && job[strspn (job, "0123456789")] == '\0';
}

char *
jmc_report_array_make (const JmcOptions *options, const JmcReportQuery *query)
{
  g_autoptr (JmcAccountsSource) source = NULL;
  g_autoptr (GPtrArray) tasks = NULL;
  gboolean is_cut = FALSE;

  if (query->job == NULL || !may_be_array (query->job) || query->socket != NULL ||
      query->ledger_file != NULL)
    return NULL;
  source = jmc_accounts_place_find (options, NULL);
  tasks = source != NULL ? read_tasks (source, query, &is_cut) : NULL;
  if (tasks == NULL || tasks->len < 2)
    return NULL;

  judge (tasks, source, options);

  return make (tasks, query->job, is_cut);
}
