/* jm-sampler.c: a node that is sampled in the background
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-sampler.h"

#include <glib-unix.h>

/* Somebody who waits for a sweep; one that began before will not do. */
typedef struct
{
  GTask *task;
  gint64 not_before_us;
} Waiting;

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
  gint64 latest_us;   /* when it began, by the monotonic clock */
  GArray *waiting;    /* of Waiting */
  GPtrArray *asking;  /* of GTask: for the processes of the job that is its data */
  GSource *demand;    /* what was asked for and has not begun */
};

G_DEFINE_FINAL_TYPE (JmSampler, jm_sampler, G_TYPE_OBJECT)

/* --- in the thread --- */

static void
publish (JmSampler *self, JmSnapshot *snapshot, gint64 began_us)
{
  g_mutex_lock (&self->mutex);
  g_clear_pointer (&self->latest, jm_snapshot_unref);
  self->latest = jm_snapshot_ref (snapshot);
  self->latest_us = began_us;
  g_mutex_unlock (&self->mutex);
}

/* One of those for whom a sweep that began at @began_us is new enough, or NULL. */
static GTask *
take_served (JmSampler *self, gint64 began_us)
{
  GTask *served = NULL;

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->waiting->len && served == NULL; i++)
    if (g_array_index (self->waiting, Waiting, i).not_before_us <= began_us)
      {
        served = g_array_index (self->waiting, Waiting, i).task;
        g_array_remove_index (self->waiting, i);
      }
  g_mutex_unlock (&self->mutex);

  return served;
}

static void
sweep (JmSampler *self)
{
  gint64 began_us = g_get_monotonic_time ();
  g_autoptr (JmSnapshot) snapshot = jm_node_sample (self->node, NULL, NULL);
  GTask *task;

  publish (self, snapshot, began_us);
  while ((task = take_served (self, began_us)) != NULL)
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
answer (JmSampler *self, GTask *task)
{
  GError *error = NULL;
  GPtrArray *processes =
    jm_node_list_processes (self->node, g_task_get_task_data (task),
                            g_task_get_cancellable (task), &error);

  if (processes != NULL)
    g_task_return_pointer (task, processes, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

/* The one that has asked for processes longest, or NULL. */
static GTask *
take_asking (JmSampler *self)
{
  GTask *task = NULL;

  g_mutex_lock (&self->mutex);
  if (self->asking->len > 0)
    task = g_ptr_array_steal_index (self->asking, 0);
  g_mutex_unlock (&self->mutex);

  return task;
}

static gboolean
on_demand (gpointer user_data)
{
  JmSampler *self = user_data;
  gboolean is_wanted;
  GTask *task;

  g_mutex_lock (&self->mutex);
  g_clear_pointer (&self->demand, g_source_unref);
  is_wanted = self->waiting->len > 0;
  g_mutex_unlock (&self->mutex);

  /* A sweep that began meanwhile may have served them all. */
  if (is_wanted)
    sweep (self);
  while ((task = take_asking (self)) != NULL)
    {
      answer (self, task);
      g_object_unref (task);
    }

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

/* --- GObject --- */

static void
jm_sampler_finalize (GObject *object)
{
  JmSampler *self = JM_SAMPLER (object);

  jm_sampler_stop (self);
  g_clear_pointer (&self->waiting, g_array_unref);
  g_clear_pointer (&self->asking, g_ptr_array_unref);
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
  self->waiting = g_array_new (FALSE, FALSE, sizeof (Waiting));
  self->asking = g_ptr_array_new_with_free_func (g_object_unref);
}

/* --- public --- */

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

/* Under the mutex. */
static void
wake (JmSampler *self)
{
  if (self->demand != NULL)
    return;

  self->demand = g_idle_source_new ();
  g_source_set_priority (self->demand, G_PRIORITY_DEFAULT);
  g_source_set_callback (self->demand, on_demand, self, NULL);
  g_source_attach (self->demand, self->context);
}

static void
demand_sweep (JmSampler *self, GTask *task, gint64 not_before_us)
{
  Waiting waiting = { g_object_ref (task), not_before_us };

  g_array_append_val (self->waiting, waiting);
  wake (self);
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
 * next one, which all share who ask meanwhile. A sampler that was stopped tells
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
  gint64 not_before_us = g_get_monotonic_time () - (gint64) max_age_ms * 1000;

  g_return_if_fail (JM_IS_SAMPLER (self));

  task = start_task (self, cancellable, callback, user_data);
  if (task == NULL)
    return;

  g_mutex_lock (&self->mutex);
  if (self->latest != NULL && self->latest_us >= not_before_us)
    fresh = jm_snapshot_ref (self->latest);
  else
    demand_sweep (self, task, not_before_us);
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
 * A sampler that was stopped tells %G_IO_ERROR_CLOSED.
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
  GTask *task;

  g_return_if_fail (JM_IS_SAMPLER (self));
  g_return_if_fail (job != NULL);

  task = start_task (self, cancellable, callback, user_data);
  if (task == NULL)
    return;

  g_task_set_task_data (task, g_strdup (job), g_free);
  g_mutex_lock (&self->mutex);
  g_ptr_array_add (self->asking, task);
  wake (self);
  g_mutex_unlock (&self->mutex);
}

/**
 * jm_sampler_list_processes_finish:
 * @self: a sampler
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets the processes that were asked for by jm_sampler_list_processes_async().
 *
 * - Errors: as jm_node_list_processes() tells.
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

static void
tell_stopped (GTask *task)
{
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                           "the sampler was stopped");
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
 * snapshot or a list gets %G_IO_ERROR_CANCELLED.
 *
 * Since: 0.1
 */
void
jm_sampler_stop (JmSampler *self)
{
  g_return_if_fail (JM_IS_SAMPLER (self));

  if (self->thread == NULL)
    return;

  /* In the thread, for its loop may not have begun to run. */
  g_main_context_invoke_full (self->context, G_PRIORITY_HIGH, quit_loop, self->loop,
                              NULL);
  g_thread_join (g_steal_pointer (&self->thread));

  g_clear_pointer (&self->demand, destroy_source);
  for (guint i = 0; i < self->waiting->len; i++)
    {
      g_autoptr (GTask) task = g_array_index (self->waiting, Waiting, i).task;

      tell_stopped (task);
    }
  g_array_set_size (self->waiting, 0);
  for (guint i = 0; i < self->asking->len; i++)
    tell_stopped (self->asking->pdata[i]);
  g_ptr_array_set_size (self->asking, 0);
}
