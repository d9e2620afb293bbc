/* jmc-hook-job.h: which job a hook of a scheduler is about, and who it is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A scheduler's two names for a job, as Slurm has them. */
#define JMC_HOOK_MAX_NAMES 2

/* JmcHookJob:
 * @scheduler: whose job it is
 * @id: what the job is called
 * @names: of its property files, and what %j stands for in @cgroups, in turn; the second
 *   may be NULL
 * @properties: the lines of its property file
 * @gpus: (nullable): its accelerators, as the scheduler lists them
 * @cgroups: where the scheduler makes the job's cgroup, below the root of a hierarchy
 *
 * One job, as the scheduler tells its hook. */
typedef struct
{
  const char *scheduler;
  char *id;
  char *names[JMC_HOOK_MAX_NAMES];
  GString *properties;
  char *gpus;
  const char *const *cgroups;
} JmcHookJob;

/* The schedulers that are known, up to NULL. */
const char *const *jmc_hook_job_list_schedulers (void);

/* What @scheduler, which is known, tells by the environment and by the words on the
 * command line. NULL where that names no job. */
JmcHookJob *jmc_hook_job_read (const char *scheduler, char **environment, char **words);

void jmc_hook_job_free (JmcHookJob *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcHookJob, jmc_hook_job_free)

G_END_DECLS
