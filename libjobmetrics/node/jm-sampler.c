/* jm-sampler.c: a node that is sampled in the background
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-sampler.h"

#include <glib-unix.h>

#include "node/jm-node-private.h"
#include "node/jm-sampler-parts-private.h"

/* A disk that hangs does not keep those waiting who want to see figures. */
#define STORE_PATIENCE_MS 200

/**
 * JmSampler:
 *
 * Samples a node in a thread of its own at a steady interval, so that short jobs are
 * seen, and whenever somebody asks. All who ask at once share one sweep.
 *
 * Since: 0.1
 */
struct _JmSampler
{
  GObject parent_instance;

  JmNode *node; /* belongs to the thread from the start on */
  guint interval_ms;
  GThread *thread;
  GMainContext *context;
  GMainLoop *loop;
  JmSampleQueue *queue;
  JmAnnouncer *announcer;

  GMutex mutex;
  JmSnapshot *latest;   /* under the mutex, as the rest */
  JmSnapshot *previous; /* the one before */
  gint64 latest_us;     /* when it began, by the monotonic clock */
  gint64 busy_since_us; /* 0 while the thread waits */
  GCond changed;        /* of what follows */
  enum
  {
    RUNNING,
    ENDED,
    ABANDONED, /* it hangs: the thread owns the sampler then */
  } state;
};

G_DEFINE_FINAL_TYPE (JmSampler, jm_sampler, G_TYPE_OBJECT)

enum
{
  SIGNAL_SAMPLED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* --- in the thread --- */

static void
publish (JmSampler *self, JmSnapshot *snapshot, gint64 began_us)
{
  g_mutex_lock (&self->mutex);
  g_clear_pointer (&self->previous, jm_snapshot_unref);
  self->previous = self->latest;
  self->latest = jm_snapshot_ref (snapshot);
  self->latest_us = began_us;
  g_mutex_unlock (&self->mutex);
}

/* What follows reads files of the kernel's, and each of them may hang. */
static void
set_busy (JmSampler *self, gboolean is_busy)
{
  g_mutex_lock (&self->mutex);
  self->busy_since_us = is_busy ? g_get_monotonic_time () : 0;
  g_mutex_unlock (&self->mutex);
}

static void
sweep (JmSampler *self)
{
  gint64 began_us = g_get_monotonic_time ();
  g_autoptr (JmSnapshot) snapshot = NULL;
  GTask *task;

  set_busy (self, TRUE);
  snapshot = jm_node_sample_to_show (self->node, STORE_PATIENCE_MS);
  set_busy (self, FALSE);

  publish (self, snapshot, began_us);
  jm_announcer_add (self->announcer, snapshot);
  while ((task = jm_sample_queue_take_served (self->queue, began_us)) != NULL)
    {
      g_task_return_pointer (task, jm_snapshot_ref (snapshot),
                             (GDestroyNotify) jm_snapshot_unref);
      g_object_unref (task);
    }
}

static gboolean
on_interval (gpointer user_data)
{
  sweep (user_data);

  return G_SOURCE_CONTINUE;
}

static void
attend (JmSampler *self, GTask *task)
{
  gboolean is_there;

  set_busy (self, TRUE);
  is_there = jm_node_attend (self->node, jm_sample_queue_get_job (task));
  set_busy (self, FALSE);

  g_task_return_boolean (task, is_there);
}

static void
list_processes (JmSampler *self, GTask *task)
{
  GError *error = NULL;
  GPtrArray *processes;

  set_busy (self, TRUE);
  processes = jm_node_list_processes (self->node, jm_sample_queue_get_job (task),
                                      g_task_get_cancellable (task), &error);
  set_busy (self, FALSE);

  if (processes != NULL)
    g_task_return_pointer (task, processes, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

static gboolean
on_demand (gpointer user_data)
{
  JmSampler *self = user_data;
  GTask *task;

  if (jm_sample_queue_begin (self->queue))
    sweep (self);
  while ((task = jm_sample_queue_take_asking (self->queue)) != NULL)
    {
      if (g_task_get_source_tag (task) == jm_sampler_attend_async)
        attend (self, task);
      else
        list_processes (self, task);
      g_object_unref (task);
    }

  return G_SOURCE_REMOVE;
}

static gboolean
on_event (int fd, GIOCondition condition, gpointer user_data)
{
  JmSampler *self = user_data;

  set_busy (self, TRUE);
  jm_node_follow (self->node);
  set_busy (self, FALSE);

  return (condition & (G_IO_ERR | G_IO_HUP | G_IO_NVAL)) == 0;
}

static GSource *
watch_events (JmSampler *self)
{
  int fd = jm_node_get_event_fd (self->node);
  GSource *source;

  if (fd < 0)
    return NULL;

  source = g_unix_fd_source_new (fd, G_IO_IN);
  g_source_set_callback (source, G_SOURCE_FUNC (on_event), self, NULL);
  g_source_attach (source, self->context);

  return source;
}

static void
destroy_source (GSource *source)
{
  if (source == NULL)
    return;

  g_source_destroy (source);
  g_source_unref (source);
}

/* The last that the thread does with a sampler that is not its own. */
static void
end (JmSampler *self)
{
  gboolean is_own;

  g_mutex_lock (&self->mutex);
  is_own = self->state == ABANDONED;
  self->state = ENDED;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);

  if (is_own)
    g_object_unref (self);
}

static gpointer
run (gpointer user_data)
{
  JmSampler *self = user_data;
  GSource *interval;
  GSource *events;

  g_main_context_push_thread_default (self->context);
  sweep (self);

  events = watch_events (self);
  interval = g_timeout_source_new (self->interval_ms);
  g_source_set_callback (interval, on_interval, self, NULL);
  g_source_attach (interval, self->context);

  g_main_loop_run (self->loop);

  destroy_source (events);
  destroy_source (interval);
  g_main_context_pop_thread_default (self->context);
  end (self);

  return NULL;
}

/* --- GObject --- */

static void
jm_sampler_finalize (GObject *object)
{
  JmSampler *self = JM_SAMPLER (object);

  jm_sampler_stop (self);
  g_clear_pointer (&self->queue, jm_sample_queue_free);
  g_clear_pointer (&self->announcer, jm_announcer_unref);
  g_clear_pointer (&self->latest, jm_snapshot_unref);
  g_clear_pointer (&self->previous, jm_snapshot_unref);
  g_clear_pointer (&self->loop, g_main_loop_unref);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_clear_object (&self->node);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);

  G_OBJECT_CLASS (jm_sampler_parent_class)->finalize (object);
}

static void
jm_sampler_class_init (JmSamplerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_sampler_finalize;

  /**
   * JmSampler::sampled:
   * @self: the sampler
   * @snapshot: what was sampled
   *
   * A sweep is done, whoever asked for it. Handlers are called in the main context that
   * was the thread's default where the sampler was made; while that does not run, the
   * last 16 sweeps wait.
   *
   * Since: 0.1
   */
  signals[SIGNAL_SAMPLED] =
    g_signal_new ("sampled", JM_TYPE_SAMPLER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, JM_TYPE_SNAPSHOT);
}

static void
jm_sampler_init (JmSampler *self)
{
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
  self->queue = jm_sample_queue_new (self->context, on_demand, self);
  self->announcer = jm_announcer_new (self, signals[SIGNAL_SAMPLED]);
}

/* --- public --- */

/**
 * jm_sampler_new:
 * @node: a node, which only the sampler may use from here on
 * @interval_ms: time between two sweeps, in milliseconds
 *
 * Starts to sample a node in the background.
 *
 * Returns: (transfer full): the sampler
 * Since: 0.1
 */
JmSampler *
jm_sampler_new (JmNode *node, guint interval_ms)
{
  JmSampler *self;

  g_return_val_if_fail (JM_IS_NODE (node), NULL);
  g_return_val_if_fail (interval_ms > 0, NULL);

  self = g_object_new (JM_TYPE_SAMPLER, NULL);
  self->node = g_object_ref (node);
  self->interval_ms = interval_ms;
  jm_node_set_interval (node, interval_ms);
  self->thread = g_thread_new ("sampler", run, self);

  return self;
}

static JmSnapshot *
get_snapshot (JmSampler *self, JmSnapshot **place)
{
  JmSnapshot *snapshot;

  g_mutex_lock (&self->mutex);
  snapshot = *place != NULL ? jm_snapshot_ref (*place) : NULL;
  g_mutex_unlock (&self->mutex);

  return snapshot;
}

/**
 * jm_sampler_get_latest:
 * @self: a sampler
 *
 * Gets the latest snapshot, without waiting. Any thread may ask.
 *
 * Returns: (transfer full) (nullable): the snapshot; %NULL before the first is done
 * Since: 0.1
 */
JmSnapshot *
jm_sampler_get_latest (JmSampler *self)
{
  g_return_val_if_fail (JM_IS_SAMPLER (self), NULL);

  return get_snapshot (self, &self->latest);
}

/**
 * jm_sampler_get_previous:
 * @self: a sampler
 *
 * Gets the snapshot before the latest, without waiting: what is a rate needs two. Any
 * thread may ask.
 *
 * Returns: (transfer full) (nullable): the snapshot; %NULL before the second is done
 * Since: 0.1
 */
JmSnapshot *
jm_sampler_get_previous (JmSampler *self)
{
  g_return_val_if_fail (JM_IS_SAMPLER (self), NULL);

  return get_snapshot (self, &self->previous);
}

/**
 * jm_sampler_get_busy_us:
 * @self: a sampler
 *
 * Gets how long the sampler has been at what it does just now: a sweep, a list of
 * processes, births and deaths. A file of the kernel's may hang, and whoever shows
 * figures wants to know then that they are old. Any thread may ask.
 *
 * - Units: microseconds; 0 while there is nothing to do.
 *
 * Returns: how long
 * Since: 0.1
 */
gint64
jm_sampler_get_busy_us (JmSampler *self)
{
  gint64 since_us;

  g_return_val_if_fail (JM_IS_SAMPLER (self), 0);

  g_mutex_lock (&self->mutex);
  since_us = self->busy_since_us;
  g_mutex_unlock (&self->mutex);

  return since_us != 0 ? g_get_monotonic_time () - since_us : 0;
}

static GTask *
start_task (JmSampler *self,
            GCancellable *cancellable,
            GAsyncReadyCallback callback,
            gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  if (self->thread != NULL)
    return task;

  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CLOSED,
                           "the sampler was stopped");
  g_object_unref (task);

  return NULL;
}

/**
 * jm_sampler_sample_async:
 * @self: a sampler
 * @max_age_ms: how old an answer may be, in milliseconds
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when the snapshot is there
 * @user_data: for @callback
 *
 * Asks for a snapshot: the latest where its sweep began lately enough, else that of the
 * next one, which all share who ask meanwhile. Who cancels need not wait for a sweep
 * that hangs. A stopped sampler fails with %G_IO_ERROR_CLOSED.
 *
 * Since: 0.1
 */
void
jm_sampler_sample_async (JmSampler *self,
                         guint max_age_ms,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (JmSnapshot) fresh = NULL;
  gint64 not_before_us = g_get_monotonic_time () - (gint64) max_age_ms * 1000;

  g_return_if_fail (JM_IS_SAMPLER (self));

  task = start_task (self, cancellable, callback, user_data);
  if (task == NULL)
    return;

  /* Under the mutex, so that no sweep is published between the look and the wish. */
  g_mutex_lock (&self->mutex);
  if (self->latest != NULL && self->latest_us >= not_before_us)
    fresh = jm_snapshot_ref (self->latest);
  else
    jm_sample_queue_add_sweep (self->queue, task, not_before_us);
  g_mutex_unlock (&self->mutex);

  if (fresh != NULL)
    g_task_return_pointer (task, g_steal_pointer (&fresh),
                           (GDestroyNotify) jm_snapshot_unref);
}

/**
 * jm_sampler_sample_finish:
 * @self: a sampler
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets the snapshot that was asked for by jm_sampler_sample_async().
 *
 * Returns: (transfer full): the snapshot
 * Since: 0.1
 */
JmSnapshot *
jm_sampler_sample_finish (JmSampler *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * jm_sampler_list_processes_async:
 * @self: a sampler
 * @job: what a job is called
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when the list is there
 * @user_data: for @callback
 *
 * Asks for the processes of a job as jm_node_list_processes() does, between two sweeps.
 * A stopped sampler fails with %G_IO_ERROR_CLOSED.
 *
 * Since: 0.1
 */
void
jm_sampler_list_processes_async (JmSampler *self,
                                 const char *job,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (JM_IS_SAMPLER (self));
  g_return_if_fail (job != NULL);

  task = start_task (self, cancellable, callback, user_data);
  if (task == NULL)
    return;

  jm_sample_queue_add_job (self->queue, task, job);
}

/**
 * jm_sampler_list_processes_finish:
 * @self: a sampler
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets the processes that were asked for by jm_sampler_list_processes_async().
 *
 * - Errors: as those of jm_node_list_processes().
 *
 * Returns: (transfer container) (element-type JmProcess): the processes
 * Since: 0.1
 */
GPtrArray *
jm_sampler_list_processes_finish (JmSampler *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * jm_sampler_attend_async:
 * @self: a sampler
 * @job: what a job is called
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when the job was looked at
 * @user_data: for @callback
 *
 * Has a job looked at between two sweeps, as jm_node_attend() does: for whoever knows
 * that it has just begun, or is about to end. A sampler that was stopped fails
 * with %G_IO_ERROR_CLOSED.
 *
 * Since: 0.1
 */
void
jm_sampler_attend_async (JmSampler *self,
                         const char *job,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (JM_IS_SAMPLER (self));
  g_return_if_fail (job != NULL);

  task = start_task (self, cancellable, callback, user_data);
  if (task == NULL)
    return;

  g_task_set_source_tag (task, jm_sampler_attend_async);
  jm_sample_queue_add_job (self->queue, task, job);
}

/**
 * jm_sampler_attend_finish:
 * @self: a sampler
 * @result: what the callback got
 * @error: return location for an error
 *
 * Finishes jm_sampler_attend_async().
 *
 * - Errors: none but those of a sampler that was stopped, or of who cancelled. A job
 *   that is not there is no error.
 *
 * Returns: whether the node has such a job
 * Since: 0.1
 */
gboolean
jm_sampler_attend_finish (JmSampler *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static gboolean
quit_loop (gpointer loop)
{
  g_main_loop_quit (loop);

  return G_SOURCE_REMOVE;
}

/* Whether the thread ends by then; one that does not has the sampler from here on. */
static gboolean
await_end (JmSampler *self, gint64 until_us)
{
  gboolean has_ended;

  g_mutex_lock (&self->mutex);
  while (self->state != ENDED &&
         g_cond_wait_until (&self->changed, &self->mutex, until_us))
    ;
  has_ended = self->state == ENDED;
  if (!has_ended)
    {
      self->state = ABANDONED;
      g_object_ref (self);
    }
  g_mutex_unlock (&self->mutex);

  return has_ended;
}

static gboolean
stop (JmSampler *self, gint64 until_us)
{
  gboolean has_ended;
  GTask *task;

  if (self->thread == NULL)
    return TRUE;

  /* In the thread, for its loop may not have begun to run. */
  g_main_context_invoke_full (self->context, G_PRIORITY_HIGH, quit_loop, self->loop,
                              NULL);
  has_ended = await_end (self, until_us);
  if (has_ended)
    g_thread_join (g_steal_pointer (&self->thread));
  else
    g_clear_pointer (&self->thread, g_thread_unref);

  while ((task = jm_sample_queue_take_any (self->queue)) != NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                               "the sampler was stopped");
      g_object_unref (task);
    }

  return has_ended;
}

/**
 * jm_sampler_stop:
 * @self: a sampler
 *
 * Ends the sampling and waits for a sweep that is under way. Who still waits for a
 * snapshot or a list gets %G_IO_ERROR_CANCELLED.
 *
 * Since: 0.1
 */
void
jm_sampler_stop (JmSampler *self)
{
  g_return_if_fail (JM_IS_SAMPLER (self));

  stop (self, G_MAXINT64);
}

/**
 * jm_sampler_stop_within: (skip)
 * @self: a sampler
 * @timeout_ms: for how long to wait, in milliseconds
 *
 * Ends the sampling as jm_sampler_stop() does, but waits no longer than that for a
 * sweep that is under way. One that hangs is left behind: sampler and node live until
 * it ends.
 *
 * Returns: whether the sampling has ended
 * Since: 0.1
 */
gboolean
jm_sampler_stop_within (JmSampler *self, guint timeout_ms)
{
  g_return_val_if_fail (JM_IS_SAMPLER (self), TRUE);

  return stop (self, g_get_monotonic_time () + (gint64) timeout_ms * 1000);
}
