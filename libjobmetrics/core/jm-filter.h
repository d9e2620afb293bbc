/* jm-filter.h: of which jobs something is true
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-collector-set.h"
#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/**
 * JmFilter:
 *
 * An expression on what is known of jobs, such as `memory_used_bytes > 1GiB && user ==
 * "alice"`: immutable, shared by reference.
 *
 * | | |
 * | --- | --- |
 * | expression | a comparison, or of others: `!A`, `A && B`, `A || B`, `(A)` |
 * | comparison | `FIELD == VALUE`, and with `!=` `<` `<=` `>` `>=`; `~` and `!~` for
 * patterns | | field | a name that jm_field_from_name() knows | | value | a figure with
 * its unit; text in quotes, or bare if it is one word |
 *
 * What is not known of a job makes a comparison neither true nor false, and whatever
 * hangs on it: such a job does not match, with a `!` before it neither.
 *
 * Since: 0.1
 */
typedef struct _JmFilter JmFilter;

#define JM_TYPE_FILTER (jm_filter_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_filter_get_type (void);

JM_AVAILABLE_IN_ALL
JmFilter *jm_filter_new (const char *text, GError **error);

JM_AVAILABLE_IN_ALL
void jm_filter_unref (JmFilter *self);

JM_AVAILABLE_IN_ALL
gboolean jm_filter_matches (JmFilter *self, JmSnapshot *snapshot, guint subject);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmFilter, jm_filter_unref)

G_END_DECLS
