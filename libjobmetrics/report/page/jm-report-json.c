/* jm-report-json.c: the report of a run as JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/page/jm-report-json-private.h"

#include <math.h>

#include "core/jm-run-document-private.h"
#include "judge/jm-run-advice-private.h"
#include "judge/jm-run-report-private.h"

/* More than any cluster has: what somebody else wrote may claim to be larger. */
#define MAX_NODES 20000
#define MAX_GPUS 100000
#define MAX_ADVICE 1000

/* An object of those that are known, and, of those that were estimated, a list. */
static void
add_figures (JmJsonWriter *json, const JmFigures *figures)
{
  guint n;
  const JmRunQuantity *quantities = jm_quantity_get_run_quantities (&n);

  jm_json_writer_begin_object (json, "figures");
  for (guint i = 0; i < n; i++)
    {
      JmFigure figure = jm_figures_get (figures, quantities[i].id);

      if (figure.is_known && isfinite (figure.value))
        jm_json_writer_add_double (json, jm_quantity_get (quantities[i].id)->name,
                                   figure.value);
    }
  jm_json_writer_end_object (json);

  jm_json_writer_begin_array (json, "estimated");
  for (guint i = 0; i < n; i++)
    {
      JmFigure figure = jm_figures_get (figures, quantities[i].id);

      if (figure.is_estimated && isfinite (figure.value))
        jm_json_writer_add_text (json, NULL, jm_quantity_get (quantities[i].id)->name);
    }
  jm_json_writer_end_array (json);
}

static void
add_nodes (JmJsonWriter *json, JmRunReport *report)
{
  jm_json_writer_begin_array (json, "nodes");
  for (guint i = 0; i < MIN (report->nodes->len, MAX_NODES); i++)
    {
      const JmRunReportNode *node = jm_run_report_peek_node (report, i);

      jm_json_writer_break_line (json);
      jm_json_writer_begin_object (json, NULL);
      jm_json_writer_add_text (json, "name", node->name);
      add_figures (json, node->figures);
      jm_json_writer_end_object (json);
    }
  jm_json_writer_end_array (json);
}

static void
add_gpus (JmJsonWriter *json, JmRunReport *report)
{
  jm_json_writer_begin_array (json, "gpus");
  for (guint i = 0; i < MIN (report->gpus->len, MAX_GPUS); i++)
    {
      const JmRunReportGpu *gpu = jm_run_report_peek_gpu (report, i);

      jm_json_writer_break_line (json);
      jm_json_writer_begin_object (json, NULL);
      jm_json_writer_add_text (json, "name", gpu->name);
      jm_json_writer_add_text (json, "node",
                               gpu->node < report->nodes->len
                                 ? jm_run_report_peek_node (report, gpu->node)->name
                                 : NULL);
      jm_json_writer_add_text (json, "model", gpu->model);
      add_figures (json, gpu->figures);
      jm_json_writer_end_object (json);
    }
  jm_json_writer_end_array (json);
}

static void
add_piece (JmJsonWriter *json, JmRunAdvice *piece)
{
  JmAdviceLevel level = jm_run_advice_get_level (piece);

  jm_json_writer_break_line (json);
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "rule", jm_run_advice_get_rule (piece));
  jm_json_writer_add_text (json, "level", jm_advice_level_get_name (level));
  jm_json_writer_add_text (json, "title", jm_run_advice_get_title (piece));
  jm_json_writer_add_text (json, "reason", jm_run_advice_get_reason (piece));
  jm_json_writer_add_text (json, "action", jm_run_advice_get_action (piece));
  jm_json_writer_end_object (json);
}

/* Null where the rules could not be read. */
static void
add_advice (JmJsonWriter *json, GPtrArray *advice)
{
  if (advice == NULL)
    {
      jm_json_writer_add_text (json, "advice", NULL);
      return;
    }

  jm_json_writer_begin_array (json, "advice");
  for (guint i = 0; i < MIN (advice->len, MAX_ADVICE); i++)
    add_piece (json, advice->pdata[i]);
  jm_json_writer_end_array (json);
}

void
jm_report_json_add_verdict (JmJsonWriter *json, JmRunVerdict *verdict)
{
  double amount;
  const JmQuantity *wasted = jm_run_verdict_get_wasted (verdict, &amount);

  jm_json_writer_begin_object (json, "verdict");
  jm_json_writer_add_text (json, "kind",
                           jm_verdict_kind_get_name (
                             jm_run_verdict_get_kind (verdict)));
  jm_json_writer_add_text (json, "title", jm_run_verdict_get_title (verdict));
  jm_json_writer_add_text (json, "sentence", jm_run_verdict_get_sentence (verdict));
  jm_json_writer_add_text (json, "next_step", jm_run_verdict_get_next_step (verdict));
  jm_json_writer_add_text (json, "cause", jm_run_verdict_get_cause (verdict));
  jm_json_writer_add_text (json, "cause_rule", jm_run_verdict_get_cause_rule (verdict));
  jm_json_writer_add_text (json, "wasted", wasted != NULL ? wasted->name : NULL);
  if (wasted != NULL && amount >= 0 && isfinite (amount))
    jm_json_writer_add_double (json, "amount", amount);
  jm_json_writer_end_object (json);
}

/* Null where the rules could not be read. */
static void
add_verdict (JmJsonWriter *json, JmRunReport *report, GPtrArray *advice)
{
  g_autoptr (JmRunVerdict) verdict =
    advice != NULL ? jm_run_verdict_new (report, advice) : NULL;

  if (verdict != NULL)
    jm_report_json_add_verdict (json, verdict);
  else
    jm_json_writer_add_text (json, "verdict", NULL);
}

/**
 * jm_run_report_to_json:
 * @self: a report
 * @advice: (nullable) (element-type JmRunAdvice): what is said of it, or %NULL
 *
 * Makes of a report what programs read: an object with `job`, as the server's API has
 * it, `running`, `origin`, `figures`, `nodes`, `gpus`, `verdict` and `advice`.
 *
 * - Names of figures are those of jm_quantity_list_of_runs(), and values in base units.
 *   What is not known is left out; what was estimated, in part or as a whole, is named
 *   in `estimated`.
 *
 * Returns: (transfer full): a JSON document, of UTF-8
 * Since: 0.1
 */
char *
jm_run_report_to_json (JmRunReport *self, GPtrArray *advice)
{
  JmJsonWriter json = { .layout = JM_JSON_SPACED };
  GString *text;

  g_return_val_if_fail (self != NULL, NULL);

  text = g_string_new (NULL);
  json.out = text;
  jm_json_writer_begin_object (&json, NULL);
  jm_run_document_append (jm_json_writer_begin_value (&json, "job"), self->run);
  jm_json_writer_break_line (&json);
  jm_json_writer_add_boolean (&json, "running", jm_run_report_is_running (self));
  jm_json_writer_break_line (&json);
  jm_json_writer_add_text (&json, "origin", self->origin);
  jm_json_writer_break_line (&json);
  add_figures (&json, self->figures);
  jm_json_writer_break_line (&json);
  add_nodes (&json, self);
  jm_json_writer_break_line (&json);
  add_gpus (&json, self);
  jm_json_writer_break_line (&json);
  add_verdict (&json, self, advice);
  jm_json_writer_break_line (&json);
  add_advice (&json, advice);
  jm_json_writer_end_object (&json);
  g_string_append_c (text, '\n');

  return g_string_free (text, FALSE);
}
