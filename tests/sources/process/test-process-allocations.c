/* test-process-allocations.c: rounds over the same processes allocate nothing
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdlib.h>

#include "allocations.h"
#include "child.h"
#include "rounds.h"

#define N_CHILDREN 16
#define WARM_UP_ROUNDS 3

static void
run_round (Rounds *rounds, const guint *pids, guint n_pids)
{
  rounds_run (rounds, rounds->group, pids, n_pids);
  jm_process_source_read_group (rounds->table, rounds->group, rounds->readings);
}

static guint
count_allocations (const guint *pids, guint n_pids)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  guint64 before;

  for (guint i = 0; i < WARM_UP_ROUNDS; i++)
    run_round (rounds, pids, n_pids);

  before = allocations_count_of_thread ();
  run_round (rounds, pids, n_pids);

  return (guint) (allocations_count_of_thread () - before);
}

static void
test_the_second_round_allocates_nothing (void)
{
  Child *children[N_CHILDREN];
  guint pids[N_CHILDREN];
  guint64 before = allocations_count_of_thread ();

  for (guint i = 0; i < N_CHILDREN; i++)
    {
      children[i] = child_new ();
      child_ask (children[i], CHILD_START_THREAD, 2);
      pids[i] = (guint) children[i]->pid;
    }

  /* the counter itself works */
  g_assert_cmpuint (allocations_count_of_thread (), >, before);
  g_assert_cmpuint (count_allocations (pids, N_CHILDREN / 2), ==, 0);
  g_assert_cmpuint (count_allocations (pids, N_CHILDREN), ==, 0);

  for (guint i = 0; i < N_CHILDREN; i++)
    child_free (children[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/process-allocations/the-second-round-allocates-nothing",
                   test_the_second_round_allocates_nothing);

  return g_test_run ();
}
