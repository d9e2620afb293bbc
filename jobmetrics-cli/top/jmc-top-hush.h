/* jmc-top-hush.h: keeps messages off the screen until it is given back
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _JmcTopHush JmcTopHush;

JmcTopHush *jmc_top_hush_start (void);
void jmc_top_hush_end (JmcTopHush *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcTopHush, jmc_top_hush_end)

G_END_DECLS
