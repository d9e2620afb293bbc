/* test-node-answers.c: scrapers that come together are told the same
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "collect/jm-node.h"
#include "node/jme-node-answers.h"

#define AN_HOUR_MS 3600000

static JmSnapshot *
make_snapshot (void)
{
  g_autoptr (JmHost) host = jm_host_new ("/nonexistent");
  g_autoptr (GError) error = NULL;
  g_autoptr (JmNode) node = jm_node_new_full (host, &error);

  g_assert_no_error (error);

  return jm_node_sample (node, NULL, NULL);
}

static void
test_those_who_come_together_share_an_answer (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (JmeNodeAnswers) answers = jme_node_answers_new (jm_text_encoder_new ());
  g_autoptr (JmeBody) first =
    jme_node_answers_get (answers, snapshot, NULL, JM_TEXT_FORMAT_PROMETHEUS,
                          AN_HOUR_MS);
  g_autoptr (JmeBody) second =
    jme_node_answers_get (answers, snapshot, jm_collector_set_get_all (),
                          JM_TEXT_FORMAT_PROMETHEUS, AN_HOUR_MS);

  g_assert_true (first == second);
  g_assert_nonnull (jme_body_get_packed (first));
  g_assert_true (jme_body_get_packed (first) == jme_body_get_packed (second));
}

static void
test_who_asks_for_something_else_is_told_something_else (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (JmSnapshot) later = make_snapshot ();
  g_autoptr (JmeNodeAnswers) answers = jme_node_answers_new (jm_text_encoder_new ());
  g_autoptr (JmeBody) first =
    jme_node_answers_get (answers, snapshot, NULL, JM_TEXT_FORMAT_PROMETHEUS,
                          AN_HOUR_MS);
  g_autoptr (JmeBody) other_format =
    jme_node_answers_get (answers, snapshot, NULL, JM_TEXT_FORMAT_OPENMETRICS,
                          AN_HOUR_MS);
  g_autoptr (JmeBody) other_collectors =
    jme_node_answers_get (answers, snapshot, JM_COLLECTOR_SET (JM_COLLECTOR_CPU),
                          JM_TEXT_FORMAT_OPENMETRICS, AN_HOUR_MS);
  g_autoptr (JmeBody) other_snapshot =
    jme_node_answers_get (answers, later, JM_COLLECTOR_SET (JM_COLLECTOR_CPU),
                          JM_TEXT_FORMAT_OPENMETRICS, AN_HOUR_MS);

  g_assert_true (first != other_format);
  g_assert_true (other_format != other_collectors);
  g_assert_true (other_collectors != other_snapshot);
}

static void
test_an_answer_does_not_last (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (JmeNodeAnswers) answers = jme_node_answers_new (jm_text_encoder_new ());
  g_autoptr (JmeBody) first =
    jme_node_answers_get (answers, snapshot, NULL, JM_TEXT_FORMAT_PROMETHEUS, 0);
  g_autoptr (JmeBody) second = NULL;

  while (!g_main_context_iteration (NULL, TRUE))
    ;
  second = jme_node_answers_get (answers, snapshot, NULL, JM_TEXT_FORMAT_PROMETHEUS, 0);
  g_assert_true (first != second);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/node-answers/those-who-come-together-share-an-answer",
                   test_those_who_come_together_share_an_answer);
  g_test_add_func ("/node-answers/who-asks-for-something-else-is-told-something-else",
                   test_who_asks_for_something_else_is_told_something_else);
  g_test_add_func ("/node-answers/an-answer-does-not-last",
                   test_an_answer_does_not_last);

  return g_test_run ();
}
