/* test-promql.c: a query reads what its author may see, or is refused
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "access/jm-promql-private.h"
#include "base/jm-error.h"

typedef struct
{
  const char *query;
  const char *selectors; /* as written, one a line */
} Known;

static const Known known[] = {
  { "1 + 1", "" },
  { "time() - 0x1F * .5e-3 ^ -Inf % NaN", "" },
  { "\"text\"", "" },
  { "up", "up" },
  { "up{job=\"node\"}", "up{job=\"node\"}" },
  { "rate(jobmetrics_job_cpu_seconds_total{uuid=\"u\"}[5m])",
    "jobmetrics_job_cpu_seconds_total{uuid=\"u\"}" },
  { "sum by (jobid) (rate(a{x='1'}[1h30m])) / on (jobid) group_left (user) b{y=`2`}",
    "a{x='1'}\nb{y=`2`}" },
  { "sum(a) without (b, c,) * ignoring(d) group_right c", "a\nc" },
  { "max_over_time(sum(rate(a[5m]))[1h:1m])", "a" },
  { "max_over_time(a[1h:] offset -5m @ end())", "a" },
  { "a offset 1w @ 1609746000.5 + b @ start() offset 2d", "a\nb" },
  { "topk(5, a{b!=\"c\",d=~\"e.*\",f!~\"g\",}) # h{}\n or i",
    "a{b!=\"c\",d=~\"e.*\",f!~\"g\",}\ni" },
  { "count_values(\"version\", build_info)", "build_info" },
  { "label_replace(a, \"x\", \"$1\", \"y\", \"b{(.*)}\")", "a" },
  { "histogram_quantile(0.9, sum by(le) (rate(h_bucket[5m])))", "h_bucket" },
  { "SUM BY (a) (b) OR c AND d UNLESS ON (e) f", "b\nc\nd\nf" },
  { "a > bool 0 == 1 != b", "a\nb" },
  { "rate + sum + by and and or or", "rate\nsum\nby\nand\nor" },
  { "sum{a=\"b\"} * avg", "sum{a=\"b\"}\navg" },
  { "start + end + offset offset 5m", "start\nend\noffset" },
  { "job:cpu:rate5m * :x:y", "job:cpu:rate5m\n:x:y" },
  { "{__name__=~\"job_.*\", uuid='a'}", "{__name__=~\"job_.*\", uuid='a'}" },
  { "a # one { \" '\n {b=\"c\"}", "a # one { \" '\n {b=\"c\"}" },
  { "a{b=\"}\"} + c{d='{'}", "a{b=\"}\"}\nc{d='{'}" },
  { "a{on=\"1\",by=\"2\",sum=\"3\"}", "a{on=\"1\",by=\"2\",sum=\"3\"}" },
  { "sum by (on, by, sum, bool) (a)", "a" },
  { "((((a))))", "a" },
  { "- -+a", "a" },
  { "absent(a{b=\"c\"}) or vector(0)", "a{b=\"c\"}" },
  { "a atan2 b", "a\nb" },
  { "clamp_max(100 * (1 - a / b), 100)", "a\nb" },
  { "infinity + nano", "infinity\nnano" },
  { "a\t{\r\n}", "a\t{\r\n}" },
  { "{\"metric.name\", \"label.name\"=\"x\"}",
    "{\"metric.name\", \"label.name\"=\"x\"}" },
  { "sum by (\"label.name\") ({\"a\"})", "{\"a\"}" },
};

static const char *const not_understood[] = {
  "",
  " # a",
  "{}",
  "{,}",
  "a{,}",
  "a{b}",
  "a{b=c}",
  "a{b=\"c\" d=\"e\"}",
  "a{b=\"c\",,}",
  "a{b==\"c\"}",
  "a{b=\"c\" or d=\"e\"}",
  "a{b=\"c\"",
  "a{__name__=\"b\"}",
  "a{\"b\"}",
  "{\"a\",\"b\"}",
  "{\"a\",__name__=~\"b\"}",
  "a b",
  "a{b=\"c\"}{d=\"e\"}",
  "(a",
  "a)",
  "a +",
  "a =~ b",
  "a = b",
  "on",
  "bool",
  "a[5m",
  "a[5]",
  "a[0s]",
  "a[5m30h]",
  "a[5m]5",
  "a[5m][5m]",
  "a[5m:1m][5m:1m]",
  "(a)[5m]",
  "a offset 5m offset 5m",
  "a offset 5m [5m]",
  "a @ 1 @ 2",
  "a @ start",
  "a @ b",
  "(a) offset 5m",
  "\"a",
  "\"a\nb\"",
  "'\\\"'",
  "\"\\q\"",
  "\"\\x00\"",
  "\"\\xff\"",
  "\"\\ud800\"",
  "`a\rb`",
  "1x",
  "0x",
  "a @ 01772323205",
  "09",
  "00",
  "1e",
  "1.2.3",
  "inf{a=\"b\"}",
  "info(a, {b=\"c\"})",
  "union(a, b)",
  "WITH (x = a) x",
  "Rate(a[5m])",
  "a keep_metric_names",
  "rate(a[5m],)",
  "sum by (a{b=\"c\"}) (d)",
  "sum by (a) (b) by (c)",
  "a and on(b) group_left c",
  "a + bool b",
  "a * on(b) group_left (c{d=\"e\"})",
  "-\"a\"",
  "\"a\" + 1",
  "a # b\rc",
  "\302\240a",
  "\xd0\xb0",
  "a\xef\xbb\xbf",
  "$a",
  "a;b",
  "a /* b */",
};

typedef struct
{
  const char *query;
  gboolean is_confined;
} Case;

/* Runs u1 and u2, and all of jobs 7 and 8 on alps, may be seen. */
static const Case cases[] = {
  { "1", TRUE },
  { "a{uuid=\"u1\"}", TRUE },
  { "a{uuid='u1'} / b{uuid=`u2`}", TRUE },
  { "a{uuid=\"\\u0075\\x31\"}", TRUE },
  { "a{uuid=~\"u1|u2\"}", TRUE },
  { "a{uuid=~\"(u1|u2)\"}", TRUE },
  { "{__name__=~\".+\",uuid=\"u1\"}", TRUE },
  { "{\"uuid\"=\"u1\"}", TRUE },
  { "a{uuid=\"u1\",uuid!=\"u1\"}", TRUE },
  { "a{uuid=\"u1\",uuid=~\".*\"}", TRUE },
  { "a{cluster=\"alps\",jobid=\"7\"}", TRUE },
  { "a{cluster=\"alps\",jobid=~\"7|8\"}", TRUE },
  { "max_over_time(rate(a{uuid=\"u1\"}[5m])[1h:1m] offset 5m @ end())", TRUE },
  { "a", FALSE },
  { "a{}", FALSE },
  { "{__name__=~\".+\"}", FALSE },
  { "{\"u1\"}", FALSE },
  { "a{uuid=\"\"}", FALSE },
  { "a{uuid=~\"\"}", FALSE },
  { "a{uuid=~\"u1|\"}", FALSE },
  { "a{uuid=~\"|u1\"}", FALSE },
  { "a{uuid=~\"(u1|)\"}", FALSE },
  { "a{uuid=~\"u1|u3\"}", FALSE },
  { "a{uuid=~\"u1|.*\"}", FALSE },
  { "a{uuid=~\"u.\"}", FALSE },
  { "a{uuid=~\"u1?\"}", FALSE },
  { "a{uuid=~\"u1)|(u2\"}", FALSE },
  { "a{uuid=~\"(u1\"}", FALSE },
  { "a{uuid=~\"(?i)u1\"}", FALSE },
  { "a{uuid=~\"u1\\\\d\"}", FALSE },
  { "a{uuid=~\"[u]1\"}", FALSE },
  { "a{uuid!=\"u3\"}", FALSE },
  { "a{uuid!~\"u3\"}", FALSE },
  { "a{UUID=\"u1\"}", FALSE },
  { "a{uuid=\"u1 \"}", FALSE },
  { "a{xuuid=\"u1\"}", FALSE },
  { "a{x=\"uuid=\\\"u1\\\"\"}", FALSE },
  { "a{x=\"\",y=\",uuid='u1'\"}", FALSE },
  { "a{jobid=\"7\"}", FALSE },
  { "a{cluster=\"alps\"}", FALSE },
  { "a{cluster=\"alps\",jobid=\"9\"}", FALSE },
  { "a{cluster=~\"alps|daint\",jobid=\"7\"}", FALSE },
  { "a{cluster=\"alps\",jobid=~\"7|9\"}", FALSE },
  { "a{cluster=~\".*\",jobid=\"7\"}", FALSE },
  { "a{slurmjobid=\"7\",cluster=\"alps\"}", TRUE },
  { "a{uuid=\"7\",gpuuuid=\"g\",cluster=\"alps\"}", TRUE },
  { "a{uuid=~\"7|8\",cluster=\"alps\"}", TRUE },
  { "a{uuid=\"7\"}", FALSE },
  { "a{uuid=\"9\",cluster=\"alps\"}", FALSE },
  { "a{uuid=~\"u1|9\",cluster=\"alps\"}", FALSE },
  { "a{uuid=\"9\",slurmjobid=\"7\",cluster=\"alps\"}", TRUE },
  { "a{slurmjobid=\"u1\"}", FALSE },
  { "a{gpuuuid=\"u1\"}", FALSE },
  { "a{uuid=\"u1\"} or b", FALSE },
  { "b or a{uuid=\"u1\"}", FALSE },
  { "a{uuid=\"u1\"} unless on() b", FALSE },
  { "a{uuid=\"u1\"} * on() group_left(uuid) b", FALSE },
  { "count_values(\"{uuid='u1'}\", a)", FALSE },
  { "a # {uuid=\"u1\"}", FALSE },
  { "a # x\n + b{uuid=\"u1\"}", FALSE },
  { "label_replace(a, \"uuid\", \"u1\", \"\", \"\")", FALSE },
  { "sum_over_time((a)[5m:1m]) + b{uuid=\"u1\"}", FALSE },
  { "sum by (uuid) (a)", FALSE },
  { "topk(1, a @ start()) + b{uuid=\"u1\"}", FALSE },
  { "or or a{uuid=\"u1\"}", FALSE },
  { "scalar(a) * b{uuid=\"u1\"}", FALSE },
  { "absent(a{uuid=\"u1\"}) * a{uuid=\"u3\"}", FALSE },
};

static gboolean
is_run (const char *uuid, gpointer user_data)
{
  return strcmp (uuid, "u1") == 0 || strcmp (uuid, "u2") == 0;
}

static gboolean
is_job (const char *cluster,
        const char *jobid,
        double from,
        double to,
        gpointer user_data)
{
  return strcmp (cluster, "alps") == 0 &&
         (strcmp (jobid, "7") == 0 || strcmp (jobid, "8") == 0);
}

/* In some dialect uuid holds the id of a job. */
static GArray *
list_labels (void)
{
  static const JmRunLabel labels[] = { { "cluster", JM_JOB_FIELD_CLUSTER },
                                       { "jobid", JM_JOB_FIELD_ID },
                                       { "uuid", JM_JOB_FIELD_UUID },
                                       { "uuid", JM_JOB_FIELD_ID },
                                       { "slurmjobid", JM_JOB_FIELD_ID } };
  GArray *list = g_array_new (FALSE, FALSE, sizeof (JmRunLabel));

  return g_array_append_vals (list, labels, G_N_ELEMENTS (labels));
}

static gboolean
is_confined (const char *query, const char *cluster, GError **error)
{
  g_autoptr (GArray) labels = list_labels ();
  const JmPromqlAllowed allowed = {
    .uuid = is_run,
    .job = is_job,
    .labels = labels,
    .from = -INFINITY,
    .to = INFINITY,
    .cluster = cluster,
  };

  return jm_promql_is_confined (query, &allowed, error);
}

static void
test_every_selector_is_found (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) selectors =
        jm_promql_list_selectors (known[i].query, NULL, &error);
      g_autoptr (GString) found = g_string_new (NULL);

      g_test_message ("%s", known[i].query);
      g_assert_no_error (error);
      for (guint j = 0; j < selectors->len; j++)
        {
          const JmPromqlSelector *selector = selectors->pdata[j];

          g_assert_true (
            g_str_has_prefix (known[i].query + selector->offset, selector->text));
          g_string_append_printf (found, "%s%s", j == 0 ? "" : "\n", selector->text);
        }
      g_assert_cmpstr (found->str, ==, known[i].selectors);
    }
}

static void
assert_matcher (const JmPromqlSelector *selector,
                guint index,
                JmPromqlMatch match,
                const char *label,
                const char *value)
{
  const JmPromqlMatcher *matcher =
    &g_array_index (selector->matchers, JmPromqlMatcher, index);

  g_assert_cmpint (matcher->match, ==, match);
  g_assert_cmpstr (matcher->label, ==, label);
  g_assert_cmpstr (matcher->value, ==, value);
}

static void
test_matchers_are_reported_without_quotes (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) selectors =
    jm_promql_list_selectors ("m{a=\"\\\"\\n\\101\\x42\\u00e9\\U0001F600\", b!='\\'', "
                              "c=~`\\d`, \"d e\"!~\"\"}",
                              NULL, &error);
  const JmPromqlSelector *selector;

  g_assert_no_error (error);
  g_assert_cmpuint (selectors->len, ==, 1);
  selector = selectors->pdata[0];
  g_assert_cmpstr (selector->name, ==, "m");
  g_assert_cmpuint (selector->matchers->len, ==, 4);
  assert_matcher (selector, 0, JM_PROMQL_MATCH_EQUAL, "a", "\"\nABé😀");
  assert_matcher (selector, 1, JM_PROMQL_MATCH_NOT_EQUAL, "b", "'");
  assert_matcher (selector, 2, JM_PROMQL_MATCH_REGEX, "c", "\\d");
  assert_matcher (selector, 3, JM_PROMQL_MATCH_NOT_REGEX, "d e", "");
}

static void
test_what_is_not_understood_is_refused (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (not_understood); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", not_understood[i]);
      g_assert_null (jm_promql_list_selectors (not_understood[i], NULL, &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
    }
}

static void
test_a_refusal_names_place_and_text (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) denied = NULL;

  g_assert_null (jm_promql_list_selectors ("sum(a) ; b", NULL, &error));
  g_assert_cmpstr (error->message, ==, "query: byte 7: not understood: ; b");
  g_assert_false (is_confined ("a{uuid=\"u1\"} or b{c=\"d\"}", NULL, &denied));
  g_assert_nonnull (strstr (denied->message, "byte 16: "));
  g_assert_true (g_str_has_suffix (denied->message, ": b{c=\"d\"}"));
}

static void
test_only_confined_queries_may_be_asked (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].query);
      g_assert_cmpint (is_confined (cases[i].query, NULL, &error), ==,
                       cases[i].is_confined);
      if (!cases[i].is_confined)
        g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
    }
}

/* Where all series are of alps. */
static void
test_the_one_cluster_need_not_be_named (void)
{
  static const Case of_one[] = {
    { "a{jobid=\"7\"}", TRUE },
    { "a{jobid=~\"7|8\"} / b{uuid=\"u1\"}", TRUE },
    { "a{jobid=\"7\",cluster=\"alps\"}", TRUE },
    { "a{jobid=\"7\",cluster=\"\"}", TRUE },
    { "a{jobid=\"7\",cluster=\"daint\"}", FALSE },
    { "a{jobid=\"9\"}", FALSE },
    { "a{jobid=~\"7|9\"}", FALSE },
    { "a{cluster=\"alps\"}", FALSE },
    { "a", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (of_one); i++)
    {
      g_test_message ("%s", of_one[i].query);
      g_assert_cmpint (is_confined (of_one[i].query, "alps", NULL), ==,
                       of_one[i].is_confined);
    }
}

typedef struct
{
  const char *query; /* which is evaluated from 1000 to 2000 */
  double from;
  double to;
} Span;

static gboolean
note_span (const char *cluster,
           const char *jobid,
           double from,
           double to,
           gpointer user_data)
{
  *(Span *) user_data = (Span){ .from = from, .to = to };

  return TRUE;
}

static void
test_a_job_is_asked_for_with_the_time_that_is_read (void)
{
  static const Span spans[] = {
    { "a{jobid=\"7\"}", 1000, 2000 },
    { "rate(a{jobid=\"7\"}[5m])", 700, 2000 },
    { "a{jobid=\"7\"} offset 1m30s", 910, 2000 },
    { "a{jobid=\"7\"} offset -1m", 1000, 2060 },
    { "max_over_time(rate(a{jobid=\"7\"}[1m])[5m:10s])", 610, 2010 },
    { "rate(a{jobid=\"7\"}[1m:])", 940, 2000 },
    { "a{jobid=\"7\"} @ 5000", 1000, 5000 },
    { "a{jobid=\"7\"} @ -5 offset 1s", -6, 2000 },
    { "a{jobid=\"7\"} @ end() + 1", 1000, 2000 },
    { "a{jobid=\"7\"} @ 0x10", 16, 2000 },
    { "1 + 2 * a{jobid=\"7\"}", 1000, 2000 },
  };
  g_autoptr (GArray) labels = list_labels ();

  for (guint i = 0; i < G_N_ELEMENTS (spans); i++)
    {
      Span read = { 0 };
      const JmPromqlAllowed allowed = {
        .job = note_span,
        .user_data = &read,
        .labels = labels,
        .from = 1000,
        .to = 2000,
        .cluster = "alps",
      };

      g_test_message ("%s", spans[i].query);
      g_assert_true (jm_promql_is_confined (spans[i].query, &allowed, NULL));
      g_assert_cmpfloat (read.from, ==, spans[i].from);
      g_assert_cmpfloat (read.to, ==, spans[i].to);
    }
}

static void
test_a_selector_is_distinguished_from_an_expression (void)
{
  static const char *const selectors[] = { "a", " a{b=\"c\"}\n", "{b=\"c\"}", "a {}" };
  static const char *const others[] = { "",      "1",     "{}",          "'a'",
                                        "(a)",   "a[5m]", "a offset 5m", "a @ 1",
                                        "-a",    "a + a", "a or b",      "sum(a)",
                                        "a # b", "a{" };

  for (guint i = 0; i < G_N_ELEMENTS (selectors); i++)
    g_assert_true (jm_promql_is_selector (selectors[i], NULL));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", others[i]);
      g_assert_false (jm_promql_is_selector (others[i], &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
    }
}

static void
test_who_may_see_nothing_sees_nothing (void)
{
  g_autoptr (GArray) labels = list_labels ();
  const JmPromqlAllowed nothing = { .labels = labels };

  g_assert_true (jm_promql_is_confined ("vector(1)", &nothing, NULL));
  g_assert_false (jm_promql_is_confined ("a{uuid=\"u1\"}", &nothing, NULL));
  g_assert_false (
    jm_promql_is_confined ("a{cluster=\"alps\",jobid=\"7\"}", &nothing, NULL));
}

static char *
nest (guint depth)
{
  g_autofree char *open = g_strnfill (depth, '(');
  g_autofree char *shut = g_strnfill (depth, ')');

  return g_strconcat (open, "1", shut, NULL);
}

static void
test_a_query_has_its_bounds (void)
{
  g_autofree char *deep = nest (JM_PROMQL_MAX_DEPTH - 1);
  g_autofree char *too_deep = nest (JM_PROMQL_MAX_DEPTH);
  g_autofree char *blanks = g_strnfill (JM_PROMQL_MAX_BYTES, ' ');
  g_autofree char *too_long = g_strconcat (blanks, "1", NULL);
  g_autofree char *signs = g_strnfill (JM_PROMQL_MAX_BYTES - 1, '-');
  g_autofree char *chain = g_strconcat (signs, "1", NULL);

  g_assert_true (is_confined (deep, NULL, NULL));
  g_assert_false (is_confined (too_deep, NULL, NULL));
  g_assert_false (is_confined (too_long, NULL, NULL));
  g_assert_true (is_confined (too_long + 1, NULL, NULL));
  g_assert_true (is_confined (chain, NULL, NULL));
  g_assert_false (is_confined ("a{uuid=\"u\xff\"}", NULL, NULL));
}

/* Begins with + where the query is understood, and ends with NUL. */
static void
print_query (char sign, const char *query)
{
  printf ("%c%s", sign, query);
  putchar ('\0');
}

/* For whoever holds the tables against a real Prometheus. */
static void
print_queries (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    print_query ('+', known[i].query);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    print_query ('+', cases[i].query);
  for (guint i = 0; i < G_N_ELEMENTS (not_understood); i++)
    print_query ('-', not_understood[i]);
}

int
main (int argc, char *argv[])
{
  if (argc == 2 && strcmp (argv[1], "--print") == 0)
    {
      print_queries ();
      return 0;
    }
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/promql/selectors", test_every_selector_is_found);
  g_test_add_func ("/promql/matchers", test_matchers_are_reported_without_quotes);
  g_test_add_func ("/promql/not-understood", test_what_is_not_understood_is_refused);
  g_test_add_func ("/promql/messages", test_a_refusal_names_place_and_text);
  g_test_add_func ("/promql/confined", test_only_confined_queries_may_be_asked);
  g_test_add_func ("/promql/one-cluster", test_the_one_cluster_need_not_be_named);
  g_test_add_func ("/promql/time", test_a_job_is_asked_for_with_the_time_that_is_read);
  g_test_add_func ("/promql/selector",
                   test_a_selector_is_distinguished_from_an_expression);
  g_test_add_func ("/promql/nothing", test_who_may_see_nothing_sees_nothing);
  g_test_add_func ("/promql/bounds", test_a_query_has_its_bounds);

  return g_test_run ();
}
