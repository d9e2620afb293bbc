/* jm-gpu-columns-private.h: what people are shown of accelerators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-quantity-private.h"
#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/* A column of a table of them. */
typedef struct
{
  JmQuantityId quantity;
  gboolean is_figure;
  gboolean of_node;
  gboolean of_job;
  char *(*format) (JmSnapshot *snapshot, guint subject); /* NULL of a metric */
} JmGpuColumn;

/* A column of a table of the node's devices, or of what a job has of them; NULL behind
 * the last. */
const JmGpuColumn *jm_gpu_columns_get (JmSubjectKind kind, guint i);

/* NULL for what is not known. */
char *
jm_gpu_column_format (const JmGpuColumn *self, JmSnapshot *snapshot, guint subject);

G_END_DECLS
