/* jmc-hook-steps.h: the job that begins or ends, and what a hook does then, step by
 * step
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

#include "hook/jmc-hook-directory.h"

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
 * One job, as the scheduler describes it to its hook. */
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

/* What @scheduler, which is known, says by the environment and by the words on the
 * command line. NULL where that names no job. */
JmcHookJob *jmc_hook_job_read (const char *scheduler, char **environment, char **words);

void jmc_hook_job_free (JmcHookJob *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcHookJob, jmc_hook_job_free)

/* Where the exporter listens, by default. */
#define JMC_HOOK_SOCKET "/run/jobmetrics-exporter/socket"

/* Reports a job to the exporter at @socket, waits until it has read it, but no longer
 * than until @until_us by the monotonic clock. @event is `prolog` or `epilog`.
 *
 * - Errors: #GFileError, with the socket and what is amiss. */
gboolean jmc_hook_exchange (const char *socket,
                            const char *event,
                            const char *scheduler,
                            const char *job,
                            gint64 until_us,
                            GError **error);

/* JmcHookAnswer:
 * @status: of HTTP, from 100 to 999
 * @reason: the first line of the body, as one may print it; empty where there is none */
typedef struct
{
  guint status;
  char reason[128];
} JmcHookAnswer;

/* Reads the beginning of an answer in HTTP/1. FALSE where it is none. */
gboolean jmc_hook_answer_parse (const char *data, gsize length, JmcHookAnswer *answer);

/* Removes a job's cgroup, and those in it, in each hierarchy at or in @root, from the
 * leaves up, where no process is in any of them. @patterns, up to NULL, say where it may
 * be: below the root of a hierarchy, with * for a part of a name and %j for @job. No
 * link is followed, and no folder of anybody's but root's and our own. Returns how many
 * were removed. */
guint jmc_hook_cgroups_remove (const char *root,
                               const char *const *patterns,
                               const char *job);

/* The devices of a scheduler's list, such as `0,2-3` or uuids; others are left out. */
GStrv jmc_hook_gpus_list (const char *text);

/* Writes a job into the file of each of its devices, beside the jobs that share it.
 * Gives
 * up when others write at @until_us, by the monotonic clock. */
gboolean jmc_hook_gpus_add (const JmcHookDirectory *directory,
                            const char *gpus,
                            const char *job,
                            gint64 until_us,
                            GError **error);

/* Takes a job out of all files; one that names no job any more goes. */
gboolean jmc_hook_gpus_remove (const JmcHookDirectory *directory,
                               const char *job,
                               gint64 until_us,
                               GError **error);

G_END_DECLS
