/* jm-http-private.h: asks a server, within bounds
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Some of a body, wherever it was cut. FALSE: no more of it is wanted. */
typedef gboolean (*JmHttpChunkFunc) (const char *text, gsize length, gpointer data);

/* One of these that keeps the text: its data is a GString. */
gboolean jm_http_take_text (const char *text, gsize length, gpointer string);

/* One question, for a thread that may wait. What is NULL or 0 is left out or has its
 * default; all texts stay the caller's. */
typedef struct
{
  const char *url;
  const char *socket; /* path of one of this machine, whatever host the URL names */
  const char *method; /* GET by default */
  const char *const *headers; /* name, value, name, value, NULL */
  const char *username;       /* basic authentication, together with the password */
  const char *password;
  const char *body;
  const char *body_type; /* JSON by default */
  const char *ca_file;   /* the system's authorities by default */
  guint timeout_ms; /* for everything, up to the answer's last byte; 30 s by default */
  gsize max_bytes;  /* of the answer, unpacked; 1 MiB by default */
  JmHttpChunkFunc
    take; /* is handed the body of a good answer, which need not be JSON */
  gpointer take_data;
  gboolean takes_refusals;   /* an answer of any status but a redirect is a good one */
  const char *accept;        /* what kind of answer; JSON by default */
  gboolean is_insecure;      /* any certificate will do */
  gboolean is_answer_secret; /* no error may quote it, for it holds a token */
} JmHttpRequest;

typedef struct
{
  guint status;        /* 0 while there was no answer */
  guint retry_after_s; /* how long the server asks to wait; 0 if it does not */
  JsonNode *json;      /* NULL if there was no body, or it was taken as it came */
  GHashTable
    *headers; /* of names in lower case to values; a second one is passed over */
} JmHttpAnswer;

/* Asks, and waits for the answer. Redirects are followed within the same scheme, host
 * and port only, and only where a question may be asked twice.
 *
 * @answer, which must be zeroed, is filled as far as there is one, also when FALSE is
 * returned: status and header fields then explain more than the error. Errors, which
 * name the URL without user, password and query, or the socket:
 *
 * - DENIED: 401, 403, 407;
 * - ABSENT: 404, 410;
 * - INVALID: the URL itself, or what the server calls a wrong question (400, 422, ...);
 * - UNAVAILABLE: no connection, no trust in its certificate, out of time, 408, 425,
 *   429, 5xx, a redirect elsewhere;
 * - TOO_LARGE: more than @max_bytes;
 * - MALFORMED: not JSON, or more than @take wanted;
 * - G_IO_ERROR_CANCELLED if the caller gave it up. */
gboolean jm_http_ask (const JmHttpRequest *request,
                      JmHttpAnswer *answer,
                      GCancellable *cancellable,
                      GError **error);

void jm_http_answer_clear (JmHttpAnswer *answer);

/* A setting that is a URL: https, or http to this very machine; with no user or
 * password in it, which are no business of a command line. INVALID else. */
gboolean jm_http_check_url (const char *url, GError **error);

/* A URL as messages name it. */
char *jm_http_get_shown_url (const char *url);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmHttpAnswer, jm_http_answer_clear)

G_END_DECLS
