/* jm-cgroup-balance.c: CPU time of cgroups that were removed unread
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-balance-private.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/jm-parse-private.h"
#include "host/jm-file-private.h"
#include "host/jm-watcher-private.h"
#include "sources/cgroup/jm-cgroup-mounts-private.h"

#define NS_PER_US 1000
/* Each attempt reads every child twice. Between many that work, more attempts find no
 * narrower bounds. */
#define MAX_CHILDREN 512
#define MANY_CHILDREN 64
#define ATTEMPTS 4
#define NARROW_NS (1000 * 1000)
/* One part of so many may be missing of all. */
#define ACCURACY 50

/* Between which bounds a number is. */
typedef struct
{
  guint64 least;
  guint64 most;
} Span;

/* A cgroup that has others in it. */
typedef struct
{
  JmCgroupBalances *all;
  char *path;
  JmDir dir;
  JmFile total;
  int watch;            /* of births and deaths in it */
  GHashTable *children; /* of JmCgroupChild, by name: those that are there */
  GHashTable *heard;  /* set of names of cgroups that came and are none of these yet */
  GHashTable *ended;  /* set of names of cgroups that went since it was looked at */
  GPtrArray *removed; /* of JmCgroupChild, since gone was known */
  guint n_unseen;     /* removed since then, of which nothing more is known */
  guint n_held;       /* children that somebody else holds too */
  guint look;         /* of listing */
  gboolean is_known;  /* what gone is */
  Span gone;          /* CPU time of those that were removed, nanoseconds */
  JmCgroupChild *own; /* itself, in the one above; NULL for not followed */
} Balance;

struct _JmCgroupChild
{
  Balance *balance;
  guint n_refs;
  gboolean is_held;
  char *name;
  char *file_name; /* with its folder, as @used has it */
  JmFile used;
  guint64 inode;
  guint look; /* that found it last */
  gboolean is_removed;
  gboolean is_settled; /* what it used in all is known */
  Span all_ns;
  guint64 seen_ns; /* when it was added up last */
  guint64 read_ns; /* by whoever holds it */
};

struct _JmCgroupBalances
{
  JmHost *host;
  char *mount;
  char *name;
  GMutex lock; /* of all that follows, and of what it leads to */
  JmWatcher *watcher;
  GThread *thread;      /* hears of each removal before there is another one */
  int end_fd;           /* readable once the thread is to end */
  GHashTable *by_path;  /* of Balance: those whose cgroup is there */
  GHashTable *by_watch; /* of the same, by the watcher's id */
};

static JmCgroupChild *
add (JmCgroupBalances *self, const char *path, gboolean is_followed);
static void let_go (JmCgroupChild *child);

/* --- one cgroup --- */

static void
child_unref (gpointer data)
{
  JmCgroupChild *self = data;

  if (--self->n_refs > 0)
    return;

  jm_file_close (&self->used);
  g_free (self->file_name);
  g_free (self->name);
  g_free (self);
}

static gboolean
read_used (JmFile *file, guint64 *used_ns)
{
  static const JmFlatKey keys[] = { JM_FLAT_KEY ("usage_usec") };
  char text[1024];
  gssize length = jm_file_read (file, text, sizeof text);
  guint64 found = 0;

  if (length < 0)
    return FALSE;
  if (jm_parse_uint64 (text, (gsize) length, used_ns))
    return TRUE;
  if (!jm_parse_flat_keyed (text, (gsize) length, keys, G_N_ELEMENTS (keys), used_ns,
                            &found) ||
      found == 0)
    return FALSE;

  *used_ns *= NS_PER_US;
  return TRUE;
}

/* NULL where it has gone. */
static JmCgroupChild *
child_new (Balance *balance, const char *name, guint64 inode)
{
  JmCgroupChild *self = g_new0 (JmCgroupChild, 1);

  self->balance = balance;
  self->n_refs = 1;
  self->name = g_strdup (name);
  self->file_name = g_strconcat (name, "/", balance->all->name, NULL);
  self->inode = inode;
  self->look = balance->look;
  if (jm_file_open_at (&self->used, &balance->dir, self->file_name, JM_FILE_SELDOM) < 0)
    {
      child_unref (self);
      return NULL;
    }

  return self;
}

/* --- those in a directory --- */

static JmCgroupChild *
add_child (Balance *self, const char *name, guint64 inode)
{
  JmCgroupChild *child = child_new (self, name, inode);

  if (child != NULL)
    g_hash_table_insert (self->children, child->name, child);
  else
    self->n_unseen++;

  return child;
}

static void
note_removed (Balance *self, JmCgroupChild *child)
{
  child->is_removed = TRUE;
  child->n_refs++;
  g_ptr_array_add (self->removed, child);
}

static void
on_entry (const char *name, guint8 type, guint64 inode, gpointer user_data)
{
  Balance *self = user_data;
  JmCgroupChild *child;

  if (type != DT_DIR)
    return;

  child = g_hash_table_lookup (self->children, name);
  if (child != NULL && child->inode == inode)
    {
      child->look = self->look;
      return;
    }
  if (child != NULL)
    {
      note_removed (self, child);
      g_hash_table_remove (self->children, name);
    }
  add_child (self, name, inode);
}

static gboolean
take_unlisted (gpointer name, gpointer data, gpointer user_data)
{
  JmCgroupChild *child = data;
  Balance *self = user_data;

  if (child->look == self->look)
    return FALSE;

  note_removed (self, child);
  return TRUE;
}

static guint
count_changes (const Balance *self)
{
  return self->removed->len + self->n_unseen;
}

/* Whether cgroups came or went since it was listed last. */
static gboolean
list (Balance *self)
{
  guint n_changes = count_changes (self);
  guint n_children = g_hash_table_size (self->children);

  self->look++;
  if (jm_dir_foreach (&self->dir, on_entry, self) < 0)
    self->look = 0; /* it has gone, and all that was in it */
  g_hash_table_foreach_remove (self->children, take_unlisted, self);

  return count_changes (self) != n_changes ||
         g_hash_table_size (self->children) != n_children;
}

static gboolean
is_occupied (Balance *self)
{
  JmFile file = JM_FILE_INIT;
  char text[16];
  gssize length = 0;

  if (jm_file_open_at (&file, &self->dir, "cgroup.procs", JM_FILE_REOPEN) == 0)
    length = jm_file_read (&file, text, sizeof text);
  jm_file_close (&file);

  /* -EMSGSIZE: there are many */
  return length > 0 || length == -EMSGSIZE;
}

/* FALSE where one of them went meanwhile. */
static gboolean
add_up (Balance *self, guint64 *sum_ns)
{
  GHashTableIter iter;
  gpointer value;

  *sum_ns = 0;
  g_hash_table_iter_init (&iter, self->children);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      JmCgroupChild *child = value;
      guint64 used_ns;

      if (!read_used (&child->used, &used_ns))
        return FALSE;
      child->seen_ns = used_ns;
      *sum_ns += used_ns;
    }

  return TRUE;
}

/* --- the balance --- */

static void
narrow (Span *span, guint64 least, guint64 most)
{
  *span = (Span){ MAX (span->least, least), MIN (span->most, most) };
}

/* The counters of those that go on grow while they are read one after the other. What
 * is left of the total lies between what it is with those read before and those read
 * behind it. FALSE where one went meanwhile. */
static gboolean
weigh_once (Balance *self, Span *gone)
{
  guint64 before_ns, total_ns, after_ns;

  if (!add_up (self, &before_ns) || !read_used (&self->total, &total_ns) ||
      !add_up (self, &after_ns))
    return FALSE;

  narrow (gone, total_ns - MIN (after_ns, total_ns),
          total_ns - MIN (before_ns, total_ns));

  return TRUE;
}

static gboolean
is_good (const Balance *self, const Span *gone)
{
  return gone->most - gone->least <= NARROW_NS ||
         g_hash_table_size (self->children) > MANY_CHILDREN;
}

/* One that came and was not added up yet would count as gone. */
static gboolean
weigh (Balance *self, Span *gone)
{
  gboolean is_found = FALSE;

  *gone = (Span){ 0, G_MAXUINT64 };
  for (guint i = 0; i < ATTEMPTS && !(is_found && is_good (self, gone)); i++)
    {
      gboolean is_read = weigh_once (self, gone);

      if (list (self) || !is_read)
        {
          *gone = (Span){ 0, G_MAXUINT64 };
          is_found = FALSE;
        }
      else
        is_found = TRUE;
    }

  return is_found && gone->least <= gone->most;
}

static gboolean look_at (Balance *self);

/* Slurm removes a user's cgroup of version 1 with the last job in it: then all that was
 * in it is gone, and the one above knows how much that was. */
static gboolean
weigh_from_above (Balance *self, Span *gone)
{
  if (self->own == NULL)
    return FALSE;

  if (!self->own->is_settled)
    look_at (self->own->balance);
  *gone = self->own->all_ns;

  return self->own->is_settled;
}

/* Of several that went at once nobody knows which used how much. */
static void
settle (Balance *self, const Span *gone)
{
  JmCgroupChild *child = self->removed->len == 1 ? self->removed->pdata[0] : NULL;

  if (child != NULL && self->n_unseen == 0 && self->is_known)
    {
      child->all_ns =
        (Span){ gone->least > self->gone.most ? gone->least - self->gone.most : 0,
                gone->most > self->gone.least ? gone->most - self->gone.least : 0 };
      child->is_settled = TRUE;
    }
  g_ptr_array_set_size (self->removed, 0);
  self->n_unseen = 0;
  self->gone = *gone;
  self->is_known = TRUE;
}

static void
forget (Balance *self)
{
  g_ptr_array_set_size (self->removed, 0);
  g_hash_table_remove_all (self->heard);
  self->n_unseen = 0;
  self->is_known = FALSE;
}

static gboolean
is_gone (Balance *self)
{
  guint64 total_ns;

  return !read_used (&self->total, &total_ns);
}

static void
count_unseen (Balance *self)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, self->heard);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!g_hash_table_contains (self->children, name))
      self->n_unseen++;
  g_hash_table_remove_all (self->heard);
}

/* Finds what went since the last time, and what that had used. FALSE where the cgroup
 * itself has gone. */
static gboolean
look_at (Balance *self)
{
  gboolean is_there = !is_gone (self);
  Span gone;

  list (self);
  count_unseen (self);
  g_hash_table_remove_all (self->ended);
  if (self->is_known && count_changes (self) == 0)
    return is_there;

  if (g_hash_table_size (self->children) > MAX_CHILDREN ||
      (is_there && is_occupied (self)))
    forget (self);
  else if (is_there ? weigh (self, &gone) : weigh_from_above (self, &gone))
    settle (self, &gone);

  return is_there;
}

/* --- all of them --- */

/* Its cgroup has gone, or nobody asks for it any more. */
static void
unlist (Balance *self)
{
  JmCgroupBalances *all = self->all;

  if (g_hash_table_lookup (all->by_path, self->path) != self)
    return;

  g_hash_table_remove (all->by_path, self->path);
  g_hash_table_remove (all->by_watch, GINT_TO_POINTER (self->watch));
  jm_watcher_remove (all->watcher, self->watch);
}

static void
balance_free (Balance *self)
{
  if (self->own != NULL)
    let_go (self->own);
  g_hash_table_unref (self->children);
  g_hash_table_unref (self->heard);
  g_hash_table_unref (self->ended);
  g_ptr_array_unref (self->removed);
  jm_file_close (&self->total);
  jm_dir_close (&self->dir);
  g_free (self->path);
  g_free (self);
}

static void
drop_unheld (Balance *self)
{
  if (self->n_held > 0)
    return;

  unlist (self);
  balance_free (self);
}

static void
let_go (JmCgroupChild *child)
{
  Balance *balance = child->balance;

  child->is_held = FALSE;
  child_unref (child);
  balance->n_held--;
  drop_unheld (balance);
}

/* What comes after it is watched is heard of. */
static Balance *
balance_new (JmCgroupBalances *all, const char *path)
{
  Balance *self = g_new0 (Balance, 1);
  g_autofree char *dir = jm_cgroup_mounts_join (all->mount, path);

  jm_dir_init (&self->dir);
  jm_file_init (&self->total);
  self->all = all;
  self->path = g_strdup (path);
  self->children = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, child_unref);
  self->heard = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->ended = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->removed = g_ptr_array_new_with_free_func (child_unref);
  self->watch = jm_watcher_add_directory (all->watcher, dir, NULL);
  if (self->watch < 0 || jm_dir_open (&self->dir, all->host, dir) < 0 ||
      jm_file_open_at (&self->total, &self->dir, all->name, JM_FILE_KEEP) < 0)
    {
      jm_watcher_remove (all->watcher, self->watch);
      balance_free (self);
      return NULL;
    }

  return self;
}

static Balance *
get_balance (JmCgroupBalances *self, const char *path, gboolean is_followed)
{
  Balance *balance = g_hash_table_lookup (self->by_path, path);

  if (balance != NULL)
    return balance;

  balance = balance_new (self, path);
  if (balance == NULL)
    return NULL;

  g_hash_table_insert (self->by_path, balance->path, balance);
  g_hash_table_insert (self->by_watch, GINT_TO_POINTER (balance->watch), balance);
  if (is_followed)
    balance->own = add (self, path, FALSE);
  look_at (balance);

  return balance;
}

/* One that was not listed yet is listed now. */
static JmCgroupChild *
find_child (Balance *self, const char *name)
{
  if (!g_hash_table_contains (self->children, name))
    look_at (self);

  return g_hash_table_lookup (self->children, name);
}

static JmCgroupChild *
add (JmCgroupBalances *self, const char *path, gboolean is_followed)
{
  g_autofree char *above = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  Balance *balance =
    !g_str_equal (above, "/") ? get_balance (self, above, is_followed) : NULL;
  JmCgroupChild *child;

  if (balance == NULL)
    return NULL;

  child = find_child (balance, name);
  if (child == NULL || child->is_held)
    {
      drop_unheld (balance);
      return NULL;
    }

  child->is_held = TRUE;
  child->n_refs++;
  balance->n_held++;

  return child;
}

/* --- events --- */

static void
forget_all (JmCgroupBalances *self)
{
  GHashTableIter iter;
  gpointer balance;

  g_hash_table_iter_init (&iter, self->by_path);
  while (g_hash_table_iter_next (&iter, NULL, &balance))
    forget (balance);
}

/* What came again under the name of one that went is another one. */
static void
on_event (int id, JmWatchEvents events, const char *name, gpointer user_data)
{
  JmCgroupBalances *self = user_data;
  Balance *balance = g_hash_table_lookup (self->by_watch, GINT_TO_POINTER (id));

  if (events & JM_WATCH_OVERFLOW)
    forget_all (self);
  if (balance == NULL || name == NULL)
    return;

  if ((events & JM_WATCH_CREATED) &&
      (!g_hash_table_contains (balance->children, name) ||
       g_hash_table_contains (balance->ended, name)))
    g_hash_table_add (balance->heard, g_strdup (name));
  if (events & JM_WATCH_DELETED)
    g_hash_table_add (balance->ended, g_strdup (name));
}

/* The removals that are heard of at once are weighed together. */
static void
hear (JmCgroupBalances *self)
{
  g_autoptr (GPtrArray) over = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer balance;

  jm_watcher_take (self->watcher, on_event, self);
  g_hash_table_iter_init (&iter, self->by_path);
  while (g_hash_table_iter_next (&iter, NULL, &balance))
    if (g_hash_table_size (((Balance *) balance)->ended) > 0 && !look_at (balance))
      g_ptr_array_add (over, balance);
  for (guint i = 0; i < over->len; i++)
    unlist (over->pdata[i]);
}

static gpointer
run (gpointer data)
{
  JmCgroupBalances *self = data;
  struct pollfd fds[] = { { .fd = self->end_fd, .events = POLLIN },
                          { .fd = jm_watcher_get_fd (self->watcher),
                            .events = POLLIN } };

  while (poll (fds, G_N_ELEMENTS (fds), -1) >= 0 || errno == EINTR)
    {
      if (fds[0].revents != 0)
        break;
      g_mutex_lock (&self->lock);
      hear (self);
      g_mutex_unlock (&self->lock);
    }

  return NULL;
}

JmCgroupBalances *
jm_cgroup_balances_new (JmHost *host, const char *mount, const char *name)
{
  JmWatcher *watcher = jm_watcher_new (host, NULL);
  int end_fd = watcher != NULL ? eventfd (0, EFD_NONBLOCK | EFD_CLOEXEC) : -1;
  JmCgroupBalances *self;

  if (end_fd < 0)
    {
      g_clear_pointer (&watcher, jm_watcher_free);
      return NULL;
    }

  self = g_new0 (JmCgroupBalances, 1);
  self->host = g_object_ref (host);
  self->mount = g_strdup (mount);
  self->name = g_strdup (name);
  self->watcher = watcher;
  self->end_fd = end_fd;
  self->by_path = g_hash_table_new (g_str_hash, g_str_equal);
  self->by_watch = g_hash_table_new (NULL, NULL);
  g_mutex_init (&self->lock);
  self->thread = g_thread_new ("balances", run, self);

  return self;
}

void
jm_cgroup_balances_free (JmCgroupBalances *self)
{
  eventfd_write (self->end_fd, 1);
  g_thread_join (self->thread);
  close (self->end_fd);
  g_hash_table_unref (self->by_watch);
  g_hash_table_unref (self->by_path);
  jm_watcher_free (self->watcher);
  g_mutex_clear (&self->lock);
  g_free (self->name);
  g_free (self->mount);
  g_object_unref (self->host);
  g_free (self);
}

JmCgroupChild *
jm_cgroup_balances_add (JmCgroupBalances *self, const char *path)
{
  JmCgroupChild *child;

  g_mutex_lock (&self->lock);
  child = add (self, path, TRUE);
  g_mutex_unlock (&self->lock);

  return child;
}

void
jm_cgroup_balances_remove (JmCgroupBalances *self, JmCgroupChild *child)
{
  g_mutex_lock (&self->lock);
  let_go (child);
  g_mutex_unlock (&self->lock);
}

void
jm_cgroup_child_note (JmCgroupChild *child, guint64 used_ns)
{
  child->read_ns = MAX (child->read_ns, used_ns);
}

gboolean
jm_cgroup_balances_settle (JmCgroupBalances *self,
                           JmCgroupChild *child,
                           guint64 *used_ns,
                           guint64 *unread_ns,
                           gboolean *is_all)
{
  const Span *all = &child->all_ns;

  g_mutex_lock (&self->lock);
  hear (self);
  if (!child->is_settled && !look_at (child->balance))
    unlist (child->balance);
  *used_ns = MAX (MAX (all->least, child->seen_ns), child->read_ns);
  *is_all = child->is_settled && all->most - all->least <= all->most / ACCURACY;
  g_mutex_unlock (&self->lock);

  *unread_ns = *used_ns - child->read_ns;

  return child->is_removed;
}
