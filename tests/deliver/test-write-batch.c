/* test-write-batch.c: sweeps to requests of remote write
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "deliver/jm-write-batch-private.h"

#include <snappy-c.h>
#include <string.h>

#include "base/jm-error.h"
#include "expose/remote-write.pb-c.h"

static void
append_value (GString *out, double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  if (bits == G_GUINT64_CONSTANT (0x7ff0000000000002))
    g_string_append (out, "stale");
  else if (value != value)
    g_string_append_printf (out, "nan:%016" G_GINT64_MODIFIER "x", bits);
  else
    g_string_append_printf (out, "%g", value);
}

static void
append_series (GString *out, const RemoteWrite__TimeSeries *series)
{
  for (gsize i = 0; i < series->n_labels; i++)
    g_string_append_printf (out, "%s%s=%s", i > 0 ? "," : "", series->labels[i]->name,
                            series->labels[i]->value);
  g_string_append_c (out, ' ');
  g_assert_cmpuint (series->n_samples, ==, 1);
  append_value (out, series->samples[0]->value);
  g_string_append_printf (out, " @%" G_GINT64_FORMAT "\n",
                          series->samples[0]->timestamp);
}

static void
append_request (GString *out, const JmWriteRequest *request)
{
  gsize length;
  const char *data = g_bytes_get_data (request->body, &length);
  g_autofree char *packed = NULL;
  RemoteWrite__WriteRequest *message;
  gsize size;

  g_assert_cmpint (snappy_uncompressed_length (data, length, &size), ==, SNAPPY_OK);
  packed = g_malloc (size);
  g_assert_cmpint (snappy_uncompress (data, length, packed, &size), ==, SNAPPY_OK);
  message = remote_write__write_request__unpack (NULL, size, (const guint8 *) packed);
  g_assert_nonnull (message);
  g_assert_cmpuint (message->n_timeseries, ==, request->n_samples);
  for (gsize i = 0; i < message->n_timeseries; i++)
    append_series (out, message->timeseries[i]);
  remote_write__write_request__free_unpacked (message, NULL);
}

static GPtrArray *
make_requests (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) jm_write_request_free);
}

static void
assert_requests (GPtrArray *requests, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i < requests->len; i++)
    append_request (out, requests->pdata[i]);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
assert_sends (JmWriteBatch *batch,
              const char *text,
              gint64 time_ms,
              const char *expected)
{
  g_autoptr (GPtrArray) requests = make_requests ();
  g_autoptr (GError) error = NULL;

  jm_write_batch_add (batch, text, strlen (text), time_ms, requests, &error);
  g_assert_no_error (error);
  assert_requests (requests, expected);
}

static JmWriteBatch *
make_batch (const char *job, const char *instance)
{
  g_autoptr (GError) error = NULL;
  JmWriteFormat *format = jm_remote_write_format_new (job, instance, &error);

  g_assert_no_error (error);

  return jm_write_batch_new (format);
}

static void
test_sorts_labels (void)
{
  g_autoptr (JmWriteBatch) batch = make_batch ("nodes", "n1");

  assert_sends (batch,
                "# TYPE a gauge\na{user=\"u\",Z=\"z\",cpu=\"\",jobid=\"1\"} 2.5\nb 3\n",
                1000,
                "Z=z,__name__=a,instance=n1,job=nodes,jobid=1,user=u 2.5 @1000\n"
                "__name__=b,instance=n1,job=nodes 3 @1000\n");
}

static void
test_keeps_labels_that_are_there (void)
{
  g_autoptr (JmWriteBatch) batch = make_batch ("nodes", NULL);

  assert_sends (batch, "a{job=\"mine\"} 1\nb{job=\"\"} 1\n", 1,
                "__name__=a,job=mine 1 @1\n__name__=b,job=nodes 1 @1\n");
}

static void
test_marks_what_is_gone_once (void)
{
  g_autoptr (JmWriteBatch) batch = make_batch (NULL, NULL);

  assert_sends (batch, "a{jobid=\"1\"} 1\nb 1\n", 1,
                "__name__=a,jobid=1 1 @1\n__name__=b 1 @1\n");
  assert_sends (batch, "b 2\n", 2, "__name__=b 2 @2\n__name__=a,jobid=1 stale @2\n");
  assert_sends (batch, "b 3\n", 3, "__name__=b 3 @3\n");
  assert_sends (batch, "a{jobid=\"1\"} 4\nb 4\n", 4,
                "__name__=a,jobid=1 4 @4\n__name__=b 4 @4\n");
}

static void
test_marks_everything_at_the_end (void)
{
  g_autoptr (JmWriteBatch) batch = make_batch (NULL, NULL);
  g_autoptr (GPtrArray) requests = make_requests ();

  assert_sends (batch, "a 1\n", 5, "__name__=a 1 @5\n");
  /* the clock was set back */
  jm_write_batch_end (batch, 2, requests);
  assert_requests (requests, "__name__=a stale @6\n");
}

static void
test_says_nothing_of_the_past (void)
{
  g_autoptr (JmWriteBatch) batch = make_batch (NULL, NULL);

  assert_sends (batch, "a 1\n", 5, "__name__=a 1 @5\n");
  assert_sends (batch, "b 1\n", 5, "");
  assert_sends (batch, "a 2\n", 6, "__name__=a 2 @6\n");
}

static void
test_sends_a_series_once (void)
{
  g_autoptr (JmWriteBatch) batch = make_batch (NULL, NULL);

  assert_sends (batch, "a 1\na 2\n", 1, "__name__=a 1 @1\n");
}

/* The marker is a NaN, too. */
static void
test_sends_no_marker_for_nan (void)
{
  g_autoptr (JmWriteBatch) batch = make_batch (NULL, NULL);

  assert_sends (batch, "a NaN\n", 1, "__name__=a nan:7ff8000000000001 @1\n");
}

static void
test_forgets_nothing_for_a_bad_text (void)
{
  g_autoptr (JmWriteBatch) batch = make_batch (NULL, NULL);
  g_autoptr (GPtrArray) requests = make_requests ();
  g_autoptr (GError) error = NULL;

  assert_sends (batch, "a 1\n", 1, "__name__=a 1 @1\n");
  g_assert_false (jm_write_batch_add (batch, "b 1\n!", 5, 2, requests, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_cmpuint (requests->len, ==, 0);
  assert_sends (batch, "a 3\n", 3, "__name__=a 3 @3\n");
}

static void
test_splits_what_is_large (void)
{
  g_autoptr (JmWriteBatch) batch = make_batch (NULL, NULL);
  g_autoptr (GPtrArray) requests = make_requests ();
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < JM_WRITE_SERIES_MAX + 1; i++)
    g_string_append_printf (text, "a{cpu=\"%u\"} 1\n", i);
  g_assert_true (jm_write_batch_add (batch, text->str, text->len, 1, requests, NULL));

  g_assert_cmpuint (requests->len, ==, 2);
  g_assert_cmpuint (((JmWriteRequest *) requests->pdata[0])->n_samples, ==,
                    JM_WRITE_SERIES_MAX);
  g_assert_cmpuint (((JmWriteRequest *) requests->pdata[1])->n_samples, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/write-batch/sorts-labels", test_sorts_labels);
  g_test_add_func ("/write-batch/keeps-labels-that-are-there",
                   test_keeps_labels_that_are_there);
  g_test_add_func ("/write-batch/marks-what-is-gone-once",
                   test_marks_what_is_gone_once);
  g_test_add_func ("/write-batch/marks-everything-at-the-end",
                   test_marks_everything_at_the_end);
  g_test_add_func ("/write-batch/says-nothing-of-the-past",
                   test_says_nothing_of_the_past);
  g_test_add_func ("/write-batch/sends-a-series-once", test_sends_a_series_once);
  g_test_add_func ("/write-batch/sends-no-marker-for-nan",
                   test_sends_no_marker_for_nan);
  g_test_add_func ("/write-batch/forgets-nothing-for-a-bad-text",
                   test_forgets_nothing_for_a_bad_text);
  g_test_add_func ("/write-batch/splits-what-is-large", test_splits_what_is_large);

  return g_test_run ();
}
