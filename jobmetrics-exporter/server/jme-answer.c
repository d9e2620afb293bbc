/* jme-answer.c: an answer from the archive, to somebody who is known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-answer.h"

#include <unistd.h>

#include "base/jm-error.h"
#include "web/jme-identity.h"

#define CSV_TYPE "text/csv; charset=utf-8"

/* --- who asks --- */

/* A proxy has its secret instead of a password. */
JmeAccess
jme_answer_choose_access (JmeRequest *request, gpointer accounts)
{
  if (jme_request_get_peer (request, NULL, NULL))
    return JME_ACCESS_KNOWN;

  return jme_request_get_header (request, JME_IDENTITY_SECRET_HEADER) != NULL
           ? JME_ACCESS_OPEN
           : JME_ACCESS_USERS;
}

/* Root and whom the daemon runs as see all over the local socket; anybody else what the
 * store knows them to be. */
static JmViewer *
make_viewer (JmeAnswer *self, GError **error)
{
  guint uid;

  if (self->user == NULL)
    return jm_viewer_new ();
  if (jme_request_get_peer (self->request, &uid, NULL) &&
      (uid == 0 || uid == geteuid ()))
    return jm_viewer_new_for_all ();

  return jm_archive_database_make_viewer (self->store, self->user,
                                          jme_archive_get_site (self->accounts), error);
}

/* --- what cannot be answered --- */

void
jme_answer_refuse (JmeRequest *request, guint status, const char *reason)
{
  g_autofree char *text = g_strdup_printf ("%u: %s\n", status, reason);

  jme_request_set_header (request, "Cache-Control", "no-store");
  jme_request_reply_text (request, status, text);
}

static void
refuse_in_text (const JmeAnswer *self, guint status, const char *reason)
{
  jme_answer_refuse (self->request, status, reason);
}

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

/* Whoever asked has gone, or has had more than others. */
static gboolean
is_stopped (JmeAnswer *self)
{
  return g_cancellable_is_cancelled (jme_request_get_cancellable (self->request));
}

static void
refuse_stopped (JmeAnswer *self)
{
  g_clear_object (&self->store);
  jme_request_set_header (self->request, "Retry-After", "1");
  self->refuse (self, 503,
                "the request took too long, or was stopped for another user");
}

/* What is wrong with the store is nothing for strangers. One that failed is not asked
 * again, nor are the others: the server may have gone, or the file, of which they have
 * pages in memory. */
static void
refuse_store (JmeAnswer *self, const GError *error)
{
  g_warning ("the archive cannot be read: %s", error->message);
  g_clear_object (&self->store);
  jme_archive_close_idle (self->accounts);
  self->refuse (self, 503, "the archive cannot be read now");
}

void
jme_answer_fail (JmeAnswer *self, const GError *error)
{
  guint status = get_status (error);

  if (status == 503 && is_stopped (self))
    refuse_stopped (self);
  else if (status == 503)
    refuse_store (self, error);
  else
    self->refuse (self, status, error->message);
}

/* --- begin and end --- */

gboolean
jme_answer_open (JmeAnswer *self,
                 JmeArchive *accounts,
                 JmeRequest *request,
                 char *user,
                 GError **error)
{
  GString *text = g_string_new (NULL);

  *self = (JmeAnswer){
    .accounts = accounts,
    .request = request,
    .user = user,
    .text = text,
    .json = { .out = text, .layout = JM_JSON_SPACED },
    .refuse = refuse_in_text,
  };
  self->store =
    jme_archive_take_store (accounts, jme_request_get_cancellable (request), error);
  if (self->store != NULL)
    self->viewer = make_viewer (self, error);

  return self->viewer != NULL;
}

gboolean
jme_answer_begin (JmeAnswer *self, JmeArchive *accounts, JmeRequest *request)
{
  return jme_answer_begin_with (self, accounts, request, refuse_in_text);
}

gboolean
jme_answer_begin_with (JmeAnswer *self,
                       JmeArchive *accounts,
                       JmeRequest *request,
                       JmeRefuse refuse_with)
{
  g_autoptr (GError) error = NULL;
  guint status;
  char *user =
    jme_identity_find (jme_archive_get_identity (accounts), request, &status, &error);
  gboolean is_open;

  if (user == NULL)
    {
      *self = (JmeAnswer){ .request = request };
      refuse_with (self, status, error->message);
      return FALSE;
    }

  is_open = jme_answer_open (self, accounts, request, user, &error);
  self->refuse = refuse_with;
  if (!is_open && is_stopped (self))
    refuse_stopped (self);
  else if (!is_open)
    refuse_store (self, error);

  return is_open;
}

void
jme_answer_reply (JmeAnswer *self, const char *content_type)
{
  g_autoptr (GBytes) body = g_string_free_to_bytes (g_steal_pointer (&self->text));

  jme_request_set_header (self->request, "Cache-Control", "no-store");
  jme_request_reply (self->request, 200, content_type, body);
}

void
jme_answer_reply_json (JmeAnswer *self)
{
  g_string_append_c (self->text, '\n');
  jme_answer_reply (self, "application/json");
}

void
jme_answer_reply_csv (JmeAnswer *self)
{
  jme_answer_reply (self, CSV_TYPE);
}

gboolean
jme_answer_send_csv (JmeAnswer *self, GError **error)
{
  g_autoptr (GBytes) part = g_bytes_new (self->text->str, self->text->len);

  g_string_truncate (self->text, 0);
  jme_request_set_header (self->request, "Cache-Control", "no-store");
  if (jme_request_send_part (self->request, CSV_TYPE, part))
    return TRUE;
  g_set_error_literal (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                       "the client did not read the whole table");

  return FALSE;
}

void
jme_answer_end_csv (JmeAnswer *self)
{
  jme_request_end_parts (self->request);
}

void
jme_answer_clear (JmeAnswer *self)
{
  if (self->store != NULL)
    jme_archive_give_back (self->accounts, g_steal_pointer (&self->store));
  g_clear_pointer (&self->viewer, jm_viewer_free);
  g_clear_pointer (&self->user, g_free);
  if (self->text != NULL)
    g_string_free (g_steal_pointer (&self->text), TRUE);
}
