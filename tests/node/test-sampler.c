/* test-sampler.c: sweeps in the background
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jm-sampler.h"

#include "base/jm-error.h"
#include "sources/power/jm-power-source.h"

#define AN_HOUR_MS 3600000u

/* --- a meter whose reads hang --- */

#define HANGING_TYPE_METER (hanging_meter_get_type ())
G_DECLARE_FINAL_TYPE (HangingMeter, hanging_meter, HANGING, METER, JmSource)

struct _HangingMeter
{
  JmSource parent_instance;
  GMutex mutex;
  GCond changed;
  gboolean is_hanging; /* under the mutex, as the rest */
  guint n_waiting;
};

static void power_source_iface_init (JmPowerSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HangingMeter,
                               hanging_meter,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_POWER_SOURCE,
                                                      power_source_iface_init))

static gboolean
hanging_meter_read (JmPowerSource *source, JmReadings *readings, GError **error)
{
  HangingMeter *self = HANGING_METER (source);

  g_mutex_lock (&self->mutex);
  self->n_waiting++;
  g_cond_broadcast (&self->changed);
  while (self->is_hanging)
    g_cond_wait (&self->changed, &self->mutex);
  self->n_waiting--;
  g_mutex_unlock (&self->mutex);

  return TRUE;
}

static void
power_source_iface_init (JmPowerSourceInterface *iface)
{
  iface->read = hanging_meter_read;
}

static void
hanging_meter_finalize (GObject *object)
{
  HangingMeter *self = HANGING_METER (object);

  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);

  G_OBJECT_CLASS (hanging_meter_parent_class)->finalize (object);
}

static void
hanging_meter_class_init (HangingMeterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hanging_meter_finalize;
}

static void
hanging_meter_init (HangingMeter *self)
{
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
}

static void
hang (HangingMeter *self, gboolean is_hanging)
{
  g_mutex_lock (&self->mutex);
  self->is_hanging = is_hanging;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

static void
await_hanging (HangingMeter *self)
{
  g_mutex_lock (&self->mutex);
  while (self->n_waiting == 0)
    g_cond_wait (&self->changed, &self->mutex);
  g_mutex_unlock (&self->mutex);
}

/* --- sweeps --- */

static JmNode *
make_node (void)
{
  const char *const no_schedulers[] = { NULL };
  g_autoptr (JmHost) host = jm_host_new ("/nonexistent");
  g_autoptr (GError) error = NULL;
  g_autoptr (JmNode) node = NULL;

  node = g_initable_new (JM_TYPE_NODE, NULL, &error, "host", host, "schedulers",
                         no_schedulers, NULL);
  g_assert_no_error (error);

  return g_steal_pointer (&node);
}

static JmSampler *
start (guint interval_ms)
{
  g_autoptr (JmNode) node = make_node ();

  return jm_sampler_new (node, interval_ms);
}

static JmNode *
make_node_with_meter (HangingMeter **meter)
{
  g_autoptr (JmHost) host = jm_host_new ("/nonexistent");
  JmNode *node = make_node ();

  *meter = g_object_new (HANGING_TYPE_METER, "host", host, NULL);
  jm_node_add_source (node, JM_SOURCE (*meter));

  return node;
}

/* Its first sweep is over. */
static JmSampler *
start_with_meter (HangingMeter **meter)
{
  g_autoptr (JmNode) node = make_node_with_meter (meter);
  JmSampler *sampler = jm_sampler_new (node, AN_HOUR_MS);

  for (g_autoptr (JmSnapshot) first = NULL; first == NULL;
       first = jm_sampler_get_latest (sampler))
    g_thread_yield ();

  return sampler;
}

typedef struct
{
  guint n_waiting;
  GPtrArray *snapshots;
  GMainLoop *loop;
} Answers;

static void
on_sampled (GObject *sampler, GAsyncResult *result, gpointer user_data)
{
  Answers *answers = user_data;
  g_autoptr (GError) error = NULL;
  JmSnapshot *snapshot =
    jm_sampler_sample_finish (JM_SAMPLER (sampler), result, &error);

  g_assert_no_error (error);
  g_ptr_array_add (answers->snapshots, snapshot);
  if (--answers->n_waiting == 0)
    g_main_loop_quit (answers->loop);
}

static void
ask (JmSampler *sampler, Answers *answers, guint max_age_ms, guint n)
{
  answers->n_waiting = n;
  for (guint i = 0; i < n; i++)
    jm_sampler_sample_async (sampler, max_age_ms, NULL, on_sampled, answers);
  g_main_loop_run (answers->loop);
}

static void
answers_clear (Answers *answers)
{
  g_ptr_array_unref (answers->snapshots);
  g_main_loop_unref (answers->loop);
}

static Answers
answers_init (void)
{
  return (Answers){
    .snapshots = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_snapshot_unref),
    .loop = g_main_loop_new (NULL, FALSE),
  };
}

static void
test_those_who_ask_within_its_age_share_a_snapshot (void)
{
  g_autoptr (JmSampler) sampler = start (AN_HOUR_MS);
  Answers answers = answers_init ();

  ask (sampler, &answers, AN_HOUR_MS, 50);

  for (guint i = 0; i < 50; i++)
    g_assert_true (answers.snapshots->pdata[i] == answers.snapshots->pdata[0]);

  answers_clear (&answers);
  jm_sampler_stop (sampler);
}

static void
test_who_wants_news_gets_a_new_sweep (void)
{
  g_autoptr (JmSampler) sampler = start (AN_HOUR_MS);
  Answers answers = answers_init ();

  ask (sampler, &answers, 0, 1);
  ask (sampler, &answers, 0, 1);

  g_assert_true (answers.snapshots->pdata[0] != answers.snapshots->pdata[1]);
  g_assert_cmpint (jm_snapshot_get_time (answers.snapshots->pdata[0]), <=,
                   jm_snapshot_get_time (answers.snapshots->pdata[1]));

  answers_clear (&answers);
  jm_sampler_stop (sampler);
}

/* A sweep may have come since @snapshot was the latest. */
static void
assert_precedes (JmSampler *sampler, JmSnapshot *snapshot)
{
  g_autoptr (JmSnapshot) previous = jm_sampler_get_previous (sampler);
  g_autoptr (JmSnapshot) latest = jm_sampler_get_latest (sampler);

  g_assert_nonnull (previous);
  if (latest == snapshot)
    g_assert_cmpint (jm_snapshot_get_time (previous), <,
                     jm_snapshot_get_time (snapshot));
}

static gboolean
quit_when_renewed (gpointer user_data)
{
  JmSampler *sampler = g_object_get_data (user_data, "sampler");
  g_autoptr (JmSnapshot) latest = jm_sampler_get_latest (sampler);
  gpointer first = g_object_get_data (user_data, "first");

  if (latest == NULL || latest == first)
    return G_SOURCE_CONTINUE;

  assert_precedes (sampler, latest);

  g_main_loop_quit (g_object_get_data (user_data, "loop"));

  return G_SOURCE_REMOVE;
}

static void
test_samples_by_itself (void)
{
  g_autoptr (JmSampler) sampler = start (10);
  g_autoptr (GObject) state = g_object_new (G_TYPE_OBJECT, NULL);
  Answers answers = answers_init ();

  ask (sampler, &answers, AN_HOUR_MS, 1);
  g_object_set_data (state, "sampler", sampler);
  g_object_set_data (state, "first", answers.snapshots->pdata[0]);
  g_object_set_data (state, "loop", answers.loop);
  g_timeout_add (5, quit_when_renewed, state);
  g_main_loop_run (answers.loop);

  answers_clear (&answers);
  jm_sampler_stop (sampler);
}

static void
on_answered (GObject *sampler, GAsyncResult *result, gpointer user_data)
{
  gboolean *is_answered = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSnapshot) snapshot =
    jm_sampler_sample_finish (JM_SAMPLER (sampler), result, &error);

  *is_answered = snapshot != NULL || error != NULL;
}

static void
test_nobody_waits_for_ever_when_it_is_stopped (void)
{
  g_autoptr (JmSampler) sampler = start (AN_HOUR_MS);
  gboolean is_answered = FALSE;

  jm_sampler_sample_async (sampler, 0, NULL, on_answered, &is_answered);
  jm_sampler_stop (sampler);
  while (!is_answered)
    g_main_context_iteration (NULL, TRUE);

  g_assert_true (is_answered);
}

static void
test_nobody_waits_for_one_that_was_stopped (void)
{
  g_autoptr (JmSampler) sampler = start (AN_HOUR_MS);
  gboolean is_answered = FALSE;

  jm_sampler_stop (sampler);
  jm_sampler_sample_async (sampler, 0, NULL, on_answered, &is_answered);
  while (!is_answered)
    g_main_context_iteration (NULL, TRUE);

  g_assert_true (is_answered);
}

/* --- sweeps that hang --- */

static void
on_error (GObject *sampler, GAsyncResult *result, gpointer user_data)
{
  GError **error = user_data;

  g_assert_null (jm_sampler_sample_finish (JM_SAMPLER (sampler), result, error));
}

static void
test_who_cancels_does_not_wait_for_a_sweep_that_hangs (void)
{
  g_autoptr (HangingMeter) meter = NULL;
  g_autoptr (JmSampler) sampler = start_with_meter (&meter);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (JmSnapshot) latest = NULL;
  g_autoptr (GError) error = NULL;

  hang (meter, TRUE);
  jm_sampler_sample_async (sampler, 0, cancellable, on_error, &error);
  await_hanging (meter);
  g_cancellable_cancel (cancellable);
  while (error == NULL)
    g_main_context_iteration (NULL, TRUE);

  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  latest = jm_sampler_get_latest (sampler);
  g_assert_nonnull (latest);

  hang (meter, FALSE);
  jm_sampler_stop (sampler);
}

static void
test_it_reports_how_long_a_sweep_takes (void)
{
  g_autoptr (HangingMeter) meter = NULL;
  g_autoptr (JmSampler) sampler = start_with_meter (&meter);
  gboolean is_answered = FALSE;
  gint64 before_us;

  hang (meter, TRUE);
  jm_sampler_sample_async (sampler, 0, NULL, on_answered, &is_answered);
  await_hanging (meter);
  before_us = jm_sampler_get_busy_us (sampler);
  while (jm_sampler_get_busy_us (sampler) == before_us)
    g_thread_yield ();
  g_assert_cmpint (jm_sampler_get_busy_us (sampler), >, before_us);

  hang (meter, FALSE);
  while (!is_answered)
    g_main_context_iteration (NULL, TRUE);
  jm_sampler_stop (sampler);
  g_assert_cmpint (jm_sampler_get_busy_us (sampler), ==, 0);
}

static void
on_gone (gpointer user_data, GObject *sampler)
{
  g_atomic_int_set ((int *) user_data, TRUE);
}

static void
test_a_sweep_that_hangs_does_not_keep_it_from_being_stopped (void)
{
  g_autoptr (HangingMeter) meter = NULL;
  JmSampler *sampler = start_with_meter (&meter);
  gboolean is_answered = FALSE;
  int is_gone = FALSE;

  g_object_weak_ref (G_OBJECT (sampler), on_gone, &is_gone);
  hang (meter, TRUE);
  jm_sampler_sample_async (sampler, 0, NULL, on_answered, &is_answered);
  await_hanging (meter);

  g_assert_false (jm_sampler_stop_within (sampler, 1));
  while (!is_answered)
    g_main_context_iteration (NULL, TRUE);

  /* The sweep that was left behind takes the sampler with it. */
  g_object_unref (sampler);
  g_assert_false (g_atomic_int_get (&is_gone));
  hang (meter, FALSE);
  while (!g_atomic_int_get (&is_gone))
    g_thread_yield ();
}

static void
test_one_that_does_not_hang_is_stopped_in_time (void)
{
  g_autoptr (JmSampler) sampler = start (AN_HOUR_MS);

  g_assert_true (jm_sampler_stop_within (sampler, AN_HOUR_MS));
  g_assert_true (jm_sampler_stop_within (sampler, 0));
}

/* --- processes --- */

static JmSampler *
start_recorded (void)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "slurm-v2-steps", NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmNode) node = jm_node_new_full (host, &error);

  g_assert_no_error (error);

  return jm_sampler_new (node, AN_HOUR_MS);
}

static void
on_result (GObject *sampler, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static GPtrArray *
await_processes (JmSampler *sampler, GAsyncResult **result, GError **error)
{
  GPtrArray *processes;

  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);

  processes = jm_sampler_list_processes_finish (sampler, *result, error);
  g_object_unref (*result);

  return processes;
}

static GPtrArray *
list (JmSampler *sampler, const char *job, GError **error)
{
  GAsyncResult *result = NULL;

  jm_sampler_list_processes_async (sampler, job, NULL, on_result, &result);

  return await_processes (sampler, &result, error);
}

static void
test_lists_processes_between_sweeps (void)
{
  g_autoptr (JmSampler) sampler = start_recorded ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GPtrArray) processes = list (sampler, "5", &error);

      g_assert_no_error (error);
      g_assert_cmpuint (processes->len, ==, 5);
    }

  jm_sampler_stop (sampler);
}

static gboolean
attend (JmSampler *sampler, const char *job)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_there;

  jm_sampler_attend_async (sampler, job, NULL, on_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  is_there = jm_sampler_attend_finish (sampler, result, &error);
  g_assert_no_error (error);

  return is_there;
}

static void
test_attends_to_a_job_between_sweeps (void)
{
  g_autoptr (JmSampler) sampler = start_recorded ();

  g_assert_true (attend (sampler, "5"));
  g_assert_false (attend (sampler, "no-job"));

  jm_sampler_stop (sampler);
}

static void
test_has_no_processes_of_a_job_that_is_not_there (void)
{
  g_autoptr (JmSampler) sampler = start_recorded ();
  g_autoptr (GError) error = NULL;

  g_assert_null (list (sampler, "6", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);

  jm_sampler_stop (sampler);
}

static void
test_nobody_waits_for_processes_when_it_is_stopped (void)
{
  g_autoptr (JmSampler) sampler = start_recorded ();
  g_autoptr (GError) closed = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) processes = NULL;
  GAsyncResult *result = NULL;

  jm_sampler_list_processes_async (sampler, "5", NULL, on_result, &result);
  jm_sampler_stop (sampler);
  processes = await_processes (sampler, &result, &error);

  /* Whichever came first. */
  g_assert_true (processes != NULL ||
                 g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
  g_assert_null (list (sampler, "5", &closed));
  g_assert_error (closed, G_IO_ERROR, G_IO_ERROR_CLOSED);
}

#define N_ANNOUNCED 3

typedef struct
{
  GMainLoop *loop;
  guint n_seen;
  gint64 last_us;
} Handler;

static void
on_sweep (JmSampler *sampler, JmSnapshot *snapshot, gpointer user_data)
{
  Handler *handler = user_data;

  g_assert_cmpint (jm_snapshot_get_time (snapshot), >=, handler->last_us);
  handler->last_us = jm_snapshot_get_time (snapshot);
  if (++handler->n_seen == N_ANNOUNCED)
    g_main_loop_quit (handler->loop);
}

static void
test_each_sweep_is_announced_though_nobody_asks (void)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (JmSampler) sampler = start (1);
  Handler handler = { loop, 0, 0 };

  g_signal_connect (sampler, "sampled", G_CALLBACK (on_sweep), &handler);
  g_main_loop_run (loop);

  /* more may come before the loop has ended */
  g_assert_cmpuint (handler.n_seen, >=, N_ANNOUNCED);
  g_signal_handlers_disconnect_by_data (sampler, &handler);
}

static void
on_unexpected_sweep (JmSampler *sampler, JmSnapshot *snapshot, gpointer user_data)
{
  g_assert_not_reached ();
}

/* The sampler is on its way out, and waits for its thread. */
static void
let_go_on (gpointer meter, GObject *sampler)
{
  hang (meter, FALSE);
}

static void
test_nobody_hears_of_a_sweep_amid_which_the_sampler_went (void)
{
  g_autoptr (HangingMeter) meter = NULL;
  g_autoptr (JmNode) node = make_node_with_meter (&meter);
  JmSampler *sampler;

  hang (meter, TRUE);
  sampler = jm_sampler_new (node, AN_HOUR_MS);
  await_hanging (meter);
  g_signal_connect (sampler, "sampled", G_CALLBACK (on_unexpected_sweep), NULL);
  g_object_weak_ref (G_OBJECT (sampler), let_go_on, meter);
  g_object_unref (sampler);

  /* What the sweep has left behind. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/sampler/share",
                   test_those_who_ask_within_its_age_share_a_snapshot);
  g_test_add_func ("/sampler/news", test_who_wants_news_gets_a_new_sweep);
  g_test_add_func ("/sampler/interval", test_samples_by_itself);
  g_test_add_func ("/sampler/stop", test_nobody_waits_for_ever_when_it_is_stopped);
  g_test_add_func ("/sampler/stopped", test_nobody_waits_for_one_that_was_stopped);

  g_test_add_func ("/sampler/hangs/cancelled",
                   test_who_cancels_does_not_wait_for_a_sweep_that_hangs);
  g_test_add_func ("/sampler/hangs/busy", test_it_reports_how_long_a_sweep_takes);
  g_test_add_func ("/sampler/hangs/stop",
                   test_a_sweep_that_hangs_does_not_keep_it_from_being_stopped);
  g_test_add_func ("/sampler/stop-within",
                   test_one_that_does_not_hang_is_stopped_in_time);

  g_test_add_func ("/sampler/processes", test_lists_processes_between_sweeps);
  g_test_add_func ("/sampler/attends", test_attends_to_a_job_between_sweeps);
  g_test_add_func ("/sampler/processes/no-job",
                   test_has_no_processes_of_a_job_that_is_not_there);
  g_test_add_func ("/sampler/processes/stop",
                   test_nobody_waits_for_processes_when_it_is_stopped);
  g_test_add_func ("/sampler/each-sweep-is-announced-though-nobody-asks",
                   test_each_sweep_is_announced_though_nobody_asks);
  g_test_add_func ("/sampler/gone-amid-a-sweep",
                   test_nobody_hears_of_a_sweep_amid_which_the_sampler_went);

  return g_test_run ();
}
