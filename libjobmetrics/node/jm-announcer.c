/* jm-announcer.c: handlers that hear in their own thread of another's sweeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-sampler-parts-private.h"

/* As the documentation of #JmSampler::sampled has it. */
#define MAX_WAITING 16

/* Counted, as a call of the handlers that is under way keeps it. */
struct _JmAnnouncer
{
  GMainContext *home;
  GWeakRef emitter;
  guint signal;

  GMutex mutex;
  GPtrArray *waiting; /* of JmSnapshot: handlers have not seen them; under the mutex */
};

static void
announcer_clear (gpointer data)
{
  JmAnnouncer *self = data;

  g_ptr_array_unref (self->waiting);
  g_mutex_clear (&self->mutex);
  g_weak_ref_clear (&self->emitter);
  g_main_context_unref (self->home);
}

static GPtrArray *
make_list (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) jm_snapshot_unref);
}

static GPtrArray *
take_all (JmAnnouncer *self)
{
  GPtrArray *taken;

  g_mutex_lock (&self->mutex);
  taken = self->waiting;
  self->waiting = make_list ();
  g_mutex_unlock (&self->mutex);

  return taken;
}

static gboolean
on_home (gpointer user_data)
{
  JmAnnouncer *self = user_data;
  g_autoptr (GObject) emitter = g_weak_ref_get (&self->emitter);
  g_autoptr (GPtrArray) taken = NULL;

  if (emitter == NULL)
    return G_SOURCE_REMOVE;

  taken = take_all (self);
  for (guint i = 0; i < taken->len; i++)
    g_signal_emit (emitter, self->signal, 0, taken->pdata[i]);

  return G_SOURCE_REMOVE;
}

JmAnnouncer *
jm_announcer_new (gpointer emitter, guint signal)
{
  JmAnnouncer *self = g_atomic_rc_box_new0 (JmAnnouncer);

  self->home = g_main_context_ref_thread_default ();
  g_weak_ref_init (&self->emitter, emitter);
  self->signal = signal;
  g_mutex_init (&self->mutex);
  self->waiting = make_list ();

  return self;
}

void
jm_announcer_unref (JmAnnouncer *self)
{
  g_atomic_rc_box_release_full (self, announcer_clear);
}

/* One call of the handlers is under way until it has taken what there is. */
void
jm_announcer_add (JmAnnouncer *self, JmSnapshot *snapshot)
{
  gboolean is_under_way;
  GSource *source;

  g_mutex_lock (&self->mutex);
  is_under_way = self->waiting->len > 0;
  if (self->waiting->len == MAX_WAITING)
    g_ptr_array_remove_index (self->waiting, 0);
  g_ptr_array_add (self->waiting, jm_snapshot_ref (snapshot));
  g_mutex_unlock (&self->mutex);
  if (is_under_way)
    return;

  source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, on_home, g_atomic_rc_box_acquire (self),
                         (GDestroyNotify) jm_announcer_unref);
  g_source_attach (source, self->home);
  g_source_unref (source);
}
