/* jm-run.c: a run of a job, as an accounting database has it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-run-private.h"

#include <string.h>

#include "core/jm-run-part-private.h"
#include "core/jm-uuid-private.h"

/* Any user may make cgroups of that name: `jobmetrics-cli run` does. */
#define LOCAL "local"
/* Its jobs are in PBS' logs, which are of the same form. */
#define TORQUE "torque"
#define PBS "pbs"

G_DEFINE_BOXED_TYPE (JmRun, jm_run, jm_run_ref, jm_run_unref)

/* Text that any database takes: UTF-8, and no longer than it may be. */
static char *
make_text (const char *text, gsize max)
{
  gsize length = strnlen (text, max + 1);
  char *valid;

  if (length > max)
    {
      /* not in the midst of a character */
      while (max > 0 && (text[max] & 0xc0) == 0x80)
        max--;
      length = max;
    }
  if (g_utf8_validate_len (text, length, NULL))
    return g_strndup (text, length);

  valid = g_utf8_make_valid (text, (gssize) length);

  return valid;
}

/**
 * jm_run_new:
 * @cluster: the cluster's name
 * @raw_id: the scheduler's own number of the job, never `12_3` or `12+1`
 *
 * Creates a run of which nothing is known.
 *
 * Returns: (transfer full): the run
 * Since: 0.1
 */
JmRun *
jm_run_new (const char *cluster, const char *raw_id)
{
  JmRun *self;

  g_return_val_if_fail (cluster != NULL, NULL);
  g_return_val_if_fail (raw_id != NULL, NULL);

  self = g_atomic_rc_box_new0 (JmRun);
  self->cluster = make_text (cluster, 255);
  self->scheduler = g_strdup ("");
  self->raw_id = make_text (raw_id, 255);
  for (guint i = 0; i < JM_N_RUN_NUMBERS; i++)
    self->numbers[i] =
      jm_run_field_is_time ((JmRunField) (JM_N_RUN_TEXTS + i)) ? 0 : JM_RUN_UNKNOWN;
  memset (self->sources, '0', JM_N_RUN_FIELDS);

  return self;
}

/**
 * jm_run_ref:
 * @self: a run
 *
 * Adds a reference.
 *
 * Returns: (transfer full): @self
 * Since: 0.1
 */
JmRun *
jm_run_ref (JmRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  JmRun *self = data;

  g_free (self->cluster);
  g_free (self->scheduler);
  g_free (self->raw_id);
  for (guint i = 0; i < JM_N_RUN_TEXTS; i++)
    g_free (self->texts[i]);
  for (guint i = 0; i < JM_N_RUN_PART_KINDS; i++)
    g_clear_pointer (&self->parts[i], g_ptr_array_unref);
}

/**
 * jm_run_unref:
 * @self: (transfer full): a run
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
jm_run_unref (JmRun *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, clear);
}

const char *
jm_run_get_cluster (JmRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->cluster;
}

/* Gets the scheduler's own number of its job. */
const char *
jm_run_get_raw_id (JmRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->raw_id;
}

/* Sets whose job it is. Two schedulers of one cluster may give the same number. */
void
jm_run_set_scheduler (JmRun *self, const char *scheduler)
{
  g_return_if_fail (self != NULL);

  g_free (self->scheduler);
  self->scheduler = make_text (scheduler == NULL                 ? ""
                               : g_str_equal (scheduler, TORQUE) ? PBS
                                                                 : scheduler,
                               255);
}

/* Gets the scheduler whose job it is.
 *
 * Returns its name; NULL where it is not known. */
const char *
jm_run_get_scheduler (JmRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return *self->scheduler != '\0' ? self->scheduler : NULL;
}

/* Sets a field. What is longer than the field may be is cut, and what is no UTF-8
 * replaced. NULL or an empty text is not known. */
void
jm_run_keep_text (JmRun *self, JmRunField field, const char *text)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (jm_run_field_holds_text (field));

  g_free (self->texts[field]);
  self->texts[field] = text != NULL && *text != '\0'
                         ? make_text (text, (gsize) jm_run_field_get_max (field))
                         : NULL;
}

/* Sets a field, in the unit of its column. A negative number, one that the field cannot
 * have, and 0 of a time are not known. */
void
jm_run_keep_number (JmRun *self, JmRunField field, gint64 number)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail ((guint) field < JM_N_RUN_FIELDS &&
                    !jm_run_field_holds_text (field));

  if (number < 0 || number > jm_run_field_get_max (field))
    number = jm_run_field_is_time (field) ? 0 : JM_RUN_UNKNOWN;
  self->numbers[field - JM_N_RUN_TEXTS] = number;
}

/* Gets a field.
 *
 * Returns the text; NULL where it is not known. */
const char *
jm_run_peek_text (JmRun *self, JmRunField field)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (jm_run_field_holds_text (field), NULL);

  return self->texts[field];
}

/* Gets a field, in the unit of its column.
 *
 * Returns whether it is known. */
gboolean
jm_run_get_number (JmRun *self, JmRunField field, gint64 *number)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail ((guint) field < JM_N_RUN_FIELDS &&
                          !jm_run_field_holds_text (field),
                        FALSE);
  g_return_val_if_fail (number != NULL, FALSE);

  *number = jm_run_has (self, field) ? jm_run_peek (self, field) : 0;

  return jm_run_has (self, field);
}

/* Gets the source of a field of a run that came out of a database.
 *
 * Returns the source. */
JmRunSource
jm_run_peek_source (JmRun *self, JmRunField field)
{
  g_return_val_if_fail (self != NULL, JM_RUN_SOURCE_NONE);
  g_return_val_if_fail ((guint) field < JM_N_RUN_FIELDS, JM_RUN_SOURCE_NONE);

  return (JmRunSource) (self->sources[field] - '0');
}

/* Adds a part. */
void
jm_run_add_part (JmRun *self, JmRunPart *part)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (part != NULL);

  g_ptr_array_add (jm_run_get_parts (self, jm_run_part_get_kind (part)),
                   jm_run_part_ref (part));
}

/**
 * jm_run_get_parts:
 * @self: a run
 * @kind: what of it
 *
 * Gets its parts of a kind: those that were read with the run, or added.
 *
 * Returns: (transfer none) (element-type JmRunPart): the parts
 * Since: 0.1
 */
GPtrArray *
jm_run_get_parts (JmRun *self, JmRunPartKind kind)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail ((guint) kind < JM_N_RUN_PART_KINDS, NULL);

  if (self->parts[kind] == NULL)
    self->parts[kind] =
      g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_part_unref);

  return self->parts[kind];
}

JmRun *
jm_run_copy (const JmRun *self)
{
  JmRun *copy = g_atomic_rc_box_alloc (sizeof *self);

  *copy = *self;
  copy->cluster = g_strdup (self->cluster);
  copy->scheduler = g_strdup (self->scheduler);
  copy->raw_id = g_strdup (self->raw_id);
  for (guint i = 0; i < JM_N_RUN_TEXTS; i++)
    copy->texts[i] = g_strdup (self->texts[i]);
  memset (copy->parts, 0, sizeof copy->parts);

  return copy;
}

void
jm_run_clear (JmRun *self, JmRunField field)
{
  if (jm_run_field_holds_text (field))
    jm_run_keep_text (self, field, NULL);
  else
    jm_run_keep_number (self, field, -1);
  self->sources[field] = '0';
}

gboolean
jm_run_is_sound (const JmRun *self)
{
  gint64 start = jm_run_peek (self, JM_RUN_FIELD_START_TIME);
  gint64 until = jm_run_get_until (self);

  return *self->raw_id != '\0' &&
         (start == 0 || (until >= start && until - start <= JM_RUN_LENGTH_MAX));
}

gint64
jm_run_get_until (const JmRun *self)
{
  gint64 start = jm_run_peek (self, JM_RUN_FIELD_START_TIME);
  gint64 end = jm_run_peek (self, JM_RUN_FIELD_END_TIME);

  if (start == 0)
    return 0;
  if (end != 0)
    return end;

  return MAX (start, jm_run_peek (self, JM_RUN_FIELD_SEEN_TIME));
}

/* --- merging --- */

static gboolean
is_equal (const JmRun *a, const JmRun *b, JmRunField field)
{
  return jm_run_field_holds_text (field)
           ? g_strcmp0 (a->texts[field], b->texts[field]) == 0
           : jm_run_peek (a, field) == jm_run_peek (b, field);
}

static gboolean
is_local (const JmRun *self)
{
  return g_str_equal (self->scheduler, LOCAL);
}

gboolean
jm_run_is_of_same_scheduler (const JmRun *self, const JmRun *other)
{
  if (*self->scheduler == '\0' || *other->scheduler == '\0')
    return !is_local (self) && !is_local (other);

  return g_str_equal (self->scheduler, other->scheduler);
}

gboolean
jm_run_is_of_same_user (const JmRun *self, const JmRun *other)
{
  JmRunField field =
    jm_run_has (self, JM_RUN_FIELD_UID) && jm_run_has (other, JM_RUN_FIELD_UID)
      ? JM_RUN_FIELD_UID
      : JM_RUN_FIELD_USER;

  return !jm_run_has (self, field) || !jm_run_has (other, field) ||
         is_equal (self, other, field);
}

static void
take (JmRun *self, const JmRun *other, JmRunField field)
{
  if (jm_run_field_holds_text (field))
    {
      g_free (self->texts[field]);
      self->texts[field] = g_strdup (other->texts[field]);
    }
  else
    self->numbers[field - JM_N_RUN_TEXTS] = jm_run_peek (other, field);
}

static gboolean
merge_field (JmRun *self,
             const JmRun *other,
             JmRunField field,
             JmRunSource source,
             gboolean only_if_absent)
{
  JmRunSource known = (JmRunSource) (self->sources[field] - '0');

  if (!jm_run_has (other, field) ||
      (known != JM_RUN_SOURCE_NONE &&
       (only_if_absent ||
        jm_run_field_get_rank (field, source) < jm_run_field_get_rank (field, known))))
    return FALSE;
  if (known == source && is_equal (self, other, field))
    return FALSE;
  /* of several nodes' records the latest counts */
  if (field == JM_RUN_FIELD_ELAPSED && known == JM_RUN_SOURCE_LEDGER &&
      source == known && jm_run_peek (other, field) < jm_run_peek (self, field))
    return FALSE;

  take (self, other, field);
  self->sources[field] = (char) ('0' + source);

  return TRUE;
}

gboolean
jm_run_has_news (const JmRun *self, const JmRun *before)
{
  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    if (i != JM_RUN_FIELD_SEEN_TIME && !is_equal (self, before, (JmRunField) i))
      return TRUE;

  return FALSE;
}

/* Said before the end that is known by now. */
static gboolean
is_outdated (const JmRun *self, const JmRun *other)
{
  return jm_run_has (self, JM_RUN_FIELD_END_TIME) &&
         !jm_run_has (other, JM_RUN_FIELD_END_TIME);
}

/* What the archive itself finds out, and takes from nobody. */
static gboolean
is_of_archive (guint field)
{
  return field == JM_RUN_FIELD_VERDICT || field == JM_RUN_FIELD_VERDICT_KIND ||
         field == JM_RUN_FIELD_VERDICT_RULES || field == JM_RUN_FIELD_GPU_UNUSED ||
         field == JM_RUN_FIELD_PROLOG_EPILOG;
}

gboolean
jm_run_merge_facts (JmRun *self, const JmRun *other, JmRunSource source)
{
  gboolean outdated = is_outdated (self, other);
  gboolean changed = FALSE;

  for (guint i = 0; i < JM_FIRST_RUN_FIGURE; i++)
    {
      /* what a run is found by stays as it is */
      gboolean is_key = i == JM_RUN_FIELD_START_TIME || i == JM_RUN_FIELD_UUID;

      if (!is_of_archive (i) &&
          merge_field (self, other, (JmRunField) i, source, outdated || is_key))
        changed = TRUE;
    }

  return changed;
}

gboolean
jm_run_merge_figures (JmRun *self, const JmRun *other, JmRunSource source)
{
  gboolean outdated = is_outdated (self, other);
  gboolean changed = FALSE;

  for (guint i = JM_FIRST_RUN_FIGURE; i < JM_N_RUN_FIELDS; i++)
    if (merge_field (self, other, (JmRunField) i, source,
                     outdated && self->sources[i] == '0' + (char) source))
      changed = TRUE;

  return changed;
}

/* --- rows --- */

void
jm_run_append_columns (GString *sql)
{
  g_string_append (sql, "id, raw_id, sources, scheduler, ");
  jm_run_field_append_columns (sql);
}

gboolean
jm_run_is_accounted (const JmRun *self)
{
  return self->sources[JM_RUN_FIELD_STATE] == '0' + JM_RUN_SOURCE_ACCOUNTING;
}

void
jm_run_append_is_accounted (GString *sql)
{
  g_string_append_printf (sql, "(substr (sources, %d, 1) = '%d')",
                          jm_run_field_get_place (JM_RUN_FIELD_STATE) + 1,
                          JM_RUN_SOURCE_ACCOUNTING);
}

void
jm_run_read_sources (JmRun *self, const char *text)
{
  gsize length = text != NULL ? strlen (text) : 0;

  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    {
      guint place = jm_run_field_get_place (i);
      char source = place < length ? text[place] : '0';

      if (source >= '0' && source < '0' + JM_N_RUN_SOURCES)
        self->sources[i] = source;
    }
}

void
jm_run_write_sources (const JmRun *self, char text[JM_N_RUN_FIELDS + 1])
{
  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    text[jm_run_field_get_place (i)] = self->sources[i];
  text[JM_N_RUN_FIELDS] = '\0';
}

void
jm_run_name (JmRun *self)
{
  gint64 start = jm_run_peek (self, JM_RUN_FIELD_START_TIME);
  gint64 submit = jm_run_peek (self, JM_RUN_FIELD_SUBMIT_TIME);

  if (self->texts[JM_RUN_FIELD_UUID] != NULL || (start == 0 && submit == 0))
    return;

  self->texts[JM_RUN_FIELD_UUID] =
    start != 0 ? jm_uuid_for_job (self->cluster, self->raw_id, start)
               : jm_uuid_for_submission (self->cluster, self->raw_id, submit);
}
