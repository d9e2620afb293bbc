/* jme-web-tls.h: the server's side of TLS
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "web/jme-web-config.h"

G_BEGIN_DECLS

typedef struct _JmeWebTls JmeWebTls;

JmeWebTls *jme_web_tls_new (const JmeWebConfig *config, GError **error);

JmeWebTls *jme_web_tls_ref (JmeWebTls *self);

void jme_web_tls_unref (JmeWebTls *self);

GDateTime *jme_web_tls_get_expiry (JmeWebTls *self);

GIOStream *jme_web_tls_wrap (JmeWebTls *self, GIOStream *stream, GError **error);

gboolean jme_web_tls_check_peer (JmeWebTls *self, GTlsConnection *connection);

/* The client's certificate, transfer none, where web.yml has clients verified and its
 * own authorities vouch for this one now; NULL of any other. */
GTlsCertificate *jme_web_tls_find_verified (JmeWebTls *self,
                                            GTlsConnection *connection);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeWebTls, jme_web_tls_unref)

G_END_DECLS
