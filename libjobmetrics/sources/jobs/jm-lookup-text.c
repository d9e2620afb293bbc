/* jm-lookup-text.c: facts in files that schedulers keep for themselves
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-definition-groups-private.h"

#include <string.h>

#include "base/jm-parse-private.h"
#include "sources/jobs/jm-property-file-private.h"

static const char *const names[] = {
  [JM_LOOKUP_LINES] = "lines",
  [JM_LOOKUP_CLASSAD] = "classad",
  [JM_LOOKUP_XML] = "xml",
  [JM_LOOKUP_NAMES] = "names",
};

/**
 * jm_lookup_format_from_name: (skip)
 * @name: a name
 * @format: (out): the format
 *
 * Returns: whether there is one of that name
 */
gboolean
jm_lookup_format_from_name (const char *name, JmLookupFormat *format)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i], name))
      {
        *format = i;
        return TRUE;
      }

  return FALSE;
}

/* --- ClassAds --- */

/* What stands between double quotes. A backslash is one before a quote alone: users may
 * write others into names. */
static char *
dup_string (JmSlice text)
{
  GString *value = g_string_new (NULL);

  for (gsize i = 0; i < text.length; i++)
    {
      if (text.text[i] == '\\' && i + 1 < text.length && text.text[i + 1] == '"')
        i++;
      g_string_append_c (value, text.text[i]);
    }

  return g_string_free (value, FALSE);
}

/* Numbers and strings; what would have to be reckoned first says nothing. */
static char *
dup_classad_value (JmSlice text)
{
  guint64 number;

  if (text.length >= 2 && text.text[0] == '"' && text.text[text.length - 1] == '"')
    return dup_string ((JmSlice){ text.text + 1, text.length - 2 });

  return jm_parse_uint64 (text.text, text.length, &number)
           ? g_strndup (text.text, text.length)
           : NULL;
}

static char *
find_in_classad (const char *text, gsize length, const char *name)
{
  const char *cursor = text;
  JmSlice line;

  while (jm_parse_next_whole_line (&cursor, text + length, &line))
    {
      const char *equals = memchr (line.text, '=', line.length);
      JmSlice key;

      if (equals == NULL)
        continue;
      key = jm_slice_trim ((JmSlice){ line.text, (gsize) (equals - line.text) });
      if (key.length == strlen (name) &&
          g_ascii_strncasecmp (key.text, name, key.length) == 0)
        return dup_classad_value (jm_slice_trim (
          (JmSlice){ equals + 1, (gsize) (line.text + line.length - equals - 1) }));
    }

  return NULL;
}

/* --- XML --- */

typedef struct
{
  const char *wanted;
  GString *path; /* of the element that is open: /domstatus/domain */
  GString *value;
  gboolean is_inside; /* an element that is wanted */
  gboolean is_found;
} XmlSearch;

static gboolean
is_wanted (const XmlSearch *self)
{
  gsize length = strlen (self->wanted);

  return self->path->len > length && g_str_has_suffix (self->path->str, self->wanted) &&
         self->path->str[self->path->len - length - 1] == '/';
}

static void
on_element (G_GNUC_UNUSED GMarkupParseContext *context,
            const char *element,
            G_GNUC_UNUSED const char **attributes,
            G_GNUC_UNUSED const char **values,
            gpointer user_data,
            G_GNUC_UNUSED GError **error)
{
  XmlSearch *self = user_data;

  g_string_append_c (self->path, '/');
  g_string_append (self->path, element);
  self->is_inside = !self->is_found && is_wanted (self);
}

static void
on_element_end (G_GNUC_UNUSED GMarkupParseContext *context,
                const char *element,
                gpointer user_data,
                G_GNUC_UNUSED GError **error)
{
  XmlSearch *self = user_data;

  self->is_found = self->is_found || self->is_inside;
  self->is_inside = FALSE;
  g_string_truncate (self->path, self->path->len - strlen (element) - 1);
}

static void
on_text (G_GNUC_UNUSED GMarkupParseContext *context,
         const char *text,
         gsize length,
         gpointer user_data,
         G_GNUC_UNUSED GError **error)
{
  XmlSearch *self = user_data;

  if (self->is_inside)
    g_string_append_len (self->value, text, (gssize) length);
}

/* Of the elements of that path, whatever they are in, the first. What follows it may be
 * broken. */
static char *
find_in_xml (const char *text, gsize length, const char *name)
{
  static const GMarkupParser parser = { on_element, on_element_end, on_text, NULL,
                                        NULL };
  g_autoptr (GString) path = g_string_new (NULL);
  g_autoptr (GString) value = g_string_new (NULL);
  XmlSearch search = { name, path, value, FALSE, FALSE };
  g_autoptr (GMarkupParseContext) context =
    g_markup_parse_context_new (&parser, 0, &search, NULL);

  g_markup_parse_context_parse (context, text, (gssize) length, NULL);

  return search.is_found ? g_strdup (g_strstrip (value->str)) : NULL;
}

/* --- lines --- */

static gboolean
is_quoted (JmSlice text)
{
  return text.length >= 2 && (text.text[0] == '\'' || text.text[0] == '"') &&
         text.text[text.length - 1] == text.text[0];
}

/* OAR writes its lines for a shell. */
static char *
find_in_lines (const char *text, gsize length, const char *name)
{
  g_autofree char *exported = g_strconcat ("export ", name, NULL);
  JmSlice value;

  if (!jm_properties_find (text, length, name, &value) &&
      !jm_properties_find (text, length, exported, &value))
    return NULL;
  if (is_quoted (value))
    value = (JmSlice){ value.text + 1, value.length - 2 };

  return g_strndup (value.text, value.length);
}

/* --- all of them --- */

/**
 * jm_lookup_text_find: (skip)
 * @format: of the text
 * @text: what a file holds
 * @length: of @text
 * @name: of the fact
 *
 * Returns: (transfer full) (nullable): the fact; %NULL where the text does not report
 * it
 */
char *
jm_lookup_text_find (JmLookupFormat format,
                     const char *text,
                     gsize length,
                     const char *name)
{
  switch (format)
    {
    case JM_LOOKUP_LINES:
      return find_in_lines (text, length, name);
    case JM_LOOKUP_CLASSAD:
      return find_in_classad (text, length, name);
    case JM_LOOKUP_XML:
      return find_in_xml (text, length, name);
    case JM_LOOKUP_NAMES:
    default:
      return NULL;
    }
}
