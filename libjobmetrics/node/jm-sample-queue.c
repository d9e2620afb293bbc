/* jm-sample-queue.c: who waits for what a sampler does next
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-sampler-parts-private.h"

/* What a task waits for: the task's data. */
typedef struct
{
  JmSampleQueue *queue;
  char *job; /* that it is about; NULL for a sweep */
  gint64 not_before_us;
  GSource *cancelled; /* under the queue's mutex; NULL where it cannot be */
} Wish;

struct _JmSampleQueue
{
  GMainContext *context;
  GSourceFunc on_demand;
  gpointer user_data;

  GMutex mutex;
  GPtrArray *waiting; /* of GTask; under the mutex, as the rest */
  GSource *demand;    /* what was asked for and has not begun */
};

static void
wish_free (gpointer data)
{
  Wish *wish = data;

  g_free (wish->job);
  g_free (wish);
}

static void
destroy_source (GSource *source)
{
  g_source_destroy (source);
  g_source_unref (source);
}

/* Under the mutex; the caller owns the task. NULL where @i is behind the last. */
static GTask *
take (JmSampleQueue *self, guint i)
{
  GTask *task;
  Wish *wish;

  if (i == self->waiting->len)
    return NULL;

  task = g_ptr_array_remove_index (self->waiting, i);
  wish = g_task_get_task_data (task);
  g_clear_pointer (&wish->cancelled, destroy_source);

  return task;
}

/* In the thread of who asked: the sampler's own may hang. */
static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  GTask *task = user_data;
  const Wish *wish = g_task_get_task_data (task);
  JmSampleQueue *self = wish->queue;
  g_autoptr (GTask) taken = NULL;
  guint i;

  g_mutex_lock (&self->mutex);
  if (g_ptr_array_find (self->waiting, task, &i))
    taken = take (self, i);
  g_mutex_unlock (&self->mutex);

  if (taken != NULL)
    g_task_return_error_if_cancelled (taken);

  return G_SOURCE_REMOVE;
}

/* Under the mutex. */
static void
wake (JmSampleQueue *self)
{
  if (self->demand != NULL)
    return;

  self->demand = g_idle_source_new ();
  g_source_set_priority (self->demand, G_PRIORITY_DEFAULT);
  g_source_set_callback (self->demand, self->on_demand, self->user_data, NULL);
  g_source_attach (self->demand, self->context);
}

static void
add (JmSampleQueue *self, GTask *task, const char *job, gint64 not_before_us)
{
  GCancellable *cancellable = g_task_get_cancellable (task);
  Wish *wish = g_new0 (Wish, 1);

  wish->queue = self;
  wish->job = g_strdup (job);
  wish->not_before_us = not_before_us;
  g_task_set_task_data (task, wish, wish_free);

  g_mutex_lock (&self->mutex);
  if (cancellable != NULL)
    {
      wish->cancelled = g_cancellable_source_new (cancellable);
      g_task_attach_source (task, wish->cancelled, G_SOURCE_FUNC (on_cancelled));
    }
  g_ptr_array_add (self->waiting, g_object_ref (task));
  wake (self);
  g_mutex_unlock (&self->mutex);
}

JmSampleQueue *
jm_sample_queue_new (GMainContext *context, GSourceFunc on_demand, gpointer user_data)
{
  JmSampleQueue *self = g_new0 (JmSampleQueue, 1);

  self->context = g_main_context_ref (context);
  self->on_demand = on_demand;
  self->user_data = user_data;
  g_mutex_init (&self->mutex);
  self->waiting = g_ptr_array_new ();

  return self;
}

void
jm_sample_queue_free (JmSampleQueue *self)
{
  g_clear_pointer (&self->demand, destroy_source);
  g_ptr_array_unref (self->waiting);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
jm_sample_queue_add_sweep (JmSampleQueue *self, GTask *task, gint64 not_before_us)
{
  add (self, task, NULL, not_before_us);
}

void
jm_sample_queue_add_job (JmSampleQueue *self, GTask *task, const char *job)
{
  add (self, task, job, 0);
}

/* Where the first is that a sweep begun at @began_us serves; under the mutex. */
static guint
find_served (JmSampleQueue *self, gint64 began_us)
{
  guint i;

  for (i = 0; i < self->waiting->len; i++)
    {
      const Wish *wish = g_task_get_task_data (self->waiting->pdata[i]);

      if (wish->job == NULL && wish->not_before_us <= began_us)
        break;
    }

  return i;
}

gboolean
jm_sample_queue_begin (JmSampleQueue *self)
{
  gboolean is_sweep_wanted;

  g_mutex_lock (&self->mutex);
  g_clear_pointer (&self->demand, g_source_unref);
  is_sweep_wanted = find_served (self, G_MAXINT64) < self->waiting->len;
  g_mutex_unlock (&self->mutex);

  return is_sweep_wanted;
}

GTask *
jm_sample_queue_take_served (JmSampleQueue *self, gint64 began_us)
{
  GTask *served;

  g_mutex_lock (&self->mutex);
  served = take (self, find_served (self, began_us));
  g_mutex_unlock (&self->mutex);

  return served;
}

GTask *
jm_sample_queue_take_asking (JmSampleQueue *self)
{
  GTask *asking;
  guint i = 0;

  g_mutex_lock (&self->mutex);
  while (i < self->waiting->len &&
         jm_sample_queue_get_job (self->waiting->pdata[i]) == NULL)
    i++;
  asking = take (self, i);
  g_mutex_unlock (&self->mutex);

  return asking;
}

const char *
jm_sample_queue_get_job (GTask *task)
{
  const Wish *wish = g_task_get_task_data (task);

  return wish->job;
}

GTask *
jm_sample_queue_take_any (JmSampleQueue *self)
{
  GTask *task;

  g_mutex_lock (&self->mutex);
  g_clear_pointer (&self->demand, destroy_source);
  task = take (self, 0);
  g_mutex_unlock (&self->mutex);

  return task;
}
