/* test-answers.c: scrapers that come together get the same answer
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "daemon/jme-figures.h"
#include "node/jm-node.h"
#include "scrape/jme-answers.h"

#define AN_HOUR_MS 3600000
#define ACCEPT_PROTOBUF                                                                \
 "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"            \
 "encoding=delimited"

static JmSnapshot *
make_snapshot (void)
{
  g_autoptr (JmHost) host = jm_host_new ("/nonexistent");
  g_autoptr (GError) error = NULL;
  g_autoptr (JmNode) node = jm_node_new_full (host, &error);

  g_assert_no_error (error);

  return jm_node_sample (node, NULL, NULL);
}

static JmeBody *
get (JmeAnswers *answers,
     JmSnapshot *snapshot,
     const JmCollectorSet *collectors,
     JmeFormat format)
{
  JmeFormat given = format;
  JmeBody *body = jme_answers_get (answers, snapshot, collectors, &given, AN_HOUR_MS);

  g_assert_cmpint (given, ==, format);

  return body;
}

static JmeBody *
get_text (JmeAnswers *answers, JmSnapshot *snapshot)
{
  return get (answers, snapshot, NULL, JME_FORMAT_PROMETHEUS);
}

static void
test_those_who_come_together_share_an_answer (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (JmeAnswers) answers = jme_answers_new (jm_text_encoder_new ());
  g_autoptr (JmeBody) first = get_text (answers, snapshot);
  g_autoptr (JmeBody) second =
    get (answers, snapshot, jm_collector_set_get_all (), JME_FORMAT_PROMETHEUS);

  g_assert_true (first == second);
  g_assert_nonnull (jme_body_get_packed (first));
  g_assert_true (jme_body_get_packed (first) == jme_body_get_packed (second));
}

static void
test_who_asks_for_something_else_gets_something_else (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (JmSnapshot) later = make_snapshot ();
  g_autoptr (JmeAnswers) answers = jme_answers_new (jm_text_encoder_new ());
  g_autoptr (JmeBody) first = get_text (answers, snapshot);
  g_autoptr (JmeBody) other_format =
    get (answers, snapshot, NULL, JME_FORMAT_OPENMETRICS);
  g_autoptr (JmeBody) other_collectors =
    get (answers, snapshot, JM_COLLECTOR_SET (JM_COLLECTOR_CPU),
         JME_FORMAT_OPENMETRICS);
  g_autoptr (JmeBody) other_snapshot =
    get (answers, later, JM_COLLECTOR_SET (JM_COLLECTOR_CPU), JME_FORMAT_OPENMETRICS);

  g_assert_true (first != other_format);
  g_assert_true (other_format != other_collectors);
  g_assert_true (other_collectors != other_snapshot);
}

static void
test_formats_are_kept_beside_each_other (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (JmeAnswers) answers = jme_answers_new (jm_text_encoder_new ());
  g_autoptr (JmeBody) first = get_text (answers, snapshot);
  g_autoptr (JmeBody) between = get (answers, snapshot, NULL, JME_FORMAT_OPENMETRICS);
  g_autoptr (JmeBody) second = get_text (answers, snapshot);

  g_assert_true (first == second);
  g_assert_true (first != between);
}

static void
test_protobuf_is_encoded_once (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (JmeAnswers) answers = jme_answers_new (jm_text_encoder_new ());
  JmeFormat format = JME_FORMAT_PROTOBUF;
  g_autoptr (JmeBody) first = get (answers, snapshot, NULL, format);
  g_autoptr (JmeBody) text = get_text (answers, snapshot);
  g_autoptr (JmeBody) second = get (answers, snapshot, NULL, format);

  g_assert_true (first == second);
  g_assert_true (first != text);
  g_assert_true (jme_body_get_packed (first) == jme_body_get_packed (second));
}

static void
append_nonsense (JmMetricSelection *selection, JmTextWriter *writer, gpointer user_data)
{
  g_string_append (writer->out, "nonsense\n");
}

static void
test_who_cannot_have_protobuf_gets_text (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (JmeAnswers) answers = jme_answers_new (jm_text_encoder_new ());
  g_autoptr (JmeBody) body = NULL;
  g_autoptr (JmeBody) text = NULL;
  JmeFormat format = JME_FORMAT_PROTOBUF;

  jme_answers_add_further (answers, append_nonsense, NULL);
  g_test_expect_message (NULL, G_LOG_LEVEL_WARNING, "*are given text: *");
  body = jme_answers_get (answers, snapshot, NULL, &format, AN_HOUR_MS);
  g_test_assert_expected_messages ();

  g_assert_cmpint (format, ==, JME_FORMAT_PROMETHEUS);
  text = get_text (answers, snapshot);
  g_assert_true (body == text);
}

static void
test_an_answer_does_not_last (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (JmeAnswers) answers = jme_answers_new (jm_text_encoder_new ());
  JmeFormat format = JME_FORMAT_PROMETHEUS;
  g_autoptr (JmeBody) first = jme_answers_get (answers, snapshot, NULL, &format, 0);
  g_autoptr (JmeBody) second = NULL;

  while (!g_main_context_iteration (NULL, TRUE))
    ;
  second = jme_answers_get (answers, snapshot, NULL, &format, 0);
  g_assert_true (first != second);
}

static gboolean
get_number (gconstpointer part, guint64 *value)
{
  *value = *(const guint64 *) part;

  return *value > 0;
}

static void
append_number (JmMetricSelection *selection, JmTextWriter *writer, gpointer user_data)
{
  const JmeFigure figures[] = {
    { JM_FAMILY_KIND_GAUGE, "test_seconds", "For how long.", 1, get_number },
  };

  g_assert_true (jme_figures_match (figures, G_N_ELEMENTS (figures), "test_*"));
  g_assert_false (jme_figures_match (figures, G_N_ELEMENTS (figures), "jobmetrics_*"));
  jme_figures_append (figures, G_N_ELEMENTS (figures), user_data, selection, writer);
}

static gboolean
has (JmeAnswers *answers, const char *line)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (GBytes) text = jme_answers_render (answers, snapshot);

  return g_strstr_len (g_bytes_get_data (text, NULL), (gssize) g_bytes_get_size (text),
                       line) != NULL;
}

static void
test_parts_have_figures_of_their_own (void)
{
  guint64 one = 15, other = 70, none = 0;
  g_autoptr (JmeAnswers) answers = jme_answers_new (jm_text_encoder_new ());

  jme_answers_add_further (answers, append_number, &none);
  g_assert_false (has (answers, "test_seconds"));
  jme_answers_add_further (answers, append_number, &one);
  jme_answers_add_further (answers, append_number, &other);
  g_assert_true (has (answers, "\ntest_seconds 1.5\n"));
  g_assert_true (has (answers, "\ntest_seconds 7\n"));
  jme_answers_remove_further (answers, &one);
  g_assert_false (has (answers, "\ntest_seconds 1.5\n"));
  g_assert_true (has (answers, "\ntest_seconds 7\n"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/answers/those-who-come-together-share-an-answer",
                   test_those_who_come_together_share_an_answer);
  g_test_add_func ("/answers/who-asks-for-something-else-gets-something-else",
                   test_who_asks_for_something_else_gets_something_else);
  g_test_add_func ("/answers/formats-are-kept-beside-each-other",
                   test_formats_are_kept_beside_each_other);
  /* as built */
  if (jme_format_negotiate (ACCEPT_PROTOBUF) == JME_FORMAT_PROTOBUF)
    g_test_add_func ("/answers/protobuf-is-encoded-once",
                     test_protobuf_is_encoded_once);
  g_test_add_func ("/answers/who-cannot-have-protobuf-gets-text",
                   test_who_cannot_have_protobuf_gets_text);
  g_test_add_func ("/answers/an-answer-does-not-last", test_an_answer_does_not_last);
  g_test_add_func ("/answers/parts-have-figures-of-their-own",
                   test_parts_have_figures_of_their_own);

  return g_test_run ();
}
