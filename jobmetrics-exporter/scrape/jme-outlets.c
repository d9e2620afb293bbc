/* jme-outlets.c: which scraper is sent what
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "scrape/jme-outlets.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-parse-private.h"
#include "base/jm-safe-text-private.h"
#include "core/jm-collector-set.h"

#define DIALECT "metrics.dialect"
#define DIALECT_PORT "metrics.dialect-port"

#define NO_DIALECT "There is no such dialect.\n"

struct _JmeOutlets
{
  const JmSettings *settings;
  JmeMakeEncoder make;
  JmeDialects *dialects;
  JmeAnswers *main;
  GHashTable *by_name; /* JmeAnswers of one dialect each, made when asked for */
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

/* Reads `collect[]` and `exclude[]`, as node_exporter has them, into a set of
 * collectors. Names that do not exist and the two together are refused. */
static gboolean
parse_collectors (JmeRequest *request, JmCollectorSet *collectors, GError **error)
{
  g_auto (GStrv) collect = jme_request_get_values (request, "collect[]");
  g_auto (GStrv) exclude = jme_request_get_values (request, "exclude[]");
  guint n_collect = g_strv_length (collect);
  guint n_exclude = g_strv_length (exclude);
  JmCollectorSet named = { { 0 } };

  if (n_collect > 0 && n_exclude > 0)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                           "collect[] and exclude[] cannot be combined");
      return FALSE;
    }

  if (!jm_collector_set_add_names (&named,
                                   (const char *const *) (n_collect > 0 ? collect
                                                                        : exclude),
                                   error))
    return FALSE;

  *collectors = n_collect > 0 ? named : *jm_collector_set_get_all ();
  if (n_collect == 0)
    jm_collector_set_subtract (collectors, &named);

  return TRUE;
}

void
jme_outlets_add_settings (JmSettings *settings)
{
  jme_dialects_add_settings (settings);
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

/* --- making them --- */

static gboolean
add_dialect (JmeOutlets *self, JmTextEncoder *encoder, const char *name, GError **error)
{
  JmDialect *dialect;

  if (g_str_equal (name, JME_NATIVE))
    {
      g_object_set (encoder, "native", TRUE, NULL);
      return TRUE;
    }
  dialect = jme_dialects_find (self->dialects, name, error);

  return dialect != NULL && jm_text_encoder_add_dialect (encoder, dialect, error);
}

/* Names with commas between them. */
static gboolean
add_dialects (JmeOutlets *self,
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
make_encoder (JmeOutlets *self,
              const char *const *names,
              const char *setting,
              GError **error)
{
  g_autoptr (JmTextEncoder) encoder = self->make (self->settings, error);
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
jme_outlets_make_encoder (JmeOutlets *self, const char *setting, GError **error)
{
  return make_encoder (self, jm_settings_get_list (self->settings, setting), setting,
                       error);
}

static JmeAnswers *
make_answers (JmeOutlets *self, const char *const *names, GError **error)
{
  JmTextEncoder *encoder = make_encoder (self, names, DIALECT, error);

  return encoder != NULL ? jme_answers_new (encoder) : NULL;
}

static gboolean
add_port (JmeOutlets *self, const char *text, GError **error)
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
      jme_dialects_find (self->dialects, name, &reason) == NULL)
    return jm_settings_refuse (self->settings, DIALECT_PORT, NULL, reason->message,
                               error);
  g_hash_table_insert (self->by_port, GUINT_TO_POINTER ((guint) port),
                       g_steal_pointer (&name));

  return TRUE;
}

static gboolean
add_ports (JmeOutlets *self, GError **error)
{
  const char *const *texts = jm_settings_get_list (self->settings, DIALECT_PORT);

  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    if (!add_port (self, texts[i], error))
      return FALSE;

  return TRUE;
}

JmeOutlets *
jme_outlets_new (const JmSettings *settings,
                 JmHost *host,
                 JmeMakeEncoder make,
                 GError **error)
{
  g_autoptr (JmeOutlets) self = g_new0 (JmeOutlets, 1);

  self->settings = settings;
  self->make = make;
  self->by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         (GDestroyNotify) jme_answers_free);
  self->by_port = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->dialects = jme_dialects_load (settings, host, error);
  if (self->dialects == NULL || !add_ports (self, error))
    return NULL;
  self->main = make_answers (self, jm_settings_get_list (settings, DIALECT), error);

  return self->main != NULL ? g_steal_pointer (&self) : NULL;
}

void
jme_outlets_free (JmeOutlets *self)
{
  g_hash_table_unref (self->by_name);
  g_hash_table_unref (self->by_port);
  g_clear_pointer (&self->main, jme_answers_free);
  g_clear_pointer (&self->dialects, jme_dialects_free);
  g_free (self);
}

/* --- choosing one --- */

JmeDialects *
jme_outlets_get_dialects (JmeOutlets *self)
{
  return self->dialects;
}

JmeAnswers *
jme_outlets_get_main (JmeOutlets *self)
{
  return self->main;
}

static JmeAnswers *
find_named (JmeOutlets *self, const char *name)
{
  const char *const names[] = { name, NULL };
  JmeAnswers *answers = g_hash_table_lookup (self->by_name, name);

  if (answers != NULL)
    return answers;

  answers = make_answers (self, names, NULL);
  if (answers != NULL)
    g_hash_table_insert (self->by_name, g_strdup (name), answers);

  return answers;
}

static JmeAnswers *
find (JmeOutlets *self, JmeRequest *request)
{
  const char *path = jme_request_get_path (request);
  const char *name;

  if (g_str_has_prefix (path, JME_DIALECT_PATH))
    return find_named (self, path + strlen (JME_DIALECT_PATH));

  name = g_hash_table_lookup (self->by_port,
                              GUINT_TO_POINTER (jme_request_get_local_port (request)));

  return name != NULL ? find_named (self, name) : self->main;
}

/* --- answering --- */

gboolean
jme_outlets_accept (JmeOutlets *self, JmeRequest *request, JmCollectorSet *collectors)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (find (self, request) == NULL)
    {
      jme_request_reply_text (request, 404, NO_DIALECT);
      return FALSE;
    }
  if (parse_collectors (request, collectors, &error))
    return TRUE;

  text = g_strconcat (error->message, "\n", NULL);
  jme_request_reply_text (request, 400, text);

  return FALSE;
}

void
jme_outlets_reply (JmeOutlets *self,
                   JmeRequest *request,
                   JmSnapshot *snapshot,
                   const JmCollectorSet *collectors,
                   guint max_age_ms)
{
  JmeFormat format = jme_format_negotiate (jme_request_get_header (request, "Accept"));
  g_autoptr (JmeBody) body =
    jme_answers_get (find (self, request), snapshot, collectors, &format, max_age_ms);

  jme_request_reply_body (request, 200, jme_format_get_content_type (format), body);
}

int
jme_outlets_print (JmeOutlets *self, JmSnapshot *snapshot)
{
  g_autoptr (GBytes) bytes = jme_answers_render (self->main, snapshot);
  g_autoptr (GString) text = g_string_new_len (g_bytes_get_data (bytes, NULL),
                                               (gssize) g_bytes_get_size (bytes));

  /* programs get names as they are */
  if (isatty (STDOUT_FILENO))
    jm_safe_text_make_lines (text);
  if (fwrite (text->str, 1, text->len, stdout) == text->len && fflush (stdout) == 0)
    return 0;

  /* Who reads no further, such as head(1), has what it wanted. */
  if (errno == EPIPE)
    return 0;

  g_critical ("standard output: %s", g_strerror (errno));

  return 1;
}
