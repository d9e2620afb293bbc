/* jme-web-setup.h: what web.yml says at this moment, ready for use
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

#include "web/jme-web-config.h"
#include "web/jme-web-tls.h"

G_BEGIN_DECLS

typedef struct _JmeWebSetup JmeWebSetup;

JmeWebSetup *jme_web_setup_new (const char *path, GError **error);

void jme_web_setup_free (JmeWebSetup *self);

void jme_web_setup_refresh (JmeWebSetup *self);

void jme_web_setup_reload (JmeWebSetup *self);

const JmeWebConfig *jme_web_setup_get_config (JmeWebSetup *self);

JmeWebTls *jme_web_setup_get_tls (JmeWebSetup *self);

guint jme_web_setup_get_generation (JmeWebSetup *self);

gboolean jme_web_setup_take_turn (JmeWebSetup *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeWebSetup, jme_web_setup_free)

G_END_DECLS
