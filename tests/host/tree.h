/* tree.h: a machine made of files, for one test
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

typedef struct
{
  char *root;
} Tree;

Tree *tree_new (void);
void tree_free (Tree *self);

char *tree_path (Tree *self, const char *path);
void tree_write (Tree *self, const char *path, const char *text);
/* Writes in place, as the kernel does: the file stays the same one. */
void tree_rewrite (Tree *self, const char *path, const char *text);
void tree_make_dir (Tree *self, const char *path);
void tree_remove (Tree *self, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Tree, tree_free)
