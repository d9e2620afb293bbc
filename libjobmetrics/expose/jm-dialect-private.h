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
#include "expose/jm-text-encoder.h"

G_BEGIN_DECLS

/* jobmetrics' own families, as far as they are selected. */
JmDialect *jm_dialect_new_native (JmMetricSelection *selection);

/* The name of the dialect whose families it has as well, once it was extended by that;
 * or NULL. */
const char *jm_dialect_get_base (JmDialect *self);

/* Adds what @base has and @self does not: before anybody else has a reference. Errors:
 * `INVALID` for a base that has one itself, and for a family of `Without` that it does
 * not have. */
gboolean jm_dialect_extend (JmDialect *self, JmDialect *base, GError **error);

/* Of JmRunLabel: whose run a series is. */
const GArray *jm_dialect_get_run_labels (JmDialect *self);

/* Of JmDialectFamily. */
GPtrArray *jm_dialect_get_families (JmDialect *self);

/* Whether it shows jobs of that scheduler, which is NULL where it is not known. */
gboolean jm_dialect_shows_scheduler (JmDialect *self, const char *scheduler);

char **jm_dialect_list_families (JmDialect *self);

/* Those that an encoder writes, jobmetrics' own among them: of JmDialect. */
GPtrArray *jm_text_encoder_list_dialects (JmTextEncoder *self);

JmDialect *jm_dialect_ref (JmDialect *self);

G_END_DECLS
