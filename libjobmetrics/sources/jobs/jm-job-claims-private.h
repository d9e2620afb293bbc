/* jm-job-claims-private.h: what somebody says of a job
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
 * @variables: which variable tells what
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

G_END_DECLS
