/* jme-grafana.c: the accounts for Grafana's JSON data sources
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-grafana.h"

#include <string.h>

#include "server/jme-answer.h"
#include "server/jme-grafana-data.h"
#include "server/jme-table.h"
#include "store/jm-listing.h"

#define MAX_ANNOTATIONS 100

/* --- what there is --- */

/* The data sources test with it whether they reach anybody who lets them in. */
static void
on_test (JmeRequest *request, gpointer accounts)
{
  g_auto (JmeAnswer) answer = { 0 };

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  g_string_append (answer.text, "{\"status\": \"ok\"}\n");
  jme_answer_reply_json (&answer);
}

/* The form that Grafana makes of a metric; a choice without options is asked for. */
static void
append_payloads (GString *text, const char *target)
{
  gboolean of_jobs = g_str_equal (target, "jobs");

  g_string_append (text, ", \"payloads\": [");
  for (guint i = 0; jme_grafana_query_get_group (i) != NULL; i++)
    g_string_append_printf (text, "{\"name\": \"%s\", \"type\": \"select\"}, ",
                            jme_grafana_query_get_group (i));
  if (of_jobs)
    {
      g_string_append (text, "{\"name\": \"state\", \"type\": \"input\"}, "
                             "{\"name\": \"limit\", \"type\": \"input\"}]");
      return;
    }

  g_string_append (text, "{\"name\": \"group\", \"type\": \"select\", \"options\": [");
  for (guint i = 0; jme_grafana_query_get_group (i) != NULL; i++)
    g_string_append_printf (text, "%s{\"value\": \"%s\"}", i > 0 ? ", " : "",
                            jme_grafana_query_get_group (i));
  g_string_append (text, "]}, {\"name\": \"top\", \"type\": \"input\"}]");
}

static void
on_metrics (JmeRequest *request, gpointer accounts)
{
  g_auto (JmeAnswer) answer = { 0 };

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  g_string_append_c (answer.text, '[');
  for (guint i = 0; jme_grafana_query_get_target (i) != NULL; i++)
    {
      const char *target = jme_grafana_query_get_target (i);

      g_string_append_printf (answer.text, "%s{\"value\": \"%s\"", i > 0 ? ",\n" : "",
                              target);
      append_payloads (answer.text, target);
      g_string_append_c (answer.text, '}');
    }
  g_string_append (answer.text, "]\n");
  jme_answer_reply_json (&answer);
}

static void
append_targets (GString *text)
{
  for (guint i = 0; jme_grafana_query_get_target (i) != NULL; i++)
    {
      g_string_append (text, i > 0 ? ", " : "");
      jme_table_append_json_string (text, jme_grafana_query_get_target (i));
    }
}

static void
on_tag_keys (JmeRequest *request, gpointer accounts)
{
  g_auto (JmeAnswer) answer = { 0 };

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  g_string_append_c (answer.text, '[');
  for (guint i = 0; jme_grafana_query_get_group (i) != NULL; i++)
    g_string_append_printf (answer.text, "%s{\"type\": \"string\", \"text\": \"%s\"}",
                            i > 0 ? ", " : "", jme_grafana_query_get_group (i));
  g_string_append (answer.text, "]\n");
  jme_answer_reply_json (&answer);
}

/* --- choices --- */

/* How each data source wants a name. */
typedef enum
{
  NAME_BARE,
  NAME_TEXT,
  NAME_VALUE,
  NAME_VARIABLE,
} NameForm;

static void
append_name (GString *text, const char *name, NameForm form)
{
  static const char *const before[] = { "", "{\"text\": ", "{\"value\": ",
                                        "{\"__text\": " };

  g_string_append (text, before[form]);
  jme_table_append_json_string (text, name);
  if (form == NAME_VARIABLE)
    {
      g_string_append (text, ", \"__value\": ");
      jme_table_append_json_string (text, name);
    }
  g_string_append (text, form != NAME_BARE ? "}" : "");
}

/* The first thousand: nobody picks from a longer list. */
static gboolean
append_names (JmeAnswer *self, JmUsageGroups kind, NameForm form, GError **error)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) list = NULL;
  gboolean has_more;

  jm_run_filter_set_limit (filter, JM_RUN_FILTER_MAX_LIMIT);
  list = jm_job_store_list_names (self->store, kind, filter, "", self->viewer,
                                  &has_more, error);
  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      g_string_append (self->text, i > 0 ? ", " : "");
      append_name (self->text, jm_listing_get_name (list->pdata[i]), form);
    }

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
  if (form == NAME_BARE)
    append_targets (self->text);

  return TRUE;
}

static void
answer_choice (JmeRequest *request, gpointer accounts, NameForm form)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  g_string_append_c (answer.text, '[');
  if (!append_choice (&answer, form, &error))
    {
      jme_answer_fail (&answer, error);
      return;
    }
  g_string_append (answer.text, "]\n");
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
