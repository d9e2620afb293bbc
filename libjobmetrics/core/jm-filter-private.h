/* jm-filter-private.h: what a filter asks for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-filter.h"

G_BEGIN_DECLS

/* Adds the fields (const JmField) that the filter compares. */
void jm_filter_add_fields (JmFilter *self, GPtrArray *fields);

void jm_filter_add_collectors (JmFilter *self, JmCollectorSet *collectors);

JmFilter *jm_filter_ref (JmFilter *self);

G_END_DECLS
