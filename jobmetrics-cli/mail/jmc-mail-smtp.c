/* jmc-mail-smtp.c: mails given to a server
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <curl/curl.h>
#include <string.h>

#include "base/jm-error.h"
#include "jm-portable.h"
#include "mail/jmc-mail-transport.h"

#define TRIES 3
#define PAUSE_US (G_USEC_PER_SEC)

/* Those that a server may have to think over; RFC 5321, 4.2.1. */
#define IS_PASSING(status) ((status) >= 400 && (status) < 500)

/* --- which server --- */

static gboolean
is_this_machine (const char *host)
{
  return g_str_equal (host, "localhost") || g_str_equal (host, "::1") ||
         g_str_has_prefix (host, "127.");
}

static gboolean
refuse (const JmcMailTransport *self, const char *reason, GError **error)
{
  g_autofree char *shown = g_uri_is_valid (self->smtp, G_URI_FLAGS_NONE, NULL) &&
                               strchr (self->smtp, '@') == NULL
                             ? g_strdup (self->smtp)
                             : g_strdup ("...");

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "--smtp=%s: %s", shown, reason);

  return FALSE;
}

gboolean
jmc_mail_smtp_check (const JmcMailTransport *self, GError **error)
{
  g_autoptr (GUri) uri = g_uri_parse (self->smtp, G_URI_FLAGS_HAS_PASSWORD, NULL);
  gboolean is_tls;

  if (uri == NULL || g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0' ||
      (!g_str_equal (g_uri_get_scheme (uri), "smtp") &&
       !g_str_equal (g_uri_get_scheme (uri), "smtps")))
    return refuse (self, "not smtp://HOST[:PORT] or smtps://HOST[:PORT]", error);
  if (g_uri_get_userinfo (uri) != NULL)
    return refuse (self, "a user and a password belong into --smtp-login-file", error);

  is_tls =
    g_str_equal (g_uri_get_scheme (uri), "smtps") || self->tls == JMC_MAIL_TLS_REQUIRED;
  if (self->password != NULL && !is_tls && !is_this_machine (g_uri_get_host (uri)))
    return refuse (self, "a password is not sent in the clear to another machine",
                   error);

  return TRUE;
}

/* --- one mail to one of them --- */

typedef struct
{
  GBytes *bytes;
  gsize n_sent;
} Upload;

static size_t
on_read (char *buffer, size_t size, size_t n, void *data)
{
  Upload *self = data;
  gsize length;
  const char *bytes = g_bytes_get_data (self->bytes, &length);
  const gsize chunk = MIN (size * n, length - self->n_sent);

  memcpy (buffer, bytes + self->n_sent, chunk);
  self->n_sent += chunk;

  return chunk;
}

void
jmc_mail_set_trust (gpointer curl, const char *ca_file)
{
  const char *file = ca_file != NULL ? ca_file : jm_portable_trust_file ();

  if (file != NULL)
    curl_easy_setopt (curl, CURLOPT_CAINFO, file);
}

static void
set_server (CURL *curl, const JmcMailTransport *self)
{
  curl_easy_setopt (curl, CURLOPT_URL, self->smtp);
  curl_easy_setopt (curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
  /* whatever the environment says */
  curl_easy_setopt (curl, CURLOPT_PROXY, "");
  curl_easy_setopt (curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt (curl, CURLOPT_UPLOAD, 1L);
  if (self->tls == JMC_MAIL_TLS_REQUIRED)
    curl_easy_setopt (curl, CURLOPT_USE_SSL, (long) CURLUSESSL_ALL);
  jmc_mail_set_trust (curl, self->ca_file);
  if (self->username != NULL)
    {
      curl_easy_setopt (curl, CURLOPT_USERNAME, self->username);
      curl_easy_setopt (curl, CURLOPT_PASSWORD, self->password);
    }
}

typedef struct
{
  CURL *curl;
  char message[CURL_ERROR_SIZE];
  const JmcMailTransport *transport;
  gint64 deadline_us;
} Session;

static CURLcode
try (Session *self, const char *recipient, GBytes *bytes, long *status)
{
  const gint64 left_ms = (self->deadline_us - g_get_monotonic_time ()) / 1000;
  struct curl_slist *recipients = curl_slist_append (NULL, recipient);
  Upload upload = { bytes, 0 };
  CURLcode code;

  self->message[0] = '\0';
  *status = 0;
  curl_easy_setopt (self->curl, CURLOPT_ERRORBUFFER, self->message);
  curl_easy_setopt (self->curl, CURLOPT_MAIL_FROM, self->transport->sender);
  curl_easy_setopt (self->curl, CURLOPT_MAIL_RCPT, recipients);
  curl_easy_setopt (self->curl, CURLOPT_READFUNCTION, on_read);
  curl_easy_setopt (self->curl, CURLOPT_READDATA, &upload);
  curl_easy_setopt (self->curl, CURLOPT_TIMEOUT_MS, (long) MAX (left_ms, 1));
  code = curl_easy_perform (self->curl);
  curl_easy_getinfo (self->curl, CURLINFO_RESPONSE_CODE, status);
  curl_easy_setopt (self->curl, CURLOPT_MAIL_RCPT, NULL);
  curl_slist_free_all (recipients);

  return code;
}

static void
set_error (Session *self, const char *recipient, CURLcode code, GError **error)
{
  const char *url = self->transport->smtp;
  const char *message =
    self->message[0] != '\0' ? self->message : curl_easy_strerror (code);

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: %s: %s", url, recipient,
               message);
}

/* What is refused for the moment is tried again, as long as there is time. */
static gboolean
send_to (Session *self, const char *recipient, GBytes *bytes, GError **error)
{
  CURLcode code = CURLE_OK;
  long status = 0;

  for (guint i = 0; i < TRIES; i++)
    {
      code = try (self, recipient, bytes, &status);
      if (code == CURLE_OK)
        return TRUE;
      if (!IS_PASSING (status) || i + 1 == TRIES ||
          g_get_monotonic_time () + PAUSE_US >= self->deadline_us)
        break;
      g_usleep (PAUSE_US);
    }

  set_error (self, recipient, code, error);

  return FALSE;
}

/* Each gets a mail of his own, so that one who cannot be reached keeps it from nobody.
 */
static gboolean
send_to_all (Session *self, GPtrArray *recipients, GBytes *bytes, GError **error)
{
  gboolean is_sent = TRUE;

  for (guint i = 0; i < recipients->len; i++)
    is_sent &= send_to (self, recipients->pdata[i], bytes, is_sent ? error : NULL);

  return is_sent;
}

gboolean
jmc_mail_smtp_send (const JmcMailTransport *self,
                    GPtrArray *recipients,
                    GBytes *bytes,
                    GError **error)
{
  Session session = { .transport = self,
                      .deadline_us =
                        g_get_monotonic_time () + (gint64) self->timeout_ms * 1000 };
  gboolean is_sent;

  if (curl_global_init (CURL_GLOBAL_DEFAULT) != CURLE_OK ||
      (session.curl = curl_easy_init ()) == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                   "%s: libcurl cannot be initialized", self->smtp);
      return FALSE;
    }

  set_server (session.curl, self);
  is_sent = send_to_all (&session, recipients, bytes, error);
  curl_easy_cleanup (session.curl);
  curl_global_cleanup ();

  return is_sent;
}
