/* jmc-gpu-table.h: accelerators in a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

char *jmc_gpu_table_render (JmSnapshot *snapshot,
                            JmSubjectKind kind,
                            GArray *subjects,
                            guint indent,
                            guint width,
                            gboolean color);

G_END_DECLS
