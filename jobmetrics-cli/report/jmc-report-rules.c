/* jmc-report-rules.c: the rules that commands judge runs by
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "report/jmc-report-rules.h"

JmRunRules *
jmc_report_rules_open (const JmcOptions *options, JmcComplain complain)
{
  g_autoptr (JmHost) host = jmc_options_make_host (options);
  g_autoptr (GError) error = NULL;
  JmRunRules *rules = jm_run_rules_new (host, &error);
  g_auto (GStrv) problems = NULL;

  if (rules == NULL)
    {
      complain ("no advice is given: %s", error->message);
      return NULL;
    }

  problems = jm_run_rules_list_problems (rules);
  for (guint i = 0; problems[i] != NULL; i++)
    complain ("%s", problems[i]);

  return rules;
}
