/* jm-roots-private.h: which real directory a logical path is in
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <limits.h>

G_BEGIN_DECLS

/**
 * JmRoots:
 *
 * Where the root and the kernel's file systems are: absolute paths, "" for `/`.
 */
typedef struct
{
  char *root;
  char *procfs;
  char *sysfs;
  char *cgroupfs;
} JmRoots;

void jm_roots_complete (JmRoots *self);
void jm_roots_clear (JmRoots *self);
gboolean jm_roots_are_live (const JmRoots *self);
int jm_roots_map (const JmRoots *self, const char *path, char real[PATH_MAX]);
const char *jm_roots_find_tree (const JmRoots *self, const char *real);

G_END_DECLS
