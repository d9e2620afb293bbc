/* jm-rooted-open-private.h: opens files of a copied tree, whose links stay in it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jm_rooted_open (const char *root, const char *path, int flags);
int jm_rooted_open_beneath (int dir_fd, const char *name, int flags);

G_END_DECLS
