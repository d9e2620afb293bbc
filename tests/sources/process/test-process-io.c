/* test-process-io.c: what a child read and wrote counts once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <unistd.h>

#include "child.h"
#include "rounds.h"

#define KIB 1024
#define CHILD_BYTES (512 * KIB)

/* What tests write to talk with their children. */
#define CHATTER (8 * KIB)

static guint64
get_written (Rounds *rounds)
{
  return rounds_get (rounds, rounds->group, JM_METRIC_PROCESS_WRITE_CHARS, NULL);
}

static void
assert_written (Rounds *rounds, guint64 bytes)
{
  g_assert_cmpuint (get_written (rounds), >=, bytes);
  g_assert_cmpuint (get_written (rounds), <, bytes + CHATTER);
}

static void
test_a_child_that_was_waited_for_counts_once (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) parent = child_new ();
  guint child = (guint) child_ask (parent, CHILD_FORK, CHILD_BYTES);

  ROUNDS_RUN (rounds, parent->pid, child);
  assert_written (rounds, CHILD_BYTES);

  /* the kernel has added the child's figures to the parent's */
  child_ask (parent, CHILD_WAIT, 0);
  ROUNDS_RUN (rounds, parent->pid);
  assert_written (rounds, CHILD_BYTES);

  child_ask (parent, CHILD_WRITE, 64 * KIB);
  ROUNDS_RUN (rounds, parent->pid);
  assert_written (rounds, CHILD_BYTES + 64 * KIB);
}

static void
test_it_does_so_when_it_ends_half_way_through_a_round (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) parent = child_new ();
  guint child = (guint) child_ask (parent, CHILD_FORK, CHILD_BYTES);

  ROUNDS_RUN (rounds, parent->pid, child);

  rounds_begin (rounds);
  jm_process_source_add_process (rounds->table, rounds->group, (guint) parent->pid);
  child_ask (parent, CHILD_WAIT, 0);
  jm_process_source_add_process (rounds->table, rounds->group, child);
  rounds_end (rounds);
  assert_written (rounds, CHILD_BYTES);

  ROUNDS_RUN (rounds, parent->pid);
  assert_written (rounds, CHILD_BYTES);
}

static void
test_children_that_were_never_seen_count_with_their_parent (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) parent = child_new ();

  ROUNDS_RUN (rounds, parent->pid);
  child_ask (parent, CHILD_FORK, CHILD_BYTES);
  child_ask (parent, CHILD_WAIT, 0);
  ROUNDS_RUN (rounds, parent->pid);

  assert_written (rounds, CHILD_BYTES);
}

static void
test_nothing_is_taken_from_a_parent_that_does_not_wait (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) parent = child_new ();
  guint child;

  child_ask (parent, CHILD_IGNORE, 0);
  child = (guint) child_ask (parent, CHILD_FORK, CHILD_BYTES);
  ROUNDS_RUN (rounds, parent->pid, child);

  child_ask (parent, CHILD_WAIT, 0);
  child_ask (parent, CHILD_WRITE, 64 * KIB);
  ROUNDS_RUN (rounds, parent->pid);

  assert_written (rounds, CHILD_BYTES + 64 * KIB);
}

static void
test_a_whole_family_that_ends_counts_once (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) parent = child_new ();
  guint child = (guint) child_ask (parent, CHILD_FORK, CHILD_BYTES);
  guint64 before;

  /* we wait for the parent, and so are given what both wrote */
  ROUNDS_RUN (rounds, getpid (), parent->pid, child);
  before = get_written (rounds);

  child_ask (parent, CHILD_WAIT, 0);
  child_end (parent);
  ROUNDS_RUN (rounds, getpid ());

  g_assert_cmpuint (get_written (rounds), >=, before);
  g_assert_cmpuint (get_written (rounds), <, before + CHATTER);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/process-io/a-child-that-was-waited-for-counts-once",
                   test_a_child_that_was_waited_for_counts_once);
  g_test_add_func ("/process-io/it-does-so-when-it-ends-half-way-through-a-round",
                   test_it_does_so_when_it_ends_half_way_through_a_round);
  g_test_add_func ("/process-io/children-that-were-never-seen-count-with-their-parent",
                   test_children_that_were_never_seen_count_with_their_parent);
  g_test_add_func ("/process-io/nothing-is-taken-from-a-parent-that-does-not-wait",
                   test_nothing_is_taken_from_a_parent_that_does_not_wait);
  g_test_add_func ("/process-io/a-whole-family-that-ends-counts-once",
                   test_a_whole_family_that_ends_counts_once);

  return g_test_run ();
}
