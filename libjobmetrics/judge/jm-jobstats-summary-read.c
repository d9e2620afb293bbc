/* jm-jobstats-summary-read.c: a run as jobstats has kept it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-report.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "base/jm-natural-order-private.h"
#include "core/jm-converted-private.h"
#include "judge/jm-jobstats-members-private.h"
#include "judge/jm-run-figures-private.h"
#include "judge/jm-run-report-private.h"

#define PREFIX "JS1:"
/* Words in place of a document are shorter, see jm_jobstats_summary_format(). */
#define WORD_MAX 10
#define MAX_BYTES (1024 * 1024)
#define MAX_NODES 16384
#define MAX_GPUS 128
/* Larger figures are none. */
#define MAX_NUMBER 1e18

static gboolean
refuse (GError **error, const char *about, const char *problem)
{
  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "jobstats' summary: %s: %s", about,
               problem);

  return FALSE;
}

/* --- the document --- */

static GByteArray *
unpack (const char *text, GError **error)
{
  g_autoptr (GConverter) converter =
    G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
  g_autofree guchar *packed = NULL;
  gsize size;
  GByteArray *json = NULL;

  if (strlen (text) > MAX_BYTES)
    {
      refuse (error, "text", "longer than 1 MiB");
      return NULL;
    }
  packed = g_base64_decode (text, &size);
  if (size > 0)
    json = jm_converted_make (converter, packed, size, MAX_BYTES);
  if (json == NULL)
    refuse (error, "text", "no gzip in base64, or more than 1 MiB");

  return json;
}

/* FALSE where the member is there and is no figure. */
static gboolean
read_number (JsonNode *object, const char *name, JmFigure *figure)
{
  double value;

  if (jm_json_get (object, name) == NULL)
    return TRUE;
  if (!jm_json_get_number (object, name, &value) || !(value >= 0) || value > MAX_NUMBER)
    return FALSE;
  *figure = jm_figure_known (value);

  return TRUE;
}

static gboolean
read_figure (JsonNode *object,
             const char *name,
             JmFigures *figures,
             JmQuantityId quantity)
{
  JmFigure figure = { 0 };

  if (!read_number (object, name, &figure))
    return FALSE;
  jm_figures_set (figures, quantity, figure);

  return TRUE;
}

/* --- accelerators --- */

static JmRunReportGpu *
get_gpu (JmRunReport *report, guint node, guint first, const char *name)
{
  for (guint i = first; i < report->gpus->len; i++)
    if (g_str_equal (jm_run_report_peek_gpu (report, i)->name, name))
      return jm_run_report_peek_gpu (report, i);

  if (report->gpus->len - first == MAX_GPUS)
    return NULL;

  return jm_run_report_add_gpu (report, node, name);
}

static gboolean
read_gpu_member (JmRunReport *report,
                 guint node,
                 guint first,
                 JsonNode *json,
                 guint member,
                 GError **error)
{
  JsonNode *values = jm_json_get (json, jm_jobstats_gpu_members[member].name);
  g_autoptr (GList) names = NULL;

  if (values == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_OBJECT (values))
    return refuse (error, jm_jobstats_gpu_members[member].name, "no object");

  names = json_object_get_members (json_node_get_object (values));
  for (GList *i = names; i != NULL; i = i->next)
    {
      JmRunReportGpu *gpu = get_gpu (report, node, first, i->data);

      if (gpu == NULL)
        return refuse (error, jm_jobstats_gpu_members[member].name,
                       "too many accelerators");
      if (!read_figure (values, i->data, gpu->figures,
                        jm_jobstats_gpu_members[member].quantity))
        return refuse (error, jm_jobstats_gpu_members[member].name, "no figure");
    }

  return TRUE;
}

static gboolean
read_gpus (JmRunReport *report, guint node, JsonNode *json, GError **error)
{
  const guint first = report->gpus->len;

  for (guint i = 0; i < JM_N_JOBSTATS_GPU_MEMBERS; i++)
    if (!read_gpu_member (report, node, first, json, i, error))
      return FALSE;

  for (guint i = first; i < report->gpus->len; i++)
    {
      JmFigures *f = jm_run_report_peek_gpu (report, i)->figures;

      jm_figures_set (f, JM_QUANTITY_GPU_MEMORY_SHARE,
                      jm_figure_get_share (jm_figures_get (f,
                                                           JM_QUANTITY_GPU_MEMORY_MOST),
                                           jm_figures_get (f, JM_QUANTITY_GPU_MEMORY)));
    }

  return TRUE;
}

/* --- nodes --- */

static gboolean
read_node (JmRunReport *report, const char *name, JsonNode *json, GError **error)
{
  JmRunReportNode *node = jm_run_report_add_node (report, name);

  if (json == NULL || !JSON_NODE_HOLDS_OBJECT (json))
    return refuse (error, "nodes", "one is no object");
  for (guint i = 0; i < JM_N_JOBSTATS_NODE_MEMBERS; i++)
    if (!read_figure (json, jm_jobstats_node_members[i].name, node->figures,
                      jm_jobstats_node_members[i].quantity))
      return refuse (error, jm_jobstats_node_members[i].name, "no figure");
  /* jobstats has no other */
  jm_figures_set (node->figures, JM_QUANTITY_MEMORY_PEAK,
                  jm_figures_get (node->figures, JM_QUANTITY_MEMORY_RESIDENT_PEAK));

  return read_gpus (report, report->nodes->len - 1, json, error);
}

/* In natural order, as everywhere. */
static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return jm_natural_order_compare (a, b);
}

static gboolean
read_nodes (JmRunReport *report, JsonNode *json, GError **error)
{
  JsonNode *nodes = jm_json_get (json, "nodes");
  g_autoptr (GList) names = NULL;

  if (nodes == NULL || !JSON_NODE_HOLDS_OBJECT (nodes))
    return refuse (error, "nodes", "missing, or no object");
  if (json_object_get_size (json_node_get_object (nodes)) > MAX_NODES)
    return refuse (error, "nodes", "too many");

  names = json_object_get_members (json_node_get_object (nodes));
  names = g_list_sort (names, compare_names);
  for (GList *i = names; i != NULL; i = i->next)
    if (!read_node (report, i->data, jm_json_get (nodes, i->data), error))
      return FALSE;

  return TRUE;
}

static gboolean
read_run (JmRunReport *report, JsonNode *json, GError **error)
{
  JmFigure elapsed = { 0 };
  JmFigure gpus = { 0 };

  if (!read_nodes (report, json, error))
    return FALSE;
  if (!read_number (json, "total_time", &elapsed))
    return refuse (error, "total_time", "no figure");
  if (!read_number (json, "gpus", &gpus))
    return refuse (error, "gpus", "no figure");

  for (guint i = 0; i < report->nodes->len; i++)
    jm_figures_set (jm_run_report_peek_node (report, i)->figures, JM_QUANTITY_ELAPSED,
                    elapsed);
  jm_run_figures_take_run (report);
  if (!jm_figures_get (report->figures, JM_QUANTITY_GPUS_ALLOCATED).is_known)
    jm_figures_set (report->figures, JM_QUANTITY_GPUS_ALLOCATED, gpus);

  return TRUE;
}

/**
 * jm_jobstats_summary_parse:
 * @text: a comment of Slurm's accounting
 * @run: (nullable): what the accounting has of the run beside it
 * @error: return location for an error
 *
 * Reads what jobstats, or jm_jobstats_summary_format(), has kept of a run.
 *
 * - Shape: nodes in natural order, with their CPUs, CPU time and memory; accelerators,
 *   named as jobstats numbers them.
 * - Errors: `ABSENT` where the comment is none of jobstats', or says that there is
 *   nothing; `MALFORMED`, with the member, where it cannot be read.
 *
 * Returns: (transfer full): the report
 * Since: 0.1
 */
JmRunReport *
jm_jobstats_summary_parse (const char *text, JmRun *run, GError **error)
{
  g_autoptr (GByteArray) unpacked = NULL;
  g_autoptr (JsonNode) json = NULL;
  g_autoptr (JmRunReport) report = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  if (!g_str_has_prefix (text, PREFIX) || strlen (text) <= WORD_MAX)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "no summary of jobstats'");
      return NULL;
    }

  unpacked = unpack (text + strlen (PREFIX), error);
  if (unpacked == NULL)
    return NULL;
  json = jm_json_parse ((const char *) unpacked->data, unpacked->len);
  if (json == NULL || !JSON_NODE_HOLDS_OBJECT (json))
    {
      refuse (error, "text", "no JSON object");
      return NULL;
    }

  report = jm_run_report_new (run, NULL);

  return read_run (report, json, error) ? g_steal_pointer (&report) : NULL;
}
