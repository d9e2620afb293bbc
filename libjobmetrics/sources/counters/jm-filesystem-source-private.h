/* jm-filesystem-source-private.h: what jobs read and write of each file system
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/counters/jm-counter-source-private.h"

G_BEGIN_DECLS

#define JM_TYPE_FILESYSTEM_SOURCE (jm_filesystem_source_get_type ())

G_DECLARE_FINAL_TYPE (JmFilesystemSource,
                      jm_filesystem_source,
                      JM,
                      FILESYSTEM_SOURCE,
                      JmSource)

JmFilesystemSource *jm_filesystem_source_new (JmHost *host, GError **error);

G_END_DECLS
