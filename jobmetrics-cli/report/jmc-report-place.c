/* jmc-report-place.c: where the run of a report is found
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "report/jmc-report-place.h"

#include "accounts/jmc-accounts-place.h"
#include "accounts/jmc-accounts-report.h"
#include "accounts/jmc-run-choice.h"
#include "core/jm-error.h"
#include "ledger/jmc-ledger-reader.h"
#include "report/jmc-report-node.h"

void
jmc_report_origin_clear (JmcReportOrigin *self)
{
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->link, g_free);
}

/* --- the accounts of a site --- */

static char *
find_uuid (JmcAccountsSource *source, const JmcReportQuery *query, GError **error)
{
  if (query->uuid != NULL)
    return g_strdup (query->uuid);
  if (query->job != NULL)
    return jmc_run_choice_find (source, query->job, query->cluster, error);

  return jmc_run_choice_find_last (source, query->cluster, error);
}

static JmRunReport *
find_in_accounts (const JmcOptions *options,
                  const JmcReportQuery *query,
                  JmcReportOrigin *origin,
                  GError **error)
{
  g_autoptr (JmcAccountsSource) source = jmc_accounts_place_find (options, error);
  JmRunReport *report;
  g_autofree char *uuid = NULL;

  if (source == NULL)
    return NULL;
  uuid = find_uuid (source, query, error);
  if (uuid == NULL)
    return NULL;
  report = jmc_accounts_report_read (source, uuid, error);
  if (report == NULL)
    return NULL;
  jmc_accounts_report_add_series (source, report);
  origin->text = g_strdup ("the accounts of the site");
  if (source->url != NULL)
    origin->link = g_strconcat (source->url, "/job/", uuid, NULL);

  return report;
}

/* --- the ledger of this node --- */

typedef struct
{
  const JmcReportQuery *query;
  gboolean is_own; /* any of the calling user */
  JmJobRecord *newest;
} Choice;

static void
on_record (JmJobRecord *record, gpointer data)
{
  Choice *self = data;
  JmJob *job = jm_job_record_get_job (record);
  const char *cluster = jm_job_get_field (job, JM_JOB_FIELD_CLUSTER);

  if (self->query->cluster != NULL && g_strcmp0 (cluster, self->query->cluster) != 0)
    return;
  if (self->is_own &&
      g_strcmp0 (jm_job_get_field (job, JM_JOB_FIELD_USER), g_get_user_name ()) != 0)
    return;
  if (self->newest != NULL && jm_job_record_get_begin_time (record) <
                                jm_job_record_get_begin_time (self->newest))
    return;

  g_clear_pointer (&self->newest, jm_job_record_unref);
  self->newest = jm_job_record_ref (record);
}

static JmRunReport *
make_of_record (JmJobRecord *record)
{
  g_autoptr (GPtrArray) records = g_ptr_array_new ();

  g_ptr_array_add (records, record);

  return jm_run_report_new (NULL, records, NULL);
}

static JmRunReport *
find_in_ledger (const JmcOptions *options,
                const JmcReportQuery *query,
                JmcReportOrigin *origin,
                GError **error)
{
  g_autoptr (JmcLedgerPlace) place =
    jmc_ledger_place_open (options, query->ledger_file, query->socket, error);
  g_auto (JmcLedgerQuery) all = { 0 };
  const char *job = query->uuid != NULL ? query->uuid : query->job;
  Choice choice = { query, job == NULL, NULL };
  g_autoptr (JmJobRecord) newest = NULL;
  gboolean is_read;

  if (place == NULL)
    return NULL;
  is_read = jmc_ledger_query_parse (&all) &&
            jmc_ledger_reader_read (place, &all, job, on_record, &choice, error);
  newest = choice.newest;
  if (!is_read)
    return NULL;
  if (newest == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no such job in the ledger",
                   job != NULL ? job : g_get_user_name ());
      return NULL;
    }

  origin->text = g_strdup ("the ledger of this node, which knows no other");

  return make_of_record (newest);
}

/* --- this node --- */

static JmRunReport *
find_on_node (const JmcOptions *options,
              const JmcReportQuery *query,
              JmcReportOrigin *origin,
              GError **error)
{
  JmRunReport *report = jmc_report_node_find (options, query, error);

  if (report != NULL)
    origin->text = g_strdup ("this node as it is now, which knows no other");

  return report;
}

/* --- all of them --- */

typedef JmRunReport *(*Find) (const JmcOptions *options,
                              const JmcReportQuery *query,
                              JmcReportOrigin *origin,
                              GError **error);

/* Those that are asked, in this order. */
static guint
list_places (const JmcOptions *options, const JmcReportQuery *query, Find *places)
{
  const gboolean is_ledger_named = query->socket != NULL || query->ledger_file != NULL;
  const gboolean are_accounts_named = jmc_accounts_place_is_named (options);
  guint n = 0;

  if (are_accounts_named || !is_ledger_named)
    places[n++] = find_in_accounts;
  if (is_ledger_named || !are_accounts_named)
    places[n++] = find_in_ledger;
  if (!is_ledger_named && !are_accounts_named)
    places[n++] = find_on_node;

  return n;
}

JmRunReport *
jmc_report_place_find (const JmcOptions *options,
                       const JmcReportQuery *query,
                       JmcReportOrigin *origin)
{
  Find places[3];
  const guint n_places = list_places (options, query, places);
  g_autoptr (GString) reasons = g_string_new (NULL);

  for (guint i = 0; i < n_places; i++)
    {
      g_autoptr (GError) error = NULL;
      JmRunReport *report = places[i](options, query, origin, &error);

      if (report != NULL)
        return report;
      if (error != NULL)
        g_string_append_printf (reasons, "%s%s", reasons->len > 0 ? "; " : "",
                                error->message);
    }
  if (query->uuid == NULL && query->job == NULL)
    jmc_output_complain ("%s: no run of this user was found: %s", g_get_user_name (),
                         reasons->str);
  else
    jmc_output_complain ("%s: no such job was found: %s",
                         query->uuid != NULL ? query->uuid : query->job, reasons->str);

  return NULL;
}
