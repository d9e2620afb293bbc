/* jm-source-private.h: what a source remembers of its last failure
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jm-source.h"

G_BEGIN_DECLS

/* Notes how asking it went: NULL where it answered. For whoever asks, in the one thread
 * to which the source belongs. */
void jm_source_set_error (JmSource *self, const GError *error);

G_END_DECLS
