/* jm-job-draft.c: a job that is being put together
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-draft-private.h"

#include <string.h>

#include "core/jm-job-private.h"
#include "core/jm-uuid-private.h"

struct _JmJobDraft
{
  char *fields[JM_N_JOB_FIELDS];
  JmOrigin origins[JM_N_JOB_FIELDS];
  JmFurtherFields further;
  char *run_key;
  char *alias;
  gboolean is_uuid_weak;
  gboolean is_decided;
  gboolean is_partial;
  gboolean is_named_by_submission;
};

JmJobDraft *
jm_job_draft_new (void)
{
  return g_new0 (JmJobDraft, 1);
}

void
jm_job_draft_free (JmJobDraft *self)
{
  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    g_free (self->fields[i]);
  jm_further_fields_clear (&self->further);
  g_free (self->run_key);
  g_free (self->alias);
  g_free (self);
}

static void
replace (JmJobDraft *self, JmJobField field, JmOrigin origin, char *value)
{
  g_free (self->fields[field]);
  self->fields[field] = value;
  self->origins[field] = value != NULL ? origin : JM_ORIGIN_NONE;
}

/* A name and a number of different origins may be two users. */
static void
forget_other_half (JmJobDraft *self, JmJobField field, JmOrigin origin)
{
  JmJobField other;

  if (field == JM_JOB_FIELD_UID)
    other = JM_JOB_FIELD_USER;
  else if (field == JM_JOB_FIELD_USER)
    other = JM_JOB_FIELD_UID;
  else
    return;

  if (self->origins[other] < origin)
    replace (self, other, JM_ORIGIN_NONE, NULL);
}

/* A job that goes by one id goes by no other. */
static gboolean
is_another_id (const JmJobDraft *self,
               JmJobField field,
               const char *value,
               gssize length)
{
  const char *known = self->fields[field];

  if (field != JM_JOB_FIELD_ID || known == NULL)
    return FALSE;

  return length < 0 ? !g_str_equal (known, value)
                    : strlen (known) != (gsize) length ||
                        memcmp (known, value, (gsize) length) != 0;
}

gboolean
jm_job_draft_set (JmJobDraft *self,
                  JmJobField field,
                  JmOrigin origin,
                  const char *value,
                  gssize length)
{
  if (value == NULL || origin <= self->origins[field] ||
      !jm_origin_may_tell (origin, field) || is_another_id (self, field, value, length))
    return FALSE;

  forget_other_half (self, field, origin);
  replace (self, field, origin, g_utf8_make_valid (value, length));

  return TRUE;
}

gboolean
jm_job_draft_set_further (JmJobDraft *self,
                          const char *name,
                          JmOrigin origin,
                          const char *value,
                          gssize length)
{
  return jm_further_fields_set (&self->further, name, origin, value, length);
}

const char *
jm_job_draft_get (const JmJobDraft *self, JmJobField field)
{
  return self->fields[field];
}

JmOrigin
jm_job_draft_get_origin (const JmJobDraft *self, JmJobField field)
{
  return self->origins[field];
}

/* What its path calls it, as its id is not known yet. */
static gboolean
is_stand_in (const JmJob *job)
{
  return job->origins[JM_JOB_FIELD_ID] == JM_ORIGIN_PATH &&
         g_strcmp0 (job->fields[JM_JOB_FIELD_ID], job->alias) == 0;
}

gboolean
jm_job_draft_merge (JmJobDraft *self, JmJob *job)
{
  gboolean has_changed = jm_further_fields_merge (&self->further, &job->further);

  self->is_named_by_submission |= job->is_named_by_submission;
  if (self->alias == NULL)
    self->alias = g_strdup (job->alias);

  /* a uuid is made of the others once all are known, unless a source gave it */
  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    if (job->origins[i] != JM_ORIGIN_NONE &&
        !(i == JM_JOB_FIELD_ID && is_stand_in (job)))
      has_changed |= jm_job_draft_set (self, i, job->origins[i], job->fields[i], -1);

  return has_changed;
}

void
jm_job_draft_set_uuid (JmJobDraft *self, const char *uuid, gboolean is_weak)
{
  replace (self, JM_JOB_FIELD_UUID, JM_ORIGIN_CONFIGURATION, g_strdup (uuid));
  self->is_uuid_weak = is_weak;
}

void
jm_job_draft_keep_uuid (JmJobDraft *self, JmJob *job)
{
  replace (self, JM_JOB_FIELD_UUID, job->origins[JM_JOB_FIELD_UUID],
           g_strdup (job->fields[JM_JOB_FIELD_UUID]));
  self->is_uuid_weak = job->uuid_is_weak;
}

void
jm_job_draft_set_run_key (JmJobDraft *self, const char *run_key)
{
  g_free (self->run_key);
  self->run_key = g_strdup (run_key);
}

void
jm_job_draft_set_alias (JmJobDraft *self, const char *alias)
{
  g_free (self->alias);
  self->alias = g_strdup (alias);
}

void
jm_job_draft_set_decided (JmJobDraft *self)
{
  self->is_decided = TRUE;
}

void
jm_job_draft_set_partial (JmJobDraft *self)
{
  self->is_partial = TRUE;
}

void
jm_job_draft_set_moment (JmJobDraft *self, JmJobField moment)
{
  self->is_named_by_submission = moment == JM_JOB_FIELD_SUBMIT_TIME;
}

static gint64
parse_time (const char *text)
{
  gint64 seconds;

  return text != NULL &&
             g_ascii_string_to_signed (text, 10, 0, G_MAXINT64, &seconds, NULL)
           ? seconds
           : 0;
}

/* What the scheduler itself gives no second job: Slurm's SLUID, the uuid of a pod. */
static const char *
get_unique_id (const JmJob *job)
{
  const char *id = job->fields[JM_JOB_FIELD_ID];

  return job->fields[JM_JOB_FIELD_SLUID] == NULL && g_uuid_string_is_valid (id)
           ? id
           : job->fields[JM_JOB_FIELD_SLUID];
}

static void
make_uuid (JmJob *job)
{
  const char *unique = get_unique_id (job);
  JmJobField moment =
    job->is_named_by_submission ? JM_JOB_FIELD_SUBMIT_TIME : JM_JOB_FIELD_START_TIME;
  gint64 time = parse_time (job->fields[moment]);

  if (unique != NULL)
    job->fields[JM_JOB_FIELD_UUID] =
      jm_uuid_for_unique_id (job->fields[JM_JOB_FIELD_SCHEDULER], unique);
  else
    job->fields[JM_JOB_FIELD_UUID] =
      jm_uuid_for_job (job->fields[JM_JOB_FIELD_CLUSTER], job->fields[JM_JOB_FIELD_ID],
                       time);

  job->uuid_is_weak = unique == NULL && time == 0;
}

JmJob *
jm_job_draft_to_job (const JmJobDraft *self)
{
  JmJob *job;

  g_return_val_if_fail (self->fields[JM_JOB_FIELD_ID] != NULL, NULL);

  job = g_atomic_rc_box_new0 (JmJob);
  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    {
      job->fields[i] = g_strdup (self->fields[i]);
      job->origins[i] = self->origins[i];
    }
  jm_further_fields_merge (&job->further, &self->further);
  job->run_key = g_strdup (self->run_key);
  job->alias = g_strdup (self->alias);
  job->is_decided = self->is_decided;
  job->is_partial = self->is_partial;
  job->is_named_by_submission = self->is_named_by_submission;
  job->start_time = parse_time (self->fields[JM_JOB_FIELD_START_TIME]);
  job->uuid_is_weak = self->is_uuid_weak;
  if (job->fields[JM_JOB_FIELD_UUID] == NULL)
    make_uuid (job);

  return job;
}
