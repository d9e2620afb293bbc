/* test-gpu-split.c: whose an accelerator's energy was
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/energy/jm-gpu-energy-private.h"

#include <math.h>

#define SECOND G_USEC_PER_SEC
#define JOULE G_GUINT64_CONSTANT (1000000)

typedef struct
{
  JmGpuSplit *split;
} Fixture;

static void
set_up (Fixture *f, gconstpointer share_idle)
{
  f->split = jm_gpu_split_new (GPOINTER_TO_INT (share_idle));
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  jm_gpu_split_free (f->split);
}

static void
add_device (Fixture *f, guint device, double use)
{
  const JmGpuSeat seat = { .device = device, .size = 1, .use = use };

  jm_gpu_split_add_seat (f->split, &seat);
}

static void
add_instance (Fixture *f, guint device, guint parent, double size, double use)
{
  const JmGpuSeat seat = { device, TRUE, parent, size, use };

  jm_gpu_split_add_seat (f->split, &seat);
}

static void
add_user (Fixture *f, guint device, double share, double use)
{
  const JmGpuUser user = { device, share, use, 1 };

  jm_gpu_split_add_user (f->split, &user);
}

/* Two rounds in which device 0 took @watts, a second each, and nobody had it. */
static void
idle_at (Fixture *f, guint64 watts)
{
  for (guint i = 0; i < 2; i++)
    {
      jm_gpu_split_begin_round (f->split);
      add_device (f, 0, 0);
      jm_gpu_split_take (f->split, 0, watts * JOULE, SECOND);
    }
  jm_gpu_split_begin_round (f->split);
}

static void
assert_parts (const JmGpuParts *parts,
              guint64 first,
              guint64 second,
              guint64 system,
              guint64 idle)
{
  g_assert_cmpuint (parts->users_uj[0], ==, first);
  g_assert_cmpuint (parts->users_uj[1], ==, second);
  g_assert_cmpuint (parts->system_uj, ==, system);
  g_assert_cmpuint (parts->idle_uj, ==, idle);
}

static void
test_keeps_what_being_there_takes_apart (Fixture *f, gconstpointer data)
{
  const JmGpuParts *parts;

  idle_at (f, 70);
  add_device (f, 0, 0.9);
  add_user (f, 0, 1, 0.9);
  add_user (f, 1, 1, 0.5);
  parts = jm_gpu_split_take (f->split, 0, 500 * JOULE, SECOND);

  assert_parts (parts, 430 * JOULE, 0, 0, 70 * JOULE);
  g_assert_true (parts->is_base_known);
  g_assert_cmpuint (parts->base_uj, ==, 70 * JOULE);
}

static void
test_gives_it_by_what_was_given_where_idling_is_shared (Fixture *f, gconstpointer data)
{
  const JmGpuParts *parts;

  idle_at (f, 80);
  add_device (f, 0, 0.5);
  add_user (f, 0, 0.5, 0.4);
  add_user (f, 0, 0.25, 0.1);
  parts = jm_gpu_split_take (f->split, 0, 180 * JOULE, SECOND);

  /* of 100 J the one used four times as much; of 80 J half and a quarter were given */
  assert_parts (parts, (80 + 40) * JOULE, (20 + 20) * JOULE, 0, 20 * JOULE);
  g_assert_cmpuint (parts->base_uj, ==, 80 * JOULE);
}

static void
test_takes_nothing_for_idling_before_it_was_seen (Fixture *f, gconstpointer data)
{
  const JmGpuParts *parts;

  for (guint i = 0; i < 3; i++)
    {
      jm_gpu_split_begin_round (f->split);
      add_device (f, 0, 1);
      add_user (f, 0, 0.5, NAN);
      add_user (f, 0, 0.5, NAN);
      parts = jm_gpu_split_take (f->split, 0, 300 * JOULE, SECOND);
      assert_parts (parts, 150 * JOULE, 150 * JOULE, 0, 0);
      g_assert_false (parts->is_base_known);
    }
}

static void
test_learns_only_from_what_idled_from_end_to_end (Fixture *f, gconstpointer data)
{
  static const double uses[] = { 0, 1, 0, 0 };
  static const gboolean is_known[] = { FALSE, FALSE, FALSE, TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (uses); i++)
    {
      const JmGpuParts *parts;

      jm_gpu_split_begin_round (f->split);
      add_device (f, 0, uses[i]);
      add_user (f, 0, 1, NAN);
      parts = jm_gpu_split_take (f->split, 0, 100 * JOULE, SECOND);
      g_assert_cmpint (parts->is_base_known, ==, is_known[i]);
    }
}

static void
test_takes_more_for_being_there_longer (Fixture *f, gconstpointer data)
{
  const JmGpuParts *parts;

  idle_at (f, 50);
  add_device (f, 0, 0);
  jm_gpu_split_take (f->split, 0, 0, 0);
  jm_gpu_split_begin_round (f->split);
  add_device (f, 0, 1);
  add_user (f, 0, 1, NAN);
  add_user (f, 1, 1, NAN);
  parts = jm_gpu_split_take (f->split, 0, 1000 * JOULE, 2 * SECOND);

  assert_parts (parts, 900 * JOULE, 0, 0, 100 * JOULE);
}

/* What was counted over a short time may lag behind. */
static void
test_believes_the_power_that_an_idle_device_reports (Fixture *f, gconstpointer data)
{
  const JmGpuSeat idle = { .size = 1, .power_uw = 60 * JOULE };
  const JmGpuSeat busy = { .size = 1, .use = 1, .power_uw = 300 * JOULE };
  const JmGpuParts *parts;

  for (guint i = 0; i < 2; i++)
    {
      jm_gpu_split_begin_round (f->split);
      jm_gpu_split_add_seat (f->split, &idle);
      jm_gpu_split_take (f->split, 0, 35 * JOULE, SECOND);
    }
  jm_gpu_split_begin_round (f->split);
  jm_gpu_split_add_seat (f->split, &busy);
  add_user (f, 0, 1, NAN);
  add_user (f, 1, 1, NAN);
  parts = jm_gpu_split_take (f->split, 0, 300 * JOULE, SECOND);

  assert_parts (parts, 240 * JOULE, 0, 0, 60 * JOULE);
}

static void
test_gives_what_jobs_did_not_use_to_whom_it_was_given (Fixture *f, gconstpointer data)
{
  const JmGpuParts *parts;

  idle_at (f, 50);
  add_device (f, 0, 0);
  add_user (f, 0, 0.75, 0);
  add_user (f, 0, 0.25, 0);
  parts = jm_gpu_split_take (f->split, 0, 90 * JOULE, SECOND);

  assert_parts (parts, 30 * JOULE, 10 * JOULE, 0, 50 * JOULE);
}

static void
test_counts_what_is_used_without_being_given (Fixture *f, gconstpointer data)
{
  const JmGpuParts *parts;

  idle_at (f, 40);
  add_device (f, 0, 1);
  add_user (f, 0, 1, 0.25);
  add_user (f, 0, 0, 0.75);
  parts = jm_gpu_split_take (f->split, 0, 240 * JOULE, SECOND);

  assert_parts (parts, 50 * JOULE, 150 * JOULE, 0, 40 * JOULE);
}

static void
test_is_the_systems_where_no_job_has_it (Fixture *f, gconstpointer data)
{
  const JmGpuParts *parts;

  idle_at (f, 40);
  add_device (f, 0, 0.3);
  add_user (f, 1, 1, 1);
  add_user (f, 0, 0, 0);
  parts = jm_gpu_split_take (f->split, 0, 100 * JOULE, SECOND);

  assert_parts (parts, 0, 0, 60 * JOULE, 40 * JOULE);
}

static void
test_is_nobodys_where_nobody_has_it_and_it_idles (Fixture *f, gconstpointer data)
{
  const JmGpuParts *parts;

  idle_at (f, 40);
  add_device (f, 0, 0);
  add_user (f, 1, 1, 1);
  add_user (f, 1, 1, 1);
  parts = jm_gpu_split_take (f->split, 0, 44 * JOULE, SECOND);

  assert_parts (parts, 0, 0, 0, 44 * JOULE);
}

/* One that went and one that came were there for half of the round each. */
static void
test_goes_by_how_long_somebody_was_there (Fixture *f, gconstpointer data)
{
  const JmGpuUser went = { 0, 1, NAN, 0.5 };
  const JmGpuUser came = { 0, 1, NAN, 0.25 };
  const JmGpuUser was = { 0, 1, NAN, 0 };
  const JmGpuParts *parts;

  idle_at (f, 30);
  add_device (f, 0, 1);
  jm_gpu_split_add_user (f->split, &went);
  jm_gpu_split_add_user (f->split, &came);
  jm_gpu_split_add_user (f->split, &was);
  parts = jm_gpu_split_take (f->split, 0, 150 * JOULE, SECOND);

  assert_parts (parts, 80 * JOULE, 40 * JOULE, 0, 30 * JOULE);
  g_assert_cmpuint (parts->users_uj[2], ==, 0);
}

/* Three sevenths and four sevenths, as of an A100 with 3g and 4g instances. */
static void
test_gives_instances_by_their_slices (Fixture *f, gconstpointer data)
{
  const JmGpuParts *parts;

  idle_at (f, 60);
  add_device (f, 0, NAN);
  add_instance (f, 1, 0, 3 / 7.0, NAN);
  add_instance (f, 2, 0, 4 / 7.0, NAN);
  add_user (f, 1, 1, NAN);
  add_user (f, 2, 1, NAN);
  parts = jm_gpu_split_take (f->split, 0, 130 * JOULE, SECOND);

  g_assert_cmpuint (parts->users_uj[0] + parts->users_uj[1], ==, 70 * JOULE);
  g_assert_cmpint (llabs ((gint64) parts->users_uj[0] - (gint64) (30 * JOULE)), <=, 1);
  g_assert_cmpuint (parts->idle_uj, ==, 60 * JOULE);
}

/* A slice that is twice as busy takes twice as much. */
static void
test_gives_instances_by_slices_and_use (Fixture *f, gconstpointer data)
{
  const JmGpuParts *parts;

  idle_at (f, 60);
  add_device (f, 0, NAN);
  add_instance (f, 1, 0, 0.25, 0.8);
  add_instance (f, 2, 0, 0.5, 0.2);
  add_instance (f, 3, 0, 0.25, 0.4);
  add_user (f, 1, 1, NAN);
  add_user (f, 2, 1, NAN);
  parts = jm_gpu_split_take (f->split, 0, 100 * JOULE, SECOND);

  /* 0.2, 0.1 and 0.1, of which nobody has the last */
  assert_parts (parts, 20 * JOULE, 10 * JOULE, 10 * JOULE, 60 * JOULE);
}

static void
test_leaves_the_idling_of_instances_without_a_job (Fixture *f, gconstpointer data)
{
  const JmGpuParts *parts;

  idle_at (f, 80);
  add_device (f, 0, NAN);
  add_instance (f, 1, 0, 0.25, NAN);
  add_instance (f, 2, 0, 0.5, NAN);
  add_user (f, 1, 1, NAN);
  add_user (f, 3, 1, NAN);
  parts = jm_gpu_split_take (f->split, 0, 100 * JOULE, SECOND);

  assert_parts (parts, (20 + 20) * JOULE, 0, 0, 60 * JOULE);
}

/* --- any round --- */

static double
draw (double absent)
{
  return g_test_rand_double () < absent ? NAN : g_test_rand_double_range (0, 1);
}

static void
add_any (Fixture *f, guint n_devices, guint n_users)
{
  for (guint device = 0; device < n_devices; device++)
    {
      guint n_instances = (guint) g_test_rand_int_range (0, 4);

      add_device (f, 10 * device, g_test_rand_bit () ? draw (0.3) : 0);
      for (guint i = 1; i <= n_instances; i++)
        add_instance (f, 10 * device + i, 10 * device, 1.0 / 7, draw (0.5));
    }

  for (guint i = 0; i < n_users; i++)
    {
      const JmGpuUser user = { 10 * (guint) g_test_rand_int_range (0, (int) n_devices) +
                                 (guint) g_test_rand_int_range (0, 4),
                               g_test_rand_bit () ? draw (0.1) : 0, draw (0.4),
                               draw (0) };

      jm_gpu_split_add_user (f->split, &user);
    }
}

/* The users of other devices have none of it. */
static void
assert_adds_up (const JmGpuParts *parts, guint n_users, guint64 energy_uj)
{
  guint64 sum = parts->system_uj + parts->idle_uj;

  for (guint i = 0; i < n_users; i++)
    {
      g_assert_cmpuint (parts->users_uj[i], <=, energy_uj);
      sum += parts->users_uj[i];
    }
  g_assert_cmpuint (sum, ==, energy_uj);
  g_assert_cmpuint (parts->base_uj, <=, energy_uj);
  g_assert_cmpuint (parts->idle_uj, <=, parts->base_uj);
}

static void
test_never_loses_a_microjoule (Fixture *f, gconstpointer data)
{
  for (guint round = 0; round < 20000; round++)
    {
      guint n_devices = (guint) g_test_rand_int_range (1, 4);
      guint n_users = (guint) g_test_rand_int_range (0, 7);

      jm_gpu_split_begin_round (f->split);
      add_any (f, n_devices, n_users);
      for (guint device = 0; device < n_devices; device++)
        {
          guint64 energy_uj = (guint64) g_test_rand_int_range (0, G_MAXINT32) *
                              (guint64) g_test_rand_int_range (1, 1000);

          assert_adds_up (jm_gpu_split_take (f->split, 10 * device, energy_uj,
                                             g_test_rand_int_range (0, 60 * SECOND)),
                          n_users, energy_uj);
        }
    }
}

#define ADD(path, share_idle, function)                                                \
 g_test_add ("/gpu-split/" path, Fixture, GINT_TO_POINTER (share_idle), set_up,        \
             function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("keeps-what-being-there-takes-apart", FALSE,
       test_keeps_what_being_there_takes_apart);
  ADD ("gives-it-by-what-was-given-where-idling-is-shared", TRUE,
       test_gives_it_by_what_was_given_where_idling_is_shared);
  ADD ("takes-nothing-for-idling-before-it-was-seen", FALSE,
       test_takes_nothing_for_idling_before_it_was_seen);
  ADD ("learns-only-from-what-idled-from-end-to-end", FALSE,
       test_learns_only_from_what_idled_from_end_to_end);
  ADD ("takes-more-for-being-there-longer", FALSE,
       test_takes_more_for_being_there_longer);
  ADD ("believes-the-power-that-an-idle-device-reports", FALSE,
       test_believes_the_power_that_an_idle_device_reports);
  ADD ("gives-what-jobs-did-not-use-to-whom-it-was-given", FALSE,
       test_gives_what_jobs_did_not_use_to_whom_it_was_given);
  ADD ("counts-what-is-used-without-being-given", FALSE,
       test_counts_what_is_used_without_being_given);
  ADD ("is-the-systems-where-no-job-has-it", FALSE,
       test_is_the_systems_where_no_job_has_it);
  ADD ("is-nobodys-where-nobody-has-it-and-it-idles", FALSE,
       test_is_nobodys_where_nobody_has_it_and_it_idles);
  ADD ("goes-by-how-long-somebody-was-there", FALSE,
       test_goes_by_how_long_somebody_was_there);
  ADD ("gives-instances-by-their-slices", FALSE, test_gives_instances_by_their_slices);
  ADD ("gives-instances-by-slices-and-use", FALSE,
       test_gives_instances_by_slices_and_use);
  ADD ("leaves-the-idling-of-instances-without-a-job", TRUE,
       test_leaves_the_idling_of_instances_without_a_job);
  ADD ("never-loses-a-microjoule", FALSE, test_never_loses_a_microjoule);
  ADD ("never-loses-one-where-idling-is-shared", TRUE, test_never_loses_a_microjoule);

  return g_test_run ();
}
