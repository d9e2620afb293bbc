/* test-tsdb.c: asking a time series database that may answer anything
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "../../io/web-stand-in.h"
#include "archive/tsdb/jm-tsdb-private.h"
#include "base/jm-error.h"
#include "core/jm-run-field-private.h"

#define SHORT_MS 300
#define VECTOR(elements)                                                               \
 "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[" elements   \
 "]}}"

static const char query_path[] = "/api/v1/query";
static const char range_path[] = "/api/v1/query_range";

typedef struct
{
  WebStandIn *server;
  JmTsdb *tsdb;
} World;

static void
set_up (World *world, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  world->server = web_stand_in_new (FALSE);
  world->tsdb = jm_tsdb_new (web_stand_in_get_url (world->server), &error);
  g_assert_no_error (error);
}

static void
tear_down (World *world, gconstpointer data)
{
  g_object_unref (world->tsdb);
  web_stand_in_free (world->server);
}

static GPtrArray *
ask (World *world, const char *status, const char *answer, GError **error)
{
  web_stand_in_set (world->server, query_path, status, "", answer);

  return jm_tsdb_query (world->tsdb, "up", 1700000000, NULL, error);
}

static void
assert_refused (World *world,
                const char *status,
                const char *answer,
                JmError code,
                const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) series = ask (world, status, answer, &error);

  g_assert_null (series);
  g_assert_error (error, JM_ERROR, (int) code);
  if (strstr (error->message, words) == NULL ||
      strstr (error->message, query_path) == NULL)
    g_error ("%s does not say %s", error->message, words);
}

static double
get_value (GPtrArray *all, guint i)
{
  double time, value;

  jm_tsdb_series_get_point (all->pdata[i], 0, &time, &value);

  return value;
}

static void
test_reads_a_vector (World *world, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all =
    ask (world, "200 OK",
         VECTOR (
           "{\"metric\":{\"__name__\":\"up\",\"instance\":\"n1:9010\",\"b\":\"\"},"
           "\"value\":[1700000000.5,\"1.25e2\"]},"
           "{\"metric\":{},\"value\":[1700000000,\"NaN\"]},"
           "{\"metric\":{},\"value\":[1700000000,\"+Inf\"]}"),
         &error);
  g_auto (GStrv) labels = NULL;
  double time, value;

  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, 3);
  g_assert_cmpstr (jm_tsdb_series_get_name (all->pdata[0]), ==, "up");
  g_assert_cmpstr (jm_tsdb_series_get_label (all->pdata[0], "instance"), ==, "n1:9010");
  g_assert_null (jm_tsdb_series_get_label (all->pdata[0], "__name__"));
  labels = jm_tsdb_series_list_labels (all->pdata[0]);
  g_assert_cmpuint (g_strv_length (labels), ==, 2);
  jm_tsdb_series_get_point (all->pdata[0], 0, &time, &value);
  g_assert_cmpfloat (time, ==, 1700000000.5);
  g_assert_cmpfloat (value, ==, 125);
  g_assert_null (jm_tsdb_series_get_name (all->pdata[1]));
  g_assert_true (isnan (get_value (all, 1)));
  g_assert_true (isinf (get_value (all, 2)));
}

static void
test_reads_a_matrix (World *world, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all =
    ask (world, "200 OK",
         "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
         "{\"metric\":{\"gpu\":\"0\"},\"values\":[[1,\"2\"],[3.5,\"-4\"]],"
         "\"histograms\":[[1,{\"count\":\"3\"}]]}]}}",
         &error);
  double time, value;

  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, 1);
  g_assert_cmpuint (jm_tsdb_series_get_n_points (all->pdata[0]), ==, 2);
  jm_tsdb_series_get_point (all->pdata[0], 1, &time, &value);
  g_assert_cmpfloat (time, ==, 3.5);
  g_assert_cmpfloat (value, ==, -4);
}

static void
test_reads_a_scalar (World *world, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all = ask (world, "200 OK",
                                   "{\"status\":\"success\",\"data\":{\"resultType\":"
                                   "\"scalar\",\"result\":[1700000000,\"7\"]}}",
                                   &error);

  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, 1);
  g_assert_cmpfloat (get_value (all, 0), ==, 7);
}

static void
test_says_what_it_asks_for_in_a_form (World *world, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all = NULL;
  g_autofree char *request = NULL;

  web_stand_in_set (world->server, range_path, "200 OK", "", VECTOR (""));
  all =
    jm_tsdb_query_range (world->tsdb, "a{b=\"c&d\"} + 1", 100, 400, 60, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, 0);
  request = web_stand_in_get_request (world->server, range_path);
  g_assert_true (g_str_has_prefix (request, "POST "));
  g_assert_nonnull (strstr (request, "application/x-www-form-urlencoded"));
  g_assert_nonnull (strstr (request, "query=a%7Bb%3D%22c%26d%22%7D%20%2B%201&start=100"
                                     "&end=400&step=60&timeout=60000ms"));
}

static void
test_refuses_what_is_no_answer (World *world, gconstpointer data)
{
  static const char *const answers[][2] = {
    { "", "empty" },
    { "<html>", "not JSON" },
    { "[1]", "no object" },
    { "{}", "no status" },
    { "{\"status\":17}", "no text" },
    { "{\"status\":\"success\"}", "resultType" },
    { "{\"status\":\"success\",\"data\":[]}", "data that are no object" },
    { "{\"status\":\"success\",\"data\":{\"resultType\":\"string\","
      "\"result\":[]}}",
      "resultType" },
    { "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":{}}}",
      "no list" },
    { VECTOR ("7"), "a value where none belongs" },
    { VECTOR ("[]"), "no object" },
    { VECTOR ("{\"metric\":[]}"), "labels that are no object" },
    { VECTOR ("{\"metric\":{\"a\":1}}"), "no text" },
    { VECTOR ("{\"metric\":{\"a\":{}}}"), "where none belongs" },
    { VECTOR ("{\"metric\":{},\"value\":{}}"), "no list" },
    { VECTOR ("{\"metric\":{},\"value\":[]}"), "no time with a value" },
    { VECTOR ("{\"metric\":{},\"value\":[1,2]}"), "no time with a value" },
    { VECTOR ("{\"metric\":{},\"value\":[\"1\",\"2\"]}"), "no time with a value" },
    { VECTOR ("{\"metric\":{},\"value\":[1,\"two\"]}"), "no time with a value" },
    { VECTOR ("{\"metric\":{},\"value\":[1,\"0x10\"]}"), "no time with a value" },
    { VECTOR ("{\"metric\":{},\"value\":[1,\"2\",3]}"), "no time with a value" },
    { VECTOR ("{\"metric\":{},\"values\":[[2,\"1\"],[2,\"1\"]]}"), "order of time" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    assert_refused (world, "200 OK", answers[i][0], JM_ERROR_MALFORMED, answers[i][1]);
}

static void
test_refuses_half_an_answer (World *world, gconstpointer data)
{
  static const char whole[] = VECTOR ("{\"metric\":{\"a\":\"b\"},\"value\":[1,\"2\"]}");

  for (gsize length = 1; length < sizeof whole - 1; length++)
    {
      g_autofree char *half = g_strndup (whole, length);

      assert_refused (world, "200 OK", half, JM_ERROR_MALFORMED, "too early");
    }
}

static void
test_reports_what_the_server_complains_of (World *world, gconstpointer data)
{
#define COMPLAINT(type)                                                                \
 "{\"status\":\"error\",\"errorType\":\"" type "\",\"error\":\"bad thing\"}"

  assert_refused (world, "200 OK", COMPLAINT ("timeout"), JM_ERROR_UNAVAILABLE,
                  "timeout: bad thing");
  assert_refused (world, "200 OK", COMPLAINT ("bad_data"), JM_ERROR_INVALID,
                  "bad_data: bad thing");
  assert_refused (world, "503 Service Unavailable", COMPLAINT ("timeout"),
                  JM_ERROR_UNAVAILABLE, "bad thing");
  assert_refused (world, "422 Unprocessable Entity", COMPLAINT ("execution"),
                  JM_ERROR_INVALID, "bad thing");
  assert_refused (world, "400 Bad Request", COMPLAINT ("bad_data"), JM_ERROR_INVALID,
                  "bad thing");
  assert_refused (world, "401 Unauthorized", "", JM_ERROR_DENIED, "401");
  assert_refused (world, "502 Bad Gateway", "<html>", JM_ERROR_UNAVAILABLE, "502");
}

static void
test_believes_no_answer_of_which_a_part_is_missing (World *world, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all = NULL;

  assert_refused (world, "200 OK",
                  "{\"status\":\"success\",\"warnings\":[\"store n7 is gone\"],"
                  "\"data\":{\"resultType\":\"vector\",\"result\":[]}}",
                  JM_ERROR_UNAVAILABLE, "store n7 is gone");
  all = ask (world, "200 OK",
             "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":["
             "]},\"warnings\":[\"PromQL warning: a quantile\"],\"infos\":[\"x\"]}",
             &error);
  g_assert_no_error (error);
}

static char *
make_long_matrix (guint n_points)
{
  GString *text = g_string_new ("{\"status\":\"success\",\"data\":{\"resultType\":"
                                "\"matrix\",\"result\":[{\"metric\":{},\"values\":[");

  for (guint i = 0; i < n_points; i++)
    g_string_append_printf (text, "%s[%u,\"%u.000000001\"]", i > 0 ? "," : "", i, i);
  g_string_append (text, "]}]}}");

  return g_string_free (text, FALSE);
}

static void
test_reads_ten_megabytes_and_no_more_than_it_may (World *world, gconstpointer data)
{
  guint n_points = 400000;
  g_autofree char *text = make_long_matrix (n_points);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all = ask (world, "200 OK", text, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (strlen (text), >, 10000000);
  g_assert_cmpuint (jm_tsdb_series_get_n_points (all->pdata[0]), ==, n_points);

  jm_tsdb_get_limits (world->tsdb)->points = n_points - 1;
  assert_refused (world, "200 OK", text, JM_ERROR_INVALID, "more points");
}

static void
test_reads_no_more_series_than_it_may (World *world, gconstpointer data)
{
  jm_tsdb_get_limits (world->tsdb)->series = 1;
  assert_refused (world, "200 OK",
                  VECTOR ("{\"metric\":{\"a\":\"1\"},\"value\":[1,\"2\"]},"
                          "{\"metric\":{\"a\":\"2\"},\"value\":[1,\"2\"]}"),
                  JM_ERROR_INVALID, "more series");
}

static void
assert_gives_up (World *world, WebManner manner, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all = NULL;

  web_stand_in_set (world->server, query_path, "200 OK", "", VECTOR (""));
  web_stand_in_set_manner (world->server, query_path, manner);
  all = jm_tsdb_query (world->tsdb, "up", 1, NULL, &error);
  g_assert_null (all);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_gives_up_a_server_that_hangs (World *world, gconstpointer data)
{
  jm_tsdb_set_timeout (world->tsdb, SHORT_MS);
  assert_gives_up (world, WEB_SILENTLY, "in time");
  assert_gives_up (world, WEB_TRICKLE, "in time");
}

static void
test_gives_up_when_it_is_asked_to (World *world, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all = NULL;

  g_cancellable_cancel (cancellable);
  web_stand_in_set (world->server, query_path, "200 OK", "", "");
  web_stand_in_set_manner (world->server, query_path, WEB_SILENTLY);
  all = jm_tsdb_query (world->tsdb, "up", 1, cancellable, &error);
  g_assert_null (all);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_refuses_what_is_no_server (void)
{
  static const char *const uris[] = {
    "",
    "localhost:9090",
    "ftp://localhost/",
    "http://",
    "http://ada:secret@localhost/",
    "http://localhost/?x=1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (uris); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (jm_tsdb_new (uris[i], &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      g_assert_null (strstr (error->message, "secret"));
    }
}

static char *
make_login_file (const char *text)
{
  g_autoptr (GError) error = NULL;
  char *path = NULL;
  int fd = g_file_open_tmp ("login-XXXXXX", &path, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_assert_true (
    g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL));

  return path;
}

static void
test_logs_in (World *world, gconstpointer data)
{
  g_autofree char *path = make_login_file ("username=ada\npassword=secret\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all = NULL;
  g_autofree char *request = NULL;

  g_assert_true (jm_tsdb_set_login_file (world->tsdb, path, &error));
  all = ask (world, "200 OK", VECTOR (""), &error);
  g_assert_no_error (error);
  request = web_stand_in_get_request (world->server, query_path);
  g_assert_nonnull (strstr (request, "Authorization: Basic YWRhOnNlY3JldA=="));
  g_unlink (path);
}

static void
test_sends_no_password_in_clear (void)
{
  g_autofree char *path = make_login_file ("username=ada\npassword=secret\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (JmTsdb) tsdb = jm_tsdb_new ("http://tsdb.example.org", &error);

  g_assert_no_error (error);
  g_assert_false (jm_tsdb_set_login_file (tsdb, path, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "https"));
  g_unlink (path);
}

static JmRun *
make_run (void)
{
  JmRun *run = jm_run_new ("al\"ps", "17");

  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, 1700000000);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, 1700003600);

  return run;
}

static void
test_reads_the_series_of_a_run (World *world, gconstpointer data)
{
  g_autoptr (JmRun) run = make_run ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all = NULL;
  g_autofree char *request = NULL;

  web_stand_in_set (world->server, range_path, "200 OK", "",
                    VECTOR ("{\"metric\":{\"domain\":\"cpu\"},\"value\":[1,\"2\"]}"));
  all = jm_tsdb_list_run_series (world->tsdb, run, 61, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, 5);
  g_assert_cmpstr (jm_tsdb_series_get_name (all->pdata[0]), ==, "cpu");
  g_assert_cmpstr (jm_tsdb_series_get_unit (all->pdata[0]), ==, "cpus");
  g_assert_cmpstr (jm_tsdb_series_get_name (all->pdata[4]), ==, "power");
  g_assert_cmpstr (jm_tsdb_series_get_label (all->pdata[4], "domain"), ==, "cpu");
  request = web_stand_in_get_request (world->server, range_path);
  g_assert_nonnull (strstr (request, "start=1700000000&end=1700003600&step=60"));
  g_assert_nonnull (strstr (request, "cluster%3D%22al%5C%22ps%22"));
}

static void
test_a_run_that_has_not_begun_has_none (World *world, gconstpointer data)
{
  g_autoptr (JmRun) run = jm_run_new ("alps", "17");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all =
    jm_tsdb_list_run_series (world->tsdb, run, 100, NULL, &error);

  g_assert_null (all);
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

#define ADD(name, function)                                                            \
 g_test_add ("/tsdb/" name, World, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("vector", test_reads_a_vector);
  ADD ("matrix", test_reads_a_matrix);
  ADD ("scalar", test_reads_a_scalar);
  ADD ("form", test_says_what_it_asks_for_in_a_form);
  ADD ("no-answer", test_refuses_what_is_no_answer);
  ADD ("half-an-answer", test_refuses_half_an_answer);
  ADD ("complaints", test_reports_what_the_server_complains_of);
  ADD ("partial", test_believes_no_answer_of_which_a_part_is_missing);
  ADD ("ten-megabytes", test_reads_ten_megabytes_and_no_more_than_it_may);
  ADD ("many-series", test_reads_no_more_series_than_it_may);
  ADD ("hanging", test_gives_up_a_server_that_hangs);
  ADD ("cancelled", test_gives_up_when_it_is_asked_to);
  g_test_add_func ("/tsdb/no-server", test_refuses_what_is_no_server);
  ADD ("login", test_logs_in);
  g_test_add_func ("/tsdb/password-in-clear", test_sends_no_password_in_clear);
  ADD ("run", test_reads_the_series_of_a_run);
  ADD ("run-not-begun", test_a_run_that_has_not_begun_has_none);

  return g_test_run ();
}
