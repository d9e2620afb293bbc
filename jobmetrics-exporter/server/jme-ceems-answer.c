/* jme-ceems-answer.c: an answer in the form of CEEMS, and of what came before it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-ceems-answer.h"

#include <string.h>

#include "core/jm-error.h"

/* Until the end of the year 9999. */
#define MAX_TIME G_GINT64_CONSTANT (253402300799)
#define MAX_ZONE_BYTES 64

#define DAY_SECONDS 86400

/* --- what is asked for --- */

static gboolean
refuse_value (const char *name, const char *value, const char *why, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s=%s: %s", name, value, why);

  return FALSE;
}

/* --- lists --- */

static void
add_values (JmeRequest *request, const char *name, GStrvBuilder *builder)
{
  g_auto (GStrv) values = jme_request_get_values (request, name);

  for (guint i = 0; values[i] != NULL; i++)
    if (*g_strstrip (values[i]) != '\0')
      g_strv_builder_add (builder, values[i]);
}

/* What the era of the batch job stats server called it counts as well. */
static GStrv
take_list (JmeRequest *request, const char *const *names)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  for (; *names != NULL; names++)
    add_values (request, *names, builder);
  list = g_strv_builder_end (builder);

  return list[0] != NULL ? g_steal_pointer (&list) : NULL;
}

static const struct
{
  gsize offset;
  const char *names[6];
} lists[] = {
  { G_STRUCT_OFFSET (JmeCeemsQuery, clusters), { "cluster_id" } },
  { G_STRUCT_OFFSET (JmeCeemsQuery, uuids),
    { "uuid", "jobuuid", "jobid", "var-jobuuid", "var-jobid" } },
  { G_STRUCT_OFFSET (JmeCeemsQuery, projects),
    { "project", "account", "var-account" } },
  { G_STRUCT_OFFSET (JmeCeemsQuery, users), { "user" } },
  { G_STRUCT_OFFSET (JmeCeemsQuery, fields), { "field" } },
};

/* --- times --- */

/* The first that is not empty; NULL without. */
static char *
take_value (JmeRequest *request, const char *name)
{
  g_auto (GStrv) values = jme_request_get_values (request, name);

  return values[0] != NULL && *values[0] != '\0' ? g_strdup (values[0]) : NULL;
}

/* Seconds since 1970, or a date and time by the server's clock, as the era of the batch
 * job stats server had it. */
static gboolean
read_time (const char *name, const char *value, gint64 *seconds, GError **error)
{
  g_autoptr (GTimeZone) here = g_time_zone_new_local ();
  g_autoptr (GDateTime) date = NULL;

  if (g_ascii_string_to_signed (value, 10, G_MININT64, G_MAXINT64, seconds, NULL))
    {
      *seconds = CLAMP (*seconds, 0, MAX_TIME);
      return TRUE;
    }
  date = g_date_time_new_from_iso8601 (value, here);
  if (date == NULL)
    return refuse_value (name, value, "not seconds since 1970", error);
  *seconds = CLAMP (g_date_time_to_unix (date), 0, MAX_TIME);

  return TRUE;
}

static gboolean
take_window (JmeCeemsQuery *self, JmeRequest *request, gint64 window, GError **error)
{
  g_autofree char *from = take_value (request, "from");
  g_autofree char *to = take_value (request, "to");

  if ((from != NULL && !read_time ("from", from, &self->from, error)) ||
      (to != NULL && !read_time ("to", to, &self->to, error)))
    return FALSE;

  self->has_window = from != NULL || to != NULL;
  if (to == NULL)
    self->to = from != NULL ? self->from + window : g_get_real_time () / G_USEC_PER_SEC;
  if (from == NULL)
    self->from = MAX (self->to - window, 0);

  return TRUE;
}

/* A zone is read from a file of its name, which must be no other file. */
static gboolean
is_zone_name (const char *name)
{
  gsize length = strlen (name);

  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (name[i]) && strchr ("_+-/", name[i]) == NULL)
      return FALSE;

  return length > 0 && length <= MAX_ZONE_BYTES && g_ascii_isalpha (name[0]);
}

/* One that is not known is the server's, as with CEEMS. */
static GTimeZone *
take_zone (JmeRequest *request)
{
  g_autofree char *name = take_value (request, "timezone");
  GTimeZone *zone =
    name != NULL && is_zone_name (name) ? g_time_zone_new_identifier (name) : NULL;

  return zone != NULL ? zone : g_time_zone_new_local ();
}

/* --- the rest --- */

static gboolean
has_key (JmeRequest *request, const char *name)
{
  g_auto (GStrv) keys = jme_request_list_keys (request);

  return g_strv_contains ((const char *const *) keys, name);
}

/* Sums are always kept apart by all three; no other column can be had. */
static gboolean
check_groups (JmeRequest *request, GError **error)
{
  static const char *const known[] = { "",           "username",         "project",
                                       "cluster_id", "resource_manager", NULL };
  g_auto (GStrv) groups = jme_request_get_values (request, "groupby");

  for (guint i = 0; groups[i] != NULL; i++)
    if (!g_strv_contains (known, groups[i]))
      return refuse_value ("groupby", groups[i],
                           "username, project, cluster_id or resource_manager", error);

  return TRUE;
}

gboolean
jme_ceems_query_init (JmeCeemsQuery *self,
                      JmeRequest *request,
                      gint64 window,
                      GError **error)
{
  g_autofree char *role = take_value (request, "role");

  *self = (JmeCeemsQuery){ .zone = take_zone (request) };
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    G_STRUCT_MEMBER (GStrv, self, lists[i].offset) =
      take_list (request, lists[i].names);
  self->running = has_key (request, "running");
  self->wants_administrators = g_strcmp0 (role, "admin") == 0;

  return take_window (self, request, window, error) && check_groups (request, error);
}

gboolean
jme_ceems_query_wants (GStrv names, const char *name)
{
  return names == NULL ||
         (name != NULL && g_strv_contains ((const char *const *) names, name));
}

void
jme_ceems_query_clear (JmeCeemsQuery *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    g_clear_pointer (&G_STRUCT_MEMBER (GStrv, self, lists[i].offset), g_strfreev);
  g_clear_pointer (&self->zone, g_time_zone_unref);
}

/* --- form --- */

static const char *
name_error (guint status)
{
  static const struct
  {
    guint status;
    const char *name;
  } names[] = { { 400, "bad_data" },
                { 401, "unauthorized" },
                { 403, "forbidden" },
                { 404, "not_found" } };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].status == status)
      return names[i].name;

  return "unavailable";
}

static void
append_whole (JmJsonWriter *json, JmeCeemsAnswer *self)
{
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "status", "success");
  if (self->has_no_data)
    jm_json_writer_add_text (json, "data", NULL);
  else
    jme_ceems_answer_append_data (json, self);
  if (self->warnings->len > 0)
    jme_ceems_answer_append_warnings (json, self);
  jm_json_writer_end_object (json);
}

static void
refuse (const JmeAnswer *answer, guint status, const char *reason)
{
  JmJsonWriter json = { .out = g_string_new (NULL) };

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_add_text (&json, "status", "error");
  jm_json_writer_add_text (&json, "data", NULL);
  jm_json_writer_add_text (&json, "errorType", name_error (status));
  jm_json_writer_add_text (&json, "error", reason);
  jm_json_writer_end_object (&json);
  jme_ceems_answer_send (answer->request, status, json.out);
}

const JmeCeemsForm jme_ceems_form = { DAY_SECONDS, append_whole, refuse };

/* --- what forms have in common --- */

void
jme_ceems_answer_append_data (JmJsonWriter *json, JmeCeemsAnswer *self)
{
  const GString *text = self->answer.text;

  jm_json_writer_begin_array (json, "data");
  g_string_append_len (json->out, text->str, (gssize) text->len);
  jm_json_writer_end_array (json);
}

void
jme_ceems_answer_append_warnings (JmJsonWriter *json, JmeCeemsAnswer *self)
{
  jm_json_writer_begin_array (json, "warnings");
  for (guint i = 0; i < self->warnings->len; i++)
    jm_json_writer_add_text (json, NULL, self->warnings->pdata[i]);
  jm_json_writer_end_array (json);
}

/* --- begin and end --- */

static void
jme_ceems_answer_clear (JmeCeemsAnswer *self)
{
  jme_answer_clear (&self->answer);
  jme_ceems_query_clear (&self->query);
  g_clear_pointer (&self->warnings, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmeCeemsAnswer, jme_ceems_answer_clear)

static gboolean
take_query (JmeCeemsAnswer *self, const JmeCeemsForm *form, GError **error)
{
  if (!self->is_for_all || jm_viewer_sees_all (self->answer.viewer))
    return jme_ceems_query_init (&self->query, self->answer.request, form->window,
                                 error);

  g_set_error (error, JM_ERROR, JM_ERROR_DENIED, "this is for administrators");

  return FALSE;
}

static void
reply (JmeCeemsAnswer *self,
       JmeRequest *request,
       const JmeCeemsForm *form,
       JmeCeemsFunc tell)
{
  JmeArchive *accounts = jme_ceems_site_get_accounts (self->site);
  g_autoptr (GError) error = NULL;
  JmJsonWriter json = { 0 };

  self->warnings = g_ptr_array_new_with_free_func (g_free);
  if (!jme_answer_begin_with (&self->answer, accounts, request, form->refuse))
    return;
  if (!take_query (self, form, &error) || !tell (self, &error))
    {
      jme_answer_fail (&self->answer, error);
      return;
    }
  json.out = g_string_new (NULL);
  form->append (&json, self);
  jme_ceems_answer_send (request, 200, json.out);
}

void
jme_ceems_answer (JmeRequest *request,
                  JmeCeemsSite *site,
                  const JmeCeemsForm *form,
                  JmeCeemsFunc tell)
{
  g_auto (JmeCeemsAnswer) self = { .site = site };

  reply (&self, request, form, tell);
}

void
jme_ceems_answer_administrator (JmeRequest *request,
                                JmeCeemsSite *site,
                                JmeCeemsFunc tell)
{
  g_auto (JmeCeemsAnswer) self = { .site = site, .is_for_all = TRUE };

  reply (&self, request, &jme_ceems_form, tell);
}

void
jme_ceems_answer_send (JmeRequest *request, guint status, GString *json)
{
  g_autoptr (GBytes) body = g_string_free_to_bytes (g_string_append_c (json, '\n'));

  jme_request_set_header (request, "Cache-Control", "no-store");
  jme_request_reply (request, status, "application/json", body);
}

void
jme_ceems_answer_warn (JmeCeemsAnswer *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (self->warnings, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

/* --- filter --- */

JmRunFilter *
jme_ceems_answer_make_filter (JmeCeemsAnswer *self, gboolean is_own)
{
  const JmeCeemsQuery *query = &self->query;
  const char *const caller[] = { self->answer.user, NULL };
  JmRunFilter *filter = jm_run_filter_new ();

  if (self->is_for_all)
    jm_run_filter_set_users (filter, (const char *const *) query->users);
  else if (is_own || jm_viewer_sees_all (self->answer.viewer))
    jm_run_filter_set_users (filter, caller);
  jm_run_filter_set_accounts (filter, (const char *const *) query->projects);
  if (query->clusters != NULL && query->clusters[1] == NULL)
    jm_run_filter_set_cluster (filter, query->clusters[0]);

  return filter;
}
