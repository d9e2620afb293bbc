/* jme-said.h: what has been said already need not be said again
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _JmeSaid JmeSaid;

JmeSaid *jme_said_new (void);

void jme_said_free (JmeSaid *self);

gboolean jme_said_is_news (JmeSaid *self, const char *topic, const char *message);

void jme_said_forget (JmeSaid *self, const char *topic);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeSaid, jme_said_free)

G_END_DECLS
