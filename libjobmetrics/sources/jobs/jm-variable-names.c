/* jm-variable-names.c: which variables say who a job is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-variable-names-private.h"

#include <string.h>

#include "base/jm-error-private.h"
#include "core/jm-further-fields-private.h"
#include "core/jm-job-private.h"

#define WORD_MAX_BYTES 64
#define VARIABLES_MAX 8

struct _JmVariableNames
{
  char **variables[JM_N_JOB_FIELDS]; /* the first that is there has the field */
  char *blockers[JM_N_JOB_FIELDS];
  char *further_names[JM_MAX_FURTHER_FIELDS]; /* NULL after the last */
  char *further_variables[JM_MAX_FURTHER_FIELDS];
  char *separator;
};

gboolean
jm_is_word (const char *text, const char *extra)
{
  gsize length = strlen (text);

  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (text[i]) && strchr (extra, text[i]) == NULL)
      return FALSE;

  return length > 0 && length <= WORD_MAX_BYTES;
}

/**
 * jm_variable_names_new: (skip)
 *
 * Returns: (transfer full): names of which there are none yet
 */
JmVariableNames *
jm_variable_names_new (void)
{
  return g_new0 (JmVariableNames, 1);
}

/**
 * jm_variable_names_free: (skip)
 * @self: (transfer full): the names
 */
void
jm_variable_names_free (JmVariableNames *self)
{
  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    {
      g_strfreev (self->variables[i]);
      g_free (self->blockers[i]);
    }
  for (guint i = 0; i < JM_MAX_FURTHER_FIELDS; i++)
    {
      g_free (self->further_names[i]);
      g_free (self->further_variables[i]);
    }
  g_free (self->separator);
  g_free (self);
}

static gboolean
set (char **place, const char *value, GError **error)
{
  if (!jm_is_word (value, "_"))
    return jm_error_refuse (error, "not the name of a variable", value);

  g_free (*place);
  *place = g_strdup (value);

  return TRUE;
}

static gboolean
find_field (const char *key, JmJobField *field, GError **error)
{
  if (jm_job_field_from_name (key, field) && *field != JM_JOB_FIELD_UUID &&
      *field != JM_JOB_FIELD_SCHEDULER)
    return TRUE;

  return jm_error_refuse (error, "not a field that a variable can give", key);
}

static gboolean
are_words (char **words)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (!jm_is_word (words[i], "_"))
      return FALSE;

  return words[0] != NULL;
}

static gboolean
set_variables (JmVariableNames *self,
               const char *key,
               const char *value,
               GError **error)
{
  g_auto (GStrv) variables = g_strsplit (value, ";", -1);
  JmJobField field;

  if (!find_field (key, &field, error))
    return FALSE;
  if (g_strv_length (variables) > VARIABLES_MAX)
    return jm_error_refuse (error, "more than eight variables", value);
  if (!are_words (variables))
    return jm_error_refuse (error, "not the name of a variable", value);

  g_strfreev (self->variables[field]);
  self->variables[field] = g_steal_pointer (&variables);

  return TRUE;
}

static gboolean
set_blocker (JmVariableNames *self, const char *key, const char *value, GError **error)
{
  JmJobField field;

  return find_field (key, &field, error) && set (&self->blockers[field], value, error);
}

static gboolean
add_further (JmVariableNames *self, const char *name, const char *value, GError **error)
{
  guint i = 0;

  while (i < JM_MAX_FURTHER_FIELDS && self->further_names[i] != NULL)
    i++;
  if (i == JM_MAX_FURTHER_FIELDS)
    return jm_error_refuse (error, "more than eight further fields", name);
  if (!jm_further_field_check_name (name))
    return jm_error_refuse (error, "not the name of a further field", name);
  if (!set (&self->further_variables[i], value, error))
    return FALSE;

  self->further_names[i] = g_strdup (name);

  return TRUE;
}

static gboolean
set_separator (JmVariableNames *self, const char *value, GError **error)
{
  if (!jm_is_word (value, "_"))
    return jm_error_refuse (error, "not a part of a variable's name", value);

  g_free (self->separator);
  self->separator = g_strdup (value);

  return TRUE;
}

/**
 * jm_variable_names_has_group: (skip)
 * @group: of a definition
 *
 * Returns: whether jm_variable_names_add() understands it
 */
gboolean
jm_variable_names_has_group (const char *group)
{
  static const char *const groups[] = { "Environment", "Unless", "Fields", "Component",
                                        NULL };

  return g_strv_contains (groups, group);
}

/**
 * jm_variable_names_add: (skip)
 * @self: the names
 * @group: one that jm_variable_names_has_group() knows
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
jm_variable_names_add (JmVariableNames *self,
                       const char *group,
                       const char *key,
                       const char *value,
                       GError **error)
{
  if (g_str_equal (group, "Environment"))
    return set_variables (self, key, value, error);
  if (g_str_equal (group, "Unless"))
    return set_blocker (self, key, value, error);
  if (g_str_equal (group, "Fields"))
    return add_further (self, key, value, error);
  if (g_str_equal (group, "Component") && g_str_equal (key, "Separator"))
    return set_separator (self, value, error);

  return jm_error_refuse (error, "unknown key", key);
}

/**
 * jm_variable_names_get: (skip)
 * @self: the names
 * @field: a field
 *
 * Returns: (nullable): the variable that reports it, of several the first
 */
const char *
jm_variable_names_get (const JmVariableNames *self, JmJobField field)
{
  return self->variables[field] != NULL ? self->variables[field][0] : NULL;
}

/**
 * jm_variable_names_list: (skip)
 * @self: the names
 * @field: a field
 *
 * Returns: (nullable): the variables that may report it; the first that is there does
 */
const char *const *
jm_variable_names_list (const JmVariableNames *self, JmJobField field)
{
  return (const char *const *) self->variables[field];
}

/**
 * jm_variable_names_get_blocker: (skip)
 * @self: the names
 * @field: a field
 *
 * Returns: (nullable): the variable in whose presence an environment does not report it
 */
const char *
jm_variable_names_get_blocker (const JmVariableNames *self, JmJobField field)
{
  return self->blockers[field];
}

/**
 * jm_variable_names_get_further: (skip)
 * @self: the names
 * @number: from 0
 * @variable: (out): the variable that reports it
 *
 * Returns: (nullable): the name of a field that is no #JmJobField; %NULL after the last
 */
const char *
jm_variable_names_get_further (const JmVariableNames *self,
                               guint number,
                               const char **variable)
{
  if (number >= JM_MAX_FURTHER_FIELDS)
    return NULL;

  *variable = self->further_variables[number];

  return self->further_names[number];
}

/**
 * jm_variable_names_get_separator: (skip)
 * @self: the names
 *
 * Returns: (nullable): what stands between the name of a variable and the number of the
 *   component of a heterogeneous job that it speaks of
 */
const char *
jm_variable_names_get_separator (const JmVariableNames *self)
{
  return self->separator;
}
