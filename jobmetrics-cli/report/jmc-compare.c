/* jmc-compare.c: jobmetrics-cli compare: runs side by side
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "archive/jmc-archive-options.h"
#include "base/jm-csv-private.h"
#include "base/jm-error.h"
#include "base/jm-json-writer-private.h"
#include "base/jm-safe-text-private.h"
#include "base/jm-text-table-private.h"
#include "base/jm-text-width-private.h"
#include "core/jm-format.h"
#include "jmc-options.h"
#include "judge/jm-run-comparison.h"
#include "judge/jm-run-verdict.h"
#include "report/jmc-report-query.h"
#include "report/jmc-report-rules.h"

#define POINTS_LEGEND "pp: percentage points\n"

typedef struct
{
  JmcOptions options;
  gboolean csv;
  char **jobs;
} Compare;

static JmRun *
get_run (JmRunComparison *comparison, guint run)
{
  return jm_run_report_get_run (jm_run_comparison_get_report (comparison, run));
}

static const char *
get_text (JmRunComparison *comparison, guint run, const char *quantity)
{
  return jm_run_get_text (get_run (comparison, run), quantity);
}

/* `waste`; the rest of the title stands below the table. */
static char *
get_kind (GPtrArray *verdicts, guint run)
{
  const char *title = jm_run_verdict_get_title (verdicts->pdata[run]);

  return g_strndup (title, strcspn (title, ":"));
}

/* --- text --- */

/* The first run, and @n others from @from on. */
typedef struct
{
  JmRunComparison *comparison;
  GPtrArray *verdicts;
  char **ids; /* of all runs, safe to print */
  guint from;
  guint n;
} Block;

static JmTextColumn *
make_columns (const Block *block)
{
  JmTextColumn *columns = g_new0 (JmTextColumn, 2 + 2 * block->n);

  columns[0].title = "";
  columns[1].title = block->ids[0];
  columns[1].align = JM_TEXT_ALIGN_RIGHT;
  for (guint i = 0; i < block->n; i++)
    {
      columns[2 + 2 * i].title = block->ids[block->from + i];
      columns[2 + 2 * i].align = JM_TEXT_ALIGN_RIGHT;
      columns[3 + 2 * i].title = "";
      columns[3 + 2 * i].align = JM_TEXT_ALIGN_RIGHT;
    }

  return columns;
}

/* A cell of a table that is empty, for what is absent has a dash. */
#define EMPTY " "

static void
add_state (JmTextTable *table, const Block *block)
{
  jm_text_table_add (table, "State");
  jm_text_table_add (table, get_text (block->comparison, 0, "state"));
  for (guint i = 0; i < block->n; i++)
    {
      jm_text_table_add (table, get_text (block->comparison, block->from + i, "state"));
      jm_text_table_add (table, EMPTY);
    }
}

static void
add_verdicts (JmTextTable *table, const Block *block)
{
  if (block->verdicts == NULL)
    return;

  jm_text_table_add (table, "Verdict");
  jm_text_table_take (table, get_kind (block->verdicts, 0));
  for (guint i = 0; i < block->n; i++)
    {
      jm_text_table_take (table, get_kind (block->verdicts, block->from + i));
      jm_text_table_add (table, EMPTY);
    }
}

static void
add_quantity (JmTextTable *table, const Block *block, const JmQuantity *quantity)
{
  JmRunComparison *comparison = block->comparison;

  jm_text_table_add (table, quantity->title);
  jm_text_table_take (table, jm_run_comparison_format_value (comparison, quantity, 0));
  for (guint i = block->from; i < block->from + block->n; i++)
    {
      g_autofree char *difference =
        jm_run_comparison_format_difference (comparison, quantity, i);

      jm_text_table_take (table,
                          jm_run_comparison_format_value (comparison, quantity, i));
      jm_text_table_add (table, difference != NULL ? difference : EMPTY);
    }
}

static char *
render_block (const Block *block, gboolean color)
{
  g_autoptr (GPtrArray) quantities =
    jm_run_comparison_list_quantities (block->comparison);
  g_autofree JmTextColumn *columns = make_columns (block);
  g_autoptr (JmTextTable) table = jm_text_table_new (columns, 2 + 2 * block->n);

  add_state (table, block);
  for (guint i = 0; i < quantities->len; i++)
    add_quantity (table, block, quantities->pdata[i]);
  add_verdicts (table, block);

  return jm_text_table_render (table, 0, color);
}

static gboolean
fits (const char *text, guint width)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    if (jm_text_width_get (*line) > width)
      return FALSE;

  return TRUE;
}

/* As many runs from block->from on as fit. */
static char *
fit_block (Block *block, guint width, gboolean color)
{
  while (width > 0 && block->n > 1)
    {
      g_autofree char *plain = render_block (block, FALSE);

      if (fits (plain, width))
        break;
      block->n--;
    }

  return render_block (block, color);
}

static void
append_sentences (GString *text, char **ids, GPtrArray *verdicts)
{
  for (guint i = 0; verdicts != NULL && i < verdicts->len; i++)
    {
      g_autofree char *verdict = jm_run_verdict_to_string (verdicts->pdata[i]);
      g_autofree char *safe = jm_safe_text_make (verdict);

      g_string_append_printf (text, "%s%s: %s\n", i == 0 ? "\n" : "", ids[i], safe);
    }
}

static char **
list_ids (JmRunComparison *comparison)
{
  const guint n_runs = jm_run_comparison_get_n_runs (comparison);
  char **ids = g_new0 (char *, n_runs + 1);

  for (guint i = 0; i < n_runs; i++)
    ids[i] = jm_safe_text_make (get_text (comparison, i, "jobid"));

  return ids;
}

/* @verdicts is of JmRunVerdict, here and below, one for each run; NULL where the rules
 * could not be read. Tables no wider than @width cells, 0 for any width: where not all
 * runs fit beside the first one, each table repeats the first run. */
static char *
format_text (JmRunComparison *comparison,
             GPtrArray *verdicts,
             guint width,
             gboolean color)
{
  const guint n_runs = jm_run_comparison_get_n_runs (comparison);
  g_auto (GStrv) ids = list_ids (comparison);
  GString *text = g_string_new (NULL);

  for (guint from = 1; from < n_runs;)
    {
      Block block = { comparison, verdicts, ids, from, n_runs - from };
      g_autofree char *lines = fit_block (&block, width, color);

      g_string_append_printf (text, "%s%s", from > 1 ? "\n" : "", lines);
      from += block.n;
    }
  append_sentences (text, ids, verdicts);
  if (strstr (text->str, " pp") != NULL)
    g_string_append (text, POINTS_LEGEND);
  if (strstr (text->str, " " JM_FIGURE_ESTIMATE_MARK) != NULL)
    g_string_append (text, JM_FIGURE_ESTIMATE_LEGEND "\n");

  return g_string_free (text, FALSE);
}

/* --- CSV --- */

static void
append_number (GString *text, guint column, gboolean is_known, double value)
{
  g_autofree char *number = is_known ? jm_number_to_string (value) : NULL;

  jm_csv_append (text, column, number != NULL ? number : "");
}

static void
append_csv_titles (GString *text, JmRunComparison *comparison)
{
  const guint n_runs = jm_run_comparison_get_n_runs (comparison);

  jm_csv_append (text, 0, "quantity");
  for (guint i = 0; i < n_runs; i++)
    jm_csv_append (text, 1 + i, get_text (comparison, i, "jobid"));
  for (guint i = 1; i < n_runs; i++)
    {
      g_autofree char *title =
        g_strdup_printf ("difference %s", get_text (comparison, i, "jobid"));

      jm_csv_append (text, n_runs + i, title);
    }
  jm_csv_end_line (text);
}

static void
append_csv_line (GString *text, JmRunComparison *comparison, const JmQuantity *quantity)
{
  const guint n_runs = jm_run_comparison_get_n_runs (comparison);

  jm_csv_append (text, 0, quantity->name);
  for (guint i = 0; i < n_runs; i++)
    {
      double value;
      const gboolean is_known =
        jm_run_report_get_value (jm_run_comparison_get_report (comparison, i), quantity,
                                 &value);

      append_number (text, 1 + i, is_known, value);
    }
  for (guint i = 1; i < n_runs; i++)
    {
      double value;
      const gboolean is_known =
        jm_run_comparison_get_difference (comparison, quantity, i, &value);

      append_number (text, n_runs + i, is_known, value);
    }
  jm_csv_end_line (text);
}

static void
append_csv_verdicts (GString *text, GPtrArray *verdicts)
{
  jm_csv_append (text, 0, "verdict");
  for (guint i = 0; i < verdicts->len; i++)
    jm_csv_append (text, 1 + i, jm_run_verdict_get_title (verdicts->pdata[i]));
  for (guint i = 1; i < verdicts->len; i++)
    jm_csv_append (text, verdicts->len + i, "");
  jm_csv_end_line (text);
}

static char *
format_csv (JmRunComparison *comparison, GPtrArray *verdicts)
{
  g_autoptr (GPtrArray) quantities = jm_run_comparison_list_quantities (comparison);
  GString *text = g_string_new (NULL);

  append_csv_titles (text, comparison);
  for (guint i = 0; i < quantities->len; i++)
    append_csv_line (text, comparison, quantities->pdata[i]);
  if (verdicts != NULL)
    append_csv_verdicts (text, verdicts);

  return g_string_free (text, FALSE);
}

/* --- JSON --- */

static void
add_run (JmJsonWriter *json,
         JmRunComparison *comparison,
         GPtrArray *verdicts,
         guint run)
{
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "jobid", get_text (comparison, run, "jobid"));
  jm_json_writer_add_text (json, "cluster",
                           jm_run_get_text (get_run (comparison, run), "cluster"));
  jm_json_writer_add_text (json, "uuid", get_text (comparison, run, "uuid"));
  jm_json_writer_add_text (json, "name", get_text (comparison, run, "name"));
  jm_json_writer_add_text (json, "state", get_text (comparison, run, "state"));
  jm_json_writer_add_text (json, "verdict",
                           verdicts != NULL
                             ? jm_run_verdict_get_title (verdicts->pdata[run])
                             : NULL);
  jm_json_writer_end_object (json);
}

/* Null for what is not known. */
static void
add_json_quantity (JmJsonWriter *json,
                   JmRunComparison *comparison,
                   const JmQuantity *quantity)
{
  const guint n_runs = jm_run_comparison_get_n_runs (comparison);

  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "name", quantity->name);
  jm_json_writer_add_text (json, "title", quantity->title);
  jm_json_writer_begin_array (json, "values");
  for (guint i = 0; i < n_runs; i++)
    {
      double value;
      const gboolean is_known =
        jm_run_report_get_value (jm_run_comparison_get_report (comparison, i), quantity,
                                 &value);

      jm_json_writer_add_double (json, NULL, is_known ? value : NAN);
    }
  jm_json_writer_end_array (json);
  jm_json_writer_begin_array (json, "differences");
  for (guint i = 0; i < n_runs; i++)
    {
      double value;
      const gboolean is_known =
        jm_run_comparison_get_difference (comparison, quantity, i, &value);

      jm_json_writer_add_double (json, NULL, is_known ? value : NAN);
    }
  jm_json_writer_end_array (json);
  jm_json_writer_end_object (json);
}

static char *
format_json (JmRunComparison *comparison, GPtrArray *verdicts)
{
  g_autoptr (GPtrArray) quantities = jm_run_comparison_list_quantities (comparison);
  GString *text = g_string_new (NULL);
  JmJsonWriter json = { .out = text, .layout = JM_JSON_PRETTY };

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_begin_array (&json, "runs");
  for (guint i = 0; i < jm_run_comparison_get_n_runs (comparison); i++)
    add_run (&json, comparison, verdicts, i);
  jm_json_writer_end_array (&json);
  jm_json_writer_begin_array (&json, "quantities");
  for (guint i = 0; i < quantities->len; i++)
    add_json_quantity (&json, comparison, quantities->pdata[i]);
  jm_json_writer_end_array (&json);
  jm_json_writer_end_object (&json);
  g_string_append_c (text, '\n');

  return g_string_free (text, FALSE);
}

/* --- options --- */

static void
compare_clear (Compare *self)
{
  jmc_options_clear (&self->options);
  g_clear_pointer (&self->jobs, g_strfreev);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Compare, compare_clear)

static const JmSetting cluster_setting = {
  .name = "cluster",
  .group = "selection",
  .kind = JM_SETTING_TEXT,
  .argument = "NAME",
  .help = "Only runs on this cluster",
};

static GOptionGroup *
make_group (Compare *self)
{
  const GOptionEntry entries[] = {
    { "csv", 0, 0, G_OPTION_ARG_NONE, &self->csv,
      "Print comma-separated values, in base units", NULL },
    { NULL },
  };
  GOptionGroup *group =
    jmc_options_make_group (&self->options, "output", "host", "node.name", "schedulers",
                            "gpus", JMC_ENERGY_SETTINGS, NULL);

  jmc_archive_options_add_settings (&self->options);
  jmc_options_add_setting (&self->options, &cluster_setting, group);
  jmc_options_add_entries (group, entries);

  return group;
}

static gboolean
check_jobs (Compare *self, int argc, char **argv)
{
  if (argc < 2 || argc > JM_RUN_COMPARISON_MAX_RUNS + 1)
    jmc_output_complain ("one to %d jobs are compared, not %d (see jobmetrics-cli "
                         "compare --help)",
                         JM_RUN_COMPARISON_MAX_RUNS, argc - 1);
  else if (self->csv && self->options.json)
    jmc_output_complain ("--csv and --json cannot be combined");
  else
    {
      self->jobs = g_strdupv (argv + 1);
      return TRUE;
    }

  return FALSE;
}

static gboolean
parse (Compare *self, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("JOB [JOB…]");

  g_option_context_set_summary (
    context,
    "Shows the figures of two to six runs side by side, with the differences to the\n"
    "first, and the verdict on each. With one JOB the first is the run before it, of\n"
    "the same user, cluster and job name. JOB is an id such as 12345, 123_4 or 12+1,\n"
    "of which the newest run is meant, or the uuid of a run. The places where report\n"
    "looks for a run are asked for each.");
  g_option_context_set_main_group (context, make_group (self));

  return jmc_options_parse (&self->options, context, &argc, &argv) &&
         jmc_options_check (&self->options) && check_jobs (self, argc, argv) &&
         jmc_archive_options_check (&self->options);
}

/* --- runs --- */

static JmRun *
find_run_before (JmArchive *archive, JmRun *run, GError **error)
{
  const char *const users[] = { jm_run_get_text (run, "user"), NULL };
  const char *name = jm_run_get_text (run, "name");
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) runs = NULL;
  const gint64 start = (gint64) jm_run_get_figure (run, "start_time").value;

  if (start > 0 && users[0] != NULL && name != NULL)
    {
      jm_run_filter_set_users (filter, users);
      jm_run_filter_set_cluster (filter, jm_run_get_text (run, "cluster"));
      jm_run_filter_set_name (filter, name);
      jm_run_filter_set_period (filter, 0, start);
      jm_run_filter_set_sort (filter, "-start", NULL);
      runs = jm_archive_list_runs (archive, filter, 1, NULL, error);
      if (runs == NULL)
        return NULL;
    }
  if (runs == NULL || runs->len == 0)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                   "the archive has no run of the same user, cluster and job name "
                   "before %s: name two jobs",
                   jm_run_get_text (run, "jobid"));
      return NULL;
    }

  return jm_run_ref (runs->pdata[0]);
}

/* The run before the only one, in front of it; FALSE where there is none, which was
 * reported. */
static gboolean
insert_run_before (Compare *self, GPtrArray *reports)
{
  g_autoptr (JmRun) before = NULL;
  g_autoptr (GError) error = NULL;
  JmRunReport *report = NULL;
  int status;
  g_autoptr (JmArchive) archive = jmc_archive_options_open (&self->options, &status);

  if (archive == NULL)
    return FALSE;

  before = find_run_before (archive, jm_run_report_get_run (reports->pdata[0]), &error);
  if (before != NULL)
    {
      const char *uuid = jm_run_get_text (before, "uuid");

      report = uuid != NULL ? jm_archive_read_report (archive, uuid, NULL, &error)
                            : jm_run_report_new (before, NULL);
    }
  if (report == NULL)
    {
      jmc_output_complain ("%s", error->message);
      return FALSE;
    }
  g_ptr_array_insert (reports, 0, report);

  return TRUE;
}

/* NULL where a run was not found, which was reported. */
static GPtrArray *
find_reports (Compare *self)
{
  g_autoptr (GPtrArray) reports =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_report_unref);

  for (char **job = self->jobs; *job != NULL; job++)
    {
      const gboolean is_uuid = g_uuid_string_is_valid (*job);
      const JmcReportQuery query = {
        .job = is_uuid ? NULL : *job,
        .uuid = is_uuid ? *job : NULL,
        .cluster = jmc_options_get_text (&self->options, "cluster"),
      };
      JmRunReport *report = jmc_report_query_find (&self->options, &query, NULL);

      if (report == NULL)
        return NULL;
      g_ptr_array_add (reports, report);
    }
  if (reports->len == 1 && !insert_run_before (self, reports))
    return NULL;

  return g_steal_pointer (&reports);
}

static GPtrArray *
judge (Compare *self, GPtrArray *reports)
{
  g_autoptr (JmRunRules) rules =
    jmc_report_rules_open (&self->options, jmc_output_complain);
  GPtrArray *verdicts;

  if (rules == NULL)
    return NULL;

  verdicts = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_verdict_unref);
  for (guint i = 0; i < reports->len; i++)
    {
      g_autoptr (GPtrArray) advice = jm_run_rules_judge (rules, reports->pdata[i]);

      g_ptr_array_add (verdicts, jm_run_verdict_new (reports->pdata[i], advice));
    }

  return verdicts;
}

/* --- output --- */

/* JSON and CSV are UTF-8 whatever the locale is. */
static int
show (Compare *self)
{
  g_autoptr (GPtrArray) reports = find_reports (self);
  g_autoptr (GPtrArray) verdicts = NULL;
  g_autoptr (JmRunComparison) comparison = NULL;
  g_autofree char *text = NULL;

  if (reports == NULL)
    return JMC_EXIT_FAILURE;

  verdicts = judge (self, reports);
  comparison = jm_run_comparison_new (reports);
  if (self->options.json || self->csv)
    {
      text = self->csv ? format_csv (comparison, verdicts)
                       : format_json (comparison, verdicts);
      fputs (text, stdout);
      return JMC_EXIT_OK;
    }
  text = format_text (comparison, verdicts, jmc_output_get_width (STDOUT_FILENO),
                      jmc_output_has_color (self->options.color, STDOUT_FILENO));
  jmc_output_print (text);

  return JMC_EXIT_OK;
}

int
jmc_compare_main (int argc, char **argv)
{
  g_auto (Compare) self = { .options.metering.meters = JMC_METERS_TOLD };

  return parse (&self, argc, argv) ? jmc_output_finish (show (&self)) : JMC_EXIT_USAGE;
}
