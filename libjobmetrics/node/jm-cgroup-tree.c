/* jm-cgroup-tree.c: the cgroups of a node, and their births and deaths
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-cgroup-tree-private.h"

#include <stdlib.h>

#include "base/jm-error.h"
#include "sources/cgroup/jm-cgroup-kernel-reader-private.h"

/* Users may nest cgroups of their own as deep as they like, and make as many. */
#define MAX_DEPTH 32
#define MAX_NODES 262144
/* What is above them may never be listed again. */
#define MAX_HELD 4096
/* News of a cgroup may come behind its end, and Slurm was seen to make a job's anew
 * that soon to tidy up. No run begins and ends unseen so soon after another. */
#define KNOWN_GONE_US (5 * G_USEC_PER_SEC)
/* A round that hung, before it listed or while it did, gets events whose time differs
 * from the round's by more than this. */
#define LATE_US G_TIME_SPAN_SECOND
#define MAX_LATE_US G_TIME_SPAN_DAY

struct _JmCgroupTree
{
  JmCgroupReader *reader;
  JmCgroupTreeEvents events;
  gpointer user_data;
  GHashTable *nodes; /* path -> JmCgroupNode */
  guint generation;
  guint round;          /* of listing */
  GPtrArray *heard;     /* of char *: paths that changed, in that order, each once */
  GHashTable *is_heard; /* set of the same */
  GHashTable *held;     /* set of paths heard of below what could not be listed */
  gboolean is_lost;     /* all are to be listed */
  GHashTable *gone;     /* path of what died lately -> gint64, when */
  gint64 now_us;
  GHashTable *by_owner; /* user id -> how many nodes; root's do not count */
  GHashTable *failures; /* path of what is not listed whole -> GError */
};

static guint list_node (JmCgroupTree *self, JmCgroupNode *node, guint depth);

static void
node_free (gpointer data)
{
  JmCgroupNode *node = data;

  g_free (node->path);
  g_free (node);
}

static guint
count_of_owner (JmCgroupTree *self, guint owner)
{
  return GPOINTER_TO_UINT (
    g_hash_table_lookup (self->by_owner, GUINT_TO_POINTER (owner)));
}

static void
count_node (JmCgroupTree *self, const JmCgroupNode *node, int change)
{
  guint n = count_of_owner (self, node->owner) + (guint) change;

  if (node->owner == 0)
    return;

  if (n > 0)
    g_hash_table_insert (self->by_owner, GUINT_TO_POINTER (node->owner),
                         GUINT_TO_POINTER (n));
  else
    g_hash_table_remove (self->by_owner, GUINT_TO_POINTER (node->owner));
}

static gboolean
has_room (JmCgroupTree *self, const JmCgroupNode *parent)
{
  return g_hash_table_size (self->nodes) < MAX_NODES &&
         (parent->owner == 0 ||
          count_of_owner (self, parent->owner) < JM_CGROUP_TREE_MAX_OF_USER);
}

static gboolean
is_of_another_time (const JmCgroupTree *self, gint64 time_us)
{
  gint64 distance_us = ABS (time_us - self->now_us);

  return distance_us > LATE_US && distance_us < MAX_LATE_US;
}

/* What came into a cgroup that nobody watched yet is no older than that. */
static gint64
find_birth (JmCgroupTree *self, const JmCgroupNode *parent, const char *path)
{
  gint64 born_us, died_us;

  jm_cgroup_kernel_reader_find_times (self->reader, path, &born_us, &died_us);
  if (born_us == 0 && parent != NULL && parent->born_round == self->round)
    return parent->born_us;

  return is_of_another_time (self, born_us) ? born_us : 0;
}

static gint64
find_death (JmCgroupTree *self, const JmCgroupNode *node)
{
  gint64 born_us, died_us;

  jm_cgroup_kernel_reader_find_times (self->reader, node->path, &born_us, &died_us);

  return is_of_another_time (self, died_us) ? died_us : 0;
}

static JmCgroupNode *
add_node (JmCgroupTree *self, JmCgroupNode *parent, char *path, gboolean is_gone)
{
  JmCgroupNode *node = g_new0 (JmCgroupNode, 1);

  node->path = path;
  node->parent = parent;
  node->data = parent != NULL ? parent->data : NULL;
  node->generation = self->generation;
  node->is_gone = is_gone;
  node->born_round = self->round;
  node->born_us = find_birth (self, parent, path);
  if (parent != NULL)
    parent->n_children++;
  /* below what is a user's, all is theirs, whatever name they give it to */
  node->owner = parent != NULL && parent->owner != 0
                  ? parent->owner
                  : jm_cgroup_reader_get_owner (self->reader, path);
  count_node (self, node, 1);
  g_hash_table_insert (self->nodes, node->path, node);
  self->events.born (node, self->user_data);
  node->is_closed =
    self->events.is_wanted != NULL && !self->events.is_wanted (node, self->user_data);

  return node;
}

static gboolean
is_below (JmCgroupNode *node, const JmCgroupNode *top)
{
  while (node != NULL && node != top)
    node = node->parent;

  return node == top;
}

static int
compare_deepest_first (gconstpointer a, gconstpointer b)
{
  const JmCgroupNode *const *first = a;
  const JmCgroupNode *const *second = b;

  return g_strcmp0 ((*second)->path, (*first)->path);
}

/* A path sorts after every prefix of itself, so children die before their parents. */
static void
remove_nodes (JmCgroupTree *self, GPtrArray *nodes)
{
  g_ptr_array_sort (nodes, compare_deepest_first);

  for (guint i = 0; i < nodes->len; i++)
    {
      JmCgroupNode *node = g_ptr_array_index (nodes, i);

      node->died_us = find_death (self, node);
      if (self->events.died != NULL)
        self->events.died (node, self->user_data);
      if (node->parent != NULL)
        node->parent->n_children--;
      count_node (self, node, -1);
      g_hash_table_remove (self->failures, node->path);
      g_hash_table_insert (self->gone, g_strdup (node->path),
                           g_memdup2 (&self->now_us, sizeof self->now_us));
      g_hash_table_remove (self->nodes, node->path);
    }
}

static JmCgroupNode *
find_parent (JmCgroupTree *self, const char *path)
{
  g_autofree char *above = g_path_get_dirname (path);

  return g_hash_table_lookup (self->nodes, above);
}

/* Whether a cgroup that was heard of was not seen since. */
static gboolean
is_unborn (JmCgroupTree *self, const char *path, const JmCgroupNode *parent)
{
  return parent != NULL && !parent->is_closed &&
         !g_hash_table_contains (self->nodes, path) &&
         !g_hash_table_contains (self->gone, path);
}

/* Nobody will ever list what is above it: what was heard of it is all there is. */
static void
bear_held_below (JmCgroupTree *self, const JmCgroupNode *top)
{
  GHashTableIter iter;
  gpointer path;

  g_hash_table_iter_init (&iter, self->held);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    {
      JmCgroupNode *parent = find_parent (self, path);

      if (is_unborn (self, path, parent) && is_below (parent, top) &&
          has_room (self, parent))
        add_node (self, parent, g_strdup (path), TRUE);
    }
}

static void
remove_subtree (JmCgroupTree *self, JmCgroupNode *top)
{
  g_autoptr (GPtrArray) dead = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;

  bear_held_below (self, top);
  g_hash_table_iter_init (&iter, self->nodes);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (is_below (value, top))
      g_ptr_array_add (dead, value);

  remove_nodes (self, dead);
}

/* Children of @parent that the last listing did not name, with all below them. */
static void
remove_unseen_children (JmCgroupTree *self, JmCgroupNode *parent)
{
  g_autoptr (GPtrArray) unseen = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->nodes);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      JmCgroupNode *node = value;

      if (node->parent == parent && node->generation != self->generation)
        g_ptr_array_add (unseen, node);
    }

  for (guint i = 0; i < unseen->len; i++)
    remove_subtree (self, g_ptr_array_index (unseen, i));
}

static void
take_failure (JmCgroupTree *self, const JmCgroupNode *node, GError *error)
{
  g_hash_table_insert (self->failures, g_strdup (node->path), error);
}

static void
refuse_child (JmCgroupTree *self, const JmCgroupNode *parent, guint depth)
{
  GError *error = NULL;

  if (depth >= MAX_DEPTH)
    error = g_error_new (JM_ERROR, JM_ERROR_UNAVAILABLE,
                         "%s: cgroups deeper than %d are not looked at", parent->path,
                         MAX_DEPTH);
  else if (parent->owner != 0)
    error = g_error_new (JM_ERROR, JM_ERROR_UNAVAILABLE,
                         "%s: user %u has more than %d cgroups: the rest is not "
                         "looked at",
                         parent->path, parent->owner, JM_CGROUP_TREE_MAX_OF_USER);
  else
    error =
      g_error_new (JM_ERROR, JM_ERROR_UNAVAILABLE,
                   "%s: there are more than %d cgroups: the rest is not looked at",
                   parent->path, MAX_NODES);

  take_failure (self, parent, error);
}

static gboolean
see_child (JmCgroupTree *self, JmCgroupNode *parent, const char *name, guint depth)
{
  g_autofree char *path = NULL;
  JmCgroupNode *node;

  path =
    g_strconcat (g_str_equal (parent->path, "/") ? "" : parent->path, "/", name, NULL);
  node = g_hash_table_lookup (self->nodes, path);

  if (node != NULL && self->events.is_another != NULL &&
      self->events.is_another (node, self->user_data))
    {
      remove_subtree (self, node);
      node = NULL;
    }
  if (node != NULL)
    {
      node->generation = self->generation;
      return TRUE;
    }

  if (depth >= MAX_DEPTH || !has_room (self, parent))
    {
      refuse_child (self, parent, depth);
      return FALSE;
    }

  list_node (self, add_node (self, parent, g_steal_pointer (&path), FALSE), depth + 1);

  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

/* Returns how many children were seen. One that went away has none; of one that cannot
 * be listed nothing new is known. */
static guint
list_node (JmCgroupTree *self, JmCgroupNode *node, guint depth)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  guint n_seen = 0;

  g_hash_table_remove (self->failures, node->path);
  node->round = self->round;
  node->is_listed = TRUE;
  if (node->is_closed)
    return 0;

  names = jm_cgroup_reader_list_children (self->reader, node->path, &error);
  if (error != NULL && !g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    {
      node->is_listed = FALSE;
      take_failure (self, node, g_steal_pointer (&error));
      return node->n_children;
    }

  /* The kernel and copied trees list them in any order; people compare output. */
  if (names != NULL)
    qsort (names, g_strv_length (names), sizeof *names, compare_names);

  for (char **name = names; name != NULL && *name != NULL; name++)
    n_seen += see_child (self, node, *name, depth);

  return n_seen;
}

static guint
depth_of (const JmCgroupNode *node)
{
  guint depth = 0;

  for (; node->parent != NULL; node = node->parent)
    depth++;

  return depth;
}

static void
relist_node (JmCgroupTree *self, JmCgroupNode *node)
{
  self->generation++;
  if (list_node (self, node, depth_of (node)) < node->n_children)
    remove_unseen_children (self, node);
}

/* The paths are kept, not the nodes: a node may die while the others are listed. */
static void
relist_everything (JmCgroupTree *self)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->nodes);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (paths, g_strdup (key));

  for (guint i = 0; i < paths->len; i++)
    {
      JmCgroupNode *node =
        g_hash_table_lookup (self->nodes, g_ptr_array_index (paths, i));

      if (node != NULL)
        relist_node (self, node);
    }
}

/* It came and went since its parent was listed before. */
static void
see_fleeting (JmCgroupTree *self, const char *path)
{
  JmCgroupNode *parent = find_parent (self, path);
  g_autoptr (GPtrArray) fleeting = g_ptr_array_new ();

  if (!is_unborn (self, path, parent) || parent->round != self->round ||
      g_hash_table_contains (self->failures, parent->path) || !has_room (self, parent))
    return;

  g_ptr_array_add (fleeting, add_node (self, parent, g_strdup (path), TRUE));
  remove_nodes (self, fleeting);
}

/* What was listed in this round already was so after it was heard of. */
static void
relist_path (JmCgroupTree *self, const char *path)
{
  JmCgroupNode *node = g_hash_table_lookup (self->nodes, path);

  if (node == NULL)
    see_fleeting (self, path);
  else if (node->round != self->round)
    relist_node (self, node);
}

static void
relist_heard (JmCgroupTree *self)
{
  g_autofree char **held = (char **) g_hash_table_get_keys_as_array (self->held, NULL);

  for (char **path = held; *path != NULL; path++)
    relist_path (self, *path);
  for (guint i = 0; i < self->heard->len; i++)
    relist_path (self, g_ptr_array_index (self->heard, i));
}

/* One that may not be listed may be so now, and one that was too much may have room. */
static void
retry_failures (JmCgroupTree *self)
{
  g_autofree char **paths =
    (char **) g_hash_table_get_keys_as_array (self->failures, NULL);
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; paths[i] != NULL; i++)
    g_ptr_array_add (kept, g_strdup (paths[i]));

  for (guint i = 0; i < kept->len; i++)
    {
      JmCgroupNode *node = g_hash_table_lookup (self->nodes, kept->pdata[i]);

      if (node != NULL && has_room (self, node))
        relist_node (self, node);
    }
}

static void
tell_failures (JmCgroupTree *self)
{
  GHashTableIter iter;
  gpointer path, error;

  g_hash_table_iter_init (&iter, self->failures);
  while (self->events.failed != NULL && g_hash_table_iter_next (&iter, &path, &error))
    self->events.failed (g_hash_table_lookup (self->nodes, path), error,
                         self->user_data);
}

JmCgroupTree *
jm_cgroup_tree_new (JmCgroupReader *reader,
                    const JmCgroupTreeEvents *events,
                    gpointer user_data)
{
  JmCgroupTree *self = g_new0 (JmCgroupTree, 1);

  self->reader = g_object_ref (reader);
  self->events = *events;
  self->user_data = user_data;
  self->nodes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, node_free);
  self->heard = g_ptr_array_new_with_free_func (g_free);
  self->is_heard = g_hash_table_new (g_str_hash, g_str_equal);
  self->held = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->gone = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->by_owner = g_hash_table_new (NULL, NULL);
  self->failures = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify) g_error_free);

  return self;
}

/* Everybody dies first, so that the owner can let go of what it attached. */
void
jm_cgroup_tree_free (JmCgroupTree *self)
{
  JmCgroupNode *root = g_hash_table_lookup (self->nodes, "/");

  g_hash_table_remove_all (self->held);
  if (root != NULL)
    remove_subtree (self, root);
  g_hash_table_unref (self->held);
  g_ptr_array_unref (self->heard);
  g_hash_table_unref (self->is_heard);
  g_hash_table_unref (self->gone);
  g_hash_table_unref (self->failures);
  g_hash_table_unref (self->by_owner);
  g_hash_table_unref (self->nodes);
  g_object_unref (self->reader);
  g_free (self);
}

static void
hear (JmCgroupTree *self, const char *path)
{
  char *copy;

  if (g_hash_table_contains (self->is_heard, path))
    return;

  copy = g_strdup (path);
  g_ptr_array_add (self->heard, copy);
  g_hash_table_add (self->is_heard, copy);
}

/* It may be there, or have gone again: that shows once what is above it is listed. */
static gboolean
is_undecided (JmCgroupTree *self, const char *path)
{
  const JmCgroupNode *parent = find_parent (self, path);

  return is_unborn (self, path, parent) && !parent->is_listed;
}

static gboolean
is_decided (gpointer path, gpointer value, gpointer user_data)
{
  return !is_undecided (user_data, path);
}

static void
hold_undecided (JmCgroupTree *self)
{
  g_hash_table_foreach_remove (self->held, is_decided, self);
  for (guint i = 0; i < self->heard->len; i++)
    if (g_hash_table_size (self->held) < MAX_HELD &&
        is_undecided (self, self->heard->pdata[i]))
      g_hash_table_add (self->held, g_strdup (self->heard->pdata[i]));
}

static gboolean
is_long_gone (gpointer path, gpointer died_us, gpointer now_us)
{
  return *(gint64 *) now_us - *(gint64 *) died_us >= KNOWN_GONE_US;
}

/* What died long ago is known until the news that waited meanwhile have been heard. */
static void
forget_heard (JmCgroupTree *self)
{
  hold_undecided (self);
  g_hash_table_remove_all (self->is_heard);
  g_ptr_array_set_size (self->heard, 0);
  g_hash_table_foreach_remove (self->gone, is_long_gone, &self->now_us);
  self->is_lost = FALSE;
}

/* Where some may have been missed, the others are to be heard of all the same. */
static char **
take_changes (JmCgroupTree *self)
{
  char **changes = jm_cgroup_reader_take_changes (self->reader);

  if (changes != NULL)
    return changes;

  self->is_lost = TRUE;

  return jm_cgroup_reader_take_changes (self->reader);
}

void
jm_cgroup_tree_hear (JmCgroupTree *self)
{
  g_auto (GStrv) changes = take_changes (self);

  for (char **path = changes; path != NULL && *path != NULL; path++)
    {
      JmCgroupNode *node = g_hash_table_lookup (self->nodes, *path);

      hear (self, *path);
      if (node != NULL && self->events.changed != NULL)
        self->events.changed (node, self->user_data);
    }
}

gboolean
jm_cgroup_tree_is_behind (const JmCgroupTree *self)
{
  return self->is_lost || self->heard->len > 0;
}

void
jm_cgroup_tree_refresh (JmCgroupTree *self, gint64 now_us)
{
  self->now_us = now_us;
  jm_cgroup_tree_hear (self);

  self->round++;
  retry_failures (self);
  if (g_hash_table_size (self->nodes) == 0)
    list_node (self, add_node (self, NULL, g_strdup ("/"), FALSE), 0);
  else if (self->is_lost)
    relist_everything (self);
  relist_heard (self);
  forget_heard (self);
  tell_failures (self);
}

void
jm_cgroup_tree_forget (JmCgroupTree *self, const char *path)
{
  JmCgroupNode *node = g_hash_table_lookup (self->nodes, path);

  if (node == NULL || node->parent == NULL)
    return;

  hear (self, node->parent->path);
  remove_subtree (self, node);
}
