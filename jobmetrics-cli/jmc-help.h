/* jmc-help.h: examples of commands, and the word that a mistyped one is like
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Puts the examples of the command that runs before the summary of its --help. */
void jmc_help_add_examples (GOptionContext *context);

/* `; did you mean --columns?` of an option of @context, or nothing. */
char *jmc_help_suggest_option (GOptionContext *context, const char *typed);

/* The word that a mistyped one is most like; NULL for none. */
const char *jmc_help_find_similar (const char *typed, const char *const *words);

G_END_DECLS
