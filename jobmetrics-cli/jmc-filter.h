/* jmc-filter.h: which jobs are meant
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/* JmcFilter:
 *
 * An expression on metrics and fields, such as
 * `memory_used_bytes > 1GiB && user == "alice"`:
 *
 *   EXPRESSION  a TEST, or of others: !A, A && B, A || B, (A)
 *   TEST        FIELD == VALUE, and with != < <= > >=; ~ and !~ for patterns
 *   FIELD       a name that jmc_field_from_name() knows
 *   VALUE       a figure with its unit; text in quotes, or bare if it is one word
 *
 * What is not known of a job makes a test neither true nor false, and whatever hangs on
 * it: such a job does not match, with a ! before it neither. */
typedef struct _JmcFilter JmcFilter;

JmcFilter *jmc_filter_parse (const char *text, GError **error);
void jmc_filter_free (JmcFilter *self);
guint jmc_filter_get_collectors (const JmcFilter *self);
gboolean
jmc_filter_matches (const JmcFilter *self, JmSnapshot *snapshot, guint subject);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcFilter, jmc_filter_free)

G_END_DECLS
