/* jm-remote-archive.c: an archive that a server has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-archive-private.h"

#include <string.h>

#include "archive/jm-run-filter-private.h"
#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "core/jm-record-json-private.h"
#include "core/jm-run-document-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-tsdb-series.h"
#include "host/jm-secret-file-private.h"
#include "io/jm-http-private.h"
#include "judge/jm-run-suggestion-private.h"

#define UNIX "unix:"
#define LOCAL "http://localhost"
/* A thousand runs have one or two; sums of many users over many days more. */
#define MAX_ANSWER_BYTES (64 * 1024 * 1024)

#define JM_TYPE_REMOTE_ARCHIVE (jm_remote_archive_get_type ())
G_DECLARE_FINAL_TYPE (JmRemoteArchive, jm_remote_archive, JM, REMOTE_ARCHIVE, GObject)

struct _JmRemoteArchive
{
  GObject parent_instance;
  char *name;
  char *base; /* without a / at its end */
  char *socket;
  char *username;
  char *password;
  char *ca_file;
};

static void archive_iface_init (JmArchiveInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmRemoteArchive,
                               jm_remote_archive,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_ARCHIVE,
                                                      archive_iface_init))

/* --- asking --- */

/* What is to be done about it. */
static const char *
advise (JmRemoteArchive *self, guint status)
{
  if (status == 0)
    return " (is jobmetrics-exporter server running there?)";
  if (status == 401 && self->username == NULL)
    return " (--login-file=FILE says who you are)";

  return "";
}

static JmHttpRequest
make_request (JmRemoteArchive *self, const char *method, const char *url)
{
  return (JmHttpRequest){ .url = url,
                          .method = method,
                          .socket = self->socket,
                          .username = self->username,
                          .password = self->password,
                          .ca_file = self->ca_file,
                          .max_bytes = MAX_ANSWER_BYTES };
}

static gboolean
send_request (JmRemoteArchive *self,
              const JmHttpRequest *request,
              JmHttpAnswer *answer,
              GCancellable *cancellable,
              GError **error)
{
  g_autoptr (GError) reason = NULL;
  gboolean is_answered = jm_http_ask (request, answer, cancellable, &reason);

  if (!is_answered)
    g_set_error (error, reason->domain, reason->code, "%s%s", reason->message,
                 advise (self, answer->status));

  return is_answered;
}

static JsonNode *
ask_by (JmRemoteArchive *self,
        const char *method,
        const char *path,
        const char *parameters,
        GCancellable *cancellable,
        GError **error)
{
  g_autofree char *url =
    g_strconcat (self->base, path, *parameters != '\0' ? "?" : "", parameters, NULL);
  const JmHttpRequest request = make_request (self, method, url);
  g_auto (JmHttpAnswer) answer = { 0 };

  return send_request (self, &request, &answer, cancellable, error)
           ? g_steal_pointer (&answer.json)
           : NULL;
}

static JsonNode *
ask (JmRemoteArchive *self,
     const char *path,
     const char *parameters,
     GCancellable *cancellable,
     GError **error)
{
  return ask_by (self, "GET", path, parameters, cancellable, error);
}

/* --- answers --- */

typedef gpointer (*Reader) (JsonNode *element, const char *about, GError **error);

/* Adds the elements of a member, each of which @read makes; NULL where one is none. */
static GPtrArray *
take_list (JmRemoteArchive *self,
           JsonNode *json,
           const char *name,
           Reader read,
           GDestroyNotify free_element,
           GError **error)
{
  g_autoptr (GPtrArray) taken = g_ptr_array_new_with_free_func (free_element);
  JsonNode *list = jm_json_get (json, name);

  if (list == NULL || !JSON_NODE_HOLDS_ARRAY (list))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: the answer has no %s",
                   self->name, name);
      return NULL;
    }
  for (guint i = 0; i < jm_json_get_length (list); i++)
    {
      gpointer element = read (jm_json_get_element (list, i), self->name, error);

      if (element == NULL)
        return NULL;
      g_ptr_array_add (taken, element);
    }

  return g_steal_pointer (&taken);
}

static gpointer
read_run (JsonNode *element, const char *about, GError **error)
{
  return jm_run_document_read (element, about, error);
}

static gpointer
read_run_with_energy (JsonNode *element, const char *about, GError **error)
{
  return jm_run_document_read_with_energy (element, about, error);
}

static gpointer
read_record (JsonNode *element, const char *about, GError **error)
{
  return jm_record_json_read (element, about, error);
}

static gpointer
read_series (JsonNode *element, const char *about, GError **error)
{
  return jm_run_document_read_series (element, about, error);
}

static GPtrArray *
take_usage (JmRemoteArchive *self, JsonNode *json, JmUsageGroups groups, GError **error)
{
  g_autoptr (GPtrArray) usages =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_usage_unref);
  JsonNode *list = jm_json_get (json, "usage");

  if (list == NULL || !JSON_NODE_HOLDS_ARRAY (list))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: the answer has no usage",
                   self->name);
      return NULL;
    }
  for (guint i = 0; i < jm_json_get_length (list); i++)
    {
      JmUsage *usage = jm_run_document_read_usage (jm_json_get_element (list, i),
                                                   groups, self->name, error);

      if (usage == NULL)
        return NULL;
      g_ptr_array_add (usages, usage);
    }

  return g_steal_pointer (&usages);
}

/* --- the archive --- */

static const char *
jm_remote_archive_get_name (JmArchive *archive)
{
  return JM_REMOTE_ARCHIVE (archive)->name;
}

static const char *
jm_remote_archive_get_user (JmArchive *archive)
{
  const char *username = JM_REMOTE_ARCHIVE (archive)->username;

  return username != NULL ? username : g_get_user_name ();
}

/* Browsers do not know a local socket. */
static const char *
jm_remote_archive_get_url (JmArchive *archive)
{
  JmRemoteArchive *self = JM_REMOTE_ARCHIVE (archive);

  return self->socket == NULL ? self->base : NULL;
}

static GPtrArray *
jm_remote_archive_list_runs (JmArchive *archive,
                             JmRunFilter *filter,
                             guint limit,
                             const char *cursor,
                             char **next,
                             GCancellable *cancellable,
                             GError **error)
{
  JmRemoteArchive *self = JM_REMOTE_ARCHIVE (archive);
  g_autofree char *parameters = jm_run_filter_make_parameters (filter, limit, cursor);
  g_autoptr (JsonNode) json =
    ask (self, "/api/v1/jobs", parameters, cancellable, error);
  GPtrArray *runs;

  if (json == NULL)
    return NULL;
  runs =
    take_list (self, json, "jobs",
               jm_run_filter_get_has_energy (filter) ? read_run_with_energy : read_run,
               (GDestroyNotify) jm_run_unref, error);
  if (runs != NULL)
    *next = g_strdup (jm_json_get_string (json, "next"));

  return runs;
}

static GPtrArray *
jm_remote_archive_list_usage (JmArchive *archive,
                              JmRunFilter *filter,
                              JmUsageGroups groups,
                              GCancellable *cancellable,
                              GError **error)
{
  JmRemoteArchive *self = JM_REMOTE_ARCHIVE (archive);
  g_autofree char *parameters = jm_run_filter_make_usage_parameters (filter, groups);
  g_autoptr (JsonNode) json =
    ask (self, "/api/v1/usage", parameters, cancellable, error);

  return json != NULL ? take_usage (self, json, groups, error) : NULL;
}

static GVariant *
jm_remote_archive_list_statistics (JmArchive *archive,
                                   JmRunFilter *filter,
                                   JmUsageGroups groups,
                                   GCancellable *cancellable,
                                   GError **error)
{
  JmRemoteArchive *self = JM_REMOTE_ARCHIVE (archive);
  g_autofree char *parameters =
    jm_run_filter_make_statistics_parameters (filter, groups);
  g_autoptr (JsonNode) json =
    ask (self, "/api/v1/statistics", parameters, cancellable, error);

  return json != NULL ? jm_run_statistics_read (json, groups, self->name, error) : NULL;
}

static char *
make_path (const char *uuid, const char *view)
{
  g_autofree char *escaped = g_uri_escape_string (uuid, NULL, FALSE);

  return g_strconcat ("/api/v1/jobs/", escaped, view, NULL);
}

static JmRun *
jm_remote_archive_find_run (JmArchive *archive,
                            const char *uuid,
                            GCancellable *cancellable,
                            GError **error)
{
  JmRemoteArchive *self = JM_REMOTE_ARCHIVE (archive);
  g_autofree char *path = make_path (uuid, "");
  g_autoptr (JsonNode) json = ask (self, path, "", cancellable, error);

  return json != NULL ? jm_run_document_read_whole (json, self->name, error) : NULL;
}

/* None where the server, which may be older, knows of none. */
static GPtrArray *
list_of_run (JmRemoteArchive *self,
             JmRun *run,
             const char *name,
             Reader read,
             GDestroyNotify free_element,
             GCancellable *cancellable,
             GError **error)
{
  const char *uuid = jm_run_peek_text (run, JM_RUN_FIELD_UUID);
  g_autofree char *view = g_strconcat ("/", name, NULL);
  g_autofree char *path = make_path (uuid != NULL ? uuid : "", view);
  g_autoptr (GError) reason = NULL;
  g_autoptr (JsonNode) json = ask (self, path, "", cancellable, &reason);

  if (json != NULL)
    return take_list (self, json, name, read, free_element, error);
  if (g_error_matches (reason, JM_ERROR, JM_ERROR_ABSENT))
    return g_ptr_array_new_with_free_func (free_element);
  g_propagate_error (error, g_steal_pointer (&reason));

  return NULL;
}

static GPtrArray *
jm_remote_archive_list_records (JmArchive *archive,
                                JmRun *run,
                                GCancellable *cancellable,
                                GError **error)
{
  return list_of_run (JM_REMOTE_ARCHIVE (archive), run, "records", read_record,
                      (GDestroyNotify) jm_job_record_unref, cancellable, error);
}

static GPtrArray *
jm_remote_archive_list_series (JmArchive *archive,
                               JmRun *run,
                               GCancellable *cancellable,
                               GError **error)
{
  return list_of_run (JM_REMOTE_ARCHIVE (archive), run, "series", read_series,
                      (GDestroyNotify) jm_tsdb_series_unref, cancellable, error);
}

static gboolean
jm_remote_archive_refresh (JmArchive *archive,
                           GCancellable *cancellable,
                           GError **error)
{
  g_autoptr (JsonNode) json = ask_by (JM_REMOTE_ARCHIVE (archive), "POST",
                                      "/api/v1/refresh", "", cancellable, error);

  return json != NULL;
}

static gboolean
jm_remote_archive_keep_run (JmArchive *archive,
                            const char *uuid,
                            guint seconds,
                            GCancellable *cancellable,
                            GError **error)
{
  g_autofree char *escaped = g_uri_escape_string (uuid, NULL, FALSE);
  g_autofree char *path = g_strconcat ("/api/v1/keep/", escaped, NULL);
  g_autofree char *parameters = g_strdup_printf ("seconds=%u", seconds);
  g_autoptr (JsonNode) json =
    ask_by (JM_REMOTE_ARCHIVE (archive), "POST", path, parameters, cancellable, error);

  return json != NULL;
}

static gboolean
is_header (const char *name)
{
  return g_str_has_prefix (name, "X-");
}

static GStrv
list_headers (const char *const *parameters)
{
  g_autoptr (GStrvBuilder) headers = g_strv_builder_new ();

  for (; *parameters != NULL; parameters += 2)
    if (is_header (parameters[0]))
      g_strv_builder_add_many (headers, parameters[0], parameters[1], NULL);

  return g_strv_builder_end (headers);
}

/* As the query of a URL. */
static char *
join_parameters (const char *const *parameters)
{
  GString *text = g_string_new (NULL);

  for (; *parameters != NULL; parameters += 2)
    {
      if (is_header (parameters[0]))
        continue;
      g_string_append_c (text, text->len > 0 ? '&' : '?');
      g_string_append_uri_escaped (text, parameters[0], NULL, FALSE);
      g_string_append_c (text, '=');
      g_string_append_uri_escaped (text, parameters[1], NULL, FALSE);
    }

  return g_string_free (text, FALSE);
}

static JmRunSuggestion *
jm_remote_archive_suggest (JmArchive *archive,
                           const char *user,
                           const char *cluster,
                           const char *name,
                           double confidence,
                           GCancellable *cancellable,
                           GError **error)
{
  JmRemoteArchive *self = JM_REMOTE_ARCHIVE (archive);
  char share[G_ASCII_DTOSTR_BUF_SIZE];
  const char *const parameters[] = { "user",
                                     user,
                                     "name",
                                     name,
                                     "confidence",
                                     g_ascii_dtostr (share, sizeof share, confidence),
                                     cluster != NULL ? "cluster" : NULL,
                                     cluster,
                                     NULL };
  g_autofree char *query = join_parameters (parameters);
  g_autofree char *path = g_strconcat ("/api/v1/suggestion", query, NULL);
  g_autoptr (JsonNode) json = ask (self, path, "", cancellable, error);

  return json != NULL ? jm_run_suggestion_read_json (json, self->name, error) : NULL;
}

/* The server has the dialects, and its answer is not read here. */
static GBytes *
jm_remote_archive_ask (JmArchive *archive,
                       const char *path,
                       const char *const *parameters,
                       GBytes *body,
                       GCancellable *cancellable,
                       GError **error)
{
  JmRemoteArchive *self = JM_REMOTE_ARCHIVE (archive);
  g_auto (GStrv) headers = list_headers (parameters);
  g_autofree char *query = join_parameters (parameters);
  g_autofree char *url = g_strconcat (self->base, path, query, NULL);
  g_autofree char *sent =
    body != NULL ? g_strndup (g_bytes_get_data (body, NULL), g_bytes_get_size (body))
                 : NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (JmHttpAnswer) answer = { 0 };
  JmHttpRequest request = make_request (self, body != NULL ? "POST" : "GET", url);

  request.headers = (const char *const *) headers;
  request.body = sent;
  request.take = jm_http_take_text;
  request.take_data = text;

  return send_request (self, &request, &answer, cancellable, error)
           ? g_string_free_to_bytes (g_steal_pointer (&text))
           : NULL;
}

static void
archive_iface_init (JmArchiveInterface *iface)
{
  iface->get_name = jm_remote_archive_get_name;
  iface->get_user = jm_remote_archive_get_user;
  iface->get_url = jm_remote_archive_get_url;
  iface->list_runs = jm_remote_archive_list_runs;
  iface->list_usage = jm_remote_archive_list_usage;
  iface->list_statistics = jm_remote_archive_list_statistics;
  iface->find_run = jm_remote_archive_find_run;
  iface->list_records = jm_remote_archive_list_records;
  iface->list_series = jm_remote_archive_list_series;
  iface->refresh = jm_remote_archive_refresh;
  iface->ask = jm_remote_archive_ask;
  iface->keep_run = jm_remote_archive_keep_run;
  iface->suggest = jm_remote_archive_suggest;
}

static void
jm_remote_archive_finalize (GObject *object)
{
  JmRemoteArchive *self = JM_REMOTE_ARCHIVE (object);

  g_free (self->name);
  g_free (self->base);
  g_free (self->socket);
  g_free (self->username);
  g_free (self->password);
  g_free (self->ca_file);

  G_OBJECT_CLASS (jm_remote_archive_parent_class)->finalize (object);
}

static void
jm_remote_archive_class_init (JmRemoteArchiveClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_remote_archive_finalize;
}

static void
jm_remote_archive_init (JmRemoteArchive *self)
{
}

/* --- opening --- */

static void
set_place (JmRemoteArchive *self, const char *url)
{
  if (g_str_has_prefix (url, UNIX))
    {
      self->socket = g_strdup (url + strlen (UNIX));
      self->base = g_strdup (LOCAL);
      self->name = g_strdup (self->socket);
      return;
    }

  self->base = g_strdup (url);
  for (gsize n = strlen (url); n > 0 && self->base[n - 1] == '/'; n--)
    self->base[n - 1] = '\0';
  self->name = jm_http_get_shown_url (url);
}

gboolean
jm_archive_is_server (const char *place)
{
  return g_str_has_prefix (place, UNIX) || g_str_has_prefix (place, "http://") ||
         g_str_has_prefix (place, "https://");
}

JmArchive *
jm_archive_open_server (const char *url,
                        const char *login_file,
                        const char *ca_file,
                        GError **error)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (JmRemoteArchive) self = NULL;

  if (!g_str_has_prefix (url, UNIX) && !jm_http_check_url (url, error))
    return NULL;

  self = g_object_new (JM_TYPE_REMOTE_ARCHIVE, NULL);
  set_place (self, url);
  self->ca_file = g_strdup (ca_file);
  if (login_file != NULL &&
      !jm_secret_file_read_login (host, login_file, &self->username, &self->password,
                                  error))
    return NULL;

  return JM_ARCHIVE (g_steal_pointer (&self));
}
