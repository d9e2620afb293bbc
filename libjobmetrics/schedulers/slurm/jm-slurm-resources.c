/* jm-slurm-resources.c: what jobs and nodes of Slurm have
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-resources-private.h"

#include "schedulers/jm-scheduler-report-private.h"

#define QUOTE_MAX 80

void
jm_slurm_complain_of_tres (JmSchedulerReport *report,
                           const char *name,
                           const JmSlurmTres *tres)
{
  g_autofree char *complaint = NULL;

  if (tres->unread == 0)
    return;

  complaint = g_strdup_printf ("%s: not understood: %.*s", name,
                               (int) MIN (tres->bad.length, QUOTE_MAX), tres->bad.text);
  jm_scheduler_report_complain (report, complaint);
}

/* --- jobs --- */

/* A list that names CPUs names GPUs, too, where there are any. */
static gint64
count_gpus (const JmSlurmTres *tres)
{
  const guint both = JM_SLURM_ITEM_CPU | JM_SLURM_ITEM_GPU;

  return (tres->named & both) == JM_SLURM_ITEM_CPU ? 0 : tres->gpus;
}

static void
add_job_gpus (JmSchedulerReport *report,
              JmSchedulerJob *job,
              const JmSlurmTres *tres,
              gboolean is_requested)
{
  for (guint i = 0; i < tres->n_types; i++)
    {
      const gint64 count = tres->types[i].count;
      const JmSchedulerGpus gpus = {
        .gres = jm_scheduler_report_keep (report, "gpu"),
        .type = jm_scheduler_report_keep_slice (report, tres->types[i].type),
        .total = is_requested ? count : -1,
        .allocated = is_requested ? -1 : count,
      };
      guint place = jm_scheduler_report_add_gpus (report, &gpus);

      if (i == 0)
        job->first_gpus = place;
      job->n_gpus++;
    }
}

void
jm_slurm_take_job_tres (JmSchedulerReport *report,
                        JmSchedulerJob *job,
                        const char *name,
                        JmSlice text,
                        gboolean is_requested)
{
  gboolean is_pending = job->state == JM_SCHEDULER_JOB_STATE_PENDING;
  JmSlurmTres tres;

  jm_slurm_parse_tres (text, &tres);
  jm_slurm_complain_of_tres (report, name, &tres);

  *(is_requested ? &job->cpus_requested : &job->cpus_allocated) = tres.cpus;
  *(is_requested ? &job->memory_requested_bytes : &job->memory_allocated_bytes) =
    jm_slurm_get_job_memory (tres.memory_bytes);
  *(is_requested ? &job->gpus_requested : &job->gpus_allocated) = count_gpus (&tres);
  job->nodes = tres.nodes;
  if (is_requested == is_pending)
    add_job_gpus (report, job, &tres, is_requested);
}

/* --- nodes --- */

/* GPUs may be shared out as shards, which are listed beside them. */
static void
add_gpus (JmSchedulerReport *report, JmSchedulerNode *node, const JmSchedulerGpus *gpus)
{
  guint place = jm_scheduler_report_add_gpus (report, gpus);

  if (node->n_gpus++ == 0)
    node->first_gpus = place;
}

static void
add_shares (JmSchedulerReport *report,
            JmSchedulerNode *node,
            const char *gres,
            gint64 total,
            gint64 used)
{
  const JmSchedulerGpus shares = { .gres = jm_scheduler_report_keep (report, gres),
                                   .total = total,
                                   .allocated = used };

  if (total > 0)
    add_gpus (report, node, &shares);
}

/* Slurm may leave the type out of a node's GPUs, or of those in use. Which of them are
 * in use is then known only where all are of one type. */
static gint64
count_used (const JmSlurmTres *total, const JmSlurmTres *used, JmSlice type)
{
  const JmSlice none = { "", 0 };
  gboolean is_untyped = jm_slurm_tres_count_type (used, none) != 0;

  if (total->n_types == 1 && (is_untyped || type.length == 0))
    return used->gpus;
  if (is_untyped && jm_slurm_tres_count_type (total, none) == 0)
    return -1;

  return jm_slurm_tres_count_type (used, type);
}

void
jm_slurm_set_node_gpus (JmSchedulerReport *report,
                        JmSchedulerNode *node,
                        const JmSlurmTres *total,
                        const JmSlurmTres *used)
{
  node->gpus = total->gpus;
  node->gpus_allocated = used->gpus;

  for (guint i = 0; i < total->n_types; i++)
    {
      JmSlice type = total->types[i].type;
      const JmSchedulerGpus gpus = {
        .gres = jm_scheduler_report_keep (report, "gpu"),
        .type = jm_scheduler_report_keep_slice (report, type),
        .total = total->types[i].count,
        .allocated = count_used (total, used, type),
      };

      add_gpus (report, node, &gpus);
    }
  add_shares (report, node, "shard", total->shards, used->shards);
  add_shares (report, node, "mps", total->mps, used->mps);
}
