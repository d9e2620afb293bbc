/* jm-file-source-private.h: for who can wait for an answer
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-file-source.h"

G_BEGIN_DECLS

gboolean jm_file_source_wait (JmFileSource *self, gint64 timeout_us);

G_END_DECLS
