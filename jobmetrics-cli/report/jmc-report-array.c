/* jmc-report-array.c: the report of a job array, or of jobs by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "report/jmc-report-array.h"

#include <string.h>

#include "archive/jmc-archive-options.h"
#include "archive/jmc-judged-run.h"
#include "base/jm-json-writer-private.h"
#include "base/jm-natural-order-private.h"
#include "base/jm-safe-text-private.h"
#include "base/jm-text-width-private.h"
#include "judge/jm-run-report-private.h"
#include "report/jmc-report-rules.h"

/* The records of each are read; of more tasks, those that began last are looked at. */
#define MAX_TASKS 1000
#define WIDTH 80
#define LABEL_CELLS 14

/* Tasks that are named, and of which the cause is printed. */
#define MAX_NAMED 20
#define MAX_CAUSES 3

typedef struct
{
  const char *job;
  const char *pattern;   /* of names; NULL for an array */
  GHashTable *ids;       /* of tasks, without values */
  GPtrArray *tasks;      /* of JmcJudgedRun: the newest run of each */
  guint n_runs;          /* that were looked at */
  GPtrArray *failed;     /* of JmcJudgedRun, those of @tasks that failed */
  GPtrArray *stragglers; /* of JmcJudgedRun, that took much longer than the others */
  JmFigure usual;        /* the median of the run times; absent with few tasks */
} Array;

static void
array_clear (Array *self)
{
  g_clear_pointer (&self->ids, g_hash_table_unref);
  g_clear_pointer (&self->tasks, g_ptr_array_unref);
  g_clear_pointer (&self->failed, g_ptr_array_unref);
  g_clear_pointer (&self->stragglers, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Array, array_clear)

/* --- its tasks --- */

/* A number may be used again, by another cluster or another user. */
static gboolean
is_of_array (const Array *self, JmRun *run)
{
  const JmcJudgedRun *first = self->tasks->len > 0 ? self->tasks->pdata[0] : NULL;

  return (self->pattern != NULL ||
          g_strcmp0 (jm_run_get_text (run, "array_jobid"), self->job) == 0) &&
         (first == NULL || (g_str_equal (jm_run_get_text (run, "cluster"),
                                         jm_run_get_text (first->run, "cluster")) &&
                            g_strcmp0 (jm_run_get_text (run, "user"),
                                       jm_run_get_text (first->run, "user")) == 0));
}

static void
on_run (JmRun *run, gpointer data)
{
  Array *self = data;

  self->n_runs++;
  /* those that began last come first */
  if (is_of_array (self, run) &&
      g_hash_table_add (self->ids, g_strdup (jm_run_get_text (run, "jobid"))))
    g_ptr_array_add (self->tasks, jmc_judged_run_new (run));
}

static const char *
get_id (const JmcJudgedRun *task)
{
  return jm_run_get_text (task->run, "jobid");
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  return jm_natural_order_compare (get_id (*(const JmcJudgedRun *const *) a),
                                   get_id (*(const JmcJudgedRun *const *) b));
}

static void
choose_jobs (const Array *self, JmRunFilter *filter, const JmcReportQuery *query)
{
  const char *const users[] = { query->user, NULL };

  jm_run_filter_set_users (filter, users);
  jm_run_filter_set_period (filter, query->since, 0);
  jm_run_filter_set_name_pattern (filter, self->pattern);
}

static gboolean
read_tasks (Array *self,
            JmArchive *archive,
            const JmcReportQuery *query,
            GError **error)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

  self->ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) jmc_judged_run_free);
  jm_run_filter_set_sort (filter, "-start", NULL);
  jm_run_filter_set_job (filter, query->job);
  jm_run_filter_set_cluster (filter, query->cluster);
  if (self->pattern != NULL)
    choose_jobs (self, filter, query);
  if (!jm_archive_read_runs (archive, filter, MAX_TASKS, on_run, self, NULL, error))
    return FALSE;

  g_ptr_array_sort (self->tasks, compare_ids);

  return self->tasks->len > 1;
}

/* Whether there may be more. */
static gboolean
is_cut (const Array *self)
{
  return self->n_runs == MAX_TASKS;
}

static void
judge_tasks (Array *self, JmArchive *archive, const JmcOptions *options)
{
  g_autoptr (JmRunRules) rules = jmc_report_rules_open (options, jmc_output_complain);
  g_autoptr (GError) error = NULL;
  guint n_unjudged = 0;

  for (guint i = 0; rules != NULL && i < self->tasks->len; i++)
    n_unjudged += !jmc_judged_run_judge (self->tasks->pdata[i], archive, rules, FALSE,
                                         NULL, error == NULL ? &error : NULL);
  if (n_unjudged > 0)
    jmc_output_complain ("tasks without a verdict: %u: %s", n_unjudged, error->message);
}

/* --- all tasks together --- */

static JmRun *
get_run (gconstpointer task)
{
  return ((const JmcJudgedRun *) task)->run;
}

static JmFigure
get_figure (gconstpointer task, JmQuantityId quantity)
{
  return jmc_judged_run_get (task, jm_quantity_get (quantity));
}

static JmRunMembers
get_members (const Array *self)
{
  return (JmRunMembers){ self->tasks, get_run, get_figure };
}

/* --- lines --- */

/* As many words to a line as fit. */
static void
append_line (GString *text, const char *title, const char *words)
{
  const guint indent = LABEL_CELLS + 2;

  g_string_append_printf (text, "%*s: ", LABEL_CELLS, title);
  while (*words != '\0')
    {
      gsize n = jm_text_width_fit (words, WIDTH - indent);

      if (words[n] != '\0')
        {
          const char *blank = g_strrstr_len (words, (gssize) n + 1, " ");

          n = blank != NULL ? (gsize) (blank - words) : MAX (n, 1);
        }
      g_string_append_len (text, words, (gssize) n);
      words += n;
      while (*words == ' ')
        words++;
      g_string_append_c (text, '\n');
      if (*words != '\0')
        g_string_append_printf (text, "%*s", (int) indent, "");
    }
}

static void
append_safe (GString *words, const char *text)
{
  g_autofree char *safe = jm_safe_text_make (text);

  g_string_append (words, safe);
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

static GHashTable *
count_states (const Array *self)
{
  GHashTable *counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->tasks->len; i++)
    {
      const JmcJudgedRun *task = self->tasks->pdata[i];
      const char *state = jm_run_get_text (task->run, "state");

      count (counts, state != NULL ? state : "of an unknown state");
    }

  return counts;
}

static GHashTable *
count_verdicts (const Array *self)
{
  GHashTable *counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->tasks->len; i++)
    {
      const JmcJudgedRun *task = self->tasks->pdata[i];

      if (task->verdict != NULL)
        count (counts, jm_run_verdict_get_title (task->verdict));
    }

  return counts;
}

/* `30 COMPLETED, 8 FAILED`: the most frequent first. */
static void
append_counts (GString *text, const char *title, GHashTable *counts)
{
  g_autoptr (GString) line = g_string_new (NULL);
  GList *words =
    g_list_sort_with_data (g_hash_table_get_keys (counts), compare_counts, counts);

  for (GList *i = words; i != NULL; i = i->next)
    {
      g_string_append_printf (line, "%s%u ", i == words ? "" : ", ",
                              GPOINTER_TO_UINT (g_hash_table_lookup (counts, i->data)));
      append_safe (line, i->data);
    }
  if (line->len > 0)
    append_line (text, title, line->str);
  g_list_free (words);
}

static void
add_counts (JmJsonWriter *json, const char *name, GHashTable *counts)
{
  GList *words =
    g_list_sort_with_data (g_hash_table_get_keys (counts), compare_counts, counts);

  jm_json_writer_begin_object (json, name);
  for (GList *i = words; i != NULL; i = i->next)
    jm_json_writer_add_int (json, i->data,
                            GPOINTER_TO_UINT (g_hash_table_lookup (counts, i->data)));
  jm_json_writer_end_object (json);
  g_list_free (words);
}

/* --- spread --- */

static void
append_spread (GString *text, const Array *self, JmQuantityId quantity)
{
  const JmQuantity *row = jm_quantity_get (quantity);
  const JmRunMembers members = get_members (self);
  JmFigure figures[3];
  guint n_known;

  if (!jm_run_members_get_spread (&members, quantity, figures, &n_known))
    return;

  g_string_append_printf (text, "%*s  ", LABEL_CELLS, row->title);
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      g_autofree char *cell = jm_figure_format (figures[i], row->format);

      g_string_append_printf (text, "%12s", cell);
    }
  if (n_known < self->tasks->len)
    g_string_append_printf (text, "  (of %u)", n_known);
  g_string_append_c (text, '\n');
}

static void
add_spread (JmJsonWriter *json, const Array *self, JmQuantityId quantity)
{
  static const char *const names[] = { "least", "median", "most" };
  const JmRunMembers members = get_members (self);
  JmFigure figures[3];
  guint n_known;

  if (!jm_run_members_get_spread (&members, quantity, figures, &n_known))
    return;

  jm_json_writer_begin_object (json, jm_quantity_get (quantity)->name);
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    jm_json_writer_add_double (json, names[i], figures[i].value);
  jm_json_writer_add_int (json, "tasks", n_known);
  jm_json_writer_end_object (json);
}

/* --- text --- */

static const char *
get_cause (const JmcJudgedRun *task)
{
  return task->verdict != NULL ? jm_run_verdict_get_cause (task->verdict) : NULL;
}

static void
append_failed (GString *text, const Array *self)
{
  g_autoptr (GString) line = g_string_new (NULL);
  guint n_causes = 0;

  if (self->failed->len == 0)
    return;

  for (guint i = 0; i < MIN (self->failed->len, MAX_NAMED); i++)
    {
      g_string_append (line, i > 0 ? ", " : "");
      append_safe (line, get_id (self->failed->pdata[i]));
    }
  if (self->failed->len > MAX_NAMED)
    g_string_append_printf (line, " and %u more", self->failed->len - MAX_NAMED);
  append_line (text, "Failed", line->str);

  for (guint i = 0; i < self->failed->len && n_causes < MAX_CAUSES; i++)
    if (get_cause (self->failed->pdata[i]) != NULL)
      {
        g_string_truncate (line, 0);
        append_safe (line, get_id (self->failed->pdata[i]));
        g_string_append (line, ": ");
        append_safe (line, get_cause (self->failed->pdata[i]));
        append_line (text, "Cause", line->str);
        n_causes++;
      }
}

static void
append_stragglers (GString *text, const Array *self)
{
  g_autofree char *usual = jm_figure_format (self->usual, JM_FORMAT_DURATION);
  g_autoptr (GString) line = g_string_new (NULL);

  if (self->stragglers->len == 0)
    return;

  for (guint i = 0; i < MIN (self->stragglers->len, MAX_NAMED); i++)
    {
      g_autofree char *time =
        jm_figure_format (jmc_judged_run_get (self->stragglers->pdata[i],
                                              jm_quantity_get (JM_QUANTITY_ELAPSED)),
                          JM_FORMAT_DURATION);

      g_string_append (line, i > 0 ? ", " : "");
      append_safe (line, get_id (self->stragglers->pdata[i]));
      g_string_append_printf (line, " with %s", time);
    }
  if (self->stragglers->len > MAX_NAMED)
    g_string_append_printf (line, " and %u more", self->stragglers->len - MAX_NAMED);
  g_string_append_printf (line, "; the median is %s", usual);
  append_line (text, "Stragglers", line->str);
}

static const JmcJudgedRun *
find_worst (const Array *self, JmFigure *most)
{
  const JmcJudgedRun *worst = NULL;

  *most = (JmFigure){ 0 };
  for (guint i = 0; i < self->tasks->len; i++)
    {
      const JmFigure unused =
        jmc_judged_run_get (self->tasks->pdata[i],
                            jm_quantity_get (JM_QUANTITY_CPU_UNUSED));

      if (unused.is_known && unused.value > most->value)
        {
          worst = self->tasks->pdata[i];
          *most = unused;
        }
    }

  return worst;
}

static void
append_worst (GString *text, const Array *self)
{
  JmFigure most;
  const JmcJudgedRun *worst = find_worst (self, &most);
  g_autofree char *amount = jm_figure_format (most, JM_FORMAT_DURATION);

  if (worst != NULL)
    {
      g_autofree char *id = jm_safe_text_make (get_id (worst));

      g_string_append_printf (text, "%*s: %s, %s CPU time unused\n", LABEL_CELLS,
                              self->pattern != NULL ? "Worst job" : "Worst task", id,
                              amount);
    }
}

static const char *
get_name (const Array *self)
{
  const JmcJudgedRun *first = self->tasks->pdata[0];

  return jm_run_get_text (first->run, "name");
}

static void
append_head (GString *text, const Array *self)
{
  g_autofree char *name =
    jm_safe_text_make (get_name (self) != NULL ? get_name (self) : "");
  g_autofree char *pattern =
    jm_safe_text_make (self->pattern != NULL ? self->pattern : "");
  const char *newest = is_cut (self) ? "the newest " : "";
  g_autofree char *head =
    self->pattern != NULL
      ? g_strdup_printf ("Jobs named %s: %s%u", pattern, newest, self->tasks->len)
      : g_strdup_printf ("Job array %s%s%s: %s%u tasks", self->job,
                         *name != '\0' ? ", " : "", name, newest, self->tasks->len);

  g_string_append_len (text, head, (gssize) jm_text_width_fit (head, WIDTH));
  g_string_append_printf (text, "\n%*s  %12s%12s%12s\n", LABEL_CELLS, "", "least",
                          "median", "most");
}

static char *
make_text (const Array *self)
{
  g_autoptr (GHashTable) states = count_states (self);
  g_autoptr (GHashTable) verdicts = count_verdicts (self);
  GString *text = g_string_new (NULL);

  append_head (text, self);
  for (guint i = 0; i < jm_run_members_n_spread; i++)
    append_spread (text, self, jm_run_members_spread[i]);
  append_counts (text, "States", states);
  append_counts (text, "Verdicts", verdicts);
  append_failed (text, self);
  append_stragglers (text, self);
  append_worst (text, self);
  if (self->pattern == NULL)
    g_string_append_printf (text, "%*s: jobmetrics-cli history --job=%s\n", LABEL_CELLS,
                            "More", self->job);

  return g_string_free (text, FALSE);
}

/* --- JSON --- */

static void
add_task (JmJsonWriter *json, const JmcJudgedRun *task)
{
  const JmFigure time =
    jmc_judged_run_get (task, jm_quantity_get (JM_QUANTITY_ELAPSED));

  jm_json_writer_break_line (json);
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "jobid", get_id (task));
  jm_json_writer_add_text (json, "state", jm_run_get_text (task->run, "state"));
  jm_json_writer_add_text (json, "cause", get_cause (task));
  if (time.is_known)
    jm_json_writer_add_double (json, "elapsed_seconds", time.value);
  jm_json_writer_end_object (json);
}

static void
add_tasks (JmJsonWriter *json, const char *name, GPtrArray *tasks)
{
  jm_json_writer_begin_array (json, name);
  for (guint i = 0; i < tasks->len; i++)
    add_task (json, tasks->pdata[i]);
  jm_json_writer_end_array (json);
}

static char *
make_json (const Array *self)
{
  const JmcJudgedRun *first = self->tasks->pdata[0];
  g_autoptr (GHashTable) states = count_states (self);
  g_autoptr (GHashTable) verdicts = count_verdicts (self);
  GString *text = g_string_new (NULL);
  JmJsonWriter json = { .out = text, .layout = JM_JSON_SPACED };

  jm_json_writer_begin_object (&json, NULL);
  if (self->pattern == NULL)
    jm_json_writer_add_text (&json, "array_jobid", self->job);
  jm_json_writer_add_text (&json, "cluster", jm_run_get_text (first->run, "cluster"));
  jm_json_writer_add_text (&json, "user", jm_run_get_text (first->run, "user"));
  jm_json_writer_add_text (&json, "name",
                           self->pattern != NULL ? self->pattern : get_name (self));
  jm_json_writer_add_int (&json, "tasks", self->tasks->len);
  jm_json_writer_add_boolean (&json, "has_more", is_cut (self));
  add_counts (&json, "states", states);
  add_counts (&json, "verdicts", verdicts);
  jm_json_writer_begin_object (&json, "figures");
  for (guint i = 0; i < jm_run_members_n_spread; i++)
    add_spread (&json, self, jm_run_members_spread[i]);
  jm_json_writer_end_object (&json);
  add_tasks (&json, "failed", self->failed);
  add_tasks (&json, "stragglers", self->stragglers);
  jm_json_writer_end_object (&json);
  g_string_append_c (text, '\n');

  return g_string_free (text, FALSE);
}

static gboolean
may_be_array (const char *job)
{
  return *job != '\0' && job[strspn (job, "0123456789")] == '\0';
}

char *
jmc_report_array_make (const JmcOptions *options,
                       const JmcReportQuery *query,
                       gboolean is_json,
                       GError **error)
{
  g_auto (Array) self = { .job = query->job, .pattern = query->name };
  g_autoptr (JmArchive) archive = NULL;
  JmRunMembers members;

  if (query->name == NULL && (query->job == NULL || !may_be_array (query->job) ||
                              query->socket != NULL || query->ledger_file != NULL))
    return NULL;
  archive = jmc_archive_options_find (options, error);
  if (archive == NULL || !read_tasks (&self, archive, query, error))
    return NULL;

  judge_tasks (&self, archive, options);
  members = get_members (&self);
  self.failed = jm_run_members_list_failed (&members);
  self.stragglers = jm_run_members_list_stragglers (&members, &self.usual);

  return is_json ? make_json (&self) : make_text (&self);
}
