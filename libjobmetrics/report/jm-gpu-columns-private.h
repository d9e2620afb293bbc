/* jm-gpu-columns-private.h: what people are shown of accelerators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/* A column of a table of them. */
typedef struct
{
  const char *title;
  const char *help;
  gboolean is_figure;
  char *(*format) (JmSnapshot *snapshot,
                   guint subject); /* NULL for what is not known */
} JmGpuColumn;

/* Those of a table of the node's devices, or of what a job has of them. */
const JmGpuColumn *jm_gpu_columns_get (JmSubjectKind kind, guint *n_columns);

G_END_DECLS
