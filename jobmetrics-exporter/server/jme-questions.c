/* jme-questions.c: the archive in the words of other programs, over HTTP
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-server-routes.h"

#include "server/jme-answer.h"

/* What a panel of Grafana may send: it repeats the variables of its dashboard. */
#define MAX_BODY_BYTES (256 * 1024)

static void
reply (JmeRequest *request, guint status, GBytes *body)
{
  jme_request_set_header (request, "Cache-Control", "no-store");
  jme_request_reply (request, status, "application/json", body);
}

static void
refuse (JmeRequest *request, guint status, const char *reason)
{
  g_autoptr (GBytes) body =
    jm_archive_word_refusal (jme_request_get_path (request), status, reason);

  if (body != NULL)
    reply (request, status, body);
  else
    jme_answer_refuse (request, status, reason);
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
  parameters = jme_request_list_pairs (request);
  archive = jm_archive_new_for_view (
    &(JmArchiveView){ answer.store, answer.viewer, answer.user, NULL });
  body = jm_archive_ask (archive, jme_request_get_path (request),
                         (const char *const *) parameters,
                         jme_request_get_body (request), NULL, &error);
  g_clear_object (&archive);
  if (body != NULL)
    reply (request, 200, body);
  else
    jme_answer_fail (&answer, error);
}

#define QUESTION JME_ANSWER_ROUTE, .handler = on_question
#define POSTED QUESTION, .methods = JME_METHOD_POST, .max_body_bytes = MAX_BODY_BYTES

const JmeRoute jme_questions_routes[] = {
  { .path = "/grafana", QUESTION },
  { .path = "/grafana/", QUESTION },
  { .path = "/grafana/search", POSTED },
  { .path = "/grafana/metrics", POSTED },
  { .path = "/grafana/metric-payload-options", POSTED },
  { .path = "/grafana/variable", POSTED },
  { .path = "/grafana/tag-keys", POSTED },
  { .path = "/grafana/tag-values", POSTED },
  { .path = "/grafana/query", POSTED },
  { .path = "/grafana/annotations", POSTED },
  { NULL },
};
