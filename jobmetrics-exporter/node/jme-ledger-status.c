/* jme-ledger-status.c: how the ledger fares, for who keeps the node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-node-answers.h"

#include "base/jm-json-writer-private.h"
#include "node/ledger/jm-ledger-private.h"

static void
add_time (JmJsonWriter *json, const char *name, gint64 time_us)
{
  jm_json_writer_add_double (json, name, (double) MAX (time_us, 0) / 1e6);
}

static void
add_error (JmJsonWriter *json, const GError *error, gint64 since_us)
{
  if (error == NULL)
    return;

  jm_json_writer_add_text (json, "error", error->message);
  add_time (json, "error_since", since_us);
}

static void
add_status (JmJsonWriter *json, const JmeNodeLedger *ledger)
{
  g_auto (JmLedgerStatus) status = { 0 };

  jm_ledger_get_status (ledger->ledger, &status);
  if (ledger->error == NULL)
    add_error (json, status.error, status.failing_us);
  jm_json_writer_add_int (json, "records", (gint64) status.n_records);
  jm_json_writer_add_int (json, "size_bytes", (gint64) status.size_bytes);
  jm_json_writer_add_int (json, "waiting_records", (gint64) status.n_waiting);
  jm_json_writer_add_int (json, "dropped_records", (gint64) status.n_dropped);
  jm_json_writer_add_int (json, "given_up_records", (gint64) status.n_given_up);
  if (status.n_given_up > 0)
    add_time (json, "given_up_time", status.given_up_us);
}

static GBytes *
format_status (const JmeNodeLedger *ledger)
{
  GString *text = g_string_new (NULL);
  JmJsonWriter json = { .out = text, .layout = JM_JSON_PRETTY };

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_add_text (&json, "file", ledger->path);
  jm_json_writer_add_boolean (&json, "open", ledger->ledger != NULL);
  if (ledger->ledger != NULL && ledger->error != NULL)
    jm_json_writer_add_boolean (&json, "makeshift", TRUE);
  add_error (&json, ledger->error, ledger->tried_us);
  if (ledger->ledger != NULL)
    add_status (&json, ledger);
  jm_json_writer_end_object (&json);
  g_string_append_c (text, '\n');

  return g_string_free_to_bytes (text);
}

void
jme_ledger_status_answer (const JmeNodeLedger *ledger, JmeRequest *request)
{
  g_autoptr (GBytes) body = NULL;

  if (ledger->path == NULL)
    {
      jme_request_reply_text (request, 404, JME_LEDGER_NONE);
      return;
    }

  body = format_status (ledger);
  jme_request_set_header (request, "Cache-Control", "no-store");
  jme_request_reply (request, 200, "application/json", body);
}
