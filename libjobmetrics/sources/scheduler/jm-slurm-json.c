/* jm-slurm-json.c: the JSON of slurmrestd, made valid
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-slurm-json-private.h"

#define INFINITE "\"INFINITY\""
#define UNKNOWN "null"

static gboolean
is_of_word (char c)
{
  return g_ascii_isalnum (c) || c == '+' || c == '-' || c == '.';
}

static gboolean
is (JmSlice text, const char *word)
{
  return text.length == strlen (word) &&
         g_ascii_strncasecmp (text.text, word, text.length) == 0;
}

/* NULL for a word that stays. json-c writes `Infinity`, printf() `inf`. */
static const char *
find_replacement (JmSlice word)
{
  gboolean is_negative = word.length > 0 && word.text[0] == '-';

  if (is_negative || (word.length > 0 && word.text[0] == '+'))
    word = (JmSlice){ word.text + 1, word.length - 1 };
  if (is (word, "nan"))
    return UNKNOWN;
  if (!is (word, "inf") && !is (word, "infinity"))
    return NULL;

  return is_negative ? UNKNOWN : INFINITE;
}

/* The stream keeps in mind that it failed. */
static void
pass (JmSlurmJson *self, const char *begin, const char *end)
{
  jm_json_stream_feed (self->stream, begin, (gsize) (end - begin));
}

static void
pass_word (JmSlurmJson *self)
{
  JmSlice word = { self->word, self->word_length };
  const char *replacement = find_replacement (word);

  if (replacement != NULL)
    word = (JmSlice){ replacement, strlen (replacement) };
  pass (self, word.text, word.text + word.length);
  self->word_length = 0;
}

/* Keeps what is there of a word, and returns where it ends. A longer word than any that
 * is replaced is passed on. */
static const char *
keep_word (JmSlurmJson *self, const char *text, const char *end)
{
  for (; text < end && is_of_word (*text); text++)
    {
      self->word[self->word_length++] = *text;
      if (self->word_length == sizeof self->word)
        pass_word (self);
    }

  return text;
}

static const char *
skip_to_word (JmSlurmJson *self, const char *text, const char *end)
{
  for (; text < end; text++)
    if (self->is_escaped)
      self->is_escaped = FALSE;
    else if (*text == '"')
      self->is_in_string = !self->is_in_string;
    else if (self->is_in_string)
      self->is_escaped = *text == '\\';
    else if (is_of_word (*text))
      break;

  return text;
}

gboolean
jm_slurm_json_feed (JmSlurmJson *self, const char *text, gsize length)
{
  const char *end = text + length;
  const char *passed;

  if (self->word_length > 0)
    {
      text = keep_word (self, text, end);
      if (text < end)
        pass_word (self);
    }

  passed = text;
  while (text < end)
    {
      const char *word = skip_to_word (self, text, end);
      const char *replacement;

      text = word;
      while (text < end && is_of_word (*text))
        text++;
      if (text == end)
        {
          pass (self, passed, word);
          passed = keep_word (self, word, end);
          continue;
        }
      replacement = find_replacement ((JmSlice){ word, (gsize) (text - word) });
      if (replacement == NULL)
        continue;
      pass (self, passed, word);
      pass (self, replacement, replacement + strlen (replacement));
      passed = text;
    }
  pass (self, passed, end);

  return jm_json_stream_feed (self->stream, "", 0);
}

gboolean
jm_slurm_json_finish (JmSlurmJson *self, const char *name, GError **error)
{
  pass_word (self);

  return jm_json_stream_finish (self->stream, name, error);
}
