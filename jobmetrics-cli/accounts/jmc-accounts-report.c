/* jmc-accounts-report.c: all that the accounts know of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-accounts-report.h"

#include "jmc-output.h"
#include "judge/jm-run-report-private.h"

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

void
jmc_accounts_report_add_series (JmcAccountsSource *source, JmRunReport *report)
{
  JmRun *run = jm_run_report_get_run (report);
  const char *uuid = jm_run_get_text (run, JM_RUN_FIELD_UUID);
  g_autoptr (GPtrArray) series = NULL;
  g_autoptr (GError) error = NULL;

  if (uuid == NULL || !jm_run_report_wants_series (report))
    return;
  series = jmc_accounts_source_list_series (source, uuid, &error);
  if (series != NULL)
    jm_run_report_set_series (report, series);
  else
    jmc_output_complain ("no time series are shown: %s", error->message);
}

JmRunReport *
jmc_accounts_report_read (JmcAccountsSource *source, const char *uuid, GError **error)
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
