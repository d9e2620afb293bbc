/* jm-dialect-figures-private.h: what a dialect makes of what was read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-snapshot-private.h"
#include "expose/jm-dialect-family-private.h"
#include "expose/jm-series-lines-private.h"

G_BEGIN_DECLS

typedef struct
{
  JmSnapshot *snapshot;
  JmSnapshot *before;               /* for rates; NULL where there is none */
  const JmCollectorSet *collectors; /* whose figures are wanted */
} JmDialectFigures;

/* Whether the family has it, which is of that snapshot, among the figures of one of its
 * sources. */
gboolean jm_dialect_figures_is_wanted (const JmDialectFigures *self,
                                       const JmDialectFamily *family,
                                       guint source,
                                       JmSnapshot *snapshot,
                                       const JmReading *reading);

/* Of one metric of a subject, *n of them. */
const JmReading *jm_dialect_figures_find (JmSnapshot *snapshot,
                                          guint subject,
                                          JmMetric metric,
                                          guint *n);

JmFigureValue jm_dialect_figures_get_value (const JmReading *reading);

/* Has the sources behind the first make something of its @figure, which is that of
 * @reading. FALSE where they are not known. */
gboolean jm_dialect_figures_combine (const JmDialectFigures *self,
                                     const JmDialectFamily *family,
                                     const JmReading *reading,
                                     JmFigureValue *figure);

/* The family's one figure of a subject, from all sources. */
gboolean jm_dialect_figures_get (const JmDialectFigures *self,
                                 const JmDialectFamily *family,
                                 guint subject,
                                 JmFigureValue *figure);

G_END_DECLS
