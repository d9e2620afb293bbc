/* jm-identity-rules.c: how a scheduler's ids and users are to be understood
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-private.h"
#include "sources/jobs/jm-definition-groups-private.h"

#include "base/jm-error-private.h"
#include "sources/jobs/jm-path-pattern-private.h"

#define FORMS_MAX 16

struct _JmIdentityRules
{
  GPtrArray *array_forms; /* of JmPathPattern: ids of an array's jobs */
  JmJobField moment;      /* of the uuid */
  gboolean distrusts_process;
};

/**
 * jm_identity_rules_new: (skip)
 *
 * Returns: (transfer full): the usual rules
 */
JmIdentityRules *
jm_identity_rules_new (void)
{
  JmIdentityRules *self = g_new0 (JmIdentityRules, 1);

  self->array_forms =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_path_pattern_free);
  self->moment = JM_JOB_FIELD_START_TIME;

  return self;
}

/**
 * jm_identity_rules_free: (skip)
 * @self: (transfer full): the rules
 */
void
jm_identity_rules_free (JmIdentityRules *self)
{
  g_ptr_array_unref (self->array_forms);
  g_free (self);
}

/**
 * jm_identity_rules_has_group: (skip)
 * @group: of a definition
 *
 * Returns: whether jm_identity_rules_add() understands it
 */
gboolean
jm_identity_rules_has_group (const char *group)
{
  static const char *const groups[] = { "Array", "User", "Uuid", NULL };

  return g_strv_contains (groups, group);
}

static gboolean
add_array_form (JmIdentityRules *self, const char *text, GError **error)
{
  const guint needed = JM_PATH_BIT (JOB) | JM_PATH_BIT (INDEX);
  g_autoptr (JmPathPattern) form =
    jm_path_pattern_new (text, needed | JM_PATH_BIT (ANY), error);

  if (form == NULL)
    return FALSE;
  if (strchr (text, '/') != NULL)
    return jm_error_refuse (error, "an id with a slash", text);
  if ((jm_path_pattern_get_fields (form) & needed) != needed)
    return jm_error_refuse (error, "without both %j and %i", text);
  if (self->array_forms->len == FORMS_MAX)
    return jm_error_refuse (error, "more than 16 forms", text);

  g_ptr_array_add (self->array_forms, g_steal_pointer (&form));
  return TRUE;
}

static gboolean
set_array_forms (JmIdentityRules *self, const char *value, GError **error)
{
  g_auto (GStrv) texts = g_strsplit (value, ";", -1);

  g_ptr_array_set_size (self->array_forms, 0);
  for (guint i = 0; texts[i] != NULL; i++)
    if (!add_array_form (self, texts[i], error))
      return FALSE;

  return TRUE;
}

static gboolean
set_moment (JmIdentityRules *self, const char *value, GError **error)
{
  if (!jm_job_field_from_name (value, &self->moment) ||
      (self->moment != JM_JOB_FIELD_START_TIME &&
       self->moment != JM_JOB_FIELD_SUBMIT_TIME))
    return jm_error_refuse (error, "neither start_time nor submit_time", value);

  return TRUE;
}

static gboolean
set_from_process (JmIdentityRules *self, const char *value, GError **error)
{
  self->distrusts_process = g_str_equal (value, "no");

  return self->distrusts_process || g_str_equal (value, "yes") ||
         jm_error_refuse (error, "neither yes nor no", value);
}

/**
 * jm_identity_rules_add: (skip)
 * @self: the rules
 * @group: one that jm_identity_rules_has_group() knows
 * @key: a key in it
 * @value: its value
 * @error: return location for an error
 *
 * Understands a key of a definition.
 *
 * - Errors: `INVALID`: what is wrong, and the value.
 *
 * Returns: whether it could be understood
 */
gboolean
jm_identity_rules_add (JmIdentityRules *self,
                       const char *group,
                       const char *key,
                       const char *value,
                       GError **error)
{
  if (g_str_equal (group, "Array") && g_str_equal (key, "Id"))
    return set_array_forms (self, value, error);
  if (g_str_equal (group, "User") && g_str_equal (key, "FromProcess"))
    return set_from_process (self, value, error);
  if (g_str_equal (group, "Uuid") && g_str_equal (key, "Moment"))
    return set_moment (self, value, error);

  return jm_error_refuse (error, "unknown key", key);
}

/**
 * jm_identity_rules_believe_process: (skip)
 * @self: the rules
 *
 * Returns: whether the job's user is whom the kernel runs its processes for
 */
gboolean
jm_identity_rules_believe_process (const JmIdentityRules *self)
{
  return !self->distrusts_process;
}

static void
take_array (const JmIdentityRules *self, JmJobDraft *draft)
{
  const char *id = jm_job_draft_get (draft, JM_JOB_FIELD_ID);
  JmOrigin origin = jm_job_draft_get_origin (draft, JM_JOB_FIELD_ID);

  for (guint i = 0; id != NULL && i < self->array_forms->len; i++)
    {
      g_auto (JmPathMatch) match = { 0 };

      if (!jm_path_pattern_match (self->array_forms->pdata[i],
                                  (JmSlice){ id, strlen (id) }, &match))
        continue;

      jm_job_draft_set (draft, JM_JOB_FIELD_ARRAY_JOB_ID, origin,
                        match.fields[JM_PATH_FIELD_JOB], -1);
      jm_job_draft_set (draft, JM_JOB_FIELD_ARRAY_TASK_ID, origin,
                        match.fields[JM_PATH_FIELD_INDEX], -1);
      return;
    }
}

/**
 * jm_identity_rules_complete: (skip)
 * @self: the rules
 * @draft: a job whose id is known
 *
 * Adds what follows from the id, and what the uuid is to be made of.
 */
void
jm_identity_rules_complete (const JmIdentityRules *self, JmJobDraft *draft)
{
  take_array (self, draft);
  jm_job_draft_set_moment (draft, self->moment);
}
