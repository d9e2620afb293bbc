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
/* How long a user who has no thread waits for one before another's work is stopped. */
#define PATIENCE_US (50 * 1000)
/* A reply in parts may take this many times as long as any other. */
#define PARTS_BUDGETS 10
/* How long the only work of a user is left alone. */
#define GRACE_US G_USEC_PER_SEC

struct _JmeWorkers
{
  GThreadPool *pool; /* of our own: GIO shakes hands in its */
  JmeWorkersPlan plan;
  GMutex lock;       /* of all below */
  guint n_all;       /* works that wait or go on */
  guint n_running;   /* those that go on */
  GHashTable *users; /* of User by name: who has work that waits or goes on */
  GQueue turns;      /* of User, each of them once: whose turn is next */
};

typedef struct
{
  char *name;
  GQueue running; /* of Work, the longest first */
  GQueue waiting; /* of Work */
} User;

typedef struct
{
  JmeWorkers *workers;
  User *user;
  const JmeDestination *destination;
  JmeRequest *request;
  GMainContext *context;
  GSource *watch;  /* looks after it in the server's thread */
  gint64 since_us; /* 0 while it waits */
  gboolean is_stopped;
  gboolean is_over; /* its handler has returned */
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
  g_source_destroy (work->watch);
  g_source_unref (work->watch);
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

/* Whoever has the fewest threads comes first, and of those whose turn it is. */
static User *
find_next (JmeWorkers *self)
{
  User *next = NULL;

  for (GList *l = self->turns.head; l != NULL; l = l->next)
    {
      User *user = l->data;

      if (!g_queue_is_empty (&user->waiting) &&
          user->running.length < self->plan.max_of_user &&
          (next == NULL || user->running.length < next->running.length))
        next = user;
    }

  return next;
}

/* NULL where nothing waits, or only of users who have as many threads as they may. */
static Work *
take (JmeWorkers *self)
{
  Work *work = NULL;
  User *user;

  g_mutex_lock (&self->lock);
  user = find_next (self);
  if (user != NULL)
    {
      g_queue_remove (&self->turns, user);
      g_queue_push_tail (&self->turns, user);
      work = g_queue_pop_head (&user->waiting);
      work->since_us = g_get_monotonic_time ();
      g_queue_push_tail (&user->running, work);
      self->n_running++;
    }
  g_mutex_unlock (&self->lock);

  return work;
}

static guint
count (const User *user)
{
  return user->running.length + user->waiting.length;
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
give_back (JmeWorkers *self, Work *work)
{
  g_mutex_lock (&self->lock);
  work->is_over = TRUE;
  g_queue_remove (&work->user->running, work);
  self->n_running--;
  self->n_all--;
  forget_idle (self, work->user);
  g_mutex_unlock (&self->lock);
  /* the end of the workers may come before that of the request */
  g_source_destroy (work->watch);
}

static void
do_work (JmeWorkers *self, Work *work)
{
  const JmeDestination *destination = work->destination;
  g_autoptr (GSource) source = g_idle_source_new ();

  destination->route->handler (work->request, destination->user_data);
  give_back (self, work);

  /* A request belongs to the thread of its context, its last reference too. */
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, on_done, work, NULL);
  g_source_attach (source, work->context);
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
  self->plan = *plan;
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
  g_queue_clear (&self->turns);
  g_hash_table_unref (self->users);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* A client that no believed proxy names goes by its address, whatever name the request
 * gives: else one could be many. */
static char *
name_user (const JmeWorkers *self, JmeRequest *request)
{
  g_autofree char *user = NULL;
  g_autofree char *from = NULL;
  guint status, uid;

  if (jme_request_get_peer (request, &uid, NULL))
    return g_strdup_printf ("uid %u", uid);
  if (self->plan.identity != NULL)
    user = jme_identity_find (self->plan.identity, request, &status, NULL);
  else
    user = g_strdup (jme_request_get_login_name (request));
  if (user != NULL)
    return g_strdup_printf ("user %s", user);
  from = jme_request_describe_peer (request);

  return g_strdup_printf ("from %s", from);
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
  g_queue_init (&user->running);
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

/* --- in the server's thread, while a work waits or goes on --- */

static Work *
find_longest (User *user)
{
  GList *l = user->running.head;

  while (l != NULL && ((Work *) l->data)->is_stopped)
    l = l->next;

  return l != NULL ? l->data : NULL;
}

/* The longest work of whoever has the most threads. */
static Work *
find_victim (JmeWorkers *self, gint64 now_us)
{
  Work *victim = NULL;

  for (GList *l = self->turns.head; l != NULL; l = l->next)
    {
      User *user = l->data;
      Work *longest = find_longest (user);

      if (longest != NULL &&
          (user->running.length > 1 || now_us - longest->since_us > GRACE_US) &&
          (victim == NULL || user->running.length > victim->user->running.length))
        victim = longest;
    }

  return victim;
}

static gint64
get_budget_us (const JmeWorkers *self, const Work *work)
{
  return self->plan.budget_ms * G_GINT64_CONSTANT (1000) *
         (jme_request_has_parts (work->request) ? PARTS_BUDGETS : 1);
}

/* Whose work ends early for @work: its own once it had its time, or another's where all
 * threads are taken and none is its user's. */
static Work *
choose_stopped (JmeWorkers *self, Work *work, gint64 now_us)
{
  if (work->since_us > 0)
    return now_us - work->since_us >= get_budget_us (self, work) ? work : NULL;

  return g_queue_is_empty (&work->user->running) &&
             self->n_running >= self->plan.max_threads
           ? find_victim (self, now_us)
           : NULL;
}

/* Nobody begins it any more. */
static gboolean
withdraw (JmeWorkers *self, Work *work)
{
  if (work->since_us > 0 || !g_queue_remove (&work->user->waiting, work))
    return FALSE;
  self->n_all--;
  forget_idle (self, work->user);

  return TRUE;
}

/* The request of the work that ends early, if any does. */
static JmeRequest *
look_after (JmeWorkers *self, Work *work, gint64 now_us)
{
  Work *stopped = choose_stopped (self, work, now_us);

  if (work->since_us == 0)
    g_source_set_ready_time (work->watch, now_us + PATIENCE_US);
  else if (stopped == NULL)
    g_source_set_ready_time (work->watch, work->since_us + get_budget_us (self, work));
  if (stopped == NULL)
    return NULL;
  stopped->is_stopped = TRUE;

  return g_object_ref (stopped->request);
}

static gboolean
on_watch (gpointer user_data)
{
  Work *work = user_data;
  JmeWorkers *self = work->workers;
  GCancellable *stop = jme_request_get_cancellable (work->request);
  g_autoptr (JmeRequest) stopped = NULL;
  gboolean has_gone;

  g_source_set_ready_time (work->watch, -1);
  g_mutex_lock (&self->lock);
  has_gone = g_cancellable_is_cancelled (stop) && withdraw (self, work);
  if (!has_gone && !work->is_over)
    stopped = look_after (self, work, g_get_monotonic_time ());
  g_mutex_unlock (&self->lock);

  if (stopped != NULL)
    jme_request_stop_work (stopped);
  if (has_gone)
    on_done (work);

  return has_gone ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

static gboolean
dispatch_watch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  return callback (user_data);
}

static GSource *
watch (Work *work)
{
  static GSourceFuncs functions = { .dispatch = dispatch_watch };
  GSource *source = g_source_new (&functions, sizeof (GSource));

  g_source_set_ready_time (source, g_get_monotonic_time () + PATIENCE_US);
  g_source_set_callback (source, on_watch, work, NULL);
  g_source_attach (source, work->context);

  return source;
}

static void
add_work (JmeWorkers *self,
          User *user,
          const JmeDestination *destination,
          JmeRequest *request)
{
  Work *work = g_new0 (Work, 1);

  work->workers = self;
  work->user = user;
  work->destination = destination;
  work->request = g_object_ref (request);
  work->context = g_main_context_ref_thread_default ();
  work->watch = watch (work);
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
  self->plan.refuse (work->request);
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
    self->plan.refuse (request);
  if (displaced != NULL)
    refuse_work (self, displaced);
}
