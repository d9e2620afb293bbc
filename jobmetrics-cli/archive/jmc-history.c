/* jmc-history.c: jobmetrics-cli history: past runs of a site
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <unistd.h>

#include "archive/jmc-archive-form.h"
#include "archive/jmc-archive-options.h"
#include "archive/jmc-judged-run.h"
#include "archive/jmc-run-query.h"
#include "archive/jmc-usage-totals.h"
#include "base/jm-error.h"
#include "base/jm-safe-text-private.h"
#include "base/jm-text-width-private.h"
#include "core/jm-run-document-private.h"
#include "core/jm-run.h"
#include "jmc-columns.h"
#include "report/jmc-report-rules.h"
#include "report/page/jm-report-json-private.h"

#define N_COLUMNS 6
/* Cells that a column is wider than its widest text. */
#define BORDER 2
#define ABSENT "---"

#define BOLD "\033[1m"
#define RED "\033[31m"
#define GREEN "\033[32m"
#define PLAIN "\033[0m"

static const struct
{
  const char *title;
  gboolean is_right; /* else centered */
} columns[N_COLUMNS] = {
  { "JobID", TRUE },    { "State", FALSE },  { "Elapsed", TRUE },
  { "TimeEff", FALSE }, { "CPUEff", FALSE }, { "MemEff", FALSE },
};

/* Per cent below which a share is red, and above which it is green or red again. */
typedef struct
{
  double poor;
  double good;
  double full;
} Scale;

static const Scale use = { 20, 80, G_MAXDOUBLE };
static const Scale room = { 20, 60, 90 };

typedef struct
{
  char *text;
  const char *color; /* NULL for none */
} Cell;

/* What a line of 80 cells has room for comes first. */
#define OWN_COLUMNS "jobid,elapsed,state,eff,peak%"
#define COLUMNS "jobid,user,elapsed,state,eff,peak%"
/* Only a run that waits has one, and its verdict says no more than that it waits. */
#define WAIT_COLUMNS "reason"
/* Their records must be read: of so many runs and no more, unless the columns are
 * named. JSON has a verdict of as many. */
#define JUDGED_COLUMNS "time%,gpu,verdict"
#define MAX_JUDGED 1000
#define OPTIONAL_COLUMNS                                                               \
 "name,began,cpu_time,peak,energy,co2,cpus,gpus,account,partition"

/* Runs in groups: so many are read at most. */
#define MAX_GROUPED 100000
#define USUAL_SORT "-end"

typedef struct
{
  JmcOptions options;
  JmcArchiveForm form;
  JmcRunQuery query;
  char *columns_text;
  const char *by_text; /* NULL for no groups */
  JmUsageGroups groups;
  JmTable *table;  /* NULL for CSV with all that is kept */
  gboolean is_own; /* only one's own are meant */
  guint n_runs;
  JmArchive *archive;
  JmRunRules *rules; /* NULL where nothing is judged */
  gboolean has_siblings;
  JmPriceList *prices; /* NULL where no cost is shown, or the site has none */
  GPtrArray *runs;     /* of JmRun: those for reportseff */
  GPtrArray *sorted;   /* of JmcJudgedRun; NULL for the order of the archive */
  guint n_unjudged;    /* runs whose records could not be read */
  GError *why;         /* of the first of these */
} History;

/* --- the columns of reportseff --- */

static void
clear_cell (gpointer cell)
{
  g_free (((Cell *) cell)->text);
}

static void
take (GArray *cells, char *text, const char *color)
{
  const Cell cell = { jm_safe_text_make (text != NULL ? text : ABSENT), color };

  g_array_append_val (cells, cell);
  g_free (text);
}

/* `1-02:03:04`, as Slurm writes it. */
static char *
format_elapsed (JmFigure elapsed)
{
  const guint64 seconds = elapsed.value > 0 ? (guint64) elapsed.value : 0;
  const guint64 days = seconds / 86400;
  g_autofree char *clock = NULL;

  if (!elapsed.is_known)
    return NULL;

  clock = g_strdup_printf ("%02u:%02u:%02u", (guint) (seconds / 3600 % 24),
                           (guint) (seconds / 60 % 60), (guint) (seconds % 60));

  return days > 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT "-%s", days, clock)
                  : g_steal_pointer (&clock);
}

static void
take_share (GArray *cells, JmFigure share, const Scale *scale)
{
  const char *color = NULL;

  if (share.is_known && (share.value < scale->poor || share.value > scale->full))
    color = RED;
  else if (share.is_known && share.value > scale->good)
    color = GREEN;
  take (cells, share.is_known ? g_strdup_printf ("%.1f%%", share.value) : NULL, color);
}

static void
take_state (GArray *cells, const char *state)
{
  static const char *const failed[] = { "FAILED", "TIMEOUT", "OUT_OF_MEMORY",
                                        "NODE_FAIL", NULL };
  const char *color = NULL;

  if (g_strcmp0 (state, "COMPLETED") == 0)
    color = GREEN;
  else if (state != NULL && g_strv_contains (failed, state))
    color = RED;
  take (cells, g_strdup (state), color);
}

static void
take_run (GArray *cells, JmRun *run)
{
  take (cells, g_strdup (jm_run_get_text (run, "jobid")), NULL);
  take_state (cells, jm_run_get_text (run, "state"));
  take (cells, format_elapsed (jm_run_get_figure (run, "elapsed_seconds")), NULL);
  take_share (cells, jm_run_get_figure (run, "time_share_percent"), &room);
  take_share (cells, jm_run_get_figure (run, "cpu_efficiency_percent"), &use);
  take_share (cells, jm_run_get_figure (run, "memory_share_percent"), &room);
}

static void
append_cell (GString *line, guint column, guint width, const Cell *cell, gboolean color)
{
  const guint missing = width - jm_text_width_get (cell->text);
  const guint before = columns[column].is_right ? missing : missing / 2;

  g_string_append_printf (line, "%s%*s", column > 0 ? " " : "", (int) before, "");
  if (color && cell->color != NULL)
    g_string_append_printf (line, "%s%s" PLAIN, cell->color, cell->text);
  else
    g_string_append (line, cell->text);
  if (column + 1 < N_COLUMNS)
    g_string_append_printf (line, "%*s", (int) (missing - before), "");
}

/* The columns JobID, State, Elapsed, TimeEff, CPUEff and MemEff of @runs, of
 * JmRun; `---` stands for what is not known. With @color shares have the colours
 * that reportseff gives them: see https://github.com/troycomi/reportseff */
static char *
format_reportseff (GPtrArray *runs, gboolean is_bare, gboolean color)
{
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  guint widths[N_COLUMNS] = { 0 };
  GString *text = g_string_new (NULL);

  g_array_set_clear_func (cells, clear_cell);
  for (guint i = 0; i < N_COLUMNS && !is_bare; i++)
    take (cells, g_strdup (columns[i].title), BOLD);
  for (guint i = 0; i < runs->len; i++)
    take_run (cells, runs->pdata[i]);

  for (guint i = 0; i < cells->len; i++)
    widths[i % N_COLUMNS] =
      MAX (widths[i % N_COLUMNS],
           jm_text_width_get (g_array_index (cells, Cell, i).text) + BORDER);
  for (guint i = 0; i < cells->len; i++)
    {
      append_cell (text, i % N_COLUMNS, widths[i % N_COLUMNS],
                   &g_array_index (cells, Cell, i), color);
      if (i % N_COLUMNS == N_COLUMNS - 1)
        g_string_append_c (text, '\n');
    }

  return g_string_free (text, FALSE);
}

static void
history_clear (History *self)
{
  jmc_options_clear (&self->options);
  jmc_archive_form_clear (&self->form);
  jmc_run_query_clear (&self->query);
  g_clear_pointer (&self->columns_text, g_free);
  g_clear_object (&self->table);
  g_clear_object (&self->archive);
  g_clear_pointer (&self->rules, jm_run_rules_unref);
  g_clear_pointer (&self->prices, jm_price_list_unref);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_clear_pointer (&self->sorted, g_ptr_array_unref);
  g_clear_error (&self->why);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (History, history_clear)

/* --- options --- */

static const JmSetting all_setting = {
  .name = "all",
  .group = "selection",
  .kind = JM_SETTING_FLAG,
  .help = "The runs of all users that one may see, not one's own alone",
};

static const JmSetting by_setting = {
  .name = "by",
  .group = "selection",
  .kind = JM_SETTING_TEXT,
  .argument = "NAME,...",
  .help = "Groups of the runs, with sums and medians, by: user, account, name, "
          "partition, cluster",
};

static GOptionGroup *
make_group (History *self)
{
  const GOptionEntry entries[] = {
    { "columns", 0, 0, G_OPTION_ARG_STRING, &self->columns_text,
      "Columns by their names; help lists these", "NAME,…" },
    { NULL },
  };
  GOptionGroup *group =
    jmc_options_make_group (&self->options, "output", "path.rootfs", NULL);

  jmc_archive_options_add_settings (&self->options);
  jmc_options_add_setting (&self->options, &all_setting, group);
  jmc_options_add_setting (&self->options, &by_setting, group);
  jmc_run_query_add_run_settings (&self->options, group);
  jmc_archive_form_add_entries (&self->form, group);
  jmc_options_add_entries (group, entries);

  return group;
}

/* By default the runs of the calling user. */
static gboolean
is_own (History *self)
{
  return !self->query.is_narrow &&
         !jm_settings_get_flag (self->options.settings, "all");
}

static gboolean
is_judged (const History *self)
{
  return self->query.limit > 0 && self->query.limit <= MAX_JUDGED;
}

static gboolean
parse_groups (History *self)
{
  g_autoptr (GError) error = NULL;

  if (self->columns_text != NULL || self->form.kind == JMC_ARCHIVE_FORM_REPORTSEFF)
    jmc_output_complain ("--by has columns of its own: --columns and "
                         "--format=reportseff cannot be combined with it");
  else if (!jm_usage_groups_parse (self->by_text, &self->groups, &error))
    jmc_output_complain ("--by: %s", error->message);
  else if ((self->groups &
            (JM_USAGE_GROUPS_DAY | JM_USAGE_GROUPS_MONTH | JM_USAGE_GROUPS_NODE)) != 0)
    jmc_output_complain (
      "--by: history cannot group by day, month or node; see usage --by");
  else
    return TRUE;

  return FALSE;
}

static gboolean
parse_columns (History *self)
{
  const char *usual = is_own (self) ? OWN_COLUMNS : COLUMNS;
  g_autoptr (GError) error = NULL;

  if (self->columns_text == NULL && self->form.kind == JMC_ARCHIVE_FORM_CSV)
    return TRUE;
  if (self->form.kind == JMC_ARCHIVE_FORM_REPORTSEFF)
    {
      self->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_unref);
      if (self->columns_text != NULL)
        jmc_output_complain ("--format=reportseff has columns of its own: --columns "
                             "cannot be combined with it");
      return self->columns_text == NULL;
    }

  self->table =
    jm_table_new_of_runs (self->columns_text != NULL ? self->columns_text : usual,
                          &error);
  if (self->table == NULL)
    {
      jmc_output_complain ("--columns: %s (see history --columns=help)",
                           error->message);
      return FALSE;
    }
  if (self->columns_text != NULL)
    return TRUE;

  if (self->query.figure != NULL)
    jm_table_add_optional_columns (self->table, self->query.figure->name);
  jm_table_add_optional_columns (self->table, WAIT_COLUMNS);
  if (is_judged (self))
    jm_table_add_optional_columns (self->table, JUDGED_COLUMNS);
  jm_table_add_optional_columns (self->table, OPTIONAL_COLUMNS);

  return TRUE;
}

static gboolean
parse (History *self, int argc, char **argv)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_set_summary (context,
                                "Shows past runs of a site's jobs, from its archive: "
                                "one's own, the last\n"
                                "to end first, where neither --user nor --account, "
                                "--job, --node or\n--all is given.");
  g_option_context_set_main_group (context, make_group (self));
  if (!jmc_options_parse (&self->options, context, &argc, &argv))
    return FALSE;
  if (argc > 1)
    {
      jmc_output_complain ("%s: too much (see jobmetrics-cli history --help)", argv[1]);
      return FALSE;
    }

  self->by_text = jmc_options_get_text (&self->options, "by");
  self->query.is_grouped = self->by_text != NULL;
  if (!jmc_options_check (&self->options) ||
      !jmc_archive_form_parse (&self->form, &self->options) ||
      !jmc_run_query_parse (&self->query, &self->options, now))
    return FALSE;

  return self->by_text != NULL
           ? parse_groups (self)
           : (g_strcmp0 (self->columns_text, "help") == 0 || parse_columns (self));
}

/* --- output --- */

/* The titles where @run is NULL. */
static void
print_csv (History *self, const JmcJudgedRun *run)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (self->table == NULL)
    jm_run_document_append_csv (text, run != NULL ? run->run : NULL);
  else
    {
      g_autofree char *lines = NULL;

      jm_table_clear (self->table);
      if (run != NULL)
        jm_table_add_run (self->table, run->run, run->report, run->verdict);
      lines = jm_table_to_csv (self->table, run == NULL);
      g_string_append (text, lines);
    }
  jmc_output_print (text->str);
}

static void
print_json (History *self, const JmcJudgedRun *run)
{
  g_autoptr (GString) text = g_string_new (NULL);
  JmJsonWriter json = { .out = text, .layout = JM_JSON_SPACED };

  jm_json_writer_begin_object (&json, NULL);
  jm_run_document_add (&json, run->run);
  if (run->verdict != NULL)
    jm_report_json_add_verdict (&json, run->verdict);
  jm_json_writer_end_object (&json);
  jmc_archive_form_print_json (&self->form, text);
}

static gboolean
is_json (const History *self)
{
  return self->form.kind == JMC_ARCHIVE_FORM_JSON ||
         self->form.kind == JMC_ARCHIVE_FORM_LINES;
}

/* Whether a column is a figure that the archive does not keep, or the verdict; that not
 * of a @run, which may be NULL, that the archive has judged. */
static gboolean
needs_records (const History *self, JmRun *run)
{
  g_autoptr (GPtrArray) shown = jm_table_list_columns (self->table);
  g_autoptr (GPtrArray) kept = jm_run_list_quantities ();
  const gboolean is_judged =
    run != NULL && jm_run_get_figure (run, "verdict_rules").is_known;

  for (guint i = 0; i < shown->len; i++)
    {
      const JmQuantity *column = shown->pdata[i];

      if (!g_ptr_array_find (kept, column, NULL) ||
          (g_str_equal (column->name, "verdict") && !is_judged))
        return TRUE;
    }

  return FALSE;
}

/* A run whose records cannot be read is shown without a verdict. */
static void
judge (History *self, JmcJudgedRun *run)
{
  g_autoptr (GError) error = NULL;

  if (self->columns_text != NULL && !is_json (self) && self->query.by == NULL &&
      !needs_records (self, run->run))
    return;
  if (self->rules != NULL &&
      !jmc_judged_run_judge (run, self->archive, self->rules, self->has_siblings,
                             self->prices, &error) &&
      self->n_unjudged++ == 0)
    self->why = g_steal_pointer (&error);
}

/* Only a table waits for the last of them: its columns are as wide as the widest. */
static void
show (History *self, JmcJudgedRun *run)
{
  self->n_runs++;
  if (self->form.kind == JMC_ARCHIVE_FORM_TABLE)
    jm_table_add_run (self->table, run->run, run->report, run->verdict);
  else if (self->form.kind == JMC_ARCHIVE_FORM_CSV)
    print_csv (self, run);
  else if (self->form.kind == JMC_ARCHIVE_FORM_REPORTSEFF)
    g_ptr_array_add (self->runs, jm_run_ref (run->run));
  else
    print_json (self, run);
}

/* --- order --- */

static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const JmcRunQuery *query = data;

  return jm_figure_compare (jmc_judged_run_get (*(JmcJudgedRun *const *) a, query->by),
                            jmc_judged_run_get (*(JmcJudgedRun *const *) b, query->by),
                            !query->ascends);
}

static void
on_run (JmRun *run, gpointer data)
{
  History *self = data;
  g_autoptr (JmcJudgedRun) judged = jmc_judged_run_new (run);

  if (self->sorted != NULL)
    {
      g_ptr_array_add (self->sorted, g_steal_pointer (&judged));
      return;
    }
  judge (self, judged);
  show (self, judged);
}

/* Where runs could not be read to the end, nothing stands behind them: an array that is
 * cut off is no JSON. */
static void
end (History *self)
{
  if (self->form.kind == JMC_ARCHIVE_FORM_REPORTSEFF)
    {
      g_autofree char *lines =
        format_reportseff (self->runs, self->form.is_bare,
                           jmc_output_has_color (self->form.color, STDOUT_FILENO));

      jmc_output_print (lines);
      return;
    }
  if (self->form.kind == JMC_ARCHIVE_FORM_TABLE)
    jmc_archive_form_print_table (&self->form, self->table);
  else
    jmc_archive_form_end_json (&self->form);
}

static void
choose_own (History *self, const char *user)
{
  const char *const own[] = { user, NULL };

  if (is_own (self))
    {
      jm_run_filter_set_users (self->query.filter, own);
      self->is_own = TRUE;
    }
}

static gboolean
needs_report (History *self)
{
  if (self->query.by != NULL || (is_json (self) && is_judged (self)))
    return TRUE;

  return !is_json (self) && self->table != NULL && needs_records (self, NULL);
}

static gboolean
is_cost (const JmQuantity *quantity)
{
  return g_str_equal (quantity->name, "cost");
}

/* Whether a column is such a figure, or runs are sorted by it. */
static gboolean
shows (const History *self, gboolean (*is_such) (const JmQuantity *quantity))
{
  const JmQuantity *by = self->query.by;
  g_autoptr (GPtrArray) shown =
    self->table != NULL ? jm_table_list_columns (self->table) : g_ptr_array_new ();

  for (guint i = 0; i < shown->len; i++)
    if (is_such (shown->pdata[i]))
      return TRUE;

  return by != NULL && is_such (by);
}

/* What columns and the order need beside the records of a run. */
static void
open_sources (History *self)
{
  self->rules = jmc_report_rules_open (&self->options, jmc_output_complain);
  self->has_siblings = shows (self, jmc_judged_run_is_of_siblings);
  if (shows (self, is_cost))
    {
      g_autoptr (JmHost) host = jmc_options_make_host (&self->options);

      self->prices = jm_price_list_new (host, NULL, NULL);
    }
}

/* By what the archive does not keep: the records of each run are read. */
static gboolean
read_sorted (History *self, GError **error)
{
  const JmcRunQuery *query = &self->query;
  const guint limit = query->limit > 0 ? query->limit : MAX_JUDGED;

  self->sorted = g_ptr_array_new_with_free_func ((GDestroyNotify) jmc_judged_run_free);
  if (!jm_archive_read_runs (self->archive, query->filter, MAX_JUDGED + 1, on_run, self,
                             NULL, error))
    return FALSE;
  if (self->sorted->len > MAX_JUDGED)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_TOO_LARGE,
                   "--sort=%s%s: the records of more than %u runs would have to be "
                   "read: choose fewer, by --since for example",
                   query->ascends ? "" : "-", query->by->name, MAX_JUDGED);
      return FALSE;
    }

  for (guint i = 0; i < self->sorted->len; i++)
    judge (self, self->sorted->pdata[i]);
  g_ptr_array_sort_with_data (self->sorted, compare, &self->query);
  for (guint i = 0; i < MIN (self->sorted->len, limit); i++)
    show (self, self->sorted->pdata[i]);

  return TRUE;
}

static gboolean
print_each (History *self, GError **error)
{
  if (needs_report (self))
    open_sources (self);
  if (self->form.kind == JMC_ARCHIVE_FORM_CSV && !self->form.is_bare)
    print_csv (self, NULL);
  if (!(self->query.by != NULL
          ? read_sorted (self, error)
          : jm_archive_read_runs (self->archive, self->query.filter, self->query.limit,
                                  on_run, self, NULL, error)))
    return FALSE;
  end (self);

  return TRUE;
}

static gboolean
print_groups (History *self, GError **error)
{
  const char *sort = jmc_options_get_text (&self->options, "sort");
  const guint limit = self->query.limit;
  gboolean has_more;
  g_autoptr (GPtrArray) groups =
    jm_archive_list_groups (self->archive, self->query.filter, self->groups,
                            MAX_GROUPED, g_str_equal (sort, USUAL_SORT) ? NULL : sort,
                            &has_more, NULL, error);

  if (groups == NULL)
    return FALSE;

  self->n_runs = groups->len;
  if (limit > 0 && groups->len > limit)
    g_ptr_array_set_size (groups, (int) limit);
  jmc_usage_totals_print (&self->form, JMC_USAGE_GROUPS, self->groups, groups);
  jmc_archive_form_end_json (&self->form);
  if (groups->len < self->n_runs)
    jmc_output_complain ("showing %u of %u groups; --limit=0 shows all", groups->len,
                         self->n_runs);
  if (has_more)
    jmc_output_complain ("only the %u runs that began last were read; narrow the "
                         "selection, for example with --since",
                         MAX_GROUPED);

  return TRUE;
}

static int
print_runs (History *self)
{
  g_autoptr (GError) error = NULL;
  int status;

  self->archive = jmc_archive_options_open (&self->options, &status);
  if (self->archive == NULL)
    return status;

  choose_own (self, jm_archive_get_user (self->archive));
  if (!(self->by_text != NULL ? print_groups (self, &error)
                              : print_each (self, &error)))
    {
      jmc_output_complain ("%s", error->message);
      return JMC_EXIT_FAILURE;
    }
  if (self->n_runs == 0)
    jmc_output_complain ("no run in the archive matches%s%s%s",
                         self->is_own ? " (those of " : "",
                         self->is_own ? jm_archive_get_user (self->archive) : "",
                         self->is_own ? " are meant; --all is for all)" : "");
  if (self->n_unjudged > 0)
    jmc_output_complain ("runs without a verdict: %u: %s", self->n_unjudged,
                         self->why->message);

  return JMC_EXIT_OK;
}

int
jmc_history_main (int argc, char **argv)
{
  g_auto (History) self = { .form.has_reportseff = TRUE };

  if (!parse (&self, argc, argv))
    return JMC_EXIT_USAGE;

  if (g_strcmp0 (self.columns_text, "help") == 0)
    {
      g_autoptr (JmTable) table = jm_table_new_of_runs (COLUMNS, NULL);
      g_autofree char *text = jmc_columns_describe (table);

      jmc_output_print (text);
      return jmc_output_finish (JMC_EXIT_OK);
    }

  return jmc_output_finish (print_runs (&self));
}
