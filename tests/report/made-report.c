/* made-report.c: a run of which just so much is known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "made-report.h"

#include <string.h>

#include "report/run/jm-run-report-private.h"

#define END_TIME 1700000000

static void
take (JmRunReport *report, const char *name, const char *text)
{
  JmRunFact fact;
  JmRunField field;
  double value;

  if (jm_run_fact_from_name (name, &fact))
    {
      if (!jm_format_parse (jm_run_fact_get_quantity (fact)->format, text, &value,
                            NULL))
        g_error ("%s: %s", name, text);
      report->figures[fact] = jm_figure_known (value);
    }
  else if (!jm_run_field_from_name (name, &field))
    g_error ("no such fact: %s", name);
  else if (jm_run_field_is_text (field))
    jm_stored_run_set_text (report->run, field, text);
  else
    jm_stored_run_set_number (report->run, field, g_ascii_strtoll (text, NULL, 10));
}

JmRunReport *
made_report_new (const char *facts)
{
  g_autoptr (JmStoredRun) run = jm_stored_run_new ("alps", "7");
  JmRunReport *report = jm_run_report_new (run, NULL, NULL);
  g_auto (GStrv) words = g_strsplit (facts, " ", -1);

  for (guint i = 0; i < JM_N_RUN_FACTS; i++)
    report->figures[i] = (JmFigure){ 0 };
  if (strstr (facts, "state=RUNNING") == NULL)
    jm_stored_run_set_number (run, JM_RUN_FIELD_END_TIME, END_TIME);
  for (guint i = 0; words[i] != NULL; i++)
    {
      char *value = strchr (words[i], '=');

      if (value == NULL)
        continue;
      *value = '\0';
      take (report, words[i], value + 1);
    }

  return report;
}
