/* jm-job-inquiry-private.h: where a job's identity is read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-draft-private.h"
#include "sources/jobs/jm-scheduler-definition-private.h"

G_BEGIN_DECLS

/* Of a job that is no component of a heterogeneous one, or whose claims do not say. */
#define JM_NO_COMPONENT G_MAXUINT

/**
 * JmJobClaims:
 * @variables: which variable reports what
 * @origin: %JM_ORIGIN_ENVIRONMENT: a process says so; %JM_ORIGIN_HOOK: root's hook
 * @text: where the variables are: `/proc/PID/environ`, or a hook's file
 * @length: of @text
 * @component: which component of a heterogeneous job the job is, as
 *   jm_job_claims_are_about() found
 *
 * What somebody says of a job.
 */
typedef struct
{
  const JmVariableNames *variables;
  JmOrigin origin;
  const char *text;
  gsize length;
  guint component;
} JmJobClaims;

gboolean jm_job_claims_find (const JmJobClaims *self, JmJobField field, JmSlice *value);
gboolean jm_job_claims_are_about (JmJobClaims *self, const JmPathMatch *match);
gboolean
jm_job_claims_take (const JmJobClaims *self, JmJobDraft *draft, JmJobField *wrong);

/**
 * JmJobSpool:
 * @has_member: whether a process is in the job of a path, by its `/proc/PID/status`
 * @find_folder: the logical path of the folder that the scheduler keeps for the job of
 *   a path, or %NULL; and who may have written what is in it, beside root
 *
 * Who knows the jobs that have no cgroup of the kernel's.
 */
typedef struct
{
  gboolean (*has_member) (const char *path,
                          const char *status,
                          gsize length,
                          gpointer user_data);
  char *(*find_folder) (const char *path, guint *owner, gpointer user_data);
} JmJobSpool;

/**
 * JmJobInquiry:
 *
 * All that may report who the jobs of one scheduler are: paths, the files of hooks and
 * of the scheduler itself, the kernel, and environments.
 */
typedef struct _JmJobInquiry JmJobInquiry;

JmJobInquiry *jm_job_inquiry_new (JmHost *host,
                                  JmSchedulerDefinition *definition,
                                  const char *node_name,
                                  const char *cluster);
void jm_job_inquiry_free (JmJobInquiry *self);

void jm_job_inquiry_set_spool (JmJobInquiry *self,
                               const JmJobSpool *spool,
                               gpointer user_data,
                               GDestroyNotify destroy);

gboolean jm_job_inquiry_knows_owner (JmJobInquiry *self, const JmPathMatch *match);
JmJob *jm_job_inquiry_ask (JmJobInquiry *self, const char *path, guint pid);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmJobInquiry, jm_job_inquiry_free)

G_END_DECLS
