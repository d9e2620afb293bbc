/* jme-node-outlets.c: which scraper is told what of a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-node-outlets.h"

#include <string.h>

#include "host/jm-parse-private.h"
#include "node/jme-node-dialects.h"

#define DIALECT "metrics.dialect"
#define DIALECT_PORT "metrics.dialect-port"

struct _JmeNodeOutlets
{
  const JmSettings *settings;
  JmeNodeDialects *dialects;
  JmeNodeAnswers *main;
  GHashTable *by_name; /* JmeNodeAnswers of one dialect each, made when asked for */
  GHashTable *by_port; /* names of dialects */
};

static const JmSetting rows[] = {
  { .name = DIALECT,
    .group = "metrics",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "NAME,...",
    .help = "Names of metrics: native, or those of another exporter",
    .preset_help = JME_NATIVE },
  { .name = DIALECT_PORT,
    .group = "metrics",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "NAME=PORT",
    .help = "At this port of --web.listen-address, metrics have these names alone" },
};

void
jme_node_outlets_add_settings (JmSettings *settings)
{
  jme_node_dialects_add_settings (settings);
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

/* --- making them --- */

static gboolean
add_dialect (JmeNodeOutlets *self,
             JmTextEncoder *encoder,
             const char *name,
             GError **error)
{
  JmDialect *dialect;

  if (g_str_equal (name, JME_NATIVE))
    {
      g_object_set (encoder, "native", TRUE, NULL);
      return TRUE;
    }
  dialect = jme_node_dialects_find (self->dialects, name, error);

  return dialect != NULL && jm_text_encoder_add_dialect (encoder, dialect, error);
}

/* Names with commas between them. */
static gboolean
add_dialects (JmeNodeOutlets *self,
              JmTextEncoder *encoder,
              const char *text,
              GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);

  for (guint i = 0; names[i] != NULL; i++)
    if (!add_dialect (self, encoder, names[i], error))
      return FALSE;

  return TRUE;
}

static JmTextEncoder *
make_encoder (JmeNodeOutlets *self,
              const char *const *names,
              const char *setting,
              GError **error)
{
  g_autoptr (JmTextEncoder) encoder = jme_node_encoder_new (self->settings, error);
  g_autoptr (GError) reason = NULL;

  if (encoder == NULL)
    return NULL;

  g_object_set (encoder, "native", names == NULL || names[0] == NULL, NULL);
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    if (!add_dialects (self, encoder, names[i], &reason))
      {
        jm_settings_refuse (self->settings, setting, NULL, reason->message, error);
        return NULL;
      }

  return g_steal_pointer (&encoder);
}

JmTextEncoder *
jme_node_outlets_make_encoder (JmeNodeOutlets *self,
                               const char *setting,
                               GError **error)
{
  return make_encoder (self, jm_settings_get_list (self->settings, setting), setting,
                       error);
}

static JmeNodeAnswers *
make_answers (JmeNodeOutlets *self, const char *const *names, GError **error)
{
  JmTextEncoder *encoder = make_encoder (self, names, DIALECT, error);

  return encoder != NULL ? jme_node_answers_new (encoder) : NULL;
}

static gboolean
add_port (JmeNodeOutlets *self, const char *text, GError **error)
{
  const char *equals = strrchr (text, '=');
  g_autofree char *name = equals != NULL ? g_strndup (text, equals - text) : NULL;
  g_autoptr (GError) reason = NULL;
  guint64 port;

  if (equals == NULL || !jm_parse_uint64 (equals + 1, strlen (equals + 1), &port) ||
      port == 0 || port > G_MAXUINT16)
    return jm_settings_refuse (self->settings, DIALECT_PORT, text, "not NAME=PORT",
                               error);
  if (!g_str_equal (name, JME_NATIVE) &&
      jme_node_dialects_find (self->dialects, name, &reason) == NULL)
    return jm_settings_refuse (self->settings, DIALECT_PORT, NULL, reason->message,
                               error);
  g_hash_table_insert (self->by_port, GUINT_TO_POINTER ((guint) port),
                       g_steal_pointer (&name));

  return TRUE;
}

static gboolean
add_ports (JmeNodeOutlets *self, GError **error)
{
  const char *const *texts = jm_settings_get_list (self->settings, DIALECT_PORT);

  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    if (!add_port (self, texts[i], error))
      return FALSE;

  return TRUE;
}

JmeNodeOutlets *
jme_node_outlets_new (const JmSettings *settings, JmHost *host, GError **error)
{
  g_autoptr (JmeNodeOutlets) self = g_new0 (JmeNodeOutlets, 1);

  self->settings = settings;
  self->by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         (GDestroyNotify) jme_node_answers_free);
  self->by_port = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->dialects = jme_node_dialects_load (settings, host, error);
  if (self->dialects == NULL || !add_ports (self, error))
    return NULL;
  self->main = make_answers (self, jm_settings_get_list (settings, DIALECT), error);

  return self->main != NULL ? g_steal_pointer (&self) : NULL;
}

void
jme_node_outlets_free (JmeNodeOutlets *self)
{
  g_hash_table_unref (self->by_name);
  g_hash_table_unref (self->by_port);
  g_clear_pointer (&self->main, jme_node_answers_free);
  g_clear_pointer (&self->dialects, jme_node_dialects_free);
  g_free (self);
}

/* --- choosing one --- */

JmeNodeAnswers *
jme_node_outlets_get_main (JmeNodeOutlets *self)
{
  return self->main;
}

static JmeNodeAnswers *
find_named (JmeNodeOutlets *self, const char *name)
{
  const char *const names[] = { name, NULL };
  JmeNodeAnswers *answers = g_hash_table_lookup (self->by_name, name);

  if (answers != NULL)
    return answers;

  answers = make_answers (self, names, NULL);
  if (answers != NULL)
    g_hash_table_insert (self->by_name, g_strdup (name), answers);

  return answers;
}

JmeNodeAnswers *
jme_node_outlets_find (JmeNodeOutlets *self, JmeRequest *request)
{
  const char *path = jme_request_get_path (request);
  const char *name;

  if (g_str_has_prefix (path, JME_DIALECT_PATH))
    return find_named (self, path + strlen (JME_DIALECT_PATH));

  name = g_hash_table_lookup (self->by_port,
                              GUINT_TO_POINTER (jme_request_get_local_port (request)));

  return name != NULL ? find_named (self, name) : self->main;
}
