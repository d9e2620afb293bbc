/* jm-job.c: who a job is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-private.h"

#include <string.h>

#include "core/jm-job-draft-private.h"

/* between a job's name and whose it is: SCHEDULER:CLUSTER/NAME */
#define SCHEDULER_SEPARATOR ':'
#define CLUSTER_SEPARATOR '/'

#define HASH_BASIS 2166136261u

G_DEFINE_BOXED_TYPE (JmJob, jm_job, jm_job_ref, jm_job_unref)

/**
 * jm_job_new:
 * @fields: (element-type utf8 utf8): field names and values; `jobid` must be there
 * @origin: their origin
 *
 * Makes a job, for a #JmJobSource that is written in another language. Names that are
 * no #JmJobField are passed over, and so are fields that @origin may not report; the
 * job id always counts. Where no uuid is given, it is made of
 * the others, see jm_job_get_uuid().
 *
 * Returns: (transfer full): the job
 * Since: 0.1
 */
JmJob *
jm_job_new (GHashTable *fields, JmOrigin origin)
{
  g_autoptr (JmJobDraft) draft = NULL;
  const char *id;

  g_return_val_if_fail (fields != NULL, NULL);
  g_return_val_if_fail (origin > JM_ORIGIN_NONE && origin < JM_N_ORIGINS, NULL);

  id = g_hash_table_lookup (fields, jm_job_field_get_name (JM_JOB_FIELD_ID));
  g_return_val_if_fail (id != NULL, NULL);

  draft = jm_job_draft_new ();
  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    jm_job_draft_set (draft, i, origin,
                      g_hash_table_lookup (fields, jm_job_field_get_name (i)), -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, id, -1);

  return jm_job_draft_to_job (draft);
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
  jm_further_fields_clear (&self->further);
  g_free (self->run_key);
  g_free (self->alias);
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
 * jm_job_get_origin:
 * @self: a job
 * @field: which
 *
 * Gets the origin of a field.
 *
 * Returns: the origin; %JM_ORIGIN_NONE of a field that is not known
 * Since: 0.1
 */
JmOrigin
jm_job_get_origin (JmJob *self, JmJobField field)
{
  g_return_val_if_fail (self != NULL, JM_ORIGIN_NONE);
  g_return_val_if_fail ((guint) field < JM_N_JOB_FIELDS, JM_ORIGIN_NONE);

  return self->origins[field];
}

/**
 * jm_job_list_further_fields:
 * @self: a job
 *
 * Lists what is known beside the fields of #JmJobField, as the scheduler's definition
 * declares in its group `Fields`.
 *
 * Returns: (transfer full) (array zero-terminated=1): their names, sorted; at most
 *   eight
 * Since: 0.1
 */
char **
jm_job_list_further_fields (JmJob *self)
{
  char **names;

  g_return_val_if_fail (self != NULL, NULL);

  names = g_new0 (char *, self->further.n_fields + 1);
  for (guint i = 0; i < self->further.n_fields; i++)
    names[i] = g_strdup (self->further.fields[i].name);

  return names;
}

/**
 * jm_job_get_further_field:
 * @self: a job
 * @name: one that the scheduler's definition declares, such as `walltime`
 *
 * Gets what is known of a further field.
 *
 * Returns: (nullable): the text as the scheduler wrote it, as UTF-8, at most 1024 bytes
 *   of which were read; %NULL if unknown
 * Since: 0.1
 */
const char *
jm_job_get_further_field (JmJob *self, const char *name)
{
  const JmFurtherField *field;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  field = jm_further_fields_find (&self->further, name);

  return field != NULL ? field->value : NULL;
}

/**
 * jm_job_get_further_origin:
 * @self: a job
 * @name: one that the scheduler's definition declares
 *
 * Gets the origin of a further field: environment, hook or configuration.
 *
 * Returns: the origin; %JM_ORIGIN_NONE of a field that is not known
 * Since: 0.1
 */
JmOrigin
jm_job_get_further_origin (JmJob *self, const char *name)
{
  const JmFurtherField *field;

  g_return_val_if_fail (self != NULL, JM_ORIGIN_NONE);
  g_return_val_if_fail (name != NULL, JM_ORIGIN_NONE);

  field = jm_further_fields_find (&self->further, name);

  return field != NULL ? field->origin : JM_ORIGIN_NONE;
}

/**
 * jm_job_count_fields:
 * @self: a job
 * @origin: an origin
 *
 * Counts the fields that one origin reported, further ones too; the uuid, which is made
 * of others, is none.
 *
 * Returns: how many
 * Since: 0.1
 */
guint
jm_job_count_fields (JmJob *self, JmOrigin origin)
{
  guint n = 0;

  g_return_val_if_fail (self != NULL, 0);

  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    n +=
      i != JM_JOB_FIELD_UUID && self->fields[i] != NULL && self->origins[i] == origin;
  for (guint i = 0; i < self->further.n_fields; i++)
    n += self->further.fields[i].origin == origin;

  return n;
}

/**
 * jm_job_is_decided:
 * @self: a job
 *
 * Whether it is decided who the job is: no field of it will change any more. Before
 * that more may become known from sweep to sweep; the uuid never changes.
 *
 * Returns: %TRUE if it is
 * Since: 0.1
 */
gboolean
jm_job_is_decided (JmJob *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->is_decided;
}

/**
 * jm_job_get_run_key:
 * @self: a job
 *
 * Gets what names this run of the job on this node, whatever else is known of it: the
 * machine's boot id, a slash, and the number (inode) of the job's cgroup. A job that is
 * requeued has another one.
 *
 * Returns: (nullable): the key; %NULL where the machine does not report it
 * Since: 0.1
 */
const char *
jm_job_get_run_key (JmJob *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->run_key;
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
 * Gets the job's uuid. It is made of the scheduler's own unique id where it has one;
 * else of cluster, job id and start time.
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
 * Whether the uuid was made without a unique id and without a start time, so that a
 * later job of the same id would have it too: no key of a store.
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

/* By what people and programs call a job: fields, and two with a character between. */
static const JmJobField whole_names[] = { JM_JOB_FIELD_ID, JM_JOB_FIELD_UUID,
                                          JM_JOB_FIELD_SLUID };
static const struct
{
  JmJobField major;
  char separator;
  JmJobField minor;
} paired_names[] = {
  { JM_JOB_FIELD_ARRAY_JOB_ID, '_', JM_JOB_FIELD_ARRAY_TASK_ID },
  { JM_JOB_FIELD_HET_JOB_ID, '+', JM_JOB_FIELD_HET_JOB_OFFSET },
};

static gboolean
is_pair (const char *major, char separator, const char *minor, const char *text)
{
  gsize length;

  if (major == NULL || minor == NULL || !g_str_has_prefix (text, major))
    return FALSE;

  length = strlen (major);

  return text[length] == separator && g_str_equal (text + length + 1, minor);
}

/* Of `12[3].server` and `12.0` also what stands before the first dot. */
static gsize
get_short_length (const char *id)
{
  gsize length = strcspn (id, ".");

  return id[length] == '.' ? length : 0;
}

static gboolean
is_short_id (const char *id, const char *text)
{
  gsize length = get_short_length (id);

  return length > 0 && strlen (text) == length && memcmp (id, text, length) == 0;
}

/* FNV-1a, which goes on from @hash, of what follows the last separator: a name may be
 * asked for with the scheduler and cluster before it, or without. */
static guint
hash_text (guint hash, const char *text, gsize length)
{
  for (const char *p = text; p < text + length; p++)
    hash = *p == SCHEDULER_SEPARATOR || *p == CLUSTER_SEPARATOR
             ? HASH_BASIS
             : (hash ^ (guint8) *p) * 16777619u;

  return hash;
}

guint
jm_job_hash_name (const char *name)
{
  return hash_text (HASH_BASIS, name, strlen (name));
}

guint
jm_job_hash_names (JmJob *self, guint hashes[JM_JOB_MAX_NAMES])
{
  const char *id = self->fields[JM_JOB_FIELD_ID];
  guint n = 0;

  G_STATIC_ASSERT (G_N_ELEMENTS (whole_names) + G_N_ELEMENTS (paired_names) + 2 <=
                   JM_JOB_MAX_NAMES);

  for (guint i = 0; i < G_N_ELEMENTS (whole_names); i++)
    if (self->fields[whole_names[i]] != NULL)
      hashes[n++] = jm_job_hash_name (self->fields[whole_names[i]]);

  for (guint i = 0; i < G_N_ELEMENTS (paired_names); i++)
    {
      const char separator[] = { paired_names[i].separator, '\0' };
      const char *major = self->fields[paired_names[i].major];
      const char *minor = self->fields[paired_names[i].minor];

      if (major != NULL && minor != NULL)
        hashes[n++] = hash_text (hash_text (jm_job_hash_name (major), separator, 1),
                                 minor, strlen (minor));
    }

  if (self->alias != NULL)
    hashes[n++] = jm_job_hash_name (self->alias);
  if (get_short_length (id) > 0)
    hashes[n++] = hash_text (HASH_BASIS, id, get_short_length (id));

  return n;
}

/* The rest of @id if it begins with what @field is, and @separator; else NULL. */
static const char *
skip_prefix (JmJob *self, JmJobField field, char separator, const char *id)
{
  const char *prefix = self->fields[field];

  if (prefix == NULL || !g_str_has_prefix (id, prefix) ||
      id[strlen (prefix)] != separator)
    return NULL;

  return id + strlen (prefix) + 1;
}

/* Without the scheduler and cluster that it names, if they are the job's. */
static const char *
skip_owner (JmJob *self, const char *id)
{
  const char *rest =
    skip_prefix (self, JM_JOB_FIELD_SCHEDULER, SCHEDULER_SEPARATOR, id);

  if (rest != NULL)
    id = rest;
  rest = skip_prefix (self, JM_JOB_FIELD_CLUSTER, CLUSTER_SEPARATOR, id);

  return rest != NULL ? rest : id;
}

/**
 * jm_job_is_called:
 * @self: a job
 * @id: a job id, `ARRAY_INDEX` of a job array, `HET+OFFSET` of a heterogeneous job,
 *   what stands before the first dot of an id such as `12.server`, what the job's
 *   cgroup is called, Slurm's SLUID, or a uuid; where two schedulers or clusters may
 *   have the id, `SCHEDULER:ID`, `CLUSTER/ID` or `SCHEDULER:CLUSTER/ID`
 *
 * Whether a job is the one that a person means by @id.
 *
 * Returns: %TRUE if it is
 * Since: 0.1
 */
gboolean
jm_job_is_called (JmJob *self, const char *id)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (id != NULL, FALSE);

  id = skip_owner (self, id);
  for (guint i = 0; i < G_N_ELEMENTS (whole_names); i++)
    if (g_strcmp0 (self->fields[whole_names[i]], id) == 0)
      return TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (paired_names); i++)
    if (is_pair (self->fields[paired_names[i].major], paired_names[i].separator,
                 self->fields[paired_names[i].minor], id))
      return TRUE;

  return g_strcmp0 (self->alias, id) == 0 ||
         is_short_id (self->fields[JM_JOB_FIELD_ID], id);
}
