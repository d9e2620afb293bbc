/* test-cluster-node-word.c: what a node does, in the word that sinfo has for it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "cluster/jm-cluster-node-word-private.h"

#define STATE(state) JM_SCHEDULER_NODE_STATE_##state
#define FLAG(flag) (1u << JM_SCHEDULER_NODE_FLAG_##flag)

typedef struct
{
  JmSchedulerNodeState state;
  guint flags;
  const char *other;
  const char *word;
} Truth;

static void
check (const Truth *truths, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      JmSchedulerNode node;
      g_autofree char *word = NULL;

      jm_scheduler_node_init (&node);
      node.state = truths[i].state;
      node.flags = truths[i].flags;
      node.other_flags = truths[i].other;
      word = jm_cluster_node_word_make (&node);
      g_test_message ("%s", truths[i].word);
      g_assert_cmpstr (word, ==, truths[i].word);
    }
}

static void
test_is_the_state_of_a_node_without_flags (void)
{
  const Truth truths[] = {
    { STATE (IDLE), 0, NULL, "idle" },           { STATE (MIXED), 0, NULL, "mixed" },
    { STATE (DOWN), 0, NULL, "down" },           { STATE (FUTURE), 0, NULL, "future" },
    { STATE (ALLOCATED), 0, NULL, "allocated" }, { STATE (ERROR), 0, NULL, "error" },
    { STATE (UNKNOWN), 0, NULL, "unknown" },
  };

  check (truths, G_N_ELEMENTS (truths));
}

static void
test_is_draining_while_jobs_are_left (void)
{
  const Truth truths[] = {
    { STATE (IDLE), FLAG (DRAIN), NULL, "drained" },
    { STATE (DOWN), FLAG (DRAIN), NULL, "drained" },
    { STATE (MIXED), FLAG (DRAIN), NULL, "draining" },
    { STATE (ALLOCATED), FLAG (DRAIN), NULL, "draining" },
    { STATE (IDLE), FLAG (DRAIN) | FLAG (COMPLETING), NULL, "draining" },
    { STATE (IDLE), FLAG (DRAIN) | FLAG (NOT_RESPONDING), NULL, "drained" },
    { STATE (IDLE), FLAG (DRAIN) | FLAG (FAIL), NULL, "drained" },
    { STATE (IDLE), FLAG (FAIL), NULL, "fail" },
    { STATE (MIXED), FLAG (FAIL), NULL, "fail" },
    { STATE (ALLOCATED), FLAG (FAIL), NULL, "failing" },
  };

  check (truths, G_N_ELEMENTS (truths));
}

static void
test_is_what_keeps_jobs_away (void)
{
  const Truth truths[] = {
    { STATE (IDLE), FLAG (INVALID_REG) | FLAG (DRAIN), NULL, "inval" },
    { STATE (IDLE), FLAG (MAINTENANCE), NULL, "maint" },
    { STATE (IDLE), FLAG (MAINTENANCE) | FLAG (RESERVED), NULL, "maint" },
    { STATE (IDLE), FLAG (MAINTENANCE) | FLAG (DRAIN), NULL, "drained" },
    { STATE (DOWN), FLAG (MAINTENANCE), NULL, "down" },
    { STATE (MIXED), FLAG (MAINTENANCE), NULL, "mixed" },
    { STATE (IDLE), FLAG (REBOOT_ISSUED), NULL, "reboot" },
    { STATE (DOWN), FLAG (REBOOT_REQUESTED), NULL, "reboot" },
    { STATE (ALLOCATED), FLAG (REBOOT_REQUESTED), NULL, "allocated" },
    { STATE (IDLE), FLAG (RESERVED) | FLAG (PLANNED), NULL, "reserved" },
    { STATE (IDLE), FLAG (PLANNED), NULL, "planned" },
    { STATE (MIXED), FLAG (PLANNED), NULL, "mixed" },
    { STATE (IDLE), FLAG (COMPLETING), NULL, "completing" },
    { STATE (MIXED), FLAG (COMPLETING), NULL, "completing" },
    { STATE (ALLOCATED), FLAG (COMPLETING), NULL, "allocated" },
    { STATE (DOWN), FLAG (COMPLETING), NULL, "down" },
  };

  check (truths, G_N_ELEMENTS (truths));
}

static void
test_has_no_marks (void)
{
  const Truth truths[] = {
    { STATE (IDLE), FLAG (CLOUD) | FLAG (POWERED_DOWN), NULL, "idle" },
    { STATE (DOWN), FLAG (NOT_RESPONDING), NULL, "down" },
    { STATE (MIXED), FLAG (POWERING_UP), NULL, "mixed" },
    { STATE (UNKNOWN), FLAG (POWERING_UP), NULL, "powering_up" },
  };

  check (truths, G_N_ELEMENTS (truths));
}

static void
test_is_passed_on_where_it_is_not_known (void)
{
  const Truth truths[] = {
    { STATE (UNKNOWN), 0, "perfctrs", "perfctrs" },
    { STATE (UNKNOWN), 0, "NEWEST,other", "newest" },
    { STATE (UNKNOWN), FLAG (DRAIN), "newest", "drained" },
    { STATE (IDLE), 0, "newest", "idle" },
  };

  check (truths, G_N_ELEMENTS (truths));
}

/* Whatever flags there are, of a state that is known. */
static void
test_is_always_one_that_is_reported (void)
{
  for (guint state = 0; state < JM_N_SCHEDULER_NODE_STATES; state++)
    for (guint i = 0; i < 10000; i++)
      {
        JmSchedulerNode node;
        g_autofree char *word = NULL;

        jm_scheduler_node_init (&node);
        node.state = state;
        node.flags = (guint) g_test_rand_int () & (guint) g_test_rand_int ();
        word = jm_cluster_node_word_make (&node);
        g_assert_true (g_strv_contains (jm_cluster_node_word_list (), word));
      }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cluster-node-word/is-the-state-of-a-node-without-flags",
                   test_is_the_state_of_a_node_without_flags);
  g_test_add_func ("/cluster-node-word/is-draining-while-jobs-are-left",
                   test_is_draining_while_jobs_are_left);
  g_test_add_func ("/cluster-node-word/is-what-keeps-jobs-away",
                   test_is_what_keeps_jobs_away);
  g_test_add_func ("/cluster-node-word/has-no-marks", test_has_no_marks);
  g_test_add_func ("/cluster-node-word/is-passed-on-where-it-is-not-known",
                   test_is_passed_on_where_it_is_not_known);
  g_test_add_func ("/cluster-node-word/is-always-one-that-is-reported",
                   test_is_always_one_that_is_reported);

  return g_test_run ();
}
