/* jmc-top-screen.h: a terminal that top has to itself
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-output.h"
#include "top/jmc-top-frame.h"

G_BEGIN_DECLS

typedef struct _JmcTopScreen JmcTopScreen;

JmcTopScreen *jmc_top_screen_open (JmcColor color, GError **error);
void jmc_top_screen_close (JmcTopScreen *self);
void jmc_top_screen_get_size (JmcTopScreen *self, guint *width, guint *height);
guint32 jmc_top_screen_read_key (JmcTopScreen *self, gboolean *is_key);
void jmc_top_screen_draw (JmcTopScreen *self, JmcTopFrame *frame);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcTopScreen, jmc_top_screen_close)

G_END_DECLS
