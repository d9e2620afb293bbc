/* jmc-mail-judge.c: a run of the accounts, and what is to be said of it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-judge.h"

static GPtrArray *
join_parts (JmcRunDetails *details)
{
  GPtrArray *parts =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_part_unref);

  for (guint i = 0; i < JMC_N_DETAIL_KINDS; i++)
    for (guint k = 0; k < details->parts[i]->len; k++)
      g_ptr_array_add (parts, jm_run_part_ref (details->parts[i]->pdata[k]));

  return parts;
}

JmRunReport *
jmc_mail_judge_read (JmcAccountsSource *source, const char *uuid, GError **error)
{
  g_autoptr (JmcRunDetails) details =
    jmc_accounts_source_find_run (source, uuid, error);
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (GPtrArray) parts = NULL;

  if (details == NULL)
    return NULL;
  records = jmc_accounts_source_list_records (source, uuid, details->run, error);
  if (records == NULL)
    return NULL;
  parts = join_parts (details);

  return jm_run_report_new (details->run, records, parts);
}

JmRunRules *
jmc_mail_judge_open_rules (const JmcOptions *options, GError **error)
{
  g_autoptr (JmHost) host = jmc_options_make_host (options);

  return jm_run_rules_new (host, error);
}
