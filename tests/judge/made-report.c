/* made-report.c: a run of which just so much is known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "made-report.h"
#include "core/jm-run-field-private.h"

#include <string.h>

#include "../host/tree.h"
#include "judge/jm-run-report-private.h"

#define END_TIME 1700000000

static void
take (JmRunReport *report, const char *name, const char *text)
{
  const JmQuantity *quantity = jm_quantity_of_run (name);
  JmRunField field;
  double value;

  if (quantity != NULL)
    {
      if (!jm_format_parse (quantity->format, text, &value, NULL))
        g_error ("%s: %s", name, text);
      jm_figures_set (report->figures, jm_quantity_get_id (quantity),
                      jm_figure_known (value));
    }
  else if (!jm_run_field_from_name (name, &field))
    g_error ("no such quantity: %s", name);
  else if (jm_run_field_holds_text (field))
    jm_run_keep_text (report->run, field, text);
  else
    jm_run_keep_number (report->run, field, g_ascii_strtoll (text, NULL, 10));
}

JmRunReport *
made_report_new (const char *facts)
{
  g_autoptr (JmRun) run = jm_run_new ("alps", "7");
  JmRunReport *report = jm_run_report_new (run, NULL);
  g_auto (GStrv) words = g_strsplit (facts, " ", -1);

  jm_figures_free (report->figures);
  report->figures = jm_figures_new ();
  if (!g_regex_match_simple ("state=(LOST|PENDING|RUNNING)", facts, 0, 0))
    jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, END_TIME);
  for (guint i = 0; words[i] != NULL; i++)
    {
      char *value = strchr (words[i], '=');

      if (value == NULL)
        continue;
      *value = '\0';
      take (report, words[i], value + 1);
    }
  jm_figures_derive_run (report->figures);

  return report;
}

JmRunRules *
made_report_read_rules (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  JmRunRules *rules = jm_run_rules_new (host, &error);
  g_auto (GStrv) problems = NULL;

  g_assert_no_error (error);
  problems = jm_run_rules_list_problems (rules);
  if (problems[0] != NULL)
    g_error ("%s", problems[0]);

  return rules;
}
