/* jme-tls-config.c: what web.yml says about TLS
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-tls-config.h"

#include <string.h>

static const char *const client_auth_names[] = { "NoClientCert", "RequestClientCert",
                                                 "RequireAnyClientCert",
                                                 "VerifyClientCertIfGiven",
                                                 "RequireAndVerifyClientCert" };

static const struct
{
  const char *name;
  const char *priority;
} tls_versions[] = {
  { "TLS10", "+VERS-TLS1.0" },
  { "TLS11", "+VERS-TLS1.1" },
  { "TLS12", "+VERS-TLS1.2" },
  { "TLS13", "+VERS-TLS1.3" },
};

static const struct
{
  const char *name;
  const char *group;
} curve_names[] = {
  { "CurveP256", "GROUP-SECP256R1" },
  { "CurveP384", "GROUP-SECP384R1" },
  { "CurveP521", "GROUP-SECP521R1" },
  { "X25519", "GROUP-X25519" },
};

static gboolean
read_file_name (JmeYaml *yaml,
                const char *key,
                yaml_node_t *value,
                gpointer field,
                GError **error)
{
  JmeWebFile *file = field;

  file->line = jme_yaml_line (value);
  return jme_yaml_read_string (yaml, key, value, &file->path, error);
}

static gboolean
read_client_auth (JmeYaml *yaml,
                  const char *key,
                  yaml_node_t *value,
                  gpointer field,
                  GError **error)
{
  g_autofree char *text = NULL;
  JmeClientAuth *auth = field;

  if (!jme_yaml_read_string (yaml, key, value, &text, error))
    return FALSE;

  /* The toolkit still takes the old name of RequireAnyClientCert. */
  if (g_strcmp0 (text, "RequireClientCert") == 0)
    {
      *auth = JME_CLIENT_AUTH_REQUIRE_ANY;
      return TRUE;
    }

  for (gsize i = 0; i < G_N_ELEMENTS (client_auth_names); i++)
    if (text == NULL || g_str_equal (text, client_auth_names[i]))
      {
        *auth = (JmeClientAuth) i;
        return TRUE;
      }

  jme_yaml_set_error (yaml, jme_yaml_line (value), key, error,
                      "none of NoClientCert, RequestClientCert, RequireAnyClientCert, "
                      "VerifyClientCertIfGiven, RequireAndVerifyClientCert: %.80s",
                      text);
  return FALSE;
}

static gboolean
read_tls_version (JmeYaml *yaml,
                  const char *key,
                  yaml_node_t *value,
                  gpointer field,
                  GError **error)
{
  g_autofree char *text = NULL;
  guint *version = field;

  if (!jme_yaml_read_string (yaml, key, value, &text, error))
    return FALSE;
  if (text == NULL)
    return TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (tls_versions); i++)
    if (g_str_equal (text, tls_versions[i].name))
      {
        *version = i;
        return TRUE;
      }

  jme_yaml_set_error (yaml, jme_yaml_line (value), key, error,
                      "none of TLS10, TLS11, TLS12, TLS13: %.80s", text);
  return FALSE;
}

static const char *
group_of_curve (const char *curve)
{
  for (gsize i = 0; i < G_N_ELEMENTS (curve_names); i++)
    if (g_str_equal (curve, curve_names[i].name))
      return curve_names[i].group;

  return NULL;
}

static gboolean
read_curves (JmeYaml *yaml,
             const char *key,
             yaml_node_t *value,
             gpointer field,
             GError **error)
{
  g_autoptr (GStrvBuilder) groups = g_strv_builder_new ();
  g_auto (GStrv) curves = NULL;
  GStrv *result = field;

  if (!jme_yaml_read_strings (yaml, key, value, &curves, error))
    return FALSE;
  if (curves == NULL || curves[0] == NULL)
    return TRUE;

  for (gsize i = 0; curves[i] != NULL; i++)
    {
      const char *group = group_of_curve (curves[i]);

      if (group == NULL)
        {
          jme_yaml_set_error (yaml, jme_yaml_line (value), key, error,
                              "none of CurveP256, CurveP384, CurveP521, X25519: %.80s",
                              curves[i]);
          return FALSE;
        }
      g_strv_builder_add (groups, group);
    }
  *result = g_strv_builder_end (groups);

  return TRUE;
}

static gboolean
read_sans (JmeYaml *yaml,
           const char *key,
           yaml_node_t *value,
           gpointer field,
           GError **error)
{
  GStrv *sans = field;

  if (!jme_yaml_read_strings (yaml, key, value, field, error))
    return FALSE;

  for (gsize i = 0; *sans != NULL && (*sans)[i] != NULL; i++)
    if (strpbrk ((*sans)[i], "@/ ") != NULL)
      {
        jme_yaml_set_error (yaml, jme_yaml_line (value), key, error,
                            "only DNS names and IP addresses can be matched: %.80s",
                            (*sans)[i]);
        return FALSE;
      }

  return TRUE;
}

/* What cannot be honoured is refused: who wrote it counts on it. */
static gboolean
refuse_cipher_suites (JmeYaml *yaml,
                      const char *key,
                      yaml_node_t *value,
                      gpointer field,
                      GError **error)
{
  g_auto (GStrv) suites = NULL;

  if (!jme_yaml_read_strings (yaml, key, value, &suites, error))
    return FALSE;
  if (suites == NULL || suites[0] == NULL)
    return TRUE;

  jme_yaml_set_error (yaml, jme_yaml_line (value), key, error,
                      "not possible here: GnuTLS chooses them, "
                      "by the system's configuration: %.80s",
                      suites[0]);
  return FALSE;
}

static gboolean
refuse_client_ca (JmeYaml *yaml,
                  const char *key,
                  yaml_node_t *value,
                  gpointer field,
                  GError **error)
{
  g_autofree char *text = NULL;

  if (!jme_yaml_read_string (yaml, key, value, &text, error))
    return FALSE;
  if (text == NULL)
    return TRUE;

  jme_yaml_set_error (yaml, jme_yaml_line (value), key, error,
                      "not possible here: write it to a file and name it as "
                      "client_ca_file");
  return FALSE;
}

static const char *
certificate_problem (const JmeTlsConfig *self)
{
  gboolean has_cert = self->cert != NULL || self->cert_file.path != NULL;
  gboolean has_key = self->key != NULL || self->key_file.path != NULL;

  if (!has_cert)
    return "cert_file is missing";
  if (!has_key)
    return "key_file is missing";
  if (self->cert != NULL && self->cert_file.path != NULL)
    return "cert and cert_file exclude each other";
  if (self->key != NULL && self->key_file.path != NULL)
    return "key and key_file exclude each other";

  return NULL;
}

gboolean
jme_client_auth_requires (JmeClientAuth self)
{
  return self == JME_CLIENT_AUTH_REQUIRE_ANY ||
         self == JME_CLIENT_AUTH_REQUIRE_AND_VERIFY;
}

gboolean
jme_client_auth_verifies (JmeClientAuth self)
{
  return self >= JME_CLIENT_AUTH_VERIFY_IF_GIVEN;
}

static const char *
client_auth_problem (const JmeTlsConfig *self)
{
  gboolean has_ca = self->client_ca_file.path != NULL;

  if (has_ca && self->client_auth == JME_CLIENT_AUTH_NONE)
    return "client_ca_file needs a client_auth_type";
  if (jme_client_auth_verifies (self->client_auth) && !has_ca)
    return "client_auth_type verifies clients: client_ca_file is missing";
  if (self->client_allowed_sans != NULL &&
      !jme_client_auth_requires (self->client_auth))
    return "client_allowed_sans needs client_auth_type RequireAnyClientCert or "
           "RequireAndVerifyClientCert";

  return NULL;
}

static gboolean
check (const JmeTlsConfig *self, JmeYaml *yaml, const char *key, GError **error)
{
  const char *problem;

  if (self->line == 0)
    return TRUE;

  problem = certificate_problem (self);
  if (problem == NULL)
    problem = client_auth_problem (self);
  if (problem == NULL && self->min_version > self->max_version)
    problem = "min_version is above max_version";
  if (problem == NULL)
    return TRUE;

  jme_yaml_set_error (yaml, self->line, key, error, "%s", problem);
  return FALSE;
}

/**
 * jme_tls_config_read: (skip)
 *
 * Reads `tls_server_config` into a #JmeTlsConfig: a #JmeYamlReader.
 */
gboolean
jme_tls_config_read (JmeYaml *yaml,
                     const char *key,
                     yaml_node_t *value,
                     gpointer field,
                     GError **error)
{
  static const JmeYamlKey keys[] = {
    { "cert", jme_yaml_read_string, G_STRUCT_OFFSET (JmeTlsConfig, cert) },
    { "key", jme_yaml_read_string, G_STRUCT_OFFSET (JmeTlsConfig, key) },
    { "client_ca", refuse_client_ca, 0 },
    { "cert_file", read_file_name, G_STRUCT_OFFSET (JmeTlsConfig, cert_file) },
    { "key_file", read_file_name, G_STRUCT_OFFSET (JmeTlsConfig, key_file) },
    { "client_ca_file", read_file_name,
      G_STRUCT_OFFSET (JmeTlsConfig, client_ca_file) },
    { "client_auth_type", read_client_auth,
      G_STRUCT_OFFSET (JmeTlsConfig, client_auth) },
    { "client_allowed_sans", read_sans,
      G_STRUCT_OFFSET (JmeTlsConfig, client_allowed_sans) },
    { "min_version", read_tls_version, G_STRUCT_OFFSET (JmeTlsConfig, min_version) },
    { "max_version", read_tls_version, G_STRUCT_OFFSET (JmeTlsConfig, max_version) },
    { "cipher_suites", refuse_cipher_suites, 0 },
    { "curve_preferences", read_curves, G_STRUCT_OFFSET (JmeTlsConfig, curves) },
    { "prefer_server_cipher_suites", jme_yaml_read_boolean,
      G_STRUCT_OFFSET (JmeTlsConfig, prefer_server_cipher_suites) },
  };
  JmeTlsConfig *self = field;

  if (value->type == YAML_MAPPING_NODE &&
      value->data.mapping.pairs.top > value->data.mapping.pairs.start)
    self->line = jme_yaml_line (value);

  return jme_yaml_read_keys (yaml, key, value, keys, G_N_ELEMENTS (keys), self,
                             error) &&
         check (self, yaml, key, error);
}

static void
make_absolute (JmeWebFile *file, const char *folder)
{
  if (file->path != NULL && !g_path_is_absolute (file->path))
    {
      char *path = g_build_filename (folder, file->path, NULL);

      g_free (file->path);
      file->path = path;
    }
}

/**
 * jme_tls_config_init:
 * @self: the settings
 *
 * Sets what holds where web.yml says nothing.
 */
void
jme_tls_config_init (JmeTlsConfig *self)
{
  *self = (JmeTlsConfig){ 0 };
  self->min_version = 2;
  self->max_version = G_N_ELEMENTS (tls_versions) - 1;
  self->prefer_server_cipher_suites = TRUE;
}

void
jme_tls_config_clear (JmeTlsConfig *self)
{
  g_free (self->cert_file.path);
  g_free (self->key_file.path);
  g_free (self->client_ca_file.path);
  g_free (self->cert);
  g_free (self->key);
  g_strfreev (self->client_allowed_sans);
  g_strfreev (self->curves);
}

/**
 * jme_tls_config_set_folder:
 * @self: the settings
 * @folder: the folder from which relative names are taken
 */
void
jme_tls_config_set_folder (JmeTlsConfig *self, const char *folder)
{
  make_absolute (&self->cert_file, folder);
  make_absolute (&self->key_file, folder);
  make_absolute (&self->client_ca_file, folder);
}

/**
 * jme_tls_config_get_priority:
 * @self: the settings
 *
 * GIO offers no choice of TLS versions and curves for one server; GnuTLS behind it
 * takes them for the whole process from `G_TLS_GNUTLS_PRIORITY`.
 *
 * Returns: (transfer full): GnuTLS's priority string
 */
char *
jme_tls_config_get_priority (const JmeTlsConfig *self)
{
  GString *text = g_string_new ("NORMAL:-VERS-ALL");

  for (guint i = self->max_version + 1; i-- > self->min_version;)
    g_string_append_printf (text, ":%s", tls_versions[i].priority);

  if (self->curves != NULL)
    {
      g_string_append (text, ":-GROUP-ALL");
      for (gsize i = 0; self->curves[i] != NULL; i++)
        g_string_append_printf (text, ":+%s", self->curves[i]);
    }

  if (self->prefer_server_cipher_suites)
    g_string_append (text, ":%SERVER_PRECEDENCE");

  return g_string_free (text, FALSE);
}
