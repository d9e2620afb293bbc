/* jme-figures.h: tables of what the exporter says of itself
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-text-writer-private.h"
#include "expose/jm-metric-selection.h"

G_BEGIN_DECLS

/* A metric that a part of the exporter has, without labels of its own. */
typedef struct
{
  JmFamilyKind kind; /* an INFO is of the build */
  const char *name;
  const char *help;
  guint n_decimals; /* of the value that @get gives */
  gboolean (*get) (gconstpointer part, guint64 *value); /* FALSE for none at present */
} JmeFigure;

/* Those of a table that are selected, as @part has them. */
void jme_figures_append (const JmeFigure *figures,
                         guint n_figures,
                         gconstpointer part,
                         JmMetricSelection *selection,
                         JmTextWriter *writer);

/* Whether one of a table has a name that @pattern means. */
gboolean
jme_figures_match (const JmeFigure *figures, guint n_figures, const char *pattern);

G_END_DECLS
