/* jm-path-pattern-private.h: what the paths of jobs look like
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jobs/jm-placeholder-private.h"

G_BEGIN_DECLS

/**
 * JmPathMatch:
 * @fields: what the path reported, owned; %NULL where it reported nothing
 * @root: the directories that two stars stood for, owned; %NULL where there are none
 */
typedef struct
{
  char *fields[JM_N_PATH_FIELDS];
  char *root;
} JmPathMatch;

static inline gboolean
jm_path_match_has (const JmPathMatch *self, JmPathField field)
{
  return self->fields[field] != NULL;
}

void jm_path_match_clear (JmPathMatch *self);
void jm_path_match_take (JmPathMatch *self, JmPathMatch *other);
const char *jm_path_match_get_name (const JmPathMatch *self);

/**
 * JmPathPattern:
 *
 * A path with placeholders. Between two slashes stands a #JmNamePattern; `**` may stand
 * first, for any number of directories, `**.slice` for such as end so. So there is only
 * one way in which a path can match, found in one walk over it: no path that a user
 * makes up can cost more than its length, as a regular expression would let it.
 */
typedef struct _JmPathPattern JmPathPattern;

JmPathPattern *jm_path_pattern_new (const char *text, guint allowed, GError **error);
void jm_path_pattern_free (JmPathPattern *self);

const char *jm_path_pattern_get_text (const JmPathPattern *self);
guint jm_path_pattern_get_fields (const JmPathPattern *self);
gboolean jm_path_pattern_is_absolute (const JmPathPattern *self);
gboolean
jm_path_pattern_match (const JmPathPattern *self, JmSlice path, JmPathMatch *match);
gboolean jm_path_pattern_ends_like (const JmPathPattern *self, JmSlice path);
gboolean jm_path_pattern_is_above (const JmPathPattern *self, JmSlice path);
gboolean jm_path_pattern_may_match_below (const JmPathPattern *self, JmSlice path);
guint jm_path_pattern_compare (const JmPathPattern *self,
                               const char *path,
                               const char **wanted,
                               char **found);
char *jm_path_pattern_make_example (const JmPathPattern *self);
char *jm_path_pattern_fill (const JmPathPattern *self, const JmPathMatch *match);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmPathMatch, jm_path_match_clear)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPathPattern, jm_path_pattern_free)

G_END_DECLS
