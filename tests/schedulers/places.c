/* places.c: where the values stand in a recorded answer
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "places.h"

#include <string.h>

static void
place_clear (gpointer data)
{
  g_free (((Place *) data)->field);
}

GArray *
places_new (void)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (Place));

  g_array_set_clear_func (places, place_clear);

  return places;
}

void
places_add (GArray *places,
            const char *text,
            const char *start,
            gsize length,
            char *field)
{
  const Place place = { (gsize) (start - text), length, field };

  g_array_append_val (places, place);
}

static const char *
skip_blanks (const char *c)
{
  return c + strspn (c, " \t\r\n");
}

static const char *
skip_string (const char *c)
{
  for (c++; *c != '"'; c++)
    c += *c == '\\';

  return c + 1;
}

static gboolean
is_list (const char *path)
{
  return g_str_equal (path, ".Jobs") || g_str_equal (path, ".nodes");
}

static const char *
find_json (GArray *places, const char *text, const char *c, const char *path)
{
  const char *start = skip_blanks (c);
  gboolean is_object = *start == '{';

  c = start;
  if (*c == '"')
    c = skip_string (c);
  else if (*c != '{' && *c != '[')
    c += strcspn (c, ",]} \t\r\n");
  else
    for (c = skip_blanks (c + 1); *c != '}' && *c != ']';
         c = skip_blanks (*c == ',' ? c + 1 : c))
      {
        const char *name = c + 1;
        g_autofree char *below = NULL;

        if (is_object)
          {
            c = skip_string (c);
            below = is_list (path)
                      ? g_strconcat (path, "[]", NULL)
                      : g_strdup_printf ("%s.%.*s", path, (int) (c - 1 - name), name);
            c = skip_blanks (c) + 1;
          }
        else
          below = g_strconcat (path, "[]", NULL);
        c = find_json (places, text, c, below);
      }
  c += *start == '{' || *start == '[';
  if (strstr (path, "[].") != NULL)
    places_add (places, text, start, (gsize) (c - start), g_strdup (path));

  return c;
}

void
places_find_in_json (GArray *places, const char *text)
{
  find_json (places, text, text, "");
}

void
places_find_in_json_members (GArray *places,
                             const char *text,
                             const char *start,
                             const char *list)
{
  g_autofree char *path = g_strconcat (list, "[]", NULL);

  for (const char *c = start; *c == '"'; c = skip_blanks (c + (*c == ',')))
    c = skip_blanks (find_json (places, text, skip_string (c) + 1, path));
}

void
places_find_in_json_lines (GArray *places, const char *text)
{
  for (const char *c = text; *c != '\0'; c = skip_blanks (c))
    c = find_json (places, text, c, "[]");
}

void
places_find_in_columns (GArray *places,
                        const char *text,
                        const char *delimiter,
                        guint n_columns)
{
  const char *c = text;

  for (guint column = 0; *c != '\0'; column = (column + 1) % n_columns)
    {
      const char *end;

      while (column == 0 && *c == '#')
        c = strchr (c, '\n') + 1;
      end = column + 1 < n_columns ? strstr (c, delimiter) : strchr (c, '\n');
      g_assert_nonnull (end);
      places_add (places, text, c, (gsize) (end - c), g_strdup_printf ("%u", column));
      c = end + (column + 1 < n_columns ? strlen (delimiter) : 1);
    }
}

void
places_find_in_bars (GArray *places, const char *text)
{
  guint n_columns = 1;

  for (const char *c = text; *c != '\n'; c++)
    n_columns += *c == '|';
  places_find_in_columns (places, text, "|", n_columns);
}

/* A value may stand between quotes, and have blanks then. */
static const char *
find_pair (GArray *places, const char *text, const char *c)
{
  gsize key = strcspn (c, "=\n");
  const char *value = c + key + 1;
  gsize length =
    *value == '"' ? strcspn (value + 1, "\"\n") + 2 : strcspn (value, " \n");

  if (c[key] != '=')
    return c + strcspn (c, "\n");
  places_add (places, text, value, length, g_strndup (c, key));

  return value + length;
}

void
places_find_in_pairs (GArray *places, const char *text)
{
  for (const char *c = text; *c != '\0'; c += strspn (c, " \n"))
    c = find_pair (places, text, c);
}

void
places_find_in_pbs_log (GArray *places, const char *text)
{
  const char *c = text;

  while (*c != '\0')
    {
      const char *end = c + strcspn (c, "\n");
      const char *type = memchr (c, ';', (gsize) (end - c));
      const char *id =
        type != NULL ? memchr (type + 1, ';', (gsize) (end - type - 1)) : NULL;
      gsize length = id != NULL ? strcspn (id + 1, ";\n") : 0;

      if (id != NULL && (type[1] == 'E' || type[1] == 'R'))
        {
          /* an array as a whole is no run */
          if (g_strstr_len (id + 1, (gssize) length, "[]") == NULL)
            places_add (places, text, id + 1, length, g_strdup ("id"));
          for (c = id + 1 + length + 1; c < end; c += strspn (c, " "))
            c = find_pair (places, text, c);
        }
      c = end + strspn (end, "\n");
    }
}

void
places_find_in_ad (GArray *places, const char *text)
{
  for (const char *c = text; *c != '\0'; c += strspn (c, "\n"))
    {
      const char *value = strstr (c, " = ") + 3;
      gsize length = strcspn (value, "\n");

      places_add (places, text, value, length, g_strndup (c, (gsize) (value - 3 - c)));
      c = value + length;
    }
}

/* `NAME ( 6018) count:10 ave_time:489 total_time:4895` */
static void
find_in_rpc (GArray *places, const char *text, const char *c, const char *end)
{
  places_add (places, text, c, strcspn (c, " "), g_strdup ("rpc"));
  for (c = strchr (c, ')') + 2; c < end; c += strspn (c, " "))
    {
      gsize name = strcspn (c, ":");
      gsize length = strcspn (c + name + 1, " \n");

      places_add (places, text, c + name + 1, length,
                  g_strdup_printf ("rpc.%.*s", (int) name, c));
      c += name + 1 + length;
    }
}

void
places_find_in_sdiag (GArray *places, const char *text)
{
  g_autofree char *heading = g_strdup ("");

  for (const char *c = text; *c != '\0'; c += strspn (c, "\n"))
    {
      const char *end = c + strcspn (c, "\n");
      const char *start = c + strspn (c, "\t ");
      const char *colon = g_strrstr_len (c, end - c, ":");
      const char *value = colon != NULL ? colon + 1 + strspn (colon + 1, " ") : end;

      if (start < end && g_strstr_len (start, end - start, " count:") != NULL)
        find_in_rpc (places, text, start, end);
      else if (value < end)
        places_add (places, text, value, (gsize) (end - value),
                    g_strdup_printf ("%s/%.*s", heading, (int) (colon - start), start));
      else if (start == c && end > c)
        {
          g_free (heading);
          heading = g_strndup (c, (gsize) (end - c));
        }
      c = end;
    }
}

/* The attribute `name` of the tag that begins here. */
static const char *
find_name (const char *tag, gsize *length)
{
  const char *end = strchr (tag, '>');
  const char *name = g_strstr_len (tag, end - tag, " name='");

  *length = name != NULL ? strcspn (name + strlen (" name='"), "'") : 0;

  return name != NULL ? name + strlen (" name='") : tag;
}

void
places_find_in_xml (GArray *places, const char *text)
{
  for (const char *tag = strchr (text, '<'); tag != NULL; tag = strchr (tag + 1, '<'))
    {
      const char *element = tag + 1;
      gsize length = strcspn (element, " />"), name_length;
      const char *name = find_name (tag, &name_length);
      const char *value = strchr (tag, '>') + 1;
      const char *end = strchr (value, '<');

      /* `global` is no host */
      if (g_str_has_prefix (name, "global'"))
        continue;
      if (g_str_has_prefix (element, "host ") || g_str_has_prefix (element, "queue "))
        places_add (places, text, name, name_length, g_strndup (element, length));
      else if (end != NULL && end[1] == '/' && *element != '/' && value[-2] != '/')
        places_add (places, text, value, (gsize) (end - value),
                    g_strdup_printf ("%.*s@%.*s", (int) length, element,
                                     (int) name_length, name));
    }
}
