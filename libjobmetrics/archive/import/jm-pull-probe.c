/* jm-pull-probe.c: whether nodes' ledgers can be read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/import/jm-pull-targets-private.h"

#include "archive/import/jm-node-ledger-private.h"
#include "base/jm-error.h"

#define TIMEOUT_MS 5000
#define MAX_US (60 * G_TIME_SPAN_SECOND)
#define MAX_AT_ONCE 32

typedef struct
{
  JmLedgerClient client;
  gint64 until_us; /* monotonic */
} Probe;

typedef struct
{
  const JmPullTarget *target;
  gboolean is_asked;
  GError *error;
} Attempt;

/* A target fails whose record the server would pass over. */
static gboolean
is_of_target (const JmPullTarget *target, JmLedgerPage *page, GError **error)
{
  g_autoptr (GHashTable) others = g_hash_table_new (g_str_hash, g_str_equal);
  JmNodeLedger *ledger = jm_node_ledger_new (target->cluster, target->node);

  jm_node_ledger_set_url (ledger, target->url);
  jm_node_ledger_hold_to_mandate (ledger, others, g_get_real_time (), page);
  jm_node_ledger_free (ledger);
  if (page->fault == NULL)
    return TRUE;
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "a record is passed over: %s",
               page->fault);

  return FALSE;
}

static void
ask (gpointer data, gpointer user_data)
{
  Attempt *attempt = data;
  const Probe *probe = user_data;
  g_auto (JmLedgerPage) page = { 0 };

  attempt->is_asked = g_get_monotonic_time () < probe->until_us;
  if (attempt->is_asked && jm_ledger_client_fetch (&probe->client, attempt->target->url,
                                                   0, &page, NULL, &attempt->error))
    is_of_target (attempt->target, &page, &attempt->error);
}

/* The status alone does not say what an administrator has to do. */
static const char *
advise (const GError *error, const JmLedgerClient *client)
{
  if (g_error_matches (error, JM_ERROR, JM_ERROR_INVALID))
    return "; the target's labels cluster and __meta_jobmetrics_node say what it may "
           "be";
  if (!g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    return "";

  return client->username == NULL
           ? "; --server.nodes-login-file names who reads it"
           : "; the node's web.yml must have that user under basic_auth_users";
}

static char *
describe (const Attempt *attempt, const JmLedgerClient *client)
{
  return g_strdup_printf ("%s/%s: %s%s", attempt->target->cluster,
                          attempt->target->node, attempt->error->message,
                          advise (attempt->error, client));
}

GPtrArray *
jm_pull_probe (const JmLedgerClient *client, const GPtrArray *targets, guint *n_unasked)
{
  GPtrArray *failed = g_ptr_array_new_with_free_func (g_free);
  g_autofree Attempt *attempts = g_new0 (Attempt, targets->len);
  Probe probe = { .client = *client, .until_us = g_get_monotonic_time () + MAX_US };
  GThreadPool *pool = g_thread_pool_new (ask, &probe, MAX_AT_ONCE, FALSE, NULL);

  probe.client.timeout_ms = TIMEOUT_MS;
  probe.client.limit = 1;
  for (guint i = 0; i < targets->len; i++)
    {
      attempts[i].target = targets->pdata[i];
      g_thread_pool_push (pool, &attempts[i], NULL);
    }
  g_thread_pool_free (pool, FALSE, TRUE);

  *n_unasked = 0;
  for (guint i = 0; i < targets->len; i++)
    {
      *n_unasked += !attempts[i].is_asked;
      if (attempts[i].error != NULL)
        g_ptr_array_add (failed, describe (&attempts[i], client));
      g_clear_error (&attempts[i].error);
    }

  return failed;
}
