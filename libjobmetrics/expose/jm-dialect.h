/* jm-dialect.h: how figures are named for dashboards made for another exporter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmDialect:
 *
 * How the metric table is named, labelled and scaled for dashboards, alerts and scripts
 * that were made for another exporter: immutable, shared by reference.
 *
 * Since: 0.1
 */
typedef struct _JmDialect JmDialect;

#define JM_TYPE_DIALECT (jm_dialect_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_dialect_get_type (void);

JM_AVAILABLE_IN_ALL
JmDialect *jm_dialect_new_from_text (const char *path,
                                     const char *text,
                                     gsize length,
                                     GError **error);

JM_AVAILABLE_IN_ALL
void jm_dialect_unref (JmDialect *self);

JM_AVAILABLE_IN_ALL
const char *jm_dialect_get_name (JmDialect *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmDialect, jm_dialect_unref)

G_END_DECLS
