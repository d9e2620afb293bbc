/* jme-query-upstream.c: the time series database that is asked for others
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-query-upstream.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-secret-private.h"
#include "io/jm-http-private.h"

#define URL "server.prometheus"
#define LOGIN_FILE "server.prometheus-login-file"
#define CA_FILE "server.prometheus-ca-file"

#define FORM_TYPE "application/x-www-form-urlencoded"
#define MAX_BYTES (64 * 1024 * 1024)
#define TIMEOUT_MS (60 * 1000)

struct _JmeQueryUpstream
{
  char *url;      /* without a slash at its end */
  char *username; /* NULL where none is wanted */
  char *password;
  char *ca_file;
};

static const JmSetting rows[] = {
  { .name = URL,
    .group = "server",
    .kind = JM_SETTING_TEXT,
    .argument = "URL",
    .help = "Prometheus-compatible server that users may query for their own jobs",
    .preset_help = "none" },
  { .name = LOGIN_FILE,
    .group = "server",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "File with the lines username=NAME and password=TEXT for "
            "--server.prometheus" },
  { .name = CA_FILE,
    .group = "server",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "CA certificates that its certificate is verified against",
    .preset_help = "the system's" },
};

void
jme_query_upstream_add_settings (JmSettings *settings)
{
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

gboolean
jme_query_upstream_is_set (const JmSettings *settings)
{
  return jm_settings_get_text (settings, URL) != NULL;
}

void
jme_query_upstream_free (JmeQueryUpstream *self)
{
  if (self->password != NULL)
    explicit_bzero (self->password, strlen (self->password));
  g_free (self->password);
  g_free (self->username);
  g_free (self->ca_file);
  g_free (self->url);
  g_free (self);
}

static gboolean
read_url (JmeQueryUpstream *self, const JmSettings *settings, GError **error)
{
  const char *url = jm_settings_get_text (settings, URL);
  g_autoptr (GError) reason = NULL;
  gsize length;

  if (!jm_http_check_url (url, &reason))
    return jm_settings_refuse (settings, URL, NULL, reason->message, error);
  if (strpbrk (url, "?#") != NULL)
    return jm_settings_refuse (settings, URL, NULL, "paths are added to it: no ? or #",
                               error);
  length = strlen (url);
  while (length > 0 && url[length - 1] == '/')
    length--;
  self->url = g_strndup (url, length);

  return TRUE;
}

static gboolean
read_login (JmeQueryUpstream *self, const JmSettings *settings, GError **error)
{
  const char *path = jm_settings_get_text (settings, LOGIN_FILE);

  return path == NULL ||
         jm_secret_read_login (path, &self->username, &self->password, error);
}

JmeQueryUpstream *
jme_query_upstream_new (const JmSettings *settings, GError **error)
{
  g_autoptr (JmeQueryUpstream) self = g_new0 (JmeQueryUpstream, 1);

  self->ca_file = g_strdup (jm_settings_get_text (settings, CA_FILE));
  if (!read_url (self, settings, error) || !read_login (self, settings, error))
    return NULL;

  return g_steal_pointer (&self);
}

void
jme_query_reply_clear (JmeQueryReply *self)
{
  g_clear_pointer (&self->content_type, g_free);
  g_clear_pointer (&self->body, g_bytes_unref);
}

static gboolean
take_chunk (const char *text, gsize length, gpointer data)
{
  g_byte_array_append (data, (const guint8 *) text, (guint) length);

  return TRUE;
}

/* That it does not know us is nothing who asks could mend. */
static gboolean
check_status (JmeQueryUpstream *self, guint status, GError **error)
{
  if (status != 401 && status != 403 && status != 407)
    return TRUE;
  g_set_error (error, JM_ERROR, JM_ERROR_DENIED, "%s: %u: refuses this server",
               self->url, status);

  return FALSE;
}

static gboolean
ask (JmeQueryUpstream *self,
     const char *url,
     const char *posted,
     JmeQueryReply *reply,
     GCancellable *cancellable,
     GError **error)
{
  g_autoptr (GByteArray) body = g_byte_array_new ();
  g_auto (JmHttpAnswer) answer = { 0 };
  const JmHttpRequest request = {
    .url = url,
    .method = posted != NULL ? "POST" : "GET",
    .username = self->username,
    .password = self->password,
    .body = posted,
    .body_type = FORM_TYPE,
    .ca_file = self->ca_file,
    .timeout_ms = TIMEOUT_MS,
    .max_bytes = MAX_BYTES,
    .take = take_chunk,
    .take_data = body,
    .takes_refusals = TRUE,
  };

  if (!jm_http_ask (&request, &answer, cancellable, error) ||
      !check_status (self, answer.status, error))
    return FALSE;
  reply->status = answer.status;
  reply->content_type = g_strdup (g_hash_table_lookup (answer.headers, "content-type"));
  reply->body = g_byte_array_free_to_bytes (g_steal_pointer (&body));

  return TRUE;
}

gboolean
jme_query_upstream_ask (JmeQueryUpstream *self,
                        const char *path,
                        const char *form,
                        gboolean is_posted,
                        JmeQueryReply *reply,
                        GCancellable *cancellable,
                        GError **error)
{
  g_autofree char *url = is_posted || *form == '\0'
                           ? g_strconcat (self->url, path, NULL)
                           : g_strconcat (self->url, path, "?", form, NULL);

  return ask (self, url, is_posted ? form : NULL, reply, cancellable, error);
}
