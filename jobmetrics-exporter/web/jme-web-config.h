/* jme-web-config.h: what web.yml says
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

#include "web/jme-tls-config.h"

G_BEGIN_DECLS

/**
 * JmeWebConfig:
 * @path: (nullable): the file, or %NULL for plain HTTP that is open to all
 * @tls: what it says about TLS
 * @http2: whether web.yml asks for HTTP/2, which has no effect
 * @headers: (element-type utf8 utf8): headers for every reply
 * @users: (element-type utf8 utf8): bcrypt hash by user; empty: open to all
 * @rate_interval_us: microseconds between two requests, 0 for no limit
 * @rate_burst: how many requests may come at once
 *
 * The web.yml of the exporter-toolkit, checked, with no file opened that it names.
 */
typedef struct
{
  char *path;
  JmeTlsConfig tls;
  gboolean http2;
  GHashTable *headers;
  GHashTable *users;
  gint64 rate_interval_us;
  guint rate_burst;
} JmeWebConfig;

JmeWebConfig *jme_web_config_new_empty (void);

JmeWebConfig *jme_web_config_load (const char *path, GError **error);

JmeWebConfig *
jme_web_config_parse (const char *path, const char *text, gsize length, GError **error);

void jme_web_config_free (JmeWebConfig *self);

GStrv jme_web_config_list_files (const JmeWebConfig *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeWebConfig, jme_web_config_free)

G_END_DECLS
