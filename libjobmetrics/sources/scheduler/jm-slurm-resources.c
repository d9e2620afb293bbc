/* jm-slurm-resources.c: what jobs and nodes of Slurm have
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-slurm-resources-private.h"

/* --- jobs --- */

/* Who tells its CPUs would tell its GPUs. */
static gint64
count_gpus (const JmSlurmTres *tres)
{
  return tres->has_gpus || tres->has_cpus ? (gint64) tres->gpus : -1;
}

static void
add_job_gpus (JmSchedulerReport *report,
              JmSchedulerJob *job,
              const JmSlurmTres *tres,
              gboolean is_requested)
{
  for (guint i = 0; i < tres->n_types; i++)
    {
      const gint64 count = (gint64) tres->types[i].count;
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

gboolean
jm_slurm_take_job_tres (JmSchedulerReport *report,
                        JmSchedulerJob *job,
                        JmSlice text,
                        gboolean is_requested)
{
  gboolean is_pending = job->state == JM_SCHEDULER_JOB_STATE_PENDING;
  gint64 *cpus = is_requested ? &job->cpus_requested : &job->cpus_allocated;
  gint64 *memory =
    is_requested ? &job->memory_requested_bytes : &job->memory_allocated_bytes;
  gint64 *gpus = is_requested ? &job->gpus_requested : &job->gpus_allocated;
  JmSlurmTres tres;

  if (!jm_slurm_parse_tres (text, &tres) || tres.cpus > G_MAXINT64 ||
      tres.memory_bytes > G_MAXINT64 || tres.nodes > G_MAXINT64)
    return FALSE;

  *cpus = tres.has_cpus ? (gint64) tres.cpus : -1;
  *memory = tres.has_memory ? (gint64) tres.memory_bytes : -1;
  *gpus = count_gpus (&tres);
  job->nodes = tres.has_nodes ? (gint64) tres.nodes : -1;
  if (is_requested == is_pending)
    add_job_gpus (report, job, &tres, is_requested);

  return TRUE;
}

/* --- nodes --- */

/* Devices of one type may stand in several items. */
static guint64
sum_of_type (const JmSlurmTres *tres, JmSlice type)
{
  guint64 sum = 0;

  for (guint i = 0; i < tres->n_types; i++)
    if (tres->types[i].type.length == type.length &&
        memcmp (tres->types[i].type.text, type.text, type.length) == 0)
      sum += tres->types[i].count;

  return sum;
}

static gboolean
stands_before (const JmSlurmTres *tres, guint place)
{
  for (guint i = 0; i < place; i++)
    if (tres->types[i].type.length == tres->types[place].type.length &&
        memcmp (tres->types[i].type.text, tres->types[place].type.text,
                tres->types[i].type.length) == 0)
      return TRUE;

  return FALSE;
}

/* GPUs may be shared out as shards, which are told beside them. */
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
            guint64 total,
            guint64 used)
{
  const JmSchedulerGpus shares = { .gres = jm_scheduler_report_keep (report, gres),
                                   .total = (gint64) total,
                                   .allocated = (gint64) used };

  if (total > 0)
    add_gpus (report, node, &shares);
}

void
jm_slurm_set_node_gpus (JmSchedulerReport *report,
                        JmSchedulerNode *node,
                        const JmSlurmTres *total,
                        const JmSlurmTres *used)
{
  node->gpus = (gint64) total->gpus;
  node->gpus_allocated = (gint64) used->gpus;

  for (guint i = 0; i < total->n_types; i++)
    {
      JmSlice type = total->types[i].type;
      const JmSchedulerGpus gpus = {
        .gres = jm_scheduler_report_keep (report, "gpu"),
        .type = jm_scheduler_report_keep_slice (report, type),
        .total = (gint64) sum_of_type (total, type),
        .allocated = (gint64) sum_of_type (used, type),
      };

      if (!stands_before (total, i))
        add_gpus (report, node, &gpus);
    }
  add_shares (report, node, "shard", total->shards, used->shards);
  add_shares (report, node, "mps", total->mps, used->mps);
}
