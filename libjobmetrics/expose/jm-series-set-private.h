/* jm-series-set-private.h: labels that were written already
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-labels.h"

G_BEGIN_DECLS

/* A set of labels, emptied in no time and refilled without allocating: it finds the
 * labels that a subject has twice. */
typedef struct
{
  GArray *slots; /* of Slot; a power of two of them */
  guint n_used;
  guint round; /* slots of an earlier round are free */
} JmSeriesSet;

void jm_series_set_init (JmSeriesSet *self);
void jm_series_set_clear (JmSeriesSet *self);
void jm_series_set_empty (JmSeriesSet *self);

/* FALSE if the set has them. Whoever adds labels holds them until the set is emptied.
 */
gboolean jm_series_set_add (JmSeriesSet *self, JmLabels *labels);

G_END_DECLS
