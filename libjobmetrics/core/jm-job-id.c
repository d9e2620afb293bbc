/* jm-job-id.c: a job's id as its scheduler's own tools write it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job.h"

static char *
join_fields (JmJob *job, JmJobField major, const char *separator, JmJobField minor)
{
  const char *first = jm_job_get_field (job, major);
  const char *second = jm_job_get_field (job, minor);

  if (first == NULL || second == NULL)
    return NULL;

  return g_strconcat (first, separator, second, NULL);
}

/* What is more than a number has the array's already. */
static gboolean
is_number (const char *id)
{
  return id[strspn (id, "0123456789")] == '\0';
}

/**
 * jm_job_format_id:
 * @job: a job
 *
 * Makes of a job's id what its scheduler's own tools show: `ARRAY_INDEX` of a job of an
 * array, `HET+OFFSET` of a component of a heterogeneous job, else the id itself.
 *
 * Returns: (transfer full): the id
 * Since: 0.1
 */
char *
jm_job_format_id (JmJob *job)
{
  char *id = NULL;

  if (is_number (jm_job_get_id (job)))
    id = join_fields (job, JM_JOB_FIELD_ARRAY_JOB_ID, "_", JM_JOB_FIELD_ARRAY_TASK_ID);
  if (id == NULL)
    id = join_fields (job, JM_JOB_FIELD_HET_JOB_ID, "+", JM_JOB_FIELD_HET_JOB_OFFSET);

  return id != NULL ? id : g_strdup (jm_job_get_id (job));
}
