/* jme-goodput.h: productive and lost hours of runs, for Prometheus
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-archive-database-private.h"
#include "base/jm-text-writer-private.h"
#include "expose/jm-metric-selection.h"

G_BEGIN_DECLS

/* Measured in one thread, and read by any. */
typedef struct _JmeGoodput JmeGoodput;

JmeGoodput *jme_goodput_new (void);
void jme_goodput_free (JmeGoodput *self);

/* Adds up the 24 hours until an hour ago: records of the last hour may be under way.
 * Within 15 minutes they are not added up again. Of more than 200,000 runs there are no
 * figures. */
gboolean
jme_goodput_measure (JmeGoodput *self, JmArchiveDatabase *store, GError **error);

void jme_goodput_append_figures (JmeGoodput *self,
                                 JmMetricSelection *selection,
                                 JmTextWriter *writer);
gboolean jme_goodput_match_figures (const char *pattern);

G_END_DECLS
