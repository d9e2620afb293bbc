/* jmc-compare.c: jobmetrics-cli compare: runs side by side
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <stdio.h>
#include <unistd.h>

#include "accounts/jmc-accounts-place.h"
#include "jmc-options.h"
#include "report/jmc-comparison-form.h"
#include "report/jmc-report-place.h"
#include "report/jmc-report-rules.h"

typedef struct
{
  JmcOptions options;
  gboolean csv;
  char **jobs;
} Compare;

static void
compare_clear (Compare *self)
{
  jmc_options_clear (&self->options);
  g_clear_pointer (&self->jobs, g_strfreev);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Compare, compare_clear)

/* --- options --- */

static const JmSetting cluster_setting = {
  .name = "cluster",
  .group = "selection",
  .kind = JM_SETTING_TEXT,
  .argument = "NAME",
  .help = "Only what was on this cluster",
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

  jmc_accounts_place_add_settings (&self->options, group);
  jmc_options_add_setting (&self->options, &cluster_setting, group);
  g_option_group_add_entries (group, entries);

  return group;
}

static gboolean
check_jobs (Compare *self, int argc, char **argv)
{
  if (argc < 3 || argc > JM_RUN_COMPARISON_MAX_RUNS + 1)
    jmc_output_complain ("two to %d jobs are compared, not %d (see jobmetrics-cli "
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
  g_autoptr (GOptionContext) context = g_option_context_new ("JOB JOB [JOB…]");

  g_option_context_set_summary (
    context,
    "Shows the figures of two to six runs side by side, with the differences to the\n"
    "first, and the verdict on each. JOB is an id such as 12345, 123_4 or 12+1, of\n"
    "which the newest run is meant, or the uuid of a run. The places where report\n"
    "looks for a run are asked for each.");
  g_option_context_set_main_group (context, make_group (self));

  return jmc_options_parse (&self->options, context, &argc, &argv) &&
         jmc_options_check (&self->options) && check_jobs (self, argc, argv) &&
         jmc_accounts_place_check (&self->options);
}

/* --- runs --- */

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
      g_auto (JmcReportOrigin) origin = { 0 };
      JmRunReport *report = jmc_report_place_find (&self->options, &query, &origin);

      if (report == NULL)
        return NULL;
      g_ptr_array_add (reports, report);
    }

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
      text = self->csv ? jmc_comparison_form_csv (comparison, verdicts)
                       : jmc_comparison_form_json (comparison, verdicts);
      fputs (text, stdout);
      return JMC_EXIT_OK;
    }
  text = jmc_comparison_form_text (comparison, verdicts,
                                   jmc_output_get_width (STDOUT_FILENO),
                                   jmc_output_has_color (self->options.color,
                                                         STDOUT_FILENO));
  jmc_output_print (text);

  return JMC_EXIT_OK;
}

int
jmc_compare_main (int argc, char **argv)
{
  g_auto (Compare) self = { .options.metering.meters = JMC_METERS_TOLD };

  return parse (&self, argc, argv) ? jmc_output_finish (show (&self)) : JMC_EXIT_USAGE;
}
