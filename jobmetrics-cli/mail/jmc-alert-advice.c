/* jmc-alert-advice.c: advice for the owners of running jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-alert-advice.h"

#include "accounts/jmc-accounts-report.h"
#include "core/jm-error.h"
#include "mail/jmc-mail-log.h"
#include "report/jmc-report-rules.h"
#include "store/jm-run-derived-private.h"

/* Of more running jobs, those that began last are looked at. */
#define MAX_RUNS 10000

typedef struct
{
  GPtrArray *runs; /* of JmStoredRun */
} List;

static void
on_run (JmStoredRun *run, gpointer data)
{
  List *self = data;
  gint64 end;

  if (jm_stored_run_get_text (run, JM_RUN_FIELD_UUID) != NULL &&
      jm_stored_run_get_text (run, JM_RUN_FIELD_USER) != NULL &&
      !jm_stored_run_get_number (run, JM_RUN_FIELD_END_TIME, &end))
    g_ptr_array_add (self->runs, jm_stored_run_ref (run));
}

static GPtrArray *
list_running (JmcAccountsSource *source, GError **error)
{
  static const char *const states[] = { "RUNNING", NULL };
  g_autoptr (GPtrArray) runs =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_stored_run_unref);
  g_auto (JmcAccountsQuery) query = { .sort = "-start", .limit = MAX_RUNS };
  List list = { runs };

  query.states = g_strdupv ((char **) states);

  return jmc_accounts_source_read_runs (source, &query, on_run, &list, error)
           ? g_steal_pointer (&runs)
           : NULL;
}

static JmcAlertFinding *
make_finding (JmStoredRun *run, JmRunAdvice *advice)
{
  g_autofree char *text =
    g_strdup_printf ("%s. %s %s", jm_run_advice_get_title (advice),
                     jm_run_advice_get_reason (advice),
                     jm_run_advice_get_action (advice));

  return jmc_alert_finding_new (jm_stored_run_get_text (run, JM_RUN_FIELD_USER),
                                jm_run_derived_get_job_id (run),
                                jm_stored_run_get_cluster (run),
                                jm_run_advice_get_rule (advice), text);
}

/* What is to be acted on while it runs. */
static gboolean
add_findings (GPtrArray *findings,
              JmcAccountsSource *source,
              JmRunRules *rules,
              JmStoredRun *run,
              GError **error)
{
  g_autoptr (JmRunReport) report =
    jmc_accounts_report_read (source, jm_stored_run_get_text (run, JM_RUN_FIELD_UUID),
                              error);
  g_autoptr (GPtrArray) advice = NULL;

  if (report == NULL)
    return FALSE;

  advice = jm_run_rules_judge (rules, report);
  for (guint i = 0; i < advice->len; i++)
    if (jm_run_advice_get_level (advice->pdata[i]) == JM_ADVICE_LEVEL_ACT)
      g_ptr_array_add (findings, make_finding (run, advice->pdata[i]));

  return TRUE;
}

GPtrArray *
jmc_alert_advice_find (const JmcOptions *options,
                       JmcAccountsSource *source,
                       GError **error)
{
  g_autoptr (JmRunRules) rules = jmc_report_rules_open (options, jmc_mail_log_complain);
  g_autoptr (GPtrArray) runs = rules != NULL ? list_running (source, error) : NULL;
  g_autoptr (GPtrArray) findings =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jmc_alert_finding_free);

  if (rules == NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "there are no rules to advise by");
  if (runs == NULL)
    return NULL;

  for (guint i = 0; i < runs->len; i++)
    if (!add_findings (findings, source, rules, runs->pdata[i], error))
      return NULL;

  return g_steal_pointer (&findings);
}
