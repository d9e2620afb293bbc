/* jm-sampler.c: a node that is sampled in the background
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-sampler.h"

#include <glib-unix.h>

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

  GMutex mutex;
  JmSnapshot *latest; /* under the mutex, as the rest */
  gint64 latest_us;   /* when it was done, by the monotonic clock */
  GPtrArray *waiting; /* of GTask */
  GSource *demand;    /* a sweep that was asked for and has not begun */
};

G_DEFINE_FINAL_TYPE (JmSampler, jm_sampler, G_TYPE_OBJECT)

/* --- in the thread -----------------------------------------------------------------
 */

static GPtrArray *
publish (JmSampler *self, JmSnapshot *snapshot)
{
  GPtrArray *waiting;

  g_mutex_lock (&self->mutex);
  g_clear_pointer (&self->latest, jm_snapshot_unref);
  self->latest = jm_snapshot_ref (snapshot);
  self->latest_us = g_get_monotonic_time ();
  waiting = g_steal_pointer (&self->waiting);
  g_mutex_unlock (&self->mutex);

  return waiting;
}

static void
sweep (JmSampler *self)
{
  g_autoptr (JmSnapshot) snapshot = jm_node_sample (self->node, NULL, NULL);
  g_autoptr (GPtrArray) waiting = publish (self, snapshot);

  for (guint i = 0; waiting != NULL && i < waiting->len; i++)
    g_task_return_pointer (g_ptr_array_index (waiting, i), jm_snapshot_ref (snapshot),
                           (GDestroyNotify) jm_snapshot_unref);
}

static gboolean
on_interval (gpointer user_data)
{
  sweep (user_data);

  return G_SOURCE_CONTINUE;
}

static gboolean
on_demand (gpointer user_data)
{
  JmSampler *self = user_data;

  g_mutex_lock (&self->mutex);
  g_clear_pointer (&self->demand, g_source_unref);
  g_mutex_unlock (&self->mutex);

  sweep (self);

  return G_SOURCE_REMOVE;
}

static gboolean
on_event (int fd, GIOCondition condition, gpointer user_data)
{
  JmSampler *self = user_data;

  jm_node_follow (self->node);

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

  return NULL;
}

/* --- GObject -----------------------------------------------------------------------
 */

static void
jm_sampler_finalize (GObject *object)
{
  JmSampler *self = JM_SAMPLER (object);

  jm_sampler_stop (self);
  g_clear_pointer (&self->latest, jm_snapshot_unref);
  g_clear_pointer (&self->loop, g_main_loop_unref);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_clear_object (&self->node);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (jm_sampler_parent_class)->finalize (object);
}

static void
jm_sampler_class_init (JmSamplerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_sampler_finalize;
}

static void
jm_sampler_init (JmSampler *self)
{
  g_mutex_init (&self->mutex);
  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
}

/* --- public ------------------------------------------------------------------------
 */

/**
 * jm_sampler_new:
 * @node: a node, which nobody else may use from here on
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
  self->thread = g_thread_new ("sampler", run, self);

  return self;
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
  JmSnapshot *snapshot;

  g_return_val_if_fail (JM_IS_SAMPLER (self), NULL);

  g_mutex_lock (&self->mutex);
  snapshot = self->latest != NULL ? jm_snapshot_ref (self->latest) : NULL;
  g_mutex_unlock (&self->mutex);

  return snapshot;
}

static void
demand_sweep (JmSampler *self, GTask *task)
{
  if (self->waiting == NULL)
    self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (self->waiting, g_object_ref (task));

  if (self->demand != NULL)
    return;

  self->demand = g_idle_source_new ();
  g_source_set_priority (self->demand, G_PRIORITY_DEFAULT);
  g_source_set_callback (self->demand, on_demand, self, NULL);
  g_source_attach (self->demand, self->context);
}

/**
 * jm_sampler_sample_async:
 * @self: a sampler
 * @max_age_ms: how old an answer may be, in milliseconds
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when the snapshot is there
 * @user_data: for @callback
 *
 * Asks for a snapshot: the latest where it is young enough, else that of a new sweep,
 * which all share who ask until it begins. A sampler that was stopped tells
 * %G_IO_ERROR_CLOSED.
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

  g_return_if_fail (JM_IS_SAMPLER (self));

  task = g_task_new (self, cancellable, callback, user_data);
  if (self->thread == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CLOSED,
                               "the sampler was stopped");
      return;
    }

  g_mutex_lock (&self->mutex);
  if (self->latest != NULL &&
      g_get_monotonic_time () - self->latest_us <= (gint64) max_age_ms * 1000)
    fresh = jm_snapshot_ref (self->latest);
  else
    demand_sweep (self, task);
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

static gboolean
quit_loop (gpointer loop)
{
  g_main_loop_quit (loop);

  return G_SOURCE_REMOVE;
}

/**
 * jm_sampler_stop:
 * @self: a sampler
 *
 * Ends the sampling and waits for a sweep that is under way. Who still waits for a
 * snapshot gets %G_IO_ERROR_CANCELLED.
 *
 * Since: 0.1
 */
void
jm_sampler_stop (JmSampler *self)
{
  g_autoptr (GPtrArray) waiting = NULL;

  g_return_if_fail (JM_IS_SAMPLER (self));

  if (self->thread == NULL)
    return;

  /* In the thread, for its loop may not have begun to run. */
  g_main_context_invoke_full (self->context, G_PRIORITY_HIGH, quit_loop, self->loop,
                              NULL);
  g_thread_join (g_steal_pointer (&self->thread));

  g_clear_pointer (&self->demand, destroy_source);
  waiting = g_steal_pointer (&self->waiting);
  for (guint i = 0; waiting != NULL && i < waiting->len; i++)
    g_task_return_new_error (g_ptr_array_index (waiting, i), G_IO_ERROR,
                             G_IO_ERROR_CANCELLED, "the sampler was stopped");
}
