/* jm-name-pattern.c: what a name between two slashes looks like
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-name-pattern-private.h"

#include <string.h>

#include "base/jm-error-private.h"

#define ESCAPE_BYTES 4 /* \x2d */

typedef struct
{
  char *before; /* the text in front of it */
  const JmPlaceholder *placeholder;
} Part;

struct _JmNamePattern
{
  char *text;
  gboolean is_any;
  gboolean is_unit; /* systemd's, which escapes characters */
  Part parts[JM_NAME_FIELDS_MAX];
  guint n_parts;
  guint open; /* the part that ends where the others begin */
  char *after;
};

/* --- characters --- */

/* Of a unit's name `\x2d` is one character. */
static gboolean
is_escape (JmSlice text, gsize at)
{
  return text.length - at >= ESCAPE_BYTES && text.text[at] == '\\' &&
         text.text[at + 1] == 'x' && g_ascii_isxdigit (text.text[at + 2]) &&
         g_ascii_isxdigit (text.text[at + 3]);
}

static char
get_escaped (const char *escape)
{
  return (char) (g_ascii_xdigit_value (escape[2]) * 16 +
                 g_ascii_xdigit_value (escape[3]));
}

static char
get_first (const JmNamePattern *self, JmSlice text, gsize *n_bytes)
{
  gboolean escaped = self->is_unit && is_escape (text, 0);

  *n_bytes = escaped ? ESCAPE_BYTES : 1;

  return escaped ? get_escaped (text.text) : text.text[0];
}

static char
get_last (const JmNamePattern *self, JmSlice text, gsize *n_bytes)
{
  gboolean escaped = self->is_unit && text.length >= ESCAPE_BYTES &&
                     is_escape (text, text.length - ESCAPE_BYTES);

  *n_bytes = escaped ? ESCAPE_BYTES : 1;

  return escaped ? get_escaped (text.text + text.length - ESCAPE_BYTES)
                 : text.text[text.length - 1];
}

/* --- understanding a pattern --- */

static gboolean
is_unit_name (const char *text)
{
  return g_str_has_suffix (text, ".slice") || g_str_has_suffix (text, ".scope") ||
         g_str_has_suffix (text, ".service");
}

/* Takes the text up to a percent sign, and the placeholder behind it. */
static gboolean
add_part (JmNamePattern *self, const char **text, GError **error)
{
  const char *percent = strchr (*text, '%');
  const JmPlaceholder *placeholder = jm_placeholder_find (percent[1]);

  if (placeholder == NULL)
    return jm_error_refuse (error, "unknown placeholder", percent);
  if (self->n_parts == JM_NAME_FIELDS_MAX)
    return jm_error_refuse (error, "more than eight placeholders between slashes",
                            percent);
  if (percent == *text && self->n_parts > 0)
    return jm_error_refuse (error, "two placeholders without a text between them",
                            percent);

  self->parts[self->n_parts++] =
    (Part){ g_strndup (*text, (gsize) (percent - *text)), placeholder };
  *text = percent + 2;

  return TRUE;
}

/* Whether the character beside it cannot be a part of it. */
static gboolean
is_bounded (const JmNamePattern *self, guint part, gboolean from_left)
{
  const char *text = self->parts[from_left ? part + 1 : part].before;
  JmSlice beside = { text, strlen (text) };
  gsize n_bytes;

  return beside.length > 0 &&
         !jm_placeholder_may_have (self->parts[part].placeholder,
                                   from_left ? get_first (self, beside, &n_bytes)
                                             : get_last (self, beside, &n_bytes));
}

static gboolean
find_open (JmNamePattern *self, const char *text, GError **error)
{
  guint last = self->n_parts - 1;

  if (self->n_parts == 0)
    return TRUE;

  while (self->open < last && is_bounded (self, self->open, TRUE))
    self->open++;
  while (last > self->open && is_bounded (self, last, FALSE))
    last--;

  return last == self->open ||
         jm_error_refuse (error, "placeholders that cannot be distinguished", text);
}

/**
 * jm_name_pattern_new: (skip)
 * @text: the pattern, without a slash
 * @error: return location for an error
 *
 * Understands a pattern.
 *
 * - Errors: `INVALID`: what is wrong, and where in the pattern.
 *
 * Returns: (transfer full): the pattern
 */
JmNamePattern *
jm_name_pattern_new (const char *text, GError **error)
{
  g_autoptr (JmNamePattern) self = g_new0 (JmNamePattern, 1);
  const char *rest = text;

  self->text = g_strdup (text);
  self->is_any = g_str_equal (text, "*");
  self->is_unit = is_unit_name (text);
  if (!self->is_any && strchr (text, '*') != NULL)
    {
      jm_error_refuse (error, "a star with other characters", text);
      return NULL;
    }

  while (strchr (rest, '%') != NULL)
    if (!add_part (self, &rest, error))
      return NULL;
  self->after = g_strdup (rest);

  return find_open (self, text, error) ? g_steal_pointer (&self) : NULL;
}

/**
 * jm_name_pattern_free: (skip)
 * @self: (transfer full): a pattern
 */
void
jm_name_pattern_free (JmNamePattern *self)
{
  for (guint i = 0; i < self->n_parts; i++)
    g_free (self->parts[i].before);
  g_free (self->after);
  g_free (self->text);
  g_free (self);
}

/**
 * jm_name_pattern_get_text: (skip)
 * @self: a pattern
 *
 * Returns: the pattern as it was written
 */
const char *
jm_name_pattern_get_text (const JmNamePattern *self)
{
  return self->text;
}

/**
 * jm_name_pattern_get_n_fields: (skip)
 * @self: a pattern
 *
 * Returns: how many placeholders it has
 */
guint
jm_name_pattern_get_n_fields (const JmNamePattern *self)
{
  return self->n_parts;
}

/**
 * jm_name_pattern_get_field: (skip)
 * @self: a pattern
 * @number: of a placeholder
 *
 * Returns: what it reports
 */
JmPathField
jm_name_pattern_get_field (const JmNamePattern *self, guint number)
{
  return self->parts[number].placeholder->field;
}

/* --- comparing --- */

static gboolean
take_text (JmSlice *name, const char *text)
{
  gsize length = strlen (text);

  if (name->length < length || memcmp (name->text, text, length) != 0)
    return FALSE;

  *name = (JmSlice){ name->text + length, name->length - length };
  return TRUE;
}

static gboolean
take_text_at_end (JmSlice *name, const char *text)
{
  gsize length = strlen (text);

  if (name->length < length ||
      memcmp (name->text + name->length - length, text, length) != 0)
    return FALSE;

  name->length -= length;
  return TRUE;
}

static JmSlice
take_value (const JmNamePattern *self, guint part, JmSlice *name)
{
  JmSlice value = { name->text, 0 };
  gsize n_bytes;

  while (name->length > 0 &&
         jm_placeholder_may_have (self->parts[part].placeholder,
                                  get_first (self, *name, &n_bytes)))
    {
      value.length += n_bytes;
      *name = (JmSlice){ name->text + n_bytes, name->length - n_bytes };
    }

  return value;
}

static JmSlice
take_value_at_end (const JmNamePattern *self, guint part, JmSlice *name)
{
  gsize length = name->length;
  gsize n_bytes;

  while (name->length > 0 && jm_placeholder_may_have (self->parts[part].placeholder,
                                                      get_last (self, *name, &n_bytes)))
    name->length -= n_bytes;

  return (JmSlice){ name->text + name->length, length - name->length };
}

static gboolean
split (const JmNamePattern *self, JmSlice name, JmSlice values[JM_NAME_FIELDS_MAX])
{
  for (guint i = 0; i < self->open; i++)
    {
      if (!take_text (&name, self->parts[i].before))
        return FALSE;
      values[i] = take_value (self, i, &name);
    }

  if (!take_text_at_end (&name, self->after))
    return FALSE;
  for (guint i = self->n_parts; i > self->open + 1; i--)
    {
      values[i - 1] = take_value_at_end (self, i - 1, &name);
      if (!take_text_at_end (&name, self->parts[i - 1].before))
        return FALSE;
    }

  if (self->n_parts == 0)
    return name.length == 0;
  if (!take_text (&name, self->parts[self->open].before))
    return FALSE;

  values[self->open] = name;
  return TRUE;
}

/* What a placeholder stands for, if it can stand for that; @value may be NULL. */
static gboolean
read_value (const JmNamePattern *self, guint part, JmSlice text, char **value)
{
  const JmPlaceholder *placeholder = self->parts[part].placeholder;
  char plain[JM_NAME_MAX_BYTES];
  gsize length = 0;

  if (text.length > JM_NAME_MAX_BYTES)
    return FALSE;

  while (text.length > 0)
    {
      gsize n_bytes;

      plain[length++] = get_first (self, text, &n_bytes);
      text = (JmSlice){ text.text + n_bytes, text.length - n_bytes };
    }

  if (!jm_placeholder_check (placeholder->letter, (JmSlice){ plain, length }))
    return FALSE;
  if (value != NULL)
    *value = jm_placeholder_dup_value (placeholder, (JmSlice){ plain, length });

  return TRUE;
}

/**
 * jm_name_match_clear: (skip)
 * @self: what a name reported
 */
void
jm_name_match_clear (JmNameMatch *self)
{
  for (guint i = 0; i < self->n; i++)
    g_free (self->texts[i]);
  self->n = 0;
}

/**
 * jm_name_pattern_match: (skip)
 * @self: a pattern
 * @name: a name
 * @match: (out) (optional): what it reports; nothing where it does not match
 *
 * Returns: whether @name matches
 */
gboolean
jm_name_pattern_match (const JmNamePattern *self, JmSlice name, JmNameMatch *match)
{
  JmSlice values[JM_NAME_FIELDS_MAX];

  if (match != NULL)
    match->n = 0;
  if (self->is_any)
    return TRUE;
  if (!split (self, name, values))
    return FALSE;

  for (guint i = 0; i < self->n_parts; i++)
    {
      if (!read_value (self, i, values[i], match != NULL ? &match->texts[i] : NULL))
        {
          if (match != NULL)
            jm_name_match_clear (match);
          return FALSE;
        }
      if (match != NULL)
        match->n++;
    }

  return TRUE;
}

/**
 * jm_name_pattern_fill: (skip)
 * @self: a pattern
 * @values: what is known, by #JmPathField
 * @name: what the name is appended to
 *
 * Puts what is known in the places of the placeholders.
 *
 * Returns: whether all of it is known
 */
gboolean
jm_name_pattern_fill (const JmNamePattern *self, char *const *values, GString *name)
{
  for (guint i = 0; i < self->n_parts; i++)
    {
      const char *value = values[self->parts[i].placeholder->field];

      if (value == NULL)
        return FALSE;
      g_string_append (name, self->parts[i].before);
      g_string_append (name, value);
    }
  g_string_append (name, self->is_any ? "*" : self->after);

  return TRUE;
}

/**
 * jm_name_pattern_append_example: (skip)
 * @self: a pattern
 * @name: what a name that matches is appended to
 */
void
jm_name_pattern_append_example (const JmNamePattern *self, GString *name)
{
  for (guint i = 0; i < self->n_parts; i++)
    {
      g_string_append (name, self->parts[i].before);
      g_string_append (name, self->parts[i].placeholder->example);
    }
  g_string_append (name, self->is_any ? "any" : self->after);
}
