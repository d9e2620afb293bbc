/* jmc-report.c: jobmetrics-cli report: what became of what a job was given
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "archive/jmc-archive-place.h"
#include "archive/jmc-judged-run.h"
#include "base/jm-safe-text-private.h"
#include "core/jm-run-derived-private.h"
#include "jmc-options.h"
#include "jmc-write.h"
#include "judge/jm-jobstats-summary.h"
#include "ledger/jmc-ledger-place.h"
#include "report/jmc-report-place.h"
#include "report/jmc-report-rules.h"
#include "report/page/jm-report-html-private.h"
#include "report/page/jm-report-json-private.h"
#include "report/page/jm-report-pdf-private.h"
#include "report/page/jm-report-seff-private.h"
#include "report/page/jm-report-text-private.h"

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

typedef enum
{
  FORM_TEXT,
  FORM_FULL,
  FORM_HTML,
  FORM_JOBSTATS,
  FORM_JSON,
  FORM_PDF,
  FORM_SEFF,
  N_FORMS,
} Form;

static const char *const form_names[N_FORMS] = {
  [FORM_TEXT] = "text",         [FORM_FULL] = "full", [FORM_HTML] = "html",
  [FORM_JOBSTATS] = "jobstats", [FORM_JSON] = "json", [FORM_PDF] = "pdf",
  [FORM_SEFF] = "seff",
};

typedef struct
{
  JmcOptions options;
  char *job; /* an id, or NULL */
  char *socket;
  char *output; /* NULL for the standard output */
  gboolean
    wanted[N_FORMS]; /* which of them have an option of their own that was given */
  char *format_text;
  Form form;
} Report;

/* A number may be used again, by another cluster or another user. */
static gboolean
is_of_array (const Array *self, JmRun *run)
{
  const JmcJudgedRun *first = self->tasks->len > 0 ? self->tasks->pdata[0] : NULL;

  return g_strcmp0 (jm_run_get_text (run, JM_RUN_FIELD_ARRAY_JOBID), self->job) == 0 &&
         (first == NULL ||
          (g_str_equal (jm_run_get_cluster (run), jm_run_get_cluster (first->run)) &&
           g_strcmp0 (jm_run_get_text (run, JM_RUN_FIELD_USER),
                      jm_run_get_text (first->run, JM_RUN_FIELD_USER)) == 0));
}

static void
on_run (JmRun *run, gpointer data)
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
read_tasks (JmArchive *archive, const JmcReportQuery *query, gboolean *is_cut)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GHashTable) ids =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) tasks =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jmc_judged_run_free);
  Array self = { query->job, ids, tasks, 0 };

  jm_run_filter_set_sort (filter, "-start", NULL);
  jm_run_filter_set_job (filter, query->job);
  jm_run_filter_set_cluster (filter, query->cluster);
  if (!jm_archive_read_runs (archive, filter, MAX_TASKS, on_run, &self, NULL, NULL))
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
judge_tasks (GPtrArray *tasks, JmArchive *archive, const JmcOptions *options)
{
  g_autoptr (JmRunRules) rules = jmc_report_rules_open (options, jmc_output_complain);
  g_autoptr (GError) error = NULL;
  guint n_unjudged = 0;

  for (guint i = 0; rules != NULL && i < tasks->len; i++)
    n_unjudged += !jmc_judged_run_judge (tasks->pdata[i], archive, rules, FALSE, NULL,
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
      const char *state = jm_run_get_text (task->run, JM_RUN_FIELD_STATE);

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
make_of_tasks (GPtrArray *tasks, const char *job, gboolean is_cut)
{
  const JmcJudgedRun *first = tasks->pdata[0];
  const char *name = jm_run_get_text (first->run, JM_RUN_FIELD_NAME);
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

/* Lines of text: states, the spread of what the tasks used, and their verdicts. NULL
 * where the job is no array of which the archive knows several tasks. */
static char *
make_of_array (const JmcOptions *options, const JmcReportQuery *query)
{
  g_autoptr (JmArchive) archive = NULL;
  g_autoptr (GPtrArray) tasks = NULL;
  gboolean is_cut = FALSE;

  if (query->job == NULL || !may_be_array (query->job) || query->socket != NULL ||
      query->ledger_file != NULL)
    return NULL;
  archive = jmc_archive_place_find (options, NULL);
  tasks = archive != NULL ? read_tasks (archive, query, &is_cut) : NULL;
  if (tasks == NULL || tasks->len < 2)
    return NULL;

  judge_tasks (tasks, archive, options);

  return make_of_tasks (tasks, query->job, is_cut);
}

/* --- options --- */

static void
report_clear (Report *self)
{
  jmc_options_clear (&self->options);
  g_clear_pointer (&self->job, g_free);
  g_clear_pointer (&self->socket, g_free);
  g_clear_pointer (&self->output, g_free);
  g_clear_pointer (&self->format_text, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Report, report_clear)

static const JmSetting settings[] = {
  { .name = "cluster",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Only what was on this cluster" },
  { .name = "uuid",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "UUID",
    .help = "The run of this uuid, instead of a job id" },
  { .name = "ledger.file",
    .group = "ledger",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "Read this ledger alone" },
};

static GOptionGroup *
make_group (Report *self)
{
  const GOptionEntry entries[] = {
    { "full", 0, 0, G_OPTION_ARG_NONE, &self->wanted[FORM_FULL],
      "Print all figures, not only the most important", NULL },
    { "format", 0, 0, G_OPTION_ARG_STRING, &self->format_text,
      "text, full, json, html, pdf, jobstats, or seff: lines as Slurm's seff has them",
      "FORMAT" },
    { "html", 0, 0, G_OPTION_ARG_NONE, &self->wanted[FORM_HTML],
      "Print a page for browsers and mails", NULL },
    { "pdf", 0, 0, G_OPTION_ARG_NONE, &self->wanted[FORM_PDF],
      "Print pages of A4 as PDF", NULL },
    { "jobstats", 0, 0, G_OPTION_ARG_NONE, &self->wanted[FORM_JOBSTATS],
      "Print the comment that jobstats keeps in Slurm's accounting", NULL },
    { "output", 0, 0, G_OPTION_ARG_FILENAME, &self->output,
      "Write to this file, instead of the standard output", "FILE" },
    { "socket", 0, 0, G_OPTION_ARG_FILENAME, &self->socket,
      "Ask the exporter at this socket alone", "PATH" },
    { NULL },
  };
  GOptionGroup *group =
    jmc_options_make_group (&self->options, "output", "host", "node.name", "schedulers",
                            "gpus", JMC_ENERGY_SETTINGS, NULL);

  jmc_archive_place_add_settings (&self->options);
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    jmc_options_add_setting (&self->options, &settings[i], group);
  jmc_options_add_entries (group, entries);

  return group;
}

/* --format=html is the same as --html, and so on. */
static gboolean
choose_form (Report *self)
{
  guint n_chosen = 0;

  self->wanted[FORM_JSON] = self->options.json;
  for (Form form = 0; form < N_FORMS; form++)
    {
      const gboolean is_format = g_strcmp0 (self->format_text, form_names[form]) == 0;

      if (is_format || self->wanted[form])
        self->form = form;
      n_chosen += is_format + self->wanted[form];
    }
  if (self->format_text != NULL && n_chosen == 0)
    jmc_output_complain ("--format=%s: not one of text, full, html, jobstats, json, "
                         "pdf "
                         "and seff",
                         self->format_text);
  else if (n_chosen > 1)
    jmc_output_complain (
      "--full, --html, --pdf, --json, --jobstats and --format cannot "
      "be combined");
  else if (self->form == FORM_PDF && self->output == NULL && isatty (STDOUT_FILENO))
    jmc_output_complain ("--pdf is nothing for a terminal: --output=FILE takes it");
  else
    return TRUE;

  return FALSE;
}

static gboolean
check_job (Report *self, int argc, char **argv)
{
  const char *uuid = jmc_options_get_text (&self->options, "uuid");

  if ((argc > 1) + (uuid != NULL) > 1 || argc > 2)
    jmc_output_complain ("one JOB at most, or --uuid=UUID (see jobmetrics-cli report "
                         "--help)");
  else if (uuid != NULL && !g_uuid_string_is_valid (uuid))
    jmc_output_complain ("--uuid=%s: not a uuid", uuid);
  else
    {
      self->job = g_strdup (argv[1]);
      return TRUE;
    }

  return FALSE;
}

static gboolean
parse (Report *self, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("[JOB]");

  g_option_context_set_summary (
    context,
    "Reports how much a job used of its CPUs, memory, accelerators and time, the\n"
    "verdict on it, and what to do next; with --full each of its nodes, its energy\n"
    "and emissions, and all advice. JOB is an id such as 12345, 123_4 or 12+1, of\n"
    "which the newest run is meant; without it your last run is. The archive of the\n"
    "site is asked, then the ledger of this node, then this node itself.");
  g_option_context_set_main_group (context, make_group (self));

  return jmc_options_parse (&self->options, context, &argc, &argv) &&
         jmc_options_check (&self->options) && check_job (self, argc, argv) &&
         choose_form (self) && jmc_archive_place_check (&self->options);
}

/* --- advice --- */

/* A report without advice is worth more than none. */
static GPtrArray *
judge (Report *self, JmRunReport *report)
{
  g_autoptr (JmRunRules) rules =
    jmc_report_rules_open (&self->options, jmc_output_complain);

  return rules != NULL ? jm_run_rules_judge (rules, report) : NULL;
}

/* Of a site that has prices. */
static void
add_cost (Report *self, JmRunReport *report)
{
  g_autoptr (JmHost) host = jmc_options_make_host (&self->options);
  g_autoptr (JmPriceList) prices = jm_price_list_new (host, NULL, NULL);

  if (prices != NULL)
    jm_price_list_add_cost (prices, report);
}

/* --- output --- */

static char *
make_comment (JmRunReport *report)
{
  g_autofree char *comment = jm_jobstats_summary_format (report);

  return g_strconcat (comment, "\n", NULL);
}

/* Where there is more to read of this run. */
static char *
describe_more (Report *self, JmRunReport *report, const JmcReportOrigin *origin)
{
  const char *uuid = jmc_options_get_text (&self->options, "uuid");

  if (origin->link != NULL)
    return g_strdup (origin->link);
  /* the id of its job would be that of another run */
  if (uuid != NULL)
    return g_strconcat ("jobmetrics-cli report --full --uuid=", uuid, NULL);

  return g_strconcat ("jobmetrics-cli report --full ",
                      jm_run_derived_get_job_id (jm_run_report_get_run (report)), NULL);
}

static char *
format_text (Report *self,
             JmRunReport *report,
             GPtrArray *advice,
             const JmcReportOrigin *origin)
{
  const gboolean is_file = self->output != NULL;
  const guint width = is_file ? 0 : jmc_output_get_width (STDOUT_FILENO);
  const gboolean color = is_file
                           ? self->options.color == JMC_COLOR_ALWAYS
                           : jmc_output_has_color (self->options.color, STDOUT_FILENO);
  g_autofree char *more = describe_more (self, report, origin);

  return self->form == FORM_FULL
           ? jm_report_text_format (report, advice, origin->text, width, color)
           : jm_report_text_format_brief (report, advice, more, width, color);
}

static GBytes *
render (Report *self,
        JmRunReport *report,
        GPtrArray *advice,
        const JmcReportOrigin *origin,
        GError **error)
{
  char *text;

  switch (self->form)
    {
    case FORM_PDF:
      return jm_report_pdf_format (report, advice, origin->text, error);
    case FORM_JOBSTATS:
      text = make_comment (report);
      break;
    case FORM_SEFF:
      text = jm_report_seff_format (report);
      break;
    case FORM_HTML:
      text = jm_report_html_format (report, advice, origin->text);
      break;
    case FORM_JSON:
      text = jm_report_json_format (report, advice, origin->text);
      break;
    default:
      text = format_text (self, report, advice, origin);
    }

  return g_bytes_new_take (text, strlen (text));
}

/* Text for people is in the charset of their terminal; all else is as it is. */
static void
print (Report *self, GBytes *bytes)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  if (self->form == FORM_PDF || self->form == FORM_HTML || self->form == FORM_JSON)
    fwrite (data, 1, length, stdout);
  else
    {
      g_autofree char *text = g_strndup (data, length);

      jmc_output_print (text);
    }
}

static gboolean
deliver (Report *self, GBytes *bytes, GError **error)
{
  if (self->output != NULL)
    return jmc_write_file (self->output, bytes, error);

  print (self, bytes);

  return TRUE;
}

static GBytes *
make_of_run (Report *self, const JmcReportQuery *query, GError **error)
{
  g_auto (JmcReportOrigin) origin = { 0 };
  g_autoptr (JmRunReport) report =
    jmc_report_place_find (&self->options, query, &origin);
  g_autoptr (GPtrArray) advice = NULL;

  if (report == NULL)
    return NULL;

  add_cost (self, report);
  advice = judge (self, report);

  return render (self, report, advice, &origin, error);
}

static int
show (Report *self)
{
  const JmcReportQuery query = {
    .job = self->job,
    .uuid = jmc_options_get_text (&self->options, "uuid"),
    .cluster = jmc_options_get_text (&self->options, "cluster"),
    .socket = self->socket,
    .ledger_file = jmc_options_get_text (&self->options, "ledger.file"),
  };
  /* of an array there is a text alone: each task has a report of its own */
  char *array = self->form == FORM_TEXT ? make_of_array (&self->options, &query) : NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = array != NULL ? g_bytes_new_take (array, strlen (array))
                                           : make_of_run (self, &query, &error);

  if (bytes != NULL && deliver (self, bytes, &error))
    return JMC_EXIT_OK;
  if (error != NULL)
    jmc_output_complain ("%s", error->message);

  return JMC_EXIT_FAILURE;
}

int
jmc_report_main (int argc, char **argv)
{
  g_auto (Report) self = { .options.metering.meters = JMC_METERS_TOLD };

  return parse (&self, argc, argv) ? jmc_output_finish (show (&self)) : JMC_EXIT_USAGE;
}
