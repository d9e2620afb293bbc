/* jm-job-claims-private.h: what somebody says of a job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jobs/jm-job-draft-private.h"
#include "sources/jobs/jm-scheduler-definition-private.h"

G_BEGIN_DECLS

/**
 * JmJobClaims:
 * @definition: which variable tells what
 * @is_environment: whether it is a process that says so, and not root's hook
 * @text: where the variables are: `/proc/PID/environ`, or a hook's file
 * @length: of @text
 *
 * What somebody says of a job.
 */
typedef struct
{
  JmSchedulerDefinition *definition;
  gboolean is_environment;
  const char *text;
  gsize length;
} JmJobClaims;

gboolean jm_job_claims_find (const JmJobClaims *self, JmJobField field, JmSlice *value);
gboolean jm_job_claims_are_about (const JmJobClaims *self, const JmPathMatch *match);
gboolean
jm_job_claims_take (const JmJobClaims *self, JmJobDraft *draft, JmJobField *wrong);

G_END_DECLS
