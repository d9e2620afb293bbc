/* jm-grafana.c: the archive for Grafana's JSON data sources
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/dialects/jm-grafana-query-private.h"

#define MAX_ANNOTATIONS 100

/* Each data source has a name by itself, or as another member of an object. */
#define OF_VARIABLE "__text"

static void
add_name (JmJsonWriter *json, const char *name, const char *member)
{
  if (member != NULL)
    jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, member, name);
  if (g_strcmp0 (member, OF_VARIABLE) == 0)
    jm_json_writer_add_text (json, "__value", name);
  if (member != NULL)
    jm_json_writer_end_object (json);
}

/* --- what there is --- */

/* The data sources test with it whether they reach anybody who lets them in. */
static gboolean
answer_test (JmQuestion *self, gconstpointer kind, GError **error)
{
  jm_json_writer_begin_object (&self->json, NULL);
  jm_json_writer_add_text (&self->json, "status", "ok");
  jm_json_writer_end_object (&self->json);

  return TRUE;
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
  for (guint i = 0; i < JM_GRAFANA_N_GROUPS; i++)
    add_name (json, jm_grafana_groups[i].name, "value");
  jm_json_writer_end_array (json);
  jm_json_writer_end_object (json);
}

/* The form that Grafana makes of a metric; a choice without options is asked for. */
static void
add_payloads (JmJsonWriter *json, const char *target)
{
  jm_json_writer_begin_array (json, "payloads");
  for (guint i = 0; i < JM_GRAFANA_N_GROUPS; i++)
    add_input (json, jm_grafana_groups[i].name, "select");
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

static gboolean
answer_metrics (JmQuestion *self, gconstpointer kind, GError **error)
{
  jm_json_writer_begin_array (&self->json, NULL);
  for (guint i = 0; jm_grafana_query_get_target (i) != NULL; i++)
    {
      const char *target = jm_grafana_query_get_target (i);

      jm_json_writer_break_line (&self->json);
      jm_json_writer_begin_object (&self->json, NULL);
      jm_json_writer_add_text (&self->json, "value", target);
      add_payloads (&self->json, target);
      jm_json_writer_end_object (&self->json);
    }
  jm_json_writer_end_array (&self->json);

  return TRUE;
}

static gboolean
answer_tag_keys (JmQuestion *self, gconstpointer kind, GError **error)
{
  jm_json_writer_begin_array (&self->json, NULL);
  for (guint i = 0; i < JM_GRAFANA_N_GROUPS; i++)
    {
      jm_json_writer_begin_object (&self->json, NULL);
      jm_json_writer_add_text (&self->json, "type", "string");
      jm_json_writer_add_text (&self->json, "text", jm_grafana_groups[i].name);
      jm_json_writer_end_object (&self->json);
    }
  jm_json_writer_end_array (&self->json);

  return TRUE;
}

/* --- choices --- */

/* The first thousand: nobody picks from a longer list. */
static gboolean
append_names (JmQuestion *self, JmUsageGroups kind, const char *member, GError **error)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) list = NULL;
  gboolean has_more;

  jm_run_filter_set_limit (filter, JM_RUN_FILTER_MAX_LIMIT);
  list = jm_archive_database_list_names (self->view->database, kind, filter, "",
                                         self->view->viewer, &has_more, error);
  for (guint i = 0; list != NULL && i < list->len; i++)
    add_name (&self->json, jm_listing_get_name (list->pdata[i]), member);

  return list != NULL;
}

/* What is no list of names is an empty one; in `/search`, that of the metrics. */
static gboolean
append_choice (JmQuestion *self, const char *member, GError **error)
{
  JmUsageGroups kind;

  if (!jm_grafana_query_find_choice (self->body, &kind, error))
    return FALSE;
  if (kind != JM_USAGE_GROUPS_NONE)
    return append_names (self, kind, member, error);
  for (guint i = 0; member == NULL && jm_grafana_query_get_target (i) != NULL; i++)
    add_name (&self->json, jm_grafana_query_get_target (i), member);

  return TRUE;
}

static gboolean
answer_choice (JmQuestion *self, gconstpointer member, GError **error)
{
  jm_json_writer_begin_array (&self->json, NULL);
  if (!append_choice (self, member, error))
    return FALSE;
  jm_json_writer_end_array (&self->json);

  return TRUE;
}

/* --- data --- */

static gboolean
answer_query (JmQuestion *self, gconstpointer kind, GError **error)
{
  g_auto (JmGrafanaQuery) query = { 0 };

  return jm_grafana_query_init (&query, self->body, error) &&
         jm_grafana_data_append (self, &query, error);
}

static gboolean
answer_annotations (JmQuestion *self, gconstpointer kind, GError **error)
{
  g_auto (JmGrafanaQuery) query = { 0 };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

  jm_run_filter_set_limit (filter, MAX_ANNOTATIONS);

  return jm_grafana_query_init_annotations (&query, filter, self->body, error) &&
         jm_grafana_data_append_annotations (self, &query, filter, error);
}

/* The first with and without a slash behind the address that is given to Grafana. */
static const JmApiPath paths[] = {
  { "", answer_test },
  { "/", answer_test },
  { "/search", answer_choice },
  { "/metrics", answer_metrics },
  { "/metric-payload-options", answer_choice, "value" },
  { "/variable", answer_choice, OF_VARIABLE },
  { "/tag-keys", answer_tag_keys },
  { "/tag-values", answer_choice, "text" },
  { "/query", answer_query },
  { "/annotations", answer_annotations },
  { NULL },
};

const JmApiDialect jm_grafana_dialect = {
  .prefix = "/grafana",
  .layout = JM_JSON_SPACED,
  .paths = paths,
};
