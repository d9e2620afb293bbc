/* jm-pbs-json.c: what PBS's commands print with -F json
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/pbs/jm-pbs-answers-private.h"

#include "base/jm-error.h"

#define DEPTH_MAX 16
#define TEXT_MAX (1 << 20)
#define UNICODE_DIGITS 4
/* The line that begins a job or a node is shorter. */
#define LINE_BYTES_MAX 1024

typedef enum
{
  STATE_VALUE,  /* a value has to come, or the end of a list */
  STATE_KEY,    /* a key has to come, or the end of the object */
  STATE_BEHIND, /* behind a value */
  STATE_STRING,
  STATE_QUOTE,   /* behind a quote that may be the string's last */
  STATE_ESCAPE,  /* behind a backslash */
  STATE_UNICODE, /* behind a backslash and a u */
  STATE_WORD,    /* a number, or such */
  STATE_OVER,
  STATE_LOST, /* until the next job or node begins */
} State;

struct _JmPbsJson
{
  const JmPbsJsonHandler *handler;
  gpointer data;
  State state;
  char open[DEPTH_MAX]; /* what each level was begun with */
  guint depth;
  gboolean is_key;   /* whether the string is one */
  gboolean is_first; /* the key that comes, of a job or a node */
  gboolean is_dense; /* its first key is in the line that began it */
  GString *key;
  GString *text;
  gsize length; /* of the text before the quote */
  char behind;  /* the comma or bracket behind the quote; none yet: 0 */
  char digits[UNICODE_DIGITS + 1];
  guint n_digits;
  GString *line;                    /* what stands before here in this line */
  GString *quote_line;              /* the same of the quote */
  char *indents[JM_PBS_DEPTH_LIST]; /* before keys of the answer, and of the list: or
                                       NULL */
  const char *problem; /* nothing is read after it, unless a job or node is lost */
};

JmPbsJson *
jm_pbs_json_new (const JmPbsJsonHandler *handler, gpointer data)
{
  JmPbsJson *self = g_new0 (JmPbsJson, 1);

  self->handler = handler;
  self->data = data;
  self->key = g_string_new (NULL);
  self->text = g_string_new (NULL);
  self->line = g_string_new (NULL);
  self->quote_line = g_string_new (NULL);

  return self;
}

void
jm_pbs_json_free (JmPbsJson *self)
{
  g_string_free (self->key, TRUE);
  g_string_free (self->text, TRUE);
  g_string_free (self->line, TRUE);
  g_string_free (self->quote_line, TRUE);
  for (guint i = 0; i < JM_PBS_DEPTH_LIST; i++)
    g_free (self->indents[i]);
  g_free (self);
}

/* --- levels --- */

static void
begin_level (JmPbsJson *self, char bracket)
{
  if (self->depth == DEPTH_MAX)
    {
      self->problem = "nested too deep";
      return;
    }
  if (self->depth > 0)
    self->handler->begin (self->data, self->depth, self->key->str);
  else if (bracket != '{')
    self->problem = "not an object";

  self->open[self->depth++] = bracket;
  self->is_first = self->depth == JM_PBS_DEPTH_LIST + 1;
  g_string_truncate (self->key, 0);
  self->state = bracket == '{' ? STATE_KEY : STATE_VALUE;
}

/* In an answer that is laid out for people, a job or a node ends with a line that is
 * indented as the one that began it, unless its first key was in that; the list of all
 * likewise. */
static gboolean
is_indented (JmPbsJson *self)
{
  const guint level = self->depth - JM_PBS_DEPTH_LIST;
  const char *indent =
    level < G_N_ELEMENTS (self->indents) ? self->indents[level] : NULL;

  if (level == 1 && self->is_dense)
    return TRUE;

  return indent == NULL || (g_str_has_prefix (self->line->str, indent) &&
                            strspn (self->line->str, "\n\t ") == strlen (indent));
}

static void
end_level (JmPbsJson *self, char bracket)
{
  if (self->depth == 0 || self->open[self->depth - 1] != (bracket == '}' ? '{' : '[') ||
      !is_indented (self))
    {
      self->problem = "brackets that do not match";
      return;
    }

  self->depth--;
  if (self->depth > 0)
    self->handler->end (self->data, self->depth);
  g_string_truncate (self->key, 0);
  self->state = self->depth > 0 ? STATE_BEHIND : STATE_OVER;
}

static gboolean
is_in_object (JmPbsJson *self)
{
  return self->depth > 0 && self->open[self->depth - 1] == '{';
}

/* --- texts --- */

static void
begin_text (JmPbsJson *self, State state, gboolean is_key)
{
  g_string_truncate (self->text, 0);
  self->is_key = is_key;
  self->state = state;
}

static void
add_byte (JmPbsJson *self, char byte)
{
  if (self->text->len >= TEXT_MAX)
    self->problem = "too long a text";
  else
    g_string_append_c (self->text, byte);
}

static void
end_text (JmPbsJson *self)
{
  if (self->is_key)
    {
      g_string_assign (self->key, self->text->str);
      self->state = STATE_VALUE; /* its colon is behind its quote */
      return;
    }

  self->handler->value (self->data, self->depth, self->key->str,
                        (JmSlice){ self->text->str, self->text->len });
  self->state = STATE_BEHIND;
}

/* What stands behind a backslash that JSON has no meaning for is itself. */
static void
take_escaped (JmPbsJson *self, char byte)
{
  static const char letters[] = "bfnrt";
  static const char meanings[] = "\b\f\n\r\t";
  const char *letter = memchr (letters, byte, sizeof letters - 1);

  self->state = STATE_STRING;
  if (byte == 'u')
    {
      self->state = STATE_UNICODE;
      self->n_digits = 0;
    }
  else
    add_byte (self, letter != NULL ? meanings[letter - letters] : byte);
}

static void
end_unicode (JmPbsJson *self)
{
  gunichar character;

  self->digits[self->n_digits] = '\0';
  character = (gunichar) g_ascii_strtoull (self->digits, NULL, 16);
  self->state = STATE_STRING;

  /* Halves of a pair are not put together: nothing that is asked for has such. */
  if (character == 0 || (character & 0xf800) == 0xd800)
    add_byte (self, '?');
  else
    g_string_append_unichar (self->text, character);
}

/* --- keys and values --- */

/* The answer has line ends where it has been laid out for people. */
static void
note_indent (JmPbsJson *self)
{
  char **indent =
    self->depth <= JM_PBS_DEPTH_LIST ? &self->indents[self->depth - 1] : NULL;

  if (indent == NULL || self->line->len == 0 || self->line->str[0] != '\n' ||
      strspn (self->line->str, "\n\t ") < self->line->len)
    return;
  g_free (*indent);
  *indent = g_strdup (self->line->str);
}

static void
take_key (JmPbsJson *self, char byte)
{
  if (byte == '"')
    {
      note_indent (self);
      if (self->is_first)
        self->is_dense = strspn (self->line->str, "\n\t ") < self->line->len;
      self->is_first = FALSE;
      begin_text (self, STATE_STRING, TRUE);
    }
  else if (byte == '}')
    end_level (self, byte);
  else
    self->problem = "a key that is none";
}

static void
take_behind (JmPbsJson *self, char byte)
{
  if (byte == ',')
    self->state = is_in_object (self) ? STATE_KEY : STATE_VALUE;
  else if (byte == '}' || byte == ']')
    end_level (self, byte);
  else
    self->problem = "values without a comma between";
}

static void
take_value (JmPbsJson *self, char byte)
{
  if (byte == '{' || byte == '[')
    begin_level (self, byte);
  else if (byte == ']' && self->depth > 0)
    end_level (self, byte);
  else if (self->depth == 0)
    self->problem = "not an object";
  else if (byte == '"')
    begin_text (self, STATE_STRING, FALSE);
  else if ((byte == ',' || byte == '}') && is_in_object (self))
    {
      begin_text (self, STATE_WORD, FALSE);
      end_text (self);
      take_behind (self, byte);
    }
  else if (memchr (",:}", byte, 3) == NULL)
    {
      begin_text (self, STATE_WORD, FALSE);
      add_byte (self, byte);
    }
  else
    self->problem = "a value that is missing";
}

static void
take_string (JmPbsJson *self, char byte)
{
  if (byte == '\\')
    {
      self->state = STATE_ESCAPE;
      return;
    }

  if (byte == '"')
    {
      self->length = self->text->len;
      self->behind = '\0';
      self->state = STATE_QUOTE;
      g_string_assign (self->quote_line, self->line->str);
    }
  add_byte (self, byte);
}

/* Whether the quote was the string's last, by what stands behind it. A comma and a
 * bracket may be of the text, too: behind the comma of an object comes a key, behind a
 * bracket another one or a comma. */
static gboolean
ends_string (JmPbsJson *self, char byte)
{
  if (self->is_key)
    return byte == ':';
  if (self->behind == ',')
    return byte == '"';
  if (self->behind != '\0')
    return memchr (",}]", byte, 3) != NULL;

  return byte == ',' && !is_in_object (self);
}

/* Whether what stands behind the quote does not decide it yet. */
static gboolean
is_open_behind (JmPbsJson *self, char byte)
{
  if (g_ascii_isspace (byte))
    return TRUE;
  if (self->is_key || self->behind != '\0')
    return FALSE;

  return is_in_object (self) ? byte == ',' || byte == '}' : byte == ']';
}

static void take_byte (JmPbsJson *self, char byte);

static void
note_byte (JmPbsJson *self, char byte)
{
  if (byte == '\n')
    g_string_truncate (self->line, 0);
  if (byte != '\0' && self->line->len < LINE_BYTES_MAX)
    g_string_append_c (self->line, byte);
}

/* What was kept back behind the quote is read as what it is, in its own line. */
static void
end_string (JmPbsJson *self)
{
  g_autofree char *behind = g_strdup (self->text->str + self->length + 1);
  g_autofree char *line = g_strdup (self->line->str);

  g_string_truncate (self->text, self->length);
  end_text (self);
  g_string_assign (self->line, self->quote_line->str);
  for (const char *c = behind; *c != '\0' && self->problem == NULL; c++)
    {
      take_byte (self, *c);
      note_byte (self, *c);
    }
  g_string_assign (self->line, line);
}

static void
take_behind_quote (JmPbsJson *self, char byte)
{
  if (ends_string (self, byte))
    {
      gboolean is_key = self->is_key;

      end_string (self);
      if (!is_key && self->problem == NULL)
        take_byte (self, byte);
    }
  else if (is_open_behind (self, byte))
    {
      if (!g_ascii_isspace (byte))
        self->behind = byte;
      add_byte (self, byte);
    }
  else
    {
      self->state = STATE_STRING;
      take_string (self, byte);
    }
}

/* A `\u` without its digits, as in a shell's prompt, is of the text. */
static void
take_unicode (JmPbsJson *self, char byte)
{
  if (g_ascii_isxdigit (byte))
    {
      self->digits[self->n_digits++] = byte;
      if (self->n_digits == UNICODE_DIGITS)
        end_unicode (self);
      return;
    }

  add_byte (self, 'u');
  for (guint i = 0; i < self->n_digits; i++)
    add_byte (self, self->digits[i]);
  self->state = STATE_STRING;
  take_string (self, byte);
}

static void
take_word (JmPbsJson *self, char byte)
{
  if (!g_ascii_isspace (byte) && memchr (",}]", byte, 3) == NULL)
    {
      add_byte (self, byte);
      return;
    }

  end_text (self);
  if (!g_ascii_isspace (byte))
    take_behind (self, byte);
}

/* --- what cannot be read --- */

/* A text has brackets and quotes that look like the answer's own. */
static void
lose (JmPbsJson *self)
{
  self->handler->lose (self->data, self->problem);
  while (self->depth > JM_PBS_DEPTH_LIST)
    self->handler->end (self->data, --self->depth);
  self->problem = NULL;
  self->state = STATE_LOST;
}

static gboolean
can_lose (JmPbsJson *self)
{
  return self->depth >= JM_PBS_DEPTH_LIST &&
         self->indents[JM_PBS_DEPTH_LIST - 1] != NULL;
}

/* `"12.server":` as it stands before the bracket. */
static gboolean
find_key (JmPbsJson *self)
{
  const char *indent = self->indents[JM_PBS_DEPTH_LIST - 1];
  const char *key = self->line->str + strlen (indent) + 1;
  gsize length = strcspn (key, "\"");

  if (!g_str_has_prefix (self->line->str, indent) || key[-1] != '"' || length == 0 ||
      key[length] != '"' || key[length + 1] != ':' ||
      key[length + 2 + strspn (key + length + 2, " ")] != '\0')
    return FALSE;
  g_string_truncate (self->key, 0);
  g_string_append_len (self->key, key, (gssize) length);

  return TRUE;
}

/* Whether the bracket begins a job or a node, by its line. */
static gboolean
is_begin (JmPbsJson *self, char byte)
{
  return byte == '{' &&
         self->line->len > strlen (self->indents[JM_PBS_DEPTH_LIST - 1]) &&
         find_key (self);
}

static void
take_lost (JmPbsJson *self, char byte)
{
  if (is_begin (self, byte))
    begin_level (self, byte);
  else if (byte == '}' && g_strcmp0 (self->line->str, self->indents[0]) == 0)
    end_level (self, byte);
  else if (!g_ascii_isspace (byte))
    self->behind = byte;
}

/* --- bytes --- */

static void
take_byte (JmPbsJson *self, char byte)
{
  switch (self->state)
    {
    case STATE_STRING:
      take_string (self, byte);
      return;
    case STATE_QUOTE:
      take_behind_quote (self, byte);
      return;
    case STATE_ESCAPE:
      take_escaped (self, byte);
      return;
    case STATE_UNICODE:
      take_unicode (self, byte);
      return;
    case STATE_WORD:
      take_word (self, byte);
      return;
    case STATE_LOST:
      take_lost (self, byte);
      return;
    default:
      break;
    }

  if (g_ascii_isspace (byte))
    return;
  if (self->state == STATE_VALUE)
    take_value (self, byte);
  else if (self->state == STATE_KEY)
    take_key (self, byte);
  else if (self->state == STATE_BEHIND)
    take_behind (self, byte);
  else
    self->problem = "text behind the end";
}

void
jm_pbs_json_feed (JmPbsJson *self, const char *text, gsize length)
{
  for (gsize i = 0; i < length && self->problem == NULL; i++)
    {
      /* what has not ended is a text that swallows what comes */
      if (self->depth > JM_PBS_DEPTH_LIST && self->state != STATE_LOST &&
          can_lose (self) && is_begin (self, text[i]))
        {
          self->problem = "it does not end";
          lose (self);
        }
      take_byte (self, text[i]);
      if (self->problem != NULL && can_lose (self))
        lose (self);
      note_byte (self, text[i]);
    }
}

/* The bracket that ends the answer may be the last of a text's, or of what was lost. */
static gboolean
is_whole (JmPbsJson *self)
{
  if (self->state == STATE_QUOTE && self->behind == '}')
    end_string (self);

  return self->state == STATE_OVER ||
         (self->state == STATE_LOST && self->behind == '}');
}

gboolean
jm_pbs_json_finish (JmPbsJson *self, const char *command, GError **error)
{
  if (self->problem == NULL && !is_whole (self))
    self->problem = "it ends too early";
  if (self->problem == NULL)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: not JSON: %s", command,
               self->problem);

  return FALSE;
}
