/* jme-ledger-status.c: how the ledger fares, for who keeps the node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-ledger-status.h"

#include <string.h>

#include "core/jm-figures-json-private.h"
#include "core/jm-json-private.h"
#include "core/jm-json-text.h"
#include "store/jm-ledger-private.h"

static void
add_error (JsonObject *object, const GError *error, gint64 since_us)
{
  if (error == NULL)
    return;

  jm_json_add_text (object, "error", error->message);
  jm_figures_json_set_time (object, "error_since", since_us);
}

static void
add_status (JsonObject *object, JmLedger *ledger)
{
  g_auto (JmLedgerStatus) status = { 0 };

  jm_ledger_get_status (ledger, &status);
  add_error (object, status.error, status.failing_us);
  json_object_set_int_member (object, "records", (gint64) status.n_records);
  json_object_set_int_member (object, "size_bytes", (gint64) status.size_bytes);
  json_object_set_int_member (object, "waiting_records", (gint64) status.n_waiting);
  json_object_set_int_member (object, "dropped_records", (gint64) status.n_dropped);
  json_object_set_int_member (object, "given_up_records", (gint64) status.n_given_up);
  if (status.n_given_up > 0)
    jm_figures_json_set_time (object, "given_up_time", status.given_up_us);
}

static char *
format_status (const JmeNodeLedger *ledger)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  JsonObject *object = json_object_new ();

  json_node_take_object (node, object);
  jm_json_add_text (object, "file", ledger->path);
  json_object_set_boolean_member (object, "open", ledger->ledger != NULL);
  if (ledger->ledger != NULL)
    add_status (object, ledger->ledger);
  else
    add_error (object, ledger->error, ledger->tried_us);

  return jm_json_to_string (node, TRUE);
}

void
jme_ledger_status_answer (const JmeNodeLedger *ledger, JmeRequest *request)
{
  g_autofree char *json = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GBytes) body = NULL;

  if (ledger->path == NULL)
    {
      jme_request_reply_text (request, 404, JME_LEDGER_NONE);
      return;
    }

  json = format_status (ledger);
  text = g_strconcat (json, "\n", NULL);
  body = g_bytes_new (text, strlen (text));
  jme_request_set_header (request, "Cache-Control", "no-store");
  jme_request_reply (request, 200, "application/json", body);
}
