/* jme-accounts.c: a site's runs and sums, for those who may see them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-accounts.h"

#include <string.h>

#include "core/jm-error.h"
#include "report/jm-run-document-private.h"
#include "server/jme-accounts-query.h"
#include "server/jme-accounts-viewer.h"

struct _JmeAccounts
{
  char *uri;
  const JmeIdentityConfig *identity;
  GAsyncQueue *idle; /* of JmJobStore: that nobody asks at present */
};

/* One request that is answered. */
typedef struct
{
  JmeAccounts *accounts;
  JmeRequest *request;
  JmJobStore *store;
  JmViewer *viewer;
  JmeAccountsQuery query;
  GString *text;
} Answer;

JmeAccounts *
jme_accounts_new (const char *uri, const JmeIdentityConfig *identity)
{
  JmeAccounts *self = g_new0 (JmeAccounts, 1);

  self->uri = g_strdup (uri);
  self->identity = identity;
  self->idle = g_async_queue_new_full (g_object_unref);

  return self;
}

void
jme_accounts_free (JmeAccounts *self)
{
  g_async_queue_unref (self->idle);
  g_free (self->uri);
  g_free (self);
}

/* --- begin and end of an answer --- */

static guint
get_status (const GError *error)
{
  if (g_error_matches (error, JM_ERROR, JM_ERROR_INVALID))
    return 400;
  if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    return 403;
  if (g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    return 404;

  return 503;
}

static void
refuse_as (JmeRequest *request, guint status, const char *reason)
{
  g_autofree char *text = g_strdup_printf ("%u: %s\n", status, reason);

  jme_request_set_header (request, "Cache-Control", "no-store");
  jme_request_reply_text (request, status, text);
}

static void
refuse (JmeRequest *request, const GError *error)
{
  refuse_as (request, get_status (error), error->message);
}

/* What is wrong with the store is nothing for strangers: they learn that it is so. */
static void
refuse_store (JmeRequest *request, const GError *error)
{
  g_autoptr (GError) told = NULL;

  g_warning ("the accounts cannot be read: %s", error->message);
  told = g_error_new_literal (JM_ERROR, JM_ERROR_UNAVAILABLE,
                              "the accounts cannot be read now");
  refuse (request, told);
}

/* NULL where that is answered. */
static char *
find_user (JmeAccounts *self, JmeRequest *request)
{
  g_autoptr (GError) error = NULL;
  guint status;
  char *user = jme_identity_find (self->identity, request, &status, &error);

  if (user == NULL)
    refuse_as (request, status, error->message);

  return user;
}

static gboolean
begin (Answer *self, JmeAccounts *accounts, JmeRequest *request, JmeAccountsList list)
{
  g_autofree char *user = find_user (accounts, request);
  g_autoptr (GError) error = NULL;

  *self = (Answer){ .accounts = accounts, .request = request };
  if (user == NULL)
    return FALSE;
  if (!jme_accounts_query_init (&self->query, request, list, &error))
    {
      refuse (request, error);
      return FALSE;
    }

  self->store = g_async_queue_try_pop (accounts->idle);
  if (self->store == NULL)
    self->store = jm_job_store_open_for_reading (accounts->uri, &error);
  if (self->store != NULL)
    self->viewer = jme_accounts_make_viewer (self->store, request, user, &error);
  if (self->viewer == NULL)
    refuse_store (request, error);
  self->text = g_string_new (NULL);

  return self->viewer != NULL;
}

/* One that failed is not asked again: it may be of a server that went. */
static void
fail (Answer *self, const GError *error)
{
  if (get_status (error) == 503)
    {
      g_clear_object (&self->store);
      refuse_store (self->request, error);
    }
  else
    refuse (self->request, error);
}

static void
reply (Answer *self)
{
  g_autoptr (GBytes) body = g_string_free_to_bytes (g_steal_pointer (&self->text));

  jme_request_set_header (self->request, "Cache-Control", "no-store");
  jme_request_reply (self->request, 200,
                     self->query.is_csv ? "text/csv; charset=utf-8"
                                        : "application/json",
                     body);
}

static void
answer_clear (Answer *self)
{
  if (self->store != NULL)
    g_async_queue_push (self->accounts->idle, g_steal_pointer (&self->store));
  g_clear_pointer (&self->viewer, jm_viewer_free);
  jme_accounts_query_clear (&self->query);
  if (self->text != NULL)
    g_string_free (g_steal_pointer (&self->text), TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Answer, answer_clear)

/* --- runs --- */

static void
append_runs (Answer *self, GPtrArray *runs, const char *next)
{
  g_string_append (self->text, "{\"jobs\": [");
  for (guint i = 0; i < runs->len; i++)
    {
      g_string_append (self->text, i > 0 ? ",\n" : "");
      jm_run_document_append (self->text, runs->pdata[i]);
    }
  if (next != NULL)
    g_string_append_printf (self->text, "],\n\"next\": \"%s\"}\n", next);
  else
    g_string_append (self->text, "],\n\"next\": null}\n");
}

static void
append_run_table (Answer *self, GPtrArray *runs)
{
  jm_run_document_append_csv (self->text, NULL);
  for (guint i = 0; i < runs->len; i++)
    jm_run_document_append_csv (self->text, runs->pdata[i]);
}

static void
append_page (Answer *self, GPtrArray *runs, const char *next)
{
  if (self->query.is_csv)
    append_run_table (self, runs);
  else
    append_runs (self, runs, next);
  if (next != NULL)
    jme_request_set_header (self->request, "X-Next-Cursor", next);
}

static gboolean
list_runs (Answer *self, GError **error)
{
  char *next = NULL;
  g_autoptr (GPtrArray) runs = jm_job_store_list_runs (self->store, self->query.filter,
                                                       self->viewer, &next, error);

  if (runs != NULL)
    append_page (self, runs, next);
  g_free (next);

  return runs != NULL;
}

void
jme_accounts_answer_jobs (JmeAccounts *self, JmeRequest *request)
{
  g_auto (Answer) answer = { 0 };
  g_autoptr (GError) error = NULL;

  if (!begin (&answer, self, request, JME_ACCOUNTS_RUNS))
    return;
  if (list_runs (&answer, &error))
    reply (&answer);
  else
    fail (&answer, error);
}

/* --- one run --- */

static gboolean
append_parts (Answer *self,
              JmStoredRun *run,
              const char *name,
              JmRunPartKind kind,
              GError **error)
{
  g_autoptr (GPtrArray) parts =
    jm_job_store_list_parts (self->store, run, kind, self->viewer, error);

  if (parts == NULL)
    return FALSE;

  g_string_append_printf (self->text, ",\n\"%s\": [", name);
  for (guint i = 0; i < parts->len; i++)
    {
      g_string_append (self->text, i > 0 ? ",\n" : "");
      jm_run_document_append_part (self->text, parts->pdata[i]);
    }
  g_string_append_c (self->text, ']');

  return TRUE;
}

static gboolean
append_run (Answer *self, JmStoredRun *run, GError **error)
{
  g_string_append (self->text, "{\"job\": ");
  jm_run_document_append (self->text, run);
  if (!append_parts (self, run, "steps", JM_RUN_PART_KIND_STEP, error) ||
      !append_parts (self, run, "nodes", JM_RUN_PART_KIND_NODE, error) ||
      !append_parts (self, run, "devices", JM_RUN_PART_KIND_DEVICE, error) ||
      !append_parts (self, run, "energy", JM_RUN_PART_KIND_ENERGY, error))
    return FALSE;
  g_string_append (self->text, "}\n");

  return TRUE;
}

void
jme_accounts_answer_job (JmeAccounts *self, JmeRequest *request)
{
  const char *uuid = jme_request_get_path (request) + strlen (JME_ACCOUNTS_JOB);
  g_auto (Answer) answer = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmStoredRun) run = NULL;

  if (!begin (&answer, self, request, JME_ACCOUNTS_ONE))
    return;
  if (g_uuid_string_is_valid (uuid))
    run = jm_job_store_find_run (answer.store, uuid, answer.viewer, &error);
  else
    g_set_error (&error, JM_ERROR, JM_ERROR_ABSENT, "no run of that uuid");
  if (run == NULL || !append_run (&answer, run, &error))
    fail (&answer, error);
  else
    reply (&answer);
}

/* --- sums --- */

static void
append_usages (Answer *self, GPtrArray *usages)
{
  g_string_append (self->text, "{\"usage\": [");
  for (guint i = 0; i < usages->len; i++)
    {
      g_string_append (self->text, i > 0 ? ",\n" : "");
      jm_run_document_append_usage (self->text, usages->pdata[i], self->query.groups);
    }
  g_string_append (self->text, "]}\n");
}

static void
append_usage_table (Answer *self, GPtrArray *usages)
{
  jm_run_document_append_usage_csv (self->text, NULL, self->query.groups);
  for (guint i = 0; i < usages->len; i++)
    jm_run_document_append_usage_csv (self->text, usages->pdata[i], self->query.groups);
}

void
jme_accounts_answer_usage (JmeAccounts *self, JmeRequest *request)
{
  g_auto (Answer) answer = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) usages = NULL;

  if (!begin (&answer, self, request, JME_ACCOUNTS_SUMS))
    return;
  usages = jm_job_store_list_usage (answer.store, answer.query.filter,
                                    answer.query.groups, answer.viewer, &error);
  if (usages == NULL)
    {
      fail (&answer, error);
      return;
    }

  if (answer.query.is_csv)
    append_usage_table (&answer, usages);
  else
    append_usages (&answer, usages);
  reply (&answer);
}
