/* jme-questions.c: the archive in the words of other programs, over HTTP
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-server-routes.h"

#include "server/jme-answer.h"

/* What a panel of Grafana may send: it repeats the variables of its dashboard. */
#define MAX_BODY_BYTES (256 * 1024)
/* Whose jobs an administrator asks the batch job stats server for. */
#define USER_HEADER "X-Dashboard-User"
#define CEEMS "/ceems/api/v1/"
#define BATCHJOB "/batchjob/api/"
#define GRAFANA "/grafana"

static void
reply (JmeRequest *request, guint status, GBytes *body)
{
  jme_request_set_header (request, "Cache-Control", "no-store");
  jme_request_reply (request, status, "application/json", body);
}

static void
refuse (const JmeAnswer *answer, guint status, const char *reason)
{
  JmeRequest *request = answer->request;
  g_autoptr (GBytes) body =
    jm_archive_word_refusal (jme_request_get_path (request), status, reason);

  if (body != NULL)
    reply (request, status, body);
  else
    jme_answer_refuse (request, status, reason);
}

/* The header comes first, lest the query has one of its name. */
static GStrv
list_parameters (JmeRequest *request)
{
  const char *user = jme_request_get_header (request, USER_HEADER);
  g_auto (GStrv) query = jme_request_list_pairs (request);
  g_autoptr (GStrvBuilder) pairs = g_strv_builder_new ();

  g_strv_builder_add_many (pairs, USER_HEADER, user != NULL ? user : "", NULL);
  g_strv_builder_addv (pairs, (const char **) query);

  return g_strv_builder_end (pairs);
}

static void
on_question (JmeRequest *request, gpointer accounts)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchive) archive = NULL;
  g_autoptr (GBytes) body = NULL;
  g_auto (GStrv) parameters = NULL;

  if (!jme_answer_begin_with (&answer, accounts, request, refuse))
    return;
  parameters = list_parameters (request);
  archive = jm_archive_new_for_view (&(JmArchiveView){
    answer.store, answer.viewer, answer.user, jme_archive_get_site (accounts) });
  body = jm_archive_ask (archive, jme_request_get_path (request),
                         (const char *const *) parameters,
                         jme_request_get_body (request), NULL, &error);
  g_clear_object (&archive);
  if (body != NULL)
    reply (request, 200, body);
  else
    jme_answer_fail (&answer, error);
}

/* Whether something can be read. */
static gboolean
is_healthy (JmeArchive *accounts, JmeRequest *request)
{
  g_autoptr (JmArchiveDatabase) store =
    jme_archive_take_store (accounts, jme_request_get_cancellable (request), NULL);
  g_autoptr (JmViewer) nobody =
    store != NULL ? jm_archive_database_make_viewer (store, "", NULL, NULL) : NULL;

  if (nobody != NULL)
    jme_archive_give_back (accounts, g_steal_pointer (&store));

  return nobody != NULL;
}

/* Of the batch job stats server: of this server, and so no question. */
static void
on_health (JmeRequest *request, gpointer accounts)
{
  gboolean is_well = is_healthy (accounts, request);

  jme_request_reply_text (request, is_well ? 200 : 503, is_well ? "OK" : "KO");
}

#define QUESTION JME_ANSWER_ROUTE, .handler = on_question
#define POSTED QUESTION, .methods = JME_METHOD_POST, .max_body_bytes = MAX_BODY_BYTES

const JmeRoute jme_questions_routes[] = {
  { .path = GRAFANA, QUESTION },
  { .path = GRAFANA "/", QUESTION },
  { .path = GRAFANA "/search", POSTED },
  { .path = GRAFANA "/metrics", POSTED },
  { .path = GRAFANA "/metric-payload-options", POSTED },
  { .path = GRAFANA "/variable", POSTED },
  { .path = GRAFANA "/tag-keys", POSTED },
  { .path = GRAFANA "/tag-values", POSTED },
  { .path = GRAFANA "/query", POSTED },
  { .path = GRAFANA "/annotations", POSTED },
  { .path = CEEMS, .is_prefix = TRUE, QUESTION },
  { .path = BATCHJOB, .is_prefix = TRUE, QUESTION },
  { .path = BATCHJOB "health", .is_slow = TRUE, .handler = on_health },
  { NULL },
};
