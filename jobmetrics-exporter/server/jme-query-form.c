/* jme-query-form.c: what a question to a time series database says
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-query-upstream.h"

#include <string.h>

#include "access/jm-promql-private.h"
#include "base/jm-error.h"
#include "web/jme-query.h"

#define FORM_TYPE "application/x-www-form-urlencoded"
#define MAX_VALUE_BYTES 256
#define MAX_MATCHES 100

typedef struct
{
  const char *name; /* the caller's */
  char *value;
} Pair;

struct _JmeQueryForm
{
  GArray *pairs; /* of Pair */
};

static void
pair_clear (gpointer data)
{
  g_free (((Pair *) data)->value);
}

void
jme_query_form_free (JmeQueryForm *self)
{
  g_array_unref (self->pairs);
  g_free (self);
}

static gboolean
refuse (const char *name, const char *problem, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s", name, problem);

  return FALSE;
}

static gboolean
is_form (const char *content_type)
{
  gsize length = strlen (FORM_TYPE);

  return content_type != NULL &&
         g_ascii_strncasecmp (content_type, FORM_TYPE, length) == 0 &&
         (content_type[length] == '\0' || strchr ("; ", content_type[length]) != NULL);
}

/* What was posted; of any other request the body says nothing. */
static JmeQuery *
parse_body (JmeRequest *request, GError **error)
{
  gsize length;
  const char *text = g_bytes_get_data (jme_request_get_body (request), &length);
  g_autofree char *form = NULL;
  JmeQuery *query;

  if (strcmp (jme_request_get_method (request), "POST") != 0 || length == 0)
    return jme_query_parse (NULL);
  if (!is_form (jme_request_get_header (request, "Content-Type")))
    {
      refuse ("Content-Type", "not " FORM_TYPE, error);
      return NULL;
    }
  form = g_strndup (text, length);
  query = strlen (form) == length ? jme_query_parse (form) : NULL;
  if (query == NULL)
    refuse ("body", "no form", error);

  return query;
}

static gboolean
is_promql (const char *name)
{
  return strcmp (name, JME_QUERY_FORM_QUERY) == 0 ||
         strcmp (name, JME_QUERY_FORM_MATCH) == 0;
}

static gboolean
take (JmeQueryForm *self, const char *name, const char *value, GError **error)
{
  const Pair pair = { name, g_strdup (value) };

  g_array_append_val (self->pairs, pair);
  if (strlen (value) > (is_promql (name) ? JM_PROMQL_MAX_BYTES : MAX_VALUE_BYTES))
    return refuse (name, "too long", error);
  if (!g_utf8_validate (value, -1, NULL))
    return refuse (name, "not UTF-8", error);
  /* Prometheus 2 ignores an invalid one, Prometheus 3 refuses it */
  if (strcmp (name, JME_QUERY_FORM_LIMIT) == 0 &&
      value[strspn (value, "0123456789")] != '\0')
    return refuse (name, "not a number", error);

  return TRUE;
}

static gboolean
take_all (JmeQueryForm *self, const char *name, GStrv values, GError **error)
{
  for (guint i = 0; values[i] != NULL; i++)
    if (!take (self, name, values[i], error))
      return FALSE;

  return TRUE;
}

/* Servers differ in which of two values they take. */
static gboolean
read_name (JmeQueryForm *self,
           JmeRequest *request,
           const JmeQuery *body,
           const char *name,
           GError **error)
{
  g_auto (GStrv) in_url = jme_request_get_values (request, name);
  g_auto (GStrv) in_body = jme_query_get_values (body, name);
  guint n = g_strv_length (in_url) + g_strv_length (in_body);
  gboolean is_list = strcmp (name, JME_QUERY_FORM_MATCH) == 0;

  if (n > (is_list ? MAX_MATCHES : 1))
    return refuse (name, is_list ? "too often" : "twice", error);

  return take_all (self, name, in_url, error) && take_all (self, name, in_body, error);
}

JmeQueryForm *
jme_query_form_new (JmeRequest *request, const char *const *names, GError **error)
{
  g_autoptr (JmeQueryForm) self = g_new (JmeQueryForm, 1);
  g_autoptr (JmeQuery) body = NULL;

  self->pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  g_array_set_clear_func (self->pairs, pair_clear);
  body = parse_body (request, error);
  if (body == NULL)
    return NULL;
  for (guint i = 0; names[i] != NULL; i++)
    if (!read_name (self, request, body, names[i], error))
      return NULL;

  return g_steal_pointer (&self);
}

const char *
jme_query_form_get (JmeQueryForm *self, const char *name)
{
  for (guint i = 0; i < self->pairs->len; i++)
    {
      const Pair *pair = &g_array_index (self->pairs, Pair, i);

      if (strcmp (pair->name, name) == 0)
        return pair->value;
    }

  return NULL;
}

GStrv
jme_query_form_list (JmeQueryForm *self, const char *name)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < self->pairs->len; i++)
    {
      const Pair *pair = &g_array_index (self->pairs, Pair, i);

      if (strcmp (pair->name, name) == 0)
        g_strv_builder_add (builder, pair->value);
    }

  return g_strv_builder_end (builder);
}

char *
jme_query_form_encode (JmeQueryForm *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->pairs->len; i++)
    {
      const Pair *pair = &g_array_index (self->pairs, Pair, i);

      g_string_append (text, i > 0 ? "&" : "");
      g_string_append_uri_escaped (text, pair->name, NULL, FALSE);
      g_string_append_c (text, '=');
      g_string_append_uri_escaped (text, pair->value, NULL, FALSE);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}
