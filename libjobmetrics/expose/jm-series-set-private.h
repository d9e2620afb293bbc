/* jm-series-set-private.h: texts that were written already
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A set of stretches of one growing text, emptied in no time and refilled without
 * allocating: it finds the label that a subject has twice. */
typedef struct
{
  GArray *slots; /* of Slot; a power of two of them */
  guint n_used;
  guint round; /* slots of an earlier round are free */
} JmSeriesSet;

void jm_series_set_init (JmSeriesSet *self);
void jm_series_set_clear (JmSeriesSet *self);
void jm_series_set_empty (JmSeriesSet *self);

/* Adds what stands in @text from @offset to its end; FALSE if the set has it. */
gboolean jm_series_set_add (JmSeriesSet *self, const GString *text, gsize offset);

G_END_DECLS
