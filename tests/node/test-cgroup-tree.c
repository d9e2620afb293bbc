/* test-cgroup-tree.c: the cgroups of a node, and their births and deaths
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jm-cgroup-tree-private.h"

#include <glib/gstdio.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include "../sources/jobs/tree.h"
#include "base/jm-error.h"
#include "sources/cgroup/jm-cgroup-types-private.h"

#define CROWD "/a.slice/crowd"
#define OWNER 1000

/* A reader of `/a.slice/crowd`, which is a user's, with any number of cgroups below it,
 * and of `/b.slice/job_1`. */
typedef struct
{
  JmSource parent_instance;
  guint n_crowd;
  gboolean is_denied; /* the crowd may not be listed */
  gboolean is_quiet;  /* nothing changed */
  guint n_lists;      /* how often something at or below /a.slice was listed */
} Reader;

typedef JmSourceClass ReaderClass;

static GType reader_get_type (void);
static void reader_iface_init (JmCgroupReaderInterface *iface);

G_DEFINE_TYPE_WITH_CODE (Reader,
                         reader,
                         JM_TYPE_SOURCE,
                         G_IMPLEMENT_INTERFACE (JM_TYPE_CGROUP_READER,
                                                reader_iface_init))

static char **
list_crowd (Reader *self, GError **error)
{
  char **names = g_new0 (char *, self->n_crowd + 1);

  if (self->is_denied)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_DENIED, CROWD ": Permission denied");
      g_free (names);
      return NULL;
    }

  for (guint i = 0; i < self->n_crowd; i++)
    names[i] = g_strdup_printf ("%u", i);

  return names;
}

static char **
reader_list_children (JmCgroupReader *reader, const char *path, GError **error)
{
  Reader *self = (Reader *) reader;

  self->n_lists += g_str_has_prefix (path, "/a.slice") ? 1 : 0;
  if (g_str_equal (path, "/"))
    return g_strsplit ("a.slice b.slice", " ", -1);
  if (g_str_equal (path, "/a.slice"))
    return g_strsplit ("crowd", " ", -1);
  if (g_str_equal (path, "/b.slice"))
    return g_strsplit ("job_1", " ", -1);
  if (g_str_equal (path, CROWD))
    return list_crowd (self, error);

  return g_new0 (char *, 1);
}

static char **
reader_take_changes (JmCgroupReader *reader)
{
  return ((Reader *) reader)->is_quiet ? g_new0 (char *, 1)
                                       : g_strsplit (CROWD, " ", -1);
}

static guint
reader_get_owner (JmCgroupReader *reader, const char *path)
{
  return g_str_equal (path, CROWD) ? OWNER : 0;
}

static void
reader_iface_init (JmCgroupReaderInterface *iface)
{
  iface->list_children = reader_list_children;
  iface->take_changes = reader_take_changes;
  iface->get_owner = reader_get_owner;
}

static void
reader_class_init (ReaderClass *klass)
{
}

static void
reader_init (Reader *self)
{
}

/* Who follows the tree. */
typedef struct
{
  Reader *reader;
  JmCgroupTree *tree;
  GHashTable *paths; /* set of those that live */
  char *failure;     /* the last refresh reported it; NULL for none */
} Fixture;

static void
on_born (JmCgroupNode *node, gpointer user_data)
{
  g_hash_table_add (((Fixture *) user_data)->paths, g_strdup (node->path));
}

static gboolean
is_wanted (JmCgroupNode *node, gpointer user_data)
{
  return !g_str_equal (node->path, "/a.slice");
}

static void
on_changed (JmCgroupNode *node, gpointer user_data)
{
}

static void
on_died (JmCgroupNode *node, gpointer user_data)
{
  g_hash_table_remove (((Fixture *) user_data)->paths, node->path);
}

static void
on_failed (JmCgroupNode *node, const GError *error, gpointer user_data)
{
  Fixture *self = user_data;

  g_assert_null (self->failure);
  self->failure = g_strdup (error->message);
}

static void
fixture_open (Fixture *self, JmCgroupTreeEvents events)
{
  g_autoptr (JmHost) host = jm_host_new ("/nonexistent");

  self->reader = g_initable_new (reader_get_type (), NULL, NULL, "host", host, NULL);
  self->paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->tree = jm_cgroup_tree_new (JM_CGROUP_READER (self->reader), &events, self);
}

static void
set_up (Fixture *self, gconstpointer data)
{
  fixture_open (self, (JmCgroupTreeEvents){ .born = on_born,
                                            .changed = on_changed,
                                            .died = on_died,
                                            .failed = on_failed });
}

static void
set_up_without_a (Fixture *self, gconstpointer data)
{
  fixture_open (self, (JmCgroupTreeEvents){ .born = on_born,
                                            .is_wanted = is_wanted,
                                            .changed = on_changed,
                                            .died = on_died,
                                            .failed = on_failed });
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  jm_cgroup_tree_free (self->tree);
  g_assert_cmpuint (g_hash_table_size (self->paths), ==, 0);
  g_hash_table_unref (self->paths);
  g_assert_finalize_object (self->reader);
  g_free (self->failure);
}

static void
refresh (Fixture *self)
{
  g_clear_pointer (&self->failure, g_free);
  jm_cgroup_tree_refresh (self->tree, g_get_monotonic_time ());
}

static void
test_a_user_who_makes_many_hides_no_one_elses (Fixture *self, gconstpointer data)
{
  self->reader->n_crowd = JM_CGROUP_TREE_MAX_OF_USER + 1;
  refresh (self);

  g_assert_true (g_hash_table_contains (self->paths, "/b.slice/job_1"));
  g_assert_cmpstr (self->failure, ==,
                   CROWD ": user 1000 has more than 8192 cgroups: the rest is not "
                         "looked at");
}

static void
test_what_is_left_out_is_said_until_there_is_room (Fixture *self, gconstpointer data)
{
  self->reader->n_crowd = JM_CGROUP_TREE_MAX_OF_USER + 1;
  refresh (self);
  self->reader->is_quiet = TRUE;
  refresh (self);
  g_assert_nonnull (self->failure);

  self->reader->n_crowd = JM_CGROUP_TREE_MAX_OF_USER - 1;
  self->reader->is_quiet = FALSE;
  refresh (self); /* the room is made once all are listed */
  self->reader->is_quiet = TRUE;
  refresh (self);
  g_assert_null (self->failure);
  g_assert_true (g_hash_table_contains (self->paths, CROWD "/999"));
}

static void
test_nobody_looks_below_what_is_not_wanted (Fixture *self, gconstpointer data)
{
  self->reader->n_crowd = 10;
  refresh (self);
  refresh (self);

  g_assert_true (g_hash_table_contains (self->paths, "/a.slice"));
  g_assert_cmpuint (self->reader->n_lists, ==, 0);
}

static void
test_what_may_not_be_listed_is_said (Fixture *self, gconstpointer data)
{
  self->reader->n_crowd = 2;
  self->reader->is_denied = TRUE;
  self->reader->is_quiet = TRUE;
  refresh (self);
  g_assert_cmpstr (self->failure, ==, CROWD ": Permission denied");
  refresh (self);
  g_assert_cmpstr (self->failure, ==, CROWD ": Permission denied");

  self->reader->is_denied = FALSE;
  refresh (self);
  g_assert_null (self->failure);
  g_assert_true (g_hash_table_contains (self->paths, CROWD "/1"));
}

static void
test_what_can_be_listed_no_more_lives_on (Fixture *self, gconstpointer data)
{
  self->reader->n_crowd = 2;
  refresh (self);
  self->reader->is_denied = TRUE;
  refresh (self);

  g_assert_nonnull (self->failure);
  g_assert_true (g_hash_table_contains (self->paths, CROWD "/1"));
}

/* --- when --- */

#define MANY_US (30 * G_USEC_PER_SEC)
#define PATIENCE_US (20 * G_USEC_PER_SEC)
#define MAX_TRIES 20

int __real_statfs64 (const char *path, struct statfs *status);
int __wrap_statfs64 (const char *path, struct statfs *status);

/* Directories of a test are watched as the kernel's are. */
int
__wrap_statfs64 (const char *path, struct statfs *status)
{
  int result = __real_statfs64 (path, status);

  status->f_type = CGROUP2_SUPER_MAGIC;

  return result;
}

typedef struct
{
  gint64 born_us, died_us;
  gint64 took_us; /* at most, from what happened to the round that heard of it */
} Life;

static void
on_life_begun (JmCgroupNode *node, gpointer user_data)
{
  if (g_str_equal (node->path, "/job_1"))
    ((Life *) user_data)->born_us = node->born_us;
}

static void
on_life_ended (JmCgroupNode *node, gpointer user_data)
{
  if (g_str_equal (node->path, "/job_1"))
    ((Life *) user_data)->died_us = node->died_us;
}

static void
await (JmCgroupTree *cgroups, gint64 ago_us, const gint64 *happened_us)
{
  const gint64 end_us = g_get_monotonic_time () + PATIENCE_US;

  while (*happened_us == -1)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      jm_cgroup_tree_refresh (cgroups, g_get_real_time () - ago_us);
    }
}

/* Of a round that began @ago_us before, and hung, or whose news waited for so long. */
static Life
live (gint64 ago_us)
{
  static const JmCgroupTreeEvents events = { .born = on_life_begun,
                                             .died = on_life_ended };
  Tree *tree = tree_new ();
  g_autofree char *path = g_build_filename (tree->root, "sys/fs/cgroup/job_1", NULL);
  g_autoptr (JmCgroupReader) reader = NULL;
  Life life = { -1, -1, 0 };
  JmCgroupTree *cgroups;
  gint64 began_us;

  tree_put (tree, "sys/fs/cgroup/cgroup.controllers", "cpu\n");
  reader =
    g_initable_new (JM_TYPE_CGROUP_V2_READER, NULL, NULL, "host", tree->host, NULL);
  cgroups = jm_cgroup_tree_new (reader, &events, &life);
  jm_cgroup_tree_refresh (cgroups, g_get_real_time ());

  began_us = g_get_monotonic_time ();
  g_assert_cmpint (g_mkdir (path, 0755), ==, 0);
  await (cgroups, ago_us, &life.born_us);
  g_assert_cmpint (g_rmdir (path), ==, 0);
  await (cgroups, ago_us, &life.died_us);
  life.took_us = g_get_monotonic_time () - began_us;

  jm_cgroup_tree_free (cgroups);
  g_clear_object (&reader);
  tree_free (tree);

  return life;
}

static void
test_what_happens_while_a_round_hangs_has_its_time (void)
{
  for (int sign = -1; sign <= 1; sign += 2)
    {
      gint64 before_us = g_get_real_time ();
      Life life = live (sign * MANY_US);

      g_assert_cmpint (life.born_us, >=, before_us);
      g_assert_cmpint (life.born_us, <=, life.died_us);
      g_assert_cmpint (life.died_us, <=, g_get_real_time ());
    }
}

static void
test_what_happens_as_a_round_begins_has_the_rounds_time (void)
{
  Life life = live (0);

  /* a busy machine may have stopped in between */
  for (guint i = 0; i < MAX_TRIES && life.took_us >= G_TIME_SPAN_SECOND; i++)
    life = live (0);

  g_assert_cmpint (life.took_us, <, G_TIME_SPAN_SECOND);
  g_assert_cmpint (life.born_us, ==, 0);
  g_assert_cmpint (life.died_us, ==, 0);
}

#define ADD(path, set_up, function)                                                    \
 g_test_add ("/cgroup-tree/" path, Fixture, NULL, set_up, test_##function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("crowd", set_up, a_user_who_makes_many_hides_no_one_elses);
  ADD ("room", set_up, what_is_left_out_is_said_until_there_is_room);
  ADD ("wanted", set_up_without_a, nobody_looks_below_what_is_not_wanted);
  ADD ("denied", set_up, what_may_not_be_listed_is_said);
  ADD ("denied-later", set_up, what_can_be_listed_no_more_lives_on);
  g_test_add_func ("/cgroup-tree/another-time",
                   test_what_happens_while_a_round_hangs_has_its_time);
  g_test_add_func ("/cgroup-tree/its-time",
                   test_what_happens_as_a_round_begins_has_the_rounds_time);

  return g_test_run ();
}
