/* jm-job.c: who a job is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-private.h"

#include <string.h>

#include "core/jm-uuid.h"

struct _JmJob
{
  char *fields[JM_N_JOB_FIELDS];
  gint64 start_time;
  gboolean uuid_is_weak;
};

static const char *const field_names[JM_N_JOB_FIELDS] = {
  [JM_JOB_FIELD_CLUSTER] = "cluster",
  [JM_JOB_FIELD_SCHEDULER] = "scheduler",
  [JM_JOB_FIELD_ID] = "jobid",
  [JM_JOB_FIELD_UUID] = "uuid",
  [JM_JOB_FIELD_SLUID] = "sluid",
  [JM_JOB_FIELD_USER] = "user",
  [JM_JOB_FIELD_UID] = "uid",
  [JM_JOB_FIELD_ACCOUNT] = "account",
  [JM_JOB_FIELD_PARTITION] = "partition",
  [JM_JOB_FIELD_QOS] = "qos",
  [JM_JOB_FIELD_NAME] = "name",
  [JM_JOB_FIELD_ARRAY_JOB_ID] = "array_jobid",
  [JM_JOB_FIELD_ARRAY_TASK_ID] = "array_taskid",
  [JM_JOB_FIELD_HET_JOB_ID] = "het_jobid",
  [JM_JOB_FIELD_HET_JOB_OFFSET] = "het_offset",
  [JM_JOB_FIELD_NODES] = "nodes",
  [JM_JOB_FIELD_GPUS] = "gpus",
  [JM_JOB_FIELD_SUBMIT_TIME] = "submit_time",
  [JM_JOB_FIELD_START_TIME] = "start_time",
  [JM_JOB_FIELD_IDENTITY] = "identity",
};

G_DEFINE_BOXED_TYPE (JmJob, jm_job, jm_job_ref, jm_job_unref)

/**
 * jm_job_field_get_name:
 * @field: a field
 *
 * Gets the name by which labels, JSON and scheduler definitions call a field.
 *
 * Returns: the name
 * Since: 0.1
 */
const char *
jm_job_field_get_name (JmJobField field)
{
  g_return_val_if_fail ((guint) field < JM_N_JOB_FIELDS, NULL);

  return field_names[field];
}

/**
 * jm_job_field_from_name:
 * @name: a name, such as `account`
 * @field: (out): the field
 *
 * Finds a field by its name.
 *
 * Returns: whether there is one of that name
 * Since: 0.1
 */
gboolean
jm_job_field_from_name (const char *name, JmJobField *field)
{
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (field != NULL, FALSE);

  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    if (g_str_equal (field_names[i], name))
      {
        *field = i;
        return TRUE;
      }

  return FALSE;
}

/* Only what came from root's hands may go into a name that other programs rely on. */
static const char *
trusted_moment (const char *const fields[JM_N_JOB_FIELDS])
{
  if (fields[JM_JOB_FIELD_SLUID] != NULL)
    return fields[JM_JOB_FIELD_SLUID];

  if (g_strcmp0 (fields[JM_JOB_FIELD_IDENTITY], JM_IDENTITY_HOOK) == 0)
    return fields[JM_JOB_FIELD_START_TIME];

  return NULL;
}

static JmJob *
job_new (const char *const fields[JM_N_JOB_FIELDS])
{
  const char *moment = trusted_moment (fields);
  JmJob *self;

  self = g_atomic_rc_box_new0 (JmJob);
  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    self->fields[i] = fields[i] != NULL ? g_utf8_make_valid (fields[i], -1) : NULL;

  self->uuid_is_weak = moment == NULL && fields[JM_JOB_FIELD_UUID] == NULL;
  if (fields[JM_JOB_FIELD_UUID] == NULL)
    self->fields[JM_JOB_FIELD_UUID] =
      jm_uuid_for_job (fields[JM_JOB_FIELD_CLUSTER], fields[JM_JOB_FIELD_ID], moment);

  if (fields[JM_JOB_FIELD_START_TIME] != NULL)
    self->start_time = g_ascii_strtoll (fields[JM_JOB_FIELD_START_TIME], NULL, 10);

  return self;
}

/**
 * jm_job_new_from_array: (skip)
 * @fields: value or %NULL for each #JmJobField; the job id must be there
 *
 * Makes a job. Where no uuid is given, it is made from cluster, job id and the SLUID
 * or else the start time; a start time that a user could have forged is not used, and
 * the uuid is weak then.
 *
 * Returns: (transfer full): the job
 * Since: 0.1
 */
JmJob *
jm_job_new_from_array (const char *const fields[JM_N_JOB_FIELDS])
{
  g_return_val_if_fail (fields[JM_JOB_FIELD_ID] != NULL, NULL);

  return job_new (fields);
}

JmJob *
jm_job_new_renamed (JmJob *self, JmJob *namesake)
{
  const char *fields[JM_N_JOB_FIELDS];
  JmJob *renamed;

  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    fields[i] = self->fields[i];
  fields[JM_JOB_FIELD_UUID] = namesake->fields[JM_JOB_FIELD_UUID];

  renamed = job_new (fields);
  renamed->uuid_is_weak = namesake->uuid_is_weak;

  return renamed;
}

/**
 * jm_job_new:
 * @fields: (element-type utf8 utf8): field names and values; `jobid` must be there
 *
 * Makes a job, as jm_job_new_from_array(), for a #JmJobSource that is written in
 * another language. Names that are no #JmJobField are passed over.
 *
 * Returns: (transfer full): the job
 * Since: 0.1
 */
JmJob *
jm_job_new (GHashTable *fields)
{
  const char *array[JM_N_JOB_FIELDS];

  g_return_val_if_fail (fields != NULL, NULL);

  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    array[i] = g_hash_table_lookup (fields, field_names[i]);

  return jm_job_new_from_array (array);
}

/**
 * jm_job_ref:
 * @self: a job
 *
 * Takes a reference.
 *
 * Returns: (transfer full): the same job
 * Since: 0.1
 */
JmJob *
jm_job_ref (JmJob *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
job_clear (JmJob *self)
{
  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    g_free (self->fields[i]);
}

/**
 * jm_job_unref:
 * @self: (transfer full): a job
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_job_unref (JmJob *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) job_clear);
}

/**
 * jm_job_get_field:
 * @self: a job
 * @field: which
 *
 * Gets what is known of one field.
 *
 * Returns: (nullable): the text, as UTF-8 (bytes that are none became U+FFFD); %NULL
 *   if unknown
 * Since: 0.1
 */
const char *
jm_job_get_field (JmJob *self, JmJobField field)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail ((guint) field < JM_N_JOB_FIELDS, NULL);

  return self->fields[field];
}

/**
 * jm_job_get_id:
 * @self: a job
 *
 * Gets the scheduler's job id.
 *
 * Returns: the job id
 * Since: 0.1
 */
const char *
jm_job_get_id (JmJob *self)
{
  return jm_job_get_field (self, JM_JOB_FIELD_ID);
}

/**
 * jm_job_get_uuid:
 * @self: a job
 *
 * Gets the job's uuid, see jm_uuid_for_job().
 *
 * Returns: the uuid
 * Since: 0.1
 */
const char *
jm_job_get_uuid (JmJob *self)
{
  return jm_job_get_field (self, JM_JOB_FIELD_UUID);
}

/**
 * jm_job_is_uuid_weak:
 * @self: a job
 *
 * Whether the uuid was made without a moment in time, so that a later job of the same
 * id would have it too.
 *
 * Returns: %TRUE for a weak uuid
 * Since: 0.1
 */
gboolean
jm_job_is_uuid_weak (JmJob *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->uuid_is_weak;
}

/**
 * jm_job_get_user:
 * @self: a job
 *
 * Gets the name of the job's user.
 *
 * Returns: (nullable): the name; %NULL if unknown
 * Since: 0.1
 */
const char *
jm_job_get_user (JmJob *self)
{
  return jm_job_get_field (self, JM_JOB_FIELD_USER);
}

/**
 * jm_job_get_start_time:
 * @self: a job
 *
 * Gets when the job started.
 *
 * Returns: seconds since 1970, 0 if unknown
 * Since: 0.1
 */
gint64
jm_job_get_start_time (JmJob *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->start_time;
}

static gboolean
is_pair (const char *major, char separator, const char *minor, const char *text)
{
  gsize length;

  if (major == NULL || minor == NULL || !g_str_has_prefix (text, major))
    return FALSE;

  length = strlen (major);

  return text[length] == separator && g_str_equal (text + length + 1, minor);
}

/**
 * jm_job_is_called:
 * @self: a job
 * @id: a job id, `ARRAY_INDEX` of a job array, `HET+OFFSET` of a heterogeneous job,
 *   Slurm's SLUID, or a uuid
 *
 * Whether a job is the one that a person means by @id.
 *
 * Returns: %TRUE if it is
 * Since: 0.1
 */
gboolean
jm_job_is_called (JmJob *self, const char *id)
{
  static const JmJobField whole[] = { JM_JOB_FIELD_ID, JM_JOB_FIELD_UUID,
                                      JM_JOB_FIELD_SLUID };
  static const struct
  {
    JmJobField major;
    char separator;
    JmJobField minor;
  } pairs[] = {
    { JM_JOB_FIELD_ARRAY_JOB_ID, '_', JM_JOB_FIELD_ARRAY_TASK_ID },
    { JM_JOB_FIELD_HET_JOB_ID, '+', JM_JOB_FIELD_HET_JOB_OFFSET },
  };

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (id != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (whole); i++)
    if (g_strcmp0 (self->fields[whole[i]], id) == 0)
      return TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    if (is_pair (self->fields[pairs[i].major], pairs[i].separator,
                 self->fields[pairs[i].minor], id))
      return TRUE;

  return FALSE;
}
