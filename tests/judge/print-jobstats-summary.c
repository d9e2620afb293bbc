/* print-jobstats-summary.c: the summary of a made run, or of one that is read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdio.h>
#include <string.h>

#include "judge/jm-run-figures-private.h"
#include "judge/jm-run-report-private.h"
#include "judge/jm-run-report.h"

#define GIB 1073741824.0

static JmRunReportNode *
add_node (JmRunReport *report, const char *name, double cpu_seconds, double used_bytes)
{
  JmRunReportNode *node = jm_run_report_add_node (report, name);

  jm_figures_set (node->figures, JM_QUANTITY_CPUS, jm_figure_known (4));
  jm_figures_set (node->figures, JM_QUANTITY_CPU_TOTAL, jm_figure_known (cpu_seconds));
  jm_figures_set (node->figures, JM_QUANTITY_MEMORY_RESIDENT_PEAK,
                  jm_figure_known (used_bytes));
  /* files that it read filled all that it was given */
  jm_figures_set (node->figures, JM_QUANTITY_MEMORY_PEAK, jm_figure_known (8 * GIB));
  jm_figures_set (node->figures, JM_QUANTITY_MEMORY_ALLOCATED,
                  jm_figure_known (8 * GIB));

  return node;
}

static void
add_gpu (JmRunReport *report, guint node, const char *name, double utilization)
{
  JmRunReportGpu *gpu = jm_run_report_add_gpu (report, node, name);

  jm_figures_set (gpu->figures, JM_QUANTITY_GPU_UTILIZATION_SHARE,
                  jm_figure_known (utilization));
  jm_figures_set (gpu->figures, JM_QUANTITY_GPU_MEMORY, jm_figure_known (80 * GIB));
  jm_figures_set (gpu->figures, JM_QUANTITY_GPU_MEMORY_MOST, jm_figure_known (2 * GIB));
}

static JmRunReport *
make_report (double elapsed_seconds, gboolean is_whole)
{
  JmRunReport *report = jm_run_report_new (NULL, NULL);
  JmRunReportNode *node;
  JmRunReportGpu *gpu;

  add_node (report, "n1", 1234.56, 3 * GIB);
  node = add_node (report, "knoten-\xc3\xa4\"\\\xf0\x9f\x8c\xb2", 0, 1);
  if (!is_whole)
    jm_figures_set (node->figures, JM_QUANTITY_CPU_TOTAL, (JmFigure){ 0 });
  add_gpu (report, 0, "nvidia3", 71.25);
  add_gpu (report, 0, "nvidia1", 0);
  /* seen for too short to know how busy it was */
  gpu = jm_run_report_add_gpu (report, 0, "nvidia5");
  jm_figures_set (gpu->figures, JM_QUANTITY_GPU_MEMORY, jm_figure_known (80 * GIB));
  jm_figures_set (gpu->figures, JM_QUANTITY_GPU_MEMORY_MOST, jm_figure_known (GIB));
  add_gpu (report, 1, "card0:1", 5);
  add_gpu (report, 1, "card0:2", 6);
  for (guint i = 0; i < report->nodes->len; i++)
    jm_figures_set (jm_run_report_peek_node (report, i)->figures, JM_QUANTITY_ELAPSED,
                    jm_figure_known (elapsed_seconds));
  jm_run_figures_take_run (report);

  return report;
}

static void
print_figure (JmRunReport *report, const JmQuantity *quantity)
{
  double value;

  if (jm_run_report_get_value (report, quantity, &value))
    printf ("%s %.3f\n", quantity->name, value);
}

static int
print_read (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRunReport) report = jm_jobstats_summary_parse (text, NULL, &error);
  g_autoptr (GPtrArray) quantities = jm_quantity_list_of_runs ();
  g_autofree char *again = NULL;

  if (report == NULL)
    {
      printf ("%s\n", error->message);
      return 1;
    }
  again = jm_jobstats_summary_format (report);
  printf ("%s\n", again);
  for (guint i = 0; i < quantities->len; i++)
    print_figure (report, quantities->pdata[i]);
  for (guint i = 0; i < report->nodes->len; i++)
    printf ("node %s\n", jm_run_report_get_node_name (report, i));
  for (guint i = 0; i < report->gpus->len; i++)
    printf ("gpu %u %s\n", jm_run_report_get_gpu_node (report, i),
            jm_run_report_get_gpu_name (report, i));

  return 0;
}

static int
print_made (const char *kind)
{
  g_autoptr (JmRunReport) report = make_report (g_str_equal (kind, "short") ? 59 : 3600,
                                                !g_str_equal (kind, "partly"));
  g_autofree char *text = jm_jobstats_summary_format (report);

  printf ("%s\n", text);

  return 0;
}

/* usage: print-jobstats-summary whole|short|partly, or read with a summary on stdin */
int
main (int argc, char **argv)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char part[4096];
  gsize n;

  g_assert_cmpint (argc, ==, 2);
  if (!g_str_equal (argv[1], "read"))
    return print_made (argv[1]);

  while ((n = fread (part, 1, sizeof part, stdin)) > 0)
    g_string_append_len (text, part, n);

  return print_read (text->str);
}
