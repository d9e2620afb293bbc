/* jm-job-claims.c: what somebody says of a job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-job-claims-private.h"

#include "host/jm-parse-proc-private.h"
#include "sources/jobs/jm-property-file-private.h"

static gboolean
find_name (const JmJobClaims *self, const char *name, JmSlice *value)
{
  return self->is_environment
           ? jm_parse_environ (self->text, self->length, name, value)
           : jm_properties_find (self->text, self->length, name, value);
}

/**
 * jm_job_claims_find: (skip)
 * @self: what somebody says
 * @field: a field
 * @value: (out): its value, a part of the text
 *
 * Returns: whether something is said of @field
 */
gboolean
jm_job_claims_find (const JmJobClaims *self, JmJobField field, JmSlice *value)
{
  const char *name = jm_scheduler_definition_get_variable (self->definition, field);

  return name != NULL && find_name (self, name, value) &&
         !jm_job_field_is_empty (*value);
}

/**
 * jm_job_claims_are_about: (skip)
 * @self: what somebody says
 * @match: what the path of a job tells
 *
 * Returns: whether the job of that path is meant, and its id told
 */
gboolean
jm_job_claims_are_about (const JmJobClaims *self, const JmPathMatch *match)
{
  JmSlice value;

  if (!jm_job_claims_find (self, JM_JOB_FIELD_ID, &value) ||
      !jm_job_field_check (JM_JOB_FIELD_ID, value))
    return FALSE;
  if (jm_path_match_has (match, JM_PATH_FIELD_JOB))
    return jm_slices_equal (value, match->fields[JM_PATH_FIELD_JOB]);

  return jm_job_claims_find (self, JM_JOB_FIELD_SLUID, &value) &&
         jm_slices_equal (value, match->fields[JM_PATH_FIELD_SLUID]);
}

static gboolean
may_tell (const JmJobClaims *self, JmJobField field)
{
  const char *blocker = jm_scheduler_definition_get_blocker (self->definition, field);
  JmSlice value;

  if (!self->is_environment)
    return TRUE;

  switch (field)
    {
    /* what others rely on must not be a user's word */
    case JM_JOB_FIELD_USER:
    case JM_JOB_FIELD_UID:
    case JM_JOB_FIELD_SLUID:
    case JM_JOB_FIELD_SUBMIT_TIME:
    case JM_JOB_FIELD_START_TIME:
      return FALSE;
    default:
      return blocker == NULL || !find_name (self, blocker, &value);
    }
}

/**
 * jm_job_claims_take: (skip)
 * @self: what somebody says
 * @draft: takes what is said, and may be
 * @wrong: (out): the first field whose value cannot be
 *
 * Believes what is said.
 *
 * Returns: whether all values can be
 */
gboolean
jm_job_claims_take (const JmJobClaims *self, JmJobDraft *draft, JmJobField *wrong)
{
  gboolean is_sound = TRUE;
  JmSlice value;

  for (JmJobField field = 0; field < JM_N_JOB_FIELDS; field++)
    {
      if (!may_tell (self, field) || !jm_job_claims_find (self, field, &value))
        continue;

      if (jm_job_field_check (field, value))
        jm_job_draft_set (draft, field, value);
      else if (is_sound)
        {
          is_sound = FALSE;
          *wrong = field;
        }
    }

  return is_sound;
}
