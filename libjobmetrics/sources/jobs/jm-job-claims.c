/* jm-job-claims.c: what somebody says of a job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-private.h"
#include "sources/jobs/jm-job-inquiry-private.h"

#include "base/jm-parse-proc-private.h"
#include "sources/jobs/jm-field-value-private.h"
#include "sources/jobs/jm-property-file-private.h"

/* As many as Slurm allows. */
#define MAX_COMPONENTS 128

static gboolean
find_name (const JmJobClaims *self, const char *name, JmSlice *value)
{
  return self->origin == JM_ORIGIN_ENVIRONMENT
           ? jm_parse_environ (self->text, self->length, name, value)
           : jm_properties_find (self->text, self->length, name, value);
}

static gboolean
find_of_component (const JmJobClaims *self,
                   const char *name,
                   guint component,
                   JmSlice *value)
{
  g_autofree char *whole =
    g_strdup_printf ("%s%s%u", name, jm_variable_names_get_separator (self->variables),
                     component);

  return find_name (self, whole, value);
}

/* What the plain variable has is the first component's; those of the others have
 * their number behind the name. */
static gboolean
find_variable (const JmJobClaims *self, const char *name, JmSlice *value)
{
  if (self->component == JM_NO_COMPONENT)
    return find_name (self, name, value);

  return find_of_component (self, name, self->component, value) ||
         (self->component == 0 && find_name (self, name, value));
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
  const char *const *names = jm_variable_names_list (self->variables, field);

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    if (find_variable (self, names[i], value) &&
        !jm_field_value_is_none (field, *value))
      return TRUE;

  return FALSE;
}

/* In all components of a heterogeneous job the plain variable has the first one's id.
 */
static gboolean
find_component (JmJobClaims *self, const char *id)
{
  const char *name = jm_variable_names_get (self->variables, JM_JOB_FIELD_ID);
  JmSlice value;

  if (jm_variable_names_get_separator (self->variables) == NULL)
    return FALSE;

  for (guint i = 0; i < MAX_COMPONENTS; i++)
    {
      if (!find_of_component (self, name, i, &value))
        return FALSE;
      if (jm_slice_equal (value, id))
        {
          self->component = i;
          return TRUE;
        }
    }

  return FALSE;
}

/* Where the path has no id there is nothing that an id could be compared with. */
static gboolean
is_id_of (JmJobClaims *self, const JmPathMatch *match)
{
  const char *id = match->fields[JM_PATH_FIELD_JOB];
  const char *sluid = match->fields[JM_PATH_FIELD_SLUID];
  JmSlice value;

  if (!jm_job_claims_find (self, JM_JOB_FIELD_ID, &value) ||
      !jm_field_value_check (JM_JOB_FIELD_ID, value))
    return FALSE;
  if (id != NULL)
    return find_component (self, id) || jm_slice_equal (value, id);

  return sluid == NULL || (jm_job_claims_find (self, JM_JOB_FIELD_SLUID, &value) &&
                           jm_slice_equal (value, sluid));
}

/**
 * jm_job_claims_are_about: (skip)
 * @self: what somebody says
 * @match: what the path of a job reports
 *
 * Returns: whether the job of that path is meant; where no variable reports an id, that
 *   is for the caller to know
 */
gboolean
jm_job_claims_are_about (JmJobClaims *self, const JmPathMatch *match)
{
  self->component = JM_NO_COMPONENT;

  return jm_variable_names_get (self->variables, JM_JOB_FIELD_ID) == NULL ||
         is_id_of (self, match);
}

/* A variable in whose presence the others mean something else: in a step of Slurm the
 * job's name is that of the step. What has a component's number is always the job's. */
/* A number below zero is of no step: Slurm 26.05 gives batch scripts
 * `SLURM_STEP_ID=-5`. */
static gboolean
is_blocked (const JmJobClaims *self, JmJobField field)
{
  const char *blocker = jm_variable_names_get_blocker (self->variables, field);
  JmSlice value;

  return self->origin == JM_ORIGIN_ENVIRONMENT && self->component == JM_NO_COMPONENT &&
         blocker != NULL && find_name (self, blocker, &value) &&
         !(value.length > 1 && value.text[0] == '-');
}

static gboolean
is_of_use (const JmJobClaims *self, JmJobField field)
{
  return jm_origin_may_tell (self->origin, field) && !is_blocked (self, field);
}

/* A component is identified by its number alone in the processes of all of them. */
static void
take_component (const JmJobClaims *self, JmJobDraft *draft)
{
  const char *name = jm_variable_names_get (self->variables, JM_JOB_FIELD_ID);
  g_autofree char *offset = NULL;
  JmSlice leader;

  if (self->component == JM_NO_COMPONENT ||
      !find_of_component (self, name, 0, &leader) ||
      !jm_field_value_check (JM_JOB_FIELD_HET_JOB_ID, leader))
    return;

  offset = g_strdup_printf ("%u", self->component);
  jm_job_draft_set (draft, JM_JOB_FIELD_HET_JOB_ID, self->origin, leader.text,
                    (gssize) leader.length);
  jm_job_draft_set (draft, JM_JOB_FIELD_HET_JOB_OFFSET, self->origin, offset, -1);
}

static void
take_further_fields (const JmJobClaims *self, JmJobDraft *draft)
{
  const char *name;
  const char *variable;
  JmSlice value;

  for (guint i = 0;
       (name = jm_variable_names_get_further (self->variables, i, &variable)) != NULL;
       i++)
    if (find_variable (self, variable, &value) && !jm_field_value_is_empty (value))
      jm_job_draft_set_further (draft, name, self->origin, value.text,
                                (gssize) value.length);
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
      if (!is_of_use (self, field) || !jm_job_claims_find (self, field, &value))
        continue;
      value = jm_field_value_cut (field, value);
      if (value.length == 0)
        continue;

      if (jm_field_value_check (field, value))
        jm_job_draft_set (draft, field, self->origin, value.text,
                          (gssize) value.length);
      else if (is_sound)
        {
          is_sound = FALSE;
          *wrong = field;
        }
    }
  take_component (self, draft);
  take_further_fields (self, draft);

  return is_sound;
}
