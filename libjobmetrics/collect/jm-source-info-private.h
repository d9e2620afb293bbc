/* jm-source-info-private.h: one of a node's sources, and how it fares
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/jm-source-info.h"

G_BEGIN_DECLS

/* Copies @error, which is why it does not work, or NULL. */
JmSourceInfo *jm_source_info_new (JmSourceKind kind,
                                  const char *name,
                                  JmSourceState state,
                                  const GError *error,
                                  gboolean is_wanted);

G_END_DECLS
