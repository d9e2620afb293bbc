/* jm-report-json.c: the report of a run as JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/page/jm-report-json-private.h"

#include <json-glib/json-glib.h>
#include <math.h>

#include "core/jm-number-private.h"
#include "core/jm-safe-text-private.h"
#include "report/advice/jm-run-advice.h"
#include "report/jm-run-document-private.h"
#include "report/run/jm-run-report-private.h"

/* More than any cluster has: what somebody else wrote may claim to be larger. */
#define MAX_NODES 20000
#define MAX_GPUS 100000
#define MAX_ADVICE 1000

/* Null where there is no text. */
static void
append_string (GString *json, const char *text)
{
  g_autofree char *valid = NULL;
  g_autofree char *quoted = NULL;
  g_autoptr (JsonNode) node = NULL;

  if (text == NULL)
    {
      g_string_append (json, "null");
      return;
    }

  valid = g_utf8_make_valid (text, -1);
  node = json_node_init_string (json_node_alloc (), valid);
  quoted = json_to_string (node, FALSE);
  jm_safe_text_append_json (json, quoted);
}

static void
append_member (GString *json, const char *name, const char *text)
{
  g_string_append_printf (json, "\"%s\": ", name);
  append_string (json, text);
}

/* An object of those that are known, and, of those that were estimated, a list. */
static void
append_facts (GString *json, const JmFigure *figures)
{
  g_autoptr (GString) estimated = g_string_new (NULL);
  const char *separator = "";

  g_string_append (json, "\"facts\": {");
  for (JmRunFact i = 0; i < JM_N_RUN_FACTS; i++)
    if (figures[i].is_known && isfinite (figures[i].value))
      {
        const char *name = jm_run_fact_get_name (i);

        g_string_append_printf (json, "%s\"%s\": ", separator, name);
        jm_number_append_double (json, figures[i].value);
        separator = ", ";
        if (figures[i].is_estimated)
          g_string_append_printf (estimated, "%s\"%s\"", estimated->len > 0 ? ", " : "",
                                  name);
      }
  g_string_append_printf (json, "}, \"estimated\": [%s]", estimated->str);
}

static void
append_nodes (GString *json, JmRunReport *report)
{
  g_string_append (json, "\"nodes\": [");
  for (guint i = 0; i < MIN (report->nodes->len, MAX_NODES); i++)
    {
      const JmRunReportNode *node = jm_run_report_peek_node (report, i);

      g_string_append (json, i > 0 ? ",\n{" : "{");
      append_member (json, "name", node->name);
      g_string_append (json, ", ");
      append_facts (json, node->figures);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, ']');
}

static void
append_gpus (GString *json, JmRunReport *report)
{
  g_string_append (json, "\"gpus\": [");
  for (guint i = 0; i < MIN (report->gpus->len, MAX_GPUS); i++)
    {
      const JmRunReportGpu *gpu = jm_run_report_peek_gpu (report, i);

      g_string_append (json, i > 0 ? ",\n{" : "{");
      append_member (json, "name", gpu->name);
      g_string_append (json, ", ");
      append_member (json, "node",
                     gpu->node < report->nodes->len
                       ? jm_run_report_peek_node (report, gpu->node)->name
                       : NULL);
      g_string_append (json, ", ");
      append_member (json, "model", gpu->model);
      g_string_append (json, ", ");
      append_facts (json, gpu->figures);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, ']');
}

static void
append_piece (GString *json, JmRunAdvice *piece)
{
  const struct
  {
    const char *name;
    const char *text;
  } members[] = {
    { "rule", jm_run_advice_get_rule (piece) },
    { "level", jm_advice_level_get_name (jm_run_advice_get_level (piece)) },
    { "title", jm_run_advice_get_title (piece) },
    { "reason", jm_run_advice_get_reason (piece) },
    { "action", jm_run_advice_get_action (piece) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_string_append (json, i > 0 ? ", " : "{");
      append_member (json, members[i].name, members[i].text);
    }
  g_string_append_c (json, '}');
}

/* Null where nobody judged. */
static void
append_advice (GString *json, GPtrArray *advice)
{
  if (advice == NULL)
    {
      g_string_append (json, "\"advice\": null");
      return;
    }

  g_string_append (json, "\"advice\": [");
  for (guint i = 0; i < MIN (advice->len, MAX_ADVICE); i++)
    {
      g_string_append (json, i > 0 ? ",\n" : "");
      append_piece (json, advice->pdata[i]);
    }
  g_string_append_c (json, ']');
}

char *
jm_report_json_format (JmRunReport *report, GPtrArray *advice, const char *origin)
{
  GString *json = g_string_new ("{\"job\": ");

  jm_run_document_append (json, report->run);
  g_string_append_printf (json, ",\n\"running\": %s,\n",
                          jm_run_report_is_running (report) ? "true" : "false");
  append_member (json, "origin", origin);
  g_string_append (json, ",\n");
  append_facts (json, report->figures);
  g_string_append (json, ",\n");
  append_nodes (json, report);
  g_string_append (json, ",\n");
  append_gpus (json, report);
  g_string_append (json, ",\n");
  append_advice (json, advice);
  g_string_append (json, "}\n");

  return g_string_free (json, FALSE);
}

/**
 * jm_run_report_to_json:
 * @self: a report
 * @advice: (nullable) (element-type JmRunAdvice): what is said of it, or %NULL
 *
 * Makes of a report what programs read: an object with `job`, as the server's API tells
 * it, `running`, `facts`, `nodes`, `gpus` and `advice`.
 *
 * - Names of facts are those of jm_run_fact_get_name(), and values in base units. What
 *   is not known is left out; what was estimated, in part or as a whole, is named in
 *   `estimated`.
 *
 * Returns: (transfer full): a JSON document, of UTF-8
 * Since: 0.1
 */
char *
jm_run_report_to_json (JmRunReport *self, GPtrArray *advice)
{
  g_return_val_if_fail (self != NULL, NULL);

  return jm_report_json_format (self, advice, NULL);
}
