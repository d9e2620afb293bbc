/* jm-key-file-private.h: key files that say nothing twice
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* GKeyFile takes two groups of one name for one: here that is an error. */
GKeyFile *jm_key_file_new_from_text (const char *text, gsize length, GError **error);

/* The keys of a group, none of which is there twice: GKeyFile takes that, too. */
char **jm_key_file_list_keys (GKeyFile *file, const char *group, GError **error);

G_END_DECLS
