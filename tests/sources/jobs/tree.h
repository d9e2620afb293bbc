/* tree.h: a made-up machine for a test
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "host/jm-host.h"
#include "sources/jobs/jm-cgroup-job-source-private.h"

typedef struct
{
  char *root;
  JmHost *host;
} Tree;

Tree *tree_new (void);
void tree_free (Tree *self);
void tree_put (Tree *self, const char *path, const char *text);
char *tree_write (Tree *self, const char *path, const char *text);
void tree_add_process (Tree *self,
                       guint pid,
                       guint uid,
                       const char *cgroup,
                       const char *const *variables);

JmSchedulerDefinition *shipped_definition (const char *name);
JmJobSource *source_for (JmHost *host, const char *definition);
JmJobSource *source_of (Tree *tree, const char *definition_text);
JmJob *identify (JmJobSource *source, const char *path, guint pid);
void assert_origin (JmJob *job, const char *name, JmOrigin expected);
void assert_field (JmJob *job, const char *name, const char *expected);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Tree, tree_free)
