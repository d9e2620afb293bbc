/* jm-ceems-answer.c: an answer in the form of CEEMS, and of what came before it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/dialects/jm-ceems-answer-private.h"

#include <string.h>

#include "base/jm-error.h"

/* Until the end of the year 9999. */
#define MAX_TIME G_GINT64_CONSTANT (253402300799)
#define MAX_ZONE_BYTES 64

/* --- what is asked for --- */

/* --- lists --- */

/* What the era of the batch job stats server called it counts as well. */
static GStrv
take_list (const JmQuestion *question, const char *const *names)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  for (; *names != NULL; names++)
    jm_question_add_values (question, *names, builder);
  list = g_strv_builder_end (builder);

  return list[0] != NULL ? g_steal_pointer (&list) : NULL;
}

static const struct
{
  gsize offset;
  const char *names[6];
} lists[] = {
  { G_STRUCT_OFFSET (JmCeemsQuery, clusters), { "cluster_id" } },
  { G_STRUCT_OFFSET (JmCeemsQuery, uuids),
    { "uuid", "jobuuid", "jobid", "var-jobuuid", "var-jobid" } },
  { G_STRUCT_OFFSET (JmCeemsQuery, projects), { "project", "account", "var-account" } },
  { G_STRUCT_OFFSET (JmCeemsQuery, users), { "user" } },
  { G_STRUCT_OFFSET (JmCeemsQuery, fields), { "field" } },
};

/* --- times --- */

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
    return jm_question_refuse_value (name, value, "not seconds since 1970", error);
  *seconds = CLAMP (g_date_time_to_unix (date), 0, MAX_TIME);

  return TRUE;
}

static gboolean
take_window (JmCeemsQuery *self,
             const JmQuestion *question,
             gint64 window,
             GError **error)
{
  const char *from = jm_question_get_value (question, "from");
  const char *to = jm_question_get_value (question, "to");

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
take_zone (const JmQuestion *question)
{
  const char *name = jm_question_get_value (question, "timezone");
  GTimeZone *zone =
    name != NULL && is_zone_name (name) ? g_time_zone_new_identifier (name) : NULL;

  return zone != NULL ? zone : g_time_zone_new_local ();
}

/* --- the rest --- */

/* Sums are always kept apart by all three; no other column can be had. */
static gboolean
check_groups (const JmQuestion *question, GError **error)
{
  static const char *const known[] = { "",           "username",         "project",
                                       "cluster_id", "resource_manager", NULL };

  for (const char *const *pair = question->parameters; *pair != NULL; pair += 2)
    if (g_str_equal (pair[0], "groupby") && !g_strv_contains (known, pair[1]))
      return jm_question_refuse_value (
        "groupby", pair[1], "username, project, cluster_id or resource_manager", error);

  return TRUE;
}

/* Keys that are not known are passed over, as CEEMS does. */
static gboolean
query_init (JmCeemsQuery *self,
            const JmQuestion *question,
            gint64 window,
            GError **error)
{
  const char *role = jm_question_get_value (question, "role");

  *self = (JmCeemsQuery){ .zone = take_zone (question) };
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    G_STRUCT_MEMBER (GStrv, self, lists[i].offset) =
      take_list (question, lists[i].names);
  self->running = jm_question_has (question, "running");
  self->wants_administrators = g_strcmp0 (role, "admin") == 0;

  return take_window (self, question, window, error) && check_groups (question, error);
}

gboolean
jm_ceems_query_wants (GStrv names, const char *name)
{
  return names == NULL ||
         (name != NULL && g_strv_contains ((const char *const *) names, name));
}

static void
query_clear (JmCeemsQuery *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    g_clear_pointer (&G_STRUCT_MEMBER (GStrv, self, lists[i].offset), g_strfreev);
  g_clear_pointer (&self->zone, g_time_zone_unref);
}

/* --- what forms have in common --- */

void
jm_ceems_answer_append_data (JmJsonWriter *json, JmCeemsAnswer *self)
{
  const GString *text = self->text;

  jm_json_writer_begin_array (json, "data");
  g_string_append_len (json->out, text->str, (gssize) text->len);
  jm_json_writer_end_array (json);
}

void
jm_ceems_answer_append_warnings (JmJsonWriter *json, JmCeemsAnswer *self)
{
  jm_json_writer_begin_array (json, "warnings");
  for (guint i = 0; i < self->warnings->len; i++)
    jm_json_writer_add_text (json, NULL, self->warnings->pdata[i]);
  jm_json_writer_end_array (json);
}

/* --- the whole --- */

static void
jm_ceems_answer_clear (JmCeemsAnswer *self)
{
  query_clear (&self->query);
  g_string_free (self->text, TRUE);
  g_ptr_array_unref (self->warnings);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmCeemsAnswer, jm_ceems_answer_clear)

static gboolean
check_caller (JmCeemsAnswer *self, GError **error)
{
  if (!self->is_for_all || jm_viewer_sees_all (self->view.viewer))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_DENIED, "this is for administrators");

  return FALSE;
}

gboolean
jm_ceems_answer (JmQuestion *question, gconstpointer data, GError **error)
{
  const JmCeemsKind *kind = data;
  g_auto (JmCeemsAnswer) self = {
    .question = question,
    .view = *question->view,
    .text = g_string_new (NULL),
    .is_for_all = kind->is_for_all,
    .warnings = g_ptr_array_new_with_free_func (g_free),
  };

  if (!check_caller (&self, error) ||
      !query_init (&self.query, question, kind->window, error) ||
      !kind->append (&self, error))
    return FALSE;
  kind->wrap (&question->json, &self);

  return TRUE;
}

void
jm_ceems_answer_warn (JmCeemsAnswer *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (self->warnings, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

/* --- filter --- */

JmRunFilter *
jm_ceems_answer_make_filter (JmCeemsAnswer *self, gboolean is_own)
{
  const JmCeemsQuery *query = &self->query;
  const char *const caller[] = { self->view.user, NULL };
  JmRunFilter *filter = jm_run_filter_new ();

  if (self->is_for_all)
    jm_run_filter_set_users (filter, (const char *const *) query->users);
  else if (is_own || jm_viewer_sees_all (self->view.viewer))
    jm_run_filter_set_users (filter, caller);
  jm_run_filter_set_accounts (filter, (const char *const *) query->projects);
  if (query->clusters != NULL && query->clusters[1] == NULL)
    jm_run_filter_set_cluster (filter, query->clusters[0]);

  return filter;
}
