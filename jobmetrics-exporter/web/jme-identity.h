/* jme-identity.h: who asks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-settings-private.h"
#include "web/jme-request.h"

G_BEGIN_DECLS

#define JME_IDENTITY_SECRET_HEADER "X-Jobmetrics-Secret"

typedef struct _JmeIdentityConfig JmeIdentityConfig;

void jme_identity_config_add_settings (JmSettings *settings);

/* Errors: INVALID for a setting; else as jm_secret_read_token(). */
JmeIdentityConfig *jme_identity_config_new (const JmSettings *settings, GError **error);

void jme_identity_config_free (JmeIdentityConfig *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeIdentityConfig, jme_identity_config_free)

/* In which header proxies name users. */
const char *jme_identity_config_get_header (const JmeIdentityConfig *self);

/**
 * jme_identity_find:
 * @self: which proxies are believed
 * @request: a request that was let in
 * @status: (out): what to answer where nobody is found: 400, 401 or 403
 * @error: return location for what to say
 *
 * Who asks: whom a trusted proxy names, whose password web.yml knows, whose verified
 * certificate it is, or who opened the local socket. A name from an untrusted source is
 * never passed over in favour of another, and where two are known they are the same.
 *
 * Returns: (transfer full) (nullable): the user's name
 */
char *jme_identity_find (const JmeIdentityConfig *self,
                         JmeRequest *request,
                         guint *status,
                         GError **error);

/* The common name in a subject as RFC 4514 writes it.
 *
 * - Errors: `ABSENT` where it has none; `MALFORMED` where it has two, one that is no
 *   text, or is not written so. */
char *jme_distinguished_name_find_common_name (const char *subject, GError **error);

G_END_DECLS
