/* metrics-table.c: prints the manual's page of metrics, from the metric table itself
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-job.h"
#include "core/jm-metric-private.h"
#include "core/jm-subject-private.h"
#include "expose/jm-family-private.h"
#include "expose/jm-job-fields-private.h"

/* Those of steps and tasks have the names of jobs'. */
static gboolean
is_listed (JmSubjectKind kind)
{
  return kind != JM_SUBJECT_KIND_STEP && kind != JM_SUBJECT_KIND_TASK;
}

static void
print_metric (JmMetric metric)
{
  const JmMetricInfo *info = jm_metric_get_info (metric);
  g_autofree char *labels = g_strjoinv ("`, `", (char **) info->labels);
  const char *quote = info->n_labels > 0 ? "`" : "";
  g_autoptr (GString) names = g_string_new (NULL);

  for (JmSubjectKind i = 0; i < JM_N_SUBJECT_KINDS; i++)
    if (is_listed (i) && jm_metric_is_about (metric, i))
      g_string_append_printf (names, "%s`%s%s`", names->len > 0 ? ", " : "",
                              jm_subject_kind_get_prefix (i), info->name);

  g_print ("| %s | %s%s%s | %s%s |\n", names->str, quote, labels, quote, info->help,
           jm_metric_ends_with_job (metric) ? " *Ends.*" : "");
}

/* The collector `jobs` has no metric of its own: what it finds is in the first
 * table. */
static void
print_collector (JmCollector collector)
{
  gboolean has_title = FALSE;

  for (JmMetric i = 0; i < JM_N_METRICS; i++)
    {
      if (jm_metric_get_info (i)->collector != collector)
        continue;
      if (!has_title)
        g_print ("\n## Collector `%s`: %s\n\n"
                 "| Name | Own labels | Meaning |\n| --- | --- | --- |\n",
                 jm_collector_get_name (collector), jm_collector_get_help (collector));
      has_title = TRUE;
      print_metric (i);
    }
}

static void
print_families (void)
{
  g_print ("\n## Jobs, collectors and the sweep\n\n");
  g_print ("| Name | Labels | Meaning |\n| --- | --- | --- |\n");
  for (JmFamily i = 0; i < JM_N_FAMILIES; i++)
    {
      const JmFamilyInfo *info = jm_family_get_info (i);

      g_print ("| `%s` | %s | %s |\n", info->name, info->labels != NULL ? info->labels : "",
               info->help);
    }
}

static void
print_fields (const char *title, gboolean are_labels)
{
  const char *separator = " ";

  g_print ("%s", title);
  for (JmJobField i = 0; i < JM_N_JOB_FIELDS; i++)
    if (((JM_JOB_FIELDS_OF_INFO & JM_JOB_FIELD_BIT (i)) != 0) == are_labels)
      {
        g_print ("%s`%s`", separator, jm_job_field_get_name (i));
        separator = ", ";
      }
  g_print (".\n");
}

int
main (int argc, char *argv[])
{
  g_print ("<!-- Made by doc/metrics-table.c from the metric table: change that, not "
           "this. -->\n\n# Metrics\n\n");
  g_print (
    "Values are in base units. Counters end in `_total` and never fall while a job\n"
    "lives; others are gauges or info. An unknown value is absent, never zero.\n\n"
    "Every series of a job carries `jobid`, and its own label if it has one;\n"
    "`jobmetrics_job_info` alone has the job's identity. Steps and tasks have the same\n"
    "names with `jobmetrics_step_` and the label `step`, and with `jobmetrics_task_` and\n"
    "the labels `step` and `task`. `jobmetrics_node_gpu_` and `jobmetrics_job_gpu_` also\n"
    "carry `gpu`, the name of an [accelerator](../explanation/gpus.md).\n\n"
    "Of two runs of one job the running one is shown, else the last. If jobs of several\n"
    "schedulers or clusters have one id, `jobid` is `SCHEDULER:ID` or\n"
    "`SCHEDULER:CLUSTER/ID` for all but the first. `--metrics.job-label` adds `uuid`,\n"
    "`cluster` and `scheduler` to each series.\n\n"
    "Metrics marked *Ends*, such as CPUs and watts, end with the job. Totals, peaks and\n"
    "the info stay as long as the job is displayed.\n");
  print_families ();
  print_fields ("\nLabels of `jobmetrics_job_info`, unless others are chosen:", TRUE);
  print_fields ("\nFurther fields of a job:", FALSE);
  for (JmCollector i = 0; i < JM_N_COLLECTORS; i++)
    print_collector (i);

  return 0;
}
