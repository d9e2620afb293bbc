/* jm-path-pattern.c: what the paths of jobs look like
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-path-pattern-private.h"

#include <string.h>

#include "base/jm-error-private.h"
#include "sources/jobs/jm-name-pattern-private.h"

#define NAMES_MAX 32
#define REPEATABLE (JM_PATH_BIT (ANY) | JM_PATH_BIT (INDEX))

struct _JmPathPattern
{
  char *text;
  GPtrArray *names; /* of JmNamePattern */
  guint fields;     /* bits of JmPathField */
  gboolean is_absolute;
  char *above; /* how all names end that two stars stand for; NULL: it does not float */
};

/* --- what a path has --- */

/**
 * jm_path_match_clear: (skip)
 * @self: what a path reported
 */
void
jm_path_match_clear (JmPathMatch *self)
{
  for (guint i = 0; i < JM_N_PATH_FIELDS; i++)
    g_clear_pointer (&self->fields[i], g_free);
  g_clear_pointer (&self->root, g_free);
}

/**
 * jm_path_match_take: (skip)
 * @self: what a path reported
 * @other: what its next names reported; empty afterwards
 *
 * Adds what @other knows.
 */
void
jm_path_match_take (JmPathMatch *self, JmPathMatch *other)
{
  for (guint i = 0; i < JM_N_PATH_FIELDS; i++)
    if (other->fields[i] != NULL)
      {
        g_free (self->fields[i]);
        self->fields[i] = g_steal_pointer (&other->fields[i]);
      }

  if (other->root != NULL)
    {
      g_free (self->root);
      self->root = g_steal_pointer (&other->root);
    }
}

/**
 * jm_path_match_get_name: (skip)
 * @self: what the path of a job reported
 *
 * Returns: (nullable): what the path calls the job: its id, or what stands for it until
 *   somebody reports that
 */
const char *
jm_path_match_get_name (const JmPathMatch *self)
{
  static const JmPathField names[] = { JM_PATH_FIELD_JOB, JM_PATH_FIELD_KEY,
                                       JM_PATH_FIELD_SLUID };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (self->fields[names[i]] != NULL)
      return self->fields[names[i]];

  return NULL;
}

/* --- understanding a pattern --- */

/* What says nothing of a job may come as often as it likes. */
static gboolean
add_fields (JmPathPattern *self,
            const JmNamePattern *name,
            const char *text,
            guint allowed,
            GError **error)
{
  for (guint i = 0; i < jm_name_pattern_get_n_fields (name); i++)
    {
      guint bit = 1u << jm_name_pattern_get_field (name, i);

      if ((self->fields & bit & ~REPEATABLE) != 0)
        return jm_error_refuse (error, "placeholder used twice", text);
      if ((allowed & bit) == 0)
        return jm_error_refuse (error, "placeholder without a meaning here", text);
      self->fields |= bit;
    }

  return TRUE;
}

static gboolean
add_name (JmPathPattern *self, const char *text, guint allowed, GError **error)
{
  JmNamePattern *name;

  if (text[0] == '\0')
    return jm_error_refuse (error, "nothing between slashes", "//");
  if (g_str_equal (text, "**"))
    return jm_error_refuse (error, "two stars stand first or not at all", text);

  name = jm_name_pattern_new (text, error);
  if (name == NULL)
    return FALSE;
  g_ptr_array_add (self->names, name);

  return add_fields (self, name, text, allowed, error);
}

/* Two stars, and how the names end that they stand for. Moves @text behind them. */
static void
take_stars (JmPathPattern *self, const char **text)
{
  const char *slash = strchr (*text, '/');

  if (!g_str_has_prefix (*text, "**") || slash == NULL ||
      strcspn (*text + 2, "*%") < (gsize) (slash - *text - 2))
    return;

  self->above = g_strndup (*text + 2, (gsize) (slash - *text - 2));
  *text = slash + 1;
}

/**
 * jm_path_pattern_new: (skip)
 * @text: the pattern
 * @allowed: bits of the placeholders that may be in it
 * @error: return location for an error
 *
 * Understands a pattern.
 *
 * - Errors: `INVALID`: what is wrong, and where in the pattern.
 *
 * Returns: (transfer full): the pattern
 */
JmPathPattern *
jm_path_pattern_new (const char *text, guint allowed, GError **error)
{
  g_autoptr (JmPathPattern) self = g_new0 (JmPathPattern, 1);
  g_auto (GStrv) names = NULL;

  self->text = g_strdup (text);
  self->names = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_name_pattern_free);

  take_stars (self, &text);
  self->is_absolute = self->above != NULL || text[0] == '/';
  if (self->above == NULL && self->is_absolute)
    text++;

  names = g_strsplit (text, "/", NAMES_MAX + 1);
  if (g_strv_length (names) > NAMES_MAX)
    {
      jm_error_refuse (error, "more than 32 directories", text);
      return NULL;
    }
  if (names[0] == NULL)
    {
      jm_error_refuse (error, "nothing between slashes", "/");
      return NULL;
    }

  for (guint i = 0; names[i] != NULL; i++)
    if (!add_name (self, names[i], allowed, error))
      return NULL;

  return g_steal_pointer (&self);
}

/**
 * jm_path_pattern_free: (skip)
 * @self: (transfer full): a pattern
 */
void
jm_path_pattern_free (JmPathPattern *self)
{
  g_ptr_array_unref (self->names);
  g_free (self->above);
  g_free (self->text);
  g_free (self);
}

/**
 * jm_path_pattern_get_text: (skip)
 * @self: a pattern
 *
 * Returns: the pattern as it was written
 */
const char *
jm_path_pattern_get_text (const JmPathPattern *self)
{
  return self->text;
}

/**
 * jm_path_pattern_get_fields: (skip)
 * @self: a pattern
 *
 * Returns: bits of the placeholders that are in it
 */
guint
jm_path_pattern_get_fields (const JmPathPattern *self)
{
  return self->fields;
}

/**
 * jm_path_pattern_is_absolute: (skip)
 * @self: a pattern
 *
 * Returns: whether it begins at the root of a hierarchy
 */
gboolean
jm_path_pattern_is_absolute (const JmPathPattern *self)
{
  return self->is_absolute;
}

static gboolean
take_last_name (JmSlice *path, JmSlice *name)
{
  gsize start = path->length;

  if (path->length == 0)
    return FALSE;

  while (start > 0 && path->text[start - 1] != '/')
    start--;

  *name = (JmSlice){ path->text + start, path->length - start };
  path->length = start > 0 ? start - 1 : 0;

  return name->length > 0;
}

static gboolean
take_first_name (JmSlice *path, JmSlice *name)
{
  gsize end = 0;

  while (end < path->length && path->text[end] != '/')
    end++;

  *name = (JmSlice){ path->text, end };
  end += end < path->length ? 1 : 0;
  *path = (JmSlice){ path->text + end, path->length - end };

  return name->length > 0;
}

/* Also without a match, where only its answer is wanted. */
static gboolean
match_name (const JmPathPattern *self, guint number, JmSlice name, JmPathMatch *match)
{
  const JmNamePattern *pattern = self->names->pdata[number];
  JmNameMatch told = { 0 };

  if (!jm_name_pattern_match (pattern, name, match != NULL ? &told : NULL))
    return FALSE;

  for (guint i = 0; i < told.n; i++)
    {
      char **field = &match->fields[jm_name_pattern_get_field (pattern, i)];

      g_free (*field);
      *field = told.texts[i];
    }

  return TRUE;
}

static gboolean
may_float_in (const JmPathPattern *self, JmSlice name)
{
  gsize length = self->above != NULL ? strlen (self->above) : 0;

  return self->above != NULL && name.length >= length &&
         memcmp (name.text + name.length - length, self->above, length) == 0;
}

/* The first @n names of the pattern, against the last of the path. */
static gboolean
match_names (const JmPathPattern *self, guint n, JmSlice *path, JmPathMatch *match)
{
  for (guint i = n; i > 0; i--)
    {
      JmSlice name;

      if (!take_last_name (path, &name) || !match_name (self, i - 1, name, match))
        return FALSE;
    }

  return TRUE;
}

static gboolean
may_float_below (const JmPathPattern *self, JmSlice path)
{
  while (path.length > 0)
    {
      JmSlice name;

      if (!take_last_name (&path, &name) || !may_float_in (self, name))
        return FALSE;
    }

  return TRUE;
}

/**
 * jm_path_pattern_match: (skip)
 * @self: a pattern
 * @path: a path, without its leading slash
 * @match: (inout): what the path reports is added to it; as it was where it does not
 *   match
 *
 * Compares from the end, where two stars need no thought.
 *
 * Returns: whether the whole path matches
 */
gboolean
jm_path_pattern_match (const JmPathPattern *self, JmSlice path, JmPathMatch *match)
{
  g_auto (JmPathMatch) told = { 0 };
  JmSlice above = path;

  /* most paths do not match, and shall cost nothing */
  if (!match_names (self, self->names->len, &above, NULL) ||
      !may_float_below (self, above))
    return FALSE;

  match_names (self, self->names->len, &path, &told);
  if (self->above != NULL)
    told.root = g_strndup (path.text, path.length);
  jm_path_match_take (match, &told);

  return TRUE;
}

/**
 * jm_path_pattern_ends_like: (skip)
 * @self: a pattern
 * @path: a path, without its leading slash
 *
 * Returns: whether @path ends as what matches, whatever it is below; of a pattern of
 *   one name that could be said of anything, so it is not
 */
gboolean
jm_path_pattern_ends_like (const JmPathPattern *self, JmSlice path)
{
  return self->names->len > 1 && match_names (self, self->names->len, &path, NULL);
}

/**
 * jm_path_pattern_is_above: (skip)
 * @self: a pattern
 * @path: a path, without its leading slash
 *
 * Returns: whether what matches could be right below @path; of a pattern of one name
 *   that could be said of anything, so it is not
 */
gboolean
jm_path_pattern_is_above (const JmPathPattern *self, JmSlice path)
{
  return self->names->len > 1 &&
         match_names (self, self->names->len - 1, &path, NULL) &&
         may_float_below (self, path);
}

static gboolean
begin_with (const JmPathPattern *self, JmSlice path)
{
  JmSlice name;

  for (guint i = 0; i < self->names->len && take_first_name (&path, &name); i++)
    if (!match_name (self, i, name, NULL))
      return FALSE;

  return TRUE;
}

/**
 * jm_path_pattern_may_match_below: (skip)
 * @self: a pattern
 * @path: a path, without its leading slash
 *
 * Returns: whether @path or one that it is the beginning of may match
 */
gboolean
jm_path_pattern_may_match_below (const JmPathPattern *self, JmSlice path)
{
  JmSlice name;

  while (!begin_with (self, path))
    if (!take_first_name (&path, &name) || !may_float_in (self, name))
      return FALSE;

  return TRUE;
}

/* How many names of the pattern match those of a path in a row, from the first. */
static guint
count_matches (const JmPathPattern *self, char **names)
{
  guint n = 0;

  while (n < self->names->len && names[n] != NULL &&
         match_name (self, n, (JmSlice){ names[n], strlen (names[n]) }, NULL))
    n++;

  return n;
}

/**
 * jm_path_pattern_compare: (skip)
 * @self: a pattern
 * @path: a path, without its leading slash, that does not match
 * @wanted: (out) (nullable): the first name of the pattern that does not match; %NULL
 *   where all do
 * @found: (out) (nullable) (transfer full): what the path has in its place; %NULL
 *   where it ends
 *
 * Finds out how near a path comes.
 *
 * Returns: how many names of the pattern match before that
 */
guint
jm_path_pattern_compare (const JmPathPattern *self,
                         const char *path,
                         const char **wanted,
                         char **found)
{
  g_auto (GStrv) names = g_strsplit (path, "/", -1);
  guint n_names = g_strv_length (names);
  guint best = 0;
  guint best_start = 0;

  for (guint start = 0; start < n_names; start++)
    {
      guint n = count_matches (self, names + start);

      if (n > best)
        {
          best = n;
          best_start = start;
        }
      if (!may_float_in (self, (JmSlice){ names[start], strlen (names[start]) }))
        break;
    }

  *wanted = best < self->names->len
              ? jm_name_pattern_get_text (self->names->pdata[best])
              : NULL;
  *found = g_strdup (best_start + best < n_names ? names[best_start + best] : NULL);

  return best;
}

/**
 * jm_path_pattern_make_example: (skip)
 * @self: a pattern
 *
 * Returns: (transfer full): a path that matches
 */
char *
jm_path_pattern_make_example (const JmPathPattern *self)
{
  GString *path = g_string_new (NULL);

  for (guint i = 0; i < self->names->len; i++)
    {
      g_string_append_c (path, '/');
      jm_name_pattern_append_example (self->names->pdata[i], path);
    }

  return g_string_free (path, FALSE);
}

/**
 * jm_path_pattern_fill: (skip)
 * @self: a pattern
 * @match: what is known
 *
 * Puts what is known in the places of the placeholders.
 *
 * Returns: (transfer full) (nullable): the path; %NULL if something is not known
 */
char *
jm_path_pattern_fill (const JmPathPattern *self, const JmPathMatch *match)
{
  g_autoptr (GString) path = g_string_new (NULL);

  for (guint i = 0; i < self->names->len; i++)
    {
      if (i > 0 || self->is_absolute)
        g_string_append_c (path, '/');
      if (!jm_name_pattern_fill (self->names->pdata[i], match->fields, path))
        return NULL;
    }

  return g_string_free (g_steal_pointer (&path), FALSE);
}
