/* jme-tls-config.h: what web.yml says about TLS
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

#include "web/jme-yaml.h"

G_BEGIN_DECLS

/**
 * JmeClientAuth:
 * @JME_CLIENT_AUTH_NONE: no certificate is asked for
 * @JME_CLIENT_AUTH_REQUEST: asked for, none needed, any will do
 * @JME_CLIENT_AUTH_REQUIRE_ANY: needed, any will do
 * @JME_CLIENT_AUTH_VERIFY_IF_GIVEN: none needed, one that comes must be good
 * @JME_CLIENT_AUTH_REQUIRE_AND_VERIFY: a good one is needed
 */
typedef enum
{
  JME_CLIENT_AUTH_NONE,
  JME_CLIENT_AUTH_REQUEST,
  JME_CLIENT_AUTH_REQUIRE_ANY,
  JME_CLIENT_AUTH_VERIFY_IF_GIVEN,
  JME_CLIENT_AUTH_REQUIRE_AND_VERIFY,
} JmeClientAuth;

/**
 * JmeWebFile:
 * @path: (nullable): a file that web.yml names, absolute
 * @line: the line that names it
 */
typedef struct
{
  char *path;
  guint line;
} JmeWebFile;

/**
 * JmeTlsConfig:
 * @line: line of `tls_server_config`, 0 where it says nothing
 * @cert: (nullable): the certificate itself, where web.yml holds it
 * @key: (nullable): the key itself, where web.yml holds it
 * @client_allowed_sans: (nullable): names of which a client's certificate has one
 * @min_version: index into TLS10 ... TLS13
 * @max_version: the same
 * @curves: (nullable): GnuTLS groups, the preferred one first
 * @prefer_server_cipher_suites: whose preference counts
 *
 * `tls_server_config` of web.yml, checked, with no file opened that it names.
 */
typedef struct
{
  guint line;
  JmeWebFile cert_file;
  JmeWebFile key_file;
  JmeWebFile client_ca_file;
  char *cert;
  char *key;
  JmeClientAuth client_auth;
  char **client_allowed_sans;
  guint min_version;
  guint max_version;
  char **curves;
  gboolean prefer_server_cipher_suites;
} JmeTlsConfig;

/* Whether clients need a certificate, and whether that of one must be good. */
gboolean jme_client_auth_requires (JmeClientAuth self);
gboolean jme_client_auth_verifies (JmeClientAuth self);

void jme_tls_config_init (JmeTlsConfig *self);

void jme_tls_config_clear (JmeTlsConfig *self);

gboolean jme_tls_config_read (JmeYaml *yaml,
                              const char *key,
                              yaml_node_t *value,
                              gpointer field,
                              GError **error);

void jme_tls_config_set_folder (JmeTlsConfig *self, const char *folder);

char *jme_tls_config_get_priority (const JmeTlsConfig *self);

G_END_DECLS
