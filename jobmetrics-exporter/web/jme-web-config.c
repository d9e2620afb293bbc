/* jme-web-config.c: what web.yml says
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-web-config.h"

#include <string.h>

#include "base/jm-bounded-read-private.h"
#include "base/jm-error.h"
#include "web/jme-yaml.h"

#define MAX_FILE_BYTES (1024 * 1024)
#define MAX_BCRYPT_COST 18
#define BCRYPT_LENGTH 60
#define MAX_INTERVAL_S (24 * 60 * 60)
#define MAX_BURST 1000000

static const struct
{
  const char *name;
  const char *values[3]; /* empty: any value */
} header_names[] = {
  { "Strict-Transport-Security", { NULL } },
  { "X-Content-Type-Options", { "nosniff", NULL } },
  { "X-Frame-Options", { "deny", "sameorigin", NULL } },
  { "X-XSS-Protection", { NULL } },
  { "Content-Security-Policy", { NULL } },
};

static const struct
{
  const char *name;
  double us;
} duration_units[] = {
  { "ns", 1e-3 }, { "us", 1 },   { "µs", 1 },     { "ms", 1e3 },
  { "s", 1e6 },   { "m", 60e6 }, { "h", 3600e6 },
};

static gboolean
has_control_character (const char *text)
{
  for (; *text != '\0'; text++)
    if (g_ascii_iscntrl (*text))
      return TRUE;

  return FALSE;
}

static gssize
find_header (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (header_names); i++)
    if (g_str_equal (name, header_names[i].name))
      return (gssize) i;

  return -1;
}

static gboolean
read_header (JmeYaml *yaml,
             const char *key,
             yaml_node_t *value,
             gpointer field,
             GError **error)
{
  g_autofree char *text = NULL;
  gssize header = find_header (key);

  if (header < 0)
    {
      jme_yaml_set_error (yaml, jme_yaml_line (value), key, error,
                          "not a header that can be set");
      return FALSE;
    }

  if (!jme_yaml_read_string (yaml, key, value, &text, error))
    return FALSE;
  if (text == NULL)
    return TRUE;

  if (has_control_character (text) ||
      (header_names[header].values[0] != NULL &&
       !g_strv_contains (header_names[header].values, text)))
    {
      g_autofree char *safe = g_strescape (text, NULL);

      jme_yaml_set_error (yaml, jme_yaml_line (value), key, error,
                          "not a value of it: %.80s", safe);
      return FALSE;
    }
  g_hash_table_replace (field, g_strdup (key), g_steal_pointer (&text));

  return TRUE;
}

static gboolean
read_headers (JmeYaml *yaml,
              const char *key,
              yaml_node_t *value,
              gpointer field,
              GError **error)
{
  GHashTable **headers = field;

  return jme_yaml_read_pairs (yaml, key, value, read_header, *headers, error);
}

static gboolean
read_http (JmeYaml *yaml,
           const char *key,
           yaml_node_t *value,
           gpointer field,
           GError **error)
{
  static const JmeYamlKey keys[] = {
    { "http2", jme_yaml_read_boolean, G_STRUCT_OFFSET (JmeWebConfig, http2) },
    { "headers", read_headers, G_STRUCT_OFFSET (JmeWebConfig, headers) },
  };

  return jme_yaml_read_keys (yaml, key, value, keys, G_N_ELEMENTS (keys), field, error);
}

/* Returns what is wrong with a hash, or nothing. The hash itself is never shown. */
static const char *
bcrypt_problem (const char *hash)
{
  guint cost;

  if (strlen (hash) != BCRYPT_LENGTH || !g_str_has_prefix (hash, "$2") ||
      strchr ("aby", hash[2]) == NULL || hash[3] != '$' || hash[6] != '$' ||
      !g_ascii_isdigit (hash[4]) || !g_ascii_isdigit (hash[5]))
    return "not a bcrypt hash";

  for (gsize i = 7; i < BCRYPT_LENGTH; i++)
    if (!g_ascii_isalnum (hash[i]) && hash[i] != '.' && hash[i] != '/')
      return "not a bcrypt hash";

  cost = (guint) (hash[4] - '0') * 10 + (guint) (hash[5] - '0');
  if (cost < 4)
    return "bcrypt has no cost below 4";

  return cost > MAX_BCRYPT_COST ? "a bcrypt cost above 18 takes minutes" : NULL;
}

static gboolean
read_user (JmeYaml *yaml,
           const char *key,
           yaml_node_t *value,
           gpointer field,
           GError **error)
{
  g_autofree char *hash = NULL;
  const char *problem;

  if (!jme_yaml_read_string (yaml, key, value, &hash, error))
    return FALSE;

  if (*key == '\0' || strchr (key, ':') != NULL || has_control_character (key))
    problem = "not a user's name";
  else
    problem = bcrypt_problem (hash != NULL ? hash : "");

  if (problem != NULL)
    {
      jme_yaml_set_error (yaml, jme_yaml_line (value), key, error, "%s", problem);
      return FALSE;
    }
  g_hash_table_replace (field, g_strdup (key), g_steal_pointer (&hash));

  return TRUE;
}

static gboolean
read_users (JmeYaml *yaml,
            const char *key,
            yaml_node_t *value,
            gpointer field,
            GError **error)
{
  GHashTable **users = field;

  return jme_yaml_read_pairs (yaml, key, value, read_user, *users, error);
}

/* Takes one number and its unit, such as `1.5s`, off the front of @text. */
static gboolean
take_duration (const char **text, double *us)
{
  gsize digits = strspn (*text, "0123456789.");
  const char *unit = *text + digits;
  char *end = NULL;
  double number;

  if (digits == 0 || digits > 20)
    return FALSE;

  number = g_ascii_strtod (*text, &end);
  if (end != unit)
    return FALSE;

  for (gsize i = 0; i < G_N_ELEMENTS (duration_units); i++)
    {
      gsize length = strlen (duration_units[i].name);

      if (strncmp (unit, duration_units[i].name, length) == 0 &&
          strchr ("0123456789.", unit[length]) != NULL)
        {
          *us += number * duration_units[i].us;
          *text = unit + length;
          return TRUE;
        }
    }

  return FALSE;
}

static gboolean
parse_duration (const char *text, gint64 *us)
{
  double sum = 0;

  if (g_str_equal (text, "0"))
    {
      *us = 0;
      return TRUE;
    }

  do
    if (!take_duration (&text, &sum) || sum > MAX_INTERVAL_S * 1e6)
      return FALSE;
  while (*text != '\0');
  *us = (gint64) sum;

  return TRUE;
}

static gboolean
read_interval (JmeYaml *yaml,
               const char *key,
               yaml_node_t *value,
               gpointer field,
               GError **error)
{
  g_autofree char *text = NULL;

  if (!jme_yaml_read_string (yaml, key, value, &text, error))
    return FALSE;
  if (text == NULL || parse_duration (text, field))
    return TRUE;

  jme_yaml_set_error (yaml, jme_yaml_line (value), key, error,
                      "not a time of at most a day, such as 1s or 200ms: %.80s", text);
  return FALSE;
}

static gboolean
read_burst (JmeYaml *yaml,
            const char *key,
            yaml_node_t *value,
            gpointer field,
            GError **error)
{
  g_autofree char *text = NULL;
  guint64 number = 0;
  guint *burst = field;

  if (!jme_yaml_read_string (yaml, key, value, &text, error))
    return FALSE;
  if (text == NULL)
    return TRUE;

  if (!g_ascii_string_to_unsigned (text, 10, 0, MAX_BURST, &number, NULL))
    {
      jme_yaml_set_error (yaml, jme_yaml_line (value), key, error,
                          "not a number of requests up to 1000000: %.80s", text);
      return FALSE;
    }
  *burst = (guint) number;

  return TRUE;
}

static gboolean
read_rate_limit (JmeYaml *yaml,
                 const char *key,
                 yaml_node_t *value,
                 gpointer field,
                 GError **error)
{
  static const JmeYamlKey keys[] = {
    { "interval", read_interval, G_STRUCT_OFFSET (JmeWebConfig, rate_interval_us) },
    { "burst", read_burst, G_STRUCT_OFFSET (JmeWebConfig, rate_burst) },
  };
  JmeWebConfig *self = field;

  if (!jme_yaml_read_keys (yaml, key, value, keys, G_N_ELEMENTS (keys), self, error))
    return FALSE;

  if (self->rate_interval_us > 0 && self->rate_burst == 0)
    {
      jme_yaml_set_error (yaml, jme_yaml_line (value), key, error,
                          "an interval without a burst lets no request through");
      return FALSE;
    }

  return TRUE;
}

/**
 * jme_web_config_new_empty:
 *
 * Returns: (transfer full): plain HTTP, open to all
 */
JmeWebConfig *
jme_web_config_new_empty (void)
{
  JmeWebConfig *self = g_new0 (JmeWebConfig, 1);

  jme_tls_config_init (&self->tls);
  self->headers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->users = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return self;
}

/**
 * jme_web_config_parse:
 * @path: what messages call the file; names in it are taken from its folder
 * @text: (array length=length): what the file holds
 * @length: how many bytes
 * @error: return location for an error
 *
 * Reads a web.yml without opening what it names.
 *
 * - Errors: `INVALID`: `path:line: key: what is wrong: value`, never with a secret.
 * - Source: docs/web-configuration.md of the exporter-toolkit.
 *
 * Returns: (transfer full): the configuration
 */
JmeWebConfig *
jme_web_config_parse (const char *path, const char *text, gsize length, GError **error)
{
  static const JmeYamlKey keys[] = {
    { "tls_server_config", jme_tls_config_read, G_STRUCT_OFFSET (JmeWebConfig, tls) },
    { "http_server_config", read_http, 0 },
    { "basic_auth_users", read_users, G_STRUCT_OFFSET (JmeWebConfig, users) },
    { "rate_limit", read_rate_limit, 0 },
  };
  g_autoptr (JmeWebConfig) self = jme_web_config_new_empty ();
  g_autoptr (JmeYaml) yaml = NULL;
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (absolute);
  yaml_node_t *root;

  if (length > MAX_FILE_BYTES)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: longer than 1 MiB", path);
      return NULL;
    }

  self->path = g_strdup (path);
  yaml = jme_yaml_parse (path, text, length, error);
  if (yaml == NULL)
    return NULL;

  root = jme_yaml_get_root (yaml);
  if (root != NULL &&
      !jme_yaml_read_keys (yaml, NULL, root, keys, G_N_ELEMENTS (keys), self, error))
    return NULL;
  jme_tls_config_set_folder (&self->tls, folder);

  return g_steal_pointer (&self);
}

/**
 * jme_web_config_load:
 * @path: the file
 * @error: return location for an error
 *
 * Reads a web.yml.
 *
 * - Errors: `INVALID` when it cannot be read, or as jme_web_config_parse() says.
 *
 * Returns: (transfer full): the configuration
 */
JmeWebConfig *
jme_web_config_load (const char *path, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (GBytes) bytes = jm_bounded_read_file (path, MAX_FILE_BYTES, &reason);
  const char *text;
  gsize length;

  if (bytes == NULL)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID, reason->message);
      return NULL;
    }
  text = g_bytes_get_data (bytes, &length);

  return jme_web_config_parse (path, text != NULL ? text : "", length, error);
}

void
jme_web_config_free (JmeWebConfig *self)
{
  g_free (self->path);
  jme_tls_config_clear (&self->tls);
  g_hash_table_unref (self->headers);
  g_hash_table_unref (self->users);
  g_free (self);
}

/**
 * jme_web_config_list_files:
 * @self: a configuration
 *
 * Returns: (transfer full): web.yml and the files that it names
 */
GStrv
jme_web_config_list_files (const JmeWebConfig *self)
{
  const char *files[] = { self->path, self->tls.cert_file.path, self->tls.key_file.path,
                          self->tls.client_ca_file.path };
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    if (files[i] != NULL)
      g_strv_builder_add (builder, files[i]);

  return g_strv_builder_end (builder);
}
