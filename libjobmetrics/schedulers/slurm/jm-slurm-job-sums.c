/* jm-slurm-job-sums.c: sums of jobs, as Slurm's own metrics endpoint has them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/slurm/jm-slurm-gauges-private.h"

#include <string.h>

/* Slurm adds CPUs up in 16 bits: of a sum that is short of the nodes' by this much
 * something is missing. */
#define CPUS_WRAP 65536
/* What no other flag of a job says. */
#define HOLD "hold"

typedef struct
{
  JmSchedulerSum sum_of;
  const char *name; /* NULL of the cluster, and of jobs that have none */
  gint64 jobs;      /* -1 for what is not known, as in all that follow */
  gint64 states[JM_N_SCHEDULER_JOB_STATES];
  gint64 flags[JM_N_SCHEDULER_JOB_FLAGS];
  gint64 hold;
  gint64 nodes;
  gint64 cpus;
  gint64 gpus;
  gint64 memory_bytes;
} Sum;

static const struct
{
  const char *prefix;
  const char *label; /* NULL of the one that has none */
  JmSchedulerSum sum_of;
} subjects[] = {
  { JM_SLURM_GAUGES_PREFIX "jobs", NULL, JM_SCHEDULER_SUM_CLUSTER },
  { JM_SLURM_GAUGES_PREFIX "partition_jobs", "partition", JM_SCHEDULER_SUM_PARTITION },
  { JM_SLURM_GAUGES_PREFIX "account_jobs", "account", JM_SCHEDULER_SUM_ACCOUNT },
  { JM_SLURM_GAUGES_PREFIX "user_jobs", "username", JM_SCHEDULER_SUM_USER },
};

/* What is left out overlaps with the states: `finished` and `started` are each several
 * of them. */
static const JmSlurmGauge gauges[] = {
#define GAUGE(name, kind, member)                                                      \
 {                                                                                     \
  name, JM_SLURM_GAUGE_##kind, G_STRUCT_OFFSET (Sum, member)                           \
 }
#define STATE(name, state) GAUGE (name, COUNT, states[JM_SCHEDULER_JOB_STATE_##state])
#define FLAG(name, flag) GAUGE (name, COUNT, flags[JM_SCHEDULER_JOB_FLAG_##flag])
  GAUGE ("", COUNT, jobs),
  STATE ("_pending", PENDING),
  STATE ("_running", RUNNING),
  STATE ("_suspended", SUSPENDED),
  STATE ("_completed", COMPLETED),
  STATE ("_cancelled", CANCELLED),
  STATE ("_failed", FAILED),
  STATE ("_timeout", TIMEOUT),
  STATE ("_node_failed", NODE_FAIL),
  STATE ("_preempted", PREEMPTED),
  STATE ("_bootfail", BOOT_FAIL),
  STATE ("_deadline", DEADLINE),
  STATE ("_outofmemory", OUT_OF_MEMORY),
  FLAG ("_completing", COMPLETING),
  FLAG ("_configuring", CONFIGURING),
  FLAG ("_expediting", EXPEDITING),
  FLAG ("_fed_requeued", REQUEUE_FED),
  FLAG ("_powerup_node", POWER_UP_NODE),
  FLAG ("_requeued", REQUEUED),
  FLAG ("_resizing", RESIZING),
  FLAG ("_revoked", REVOKED),
  FLAG ("_signaling", SIGNALING),
  FLAG ("_stageout", STAGE_OUT),
  GAUGE ("_hold", COUNT, hold),
  GAUGE ("_nodes_alloc", COUNT, nodes),
  GAUGE ("_cpus_alloc", COUNT, cpus),
  GAUGE ("_gpus_alloc", COUNT, gpus),
  GAUGE ("_memory_alloc", MEBIBYTES, memory_bytes),
#undef FLAG
#undef STATE
#undef GAUGE
};

/* --- reading --- */

static Sum *
sum_new (JmSchedulerSum sum_of, const char *name)
{
  Sum *self = g_new (Sum, 1);

  /* all that is counted is -1 then */
  memset (self, 0xff, sizeof *self);
  self->sum_of = sum_of;
  self->name = name;

  return self;
}

static Sum *
take_sum (JmSlurmJobSums *self, JmSchedulerSum sum_of, const char *name)
{
  GHashTable *table = self->by_name[sum_of];
  const char *kept = jm_scheduler_report_keep (self->report, name);
  const char *key = kept != NULL ? kept : "";
  Sum *sum = g_hash_table_lookup (table, key);

  if (sum != NULL)
    return sum;
  if (g_hash_table_size (table) >= JM_SLURM_GAUGES_NAMES_MAX)
    {
      jm_scheduler_report_pass_over (self->report, "too many names");
      return NULL;
    }

  sum = sum_new (sum_of, kept);
  g_ptr_array_add (self->sums, sum);
  g_hash_table_insert (table, (gpointer) key, sum);

  return sum;
}

static void
add_told (gint64 *sum, gint64 value)
{
  if (value >= 0 && value <= G_MAXINT64 - MAX (*sum, 0))
    *sum = MAX (*sum, 0) + value;
}

static void
add_node (JmSlurmJobSums *self, const JmExpositionSample *sample)
{
  static const JmSlurmGauge node_gauges[] = {
    { JM_SLURM_GAUGES_PREFIX "node_cpus_alloc", JM_SLURM_GAUGE_COUNT,
      G_STRUCT_OFFSET (Sum, cpus) },
    { JM_SLURM_GAUGES_PREFIX "node_memory_alloc_bytes", JM_SLURM_GAUGE_MEBIBYTES,
      G_STRUCT_OFFSET (Sum, memory_bytes) },
  };
  Sum node = { .cpus = -1, .memory_bytes = -1 };

  jm_slurm_gauges_take (node_gauges, G_N_ELEMENTS (node_gauges), sample->name, sample,
                        self->report, &node);
  add_told (&self->node_cpus, node.cpus);
  add_told (&self->node_memory_bytes, node.memory_bytes);
}

static void
on_sample (const JmExpositionSample *sample, gpointer data)
{
  JmSlurmJobSums *self = data;

  for (guint i = 0; i < G_N_ELEMENTS (subjects); i++)
    {
      gsize length = strlen (subjects[i].prefix);
      const char *rest = sample->name + length;
      Sum *sum;

      if (strncmp (sample->name, subjects[i].prefix, length) != 0 ||
          (*rest != '\0' && *rest != '_'))
        continue;

      sum = take_sum (self, subjects[i].sum_of,
                      subjects[i].label != NULL
                        ? jm_exposition_sample_get_label (sample, subjects[i].label)
                        : NULL);
      if (sum != NULL)
        jm_slurm_gauges_take (gauges, G_N_ELEMENTS (gauges), rest, sample, self->report,
                              sum);
      return;
    }
  add_node (self, sample);
}

guint
jm_slurm_job_sums_read (JmSlurmJobSums *self,
                        const char *path,
                        const char *text,
                        gsize length)
{
  return jm_slurm_gauges_read (self->report, path, text, length, on_sample, self);
}

/* --- what sums are short of --- */

static gint64
sum_cpus (JmSlurmJobSums *self, JmSchedulerSum sum_of)
{
  gint64 cpus = 0;

  for (guint i = 0; i < self->sums->len; i++)
    {
      const Sum *sum = self->sums->pdata[i];

      if (sum->sum_of == sum_of)
        add_told (&cpus, sum->cpus);
    }

  return cpus;
}

/* The cluster has what its nodes say: the first releases had 0 there. Of other sums
 * nobody knows which of them is short. */
static void
mend (JmSlurmJobSums *self)
{
  gboolean is_short[JM_N_SCHEDULER_SUMS];

  for (guint i = 0; i < JM_N_SCHEDULER_SUMS; i++)
    is_short[i] = self->node_cpus - sum_cpus (self, (JmSchedulerSum) i) >= CPUS_WRAP;

  for (guint i = 0; i < self->sums->len; i++)
    {
      Sum *sum = self->sums->pdata[i];

      if (sum->sum_of == JM_SCHEDULER_SUM_CLUSTER)
        {
          sum->cpus = MAX (sum->cpus, self->node_cpus);
          sum->memory_bytes = MAX (sum->memory_bytes, self->node_memory_bytes);
        }
      else if (is_short[sum->sum_of])
        sum->cpus = -1;
    }
}

/* --- reports --- */

static JmSchedulerJob *
append_record (JmSlurmJobSums *self, const Sum *sum, gint64 n)
{
  JmSchedulerJob *job = jm_scheduler_report_append_job (self->report);

  job->sum_of = sum->sum_of;
  job->tasks = n;
  if (sum->sum_of == JM_SCHEDULER_SUM_PARTITION)
    job->partitions = sum->name;
  if (sum->sum_of == JM_SCHEDULER_SUM_ACCOUNT)
    job->account = sum->name;
  if (sum->sum_of == JM_SCHEDULER_SUM_USER)
    job->user = sum->name;

  return job;
}

/* The number, of those that have it; others have nothing, where that is known. */
static gint64
get_part (gint64 told, gboolean has_all)
{
  return has_all ? told : MIN (told, 0);
}

/* The endpoint has one sum of what jobs have that run or are suspended. */
static void
append_states (JmSlurmJobSums *self, const Sum *sum)
{
  JmSchedulerJobState holder = sum->states[JM_SCHEDULER_JOB_STATE_RUNNING] > 0
                                 ? JM_SCHEDULER_JOB_STATE_RUNNING
                                 : JM_SCHEDULER_JOB_STATE_SUSPENDED;

  for (guint i = 0; i < JM_N_SCHEDULER_JOB_STATES; i++)
    if (sum->states[i] > 0)
      {
        JmSchedulerJob *job = append_record (self, sum, sum->states[i]);

        job->state = (JmSchedulerJobState) i;
        job->nodes = get_part (sum->nodes, i == holder);
        job->cpus_allocated = get_part (sum->cpus, i == holder);
        job->gpus_allocated = get_part (sum->gpus, i == holder);
        job->memory_allocated_bytes = get_part (sum->memory_bytes, i == holder);
      }
}

static void
append_flags (JmSlurmJobSums *self, const Sum *sum)
{
  for (guint i = 0; i < JM_N_SCHEDULER_JOB_FLAGS; i++)
    if (sum->flags[i] > 0)
      append_record (self, sum, sum->flags[i])->flags = 1u << i;
  if (sum->hold > 0)
    append_record (self, sum, sum->hold)->other_flags =
      jm_scheduler_report_keep (self->report, HOLD);
}

/* Only the cluster's number of jobs is made of the same counts as the states: that of a
 * partition leaves out what ended, those of accounts and users have an array as one. */
static void
count_unknown (Sum *sum)
{
  gint64 rest = sum->jobs;

  if (sum->sum_of != JM_SCHEDULER_SUM_CLUSTER)
    return;
  for (guint i = 0; i < JM_N_SCHEDULER_JOB_STATES; i++)
    rest -= MAX (sum->states[i], 0);
  sum->states[JM_SCHEDULER_JOB_STATE_UNKNOWN] = rest;
}

void
jm_slurm_job_sums_finish (JmSlurmJobSums *self)
{
  mend (self);
  for (guint i = 0; i < self->sums->len; i++)
    {
      Sum *sum = self->sums->pdata[i];

      count_unknown (sum);
      append_states (self, sum);
      append_flags (self, sum);
    }
}

void
jm_slurm_job_sums_init (JmSlurmJobSums *self, JmSchedulerReport *report)
{
  *self =
    (JmSlurmJobSums){ .report = report, .node_cpus = -1, .node_memory_bytes = -1 };
  self->sums = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < JM_N_SCHEDULER_SUMS; i++)
    self->by_name[i] = g_hash_table_new (g_str_hash, g_str_equal);
}

void
jm_slurm_job_sums_clear (JmSlurmJobSums *self)
{
  for (guint i = 0; i < JM_N_SCHEDULER_SUMS; i++)
    g_clear_pointer (&self->by_name[i], g_hash_table_unref);
  g_clear_pointer (&self->sums, g_ptr_array_unref);
}
