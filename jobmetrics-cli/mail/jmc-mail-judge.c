/* jmc-mail-judge.c: the rules that mails advise by
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-judge.h"

#include "mail/jmc-mail-log.h"

JmRunRules *
jmc_mail_judge_open_rules (const JmcOptions *options, GError **error)
{
  g_autoptr (JmHost) host = jmc_options_make_host (options);
  g_autoptr (JmRunRules) rules = jm_run_rules_new (host, error);
  g_auto (GStrv) problems = NULL;

  if (rules == NULL)
    return NULL;

  problems = jm_run_rules_list_problems (rules);
  for (guint i = 0; problems[i] != NULL; i++)
    jmc_mail_log_complain ("%s", problems[i]);

  return g_steal_pointer (&rules);
}
