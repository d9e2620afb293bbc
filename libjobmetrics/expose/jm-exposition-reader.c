/* jm-exposition-reader.c: the text that scrapers get, read back
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-exposition-reader-private.h"

#include <string.h>

#include "core/jm-error.h"

/* A message shows no more of a line. */
#define SHOWN_BYTES 80

static gboolean
is_name_byte (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == ':';
}

static gboolean
is_name (const char *text)
{
  if (!is_name_byte (*text) || g_ascii_isdigit (*text))
    return FALSE;
  while (is_name_byte (*text))
    text++;

  return *text == '\0';
}

/* Takes a name off the cursor, which then is behind the byte that ended it. Returns
 * that byte, NUL at the end of the line. */
static char
take_name (char **cursor, const char **name)
{
  char *p = *cursor;
  char ended_by;

  *name = p;
  while (is_name_byte (*p))
    p++;
  ended_by = *p;
  *p = '\0';
  *cursor = ended_by != '\0' ? p + 1 : p;

  return is_name (*name) ? ended_by : '\0';
}

/* Removes escapes in place, up to @quote. Returns what is behind it, NULL where it is
 * missing or an escape is unknown. */
static char *
unescape (char *text, char quote)
{
  char *out = text;

  for (; *text != quote; text++)
    {
      if (*text == '\0')
        return NULL;
      if (*text != '\\')
        {
          *out++ = *text;
          continue;
        }
      text++;
      if (*text != '\\' && *text != '"' && *text != 'n')
        return NULL;
      *out++ = *text == 'n' ? '\n' : *text;
    }
  if (quote != '\0')
    text++;
  *out = '\0';

  return text;
}

static gboolean
has_label (GArray *labels, const char *name)
{
  for (guint i = 0; i < labels->len; i++)
    if (strcmp (g_array_index (labels, JmExpositionLabel, i).name, name) == 0)
      return TRUE;

  return FALSE;
}

/* From behind the brace that opens to behind the one that closes. */
static gboolean
take_labels (char **cursor, GArray *labels)
{
  while (**cursor != '}')
    {
      JmExpositionLabel label;
      char *p;

      if (labels->len == JM_EXPOSITION_LABELS_MAX ||
          take_name (cursor, &label.name) != '=' || **cursor != '"' ||
          has_label (labels, label.name))
        return FALSE;
      label.value = *cursor + 1;
      p = unescape (*cursor + 1, '"');
      if (p == NULL || (*p != ',' && *p != '}'))
        return FALSE;

      g_array_append_val (labels, label);
      *cursor = *p == ',' ? p + 1 : p;
    }
  (*cursor)++;

  return TRUE;
}

static gboolean
take_value (const char *text, double *value)
{
  char *end;

  /* the parser of numbers would skip them, and takes hexadecimal ones */
  if (*text == '\0' || strchr ("+-.0123456789NI", *text) == NULL ||
      strpbrk (text, "xX") != NULL)
    return FALSE;
  *value = g_ascii_strtod (text, &end);

  return end != text && *end == '\0';
}

static gboolean
parse_sample (JmExpositionReader *self, JmExpositionSample *sample)
{
  char *cursor = self->line->str;
  char ended_by = take_name (&cursor, &sample->name);

  g_array_set_size (self->labels, 0);
  if (ended_by == '{')
    {
      if (!take_labels (&cursor, self->labels) || *cursor != ' ')
        return FALSE;
      cursor++;
    }
  else if (ended_by != ' ')
    return FALSE;

  return take_value (cursor, &sample->value);
}

static void
begin_family (JmExpositionReader *self, const char *name, const char *line)
{
  if (self->head != NULL && self->head_end == line &&
      strcmp (self->family->str, name) == 0)
    return;

  g_string_assign (self->family, name);
  g_string_truncate (self->type, 0);
  g_string_truncate (self->help, 0);
  self->head = line;
}

/* `# TYPE name counter`, `# HELP name Words.`; other lines of this sort are comments.
 */
static gboolean
parse_comment (JmExpositionReader *self, const char *line)
{
  gboolean is_help = g_str_has_prefix (self->line->str, "# HELP ");
  const char *name;
  char *cursor = self->line->str + strlen ("# HELP ");

  if (!is_help && !g_str_has_prefix (self->line->str, "# TYPE "))
    return TRUE;
  if (take_name (&cursor, &name) != ' ')
    return FALSE;
  if (is_help ? unescape (cursor, '\0') == NULL : !is_name (cursor))
    return FALSE;

  begin_family (self, name, line);
  g_string_assign (is_help ? self->help : self->type, cursor);
  self->head_end = self->cursor;

  return TRUE;
}

/* Keeps the next line without its end, and returns where it began. */
static const char *
take_line (JmExpositionReader *self)
{
  const char *line = self->cursor;
  gsize length = (gsize) (self->end - line);
  const char *end = memchr (line, '\n', length);

  self->cursor = end != NULL ? end + 1 : self->end;
  length = end != NULL ? (gsize) (end - line) : length;
  g_string_truncate (self->line, 0);
  g_string_append_len (self->line, line, (gssize) MIN (length, JM_EXPOSITION_LINE_MAX));

  return line;
}

static gboolean
is_text (JmExpositionReader *self)
{
  return self->line->len < JM_EXPOSITION_LINE_MAX &&
         g_utf8_validate (self->line->str, (gssize) self->line->len, NULL);
}

static gboolean
refuse (JmExpositionReader *self, const char *line, GError **error)
{
  gsize length = MIN ((gsize) (self->cursor - line), SHOWN_BYTES);
  g_autofree char *shown = g_utf8_make_valid (line, (gssize) length);
  g_autofree char *quoted = g_strescape (shown, NULL);

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "not a line of metrics: \"%s\"",
               quoted);
  self->cursor = self->end;

  return FALSE;
}

/* Of samples that do not follow on metadata of theirs nothing is known. */
static void
fill_in (JmExpositionReader *self, JmExpositionSample *sample, const char *line)
{
  gboolean has_head = strcmp (self->family->str, sample->name) == 0;

  sample->family = has_head ? self->family->str : "";
  sample->type = has_head ? self->type->str : "";
  sample->help = has_head ? self->help->str : "";
  sample->head = has_head ? self->head : line;
  sample->head_length = has_head ? (gsize) (self->head_end - self->head) : 0;
  sample->labels = (gpointer) self->labels->data;
  sample->n_labels = self->labels->len;
  sample->line = line;
  sample->line_length = (gsize) (self->cursor - line);
}

void
jm_exposition_reader_init (JmExpositionReader *self, const char *text, gsize length)
{
  *self = (JmExpositionReader){ .cursor = text, .end = text + length };
  self->line = g_string_new (NULL);
  self->labels = g_array_new (FALSE, FALSE, sizeof (JmExpositionLabel));
  self->family = g_string_new (NULL);
  self->type = g_string_new (NULL);
  self->help = g_string_new (NULL);
}

gboolean
jm_exposition_reader_next (JmExpositionReader *self,
                           JmExpositionSample *sample,
                           GError **error)
{
  while (self->cursor < self->end)
    {
      const char *line = take_line (self);
      gboolean is_sample = self->line->len > 0 && self->line->str[0] != '#';

      if (!is_text (self) ||
          (is_sample ? !parse_sample (self, sample) : !parse_comment (self, line)))
        return refuse (self, line, error);
      if (!is_sample)
        continue;

      fill_in (self, sample, line);
      return TRUE;
    }

  return FALSE;
}

const char *
jm_exposition_sample_get_label (const JmExpositionSample *sample, const char *name)
{
  for (guint i = 0; i < sample->n_labels; i++)
    if (strcmp (sample->labels[i].name, name) == 0)
      return sample->labels[i].value;

  return NULL;
}

void
jm_exposition_reader_clear (JmExpositionReader *self)
{
  g_string_free (self->line, TRUE);
  g_array_unref (self->labels);
  g_string_free (self->family, TRUE);
  g_string_free (self->type, TRUE);
  g_string_free (self->help, TRUE);
}
