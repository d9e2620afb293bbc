/* jm-name-pattern-private.h: patterns of names that people type, such as align-*
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* In a pattern `*` is any text, also none, `?` one character, and a backslash before
 * one of these or before a backslash makes it an ordinary character. */

/* The pattern that matches just @name. */
char *jm_name_pattern_from_name (const char *name);

/* The only name that @pattern matches, or NULL for one that can match several. */
char *jm_name_pattern_to_name (const char *pattern);

/* For SQL: NAME LIKE PATTERN ESCAPE '!'. */
char *jm_name_pattern_to_like (const char *pattern);

G_END_DECLS
