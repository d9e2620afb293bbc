/* jm-variable-names-private.h: which variables say who a job is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"

G_BEGIN_DECLS

/**
 * JmVariableNames:
 *
 * The variables of hooks' files and environments in which a scheduler reports the
 * fields of its jobs: what the groups `Environment`, `Unless`, `Fields` and `Component`
 * of a definition say.
 */
typedef struct _JmVariableNames JmVariableNames;

JmVariableNames *jm_variable_names_new (void);
void jm_variable_names_free (JmVariableNames *self);

gboolean jm_variable_names_has_group (const char *group);
gboolean jm_variable_names_add (JmVariableNames *self,
                                const char *group,
                                const char *key,
                                const char *value,
                                GError **error);

const char *jm_variable_names_get (const JmVariableNames *self, JmJobField field);
const char *const *jm_variable_names_list (const JmVariableNames *self,
                                           JmJobField field);
const char *jm_variable_names_get_blocker (const JmVariableNames *self,
                                           JmJobField field);
const char *jm_variable_names_get_further (const JmVariableNames *self,
                                           guint number,
                                           const char **variable);
const char *jm_variable_names_get_separator (const JmVariableNames *self);

/* Whether a text has letters, digits and @extra characters alone, up to 64. */
gboolean jm_is_word (const char *text, const char *extra);

G_END_DECLS
