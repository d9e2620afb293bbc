/* jmc-suggest.c: jobmetrics-cli suggest: what the next run of a job should ask for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "archive/jmc-archive-options.h"
#include "archive/jmc-batch-script.h"
#include "archive/jmc-suggest-start.h"
#include "base/jm-moment-private.h"
#include "base/jm-text-table-private.h"
#include "base/jm-text-width-private.h"
#include "judge/jm-run-suggestion-private.h"

/* Of a text that goes nowhere in particular. */
#define USUAL_WIDTH 80

static const char *const policy_titles[JM_N_REQUEST_POLICIES] = {
  [JM_REQUEST_POLICY_SUGGESTION] = "suggested",
  [JM_REQUEST_POLICY_KEEP] = "what they asked for",
  [JM_REQUEST_POLICY_LAST] = "last use + 20%",
  [JM_REQUEST_POLICY_MOST] = "most of last 10",
};

static const char none[] = "-";

typedef struct
{
  JmcOptions options;
  gboolean is_last;
  gboolean is_full;
  gboolean wants_carbon;
  gint64 now;
  gint64 by;
  double confidence;
  JmcBatchScript script; /* its job's name alone where there is no script */
} Suggest;

/* --- text --- */

static void
append_cpus (GString *text, JmRunSuggestion *suggestion)
{
  double cpus;

  if (jm_run_suggestion_get_suggested (suggestion, JM_REQUEST_KIND_CPUS, &cpus))
    g_string_append_printf (text, "# --ntasks times --cpus-per-task: %.0f\n", cpus);
}

static void
append_options (GString *text,
                JmRunSuggestion *suggestion,
                const JmcBatchScript *script)
{
  g_auto (GStrv) options = jm_run_suggestion_list_options (suggestion);

  if (*options == NULL)
    return;
  g_string_append_c (text, '\n');
  for (char **option = options; *option != NULL; option++)
    {
      g_string_append_printf (text, "#SBATCH %s", *option);
      if (g_str_has_prefix (*option, "--mem=") && script->memory_option != NULL)
        g_string_append_printf (text, "   # instead of %s", script->memory_option);
      g_string_append_c (text, '\n');
    }
  append_cpus (text, suggestion);
}

/* --- figures --- */

static void
take_known (JmTextTable *table, char *cell)
{
  jm_text_table_take (table, cell != NULL ? cell : g_strdup (none));
}

typedef gboolean (*GetFunc) (JmRunSuggestion *self, JmRequestKind kind, double *value);

static void
take_figure (JmTextTable *table,
             JmRunSuggestion *suggestion,
             JmRequestKind kind,
             GetFunc get,
             gboolean is_at_least)
{
  double value;
  g_autofree char *cell = get (suggestion, kind, &value)
                            ? jm_request_kind_format (kind, jm_figure_known (value))
                            : NULL;

  take_known (table, cell != NULL && is_at_least ? g_strconcat (">=", cell, NULL)
                                                 : g_strdup (cell));
}

static char *
describe_failures (JmRunSuggestion *suggestion,
                   JmRequestKind kind,
                   JmRequestPolicy policy)
{
  const guint n_judged = jm_run_suggestion_get_n_judged (suggestion, kind, policy);

  return n_judged > 0
           ? g_strdup_printf ("%u/%u",
                              jm_run_suggestion_get_n_failed (suggestion, kind, policy),
                              n_judged)
           : NULL;
}

static char *
describe_saved_percent (JmRunSuggestion *suggestion,
                        JmRequestKind kind,
                        JmRequestPolicy policy)
{
  double amount, percent;

  return jm_run_suggestion_get_saved (suggestion, kind, policy, &amount, &percent)
           ? g_strdup_printf ("%.0f%%", percent)
           : NULL;
}

static char *
describe_saved (JmRunSuggestion *suggestion, JmRequestKind kind, JmRequestPolicy policy)
{
  double amount, percent;

  return jm_run_suggestion_get_saved (suggestion, kind, policy, &amount, &percent)
           ? jm_request_kind_format_saved (kind, amount)
           : NULL;
}

static void
take_trial (JmTextTable *table,
            JmRunSuggestion *suggestion,
            JmRequestKind kind,
            JmRequestPolicy policy)
{
  take_known (table, describe_failures (suggestion, kind, policy));
  take_known (table, describe_saved_percent (suggestion, kind, policy));
}

static gboolean
is_shown (JmRunSuggestion *suggestion, JmRequestKind kind)
{
  double asked;

  return jm_run_suggestion_get_asked (suggestion, kind, &asked) ||
         jm_run_suggestion_get_n_known (suggestion, kind) > 0;
}

static gboolean
is_tried (JmRunSuggestion *suggestion, JmRequestKind kind)
{
  double value;

  return jm_run_suggestion_get_suggested (suggestion, kind, &value) &&
         jm_run_suggestion_get_n_judged (suggestion, kind,
                                         JM_REQUEST_POLICY_SUGGESTION) > 0;
}

static void
add_kind (JmTextTable *table, JmRunSuggestion *suggestion, JmRequestKind kind)
{
  jm_text_table_add (table, jm_request_kind_get_title (kind));
  take_figure (table, suggestion, kind, jm_run_suggestion_get_asked, FALSE);
  take_figure (table, suggestion, kind, jm_run_suggestion_get_median, FALSE);
  take_figure (table, suggestion, kind, jm_run_suggestion_get_most, FALSE);
  take_figure (table, suggestion, kind, jm_run_suggestion_get_suggested,
               jm_run_suggestion_is_at_least (suggestion, kind));
  jm_text_table_take (table,
                      g_strdup_printf ("%u", jm_run_suggestion_get_n_known (suggestion,
                                                                            kind)));
  if (is_tried (suggestion, kind))
    {
      take_trial (table, suggestion, kind, JM_REQUEST_POLICY_SUGGESTION);
      return;
    }
  jm_text_table_add (table, none);
  jm_text_table_add (table, none);
}

static JmTextTable *
make_table (JmRunSuggestion *suggestion)
{
  static const JmTextColumn columns[] = {
    { "", JM_TEXT_ALIGN_LEFT },         { "ASKED", JM_TEXT_ALIGN_RIGHT },
    { "MEDIAN", JM_TEXT_ALIGN_RIGHT },  { "MOST", JM_TEXT_ALIGN_RIGHT },
    { "SUGGEST", JM_TEXT_ALIGN_RIGHT }, { "RUNS", JM_TEXT_ALIGN_RIGHT },
    { "FAILED", JM_TEXT_ALIGN_RIGHT },  { "SAVED", JM_TEXT_ALIGN_RIGHT },
  };
  JmTextTable *table = jm_text_table_new (columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < JM_N_REQUEST_KINDS; i++)
    if (is_shown (suggestion, i))
      add_kind (table, suggestion, i);

  return table;
}

static JmTextTable *
make_policy_table (JmRunSuggestion *suggestion)
{
  static const JmTextColumn columns[] = {
    { "", JM_TEXT_ALIGN_LEFT },        { "REQUEST", JM_TEXT_ALIGN_LEFT },
    { "FAILED", JM_TEXT_ALIGN_RIGHT }, { "SAVED", JM_TEXT_ALIGN_RIGHT },
    { "AMOUNT", JM_TEXT_ALIGN_RIGHT },
  };
  JmTextTable *table = jm_text_table_new (columns, G_N_ELEMENTS (columns));

  for (guint kind = 0; kind < JM_N_REQUEST_KINDS; kind++)
    for (guint i = 0; i < JM_N_REQUEST_POLICIES && is_tried (suggestion, kind); i++)
      {
        jm_text_table_add (table, jm_request_kind_get_title (kind));
        jm_text_table_add (table, policy_titles[i]);
        take_trial (table, suggestion, kind, i);
        take_known (table, describe_saved (suggestion, kind, i));
      }

  return table;
}

static void
append_table (GString *text, JmTextTable *table, guint width, gboolean color)
{
  g_autofree char *lines = jm_text_table_render (table, width, color);

  if (jm_text_table_get_n_rows (table) > 0)
    g_string_append_printf (text, "\n%s", lines);
}

static void
append_legend (GString *text, JmRunSuggestion *suggestion, guint width)
{
  gboolean is_any_tried = FALSE;

  for (guint i = 0; i < JM_N_REQUEST_KINDS; i++)
    is_any_tried = is_any_tried || is_tried (suggestion, i);
  if (!is_any_tried)
    return;
  g_string_append_c (text, '\n');
  jm_text_width_append_wrapped (
    text,
    "FAILED and SAVED: earlier runs, if each had asked for what the runs "
    "before it suggest. With too few CPUs a run is slower and does not "
    "fail.",
    width);
}

/* A sentence, the options of sbatch, and the figures. @width: of a terminal, 0 for
 * none.
 * @is_full: the other policies are there, too. */
static void
append_page (GString *text,
             JmRunSuggestion *suggestion,
             const JmcBatchScript *script,
             gboolean is_full,
             guint width,
             gboolean color)
{
  const guint text_width = width > 0 ? MIN (width, USUAL_WIDTH) : USUAL_WIDTH;
  g_autofree char *sentence = jm_run_suggestion_to_string (suggestion);
  g_autofree char *wait = jm_run_suggestion_describe_wait (suggestion);
  g_autoptr (JmTextTable) table = make_table (suggestion);
  g_autoptr (JmTextTable) policies = make_policy_table (suggestion);

  jm_text_width_append_wrapped (text, sentence, text_width);
  append_options (text, suggestion, script);
  append_table (text, table, width, color);
  if (is_full)
    append_table (text, policies, width, color);
  append_legend (text, suggestion, text_width);
  if (wait != NULL)
    {
      g_string_append_c (text, '\n');
      jm_text_width_append_wrapped (text, wait, text_width);
    }
}

static void
suggest_clear (Suggest *self)
{
  jmc_options_clear (&self->options);
  jmc_batch_script_clear (&self->script);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Suggest, suggest_clear)

/* --- options --- */

static const JmSetting settings[] = {
  { .name = "user",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Runs of this user",
    .preset_help = "you" },
  { .name = "cluster",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Runs on this cluster",
    .preset_help = "that of the last run" },
  { .name = "confidence",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "SHARE",
    .help = "Share of the runs that the request should be enough for: 0.5 to 0.99",
    .preset = "0.95" },
  { .name = "by",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "TIME",
    .help = "Of --carbon: when the run must have ended, such as '2026-11-22 10:00'" },
};

static GOptionGroup *
make_group (Suggest *self)
{
  const GOptionEntry entries[] = {
    { "last", 0, 0, G_OPTION_ARG_NONE, &self->is_last,
      "For the job of your last run, as without a name", NULL },
    { "full", 0, 0, G_OPTION_ARG_NONE, &self->is_full,
      "Compare with other ways to choose a request", NULL },
    { "carbon", 0, 0, G_OPTION_ARG_NONE, &self->wants_carbon,
      "Print the start until --by that emits least, by a provider's forecast", NULL },
    { NULL },
  };
  GOptionGroup *group =
    jmc_options_make_group (&self->options, "output", "path.rootfs", "emissions", NULL);

  jmc_archive_options_add_settings (&self->options);
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    jmc_options_add_setting (&self->options, &settings[i], group);
  jmc_options_add_entries (group, entries);

  return group;
}

/* Names of jobs may have slashes. */
static gboolean
is_path (const char *text)
{
  return g_path_is_absolute (text) || g_str_has_prefix (text, "./") ||
         g_str_has_prefix (text, "../") || g_file_test (text, G_FILE_TEST_IS_REGULAR);
}

/* The name of a file that is there means a script. */
static gboolean
take_job (Suggest *self, const char *text)
{
  g_autoptr (GError) error = NULL;

  if (!is_path (text))
    {
      self->script.job_name = g_strdup (text);
      return TRUE;
    }
  if (!g_file_test (text, G_FILE_TEST_IS_DIR) &&
      jmc_batch_script_read (&self->script, text, &error))
    return TRUE;

  jmc_output_complain ("%s", error != NULL ? error->message : "a folder is no script");

  return FALSE;
}

/* --carbon and --by go together. */
static gboolean
parse_by (Suggest *self)
{
  const char *text = jmc_options_get_text (&self->options, "by");
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GError) error = NULL;
  gint64 by_us;

  if ((text != NULL) != self->wants_carbon)
    {
      jmc_output_complain ("--carbon and --by=TIME go together");
      return FALSE;
    }
  if (text == NULL)
    return TRUE;
  if (!jm_moment_parse (text, now, &by_us, &error))
    {
      jmc_output_complain ("--by: %s", error->message);
      return FALSE;
    }
  self->now = g_date_time_to_unix (now);
  self->by = by_us / G_USEC_PER_SEC;

  return TRUE;
}

static gboolean
check (Suggest *self, int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  if (!jm_run_suggestion_parse_confidence (jmc_options_get_text (&self->options,
                                                                 "confidence"),
                                           &self->confidence, &error))
    jmc_output_complain ("--confidence: %s", error->message);
  else if (argc > 2 || (argc > 1 && self->is_last))
    jmc_output_complain ("one SCRIPT or JOBNAME, or --last (see jobmetrics-cli suggest "
                         "--help)");
  else if (argc > 1 && *argv[1] == '\0')
    jmc_output_complain ("the name of a job is missing");
  else
    return parse_by (self) && (argc < 2 || take_job (self, argv[1]));

  return FALSE;
}

static gboolean
parse (Suggest *self, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("[SCRIPT | JOBNAME]");

  g_option_context_set_summary (
    context,
    "Suggests what the next run of a job should ask for, from what its runs of the\n"
    "last 180 days used: those of the same user, cluster and job name. SCRIPT is a\n"
    "script for sbatch, whose job name counts; without it and without a JOBNAME the\n"
    "job of your last run is meant.");
  g_option_context_set_main_group (context, make_group (self));

  return jmc_options_parse (&self->options, context, &argc, &argv) &&
         jmc_options_check (&self->options) && check (self, argc, argv);
}

/* --- output --- */

/* JSON is UTF-8 whatever the locale says. @start: without a factor where there is
 * none */
static void
print (Suggest *self, JmRunSuggestion *suggestion, const JmcSuggestStart *start)
{
  const guint width = jmc_output_get_width (STDOUT_FILENO);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *sentence = NULL;

  if (self->options.json)
    {
      JmJsonWriter json = { .out = text, .layout = JM_JSON_PRETTY };

      jm_json_writer_begin_object (&json, NULL);
      jm_run_suggestion_add_json (suggestion, &json);
      if (start->factor != NULL)
        jmc_suggest_start_add_json (start, &json);
      jm_json_writer_end_object (&json);
      g_string_append_c (text, '\n');
      fputs (text->str, stdout);
      return;
    }
  append_page (text, suggestion, &self->script, self->is_full, width,
               jmc_output_has_color (self->options.color, STDOUT_FILENO));
  if (start->factor != NULL)
    {
      sentence = jmc_suggest_start_to_string (start);
      g_string_append_c (text, '\n');
      jm_text_width_append_wrapped (text, sentence,
                                    width > 0 ? MIN (width, USUAL_WIDTH) : USUAL_WIDTH);
    }
  jmc_output_print (text->str);
}

/* The runs of the job of a suggestion, the last to end first. */
static GPtrArray *
list_runs (JmArchive *archive, JmRunSuggestion *suggestion, GError **error)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  const char *users[] = { NULL, NULL };

  if (suggestion->last == NULL)
    return g_ptr_array_new ();
  users[0] = jm_run_get_text (suggestion->last, "user");
  jm_run_filter_set_users (filter, users);
  jm_run_filter_set_cluster (filter, jm_run_get_text (suggestion->last, "cluster"));
  jm_run_filter_set_name (filter, jm_run_get_text (suggestion->last, "name"));
  jm_run_filter_set_period (filter,
                            g_get_real_time () / G_USEC_PER_SEC -
                              JM_RUN_SUGGESTION_MAX_AGE,
                            0);

  return jm_archive_list_runs (archive, filter, JM_RUN_SUGGESTION_MAX_RUNS, NULL,
                               error);
}

/* No forecast, no advice. */
static gboolean
find_start (Suggest *self,
            JmArchive *archive,
            JmRunSuggestion *suggestion,
            JmcSuggestStart *start)
{
  static const char *const usual[] = { "global", NULL };
  const char *const *providers = self->options.metering.providers;
  g_autoptr (JmHost) host = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;

  if (!self->wants_carbon)
    return TRUE;
  host = jmc_options_make_host (&self->options);
  runs = list_runs (archive, suggestion, &error);
  if (runs != NULL && jmc_suggest_start_find (start, runs, suggestion,
                                              providers != NULL ? providers : usual,
                                              host, self->now, self->by, &error))
    return TRUE;

  jmc_output_complain ("no advice on the start: %s", error->message);

  return FALSE;
}

static int
show (Suggest *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRunSuggestion) suggestion = NULL;
  g_auto (JmcSuggestStart) start = { 0 };
  gboolean is_found;
  int status;
  g_autoptr (JmArchive) archive = jmc_archive_options_open (&self->options, &status);

  if (archive == NULL)
    return status;
  suggestion =
    jm_archive_suggest (archive, jmc_options_get_text (&self->options, "user"),
                        jmc_options_get_text (&self->options, "cluster"),
                        self->script.job_name, self->confidence, NULL, &error);
  if (suggestion == NULL)
    {
      jmc_output_complain ("%s", error->message);
      return JMC_EXIT_FAILURE;
    }

  is_found = find_start (self, archive, suggestion, &start);
  print (self, suggestion, &start);

  return is_found ? JMC_EXIT_OK : JMC_EXIT_FAILURE;
}

int
jmc_suggest_main (int argc, char **argv)
{
  g_auto (Suggest) self = { 0 };

  return parse (&self, argc, argv) ? jmc_output_finish (show (&self)) : JMC_EXIT_USAGE;
}
