/* jm-examine-exporter.c: what running exporters know of ledgers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-doctor.h"

#include <string.h>

#include "base/jm-json-private.h"
#include "core/jm-figures-json-private.h"
#include "doctor/jm-examination-private.h"
#include "io/jm-http-private.h"

/* An exporter that hangs keeps nobody from the other findings. */
#define TIMEOUT_MS 3000
#define MAX_ANSWER_BYTES (64 * 1024)
#define MAX_HEALTH_BYTES (2 * 1024 * 1024)
/* More than there can be. */
#define MAX_COUNT 1e15

/* What the exporter answered. */
typedef struct
{
  JsonNode *json; /* not owned */
  const char *file;
  GPtrArray *findings; /* of JmFinding */
} Answer;

G_GNUC_PRINTF (3, 4)
static void
add (Answer *self, const char *remedy, const char *format, ...)
{
  g_autofree char *seen = NULL;
  g_autofree char *whole = NULL;
  va_list arguments;

  va_start (arguments, format);
  seen = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  whole = g_strdup_printf ("%s: %s", self->file, seen);

  g_ptr_array_add (self->findings,
                   jm_finding_new (JM_SEVERITY_PROBLEM,
                                   jm_topic_get_name (JM_TOPIC_LEDGER), whole, remedy));
}

static char *
get_moment (JsonNode *json, const char *name)
{
  gint64 time_us;
  g_autoptr (GDateTime) utc = NULL;
  g_autoptr (GDateTime) local = NULL;

  if (jm_figures_json_get_time (json, name, &time_us))
    utc = g_date_time_new_from_unix_utc (time_us / G_USEC_PER_SEC);
  if (utc != NULL)
    local = g_date_time_to_local (utc);

  return local != NULL ? g_date_time_format (local, "%F %T") : g_strdup ("some time");
}

static guint64
get_count (JsonNode *json, const char *name)
{
  double number;

  return jm_json_get_number (json, name, &number) && number > 0 && number < MAX_COUNT
           ? (guint64) number
           : 0;
}

static void
examine_error (Answer *self)
{
  const char *error = jm_json_get_string (self->json, "error");
  g_autofree char *since = get_moment (self->json, "error_since");
  guint64 n_waiting = get_count (self->json, "waiting_records");
  gboolean is_open = TRUE;
  gboolean is_makeshift = FALSE;

  jm_json_get_boolean (self->json, "open", &is_open);
  jm_json_get_boolean (self->json, "makeshift", &is_makeshift);
  if (!is_open)
    add (self, "Mend that, and restart the exporter: it tries no more",
         "could not be opened at %s, and no record is kept: %s", since,
         error != NULL ? error : "the exporter's log says why");
  else if (is_makeshift)
    add (self, "Mend that, and restart the exporter",
         "is kept in memory since %s, until the exporter ends: %s", since,
         error != NULL ? error : "the exporter's log says why");
  else if (error != NULL)
    add (self, "Mend that: what waits is written then, unless the exporter ends before",
         "cannot be written since %s, and %" G_GUINT64_FORMAT " records wait: %s",
         since, n_waiting, error);
}

static void
examine_losses (Answer *self)
{
  g_autofree char *last = get_moment (self->json, "given_up_time");
  guint64 n_given_up = get_count (self->json, "given_up_records");

  if (n_given_up > 0)
    add (self,
         "They are lost: see the exporter's log why it could not write, and make "
         "room; "
         "it counts anew from its next start",
         "the exporter gave up %" G_GUINT64_FORMAT
         " records since its start, the last at %s",
         n_given_up, last);
}

static void
examine_node (JsonNode *node, GPtrArray *findings)
{
  const char *cluster = jm_json_get_string (node, "cluster");
  const char *name = jm_json_get_string (node, "node");
  const char *problem = jm_json_get_string (node, "problem");
  g_autofree char *since = get_moment (node, "since_time");
  g_autofree char *seen = NULL;

  if (cluster == NULL || name == NULL || problem == NULL)
    return;
  seen = g_strdup_printf ("the server cannot read node %s of %s since %s: %s", name,
                          cluster, since, problem);
  g_ptr_array_add (findings,
                   jm_finding_new (JM_SEVERITY_PROBLEM,
                                   jm_topic_get_name (JM_TOPIC_LEDGER), seen,
                                   "jobmetrics-exporter server --check asks it again"));
}

static char *
describe_success (JsonNode *peer)
{
  g_autofree char *last = get_moment (peer, "last_success_time");
  gint64 time_us;

  return jm_figures_json_get_time (peer, "last_success_time", &time_us)
           ? g_strdup_printf ("last complete reading: %s", last)
           : g_strdup ("never read completely");
}

/* Of a specification only the name, which has no password. */
static void
examine_peer (JsonNode *peer, const char *kind, GPtrArray *findings)
{
  const char *specification = jm_json_get_string (peer, kind);
  const char *topic = jm_json_get_string (peer, "topic");
  const char *problem = jm_json_get_string (peer, "problem");
  g_autofree char *since = get_moment (peer, "since_time");
  g_autofree char *success = describe_success (peer);
  g_autofree char *seen = NULL;

  if (specification == NULL || problem == NULL)
    return;
  seen = g_strdup_printf ("the server cannot read %s %.*s%s%s since %s (%s): %s", kind,
                          (int) strcspn (specification, ","), specification,
                          topic != NULL ? " about its " : "",
                          topic != NULL ? topic : "", since, success, problem);
  g_ptr_array_add (findings, jm_finding_new (JM_SEVERITY_PROBLEM,
                                             jm_topic_get_name (JM_TOPIC_LEDGER), seen,
                                             "The page /admin of the server has all "
                                             "its sources"));
}

static void
examine_unread (JsonNode *peer, const char *kind, GPtrArray *findings)
{
  const char *specification = jm_json_get_string (peer, kind);
  const char *topic = jm_json_get_string (peer, "topic");
  JsonNode *unread = jm_json_get (peer, "unread");

  for (guint i = 0; i < jm_json_get_length (unread); i++)
    {
      JsonNode *element = jm_json_get_element (unread, i);
      const char *complaint =
        JSON_NODE_HOLDS_VALUE (element) ? json_node_get_string (element) : NULL;
      g_autofree char *seen = NULL;

      if (specification == NULL || topic == NULL || complaint == NULL)
        continue;
      seen = g_strdup_printf ("%s %.*s: a value or record of its %s could not be read: "
                              "%s",
                              kind, (int) strcspn (specification, ","), specification,
                              topic, complaint);
      g_ptr_array_add (findings,
                       jm_finding_new (JM_SEVERITY_NOTE,
                                       jm_topic_get_name (JM_TOPIC_LEDGER), seen,
                                       "The value is unknown; everything else was "
                                       "read. Please report this line to the "
                                       "jobmetrics project"));
    }
}

/* FALSE where no program of this machine answers. */
static gboolean
ask (const char *socket, const char *url, gsize max_bytes, JmHttpAnswer *answer)
{
  const JmHttpRequest request = { .url = url,
                                  .socket = socket,
                                  .timeout_ms = TIMEOUT_MS,
                                  .max_bytes = max_bytes };

  return jm_http_ask (&request, answer, NULL, NULL);
}

static void
examine_server (const char *socket, GPtrArray *findings)
{
  static const char *const kinds[][2] = { { "histories", "history" },
                                          { "time_series", "tsdb" },
                                          { "schedulers", "scheduler" } };
  g_auto (JmHttpAnswer) answer = { 0 };
  JsonNode *nodes;

  if (!ask (socket, "http://localhost/api/v1/health", MAX_HEALTH_BYTES, &answer))
    return;

  nodes = jm_json_get (jm_json_get (answer.json, "nodes"), "failed_nodes");
  for (guint i = 0; i < jm_json_get_length (nodes); i++)
    examine_node (jm_json_get_element (nodes, i), findings);
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      JsonNode *peers = jm_json_get (answer.json, kinds[k][0]);

      for (guint i = 0; i < jm_json_get_length (peers); i++)
        {
          JsonNode *peer = jm_json_get_element (peers, i);

          examine_peer (peer, kinds[k][1], findings);
          examine_unread (peer, kinds[k][1], findings);
        }
    }
}

static void
examine_exporter (const char *socket, GPtrArray *findings)
{
  g_auto (JmHttpAnswer) answer = { 0 };
  Answer told = { .findings = findings };

  if (!ask (socket, "http://localhost/ledger/status", MAX_ANSWER_BYTES, &answer))
    return;

  told.json = answer.json;
  told.file = jm_json_get_string (answer.json, "file");
  if (told.file != NULL)
    {
      examine_error (&told);
      examine_losses (&told);
    }
}

/**
 * jm_doctor_examine_exporters:
 * @node: (type filename): the local socket of a node's exporter
 * @server: (type filename): the local socket of a site's server
 *
 * Asks running exporters what is not visible from outside: whether the one of a node
 * can write its ledger and gave up no records, and which nodes, histories, schedulers
 * and databases the one of a site cannot read, which it reports to administrators and
 * root alone.
 *
 * - Shape: findings of the topic `ledger`; none where all is well, and of a socket
 *   that does not answer.
 * - Errors: none.
 *
 * Returns: (transfer container) (element-type JmFinding): the findings
 * Since: 0.1
 */
GPtrArray *
jm_doctor_examine_exporters (const char *node, const char *server)
{
  GPtrArray *findings =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_finding_unref);

  examine_exporter (node, findings);
  examine_server (server, findings);

  return findings;
}
