/* jmc-mail-judge.c: the rules that mails advise by
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-judge.h"

JmRunRules *
jmc_mail_judge_open_rules (const JmcOptions *options, GError **error)
{
  g_autoptr (JmHost) host = jmc_options_make_host (options);

  return jm_run_rules_new (host, error);
}
