/* jme-workers.c: threads for handlers that take their time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-workers.h"

#include "web/jme-request-private.h"

struct _JmeWorkers
{
  GThreadPool *pool; /* of our own: GIO shakes hands in its */
};

typedef struct
{
  const JmeDestination *destination;
  JmeRequest *request;
  GMainContext *context;
} Work;

static gboolean
on_done (gpointer user_data)
{
  Work *work = user_data;

  jme_request_end_work (work->request);
  g_object_unref (work->request);
  g_main_context_unref (work->context);
  g_free (work);

  return G_SOURCE_REMOVE;
}

static void
run (gpointer data, gpointer user_data)
{
  Work *work = data;
  const JmeDestination *destination = work->destination;
  g_autoptr (GSource) source = g_idle_source_new ();

  destination->route->handler (work->request, destination->user_data);

  /* A request belongs to the thread of its context, its last reference too. */
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, on_done, work, NULL);
  g_source_attach (source, work->context);
}

JmeWorkers *
jme_workers_new (guint max_threads)
{
  JmeWorkers *self = g_new (JmeWorkers, 1);

  self->pool = g_thread_pool_new (run, self, (int) max_threads, FALSE, NULL);

  return self;
}

void
jme_workers_free (JmeWorkers *self)
{
  g_thread_pool_free (self->pool, FALSE, TRUE);
  g_free (self);
}

void
jme_workers_push (JmeWorkers *self,
                  const JmeDestination *destination,
                  JmeRequest *request)
{
  Work *work = g_new (Work, 1);

  work->destination = destination;
  work->request = g_object_ref (request);
  work->context = g_main_context_ref_thread_default ();
  jme_request_begin_work (request);

  g_thread_pool_push (self->pool, work, NULL);
}
