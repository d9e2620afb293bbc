/* jme-ceems-answer.c: an answer in the form of CEEMS, and of what came before it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-ceems-answer.h"

#include "core/jm-error.h"

#define DAY_SECONDS 86400

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
refuse (JmeRequest *request, guint status, const char *reason)
{
  JmJsonWriter json = { .out = g_string_new (NULL) };

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_add_text (&json, "status", "error");
  jm_json_writer_add_text (&json, "data", NULL);
  jm_json_writer_add_text (&json, "errorType", name_error (status));
  jm_json_writer_add_text (&json, "error", reason);
  jm_json_writer_end_object (&json);
  jme_ceems_answer_send (request, status, json.out);
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
  JmeAccounts *accounts = jme_ceems_site_get_accounts (self->site);
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
