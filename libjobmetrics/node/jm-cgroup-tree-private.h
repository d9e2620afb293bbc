/* jm-cgroup-tree-private.h: the cgroups of a node, and their births and deaths
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-cgroup-reader.h"

G_BEGIN_DECLS

/* One cgroup. What it means to a job is the owner's business: @data is passed down to
 * the cgroups below unless the owner says otherwise. */
typedef struct _JmCgroupNode JmCgroupNode;

struct _JmCgroupNode
{
  char *path;
  JmCgroupNode *parent; /* NULL for the root */
  gpointer data;
  guint n_children;
  guint generation;
  guint round;        /* in which it was listed last */
  guint born_round;   /* in which it was seen first */
  guint owner;        /* whom root gave it to, or one above it; 0 for root */
  gboolean is_closed; /* nobody looks below it */
  gboolean is_listed; /* the last listing of it did not fail */
  gboolean is_gone;   /* it went before it was born here */
  gint64 born_us;     /* when it came, where that was far from the round; else 0 */
  gint64 died_us;     /* the same of when it went */
};

/* Where somebody looks but once, what comes after a birth may be NULL. */
typedef struct
{
  void (*born) (JmCgroupNode *node, gpointer user_data);
  gboolean (*is_wanted) (JmCgroupNode *node,
                         gpointer user_data); /* what is below it; may be NULL */
  gboolean (*is_another) (JmCgroupNode *node,
                          gpointer user_data); /* than the one that was born */
  void (*changed) (JmCgroupNode *node, gpointer user_data);
  void (*died) (JmCgroupNode *node, gpointer user_data);
  void (*failed) (JmCgroupNode *node,
                  const GError *error,
                  gpointer user_data); /* it is not listed whole: in each refresh */
} JmCgroupTreeEvents;

typedef struct _JmCgroupTree JmCgroupTree;

JmCgroupTree *jm_cgroup_tree_new (JmCgroupReader *reader,
                                  const JmCgroupTreeEvents *events,
                                  gpointer user_data);
void jm_cgroup_tree_free (JmCgroupTree *self);

/* How many cgroups of one user are followed, where root lets users make some. */
#define JM_CGROUP_TREE_MAX_OF_USER 8192

/* Hears what changed since the last call, and reports it; nothing is listed yet. */
void jm_cgroup_tree_hear (JmCgroupTree *self);

/* Whether anything was heard of that is not listed yet. */
gboolean jm_cgroup_tree_is_behind (const JmCgroupTree *self);

/* Lists what changed; the first call lists everything. Parents are born before their
 * children and die after them; one that came and went before anybody could list it is
 * born and dies as soon as what is above it can be listed, unless one of its path died
 * in
 * the seconds before @now_us. */
void jm_cgroup_tree_refresh (JmCgroupTree *self, gint64 now_us);

/* Takes a cgroup for dead, with all below it, though no listing has said so: it went
 * and one of the same name came. The next refresh lists its parent. */
void jm_cgroup_tree_forget (JmCgroupTree *self, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCgroupTree, jm_cgroup_tree_free)

G_END_DECLS
