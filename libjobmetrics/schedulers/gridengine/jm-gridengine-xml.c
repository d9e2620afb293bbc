/* jm-gridengine-xml.c: what Grid Engine's commands print with -xml
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/gridengine/jm-gridengine-answers-private.h"

#include "base/jm-error.h"

/* Of what is open within an item, and of a tag. */
#define PATH_MAX_BYTES 1024
#define TAG_MAX (1 << 16)
#define TEXT_MAX (1 << 20)
/* `&#x10ffff;` and more. */
#define REFERENCE_MAX 16

/* GMarkup reads nothing behind the first tag that is out of place, and names may have
 * `&` and `<` in them, which not every Grid Engine escapes. */
struct _JmGridengineXml
{
  const char *root;
  const JmGridengineXmlHandler *handler;
  gpointer data;
  GString *chunk; /* what is still to be read */
  GString *path;  /* `/job_list/JB_name`: what is open within an item; empty outside */
  GString *text;  /* of the element that was begun last */
  GString *name;  /* the same */
  gboolean is_spoiled; /* the item that is open */
  gboolean has_root;
  gboolean is_at_end; /* whether the tag that was read last ends the document */
  GError *error;      /* nothing is read after it */
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
  self->chunk = g_string_new (NULL);
  self->path = g_string_new (NULL);
  self->text = g_string_new (NULL);
  self->name = g_string_new (NULL);

  return self;
}

void
jm_gridengine_xml_free (JmGridengineXml *self)
{
  g_string_free (self->chunk, TRUE);
  g_string_free (self->path, TRUE);
  g_string_free (self->text, TRUE);
  g_string_free (self->name, TRUE);
  g_clear_error (&self->error);
  g_free (self);
}

/* --- texts --- */

/* https://www.w3.org/TR/xml/#NT-Char; 0 is none. */
static gunichar
parse_character (const char *number)
{
  const gboolean is_hex = number[0] == 'x';
  guint64 value;

  return g_ascii_string_to_unsigned (number + is_hex, is_hex ? 16 : 10, 1, 0x10ffff,
                                     &value, NULL) &&
             g_unichar_validate ((gunichar) value) && value != 0xfffe && value != 0xffff
           ? (gunichar) value
           : 0;
}

/* Returns how long the reference is that begins at an `&`; 1 where it is none. */
static gsize
add_reference (GString *plain, const char *text, gsize length)
{
  static const struct
  {
    const char *name;
    char character;
  } names[] = {
    { "amp", '&' }, { "lt", '<' }, { "gt", '>' }, { "quot", '"' }, { "apos", '\'' },
  };
  const char *end = memchr (text, ';', MIN (length, REFERENCE_MAX));
  g_autofree char *name = end != NULL ? g_strndup (text + 1, end - text - 1) : NULL;

  if (name != NULL && name[0] == '#')
    {
      const gunichar character = parse_character (name + 1);

      g_string_append_unichar (plain, character != 0 ? character : '?');
      return (gsize) (end - text) + 1;
    }
  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i].name, name) == 0)
      {
        g_string_append_c (plain, names[i].character);
        return (gsize) (end - text) + 1;
      }
  g_string_append_c (plain, '&');

  return 1;
}

/* What is no UTF-8 is marked. */
static void
set_plain (GString *plain, const char *text, gsize length)
{
  const char *end;
  gsize at = 0;

  g_string_truncate (plain, 0);
  while (at < length)
    if (text[at] == '&')
      at += add_reference (plain, text + at, length - at);
    else
      g_string_append_c (plain, text[at++]);

  for (at = 0; !g_utf8_validate_len (plain->str + at, plain->len - at, &end);)
    {
      at = (gsize) (end - plain->str);
      plain->str[at++] = '?';
    }
}

/* --- tags --- */

/* What is out of place within an item costs that item. */
static void
spoil (JmGridengineXml *self)
{
  if (self->path->len == 0 || self->is_spoiled)
    return;

  self->is_spoiled = TRUE;
  self->handler->spoil (self->data);
}

static void
add_text (JmGridengineXml *self, const char *text, gsize length)
{
  if (self->path->len == 0)
    return;
  if (self->text->len + length > TEXT_MAX)
    {
      spoil (self);
      return;
    }

  g_string_append_len (self->text, text, (gssize) length);
}

/* Sets the value of the attribute `name`. FALSE where the attributes are no pairs. */
static gboolean
read_attributes (JmGridengineXml *self, const char *text, const char *end)
{
  g_string_truncate (self->name, 0);
  for (;;)
    {
      const char *equals;
      const char *quote;

      while (text < end && g_ascii_isspace (*text))
        text++;
      if (text == end)
        return TRUE;

      equals = memchr (text, '=', (gsize) (end - text));
      if (equals == NULL || end - equals < 3 || (equals[1] != '"' && equals[1] != '\''))
        return FALSE;
      quote = memchr (equals + 2, equals[1], (gsize) (end - equals) - 2);
      if (quote == NULL)
        return FALSE;
      if (equals - text == 4 && strncmp (text, "name", 4) == 0)
        set_plain (self->name, equals + 2, (gsize) (quote - equals) - 2);
      text = quote + 1;
    }
}

static void
begin_item (JmGridengineXml *self, const char *name)
{
  g_string_printf (self->path, "/%s", self->handler->item);
  self->is_spoiled = FALSE;
  self->handler->begin (self->data, self->handler->item, name);
}

static void
end_element (JmGridengineXml *self, const char *element)
{
  const char *last = strrchr (self->path->str, '/');
  const gboolean is_item = strcmp (element, self->handler->item) == 0;
  g_autoptr (GString) text = NULL;

  if (last == NULL && is_item)
    begin_item (self, "");
  if (last == NULL || strcmp (last + 1, element) != 0)
    {
      spoil (self);
      if (is_item)
        g_string_truncate (self->path, 0);
      return;
    }

  text = g_string_sized_new (self->text->len);
  set_plain (text, self->text->str, self->text->len);
  g_string_truncate (self->path, (gsize) (last - self->path->str));
  self->handler->end (self->data, element, self->name->str,
                      jm_slice_trim ((JmSlice){ text->str, text->len }));
  g_string_truncate (self->text, 0);
}

static void
begin_element (JmGridengineXml *self,
               const char *element,
               const char *attributes,
               const char *end)
{
  const gboolean is_item = strcmp (element, self->handler->item) == 0;
  const gboolean is_empty = end > attributes && end[-1] == '/';
  gboolean is_good;

  if (!is_item && self->path->len == 0)
    return;

  g_string_truncate (self->text, 0);
  is_good = read_attributes (self, attributes, end - is_empty);
  if (is_item)
    {
      /* the one before has no end */
      spoil (self);
      begin_item (self, self->name->str);
    }
  else if (self->path->len + strlen (element) < PATH_MAX_BYTES)
    {
      g_string_append_printf (self->path, "/%s", element);
      self->handler->begin (self->data, element, self->name->str);
    }
  else
    is_good = FALSE;
  if (!is_good)
    spoil (self);
  if (is_empty)
    end_element (self, element);
}

/* Of what stands between the brackets. */
static void
read_tag (JmGridengineXml *self, const char *tag, gsize length)
{
  const gboolean is_end = tag[0] == '/';
  const gsize n = strcspn (tag + is_end, " \t\r\n/>");
  g_autofree char *element = g_strndup (tag + is_end, MIN (n, length - is_end));
  const gboolean is_root = strcmp (element, self->root) == 0;

  if (tag[0] == '?' || tag[0] == '!')
    return;
  if (!self->has_root && !is_root)
    {
      self->error = g_error_new (JM_ERROR, JM_ERROR_MALFORMED, "not a %s", self->root);
      return;
    }

  self->has_root = TRUE;
  self->is_at_end = is_end && is_root;
  if (is_end)
    end_element (self, element);
  else
    begin_element (self, element, tag + strlen (element), tag + length);
}

static gboolean
begins_tag (char byte)
{
  return g_ascii_isalpha (byte) || memchr ("_/?!", byte, 4) != NULL;
}

/* Reads the tag or the text that @text begins with. Returns its length, 0 where its end
 * is still to come. */
static gsize
read_part (JmGridengineXml *self, const char *text, gsize length, gboolean is_last)
{
  const char *end;
  gsize n;

  if (text[0] != '<' || (length > 1 && !begins_tag (text[1])))
    {
      end = memchr (text + 1, '<', length - 1);
      n = end != NULL ? (gsize) (end - text) : length;
      add_text (self, text, n);
      return n;
    }

  n = 1 + strcspn (text + 1, "<>");
  if (n < length && text[n] == '>')
    {
      read_tag (self, text + 1, n - 1);
      return n + 1;
    }
  if (n == length && !is_last && n <= TAG_MAX)
    return 0;

  add_text (self, text, n);

  return n;
}

static void
read_parts (JmGridengineXml *self, gboolean is_last)
{
  gsize at = 0;
  gsize n = 1;

  while (at < self->chunk->len && n > 0 && self->error == NULL)
    {
      n = read_part (self, self->chunk->str + at, self->chunk->len - at, is_last);
      at += n;
    }
  g_string_erase (self->chunk, 0, (gssize) at);
}

void
jm_gridengine_xml_feed (JmGridengineXml *self, const char *text, gsize length)
{
  if (self->error != NULL)
    return;

  g_string_append_len (self->chunk, text, (gssize) length);
  /* a string would end there */
  for (gsize i = self->chunk->len - length; i < self->chunk->len; i++)
    if (self->chunk->str[i] == '\0')
      self->chunk->str[i] = '?';
  read_parts (self, FALSE);
}

gboolean
jm_gridengine_xml_finish (JmGridengineXml *self, GError **error)
{
  if (self->error == NULL)
    read_parts (self, TRUE);
  if (self->error == NULL && self->is_at_end)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: %s", self->root,
               self->error != NULL ? self->error->message : "cut short");

  return FALSE;
}
