/* jm-tsdb.c: asks a Prometheus-compatible server
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/tsdb/jm-tsdb-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-run-field-private.h"
#include "host/jm-secret-file-private.h"
#include "io/jm-http-private.h"

#define DEFAULT_TIMEOUT_MS 60000
/* Of an answer; a point is some thirty bytes of it. */
#define MAX_BYTES (64 * 1024 * 1024)
#define MAX_SERIES 100000
#define MAX_POINTS 2000000

/* Asks a time series database that has the query interface of Prometheus: Prometheus
 * itself, VictoriaMetrics, Mimir, Thanos. What it is asked and what is read of its
 * answer have bounds. It belongs to one thread at a time, which waits for the answers.
 */
struct _JmTsdb
{
  GObject parent_instance;
  char *base; /* without a slash at its end */
  char *username;
  char *password;
  char *ca_file;
  guint timeout_ms;
  JmTsdbLimits limits;
};

G_DEFINE_FINAL_TYPE (JmTsdb, jm_tsdb, G_TYPE_OBJECT)

static void
jm_tsdb_finalize (GObject *object)
{
  JmTsdb *self = JM_TSDB (object);

  g_free (self->base);
  g_free (self->username);
  g_free (self->password);
  g_free (self->ca_file);

  G_OBJECT_CLASS (jm_tsdb_parent_class)->finalize (object);
}

static void
jm_tsdb_class_init (JmTsdbClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_tsdb_finalize;
}

static void
jm_tsdb_init (JmTsdb *self)
{
  self->timeout_ms = DEFAULT_TIMEOUT_MS;
  self->limits = (JmTsdbLimits){ .series = MAX_SERIES, .points = MAX_POINTS };
}

JmTsdbLimits *
jm_tsdb_get_limits (JmTsdb *self)
{
  return &self->limits;
}

static gboolean
refuse_uri (const char *uri, const char *reason, GError **error)
{
  g_autofree char *shown = jm_http_get_shown_url (uri);

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s", shown, reason);

  return FALSE;
}

static gboolean
check_uri (const char *uri, GError **error)
{
  g_autoptr (GUri) parsed = g_uri_parse (uri, G_URI_FLAGS_NONE, NULL);
  const char *scheme = parsed != NULL ? g_uri_get_scheme (parsed) : "";

  if (parsed == NULL || g_uri_get_host (parsed) == NULL ||
      *g_uri_get_host (parsed) == '\0' ||
      (strcmp (scheme, "http") != 0 && strcmp (scheme, "https") != 0))
    return refuse_uri (uri, "not a URL of a web server, such as http://localhost:9090",
                       error);
  if (g_uri_get_userinfo (parsed) != NULL)
    return refuse_uri (uri, "a user and a password belong into a file, not a URL",
                       error);
  if (g_uri_get_query (parsed) != NULL || g_uri_get_fragment (parsed) != NULL)
    return refuse_uri (uri, "a URL with more behind its path", error);

  return TRUE;
}

/* Makes one that has asked nothing yet.
 *
 * - Errors: `INVALID` for what is no such URL.
 *
 * Returns who asks. */
JmTsdb *
jm_tsdb_new (const char *uri, GError **error)
{
  JmTsdb *self;
  gsize length;

  g_return_val_if_fail (uri != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_uri (uri, error))
    return NULL;
  self = g_object_new (JM_TYPE_TSDB, NULL);
  length = strlen (uri);
  while (length > 0 && uri[length - 1] == '/')
    length--;
  self->base = g_strndup (uri, length);

  return self;
}

/* Reads who to ask as. A password goes over https alone, or to this very machine.
 *
 * - Errors: `DENIED` where others may read the file, or we may not; `MALFORMED` where
 *   it has no such lines; `INVALID` where the password would go over a network in
 *   clear; else as the system says.
 *
 * Returns whether it is known. */
gboolean
jm_tsdb_set_login_file (JmTsdb *self, const char *path, GError **error)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);

  g_return_val_if_fail (JM_IS_TSDB (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  g_clear_pointer (&self->username, g_free);
  g_clear_pointer (&self->password, g_free);

  return path == NULL || (jm_http_check_url (self->base, error) &&
                          jm_secret_file_read_login (host, path, &self->username,
                                                     &self->password, error));
}

/* Sets whose word is believed of who the server is. */
void
jm_tsdb_set_ca_file (JmTsdb *self, const char *path)
{
  g_return_if_fail (JM_IS_TSDB (self));

  g_free (self->ca_file);
  self->ca_file = g_strdup (path);
}

/* Sets how long an answer may take, up to its last byte. */
void
jm_tsdb_set_timeout (JmTsdb *self, guint timeout_ms)
{
  g_return_if_fail (JM_IS_TSDB (self));

  self->timeout_ms = timeout_ms > 0 ? timeout_ms : DEFAULT_TIMEOUT_MS;
}

/* --- asking --- */

/* What was read, and whether it was given up because of what it says. */
typedef struct
{
  JmTsdbAnswer *answer;
  gboolean is_given_up;
} Reading;

static gboolean
on_chunk (const char *text, gsize length, gpointer data)
{
  Reading *reading = data;

  reading->is_given_up = !jm_tsdb_answer_feed (reading->answer, text, length);

  return !reading->is_given_up;
}

static GPtrArray *
ask (JmTsdb *self,
     const char *path,
     const char *form,
     GCancellable *cancellable,
     GError **error)
{
  static const char *const headers[] = { "Content-Type",
                                         "application/x-www-form-urlencoded", NULL };
  g_autofree char *url = g_strconcat (self->base, path, NULL);
  g_autofree char *shown = jm_http_get_shown_url (url);
  g_autoptr (JmTsdbAnswer) reader = jm_tsdb_answer_new (self->limits);
  g_autoptr (GError) reason = NULL;
  g_auto (JmHttpAnswer) answer = { 0 };
  Reading reading = { .answer = reader };
  JmHttpRequest request = { .url = url,
                            .method = "POST",
                            .headers = headers,
                            .body = form,
                            .username = self->username,
                            .password = self->password,
                            .ca_file = self->ca_file,
                            .timeout_ms = self->timeout_ms,
                            .max_bytes = MAX_BYTES,
                            .take = on_chunk,
                            .take_data = &reading };

  if (jm_http_ask (&request, &answer, cancellable, &reason) || reading.is_given_up)
    return jm_tsdb_answer_finish (reader, shown, error);
  g_propagate_error (error, g_steal_pointer (&reason));

  return NULL;
}

static void
append_pair (GString *form, const char *key, const char *value)
{
  g_autofree char *escaped = g_uri_escape_string (value, NULL, FALSE);

  g_string_append_printf (form, "%s%s=%s", form->len > 0 ? "&" : "", key, escaped);
}

static void
append_number (GString *form, const char *key, gint64 number)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, number);

  append_pair (form, key, text);
}

/* It need not go on when nobody waits for it any more. */
static void
append_timeout (JmTsdb *self, GString *form)
{
  g_autofree char *text = g_strdup_printf ("%ums", self->timeout_ms);

  append_pair (form, "timeout", text);
}

/* Asks for what an expression is at one moment, and waits for it.
 *
 * - Shape: a series with one point for each element of a vector, and for a scalar; a
 *   range of samples has all of them.
 * - Errors: `INVALID` for what the server does not understand or finds too much, and
 *   for an answer of more series or points than are read; `DENIED`; `UNAVAILABLE` where
 *   it does not answer in time, or says that a part of its data is missing; `MALFORMED`
 *   for half an answer, and for none of such a server.
 *
 * Returns the series. */
GPtrArray *
jm_tsdb_query (JmTsdb *self,
               const char *expression,
               gint64 time,
               GCancellable *cancellable,
               GError **error)
{
  g_autoptr (GString) form = g_string_new (NULL);

  g_return_val_if_fail (JM_IS_TSDB (self), NULL);
  g_return_val_if_fail (expression != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  append_pair (form, "query", expression);
  append_number (form, "time", time);
  append_timeout (self, form);

  return ask (self, "/api/v1/query", form->str, cancellable, error);
}

/* Asks for what an expression is from time to time, and waits for it.
 *
 * - Errors: as jm_tsdb_query().
 *
 * Returns the series. */
GPtrArray *
jm_tsdb_query_range (JmTsdb *self,
                     const char *expression,
                     gint64 start,
                     gint64 end,
                     guint step_seconds,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (GString) form = g_string_new (NULL);

  g_return_val_if_fail (JM_IS_TSDB (self), NULL);
  g_return_val_if_fail (expression != NULL, NULL);
  g_return_val_if_fail (start <= end && step_seconds > 0, NULL);
  g_return_val_if_fail ((end - start) / step_seconds < JM_TSDB_MAX_POINTS, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  append_pair (form, "query", expression);
  append_number (form, "start", start);
  append_number (form, "end", end);
  append_number (form, "step", step_seconds);
  append_timeout (self, form);

  return ask (self, "/api/v1/query_range", form->str, cancellable, error);
}

/* --- how runs are named --- */

void
jm_tsdb_append_matcher (GString *query, const char *label, const char *value)
{
  g_string_append_printf (query, "%s=\"", label);
  for (const char *at = value; *at != '\0'; at++)
    if (*at == '\\' || *at == '"')
      g_string_append_printf (query, "\\%c", *at);
    else if ((guchar) *at < 0x20)
      g_string_append_printf (query, "\\x%02x", (guint) *at);
    else
      g_string_append_c (query, *at);
  g_string_append_c (query, '"');
}

void
jm_tsdb_append_job (GString *query, JmRun *run)
{
  g_string_append_c (query, '{');
  jm_tsdb_append_matcher (query, "jobid", jm_run_get_raw_id (run));
  g_string_append_c (query, '}');
}

void
jm_tsdb_append_owner (GString *query, JmRun *run, const char *range)
{
  g_string_append (query, "last_over_time(jobmetrics_job_info{");
  jm_tsdb_append_matcher (query, "jobid", jm_run_get_raw_id (run));
  g_string_append_c (query, ',');
  jm_tsdb_append_matcher (query, "cluster", jm_run_get_cluster (run));
  g_string_append_printf (query, "}%s)", range);
}
