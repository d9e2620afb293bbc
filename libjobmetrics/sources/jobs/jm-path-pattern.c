/* jm-path-pattern.c: what the paths of jobs look like
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-path-pattern-private.h"

#include "core/jm-error.h"

#define PARTS_MAX 32
#define NAME_MAX_BYTES 255
#define SLUID_BYTES 14
#define UID_INVALID G_MAXUINT32 /* (uid_t) -1 */

typedef enum
{
  PART_TEXT,  /* the prefix alone */
  PART_FIELD, /* prefix, field, suffix */
  PART_ANY,
} PartKind;

typedef struct
{
  PartKind kind;
  JmPathField field;
  char *prefix;
  char *suffix;
} Part;

struct _JmPathPattern
{
  GArray *parts; /* of Part */
  guint fields;  /* bits of JmPathField */
  gboolean is_absolute;
  char *above; /* how all names end that two stars stand for; NULL: it does not float */
};

static const char placeholders[JM_N_PATH_FIELDS] = {
  [JM_PATH_FIELD_JOB] = 'j',  [JM_PATH_FIELD_SLUID] = 'S', [JM_PATH_FIELD_STEP] = 's',
  [JM_PATH_FIELD_TASK] = 't', [JM_PATH_FIELD_UID] = 'u',   [JM_PATH_FIELD_NODE] = 'n',
};

static gboolean
is_number (JmSlice text, guint64 max)
{
  guint64 value = 0;

  if (text.length == 0 || (text.length > 1 && text.text[0] == '0'))
    return FALSE;

  for (gsize i = 0; i < text.length; i++)
    {
      guint64 digit;

      if (!g_ascii_isdigit (text.text[i]))
        return FALSE;
      digit = (guint64) (text.text[i] - '0');
      if (value > (max - digit) / 10)
        return FALSE;
      value = value * 10 + digit;
    }

  return TRUE;
}

static gboolean
is_made_of (JmSlice text, const char *characters)
{
  for (gsize i = 0; i < text.length; i++)
    if (text.text[i] == '\0' || strchr (characters, text.text[i]) == NULL)
      return FALSE;

  return TRUE;
}

static gboolean
is_sluid (JmSlice text)
{
  return text.length == SLUID_BYTES && text.text[0] == 's' &&
         is_made_of ((JmSlice){ text.text + 1, text.length - 1 },
                     "0123456789ABCDEFGHJKMNPQRSTVWXYZ");
}

static gboolean
is_step (JmSlice text)
{
  return text.length > 0 && text.length <= 64 &&
         is_made_of (text, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                           "abcdefghijklmnopqrstuvwxyz_.+-");
}

static gboolean
is_name (JmSlice text)
{
  return text.length > 0 && text.length <= NAME_MAX_BYTES &&
         memchr (text.text, '/', text.length) == NULL;
}

/**
 * jm_path_field_check: (skip)
 * @field: a field
 * @text: a text
 *
 * Returns: whether @text is what @field may be
 */
gboolean
jm_path_field_check (JmPathField field, JmSlice text)
{
  switch (field)
    {
    case JM_PATH_FIELD_JOB:
      return is_number (text, G_MAXUINT64);
    case JM_PATH_FIELD_SLUID:
      return is_sluid (text);
    case JM_PATH_FIELD_STEP:
      return is_step (text);
    case JM_PATH_FIELD_TASK:
      return is_number (text, G_MAXUINT32);
    case JM_PATH_FIELD_UID:
      return is_number (text, UID_INVALID - 1);
    case JM_PATH_FIELD_NODE:
      return is_name (text);
    default:
      return FALSE;
    }
}

static gboolean
fail (GError **error, const char *problem, const char *value)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s", problem, value);

  return FALSE;
}

static gboolean
field_from_placeholder (char letter, JmPathField *field)
{
  for (guint i = 0; i < JM_N_PATH_FIELDS; i++)
    if (placeholders[i] == letter)
      {
        *field = i;
        return TRUE;
      }

  return FALSE;
}

static gboolean
part_set_field (Part *part, const char *text, const char *percent, GError **error)
{
  if (!field_from_placeholder (percent[1], &part->field))
    return fail (error, "unknown placeholder", percent);
  if (strchr (percent + 2, '%') != NULL)
    return fail (error, "two placeholders between slashes", text);

  part->kind = PART_FIELD;
  part->prefix = g_strndup (text, (gsize) (percent - text));
  part->suffix = g_strdup (percent + 2);

  return TRUE;
}

static gboolean
part_set (Part *part, const char *text, GError **error)
{
  const char *percent = strchr (text, '%');

  if (text[0] == '\0')
    return fail (error, "nothing between slashes", "//");
  if (g_str_equal (text, "**"))
    return fail (error, "two stars stand first or not at all", text);

  if (g_str_equal (text, "*"))
    {
      part->kind = PART_ANY;
      return TRUE;
    }
  if (strchr (text, '*') != NULL)
    return fail (error, "a star with other characters", text);

  if (percent != NULL)
    return part_set_field (part, text, percent, error);

  part->kind = PART_TEXT;
  part->prefix = g_strdup (text);

  return TRUE;
}

static void
part_clear (gpointer data)
{
  Part *part = data;

  g_free (part->prefix);
  g_free (part->suffix);
}

static gboolean
add_part (JmPathPattern *self, const char *text, guint allowed, GError **error)
{
  Part part = { 0 };
  guint bit;

  if (!part_set (&part, text, error))
    return FALSE;
  g_array_append_val (self->parts, part);

  if (part.kind != PART_FIELD)
    return TRUE;

  bit = 1u << part.field;
  if ((self->fields & bit) != 0)
    return fail (error, "placeholder used twice", text);
  if ((allowed & bit) == 0)
    return fail (error, "placeholder without a meaning here", text);
  self->fields |= bit;

  return TRUE;
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
  g_auto (GStrv) parts = NULL;

  self->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_array_set_clear_func (self->parts, part_clear);

  take_stars (self, &text);
  self->is_absolute = self->above != NULL || text[0] == '/';
  if (self->above == NULL && self->is_absolute)
    text++;

  parts = g_strsplit (text, "/", PARTS_MAX + 1);
  if (g_strv_length (parts) > PARTS_MAX)
    {
      fail (error, "more than 32 directories", text);
      return NULL;
    }
  if (parts[0] == NULL)
    {
      fail (error, "nothing between slashes", "/");
      return NULL;
    }

  for (guint i = 0; parts[i] != NULL; i++)
    if (!add_part (self, parts[i], allowed, error))
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
  g_array_unref (self->parts);
  g_free (self->above);
  g_free (self);
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

static gboolean
strip (JmSlice *name, const char *prefix, const char *suffix)
{
  gsize before = strlen (prefix);
  gsize after = strlen (suffix);

  if (name->length < before + after || memcmp (name->text, prefix, before) != 0 ||
      memcmp (name->text + name->length - after, suffix, after) != 0)
    return FALSE;

  name->text += before;
  name->length -= before + after;

  return TRUE;
}

static gboolean
part_match (const Part *part, JmSlice name, JmPathMatch *match)
{
  switch (part->kind)
    {
    case PART_TEXT:
      return jm_slice_equal (name, part->prefix);
    case PART_FIELD:
      if (!strip (&name, part->prefix, part->suffix) ||
          !jm_path_field_check (part->field, name))
        return FALSE;
      match->fields[part->field] = name;
      return TRUE;
    case PART_ANY:
    default:
      return TRUE;
    }
}

static gboolean
may_float_in (const JmPathPattern *self, JmSlice name)
{
  return self->above != NULL && strip (&name, "", self->above);
}

/**
 * jm_path_pattern_match: (skip)
 * @self: a pattern
 * @path: a path, without its leading slash
 * @match: (inout): what the path tells is added to it; undefined where it does not match
 *
 * Compares from the end, where two stars need no thought.
 *
 * Returns: whether the whole path matches
 */
gboolean
jm_path_pattern_match (const JmPathPattern *self, JmSlice path, JmPathMatch *match)
{
  for (guint i = self->parts->len; i > 0; i--)
    {
      JmSlice name;

      if (!take_last_name (&path, &name) ||
          !part_match (&g_array_index (self->parts, Part, i - 1), name, match))
        return FALSE;
    }

  if (self->above != NULL)
    match->root = path;
  while (path.length > 0)
    {
      JmSlice name;

      if (!take_last_name (&path, &name) || !may_float_in (self, name))
        return FALSE;
    }

  return TRUE;
}

static gboolean
begin_with (const JmPathPattern *self, JmSlice path)
{
  JmPathMatch match = { 0 };
  JmSlice name;

  for (guint i = 0; i < self->parts->len && take_first_name (&path, &name); i++)
    if (!part_match (&g_array_index (self->parts, Part, i), name, &match))
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

/**
 * jm_path_pattern_fill: (skip)
 * @self: a pattern of one directory or file name
 * @match: what is known
 *
 * Puts what is known in the place of the placeholder.
 *
 * Returns: (transfer full) (nullable): the name; %NULL if the placeholder's field is
 *   not known
 */
char *
jm_path_pattern_fill (const JmPathPattern *self, const JmPathMatch *match)
{
  const Part *part = &g_array_index (self->parts, Part, 0);
  const JmSlice *value = &match->fields[part->field];

  if (self->parts->len != 1 || part->kind != PART_FIELD || value->text == NULL)
    return NULL;

  return g_strdup_printf ("%s%.*s%s", part->prefix, (int) value->length, value->text,
                          part->suffix);
}
