/* jme-grafana.c: the archive for Grafana's JSON data sources
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-server-routes.h"

#include <string.h>

#include "archive/jm-archive-database-private.h"
#include "server/jme-answer.h"
#include "server/jme-grafana-query.h"

#define MAX_ANNOTATIONS 100

/* How each data source wants a name. */
typedef enum
{
  NAME_BARE,
  NAME_TEXT,
  NAME_VALUE,
  NAME_VARIABLE,
} NameForm;

static void
add_name (JmJsonWriter *json, const char *name, NameForm form)
{
  static const char *const members[] = { NULL, "text", "value", "__text" };

  if (form != NAME_BARE)
    jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, members[form], name);
  if (form == NAME_VARIABLE)
    jm_json_writer_add_text (json, "__value", name);
  if (form != NAME_BARE)
    jm_json_writer_end_object (json);
}

/* --- what there is --- */

/* The data sources test with it whether they reach anybody who lets them in. */
static void
on_test (JmeRequest *request, gpointer accounts)
{
  g_auto (JmeAnswer) answer = { 0 };

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  g_string_append (answer.text, "{\"status\": \"ok\"}");
  jme_answer_reply_json (&answer);
}

static void
add_input (JmJsonWriter *json, const char *name, const char *type)
{
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "name", name);
  jm_json_writer_add_text (json, "type", type);
  jm_json_writer_end_object (json);
}

static void
add_group_choice (JmJsonWriter *json)
{
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "name", "group");
  jm_json_writer_add_text (json, "type", "select");
  jm_json_writer_begin_array (json, "options");
  for (guint i = 0; jme_grafana_query_get_group (i) != NULL; i++)
    add_name (json, jme_grafana_query_get_group (i), NAME_VALUE);
  jm_json_writer_end_array (json);
  jm_json_writer_end_object (json);
}

/* The form that Grafana makes of a metric; a choice without options is asked for. */
static void
add_payloads (JmJsonWriter *json, const char *target)
{
  jm_json_writer_begin_array (json, "payloads");
  for (guint i = 0; jme_grafana_query_get_group (i) != NULL; i++)
    add_input (json, jme_grafana_query_get_group (i), "select");
  if (g_str_equal (target, "jobs"))
    {
      add_input (json, "state", "input");
      add_input (json, "limit", "input");
    }
  else
    {
      add_group_choice (json);
      add_input (json, "top", "input");
    }
  jm_json_writer_end_array (json);
}

static void
on_metrics (JmeRequest *request, gpointer accounts)
{
  g_auto (JmeAnswer) answer = { 0 };

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  jm_json_writer_begin_array (&answer.json, NULL);
  for (guint i = 0; jme_grafana_query_get_target (i) != NULL; i++)
    {
      const char *target = jme_grafana_query_get_target (i);

      jm_json_writer_break_line (&answer.json);
      jm_json_writer_begin_object (&answer.json, NULL);
      jm_json_writer_add_text (&answer.json, "value", target);
      add_payloads (&answer.json, target);
      jm_json_writer_end_object (&answer.json);
    }
  jm_json_writer_end_array (&answer.json);
  jme_answer_reply_json (&answer);
}

static void
on_tag_keys (JmeRequest *request, gpointer accounts)
{
  g_auto (JmeAnswer) answer = { 0 };

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  jm_json_writer_begin_array (&answer.json, NULL);
  for (guint i = 0; jme_grafana_query_get_group (i) != NULL; i++)
    {
      jm_json_writer_begin_object (&answer.json, NULL);
      jm_json_writer_add_text (&answer.json, "type", "string");
      jm_json_writer_add_text (&answer.json, "text", jme_grafana_query_get_group (i));
      jm_json_writer_end_object (&answer.json);
    }
  jm_json_writer_end_array (&answer.json);
  jme_answer_reply_json (&answer);
}

/* --- choices --- */

/* The first thousand: nobody picks from a longer list. */
static gboolean
append_names (JmeAnswer *self, JmUsageGroups kind, NameForm form, GError **error)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) list = NULL;
  gboolean has_more;

  jm_run_filter_set_limit (filter, JM_RUN_FILTER_MAX_LIMIT);
  list = jm_archive_database_list_names (self->store, kind, filter, "", self->viewer,
                                         &has_more, error);
  for (guint i = 0; list != NULL && i < list->len; i++)
    add_name (&self->json, jm_listing_get_name (list->pdata[i]), form);

  return list != NULL;
}

/* What is no list of names is an empty one; in `/search`, that of the metrics. */
static gboolean
append_choice (JmeAnswer *self, NameForm form, GError **error)
{
  JmUsageGroups kind;

  if (!jme_grafana_query_find_choice (jme_request_get_body (self->request), &kind,
                                      error))
    return FALSE;
  if (kind != JM_USAGE_GROUPS_NONE)
    return append_names (self, kind, form, error);
  for (guint i = 0; form == NAME_BARE && jme_grafana_query_get_target (i) != NULL; i++)
    add_name (&self->json, jme_grafana_query_get_target (i), form);

  return TRUE;
}

static void
answer_choice (JmeRequest *request, gpointer accounts, NameForm form)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  jm_json_writer_begin_array (&answer.json, NULL);
  if (!append_choice (&answer, form, &error))
    {
      jme_answer_fail (&answer, error);
      return;
    }
  jm_json_writer_end_array (&answer.json);
  jme_answer_reply_json (&answer);
}

static void
on_search (JmeRequest *request, gpointer accounts)
{
  answer_choice (request, accounts, NAME_BARE);
}

static void
on_options (JmeRequest *request, gpointer accounts)
{
  answer_choice (request, accounts, NAME_VALUE);
}

static void
on_variable (JmeRequest *request, gpointer accounts)
{
  answer_choice (request, accounts, NAME_VARIABLE);
}

static void
on_tag_values (JmeRequest *request, gpointer accounts)
{
  answer_choice (request, accounts, NAME_TEXT);
}

/* --- data --- */

static void
on_query (JmeRequest *request, gpointer accounts)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeGrafanaQuery) query = { 0 };
  g_autoptr (GError) error = NULL;

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  if (jme_grafana_query_init (&query, jme_request_get_body (request), &error) &&
      jme_grafana_data_append (&answer, &query, &error))
    jme_answer_reply_json (&answer);
  else
    jme_answer_fail (&answer, error);
}

static void
on_annotations (JmeRequest *request, gpointer accounts)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeGrafanaQuery) query = { 0 };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GError) error = NULL;

  jm_run_filter_set_limit (filter, MAX_ANNOTATIONS);
  if (!jme_answer_begin (&answer, accounts, request))
    return;
  if (jme_grafana_query_init_annotations (&query, filter,
                                          jme_request_get_body (request), &error) &&
      jme_grafana_data_append_annotations (&answer, &query, filter, &error))
    jme_answer_reply_json (&answer);
  else
    jme_answer_fail (&answer, error);
}

#define POST                                                                           \
 JME_ANSWER_ROUTE, .methods = JME_METHOD_POST, .max_body_bytes = JME_GRAFANA_MAX_BYTES

/* Both with and without a slash behind the address that is given to Grafana. */
const JmeRoute jme_grafana_routes[] = {
  { .path = "/grafana", JME_ANSWER_ROUTE, .handler = on_test },
  { .path = "/grafana/", JME_ANSWER_ROUTE, .handler = on_test },
  { .path = "/grafana/search", POST, .handler = on_search },
  { .path = "/grafana/metrics", POST, .handler = on_metrics },
  { .path = "/grafana/metric-payload-options", POST, .handler = on_options },
  { .path = "/grafana/variable", POST, .handler = on_variable },
  { .path = "/grafana/tag-keys", POST, .handler = on_tag_keys },
  { .path = "/grafana/tag-values", POST, .handler = on_tag_values },
  { .path = "/grafana/query", POST, .handler = on_query },
  { .path = "/grafana/annotations", POST, .handler = on_annotations },
  { NULL },
};
