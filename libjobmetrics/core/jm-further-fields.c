/* jm-further-fields.c: what a scheduler reports of a job beside its fields
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-further-fields-private.h"

#include <string.h>

#include "core/jm-job-private.h"

#define NAME_MAX_BYTES 32

gboolean
jm_further_field_check_name (const char *name)
{
  gsize length = strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789_");
  JmJobField field;

  return g_ascii_islower (name[0]) && name[length] == '\0' &&
         length <= NAME_MAX_BYTES && !jm_job_field_from_name (name, &field);
}

void
jm_further_fields_clear (JmFurtherFields *self)
{
  for (guint i = 0; i < self->n_fields; i++)
    {
      g_free (self->fields[i].name);
      g_free (self->fields[i].value);
    }
  self->n_fields = 0;
}

/* No one's charge or name for ever hangs on these, so that a user's word will do. */
static gboolean
may_tell (JmOrigin origin)
{
  return origin == JM_ORIGIN_ENVIRONMENT || origin == JM_ORIGIN_HOOK ||
         origin == JM_ORIGIN_CONFIGURATION;
}

/* Where a field is, or would be. */
static guint
find_position (const JmFurtherFields *self, const char *name)
{
  guint i = 0;

  while (i < self->n_fields && strcmp (self->fields[i].name, name) < 0)
    i++;

  return i;
}

static JmFurtherField *
get_or_add (JmFurtherFields *self, const char *name)
{
  guint i = find_position (self, name);

  if (i < self->n_fields && g_str_equal (self->fields[i].name, name))
    return &self->fields[i];
  if (self->n_fields == JM_MAX_FURTHER_FIELDS || !jm_further_field_check_name (name))
    return NULL;

  memmove (&self->fields[i + 1], &self->fields[i],
           (self->n_fields - i) * sizeof (JmFurtherField));
  self->fields[i] = (JmFurtherField){ .name = g_strdup (name) };
  self->n_fields++;

  return &self->fields[i];
}

gboolean
jm_further_fields_set (JmFurtherFields *self,
                       const char *name,
                       JmOrigin origin,
                       const char *value,
                       gssize length)
{
  g_autofree char *valid = g_utf8_make_valid (value, length);
  JmFurtherField *field;

  /* what is put in the place of a byte that is no UTF-8 counts, too */
  if (!may_tell (origin) || strlen (valid) > JM_FURTHER_FIELD_MAX_BYTES)
    return FALSE;

  field = get_or_add (self, name);
  if (field == NULL || origin <= field->origin)
    return FALSE;

  g_free (field->value);
  field->value = g_steal_pointer (&valid);
  field->origin = origin;

  return TRUE;
}

gboolean
jm_further_fields_merge (JmFurtherFields *self, const JmFurtherFields *other)
{
  gboolean has_changed = FALSE;

  for (guint i = 0; i < other->n_fields; i++)
    has_changed |=
      jm_further_fields_set (self, other->fields[i].name, other->fields[i].origin,
                             other->fields[i].value, -1);

  return has_changed;
}

const JmFurtherField *
jm_further_fields_find (const JmFurtherFields *self, const char *name)
{
  guint i = find_position (self, name);

  return i < self->n_fields && g_str_equal (self->fields[i].name, name)
           ? &self->fields[i]
           : NULL;
}
