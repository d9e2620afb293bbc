/* jmc-top-stderr.h: keeps messages off the screen until it is given back
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _JmcTopStderr JmcTopStderr;

JmcTopStderr *jmc_top_stderr_hold (void);
void jmc_top_stderr_release (JmcTopStderr *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcTopStderr, jmc_top_stderr_release)

G_END_DECLS
