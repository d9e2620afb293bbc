/* jm-path-pattern-private.h: what the paths of jobs look like
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-parse-private.h"

G_BEGIN_DECLS

/**
 * JmPathField:
 * @JM_PATH_FIELD_JOB: `%j`, a job id: a decimal number
 * @JM_PATH_FIELD_SLUID: `%S`, Slurm's SLUID: `s` and 13 digits of Crockford's base 32
 * @JM_PATH_FIELD_STEP: `%s`, a step's name: letters, digits and `_.+-`
 * @JM_PATH_FIELD_TASK: `%t`, a task's number
 * @JM_PATH_FIELD_UID: `%u`, a user id
 * @JM_PATH_FIELD_NODE: `%n`, a node's name
 *
 * What a part of a path may tell.
 */
typedef enum
{
  JM_PATH_FIELD_JOB,
  JM_PATH_FIELD_SLUID,
  JM_PATH_FIELD_STEP,
  JM_PATH_FIELD_TASK,
  JM_PATH_FIELD_UID,
  JM_PATH_FIELD_NODE,
} JmPathField;

#define JM_N_PATH_FIELDS (JM_PATH_FIELD_NODE + 1)
#define JM_PATH_BIT(field) (1u << JM_PATH_FIELD_##field)

/**
 * JmPathMatch:
 * @fields: what the path told, parts of the caller's text; no text where it told nothing
 * @root: the directories that two stars stood for, a part of the caller's text too
 */
typedef struct
{
  JmSlice fields[JM_N_PATH_FIELDS];
  JmSlice root;
} JmPathMatch;

static inline gboolean
jm_path_match_has (const JmPathMatch *self, JmPathField field)
{
  return self->fields[field].text != NULL;
}

static inline gboolean
jm_slices_equal (JmSlice a, JmSlice b)
{
  return a.length == b.length && memcmp (a.text, b.text, a.length) == 0;
}

/**
 * JmPathPattern:
 *
 * A path with placeholders. Between two slashes stands a text with at most one
 * placeholder, or `*` for any name; `**` may stand first, for any number of
 * directories, `**.slice` for such as end so. So there is only one way in which a path
 * can match, found in one walk over it: no path that a user makes up can cost more than
 * its length, as a regular expression would let it.
 */
typedef struct _JmPathPattern JmPathPattern;

JmPathPattern *jm_path_pattern_new (const char *text, guint allowed, GError **error);
void jm_path_pattern_free (JmPathPattern *self);

guint jm_path_pattern_get_fields (const JmPathPattern *self);
gboolean jm_path_pattern_is_absolute (const JmPathPattern *self);
gboolean
jm_path_pattern_match (const JmPathPattern *self, JmSlice path, JmPathMatch *match);
gboolean jm_path_pattern_may_match_below (const JmPathPattern *self, JmSlice path);
char *jm_path_pattern_fill (const JmPathPattern *self, const JmPathMatch *match);

gboolean jm_path_field_check (JmPathField field, JmSlice text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPathPattern, jm_path_pattern_free)

G_END_DECLS
