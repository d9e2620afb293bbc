/* jm-exposition-reader.c: the text that scrapers get, of any server
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-exposition-reader-private.h"

#include <string.h>

#include "base/jm-error.h"

/* A message shows no more of a line. */
#define SHOWN_BYTES 80

static gboolean
is_name_byte (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == ':';
}

/* Behind the name that is there; where it is where it was, there is none. */
static char *
skip_name (char *text)
{
  if (g_ascii_isdigit (*text))
    return text;
  while (is_name_byte (*text))
    text++;

  return text;
}

static gboolean
is_name (char *text)
{
  char *end = skip_name (text);

  return end != text && *end == '\0';
}

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static char *
skip_blanks (char *text)
{
  while (is_blank (*text))
    text++;

  return text;
}

/* Ends the word that is there. Returns what is behind it and the blanks after it. */
static char *
take_word (char *text)
{
  char *rest;

  while (*text != '\0' && !is_blank (*text))
    text++;
  rest = skip_blanks (text);
  *text = '\0';

  return rest;
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

/* From a label's name to behind its value and the blanks after it; NULL where there is
 * none. */
static char *
take_label (char *text, JmExpositionLabel *label)
{
  char *name_end = skip_name (text);
  char *equals = skip_blanks (name_end);
  char *quote;
  char *end;

  if (name_end == text || *equals != '=')
    return NULL;
  quote = skip_blanks (equals + 1);
  if (*quote != '"')
    return NULL;
  end = unescape (quote + 1, '"');
  if (end == NULL)
    return NULL;

  *name_end = '\0';
  label->name = text;
  label->value = quote + 1;

  return skip_blanks (end);
}

/* From behind the brace that opens to behind the one that closes; NULL where that is
 * missing. */
static char *
take_labels (char *text, GArray *labels)
{
  text = skip_blanks (text);
  while (*text != '}')
    {
      JmExpositionLabel label;

      if (labels->len == JM_EXPOSITION_LABELS_MAX)
        return NULL;
      text = take_label (text, &label);
      if (text == NULL || (*text != ',' && *text != '}') ||
          has_label (labels, label.name))
        return NULL;

      g_array_append_val (labels, label);
      if (*text == ',')
        text = skip_blanks (text + 1);
    }

  return text + 1;
}

static gboolean
take_value (const char *text, double *value)
{
  char *end;

  /* the parser of numbers would skip blanks, and takes hexadecimal ones and NAN(1) */
  if (*text == '\0' || strchr ("+-.0123456789NnIi", *text) == NULL ||
      strpbrk (text, "xX(") != NULL)
    return FALSE;
  *value = g_ascii_strtod (text, &end);

  return end != text && *end == '\0';
}

static gboolean
take_timestamp (const char *text, JmExpositionSample *sample)
{
  sample->has_timestamp = *text != '\0';
  sample->timestamp_ms = 0;

  return !sample->has_timestamp ||
         g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64,
                                   &sample->timestamp_ms, NULL);
}

/* The name and the labels. Returns what is behind them, NULL where they cannot be read.
 */
static char *
take_series (JmExpositionReader *self, char *text, JmExpositionSample *sample)
{
  char *name_end = skip_name (text);
  char *end = skip_blanks (name_end);

  g_array_set_size (self->labels, 0);
  if (name_end == text)
    return NULL;

  if (*end == '{')
    end = take_labels (end + 1, self->labels);
  else
    end = name_end;
  if (end == NULL || !is_blank (*end))
    return NULL;

  sample->name = text;
  sample->series_length = (gsize) (end - text);
  *end = '\0';
  *name_end = '\0';

  return end + 1;
}

static gboolean
parse_sample (JmExpositionReader *self, char *text, JmExpositionSample *sample)
{
  char *value = take_series (self, text, sample);
  char *timestamp;
  char *rest;

  if (value == NULL)
    return FALSE;

  value = skip_blanks (value);
  timestamp = take_word (value);
  rest = take_word (timestamp);

  return *rest == '\0' && take_value (value, &sample->value) &&
         take_timestamp (timestamp, sample);
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

static gboolean
is_type (char *text)
{
  const char *rest = take_word (text);

  return is_name (text) && *rest == '\0';
}

/* `# TYPE name counter`, `# HELP name Words.`; other lines of this sort are comments.
 */
static gboolean
parse_comment (JmExpositionReader *self, char *text, const char *line)
{
  char *keyword = skip_blanks (text + 1);
  char *name = take_word (keyword);
  gboolean is_help = strcmp (keyword, "HELP") == 0;
  char *words;

  if (*name == '\0' || (!is_help && strcmp (keyword, "TYPE") != 0))
    return TRUE;

  words = take_word (name);
  if (!is_name (name) || !(is_help ? unescape (words, '\0') != NULL : is_type (words)))
    return FALSE;

  begin_family (self, name, line);
  g_string_assign (is_help ? self->help : self->type, words);
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

  self->n_lines++;
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

/* @text is the line that is kept, without the blanks at its beginning. */
static gboolean
parse_line (JmExpositionReader *self,
            char *text,
            const char *line,
            JmExpositionSample *sample)
{
  if (!is_text (self))
    return FALSE;
  if (*text == '\0')
    return TRUE;

  return *text == '#' ? parse_comment (self, text, line)
                      : parse_sample (self, text, sample);
}

static gboolean
refuse (JmExpositionReader *self, const char *line, GError **error)
{
  gsize length = MIN ((gsize) (self->cursor - line), SHOWN_BYTES);
  g_autofree char *shown = g_utf8_make_valid (line, (gssize) length);
  g_autofree char *quoted = g_strescape (shown, NULL);

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
               "line %" G_GUINT64_FORMAT ": not a line of metrics: \"%s\"",
               self->n_lines, quoted);

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
  /* of an empty answer there may be no text at all */
  if (text == NULL)
    text = "";
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
      char *text = skip_blanks (self->line->str);
      gsize n_blanks = (gsize) (text - self->line->str);
      gboolean is_sample = *text != '\0' && *text != '#';

      if (!parse_line (self, text, line, sample))
        return refuse (self, line, error);
      if (!is_sample)
        continue;

      fill_in (self, sample, line + n_blanks);
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
