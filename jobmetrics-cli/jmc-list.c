/* jmc-list.c: jobmetrics-cli list: the jobs of a node as a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <stdio.h>
#include <unistd.h>

#include "base/jm-safe-text-private.h"
#include "core/jm-format.h"
#include "jmc-columns.h"
#include "jmc-json.h"
#include "jmc-metric-choice.h"
#include "jmc-options.h"
#include "jmc-selection.h"
#include "jmc-snapshot.h"
#include "jmc-watch.h"
#include "ledger/jmc-ledger-moment.h"
#include "pages/jmc-job-tables.h"

typedef struct
{
  JmcOptions options;
  JmcSelection selection;
  JmcMetricChoice choice;
  JmcWatch watch;
  JmcLedgerMoment moment;
  char *columns_text;
  char *sort_text;
  gboolean has_steps;
  gboolean csv;
  gboolean is_bare;
  gboolean is_continued; /* the titles of the CSV were written */
  JmTable *table;
  GPtrArray *asked; /* of const JmField: columns whether they are known or not */
  JmcOrder *order;
} List;

static void
list_clear (List *self)
{
  jmc_options_clear (&self->options);
  jmc_selection_clear (&self->selection);
  jmc_metric_choice_clear (&self->choice);
  jmc_watch_clear (&self->watch);
  jmc_ledger_moment_clear (&self->moment);
  g_clear_pointer (&self->columns_text, g_free);
  g_clear_pointer (&self->sort_text, g_free);
  g_clear_object (&self->table);
  g_clear_pointer (&self->asked, g_ptr_array_unref);
  g_clear_pointer (&self->order, jmc_order_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (List, list_clear)

/* --- options --- */

static GOptionGroup *
make_group (List *self)
{
  const GOptionEntry entries[] = {
    { "columns", 0, 0, G_OPTION_ARG_STRING, &self->columns_text,
      "Columns by their names; help lists these", "NAME,…" },
    { "sort", 0, 0, G_OPTION_ARG_STRING, &self->sort_text,
      "Sort by columns, shown or not; - before one is for descending order",
      "[-]NAME,…" },
    { "steps", 0, 0, G_OPTION_ARG_NONE, &self->has_steps,
      "Show the steps of each job below it", NULL },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &self->csv,
      "Print comma-separated values, in seconds, bytes and counts", NULL },
    { "no-headers", 0, 0, G_OPTION_ARG_NONE, &self->is_bare, "Print no column titles",
      NULL },
    { NULL },
  };
  GOptionGroup *group =
    jmc_options_make_group (&self->options, "output", "host", "jobs", "gpus",
                            JMC_ENERGY_SETTINGS, NULL);

  jmc_options_add_entries (group, entries);
  jmc_metric_choice_add_entries (&self->choice, group);
  jmc_selection_add_entries (&self->selection, group);
  jmc_watch_add_entries (&self->watch, group);
  jmc_ledger_moment_add_entries (&self->moment, &self->options, group);

  return group;
}

/* Accounts are of all of a job's life; sources, only of the time since they were
 * opened.
 */
static void
add_optional_columns (List *self)
{
  const gboolean has_watts =
    self->moment.text != NULL || jmc_metering_reads_sources (&self->options.metering);

  jm_table_add_optional_columns (self->table, JMC_LIST_COLUMNS_OF_GPUS);
  jm_table_add_optional_columns (self->table, has_watts ? JMC_LIST_COLUMNS_OF_SOURCES
                                                        : JMC_LIST_COLUMNS_OF_ENERGY);
}

/* Who chooses metrics wants to see these, and whose they are. */
static const char *
get_usual_columns (const List *self)
{
  if (jmc_metric_choice_is_made (&self->choice))
    return self->has_steps ? "jobid,step" : "jobid";
  if (self->moment.text != NULL)
    return JMC_LIST_COLUMNS_OF_MOMENT;

  return self->has_steps ? JMC_LIST_COLUMNS_OF_STEPS : JMC_LIST_COLUMNS;
}

static void
add_chosen_columns (List *self)
{
  g_autoptr (JmMetricSelection) selection =
    jmc_metric_choice_get_selection (&self->choice);

  jmc_columns_add_metrics (self->table, selection);
}

static gboolean
parse_columns (List *self)
{
  g_autoptr (GError) error = NULL;

  self->table =
    jm_table_new_of_jobs (self->columns_text != NULL ? self->columns_text
                                                     : get_usual_columns (self),
                          &error);
  if (self->table == NULL)
    {
      jmc_output_complain ("--columns: %s (see list --columns=help)", error->message);
      return FALSE;
    }

  if (jmc_metric_choice_is_made (&self->choice))
    add_chosen_columns (self);
  self->asked = jmc_columns_list_fields (self->table);
  if (!jmc_metric_choice_is_made (&self->choice) && self->columns_text == NULL)
    add_optional_columns (self);

  return TRUE;
}

static gboolean
parse_order (List *self)
{
  g_autoptr (GError) error = NULL;

  self->order =
    jmc_order_parse (self->sort_text != NULL ? self->sort_text : "jobid", &error);
  if (self->order == NULL)
    jmc_output_complain ("--sort: %s (see list --columns=help)", error->message);

  return self->order != NULL;
}

static gboolean
check_form (List *self)
{
  if (self->csv && self->options.json)
    {
      jmc_output_complain ("--csv and --json cannot be combined");
      return FALSE;
    }
  if (self->moment.text != NULL && (self->watch.text != NULL || self->has_steps))
    {
      jmc_output_complain ("--at cannot be combined with --watch or --steps");
      return FALSE;
    }
  self->watch.is_stream = self->csv || self->options.json;

  return TRUE;
}

static gboolean
parse (List *self, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_auto (GStrv) arguments = jmc_watch_copy_arguments (argc, argv);

  g_option_context_set_summary (context, "Shows the jobs of this node as a table.");
  g_option_context_set_main_group (context, make_group (self));
  if (!jmc_options_parse_strv (&self->options, context, &arguments))
    return FALSE;

  if (arguments[1] != NULL)
    {
      jmc_output_complain ("%s: list takes no arguments", arguments[1]);
      return FALSE;
    }

  return jmc_options_check (&self->options) && check_form (self) &&
         jmc_metric_choice_check (&self->choice) &&
         (g_strcmp0 (self->columns_text, "help") == 0 || parse_columns (self)) &&
         parse_order (self) && jmc_selection_parse (&self->selection) &&
         jmc_watch_parse (&self->watch) &&
         jmc_ledger_moment_parse (&self->moment, &self->options);
}

/* No more is read than is shown or judged by. */
static JmCollectorSet
get_collectors (const List *self)
{
  g_autoptr (JmCollectorSet) usual = jm_collector_set_new_usual ();
  g_autoptr (GPtrArray) columns = jmc_columns_list_fields (self->table);
  JmCollectorSet collectors = { { 0 } };

  if (self->options.json)
    return *usual;

  for (guint i = 0; i < columns->len; i++)
    jm_field_add_collectors (columns->pdata[i], &collectors);
  jmc_order_add_collectors (self->order, &collectors);
  jm_job_selection_add_collectors (self->selection.jobs, &collectors);

  return collectors;
}

/* --- output --- */

/* What has a line of its own: @jobs (guint), and their steps where these are wanted. */
static GArray *
list_lines (List *self, JmSnapshot *snapshot, GArray *jobs)
{
  GArray *lines;

  if (!self->has_steps)
    return g_array_ref (jobs);

  lines = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < jobs->len; i++)
    {
      const guint job = g_array_index (jobs, guint, i);
      g_autoptr (GArray) steps = jmc_steps_list (snapshot, job);

      g_array_append_val (lines, job);
      g_array_append_vals (lines, steps->data, steps->len);
    }

  return lines;
}

static void
append_table (List *self, GString *text)
{
  g_autofree char *lines =
    jm_table_to_text (self->table, jmc_output_get_width (STDOUT_FILENO), !self->is_bare,
                      jmc_output_has_color (self->options.color, STDOUT_FILENO));

  g_string_append (text, lines);
  if (!self->is_bare && jm_table_has_estimates (self->table))
    g_string_append (text, "\n" JM_FIGURE_ESTIMATE_LEGEND "\n");
  if (!self->is_bare && jm_table_get_n_rows (self->table) > 0 &&
      self->moment.text == NULL && jmc_metering_reads_sources (&self->options.metering))
    g_string_append (text, "\nenergy is counted since this command began\n");
}

static void
append_csv (List *self, GString *text)
{
  g_autofree char *lines =
    jm_table_to_csv (self->table, !self->is_bare && !self->is_continued);

  self->is_continued = TRUE;
  g_string_append (text, lines);
}

/* @subjects (guint) in their order. */
static void
fill_table (List *self, JmSnapshot *snapshot, GArray *subjects)
{
  jm_table_clear (self->table);
  for (guint i = 0; i < subjects->len; i++)
    jm_table_add_subject (self->table, snapshot, g_array_index (subjects, guint, i));
}

static void
append_json (List *self, JmSnapshot *snapshot, GArray *jobs, GString *text)
{
  g_autoptr (JmMetricSelection) selection =
    jmc_metric_choice_get_selection (&self->choice);

  jmc_json_append (text, snapshot, jobs, selection, self->watch.text == NULL);
}

static const char *
describe_emptiness (List *self, JmSnapshot *snapshot)
{
  guint job;

  if (jm_snapshot_find_subject (snapshot, JM_SUBJECT_KIND_JOB, &job))
    return "no job on this node matches";

  return self->moment.text != NULL
           ? jmc_ledger_moment_describe_emptiness (&self->options)
           : "no jobs on this node";
}

/* Those that were asked for: to see them, or to choose and sort jobs by them. */
static GPtrArray *
list_fields (List *self)
{
  GPtrArray *fields = g_ptr_array_new ();

  g_ptr_array_extend (fields, self->asked, NULL, NULL);
  jmc_order_add_fields (self->order, fields);
  jmc_selection_add_fields (&self->selection, fields);

  return fields;
}

/* What has no place in the table: a line for each, without an end. */
static GPtrArray *
list_remarks (List *self, JmSnapshot *snapshot)
{
  GPtrArray *remarks = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) fields = list_fields (self);
  g_autoptr (GArray) jobs = jm_job_selection_list (self->selection.jobs, snapshot);

  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    {
      char *error = jmc_snapshot_describe_loss (snapshot, i, fields);

      if (error != NULL)
        g_ptr_array_add (remarks, error);
    }
  if (jobs->len == 0)
    g_ptr_array_add (remarks, g_strdup (describe_emptiness (self, snapshot)));

  return remarks;
}

static void
append_remarks (List *self, JmSnapshot *snapshot, GString *text)
{
  g_autoptr (GPtrArray) remarks = list_remarks (self, snapshot);

  for (guint i = 0; i < remarks->len; i++)
    {
      g_autofree char *safe = jm_safe_text_make (remarks->pdata[i]);

      g_string_append_printf (text, "%s%s\n", i == 0 ? "\n" : "", safe);
    }
}

static gboolean
draw (JmSnapshot *snapshot, gboolean is_page, GString *text, gpointer data)
{
  List *self = data;
  g_autoptr (GArray) jobs = jm_job_selection_list (self->selection.jobs, snapshot);
  g_autoptr (GArray) lines = NULL;

  jmc_order_sort (self->order, snapshot, jobs);
  lines = list_lines (self, snapshot, jobs);
  if (!self->options.json)
    fill_table (self, snapshot, lines);
  if (self->options.json)
    append_json (self, snapshot, jobs, text);
  else if (self->csv)
    append_csv (self, text);
  else
    append_table (self, text);
  if (is_page)
    append_remarks (self, snapshot, text);

  return TRUE;
}

static void
complain (JmSnapshot *snapshot, gpointer data)
{
  List *self = data;
  g_autoptr (GPtrArray) remarks = list_remarks (self, snapshot);

  /* JSON has the errors itself. */
  for (guint i = 0; i < remarks->len && !self->options.json; i++)
    jmc_output_complain ("%s", (const char *) remarks->pdata[i]);
}

/* --- a past time --- */

static void
print_heading (JmSnapshot *snapshot, const JmRecordMoment *moment)
{
  g_autofree char *time =
    jm_format_to_string (JM_FORMAT_TIME,
                         (double) jm_snapshot_get_time (snapshot) / G_USEC_PER_SEC);
  g_autofree char *points = jmc_ledger_moment_describe_points (moment);
  g_autofree char *heading = g_strdup_printf ("%s  %s\n\n", time, points);

  jmc_output_print (heading);
}

static int
list_moment (List *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (JmSnapshot) snapshot = NULL;
  JmRecordMoment moment;

  snapshot = jmc_ledger_moment_read (&self->moment, &self->options, &moment, &error);
  if (snapshot == NULL)
    {
      jmc_output_complain ("%s", error->message);
      return JMC_EXIT_FAILURE;
    }

  if (!self->watch.is_stream && !self->is_bare)
    print_heading (snapshot, &moment);
  draw (snapshot, FALSE, text, self);
  if (self->watch.is_stream)
    fputs (text->str, stdout);
  else
    jmc_output_print (text->str);
  jmc_output_flush ();
  complain (snapshot, self);

  return JMC_EXIT_OK;
}

static int
print_columns (void)
{
  g_autoptr (JmTable) table = jm_table_new_of_jobs ("jobid", NULL);
  g_autofree char *text = jmc_columns_describe (table);

  jmc_output_print (text);

  return jmc_output_finish (JMC_EXIT_OK);
}

int
jmc_list_main (int argc, char **argv)
{
  g_auto (List) self = { .options.metering.meters = JMC_METERS_TOLD };
  const JmcView view = { draw, complain, &self };
  JmCollectorSet collectors;

  if (!parse (&self, argc, argv))
    return JMC_EXIT_USAGE;

  if (self.table == NULL)
    return print_columns ();

  if (self.moment.text != NULL)
    return jmc_output_finish (list_moment (&self));

  collectors = get_collectors (&self);

  return jmc_watch_run (&self.watch, &self.options,
                        self.has_steps ? JM_SUBJECT_KIND_STEP : JM_SUBJECT_KIND_JOB,
                        &collectors, &view);
}
