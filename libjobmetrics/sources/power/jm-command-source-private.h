/* jm-command-source-private.h: for who can wait for an answer
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-command-source.h"

G_BEGIN_DECLS

gboolean jm_command_source_wait (JmCommandSource *self, gint64 timeout_us);

G_END_DECLS
