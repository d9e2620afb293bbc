/* jme-jobs.c: the runs of a site, for those who may see them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-jobs.h"

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-job-record.h"
#include "core/jm-run-document-private.h"
#include "report/page/jm-report.h"
#include "server/jme-answer.h"
#include "server/jme-archive-query.h"
#include "server/jme-series.h"
#include "web/jme-html.h"

#define JOBS "/api/v1/jobs"
#define JOB "/api/v1/jobs/"
/* Nodes of a run whose records are read: each may have a course of many points. */
#define MAX_RECORDS 200
#define MAX_KEEP_SECONDS 604800
#define SEE_OTHER 303
#define HTTP_VERSION_NOT_SUPPORTED 505

/* --- runs --- */

static void
append_runs (JmeAnswer *self,
             const JmeArchiveQuery *query,
             GPtrArray *runs,
             const char *next)
{
  void (*append) (GString * text, JmRun * run) =
    query->has_energy ? jm_run_document_append_with_energy : jm_run_document_append;

  jm_json_writer_begin_object (&self->json, NULL);
  jm_json_writer_begin_array (&self->json, "jobs");
  for (guint i = 0; i < runs->len; i++)
    {
      jm_json_writer_break_line (&self->json);
      append (self->text, runs->pdata[i]);
    }
  jm_json_writer_end_array (&self->json);
  jm_json_writer_break_line (&self->json);
  jm_json_writer_add_text (&self->json, "next", next);
  jm_json_writer_end_object (&self->json);
}

static void
append_run_table (JmeAnswer *self, GPtrArray *runs)
{
  for (guint i = 0; i < runs->len; i++)
    jm_run_document_append_csv (self->text, runs->pdata[i]);
}

static gboolean
list_runs (JmeAnswer *self, const JmeArchiveQuery *query, GError **error)
{
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) runs =
    jm_archive_database_list_runs (self->store, query->filter, self->viewer, &next,
                                   error);

  if (runs == NULL)
    return FALSE;
  if (!query->is_csv)
    {
      append_runs (self, query, runs, next);
      return TRUE;
    }
  jm_run_document_append_csv (self->text, NULL);
  append_run_table (self, runs);
  if (next != NULL)
    jme_request_set_header (self->request, "X-Next-Cursor", next);

  return TRUE;
}

static gboolean
send_page (JmeAnswer *self, JmRunFilter *filter, char **next, GError **error)
{
  g_autoptr (GPtrArray) runs =
    jm_archive_database_list_runs (self->store, filter, self->viewer, next, error);

  if (runs == NULL)
    return FALSE;
  append_run_table (self, runs);

  return self->text->len == 0 || jme_answer_send_csv (self, error);
}

/* The page of a node may be empty before the last one. */
static gboolean
send_pages (JmeAnswer *self, JmRunFilter *filter, GError **error)
{
  gboolean goes_on;

  jm_run_document_append_csv (self->text, NULL);
  do
    {
      g_autofree char *next = NULL;

      if (!send_page (self, filter, &next, error))
        return FALSE;
      goes_on = next != NULL && !jme_request_is_head (self->request);
      if (goes_on && !jm_run_filter_set_cursor (filter, next, error))
        return FALSE;
    }
  while (goes_on);

  return TRUE;
}

/* Whether a whole table may be sent now; FALSE once the request was refused. */
static gboolean
begin_table (JmeAnswer *self)
{
  if (!jme_request_takes_parts (self->request))
    {
      self->refuse (self, HTTP_VERSION_NOT_SUPPORTED,
                    "limit=all needs HTTP/1.1: the table is sent in chunks");
      return FALSE;
    }
  if (!jme_archive_begin_table (self->accounts, self->user))
    {
      jme_request_set_header (self->request, "Retry-After", "60");
      self->refuse (self, 503, "too many whole tables are read now");
      return FALSE;
    }

  return TRUE;
}

/* The whole table, page by page, as the archive is when it begins. */
static void
send_all_runs (JmeAnswer *self, const JmeArchiveQuery *query)
{
  g_autoptr (GError) error = NULL;
  gboolean is_done = FALSE;

  if (!begin_table (self))
    return;
  if (jm_archive_database_begin_reading (self->store, &error))
    {
      is_done = send_pages (self, query->filter, &error);
      jm_archive_database_end_reading (self->store);
    }
  jme_archive_end_table (self->accounts, self->user);
  if (is_done)
    jme_answer_end_csv (self);
  else
    jme_answer_fail (self, error);
}

static void
on_jobs (JmeRequest *request, gpointer accounts)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  if (!jme_archive_query_init (&query, request, JME_ARCHIVE_RUNS, &error))
    jme_answer_fail (&answer, error);
  else if (query.wants_all)
    send_all_runs (&answer, &query);
  else if (!list_runs (&answer, &query, &error))
    jme_answer_fail (&answer, error);
  else if (query.is_csv)
    jme_answer_reply_csv (&answer);
  else
    jme_answer_reply_json (&answer);
}

/* --- one run --- */

/* Of the kinds below @n_kinds. */
static gboolean
read_kinds (JmeAnswer *self, JmRun *run, guint n_kinds, GError **error)
{
  for (guint kind = 0; kind < n_kinds; kind++)
    {
      g_autoptr (GPtrArray) parts =
        jm_archive_database_list_parts (self->store, run, kind, self->viewer, error);

      if (parts == NULL)
        return FALSE;
      g_ptr_array_extend_and_steal (jm_run_get_parts (run, kind),
                                    g_steal_pointer (&parts));
    }

  return TRUE;
}

static gboolean
append_run (JmeAnswer *self, JmRun *run, GError **error)
{
  g_autofree char *gap = NULL;

  if (!read_kinds (self, run, JM_RUN_PART_KIND_RECORD, error))
    return FALSE;

  gap = jme_archive_explain_gap (self->accounts, run);
  jm_json_writer_begin_object (&self->json, NULL);
  jm_run_document_append (jm_json_writer_begin_value (&self->json, "job"), run);
  jm_json_writer_break_line (&self->json);
  jm_json_writer_add_text (&self->json, "incomplete", gap);
  jm_run_document_add_parts (&self->json, run);
  jm_json_writer_end_object (&self->json);

  return TRUE;
}

static JmRun *
fail_to_find (GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "no run of that uuid or job");

  return NULL;
}

/* The last run of a job, which any cluster may have unless its name is in front. */
static JmRun *
find_run_of_job (JmeAnswer *self, const char *name, GError **error)
{
  const char *slash = strrchr (name, '/');
  const char *job = slash != NULL ? slash + 1 : name;
  g_autofree char *cluster = slash != NULL ? g_strndup (name, slash - name) : NULL;
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  /* which would be any job */
  if (*job == '\0')
    return fail_to_find (error);

  jm_run_filter_set_job (filter, job);
  jm_run_filter_set_cluster (filter, cluster);
  jm_run_filter_set_sort (filter, "-submit", NULL);
  jm_run_filter_set_limit (filter, 1);
  runs =
    jm_archive_database_list_runs (self->store, filter, self->viewer, &next, error);
  if (runs == NULL)
    return NULL;

  return runs->len > 0 ? jm_run_ref (runs->pdata[0]) : fail_to_find (error);
}

JmRun *
jme_jobs_find_run (JmeAnswer *self, const char *name, GError **error)
{
  return g_uuid_string_is_valid (name)
           ? jm_archive_database_find_run (self->store, name, self->viewer, error)
           : find_run_of_job (self, name, error);
}

/* One run with its parts, by any of its uuids. */
static void
answer_job (JmeAnswer *self, const char *uuid)
{
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = NULL;

  if (jme_archive_query_init (&query, self->request, JME_ARCHIVE_ONE, &error))
    run = jme_jobs_find_run (self, uuid, &error);
  if (run == NULL || !append_run (self, run, &error))
    jme_answer_fail (self, error);
  else
    jme_answer_reply_json (self);
}

static void
answer_series (JmeAnswer *self, const char *uuid)
{
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = NULL;

  if (jme_archive_query_init (&query, self->request, JME_ARCHIVE_SERIES, &error))
    run = jme_jobs_find_run (self, uuid, &error);
  if (run == NULL)
    jme_answer_fail (self, error);
  else
    jme_series_answer (self, run, query.is_csv);
}

/* --- its steps --- */

static gboolean
append_steps (JmeAnswer *self, const JmeArchiveQuery *query, JmRun *run, GError **error)
{
  const JmStepPage page = { .limit = jm_run_filter_get_limit (query->filter),
                            .n_passed = query->n_passed };
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) steps =
    jm_archive_database_list_steps (self->store, run, &page, self->viewer, error);

  if (steps == NULL)
    return FALSE;

  if (steps->len == page.limit)
    next = g_strdup_printf ("%" G_GUINT64_FORMAT, page.n_passed + page.limit);
  jm_json_writer_begin_object (&self->json, NULL);
  jm_run_document_add_list (&self->json, JM_RUN_PART_KIND_STEP, steps);
  jm_json_writer_break_line (&self->json);
  jm_json_writer_add_text (&self->json, "next", next);
  jm_json_writer_end_object (&self->json);

  return TRUE;
}

static void
answer_steps (JmeAnswer *self, const char *uuid)
{
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = NULL;

  if (jme_archive_query_init (&query, self->request, JME_ARCHIVE_STEPS, &error))
    run = jme_jobs_find_run (self, uuid, &error);
  if (run == NULL || !append_steps (self, &query, run, &error))
    jme_answer_fail (self, error);
  else
    jme_answer_reply_json (self);
}

/* --- its records --- */

static gboolean
append_records (JmeAnswer *self, JmRun *run, GError **error)
{
  g_autoptr (GPtrArray) parts =
    jm_archive_database_list_parts (self->store, run, JM_RUN_PART_KIND_RECORD,
                                    self->viewer, error);
  guint n_records;

  if (parts == NULL)
    return FALSE;

  n_records = MIN (parts->len, MAX_RECORDS);
  jm_json_writer_begin_object (&self->json, NULL);
  jm_json_writer_begin_array (&self->json, "records");
  for (guint i = 0; i < n_records; i++)
    if (!jm_run_document_add_record (&self->json, parts->pdata[i], error))
      return FALSE;
  jm_json_writer_end_array (&self->json);
  jm_json_writer_break_line (&self->json);
  jm_json_writer_add_int (&self->json, "left_out", parts->len - n_records);
  jm_json_writer_end_object (&self->json);

  return TRUE;
}

/* What the ledgers of its nodes have of it. */
static void
answer_records (JmeAnswer *self, const char *uuid)
{
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = NULL;

  if (jme_archive_query_init (&query, self->request, JME_ARCHIVE_ONE, &error))
    run = jme_jobs_find_run (self, uuid, &error);
  if (run == NULL || !append_records (self, run, &error))
    jme_answer_fail (self, error);
  else
    jme_answer_reply_json (self);
}

/* --- its report --- */

gboolean
jme_jobs_read_parts (JmeAnswer *self, JmRun *run, GError **error)
{
  return read_kinds (self, run,
                     jm_run_get_figure (run, "nodes").value > MAX_RECORDS
                       ? JM_RUN_PART_KIND_RECORD
                       : JM_N_RUN_PART_KINDS,
                     error);
}

JmRunReport *
jme_jobs_make_report (JmeAnswer *self, JmRun *run, GError **error)
{
  g_autoptr (JmRunReport) report = jm_run_report_new (run, NULL);

  return jm_archive_database_add_siblings (self->store, report, self->viewer, error)
           ? g_steal_pointer (&report)
           : NULL;
}

/* As `report --json` has it. */
static gboolean
append_report (JmeAnswer *self, JmRun *run, GError **error)
{
  g_autoptr (JmRunReport) report = NULL;
  g_autoptr (GPtrArray) advice = NULL;
  g_autofree char *text = NULL;

  if (!jme_jobs_read_parts (self, run, error))
    return FALSE;

  report = jme_jobs_make_report (self, run, error);
  if (report == NULL)
    return FALSE;
  advice = jm_run_rules_judge (jme_archive_get_rules (self->accounts), report);
  text = jm_run_report_to_json (report, advice);
  g_string_append (self->text, text);

  return TRUE;
}

static void
answer_report (JmeAnswer *self, const char *uuid)
{
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = NULL;

  if (jme_archive_query_init (&query, self->request, JME_ARCHIVE_ONE, &error))
    run = jme_jobs_find_run (self, uuid, &error);
  if (run == NULL || !append_report (self, run, &error))
    jme_answer_fail (self, error);
  else
    jme_answer_reply_json (self);
}

/* --- what its owner keeps --- */

gboolean
jme_jobs_may_keep (JmeAnswer *self, JmRun *run)
{
  const char *owner = jm_run_get_text (run, "user");

  return jm_run_get_figure (run, "start_time").is_known &&
         !jm_run_get_figure (run, "end_time").is_known &&
         (jm_viewer_sees_all (self->viewer) ||
          (owner != NULL && g_strcmp0 (owner, self->user) == 0));
}

static gboolean
parse_seconds (JmeRequest *request, guint64 *seconds, GError **error)
{
  g_auto (GStrv) values = jme_request_get_values (request, "seconds");

  if (values != NULL && values[0] != NULL && values[1] == NULL &&
      g_ascii_string_to_unsigned (values[0], 10, 0, MAX_KEEP_SECONDS, seconds, NULL))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "seconds: not one number up to %u",
               MAX_KEEP_SECONDS);

  return FALSE;
}

static gboolean
keep (JmeAnswer *self, JmRun *run, gint64 *until, GError **error)
{
  guint64 seconds;

  if (!parse_seconds (self->request, &seconds, error))
    return FALSE;
  if (!jme_jobs_may_keep (self, run))
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_DENIED,
                           "only its owner or an administrator can keep a job, and "
                           "only "
                           "while it runs");
      return FALSE;
    }
  *until = g_get_real_time () / G_USEC_PER_SEC + (gint64) seconds;

  return jme_archive_keep (self->accounts, run, *until, error);
}

/* A browser goes back to the run's page. */
static void
on_keep (JmeRequest *request, gpointer accounts)
{
  const char *uuid = jme_request_get_path (request) + strlen (JME_JOBS_KEEP);
  g_auto (JmeAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = NULL;
  gint64 until = 0;

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  run = jme_jobs_find_run (&answer, uuid, &error);
  if (run == NULL || !keep (&answer, run, &until, &error))
    jme_answer_fail (&answer, error);
  else if (jme_html_is_wanted (request))
    {
      g_autofree char *page =
        g_strconcat ("/job/", jm_run_get_text (run, "uuid"), NULL);

      jme_request_set_header (request, "Location", page);
      jme_request_reply_text (request, SEE_OTHER, "kept\n");
    }
  else
    {
      jm_json_writer_begin_object (&answer.json, NULL);
      jm_json_writer_add_int (&answer.json, "kept_until", until);
      jm_json_writer_end_object (&answer.json);
      jme_answer_reply_json (&answer);
    }
}

/* --- views --- */

/* States of the job, as the scheduler reported them. */
static void
answer_states (JmeAnswer *self, const char *uuid)
{
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = NULL;
  g_auto (GStrv) states = NULL;
  g_autofree char *joined = NULL;

  if (jme_archive_query_init (&query, self->request, JME_ARCHIVE_ONE, &error))
    run = jme_jobs_find_run (self, uuid, &error);
  if (run != NULL)
    states =
      jm_archive_database_list_states (self->store, jm_run_get_text (run, "cluster"),
                                       jm_run_get_text (run, "raw_id"), self->viewer,
                                       &error);
  if (states == NULL)
    {
      jme_answer_fail (self, error);
      return;
    }

  joined = g_strjoinv (",\n", states);
  g_string_append_printf (self->text, "{\"states\": [%s]}", joined);
  jme_answer_reply_json (self);
}

/* What is wanted of a run, behind its uuid. */
static const struct
{
  const char *name;
  void (*answer) (JmeAnswer *self, const char *uuid);
} views[] = {
  { "/records", answer_records }, { "/report", answer_report },
  { "/series", answer_series },   { "/states", answer_states },
  { "/steps", answer_steps },     { "", answer_job },
};

static void
on_job (JmeRequest *request, gpointer accounts)
{
  const char *rest = jme_request_get_path (request) + strlen (JOB);
  g_auto (JmeAnswer) answer = { 0 };
  g_autofree char *uuid = NULL;
  guint i = 0;

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  while (!g_str_has_suffix (rest, views[i].name))
    i++;
  uuid = g_strndup (rest, strlen (rest) - strlen (views[i].name));
  views[i].answer (&answer, uuid);
}

const JmeRoute jme_jobs_routes[] = {
  { .path = JOBS, JME_ANSWER_ROUTE, .handler = on_jobs },
  { .path = JOB,
    .is_prefix = TRUE,
    .asks_others = TRUE,
    JME_ANSWER_ROUTE,
    .handler = on_job },
  { .path = JME_JOBS_KEEP,
    .is_prefix = TRUE,
    .methods = JME_METHOD_POST,
    JME_ANSWER_ROUTE,
    .handler = on_keep },
  { NULL },
};
