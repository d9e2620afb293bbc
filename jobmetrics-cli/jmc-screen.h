/* jmc-screen.h: a terminal that shows one page at a time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* JmcScreen:
 *
 * While it is entered, the terminal shows our pages in place of what was there before,
 * and what is typed comes to us key by key, unseen. */
typedef struct _JmcScreen JmcScreen;

gboolean jmc_screen_is_possible (void);
JmcScreen *jmc_screen_new (void);
void jmc_screen_free (JmcScreen *self);
void jmc_screen_enter (JmcScreen *self);
void jmc_screen_leave (JmcScreen *self);
void jmc_screen_show (JmcScreen *self, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcScreen, jmc_screen_free)

G_END_DECLS
