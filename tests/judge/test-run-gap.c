/* test-run-gap.c: why a run lacks records of its nodes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"
#include "judge/jm-run-gap-private.h"

typedef struct
{
  JmRun *run;
} Fixture;

/* As the accounting has it. */
static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (JmRun) told = jm_run_new ("alps", "7");

  f->run = jm_run_new ("alps", "7");
  jm_run_keep_number (told, JM_RUN_FIELD_START_TIME, 1000);
  jm_run_keep_number (told, JM_RUN_FIELD_END_TIME, 2000);
  jm_run_keep_number (told, JM_RUN_FIELD_NODES, 3);
  jm_run_keep_text (told, JM_RUN_FIELD_NODE_LIST, "n[1-3]");
  jm_run_keep_text (told, JM_RUN_FIELD_STATE, "COMPLETED");
  jm_run_merge_facts (f->run, told, JM_RUN_SOURCE_ACCOUNTING);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  jm_run_unref (f->run);
}

static void
add (Fixture *f, const char *node, const char *run_key, gint64 end)
{
  g_autoptr (JmRunPart) part = jm_run_part_new (JM_RUN_PART_KIND_NODE);

  jm_run_part_set_text (part, JM_QUANTITY_NODE, node);
  jm_run_part_set_text (part, JM_QUANTITY_KEY, run_key);
  if (end > 0)
    jm_run_part_set_number (part, JM_QUANTITY_END_TIME, end);
  jm_run_add_part (f->run, part);
}

static const char *
get_reason (const char *cluster, const char *node, gint64 end_time, gpointer data)
{
  g_assert_cmpstr (cluster, ==, "alps");
  g_assert_cmpint (end_time, ==, 2000);

  return g_str_equal (node, "n2") ? "its ledger is away" : NULL;
}

static void
assert_gap (Fixture *f, const char *wanted)
{
  g_autofree char *gap = jm_run_gap_explain (f->run, get_reason, NULL);

  g_assert_cmpstr (gap, ==, wanted);
}

static void
test_a_run_with_all_its_records_has_none (Fixture *f, gconstpointer data)
{
  g_autoptr (JmRunPart) step = jm_run_part_new (JM_RUN_PART_KIND_STEP);

  jm_run_add_part (f->run, step);
  add (f, "n1", "a", 2000);
  add (f, "N2.example.org", "b", 2000);
  add (f, "n3", "c", 2001);
  assert_gap (f, NULL);
}

static void
test_a_node_without_record_is_named_with_the_reason (Fixture *f, gconstpointer data)
{
  add (f, "n1.example.org", "a", 2000);
  assert_gap (f, "Records of 2 of 3 nodes are missing, such as of n2: its ledger is "
                 "away.");
  add (f, "n2", "b", 2000);
  assert_gap (f, "Records of 1 of 3 nodes are missing, such as of n3.");
  /* a time series database is no record */
  add (f, "n3", JM_RUN_KEY_TIME_SERIES, 2000);
  assert_gap (f, "Records of 1 of 3 nodes are missing, such as of n3.");
  add (f, "n3", "c", 0);
  assert_gap (f, "Records of 1 of 3 nodes are missing, such as of n3: it has recorded "
                 "no end of the job.");
}

static void
test_a_node_under_another_name_stands_for_one (Fixture *f, gconstpointer data)
{
  add (f, "n1-ib", "a", 2000);
  assert_gap (f, "Records of 2 of 3 nodes are missing.");
}

static void
test_nodes_whose_names_are_not_known_are_counted (Fixture *f, gconstpointer data)
{
  jm_run_clear (f->run, JM_RUN_FIELD_NODE_LIST);
  assert_gap (f, "Records of 3 of 3 nodes are missing.");
  jm_run_clear (f->run, JM_RUN_FIELD_NODES);
  assert_gap (f, "Records of 1 of 1 nodes are missing.");
}

static void
test_a_run_that_nodes_alone_know_lacks_the_accounting (Fixture *f, gconstpointer data)
{
  add (f, "n1", "a", 2000);
  jm_run_clear (f->run, JM_RUN_FIELD_STATE);
  assert_gap (f, "The scheduler's accounting does not have this run.");
}

static void
test_a_run_that_did_not_begin_or_end_has_none (Fixture *f, gconstpointer data)
{
  jm_run_clear (f->run, JM_RUN_FIELD_END_TIME);
  assert_gap (f, NULL);
  jm_run_keep_number (f->run, JM_RUN_FIELD_END_TIME, 2000);
  jm_run_clear (f->run, JM_RUN_FIELD_START_TIME);
  assert_gap (f, NULL);
}

#define ADD(name, test)                                                                \
 g_test_add ("/run-gap/" name, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("a-run-with-all-its-records-has-none", test_a_run_with_all_its_records_has_none);
  ADD ("a-node-without-record-is-named-with-the-reason",
       test_a_node_without_record_is_named_with_the_reason);
  ADD ("a-node-under-another-name-stands-for-one",
       test_a_node_under_another_name_stands_for_one);
  ADD ("nodes-whose-names-are-not-known-are-counted",
       test_nodes_whose_names_are_not_known_are_counted);
  ADD ("a-run-that-nodes-alone-know-lacks-the-accounting",
       test_a_run_that_nodes_alone_know_lacks_the_accounting);
  ADD ("a-run-that-did-not-begin-or-end-has-none",
       test_a_run_that_did_not_begin_or_end_has_none);

  return g_test_run ();
}
