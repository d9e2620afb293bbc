/* jmc-local-job.h: a command as a job of the scheduler definition local
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define JMC_LOCAL_JOB_SCHEDULER "local"

/* The scheduler definition `local` knows cgroups of jobs by these two names. */
#define JMC_LOCAL_JOB_CGROUP_FOLDER "jobmetrics"
#define JMC_LOCAL_JOB_CGROUP_PREFIX "job_"

/* JmcLocalJob:
 * @id: its number, unique on this node
 * @name: what it is called
 * @start_time: seconds since 1970
 * @file: the property file, or NULL */
typedef struct
{
  char *id;
  char *name;
  gint64 start_time;
  char *file;
} JmcLocalJob;

JmcLocalJob *jmc_local_job_new (const char *name, const char *command);
void jmc_local_job_free (JmcLocalJob *self);
char **jmc_local_job_make_environment (const JmcLocalJob *self);
char *jmc_local_job_format (const JmcLocalJob *self);
gboolean jmc_local_job_publish (JmcLocalJob *self, GError **error);
void jmc_local_job_withdraw (JmcLocalJob *self);
void jmc_local_job_withdraw_id (const char *id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcLocalJob, jmc_local_job_free)

G_END_DECLS
