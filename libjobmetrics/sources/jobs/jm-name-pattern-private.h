/* jm-name-pattern-private.h: what a name between two slashes looks like
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jobs/jm-placeholder-private.h"

G_BEGIN_DECLS

/* As many placeholders as a name may have. */
#define JM_NAME_FIELDS_MAX 8

/**
 * JmNameMatch:
 * @n: of @texts
 * @texts: what the placeholders stand for, in their order, owned
 *
 * What a name reports.
 */
typedef struct
{
  guint n;
  char *texts[JM_NAME_FIELDS_MAX];
} JmNameMatch;

void jm_name_match_clear (JmNameMatch *self);

/**
 * JmNamePattern:
 *
 * Text with placeholders, or any name. Where a placeholder ends is shown by the
 * character that stands beside it, so there is but one way in which a name can match,
 * found in one walk over it.
 */
typedef struct _JmNamePattern JmNamePattern;

JmNamePattern *jm_name_pattern_new (const char *text, GError **error);
void jm_name_pattern_free (JmNamePattern *self);

guint jm_name_pattern_get_n_fields (const JmNamePattern *self);
JmPathField jm_name_pattern_get_field (const JmNamePattern *self, guint number);
gboolean
jm_name_pattern_match (const JmNamePattern *self, JmSlice name, JmNameMatch *match);
const char *jm_name_pattern_get_text (const JmNamePattern *self);
void jm_name_pattern_append_example (const JmNamePattern *self, GString *name);
gboolean
jm_name_pattern_fill (const JmNamePattern *self, char *const *values, GString *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmNamePattern, jm_name_pattern_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmNameMatch, jm_name_match_clear)

G_END_DECLS
