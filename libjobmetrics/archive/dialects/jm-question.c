/* jm-question.c: questions to an archive, in the words of other programs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/dialects/jm-question-private.h"

#include <string.h>

#include "base/jm-error.h"

/* Of a whole question: its parameters, and what is sent with it. */
#define MAX_BYTES (1024 * 1024)

static const JmApiDialect *const dialects[] = {
  &jm_batchjob_dialect,
  &jm_ceems_dialect,
  &jm_grafana_dialect,
};

static const JmApiDialect *
find_dialect (const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (dialects); i++)
    if (g_str_has_prefix (path, dialects[i]->prefix))
      return dialects[i];

  return NULL;
}

/* --- parameters --- */

const char *
jm_question_get_value (const JmQuestion *self, const char *name)
{
  for (const char *const *pair = self->parameters; *pair != NULL; pair += 2)
    if (g_str_equal (pair[0], name))
      return *pair[1] != '\0' ? pair[1] : NULL;

  return NULL;
}

void
jm_question_add_values (const JmQuestion *self, const char *name, GStrvBuilder *values)
{
  for (const char *const *pair = self->parameters; *pair != NULL; pair += 2)
    {
      g_autofree char *value = g_strstrip (g_strdup (pair[1]));

      if (g_str_equal (pair[0], name) && *value != '\0')
        g_strv_builder_add (values, value);
    }
}

gboolean
jm_question_has (const JmQuestion *self, const char *name)
{
  for (const char *const *pair = self->parameters; *pair != NULL; pair += 2)
    if (g_str_equal (pair[0], name))
      return TRUE;

  return FALSE;
}

gboolean
jm_question_refuse_value (const char *name,
                          const char *value,
                          const char *why,
                          GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s=%s: %s", name, value, why);

  return FALSE;
}

/* --- asking --- */

static gboolean
check (const char *const *parameters, GBytes *body, GError **error)
{
  gsize length = body != NULL ? g_bytes_get_size (body) : 0;
  guint n = 0;

  for (; parameters[n] != NULL && length <= MAX_BYTES; n++)
    length += strlen (parameters[n]);
  if (length > MAX_BYTES)
    g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID, "the question is too long");
  else if (n % 2 != 0)
    g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: a parameter without a value",
                 parameters[n - 1]);

  return length <= MAX_BYTES && n % 2 == 0;
}

/* NULL where a dialect has no such path. */
static const JmApiPath *
find_path (const JmApiDialect *dialect, const char *path)
{
  for (const JmApiPath *own = dialect->paths; own->path != NULL; own++)
    if (g_str_equal (path + strlen (dialect->prefix), own->path))
      return own;

  return NULL;
}

static gboolean
forwards (JmArchive *self)
{
  return JM_ARCHIVE_GET_IFACE (self)->ask != NULL;
}

/**
 * jm_archive_ask:
 * @self: an archive
 * @path: such as `/ceems/api/v1/units`, as a server has it
 * @parameters: (nullable) (array zero-terminated=1): names and values by turns, as in
 *   the query of a URL; a name that begins with `X-` is a header's
 * @body: (nullable): what is sent with the question: what a panel of Grafana asks for
 * @cancellable: (nullable): gives up
 * @error: return location for an error
 *
 * Asks in the words of another program: Grafana's JSON data sources, CEEMS' API server,
 * the batch job stats server. Without a server between them: a database answers itself.
 *
 * - Errors: %JM_ERROR_ABSENT for a path that is none of theirs, %JM_ERROR_INVALID for a
 *   question that they could not read, %JM_ERROR_DENIED for one that only
 *   administrators may ask; else as jm_archive_list_runs().
 *
 * Returns: (transfer full): a JSON document
 * Since: 0.1
 */
GBytes *
jm_archive_ask (JmArchive *self,
                const char *path,
                const char *const *parameters,
                GBytes *body,
                GCancellable *cancellable,
                GError **error)
{
  static const char *const none[] = { NULL };
  const JmApiDialect *dialect;
  const JmApiPath *own;
  g_autoptr (GString) text = NULL;
  JmQuestion question = { .body = body };

  g_return_val_if_fail (JM_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  dialect = find_dialect (path);
  own = dialect != NULL ? find_path (dialect, path) : NULL;
  question.view = jm_archive_get_view (self);
  question.parameters = parameters != NULL ? parameters : none;
  if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
      !check (question.parameters, body, error))
    return NULL;
  if (own == NULL || (question.view == NULL && !forwards (self)))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: there is no such path", path);
      return NULL;
    }
  if (question.view == NULL)
    return JM_ARCHIVE_GET_IFACE (self)->ask (self, path, question.parameters, body,
                                             cancellable, error);

  text = g_string_new (NULL);
  question.json = (JmJsonWriter){ .out = text, .layout = dialect->layout };
  if (!own->answer (&question, own->kind, error))
    return NULL;
  g_string_append_c (text, '\n');

  return g_string_free_to_bytes (g_steal_pointer (&text));
}

GBytes *
jm_archive_word_refusal (const char *path, guint status, const char *reason)
{
  const JmApiDialect *dialect = find_dialect (path);
  JmJsonWriter json = { 0 };

  if (dialect == NULL || dialect->refuse == NULL)
    return NULL;
  json = (JmJsonWriter){ .out = g_string_new (NULL), .layout = dialect->layout };
  dialect->refuse (&json, status, reason);

  return g_string_free_to_bytes (g_string_append_c (json.out, '\n'));
}
