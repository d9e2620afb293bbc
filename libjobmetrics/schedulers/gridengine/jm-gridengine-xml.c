/* jm-gridengine-xml.c: what Grid Engine's commands print with -xml
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/gridengine/jm-gridengine-answers-private.h"

#include "core/jm-error.h"

#define DEPTH_MAX 16
/* `&#x10ffff;` and more. */
#define REFERENCE_MAX 16
#define TEXT_MAX (1 << 20)

struct _JmGridengineXml
{
  const char *root;
  const JmGridengineXmlHandler *handler;
  gpointer data;
  GMarkupParseContext *context;
  GString *text;  /* of the element that was begun last */
  GString *name;  /* the same */
  GString *chunk; /* what is handed to the parser, and at first what was left over */
  GString *clean; /* of that, what the parser takes */
  gboolean is_in_tag;
  gsize since_tag; /* bytes since a tag began, all of which the parser keeps */
  guint depth;
  GError *error; /* the first; nothing is read after it */
};

static void
on_start (GMarkupParseContext *context,
          const char *element,
          const char **names,
          const char **values,
          gpointer data,
          GError **error)
{
  JmGridengineXml *self = data;

  if (++self->depth > DEPTH_MAX)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_MALFORMED, "nested too deep");
      return;
    }
  if (self->depth == 1 && strcmp (element, self->root) != 0)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "not a %s", self->root);
      return;
    }

  g_string_truncate (self->text, 0);
  g_string_truncate (self->name, 0);
  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], "name") == 0)
      g_string_assign (self->name, values[i]);
  self->handler->begin (self->data, element, self->name->str);
}

static void
on_text (GMarkupParseContext *context,
         const char *text,
         gsize length,
         gpointer data,
         GError **error)
{
  JmGridengineXml *self = data;

  g_string_append_len (self->text, text, (gssize) length);
}

static void
on_end (GMarkupParseContext *context,
        const char *element,
        gpointer data,
        GError **error)
{
  JmGridengineXml *self = data;
  const JmSlice text = { self->text->str, self->text->len };

  self->depth--;
  self->handler->end (self->data, element, self->name->str, jm_slice_trim (text));
  g_string_truncate (self->text, 0);
}

static const GMarkupParser parser = {
  .start_element = on_start,
  .end_element = on_end,
  .text = on_text,
};

JmGridengineXml *
jm_gridengine_xml_new (const char *root,
                       const JmGridengineXmlHandler *handler,
                       gpointer data)
{
  JmGridengineXml *self = g_new0 (JmGridengineXml, 1);

  self->root = root;
  self->handler = handler;
  self->data = data;
  self->context = g_markup_parse_context_new (&parser, 0, self, NULL);
  self->text = g_string_new (NULL);
  self->name = g_string_new (NULL);
  self->chunk = g_string_new (NULL);
  self->clean = g_string_new (NULL);

  return self;
}

void
jm_gridengine_xml_free (JmGridengineXml *self)
{
  g_markup_parse_context_free (self->context);
  g_string_free (self->text, TRUE);
  g_string_free (self->name, TRUE);
  g_string_free (self->chunk, TRUE);
  g_string_free (self->clean, TRUE);
  g_clear_error (&self->error);
  g_free (self);
}

/* Puts a mark in place of each byte that is no UTF-8, since the parser refuses those;
 * returns where a character begins of which the end is still to come. */
static gsize
make_valid (GString *chunk)
{
  const char *end;
  gsize at = 0;

  while (!g_utf8_validate_len (chunk->str + at, chunk->len - at, &end))
    {
      at = (gsize) (end - chunk->str);
      if (*end != '\0' && chunk->len - at < 4 &&
          g_utf8_get_char_validated (end, (gssize) (chunk->len - at)) == (gunichar) -2)
        return at;

      chunk->str[at++] = '?';
    }

  return chunk->len;
}

/* --- texts that are not escaped --- */

/* https://www.w3.org/TR/xml/#NT-Char, and what the parser allows beside it */
static gboolean
is_character (const char *number)
{
  const gboolean is_hex = number[0] == 'x';
  guint64 value;

  return g_ascii_string_to_unsigned (number + is_hex, is_hex ? 16 : 10, 1, 0x10ffff,
                                     &value, NULL) &&
         (value < 0xd800 || value > 0xdfff) && value != 0xfffe && value != 0xffff;
}

/* Returns how long the reference is that begins at an `&`; 1 where it is none. */
static gsize
add_reference (GString *clean, const char *text, gsize length)
{
  static const char *const names[] = { "amp", "lt", "gt", "quot", "apos", NULL };
  const char *end = memchr (text, ';', MIN (length, REFERENCE_MAX));
  g_autofree char *name = end != NULL ? g_strndup (text + 1, end - text - 1) : NULL;

  if (name == NULL || (name[0] != '#' && !g_strv_contains (names, name)))
    {
      g_string_append (clean, "&amp;");
      return 1;
    }
  if (name[0] == '#' && !is_character (name + 1))
    g_string_append_c (clean, '?');
  else
    g_string_append_len (clean, text, end - text + 1);

  return (gsize) (end - text) + 1;
}

static gboolean
begins_tag (char byte)
{
  return g_ascii_isalpha (byte) || memchr ("_/?!", byte, 4) != NULL;
}

/* Fills in what the parser takes: names may have `&` and `<` in them, which not every
 * Grid Engine escapes, and the parser reads nothing behind such. Returns how much of
 * the text that is. The rest waits for what comes behind it, unless
 * nothing does. */
static gsize
make_clean (JmGridengineXml *self, const char *text, gsize length, gboolean is_last)
{
  gsize at = 0;

  g_string_truncate (self->clean, 0);
  while (at < length)
    {
      const gsize left = length - at;
      const char byte = text[at];
      const gboolean is_open = !self->is_in_tag && byte == '<';

      if (!is_last &&
          ((is_open && left == 1) || (byte == '&' && left < REFERENCE_MAX &&
                                      memchr (text + at, ';', left) == NULL)))
        break;
      if (byte == '&')
        {
          at += add_reference (self->clean, text + at, left);
          continue;
        }
      if (is_open && (left == 1 || !begins_tag (text[at + 1])))
        g_string_append (self->clean, "&lt;");
      else
        {
          self->is_in_tag = is_open || (self->is_in_tag && byte != '>');
          g_string_append_c (self->clean, byte);
        }
      at++;
    }

  return at;
}

static void
parse_chunk (JmGridengineXml *self, gsize length, gboolean is_last)
{
  const gsize n = make_clean (self, self->chunk->str, length, is_last);

  if (self->clean->len > 0)
    g_markup_parse_context_parse (self->context, self->clean->str,
                                  (gssize) self->clean->len, &self->error);
  g_string_erase (self->chunk, 0, (gssize) n);
}

static gboolean
is_tag_too_long (JmGridengineXml *self, const char *text, gsize length)
{
  const char *tag = memrchr (text, '<', length);

  self->since_tag =
    tag != NULL ? (gsize) (text + length - tag) : self->since_tag + length;

  return self->since_tag > TEXT_MAX;
}

void
jm_gridengine_xml_feed (JmGridengineXml *self, const char *text, gsize length)
{
  if (self->error != NULL)
    return;
  if (is_tag_too_long (self, text, length))
    {
      g_set_error_literal (&self->error, JM_ERROR, JM_ERROR_MALFORMED,
                           "too long a text");
      return;
    }

  g_string_append_len (self->chunk, text, (gssize) length);
  parse_chunk (self, make_valid (self->chunk), FALSE);
}

gboolean
jm_gridengine_xml_finish (JmGridengineXml *self, GError **error)
{
  /* half a character is behind the last tag */
  if (self->error == NULL &&
      g_utf8_validate_len (self->chunk->str, self->chunk->len, NULL))
    parse_chunk (self, self->chunk->len, TRUE);
  if (self->error == NULL)
    g_markup_parse_context_end_parse (self->context, &self->error);
  if (self->error == NULL)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: %s", self->root,
               self->error->message);

  return FALSE;
}
