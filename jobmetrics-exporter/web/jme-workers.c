/* jme-workers.c: threads for handlers that take their time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-workers.h"

#include "web/jme-request-private.h"

/* What one user may have asked for at once, waiting or in work: all panels of a large
 * dashboard, and still no more than the server leaves room for others beside. */
#define MAX_OF_USER 24
/* Of all users: the server has room for more requests, so that others are answered. */
#define MAX_OF_ALL 32

struct _JmeWorkers
{
  GThreadPool *pool; /* of our own: GIO shakes hands in its */
  char *user_header;
  guint max_of_user; /* threads */
  void (*refuse) (JmeRequest *request);
  GMutex lock;       /* of all below */
  guint n_all;       /* works that wait or go on */
  GHashTable *users; /* of User by name: who has work that waits or goes on */
  GQueue turns;      /* of User, each of them once: whose turn is next */
};

typedef struct
{
  char *name;
  guint n_running;
  GQueue waiting; /* of Work */
} User;

typedef struct
{
  User *user;
  const JmeDestination *destination;
  JmeRequest *request;
  GMainContext *context;
} Work;

static void
user_free (gpointer data)
{
  User *user = data;

  g_free (user->name);
  g_free (user);
}

static void
work_free (Work *work)
{
  g_object_unref (work->request);
  g_main_context_unref (work->context);
  g_free (work);
}

static gboolean
on_done (gpointer user_data)
{
  Work *work = user_data;

  jme_request_end_work (work->request);
  work_free (work);

  return G_SOURCE_REMOVE;
}

/* NULL where nothing waits, or only of users who have as many threads as they may. */
static Work *
take (JmeWorkers *self)
{
  Work *work = NULL;

  g_mutex_lock (&self->lock);
  for (guint i = g_queue_get_length (&self->turns); i > 0 && work == NULL; i--)
    {
      User *user = g_queue_pop_head (&self->turns);

      g_queue_push_tail (&self->turns, user);
      if (user->n_running < self->max_of_user)
        work = g_queue_pop_head (&user->waiting);
    }
  if (work != NULL)
    work->user->n_running++;
  g_mutex_unlock (&self->lock);

  return work;
}

static guint
count (const User *user)
{
  return user->n_running + g_queue_get_length ((GQueue *) &user->waiting);
}

static void
forget_idle (JmeWorkers *self, User *user)
{
  if (count (user) > 0)
    return;
  g_queue_remove (&self->turns, user);
  g_hash_table_remove (self->users, user->name);
}

static void
give_back (JmeWorkers *self, User *user)
{
  g_mutex_lock (&self->lock);
  user->n_running--;
  self->n_all--;
  forget_idle (self, user);
  g_mutex_unlock (&self->lock);
}

static void
do_work (JmeWorkers *self, Work *work)
{
  const JmeDestination *destination = work->destination;
  User *user = work->user;
  g_autoptr (GSource) source = g_idle_source_new ();

  destination->route->handler (work->request, destination->user_data);

  /* A request belongs to the thread of its context, its last reference too. */
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, on_done, work, NULL);
  g_source_attach (source, work->context);
  give_back (self, user);
}

/* What it may not do yet is done by a thread that works for the same user. */
static void
run (gpointer data, gpointer user_data)
{
  JmeWorkers *self = user_data;
  Work *work;

  while ((work = take (self)) != NULL)
    do_work (self, work);
}

JmeWorkers *
jme_workers_new (const JmeWorkersPlan *plan)
{
  JmeWorkers *self = g_new0 (JmeWorkers, 1);

  self->pool = g_thread_pool_new (run, self, (int) plan->max_threads, FALSE, NULL);
  self->user_header = g_strdup (plan->user_header);
  self->max_of_user = plan->max_of_user;
  self->refuse = plan->refuse;
  g_mutex_init (&self->lock);
  self->users = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, user_free);
  g_queue_init (&self->turns);

  return self;
}

static void
drop_waiting (JmeWorkers *self)
{
  g_mutex_lock (&self->lock);
  for (GList *l = self->turns.head; l != NULL; l = l->next)
    {
      Work *work;

      while ((work = g_queue_pop_head (&((User *) l->data)->waiting)) != NULL)
        {
          jme_request_end_work (work->request);
          work_free (work);
        }
    }
  g_mutex_unlock (&self->lock);
}

void
jme_workers_free (JmeWorkers *self)
{
  drop_waiting (self);
  g_thread_pool_free (self->pool, FALSE, TRUE);
  g_free (self->user_header);
  g_queue_clear (&self->turns);
  g_hash_table_unref (self->users);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* As far as is known without asking anybody, and without a proof: it decides about
 * turns alone. */
static char *
name_user (const JmeWorkers *self, JmeRequest *request)
{
  const char *login = jme_request_get_login_name (request);
  const char *proxied = self->user_header != NULL
                          ? jme_request_get_header (request, self->user_header)
                          : NULL;
  g_autoptr (GInetAddress) address = jme_request_get_remote_address (request);
  g_autofree char *from =
    address != NULL ? g_inet_address_to_string (address) : g_strdup ("");
  guint uid;

  if (jme_request_get_peer (request, &uid, NULL))
    return g_strdup_printf ("uid %u", uid);

  return g_strdup_printf ("%s %s %s", from, login != NULL ? login : "",
                          proxied != NULL ? proxied : "");
}

static User *
find_user (JmeWorkers *self, JmeRequest *request)
{
  g_autofree char *name = name_user (self, request);
  User *user = g_hash_table_lookup (self->users, name);

  if (user != NULL)
    return user;
  user = g_new0 (User, 1);
  user->name = g_steal_pointer (&name);
  g_queue_init (&user->waiting);
  g_hash_table_insert (self->users, user->name, user);
  g_queue_push_tail (&self->turns, user);

  return user;
}

/* The last request of whoever has most, where that is more than @user would have. */
static Work *
displace (JmeWorkers *self, const User *user)
{
  User *heaviest = NULL;

  for (GList *l = self->turns.head; l != NULL; l = l->next)
    {
      User *other = l->data;

      if (count (other) > count (user) + 1 && !g_queue_is_empty (&other->waiting) &&
          (heaviest == NULL || count (other) > count (heaviest)))
        heaviest = other;
    }
  if (heaviest != NULL)
    self->n_all--;

  return heaviest != NULL ? g_queue_pop_tail (&heaviest->waiting) : NULL;
}

static void
add_work (JmeWorkers *self,
          User *user,
          const JmeDestination *destination,
          JmeRequest *request)
{
  Work *work = g_new (Work, 1);

  work->user = user;
  work->destination = destination;
  work->request = g_object_ref (request);
  work->context = g_main_context_ref_thread_default ();
  jme_request_begin_work (request);
  g_queue_push_tail (&user->waiting, work);
  self->n_all++;
}

/* FALSE where there is too much already; @displaced has gone for it. */
static gboolean
enqueue (JmeWorkers *self,
         const JmeDestination *destination,
         JmeRequest *request,
         Work **displaced)
{
  gboolean has_room;
  User *user;

  *displaced = NULL;
  g_mutex_lock (&self->lock);
  user = find_user (self, request);
  has_room = count (user) < MAX_OF_USER;
  if (has_room && self->n_all >= MAX_OF_ALL)
    {
      *displaced = displace (self, user);
      has_room = *displaced != NULL;
    }
  if (has_room)
    add_work (self, user, destination, request);
  else
    forget_idle (self, user);
  g_mutex_unlock (&self->lock);

  return has_room;
}

static void
refuse_work (JmeWorkers *self, Work *work)
{
  jme_request_end_work (work->request);
  self->refuse (work->request);
  work_free (work);
}

void
jme_workers_push (JmeWorkers *self,
                  const JmeDestination *destination,
                  JmeRequest *request)
{
  Work *displaced;

  if (enqueue (self, destination, request, &displaced))
    g_thread_pool_push (self->pool, self, NULL);
  else
    self->refuse (request);
  if (displaced != NULL)
    refuse_work (self, displaced);
}
