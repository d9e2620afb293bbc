/* test-placement.c: on which CPUs a job was seen of late
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/energy/jm-energy-account-private.h"

static guint64
get (JmPlacement *placement, guint cpu)
{
  guint n;
  const guint64 *recent_ns = jm_placement_get (placement, &n);

  return cpu < n ? recent_ns[cpu] : 0;
}

static void
test_what_was_before_is_not_known (void)
{
  g_autoptr (JmPlacement) placement = jm_placement_new ();

  jm_placement_take (placement, (guint64[]){ 1000, 0 }, 2, FALSE);
  g_assert_cmpuint (get (placement, 0), ==, 0);

  jm_placement_take (placement, (guint64[]){ 1000, 400 }, 2, FALSE);
  g_assert_cmpuint (get (placement, 0), ==, 0);
  g_assert_cmpuint (get (placement, 1), ==, 400);
}

static void
test_a_job_that_began_since_is_known_at_once (void)
{
  g_autoptr (JmPlacement) placement = jm_placement_new ();

  jm_placement_take (placement, (guint64[]){ 1000 }, 1, TRUE);
  g_assert_cmpuint (get (placement, 0), ==, 1000);
}

static void
test_what_is_older_counts_for_less (void)
{
  g_autoptr (JmPlacement) placement = jm_placement_new ();

  jm_placement_take (placement, (guint64[]){ 400 }, 1, TRUE);
  jm_placement_take (placement, (guint64[]){ 400, 0, 400 }, 3, FALSE);
  g_assert_cmpuint (get (placement, 0), ==, 300);
  g_assert_cmpuint (get (placement, 2), ==, 400);

  jm_placement_take (placement, NULL, 0, FALSE);
  g_assert_cmpuint (get (placement, 2), ==, 400);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/placement/what-was-before-is-not-known",
                   test_what_was_before_is_not_known);
  g_test_add_func ("/placement/a-job-that-began-since-is-known-at-once",
                   test_a_job_that_began_since_is_known_at_once);
  g_test_add_func ("/placement/what-is-older-counts-for-less",
                   test_what_is_older_counts_for_less);

  return g_test_run ();
}
