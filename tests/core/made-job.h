/* made-job.h: jobs that a test makes up
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-job-draft-private.h"

/* A job of which @origin reported the fields that it may report; its id is known anyhow. */
static inline JmJob *
made_job_new (const char *const fields[JM_N_JOB_FIELDS], JmOrigin origin)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();

  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    jm_job_draft_set (draft, i, origin, fields[i], -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, fields[JM_JOB_FIELD_ID],
                    -1);

  return jm_job_draft_to_job (draft);
}
