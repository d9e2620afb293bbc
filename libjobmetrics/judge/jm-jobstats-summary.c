/* jm-jobstats-summary.c: a run as jobstats keeps it in Slurm's accounting
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-report.h"

#include <string.h>

#include "base/jm-json-writer-private.h"
#include "core/jm-converted-private.h"
#include "judge/jm-jobstats-members-private.h"
#include "judge/jm-run-report-private.h"

#define PREFIX "JS1:"
/* jobstats' words for a run that was too short, and for one of which nothing is known.
 */
#define SHORT PREFIX "Short"
#define NONE PREFIX "None"
#define SHORT_SECONDS 60

#define LEVEL 9

const JmJobstatsMember jm_jobstats_node_members[] = {
  { "total_memory", JM_QUANTITY_MEMORY_ALLOCATED, 0 },
  { "used_memory", JM_QUANTITY_MEMORY_RESIDENT_PEAK, 0 },
  { "total_time", JM_QUANTITY_CPU_TOTAL, 1 },
  { "cpus", JM_QUANTITY_CPUS, 0 },
};

const JmJobstatsMember jm_jobstats_gpu_members[] = {
  { "gpu_total_memory", JM_QUANTITY_GPU_MEMORY, 0 },
  { "gpu_used_memory", JM_QUANTITY_GPU_MEMORY_MOST, 0 },
  { "gpu_utilization", JM_QUANTITY_GPU_UTILIZATION_SHARE, 1 },
};

/* A point, whatever the locale has. */
static void
add_number (JmJsonWriter *json, const char *name, double value, int decimals)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE + 400];
  const char *format = decimals > 0 ? "%.1f" : "%.0f";

  jm_json_writer_add_json (json, name,
                           g_ascii_formatd (buffer, sizeof buffer, format, value));
}

/* --- accelerators of a node --- */

/* The number at the end of a name that is one word and a number; -1 of others. */
static int
get_number (const char *name)
{
  const gsize word = strcspn (name, "0123456789");
  const gsize digits = strspn (name + word, "0123456789");

  if (digits == 0 || digits > 4 || name[word + digits] != '\0')
    return -1;

  return atoi (name + word);
}

/* Each by its own number, or all of them counted where two would have the same. */
static void
number_gpus (const JmRunReport *report, GArray *gpus, int *numbers)
{
  gboolean is_sound = TRUE;

  for (guint i = 0; i < gpus->len; i++)
    {
      const JmRunReportGpu *gpu =
        jm_run_report_peek_gpu (report, g_array_index (gpus, guint, i));

      numbers[i] = get_number (gpu->name);
      is_sound = is_sound && numbers[i] >= 0;
      for (guint k = 0; k < i; k++)
        is_sound = is_sound && numbers[k] != numbers[i];
    }
  for (guint i = 0; i < gpus->len && !is_sound; i++)
    numbers[i] = (int) i;
}

static void
add_gpu_member (JmJsonWriter *json,
                const JmRunReport *report,
                GArray *gpus,
                const int *numbers,
                guint member)
{
  gsize length = json->out->len;

  jm_json_writer_begin_object (json, jm_jobstats_gpu_members[member].name);
  for (guint i = 0; i < gpus->len; i++)
    {
      const JmRunReportGpu *gpu =
        jm_run_report_peek_gpu (report, g_array_index (gpus, guint, i));
      char name[16];

      g_snprintf (name, sizeof name, "%d", numbers[i]);
      add_number (json, name,
                  jm_figures_get (gpu->figures,
                                  jm_jobstats_gpu_members[member].quantity)
                    .value,
                  jm_jobstats_gpu_members[member].decimals);
    }
  jm_json_writer_end_filled_object (json, length);
}

/* jobstats takes an accelerator without one of its keys for one that did nothing. */
static gboolean
is_whole_gpu (const JmRunReportGpu *gpu)
{
  for (guint i = 0; i < JM_N_JOBSTATS_GPU_MEMBERS; i++)
    if (!jm_figures_get (gpu->figures, jm_jobstats_gpu_members[i].quantity).is_known)
      return FALSE;

  return TRUE;
}

static void
add_gpus (JmJsonWriter *json, const JmRunReport *report, guint node)
{
  g_autoptr (GArray) gpus = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree int *numbers = NULL;

  for (guint i = 0; i < report->gpus->len; i++)
    {
      const JmRunReportGpu *gpu = jm_run_report_peek_gpu (report, i);

      if (gpu->node == node && is_whole_gpu (gpu))
        g_array_append_val (gpus, i);
    }

  numbers = g_new0 (int, gpus->len + 1);
  number_gpus (report, gpus, numbers);
  for (guint i = 0; i < JM_N_JOBSTATS_GPU_MEMBERS; i++)
    add_gpu_member (json, report, gpus, numbers, i);
}

/* --- the document --- */

/* Whether each node has all that jobstats reads of it. */
static gboolean
is_whole (const JmRunReport *report)
{
  const JmFigure nodes = jm_figures_get (report->figures, JM_QUANTITY_NODES);

  if (report->nodes->len == 0 ||
      (nodes.is_known && nodes.value != (double) report->nodes->len))
    return FALSE;
  for (guint i = 0; i < report->nodes->len; i++)
    for (guint k = 0; k < JM_N_JOBSTATS_NODE_MEMBERS; k++)
      if (!jm_figures_get (jm_run_report_peek_node (report, i)->figures,
                           jm_jobstats_node_members[k].quantity)
             .is_known)
        return FALSE;

  return jm_figures_get (report->figures, JM_QUANTITY_ELAPSED).is_known;
}

static void
add_node (JmJsonWriter *json, const JmRunReport *report, guint number)
{
  const JmRunReportNode *node = jm_run_report_peek_node (report, number);

  jm_json_writer_begin_object (json, node->name);
  for (guint i = 0; i < JM_N_JOBSTATS_NODE_MEMBERS; i++)
    add_number (json, jm_jobstats_node_members[i].name,
                jm_figures_get (node->figures, jm_jobstats_node_members[i].quantity)
                  .value,
                jm_jobstats_node_members[i].decimals);
  add_gpus (json, report, number);
  jm_json_writer_end_object (json);
}

/* As ASCII: the accounting's database may be of any encoding. */
static char *
make_json (const JmRunReport *report)
{
  JmJsonWriter json = { .out = g_string_new (NULL), .is_ascii = TRUE };
  const JmFigure gpus = jm_figures_get (report->figures, JM_QUANTITY_GPUS_ALLOCATED);

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_begin_object (&json, "nodes");
  for (guint i = 0; i < report->nodes->len; i++)
    add_node (&json, report, i);
  jm_json_writer_end_object (&json);
  add_number (&json, "total_time",
              jm_figures_get (report->figures, JM_QUANTITY_ELAPSED).value, 0);
  add_number (&json, "gpus", gpus.is_known ? gpus.value : report->gpus->len, 0);
  jm_json_writer_end_object (&json);

  return g_string_free (json.out, FALSE);
}

/**
 * jm_jobstats_summary_format:
 * @report: what is known of a run
 *
 * Makes the comment that jobstats and what is built on it read from Slurm's accounting:
 * `JS1:`, and in base64 a gzipped JSON document with memory, CPU time and accelerators
 * of each node.
 *
 * - Shape: `JS1:Short` of a run of less than a minute; `JS1:None` where not all that
 *   jobstats reads is known of each of its nodes.
 *
 * Returns: (transfer full): one word of ASCII
 * Since: 0.1
 */
char *
jm_jobstats_summary_format (JmRunReport *report)
{
  g_autofree char *json = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GConverter) converter = NULL;
  g_autoptr (GByteArray) packed = NULL;
  JmFigure elapsed;

  g_return_val_if_fail (report != NULL, NULL);

  elapsed = jm_figures_get (report->figures, JM_QUANTITY_ELAPSED);
  if (elapsed.is_known && elapsed.value < SHORT_SECONDS)
    return g_strdup (SHORT);
  if (!is_whole (report))
    return g_strdup (NONE);

  json = make_json (report);
  converter =
    G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, LEVEL));
  packed = jm_converted_make (converter, json, strlen (json), G_MAXUINT / 2);
  if (packed == NULL)
    return g_strdup (NONE);
  text = g_base64_encode (packed->data, packed->len);

  return g_strconcat (PREFIX, text, NULL);
}
