/* jm-run-label-private.h: a label that names the run of a time series
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"

G_BEGIN_DECLS

/* Of the field, which is CLUSTER, ID or UUID, the label has the value. A run has a
 * label of its uuid, or one of its job's id beside one of its cluster. */
typedef struct
{
  const char *label;
  JmJobField field;
} JmRunLabel;

G_END_DECLS
