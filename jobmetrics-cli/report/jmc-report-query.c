/* jmc-report-query.c: which run a report is about, and where it is found
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "report/jmc-report-query.h"

#include <string.h>

#include "archive/jmc-archive-options.h"
#include "archive/jmc-run-choice.h"
#include "base/jm-error.h"
#include "jmc-metering.h"
#include "ledger/jmc-ledger-reader.h"
#include "node/ledger/jm-ledger.h"

/* The collectors that a report has figures of. */
#define COLLECTORS                                                                     \
 JM_COLLECTOR_SET (JM_COLLECTOR_CPU, JM_COLLECTOR_MEMORY, JM_COLLECTOR_MEMORY_STAT,    \
                   JM_COLLECTOR_PRESSURE, JM_COLLECTOR_IO, JM_COLLECTOR_PROCESS,       \
                   JM_COLLECTOR_THREADS, JM_COLLECTOR_FILES, JM_COLLECTOR_POWER,       \
                   JM_COLLECTOR_EMISSIONS, JM_COLLECTOR_GPU)

/* --- the archive of a site --- */

/* Of several the last to begin; one that waited then has no begin, and comes last. */
static char *
find_at (JmArchive *archive, const JmcReportQuery *query, GError **error)
{
  const char *const own[] = { jm_archive_get_user (archive), NULL };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) runs = NULL;
  char *uuid = NULL;

  if (query->job != NULL)
    jm_run_filter_set_job (filter, query->job);
  else
    jm_run_filter_set_users (filter, own);
  jm_run_filter_set_cluster (filter, query->cluster);
  jm_run_filter_set_period (filter, query->at, query->at + 1);
  jm_run_filter_set_sort (filter, "-start", NULL);
  runs = jm_archive_list_runs (archive, filter, 1, NULL, error);
  if (runs == NULL)
    return NULL;
  if (runs->len == 0 || !jm_run_get_figure (runs->pdata[0], "start_time").is_known)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                   "the archive has no run of %s that was running at that time",
                   query->job != NULL ? "this job" : "yours");
      return NULL;
    }
  uuid = g_strdup (jm_run_get_text (runs->pdata[0], "uuid"));
  if (uuid == NULL)
    g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT,
                         "the run that was running at that time has no uuid");

  return uuid;
}

static char *
find_uuid (JmArchive *archive, const JmcReportQuery *query, GError **error)
{
  if (query->uuid != NULL)
    return g_strdup (query->uuid);
  if (query->at > 0)
    return find_at (archive, query, error);

  return jmc_run_choice_find (archive, query->job, query->cluster, error);
}

static JmRunReport *
find_in_accounts (const JmcOptions *options,
                  const JmcReportQuery *query,
                  char **link,
                  GError **error)
{
  g_autoptr (JmArchive) archive = jmc_archive_options_find (options, error);
  JmRunReport *report;
  g_autofree char *uuid = NULL;

  if (archive == NULL)
    return NULL;
  uuid = find_uuid (archive, query, error);
  if (uuid == NULL)
    return NULL;
  report = jm_archive_read_report (archive, uuid, NULL, error);
  if (report == NULL)
    return NULL;
  jmc_archive_options_add_series (archive, report);
  jmc_archive_options_add_siblings (archive, report);
  jm_run_report_set_origin (report, "the archive of the site");
  if (link != NULL && jm_archive_get_url (archive) != NULL)
    *link = g_strconcat (jm_archive_get_url (archive), "/job/", uuid, NULL);

  return report;
}

/* --- the ledger of this node --- */

typedef struct
{
  const JmcReportQuery *query;
  gboolean is_own; /* any of the calling user */
  JmJobRecord *newest;
} Choice;

static gboolean
went_on_at (JmJobRecord *record, gint64 at)
{
  const gint64 at_us = at * G_USEC_PER_SEC;
  const gint64 end_us = jm_job_record_get_end_time (record);

  return jm_job_record_get_begin_time (record) <= at_us &&
         (end_us == 0 || end_us >= at_us);
}

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
  if (self->query->at > 0 && !went_on_at (record, self->query->at))
    return;
  if (self->newest != NULL && jm_job_record_get_begin_time (record) <
                                jm_job_record_get_begin_time (self->newest))
    return;

  g_clear_pointer (&self->newest, jm_job_record_unref);
  self->newest = jm_job_record_ref (record);
}

static JmRunReport *
make_of_record (JmJobRecord *record, const char *origin)
{
  g_autoptr (GPtrArray) records = g_ptr_array_new ();
  JmRunReport *report;

  g_ptr_array_add (records, record);
  report = jm_run_report_new (NULL, records);
  jm_run_report_set_origin (report, origin);

  return report;
}

static JmRunReport *
find_in_ledger (const JmcOptions *options,
                const JmcReportQuery *query,
                char **link,
                GError **error)
{
  g_autoptr (JmcLedgerPeer) peer =
    jmc_ledger_peer_open (options, query->ledger_file, query->socket, error);
  g_auto (JmcLedgerQuery) all = { 0 };
  const char *job = query->uuid != NULL ? query->uuid : query->job;
  Choice choice = { query, job == NULL, NULL };
  g_autoptr (JmJobRecord) newest = NULL;
  gboolean is_read;

  if (peer == NULL)
    return NULL;
  is_read = jmc_ledger_query_parse (&all) &&
            jmc_ledger_reader_read (peer, &all, job, on_record, &choice, error);
  newest = choice.newest;
  if (!is_read)
    return NULL;
  if (newest == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no such job in the ledger",
                   job != NULL ? job : g_get_user_name ());
      return NULL;
    }

  return make_of_record (newest, "the ledger of this node, which knows no other");
}

/* --- this node --- */

/* Without a name: whether it is a job of the calling user. */
static gboolean
is_called (JmJob *job, const char *name)
{
  return name != NULL ? jm_job_is_called (job, name)
                      : g_strcmp0 (jm_job_get_field (job, JM_JOB_FIELD_USER),
                                   g_get_user_name ()) == 0;
}

static gboolean
is_meant (JmSnapshot *snapshot, guint subject, const JmcReportQuery *query)
{
  JmJob *job;

  if (jm_snapshot_get_kind (snapshot, subject) != JM_SUBJECT_KIND_JOB)
    return FALSE;

  job = jm_snapshot_get_job (snapshot, subject);

  return is_called (job, query->uuid != NULL ? query->uuid : query->job) &&
         (query->cluster == NULL ||
          g_strcmp0 (jm_job_get_field (job, JM_JOB_FIELD_CLUSTER), query->cluster) ==
            0);
}

/* An id that came back means the later run. */
static gboolean
find_job (JmSnapshot *snapshot, const JmcReportQuery *query, guint *subject)
{
  gboolean is_found = FALSE;

  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (is_meant (snapshot, i, query))
      {
        *subject = i;
        is_found = TRUE;
      }

  return is_found;
}

static JmSnapshot *
sample (const JmcOptions *options, GError **error)
{
  g_autoptr (JmNode) node =
    jmc_options_make_node (options, JM_SUBJECT_KIND_STEP, COLLECTORS, error);
  g_autoptr (JmSnapshot) before = NULL;

  if (node == NULL)
    return NULL;
  jmc_metering_wait_for_gpus (node, COLLECTORS);
  before = jmc_metering_begin (&options->metering, node);

  return jm_node_sample (node, NULL, error);
}

static JmRunReport *
find_on_node (const JmcOptions *options,
              const JmcReportQuery *query,
              char **link,
              GError **error)
{
  g_autoptr (JmSnapshot) snapshot = sample (options, error);
  g_autoptr (JmJobRecord) record = NULL;
  guint subject;

  if (snapshot == NULL)
    return NULL;
  if (!find_job (snapshot, query, &subject))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "no such job runs on this node");
      return NULL;
    }
  record = jm_ledger_cut_record (snapshot, subject);

  return make_of_record (record, "this node as it is now, which knows no other");
}

/* --- all of them --- */

typedef JmRunReport *(*Find) (const JmcOptions *options,
                              const JmcReportQuery *query,
                              char **link,
                              GError **error);

/* Those that are asked, in this order. */
static guint
list_places (const JmcOptions *options, const JmcReportQuery *query, Find *places)
{
  const gboolean is_ledger_named = query->socket != NULL || query->ledger_file != NULL;
  const gboolean are_accounts_named = jmc_archive_options_is_named (options);
  guint n = 0;

  if (are_accounts_named || !is_ledger_named)
    places[n++] = find_in_accounts;
  if (is_ledger_named || !are_accounts_named)
    places[n++] = find_in_ledger;
  if (!is_ledger_named && !are_accounts_named && query->at == 0)
    places[n++] = find_on_node;

  return n;
}

/* A reason without the job that it begins with. */
static const char *
skip_name (const char *reason, const char *name)
{
  const gsize length = name != NULL ? strlen (name) : 0;

  return length > 0 && g_str_has_prefix (reason, name) &&
             g_str_has_prefix (reason + length, ": ")
           ? reason + length + 2
           : reason;
}

JmRunReport *
jmc_report_query_find (const JmcOptions *options,
                       const JmcReportQuery *query,
                       char **link)
{
  Find places[3];
  const guint n_places = list_places (options, query, places);
  const char *wanted = query->uuid != NULL ? query->uuid : query->job;
  g_autoptr (GString) reasons = g_string_new (NULL);

  for (guint i = 0; i < n_places; i++)
    {
      g_autoptr (GError) error = NULL;
      JmRunReport *report = places[i](options, query, link, &error);

      if (report != NULL)
        return report;
      if (error != NULL)
        g_string_append_printf (reasons, "%s%s", reasons->len > 0 ? "; " : "",
                                skip_name (error->message, wanted));
    }
  if (wanted == NULL)
    jmc_output_complain ("%s: no run of this user was found: %s", g_get_user_name (),
                         reasons->str);
  else
    jmc_output_complain ("%s: no such job was found: %s", wanted, reasons->str);

  return NULL;
}
