/* jme-archive-health.c: what the server knows of its own state
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-server-routes.h"

#include "jme-config.h"
#include "server/jme-answer.h"
#include "server/jme-archive-query.h"
#include "server/jme-intake-peer.h"
#include "web/jme-identity.h"

#define HEALTH "/api/v1/health"
#define REFRESH "/api/v1/refresh"
#define NOT_KNOWN 401
#define ACCEPTED 202

/* Who says who they are is held to it. */
static JmeAccess
choose_access (JmeRequest *request, gpointer user_data)
{
  JmeArchiveHealth *self = user_data;
  JmeAccess access = jme_answer_choose_access (request, self->accounts);

  if (access == JME_ACCESS_USERS &&
      jme_request_get_header (request, "Authorization") == NULL)
    return JME_ACCESS_OPEN;

  return access;
}

/* FALSE for an identity from an untrusted source: that is answered. */
static gboolean
find_user (JmeArchiveHealth *self, JmeRequest *request, char **user)
{
  g_autoptr (GError) error = NULL;
  guint status;

  *user = jme_identity_find (jme_archive_get_identity (self->accounts), request,
                             &status, &error);
  if (*user != NULL || status == NOT_KNOWN)
    return TRUE;

  jme_answer_refuse (request, status, error->message);

  return FALSE;
}

/* It is asked for something small: a server may have gone since it was opened. */
static gboolean
can_read (JmeAnswer *answer, gboolean is_open)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *position = NULL;

  if (is_open)
    position = jm_archive_database_get_position (answer->store, "", &error);
  if (is_open && error == NULL)
    return TRUE;

  g_clear_object (&answer->store);

  return FALSE;
}

static void
append_peers (JmeArchiveHealth *self, JmJsonWriter *json)
{
  g_autoptr (GPtrArray) peers = jme_peers_new ();

  jme_archive_intake_list_peers (self->intake, peers);
  jme_queue_list_peers (self->queue, peers);
  jme_peers_append_state (peers, "history", "histories", json);
  jme_peers_append_state (peers, "tsdb", "time_series", json);
  jme_peers_append_state (peers, "scheduler", "schedulers", json);
}

static void
append_health (JmeArchiveHealth *self, JmeAnswer *answer, gboolean is_readable)
{
  g_autofree char *lack = jme_archive_intake_describe_lack (self->intake);
  g_autofree char *failed = jme_archive_intake_describe_failed_nodes (self->intake);
  g_autofree char *queue = jme_queue_describe_lack (self->queue);
  gboolean is_well = is_readable && lack == NULL && failed == NULL && queue == NULL;

  jm_json_writer_begin_object (&answer->json, NULL);
  jm_json_writer_add_text (&answer->json, "status", is_well ? "ok" : "degraded");
  if (answer->viewer != NULL && jm_viewer_sees_all (answer->viewer))
    {
      jm_json_writer_add_text (&answer->json, "version", JME_VERSION);
      jm_json_writer_add_boolean (&answer->json, "is_store_readable", is_readable);
      jme_archive_intake_append_state (self->intake, &answer->json);
      append_peers (self, &answer->json);
    }
  jm_json_writer_end_object (&answer->json);
}

static void
on_health (JmeRequest *request, gpointer user_data)
{
  JmeArchiveHealth *self = user_data;
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) no_store = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_open;
  char *user;

  if (!find_user (self, request, &user))
    return;
  is_open = jme_answer_open (&answer, self->accounts, request, user, &no_store);
  if (!jme_archive_query_init (&query, request, JME_ARCHIVE_ONE, &error))
    {
      jme_answer_fail (&answer, error);
      return;
    }
  append_health (self, &answer, can_read (&answer, is_open));
  jme_answer_reply_json (&answer);
}

static JmeAccess
choose_refresh_access (JmeRequest *request, gpointer user_data)
{
  return jme_answer_choose_access (request, ((JmeArchiveHealth *) user_data)->accounts);
}

/* For those who wait for what a scheduler has just reported, such as mails about jobs.
 */
static void
on_refresh (JmeRequest *request, gpointer user_data)
{
  JmeArchiveHealth *self = user_data;
  g_auto (JmeAnswer) answer = { 0 };
  g_autoptr (GBytes) body = NULL;

  if (!jme_answer_begin (&answer, self->accounts, request))
    return;
  if (!jm_viewer_sees_all (answer.viewer))
    {
      jme_answer_refuse (request, 403, "this is for administrators");
      return;
    }

  jme_archive_intake_hurry (self->intake);
  body = g_bytes_new_static ("{}\n", 3);
  jme_request_reply (request, ACCEPTED, "application/json", body);
}

const JmeRoute jme_archive_health_routes[] = {
  { .path = HEALTH,
    .choose_access = choose_access,
    .is_slow = TRUE,
    .handler = on_health },
  { .path = REFRESH,
    .methods = JME_METHOD_POST,
    .choose_access = choose_refresh_access,
    .is_slow = TRUE,
    .handler = on_refresh },
  { NULL },
};
