/* test-sample-queue.c: who waits for what a sampler does next
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jm-sampler-parts-private.h"

typedef struct
{
  GMainContext *context;
  JmSampleQueue *queue;
  GObject *sampler; /* who has the queue: the tasks' source object */
  guint n_demands;
} Situation;

static gboolean
count_demand (gpointer user_data)
{
  Situation *situation = user_data;

  situation->n_demands++;

  return G_SOURCE_REMOVE;
}

static void
situation_init (Situation *self, GSourceFunc on_demand)
{
  self->context = g_main_context_new ();
  self->queue = jm_sample_queue_new (self->context, on_demand, self);
  self->sampler = g_object_new (G_TYPE_OBJECT, NULL);
  self->n_demands = 0;
  g_object_set_data_full (self->sampler, "queue", self->queue,
                          (GDestroyNotify) jm_sample_queue_free);
}

/* Nobody may be left who keeps it. */
static void
situation_clear (Situation *self)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (self->sampler);
  g_main_context_unref (self->context);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Situation, situation_clear)

static void
answer (GTask *task)
{
  g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

/* Answers it, too. */
static gboolean
is_next (GTask *taken, GTask *expected)
{
  gboolean is_expected = taken == expected;

  if (taken != NULL)
    answer (taken);

  return is_expected;
}

static void
test_a_sweep_serves_those_for_whom_it_is_new_enough_in_turn (void)
{
  g_auto (Situation) situation = { 0 };
  g_autoptr (GTask) first = NULL;
  g_autoptr (GTask) demanding = NULL;
  g_autoptr (GTask) last = NULL;

  situation_init (&situation, count_demand);
  first = g_task_new (situation.sampler, NULL, NULL, NULL);
  demanding = g_task_new (situation.sampler, NULL, NULL, NULL);
  last = g_task_new (situation.sampler, NULL, NULL, NULL);
  jm_sample_queue_add_sweep (situation.queue, first, 100);
  jm_sample_queue_add_sweep (situation.queue, demanding, 101);
  jm_sample_queue_add_sweep (situation.queue, last, 99);

  g_assert_true (is_next (jm_sample_queue_take_served (situation.queue, 100), first));
  g_assert_true (is_next (jm_sample_queue_take_served (situation.queue, 100), last));
  g_assert_null (jm_sample_queue_take_served (situation.queue, 100));
  g_assert_true (jm_sample_queue_begin (situation.queue));
  g_assert_true (
    is_next (jm_sample_queue_take_served (situation.queue, 101), demanding));
  g_assert_false (jm_sample_queue_begin (situation.queue));
}

static void
test_who_asks_for_processes_is_no_reason_for_a_sweep (void)
{
  g_auto (Situation) situation = { 0 };
  g_autoptr (GTask) task = NULL;

  situation_init (&situation, count_demand);
  task = g_task_new (situation.sampler, NULL, NULL, NULL);
  jm_sample_queue_add_job (situation.queue, task, "1234");

  g_assert_cmpstr (jm_sample_queue_get_job (task), ==, "1234");
  g_assert_false (jm_sample_queue_begin (situation.queue));
  g_assert_null (jm_sample_queue_take_served (situation.queue, G_MAXINT64));
  g_assert_true (is_next (jm_sample_queue_take_asking (situation.queue), task));
  g_assert_null (jm_sample_queue_take_asking (situation.queue));
}

static void
test_all_who_ask_before_it_begins_are_one_demand (void)
{
  g_auto (Situation) situation = { 0 };

  situation_init (&situation, count_demand);
  for (guint round = 1; round <= 2; round++)
    {
      for (guint i = 0; i < 3; i++)
        {
          g_autoptr (GTask) task = g_task_new (situation.sampler, NULL, NULL, NULL);

          jm_sample_queue_add_sweep (situation.queue, task, 0);
        }
      while (g_main_context_iteration (situation.context, FALSE))
        ;
      g_assert_cmpuint (situation.n_demands, ==, round);
      g_assert_true (jm_sample_queue_begin (situation.queue));
    }

  for (guint i = 0; i < 6; i++)
    answer (jm_sample_queue_take_any (situation.queue));
  g_assert_null (jm_sample_queue_take_any (situation.queue));
}

static void
test_nothing_is_demanded_any_more_once_any_are_taken (void)
{
  g_auto (Situation) situation = { 0 };
  g_autoptr (GTask) task = NULL;

  situation_init (&situation, count_demand);
  task = g_task_new (situation.sampler, NULL, NULL, NULL);
  jm_sample_queue_add_sweep (situation.queue, task, 0);
  g_assert_true (is_next (jm_sample_queue_take_any (situation.queue), task));

  g_assert_false (g_main_context_iteration (situation.context, FALSE));
  g_assert_cmpuint (situation.n_demands, ==, 0);
}

/* --- many ask, some of them cancel, and one answers --- */

#define N_ASKING 3
#define N_WISHES 300

typedef struct
{
  Situation *situation;
  guint n_answers[N_WISHES];
  guint n_served;
  guint n_cancelled;
} Asking;

/* Of one wish. */
static void
on_answer (GObject *sampler, GAsyncResult *result, gpointer user_data)
{
  guint *n_answers = user_data;

  (*n_answers)++;
}

static gboolean
serve_all (gpointer user_data)
{
  Situation *situation = user_data;
  GTask *task;

  if (jm_sample_queue_begin (situation->queue))
    while ((task = jm_sample_queue_take_served (situation->queue, 0)) != NULL)
      answer (task);
  while ((task = jm_sample_queue_take_asking (situation->queue)) != NULL)
    answer (task);

  return G_SOURCE_REMOVE;
}

/* The sweeps are too old for those who cancel: GLib 2.74 leaks a source that goes just
 * while it is cancelled. */
static void
ask_and_await (Asking *self, guint i, GMainContext *context)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GTask) task =
    g_task_new (self->situation->sampler, cancellable, on_answer, &self->n_answers[i]);

  if (i % 3 == 0)
    jm_sample_queue_add_job (self->situation->queue, task, "1234");
  else
    jm_sample_queue_add_sweep (self->situation->queue, task, i % 3 == 1 ? 0 : 1);
  if (i % 3 == 2)
    g_cancellable_cancel (cancellable);
  while (self->n_answers[i] == 0)
    g_main_context_iteration (context, TRUE);

  if (g_task_propagate_boolean (task, NULL))
    self->n_served++;
  else
    self->n_cancelled++;
}

static gpointer
ask_often (gpointer user_data)
{
  Asking *self = user_data;
  GMainContext *context = g_main_context_new ();

  g_main_context_push_thread_default (context);
  for (guint i = 0; i < N_WISHES; i++)
    ask_and_await (self, i, context);
  while (g_main_context_iteration (context, FALSE))
    ;
  g_main_context_pop_thread_default (context);
  g_main_context_unref (context);

  return NULL;
}

static gpointer
serve (gpointer user_data)
{
  g_main_loop_run (user_data);

  return NULL;
}

static gboolean
quit (gpointer loop)
{
  g_main_loop_quit (loop);

  return G_SOURCE_REMOVE;
}

static void
test_each_is_answered_once_whoever_cancels_meanwhile (void)
{
  g_auto (Situation) situation = { 0 };
  g_autoptr (GMainLoop) loop = NULL;
  Asking asking[N_ASKING] = { 0 };
  GThread *threads[N_ASKING];
  GThread *server;

  situation_init (&situation, serve_all);
  loop = g_main_loop_new (situation.context, FALSE);
  server = g_thread_new ("server", serve, loop);
  for (guint i = 0; i < N_ASKING; i++)
    {
      asking[i].situation = &situation;
      threads[i] = g_thread_new ("asking", ask_often, &asking[i]);
    }
  for (guint i = 0; i < N_ASKING; i++)
    g_thread_join (threads[i]);
  g_main_context_invoke_full (situation.context, G_PRIORITY_LOW, quit, loop, NULL);
  g_thread_join (server);

  for (guint i = 0; i < N_ASKING; i++)
    {
      for (guint j = 0; j < N_WISHES; j++)
        g_assert_cmpuint (asking[i].n_answers[j], ==, 1);
      g_assert_cmpuint (asking[i].n_served, ==, N_WISHES / 3 * 2);
      g_assert_cmpuint (asking[i].n_cancelled, ==, N_WISHES / 3);
    }
  g_assert_null (jm_sample_queue_take_any (situation.queue));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/sample-queue/serves",
                   test_a_sweep_serves_those_for_whom_it_is_new_enough_in_turn);
  g_test_add_func ("/sample-queue/processes",
                   test_who_asks_for_processes_is_no_reason_for_a_sweep);
  g_test_add_func ("/sample-queue/one-demand",
                   test_all_who_ask_before_it_begins_are_one_demand);
  g_test_add_func ("/sample-queue/taken-away",
                   test_nothing_is_demanded_any_more_once_any_are_taken);
  g_test_add_func ("/sample-queue/threads",
                   test_each_is_answered_once_whoever_cancels_meanwhile);

  return g_test_run ();
}
