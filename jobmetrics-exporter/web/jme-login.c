/* jme-login.c: who is let in by a password, and what others are answered
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-login.h"

#include <libsoup/soup.h>
#include <string.h>

#include "web/jme-html.h"
#include "web/jme-request-private.h"

typedef struct
{
  JmeRequest *request;
  JmeAdmitted admitted;
  GObject *server;
} Login;

/* Handlers may ask who it was. */
static void
note_name (JmeRequest *request)
{
  g_autofree char *name = NULL;
  char *password = NULL;

  if (!jme_basic_auth_parse_header (jme_request_get_header (request, "Authorization"),
                                    &name, &password))
    return;
  jme_request_set_login_name (request, name);
  explicit_bzero (password, strlen (password));
  g_free (password);
}

/* A browser shows the page to whoever gives no password. */
static void
ask_for_password (JmeRequest *request)
{
  g_autoptr (GBytes) page = NULL;
  GString *out;

  jme_request_set_header (request, "WWW-Authenticate",
                          "Basic realm=\"jobmetrics\", charset=\"UTF-8\"");
  if (!jme_html_is_wanted (request))
    {
      jme_request_reply_text (request, SOUP_STATUS_UNAUTHORIZED, "401: unauthorized\n");
      return;
    }

  out = g_string_new (NULL);
  jme_html_begin_page (out, "Sign in");
  g_string_append (out,
                   "<h1>Sign in</h1>\n<p>401: this server knows its users by name "
                   "and password, and these were missing or wrong.</p>\n<p><a "
                   "href=\"\">Try again</a>. Ask the administrators of this site for a "
                   "password if you have none.</p>\n");
  jme_html_end_page (out);
  page = g_string_free_to_bytes (out);
  jme_html_reply (request, SOUP_STATUS_UNAUTHORIZED, page);
}

static void
follow_verdict (const Login *self, JmeVerdict verdict)
{
  switch (verdict)
    {
    case JME_VERDICT_GRANTED:
      note_name (self->request);
      jme_web_client_set_state (jme_request_get_client (self->request),
                                JME_WEB_CLIENT_WAITING);
      self->admitted (self->server, self->request);
      break;
    case JME_VERDICT_BUSY:
      jme_request_set_header (self->request, "Retry-After", "1");
      jme_request_reply_text (self->request, SOUP_STATUS_SERVICE_UNAVAILABLE,
                              "503: too many log-ins\n");
      break;
    case JME_VERDICT_REFUSED:
      ask_for_password (self->request);
      break;
    case JME_VERDICT_PENDING:
    default:
      break;
    }
}

static void
on_verdict (JmeVerdict verdict, gpointer user_data)
{
  Login *self = user_data;

  follow_verdict (self, verdict);
  g_object_unref (self->request);
  g_object_unref (self->server);
  g_free (self);
}

void
jme_login_check (JmeBasicAuth *auth,
                 GHashTable *users,
                 JmeRequest *request,
                 JmeAdmitted admitted,
                 GObject *server)
{
  Login *self = g_new (Login, 1);
  JmeWebClient *client = jme_request_get_client (request);
  g_autofree char *peer = jme_web_client_describe_peer (client);
  const JmeApplicant applicant = { jme_request_get_header (request, "Authorization"),
                                   peer, jme_request_get_cancellable (request) };
  JmeVerdict verdict;

  jme_web_client_set_state (client, JME_WEB_CLIENT_LOGGING_IN);
  self->request = g_object_ref (request);
  self->admitted = admitted;
  self->server = g_object_ref (server);
  verdict = jme_basic_auth_check (auth, users, &applicant, on_verdict, self);
  if (verdict != JME_VERDICT_PENDING)
    on_verdict (verdict, self);
}
