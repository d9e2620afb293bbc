/* shown-report.c: reports of runs that a test makes up
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "shown-report.h"
#include "core/jm-run-part-private.h"

#include <string.h>

#include "core/jm-job-draft-private.h"
#include "core/jm-job-profile-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-snapshot-private.h"
#include "judge/jm-run-advice-private.h"

#define GIB 1073741824.0
#define CPUS 16
#define N_POINTS 60
#define POINT_US (SHOWN_REPORT_SECONDS / N_POINTS * G_USEC_PER_SEC)
/* Nobody saw what the node did in between. */
#define GAP_BEGIN 20
#define GAP_END 24

#define HOSTILE "<b>&\"'\033[31m\n\xe2\x80\xae"

/* --- what a node did --- */

static double
get_busy_cpus (guint node, guint n_nodes, guint point)
{
  if (node + 1 == n_nodes && n_nodes > 1)
    return 0.25;

  return point < 3 ? 2 : 14.5 - (double) (point % 5) * 0.5;
}

static void
add_point (JmJobProfile *profile, guint node, guint n_nodes, guint n_gpus, guint point)
{
  const gint64 from_us =
    SHOWN_REPORT_BEGIN_S * G_USEC_PER_SEC + point * (gint64) POINT_US;
  const gint64 to_us = from_us + POINT_US;
  const double cpus = get_busy_cpus (node, n_nodes, point);
  const double seconds = (double) POINT_US / G_USEC_PER_SEC;

  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU, from_us, to_us,
                          (guint64) (cpus * seconds * 1e9));
  jm_job_profile_add_level (profile, JM_PROFILE_SERIES_MEMORY, from_us, to_us,
                            (guint64) ((2 + point * 0.4 + node) * GIB));
  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_ENERGY, from_us, to_us,
                          (guint64) ((80 + cpus * 9 + n_gpus * 250) * seconds * 1e6));
  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_READ, from_us, to_us,
                          point < 10 ? 6000000000 : 20000000);
  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_WRITE, from_us, to_us,
                          point % 15 == 14 ? 4000000000 : 1000000);
  if (n_gpus == 0)
    return;
  jm_job_profile_add_level (profile, JM_PROFILE_SERIES_GPU_UTILIZATION, from_us, to_us,
                            point < 5 ? 0 : (guint64) (700000 + point % 7 * 30000));
  jm_job_profile_add_level (profile, JM_PROFILE_SERIES_GPU_MEMORY, from_us, to_us,
                            (guint64) (point < 5 ? 0 : n_gpus * 31 * GIB));
}

static JmJobProfile *
make_profile (guint node, guint n_nodes, guint n_gpus)
{
  JmJobProfile *profile = jm_job_profile_new (SHOWN_REPORT_BEGIN_S * G_USEC_PER_SEC);

  for (guint i = 0; i < N_POINTS; i++)
    if (i < GAP_BEGIN || i >= GAP_END)
      add_point (profile, node, n_nodes, n_gpus, i);

  return profile;
}

static JmJobRecord *
make_record (const char *name, JmJobProfile *profile)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (JmCollectorSet) collectors =
    jm_collector_set_copy (jm_collector_set_get_all ());
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autoptr (JmJob) job = NULL;
  const gint64 end_us = (SHOWN_REPORT_BEGIN_S + SHOWN_REPORT_SECONDS) * G_USEC_PER_SEC;
  JmJobRecordContent content = { .node = name,
                                 .state = JM_RUN_STATE_ENDED,
                                 .begin_us = SHOWN_REPORT_BEGIN_S * G_USEC_PER_SEC,
                                 .end_us = end_us,
                                 .seen_us = end_us,
                                 .profile = profile };

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, "4711", -1);
  job = jm_job_draft_to_job (draft);
  {
    const JmSubject subjects[] = { { JM_SUBJECT_KIND_NODE },
                                   { JM_SUBJECT_KIND_JOB, 0, job, NULL, end_us } };

    snapshot = jm_snapshot_new (end_us, 0, collectors, subjects,
                                G_N_ELEMENTS (subjects), readings);
  }
  content.job = job;
  content.snapshot = snapshot;

  return jm_job_record_new (&content);
}

void
shown_report_set_profile (JmRunReportNode *node, JmJobProfile *profile)
{
  g_clear_pointer (&node->record, jm_job_record_unref);
  node->record = make_record (node->name, profile);
}

/* --- figures --- */

typedef struct
{
  JmQuantityId quantity;
  double value;
} Known;

static void
know (JmFigures *figures, const Known *known, guint n_known)
{
  for (guint i = 0; i < n_known; i++)
    jm_figures_set (figures, known[i].quantity, jm_figure_known (known[i].value));
}

static void
know_estimated (JmFigures *figures, JmQuantityId quantity, double value)
{
  jm_figures_set (figures, quantity, (JmFigure){ value, TRUE, TRUE });
}

static void
add_node (JmRunReport *report, guint i, guint n_nodes, guint n_gpus)
{
  const gboolean is_idle = i + 1 == n_nodes && n_nodes > 1;
  const double cpus = is_idle ? 0.25 : 13.2;
  const Known known[] = {
    { JM_QUANTITY_CPUS, CPUS },
    { JM_QUANTITY_CPU_TOTAL, cpus * SHOWN_REPORT_SECONDS },
    { JM_QUANTITY_CPU_EFFICIENCY, cpus * 100 / CPUS },
    { JM_QUANTITY_MEMORY_PEAK, (26 + i) * GIB },
    { JM_QUANTITY_MEMORY_ALLOCATED, 64 * GIB },
    { JM_QUANTITY_MEMORY_SHARE, (26 + i) * 100.0 / 64 },
    { JM_QUANTITY_READ, 61e9 },
    { JM_QUANTITY_WRITTEN, 16e9 },
    { JM_QUANTITY_OBSERVED, 99.6 },
  };
  g_autoptr (JmJobProfile) profile = make_profile (i, n_nodes, n_gpus);
  g_autofree char *name = g_strdup_printf ("n%02u", i + 1);
  JmRunReportNode *node = jm_run_report_add_node (report, name);

  node->record = make_record (name, profile);
  know (node->figures, known, G_N_ELEMENTS (known));
  know_estimated (node->figures, JM_QUANTITY_ENERGY, 1.5e6 + n_gpus * 1.8e6);
  know_estimated (node->figures, JM_QUANTITY_EMISSIONS, 90 + n_gpus * 108);
}

static void
add_gpu (JmRunReport *report, guint node, guint i)
{
  const Known known[] = {
    { JM_QUANTITY_GPU_UTILIZATION_SHARE, i == 1 ? 0 : 74.25 },
    { JM_QUANTITY_GPU_MEMORY_MOST, i == 1 ? 0 : 31 * GIB },
    { JM_QUANTITY_GPU_MEMORY, 80 * GIB },
    { JM_QUANTITY_GPU_MEMORY_SHARE, i == 1 ? 0 : 38.75 },
    { JM_QUANTITY_ENERGY, i == 1 ? 400e3 : 1.8e6 },
  };
  g_autofree char *name = g_strdup_printf ("nvidia%u", i);
  JmRunReportGpu *gpu = jm_run_report_add_gpu (report, node, name);

  gpu->model = g_strdup ("NVIDIA H100 80GB HBM3");
  know (gpu->figures, known, G_N_ELEMENTS (known));
}

static void
know_whole (JmRunReport *report, guint n_nodes, guint n_gpus)
{
  const Known known[] = {
    { JM_QUANTITY_ELAPSED, SHOWN_REPORT_SECONDS },
    { JM_QUANTITY_TIME_LIMIT, 4 * SHOWN_REPORT_SECONDS },
    { JM_QUANTITY_TIME_SHARE, 25 },
    { JM_QUANTITY_WAIT, 602 },
    { JM_QUANTITY_OBSERVED, 99.6 },
    { JM_QUANTITY_NODES, n_nodes },
    { JM_QUANTITY_CPUS, n_nodes * CPUS },
    { JM_QUANTITY_CPU_TOTAL, 13.2 * SHOWN_REPORT_SECONDS * n_nodes },
    { JM_QUANTITY_CPU_EFFICIENCY, n_nodes > 1 ? 42.03 : 82.5 },
    { JM_QUANTITY_MEMORY_PEAK, (25 + n_nodes) * GIB },
    { JM_QUANTITY_MEMORY_ALLOCATED, 64 * GIB },
    { JM_QUANTITY_MEMORY_PER_CPU, 4 * GIB },
    { JM_QUANTITY_MEMORY_SHARE, 41.4 },
    { JM_QUANTITY_MEMORY_OOM_KILLS, 0 },
    { JM_QUANTITY_IO_WAIT, 3.5 },
    { JM_QUANTITY_THREADS_PEAK, 66 },
    { JM_QUANTITY_READ, 61e9 * n_nodes },
    { JM_QUANTITY_WRITTEN, 16e9 * n_nodes },
  };
  const Known of_gpus[] = {
    { JM_QUANTITY_GPUS_ALLOCATED, n_nodes * n_gpus },
    { JM_QUANTITY_UNUSED_GPUS, n_nodes },
    { JM_QUANTITY_GPU_UTILIZATION_SHARE, 74.25 / 2 },
    { JM_QUANTITY_GPU_MEMORY_SHARE, 38.75 },
  };

  know (report->figures, known, G_N_ELEMENTS (known));
  if (n_gpus > 0)
    know (report->figures, of_gpus, G_N_ELEMENTS (of_gpus));
  know_estimated (report->figures, JM_QUANTITY_ENERGY,
                  n_nodes * (1.5e6 + n_gpus * 1.8e6));
  know_estimated (report->figures, JM_QUANTITY_EMISSIONS,
                  n_nodes * (90.0 + n_gpus * 108));
}

/* --- who --- */

static JmRun *
make_run (guint n_nodes)
{
  static const struct
  {
    JmRunField field;
    const char *text;
  } texts[] = {
    { JM_RUN_FIELD_UUID, "2f4e3b0c-7a52-5d10-9c61-0d6f9a5f0c11" },
    { JM_RUN_FIELD_USER, "ada" },
    { JM_RUN_FIELD_ACCOUNT, "physics" },
    { JM_RUN_FIELD_PARTITION, "long" },
    { JM_RUN_FIELD_QOS, "normal" },
    { JM_RUN_FIELD_NAME, "train-model" },
    { JM_RUN_FIELD_STATE, "COMPLETED" },
  };
  const struct
  {
    JmRunField field;
    gint64 number;
  } numbers[] = {
    { JM_RUN_FIELD_SUBMIT_TIME, SHOWN_REPORT_BEGIN_S - 602 },
    { JM_RUN_FIELD_START_TIME, SHOWN_REPORT_BEGIN_S },
    { JM_RUN_FIELD_END_TIME, SHOWN_REPORT_BEGIN_S + SHOWN_REPORT_SECONDS },
    { JM_RUN_FIELD_EXIT_CODE, 0 },
  };
  JmRun *run = jm_run_new ("alpha", "4711");
  g_autofree char *list = g_strdup_printf ("n[01-%02u]", n_nodes);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    jm_run_keep_text (run, texts[i].field, texts[i].text);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    jm_run_keep_number (run, numbers[i].field, numbers[i].number);
  jm_run_keep_text (run, JM_RUN_FIELD_NODE_LIST, list);

  return run;
}

static JmRunPart *
make_energy (const char *domain, const char *quality, gint64 energy_uj)
{
  JmRunPart *part = jm_run_part_new (JM_RUN_PART_KIND_ENERGY);

  jm_run_part_set_text (part, JM_QUANTITY_NAME, domain);
  jm_run_part_set_text (part, JM_QUANTITY_ENERGY_QUALITY, quality);
  jm_run_part_set_number (part, JM_QUANTITY_ENERGY, energy_uj);

  return part;
}

static void
take_part (JmRunReport *report, JmRunPart *part)
{
  jm_run_add_part (report->run, part);
  jm_run_part_unref (part);
}

/* What the library reckons itself has tests of its own: here all figures are given. */
static JmRunReport *
make_report (JmRun *run)
{
  JmRunReport *report = jm_run_report_new (run, NULL);

  jm_figures_free (report->figures);
  report->figures = jm_figures_new ();

  return report;
}

JmRunReport *
shown_report_new (guint n_nodes, guint n_gpus)
{
  g_autoptr (JmRun) run = make_run (n_nodes);
  JmRunReport *report = make_report (run);

  for (guint i = 0; i < n_nodes; i++)
    {
      add_node (report, i, n_nodes, n_gpus);
      for (guint k = 0; k < n_gpus; k++)
        add_gpu (report, i, k);
    }
  know_whole (report, n_nodes, n_gpus);
  take_part (report, make_energy ("package", "measured", 1200000000000));
  take_part (report, make_energy ("dram", "estimated", 300000000000));

  return report;
}

JmRunReport *
shown_report_new_bare (void)
{
  g_autoptr (JmRun) run = jm_run_new ("alpha", "12");

  return make_report (run);
}

JmRunReport *
shown_report_new_hostile (void)
{
  static const JmRunField fields[] = { JM_RUN_FIELD_USER, JM_RUN_FIELD_ACCOUNT,
                                       JM_RUN_FIELD_NAME, JM_RUN_FIELD_STATE,
                                       JM_RUN_FIELD_QOS,  JM_RUN_FIELD_NODE_LIST,
                                       JM_RUN_FIELD_JOBID };
  g_autoptr (JmRun) run = jm_run_new (HOSTILE, HOSTILE);
  JmRunReport *report;
  JmRunReportGpu *gpu;
  JmRunReportNode *node;
  g_autoptr (JmJobProfile) profile = make_profile (0, 2, 1);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    jm_run_keep_text (run, fields[i], HOSTILE);
  report = make_report (run);
  node = jm_run_report_add_node (report, HOSTILE);
  node->record = make_record (HOSTILE, profile);
  jm_figures_set (node->figures, JM_QUANTITY_CPU_EFFICIENCY, jm_figure_known (250));
  gpu = jm_run_report_add_gpu (report, 0, HOSTILE);
  gpu->model = g_strdup (HOSTILE);
  jm_figures_set (gpu->figures, JM_QUANTITY_GPU_UTILIZATION_SHARE,
                  jm_figure_known (1e12));
  jm_figures_set (report->figures, JM_QUANTITY_CPU_EFFICIENCY, jm_figure_known (250));
  jm_figures_set (report->figures, JM_QUANTITY_EMISSIONS, jm_figure_known (1e12));
  take_part (report, make_energy (HOSTILE, HOSTILE, G_MAXINT64));

  return report;
}

/* --- advice --- */

GPtrArray *
shown_report_advise (void)
{
  GPtrArray *advice =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_advice_unref);

  g_ptr_array_add (advice,
                   jm_run_advice_new_take (
                     "unused-gpus", JM_ADVICE_LEVEL_ACT,
                     g_strdup ("2 of 4 GPUs did nothing"),
                     g_strdup (
                       "Nothing ran on them for as long as the job lasted, while "
                       "others waited for some."),
                     g_strdup ("Ask for 2 GPUs, or let the program use all of them: "
                               "https://example.org/gpus tells how.")));
  g_ptr_array_add (advice,
                   jm_run_advice_new_take (
                     "time-limit", JM_ADVICE_LEVEL_WARNING,
                     g_strdup ("The time limit was four times what it took"),
                     g_strdup ("It ran for 2h00m00s of 8h00m00s. The scheduler finds "
                               "a place for short jobs sooner."),
                     g_strdup ("Ask for less:\n#SBATCH --time=02:30:00")));
  g_ptr_array_add (advice,
                   jm_run_advice_new_take ("reads", JM_ADVICE_LEVEL_NOTE,
                                           g_strdup ("It read 122GB at its begin"),
                                           g_strdup ("CPUs and GPUs waited for that."),
                                           NULL));

  return advice;
}

GPtrArray *
shown_report_advise_hostile (void)
{
  GPtrArray *advice =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_advice_unref);

  g_ptr_array_add (advice,
                   jm_run_advice_new_take ("x", JM_ADVICE_LEVEL_ACT, g_strdup (HOSTILE),
                                           g_strdup (HOSTILE), g_strdup (HOSTILE)));

  return advice;
}
