/* jme-query.c: what a request's query says
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-query.h"

#include <string.h>

#define MAX_PAIRS 256

typedef struct
{
  char *name;
  char *value;
} Pair;

struct _JmeQuery
{
  GArray *pairs; /* of Pair */
};

static void
pair_clear (gpointer data)
{
  Pair *pair = data;

  g_free (pair->name);
  g_free (pair->value);
}

/* A key alone has an empty value (WHATWG URL, application/x-www-form-urlencoded); GLib
 * takes that for an error. */
static char *
complete (const char *text)
{
  g_auto (GStrv) pieces = g_strsplit (text != NULL ? text : "", "&", -1);
  GString *whole = g_string_new (NULL);

  for (char **piece = pieces; *piece != NULL; piece++)
    if (**piece != '\0')
      g_string_append_printf (whole, "%s%s%s", whole->len > 0 ? "&" : "", *piece,
                              strchr (*piece, '=') != NULL ? "" : "=");

  return g_string_free (whole, FALSE);
}

JmeQuery *
jme_query_parse (const char *text)
{
  g_autoptr (JmeQuery) self = g_new (JmeQuery, 1);
  g_autofree char *whole = complete (text);
  GUriParamsIter iter;
  Pair pair;

  self->pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  g_array_set_clear_func (self->pairs, pair_clear);

  g_uri_params_iter_init (&iter, whole, -1, "&", G_URI_PARAMS_WWW_FORM);
  for (;;)
    {
      g_autoptr (GError) error = NULL;

      if (!g_uri_params_iter_next (&iter, &pair.name, &pair.value, &error))
        return error == NULL ? g_steal_pointer (&self) : NULL;
      g_array_append_val (self->pairs, pair);
      if (self->pairs->len > MAX_PAIRS)
        return NULL;
    }
}

void
jme_query_free (JmeQuery *self)
{
  g_array_unref (self->pairs);
  g_free (self);
}

GStrv
jme_query_get_values (const JmeQuery *self, const char *name)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < self->pairs->len; i++)
    {
      const Pair *pair = &g_array_index (self->pairs, Pair, i);

      if (g_str_equal (pair->name, name))
        g_strv_builder_add (builder, pair->value);
    }

  return g_strv_builder_end (builder);
}

GStrv
jme_query_list_pairs (const JmeQuery *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < self->pairs->len; i++)
    {
      const Pair *pair = &g_array_index (self->pairs, Pair, i);

      g_strv_builder_add_many (builder, pair->name, pair->value, NULL);
    }

  return g_strv_builder_end (builder);
}
