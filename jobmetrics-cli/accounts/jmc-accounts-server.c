/* jmc-accounts-server.c: a site's runs from the server that keeps them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-accounts-source.h"

#include <string.h>

#include "core/jm-error.h"
#include "core/jm-json-private.h"
#include "core/jm-record-json-private.h"
#include "core/jm-run-document-private.h"
#include "host/jm-secret-file-private.h"
#include "io/jm-http-private.h"

#define UNIX "unix:"
#define LOCAL "http://localhost"
/* A thousand runs have one or two; sums of many users over many days more. */
#define MAX_ANSWER_BYTES (64 * 1024 * 1024)

typedef struct
{
  JmcAccountsSource parent;
  char *base; /* without a / at its end */
  char *socket;
  char *username;
  char *password;
  char *ca_file;
} Server;

/* --- asking --- */

/* What is to be done about it. */
static const char *
advise (Server *self, guint status)
{
  if (status == 0)
    return " (is jobmetrics-exporter server running there?)";
  if (status == 401 && self->username == NULL)
    return " (--login-file=FILE says who you are)";

  return "";
}

static JsonNode *
ask_by (Server *self,
        const char *method,
        const char *path,
        const char *parameters,
        GError **error)
{
  g_autofree char *url =
    g_strconcat (self->base, path, *parameters != '\0' ? "?" : "", parameters, NULL);
  const JmHttpRequest request = { .url = url,
                                  .method = method,
                                  .socket = self->socket,
                                  .username = self->username,
                                  .password = self->password,
                                  .ca_file = self->ca_file,
                                  .max_bytes = MAX_ANSWER_BYTES };
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) reason = NULL;

  if (jm_http_ask (&request, &answer, NULL, &reason))
    return g_steal_pointer (&answer.json);

  g_set_error (error, reason->domain, reason->code, "%s%s", reason->message,
               advise (self, answer.status));

  return NULL;
}

static JsonNode *
ask (Server *self, const char *path, const char *parameters, GError **error)
{
  return ask_by (self, "GET", path, parameters, error);
}

/* --- answers --- */

static JsonNode *
get_list (Server *self, JsonNode *json, const char *name, GError **error)
{
  JsonNode *list = jm_json_get (json, name);

  if (list != NULL && JSON_NODE_HOLDS_ARRAY (list))
    return list;

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: the answer has no %s",
               self->parent.name, name);

  return NULL;
}

static GPtrArray *
take_runs (Server *self, JsonNode *json, char **next, GError **error)
{
  g_autoptr (GPtrArray) runs =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_unref);
  JsonNode *list = get_list (self, json, "jobs", error);

  if (list == NULL)
    return NULL;
  for (guint i = 0; i < jm_json_get_length (list); i++)
    {
      JmRun *run =
        jm_run_document_read (jm_json_get_element (list, i), self->parent.name, error);

      if (run == NULL)
        return NULL;
      g_ptr_array_add (runs, run);
    }
  *next = g_strdup (jm_json_get_string (json, "next"));

  return g_steal_pointer (&runs);
}

static GPtrArray *
take_usage (Server *self, JsonNode *json, JmUsageGroups groups, GError **error)
{
  g_autoptr (GPtrArray) usages =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_usage_unref);
  JsonNode *list = get_list (self, json, "usage", error);

  if (list == NULL)
    return NULL;
  for (guint i = 0; i < jm_json_get_length (list); i++)
    {
      JmUsage *usage = jm_run_document_read_usage (jm_json_get_element (list, i),
                                                   groups, self->parent.name, error);

      if (usage == NULL)
        return NULL;
      g_ptr_array_add (usages, usage);
    }

  return g_steal_pointer (&usages);
}

static GPtrArray *
take_parts (Server *self, JsonNode *json, JmRunPartKind kind, GError **error)
{
  g_autoptr (GPtrArray) parts =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_part_unref);
  JsonNode *list = get_list (self, json, jmc_run_details_get_name (kind), error);

  if (list == NULL)
    return NULL;
  for (guint i = 0; i < jm_json_get_length (list); i++)
    {
      JmRunPart *part = jm_run_document_read_part (jm_json_get_element (list, i), kind,
                                                   self->parent.name, error);

      if (part == NULL)
        return NULL;
      g_ptr_array_add (parts, part);
    }

  return g_steal_pointer (&parts);
}

static JmcRunDetails *
take_details (Server *self, JsonNode *json, GError **error)
{
  g_autoptr (JmRun) run =
    jm_run_document_read (jm_json_get (json, "job"), self->parent.name, error);
  g_autoptr (JmcRunDetails) details = NULL;

  if (run == NULL)
    return NULL;

  details = jmc_run_details_new (run);
  for (guint i = 0; i < JMC_N_DETAIL_KINDS; i++)
    {
      details->parts[i] = take_parts (self, json, i, error);
      if (details->parts[i] == NULL)
        return NULL;
    }

  return g_steal_pointer (&details);
}

/* --- the source --- */

static GPtrArray *
server_list_runs (gpointer data,
                  const JmcAccountsQuery *query,
                  guint limit,
                  const char *cursor,
                  char **next,
                  GError **error)
{
  g_autofree char *parameters =
    jmc_accounts_query_make_run_parameters (query, limit, cursor);
  g_autoptr (JsonNode) json = ask (data, "/api/v1/jobs", parameters, error);

  return json != NULL ? take_runs (data, json, next, error) : NULL;
}

static GPtrArray *
server_list_usage (gpointer data,
                   const JmcAccountsQuery *query,
                   JmUsageGroups groups,
                   GError **error)
{
  g_autofree char *parameters =
    jmc_accounts_query_make_usage_parameters (query, groups);
  g_autoptr (JsonNode) json = ask (data, "/api/v1/usage", parameters, error);

  return json != NULL ? take_usage (data, json, groups, error) : NULL;
}

static char *
make_job_path (const char *uuid, const char *view)
{
  g_autofree char *escaped = g_uri_escape_string (uuid, NULL, FALSE);

  return g_strconcat ("/api/v1/jobs/", escaped, view, NULL);
}

static JmcRunDetails *
server_find_run (gpointer data, const char *uuid, GError **error)
{
  g_autofree char *path = make_job_path (uuid, "");
  g_autoptr (JsonNode) json = ask (data, path, "", error);

  return json != NULL ? take_details (data, json, error) : NULL;
}

typedef gpointer (*Reader) (JsonNode *element, const char *about, GError **error);

static GPtrArray *
take_list (Server *self,
           JsonNode *json,
           const char *name,
           Reader read,
           GPtrArray *taken,
           GError **error)
{
  JsonNode *list = get_list (self, json, name, error);

  for (guint i = 0; list != NULL && i < jm_json_get_length (list); i++)
    {
      gpointer element = read (jm_json_get_element (list, i), self->parent.name, error);

      if (element == NULL)
        return NULL;
      g_ptr_array_add (taken, element);
    }

  return list != NULL ? g_ptr_array_ref (taken) : NULL;
}

/* None where the server, which may be older, knows of none. */
static GPtrArray *
ask_for_list (Server *self,
              const char *uuid,
              const char *name,
              Reader read,
              GDestroyNotify free_element,
              GError **error)
{
  g_autofree char *view = g_strconcat ("/", name, NULL);
  g_autofree char *path = make_job_path (uuid, view);
  g_autoptr (GPtrArray) taken = g_ptr_array_new_with_free_func (free_element);
  g_autoptr (GError) reason = NULL;
  g_autoptr (JsonNode) json = ask (self, path, "", &reason);

  if (json != NULL)
    return take_list (self, json, name, read, taken, error);
  if (g_error_matches (reason, JM_ERROR, JM_ERROR_ABSENT))
    return g_steal_pointer (&taken);
  g_propagate_error (error, g_steal_pointer (&reason));

  return NULL;
}

static gpointer
read_record (JsonNode *element, const char *about, GError **error)
{
  return jm_record_json_read (element, about, error);
}

static GPtrArray *
server_list_records (gpointer data, const char *uuid, JmRun *run, GError **error)
{
  return ask_for_list (data, uuid, "records", read_record,
                       (GDestroyNotify) jm_job_record_unref, error);
}

static gpointer
read_series (JsonNode *element, const char *about, GError **error)
{
  return jm_run_document_read_series (element, about, error);
}

static GPtrArray *
server_list_series (gpointer data, const char *uuid, GError **error)
{
  return ask_for_list (data, uuid, "series", read_series,
                       (GDestroyNotify) jm_tsdb_series_unref, error);
}

static void
server_free (gpointer data)
{
  Server *self = data;

  g_free (self->base);
  g_free (self->socket);
  g_free (self->username);
  g_free (self->password);
  g_free (self->ca_file);
  g_free (self);
}

static gboolean
server_refresh (gpointer data, GError **error)
{
  g_autoptr (JsonNode) json = ask_by (data, "POST", "/api/v1/refresh", "", error);

  return json != NULL;
}

static const JmcAccountsSourceClass server_class = {
  .list_runs = server_list_runs,
  .list_usage = server_list_usage,
  .find_run = server_find_run,
  .list_records = server_list_records,
  .list_series = server_list_series,
  .refresh = server_refresh,
  .free = server_free,
};

static void
set_place (Server *self, const char *url)
{
  if (g_str_has_prefix (url, UNIX))
    {
      self->socket = g_strdup (url + strlen (UNIX));
      self->base = g_strdup (LOCAL);
      self->parent.name = g_strdup (self->socket);
      return;
    }

  self->base = g_strdup (url);
  for (gsize n = strlen (url); n > 0 && self->base[n - 1] == '/'; n--)
    self->base[n - 1] = '\0';
  self->parent.name = jm_http_get_shown_url (url);
  self->parent.url = g_strdup (self->base);
}

static gboolean
read_login (Server *self, const char *path, GError **error)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);

  return path == NULL || jm_secret_file_read_login (host, path, &self->username,
                                                    &self->password, error);
}

JmcAccountsSource *
jmc_accounts_server_open (const char *url,
                          const char *login_file,
                          const char *ca_file,
                          GError **error)
{
  Server *self;

  if (!g_str_has_prefix (url, UNIX) && !jm_http_check_url (url, error))
    return NULL;

  self = g_new0 (Server, 1);
  self->parent.class = &server_class;
  set_place (self, url);
  self->ca_file = g_strdup (ca_file);
  if (!read_login (self, login_file, error))
    {
      jmc_accounts_source_free (&self->parent);
      return NULL;
    }
  self->parent.user =
    g_strdup (self->username != NULL ? self->username : g_get_user_name ());

  return &self->parent;
}
