/* jme-dialects.c: the names and labels that scrapers are sent
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "scrape/jme-dialects.h"

#include "base/jm-error.h"
#include "expose/jm-dialect-private.h"
#include "host/jm-data-private.h"

#define FOLDER "dialects"
#define SUFFIX ".conf"
#define FILE_MAX_BYTES (256 * 1024)

struct _JmeDialects
{
  GPtrArray *dialects; /* of JmDialect */
};

static const JmSetting rows[] = {
  { .name = "dialects",
    .group = "metrics",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "DIR",
    .help = "Further directory of dialects, after /etc/jobmetrics/dialects" },
};

void
jme_dialects_add_settings (JmSettings *settings)
{
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

static gboolean
load_file (JmeDialects *self, const JmDataFile *file, GError **error)
{
  g_autofree char *path = jm_data_file_describe (file);
  g_autoptr (GBytes) bytes = jm_data_file_read (file, FILE_MAX_BYTES, error);
  JmDialect *dialect;
  const char *text;
  gsize length;

  if (bytes == NULL)
    return FALSE;

  text = g_bytes_get_data (bytes, &length);
  dialect = jm_dialect_new_from_text (path, text, length, error);
  if (dialect == NULL)
    return FALSE;
  g_ptr_array_add (self->dialects, dialect);

  return TRUE;
}

/* Adds to each dialect what it has of another. */
static gboolean
extend (JmeDialects *self, GError **error)
{
  for (guint i = 0; i < self->dialects->len; i++)
    {
      JmDialect *dialect = self->dialects->pdata[i];
      const char *name = jm_dialect_get_base (dialect);
      JmDialect *base = name != NULL ? jme_dialects_find (self, name, error) : NULL;

      if (name != NULL && (base == NULL || !jm_dialect_extend (dialect, base, error)))
        return FALSE;
    }

  return TRUE;
}

JmeDialects *
jme_dialects_load (const JmSettings *settings, JmHost *host, GError **error)
{
  g_autoptr (JmeDialects) self = g_new0 (JmeDialects, 1);
  g_autoptr (GPtrArray) problems =
    g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);
  g_autoptr (GPtrArray) files =
    jm_data_list (host, FOLDER, SUFFIX, jm_settings_get_list (settings, rows[0].name),
                  problems);

  self->dialects = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_dialect_unref);
  if (problems->len > 0)
    {
      g_propagate_error (error, g_error_copy (g_ptr_array_index (problems, 0)));
      return NULL;
    }
  for (guint i = 0; i < files->len; i++)
    if (!load_file (self, g_ptr_array_index (files, i), error))
      return NULL;

  return extend (self, error) ? g_steal_pointer (&self) : NULL;
}

void
jme_dialects_free (JmeDialects *self)
{
  g_ptr_array_unref (self->dialects);
  g_free (self);
}

static char *
list_names (JmeDialects *self)
{
  GString *names = g_string_new (JME_NATIVE);

  for (guint i = 0; i < self->dialects->len; i++)
    g_string_append_printf (names, ", %s",
                            jm_dialect_get_name (self->dialects->pdata[i]));

  return g_string_free (names, FALSE);
}

JmDialect *
jme_dialects_find (JmeDialects *self, const char *name, GError **error)
{
  g_autofree char *names = NULL;

  for (guint i = self->dialects->len; i > 0; i--)
    if (g_str_equal (jm_dialect_get_name (self->dialects->pdata[i - 1]), name))
      return self->dialects->pdata[i - 1];

  names = list_names (self);
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "no dialect: %s (there are %s)", name,
               names);

  return NULL;
}

GArray *
jme_dialects_list_run_labels (JmeDialects *self)
{
  static const JmRunLabel own[] = { { "cluster", JM_JOB_FIELD_CLUSTER },
                                    { "jobid", JM_JOB_FIELD_ID },
                                    { "uuid", JM_JOB_FIELD_UUID } };
  GArray *labels = g_array_new (FALSE, FALSE, sizeof (JmRunLabel));

  g_array_append_vals (labels, own, G_N_ELEMENTS (own));
  for (guint i = 0; i < self->dialects->len; i++)
    {
      const GArray *more = jm_dialect_get_run_labels (self->dialects->pdata[i]);

      g_array_append_vals (labels, more->data, more->len);
    }

  return labels;
}
