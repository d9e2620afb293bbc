/* jm-dialect-private.h: the families of a dialect
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run-label-private.h"
#include "expose/jm-dialect-family-private.h"
#include "expose/jm-dialect.h"
#include "expose/jm-metric-selection.h"

G_BEGIN_DECLS

/* jobmetrics' own families, as far as they are selected. */
JmDialect *jm_dialect_new_native (JmMetricSelection *selection);

/* Of JmRunLabel: whose run a series is. */
const GArray *jm_dialect_get_run_labels (JmDialect *self);

/* Of JmDialectFamily. */
GPtrArray *jm_dialect_get_families (JmDialect *self);

/* Whether it shows jobs of that scheduler, which is NULL where it is not known. */
gboolean jm_dialect_shows_scheduler (JmDialect *self, const char *scheduler);

G_END_DECLS
