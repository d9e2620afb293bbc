/* test-otlp-format.c: sweeps to requests of OTLP
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "deliver/jm-write-batch-private.h"

#include <gio/gio.h>
#include <string.h>

#include "base/jm-error.h"
#include "expose/jm-dialect-private.h"
#include "expose/otlp.pb-c.h"

static const char dialect_text[] = "[Dialect]\nName=d\n"
                                   "[cpu.time]\nType=counter\nUnit=s\nHelp=h\n"
                                   "Source=jobmetrics_job_cpu_seconds_total\n"
                                   "Labels=job.id={jobid}\n"
                                   "[memory.usage]\nType=updowncounter\nUnit=By\n"
                                   "Help=h\nSource=jobmetrics_job_memory_used_bytes\n"
                                   "Labels=job.id={jobid}\n";

static JmWriteBatch *
make_batch (void)
{
  g_autoptr (GPtrArray) dialects =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_dialect_unref);
  g_autoptr (GError) error = NULL;
  JmDialect *dialect =
    jm_dialect_new_from_text ("d.conf", dialect_text, strlen (dialect_text), &error);
  JmWriteFormat *format;

  g_assert_no_error (error);
  g_ptr_array_add (dialects, dialect);
  format = jm_otlp_format_new (dialects, "service", "n1", &error);
  g_assert_no_error (error);

  return jm_write_batch_new (format);
}

static void
append_point (GString *out, const Otlp__Metric *metric, const Otlp__Point *point)
{
  gboolean is_sum = metric->data_case == OTLP__METRIC__DATA_SUM;

  g_string_append_printf (out, "%s(%s) %s", metric->name, metric->unit,
                          !is_sum                     ? "gauge"
                          : metric->sum->is_monotonic ? "counter"
                                                      : "updowncounter");
  for (gsize i = 0; i < point->n_attributes; i++)
    g_string_append_printf (out, " %s=%s", point->attributes[i]->key,
                            point->attributes[i]->value->string_value);
  if (point->value_case == OTLP__POINT__VALUE_AS_DOUBLE)
    g_string_append_printf (out, " %g", point->as_double);
  else
    g_string_append_printf (out, " none:%u", point->flags);
  g_string_append_printf (out, " @%g", (double) point->time_unix_nano / 1e9);
  if (point->start_time_unix_nano > 0)
    g_string_append_printf (out, " since %g",
                            (double) point->start_time_unix_nano / 1e9);
  g_string_append_c (out, '\n');
}

static void
append_metric (GString *out, const Otlp__Metric *metric)
{
  gboolean is_sum = metric->data_case == OTLP__METRIC__DATA_SUM;
  gsize n = is_sum ? metric->sum->n_data_points : metric->gauge->n_data_points;

  for (gsize i = 0; i < n; i++)
    append_point (out, metric,
                  is_sum ? metric->sum->data_points[i] : metric->gauge->data_points[i]);
}

static GBytes *
uncompress (GBytes *body)
{
  g_autoptr (GZlibDecompressor) converter =
    g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GOutputStream) stream =
    g_converter_output_stream_new (memory, G_CONVERTER (converter));

  g_assert_true (g_output_stream_write_all (stream, g_bytes_get_data (body, NULL),
                                            g_bytes_get_size (body), NULL, NULL, NULL));
  g_assert_true (g_output_stream_close (stream, NULL, NULL));

  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
}

static void
append_request (GString *out, const JmWriteRequest *request)
{
  g_autoptr (GBytes) packed = uncompress (request->body);
  gsize length;
  const guint8 *data = g_bytes_get_data (packed, &length);
  Otlp__Request *message = otlp__request__unpack (NULL, length, data);
  const Otlp__ScopeMetrics *scope;

  g_assert_nonnull (message);
  g_assert_cmpuint (message->n_resource_metrics, ==, 1);
  g_assert_cmpuint (message->resource_metrics[0]->n_scope_metrics, ==, 1);
  scope = message->resource_metrics[0]->scope_metrics[0];
  for (gsize i = 0; i < scope->n_metrics; i++)
    append_metric (out, scope->metrics[i]);
  otlp__request__free_unpacked (message, NULL);
}

static void
assert_sends (JmWriteBatch *batch,
              const char *text,
              gint64 seconds,
              const char *expected)
{
  g_autoptr (GPtrArray) requests =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_write_request_free);
  g_autoptr (GString) sent = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  if (text != NULL)
    jm_write_batch_add (batch, text, strlen (text), seconds * 1000, requests, &error);
  else
    jm_write_batch_end (batch, seconds * 1000, requests);
  g_assert_no_error (error);
  for (guint i = 0; i < requests->len; i++)
    append_request (sent, requests->pdata[i]);
  g_assert_cmpstr (sent->str, ==, expected);
}

#define CPU "# TYPE cpu_time_seconds_total counter\ncpu_time_seconds_total"

static void
test_has_the_names_of_the_dialect (void)
{
  g_autoptr (JmWriteBatch) batch = make_batch ();

  assert_sends (batch,
                "# TYPE memory_usage_bytes gauge\nmemory_usage_bytes{job_id=\"1\"} 0\n"
                "# TYPE a_bytes gauge\na_bytes{job_id=\"1\",b=\"\"} 2\n",
                9,
                "memory.usage(By) updowncounter job.id=1 0 @9\n"
                "a_bytes(By) gauge job_id=1 2 @9\n");
}

static void
test_counters_begin_when_first_seen_and_anew_where_they_fall (void)
{
  g_autoptr (JmWriteBatch) batch = make_batch ();

  assert_sends (batch, CPU " 5\n", 10, "cpu.time(s) counter 5 @10 since 10\n");
  assert_sends (batch, CPU " 7\n", 20, "cpu.time(s) counter 7 @20 since 10\n");
  assert_sends (batch, CPU " 1\n", 30, "cpu.time(s) counter 1 @30 since 20\n");
  assert_sends (batch, CPU " 2\n", 40, "cpu.time(s) counter 2 @40 since 20\n");
}

static void
test_counters_of_a_job_begin_when_it_did (void)
{
  g_autoptr (JmWriteBatch) batch = make_batch ();
  g_autoptr (JmWriteBatch) late = make_batch ();

  assert_sends (batch,
                CPU "{jobid=\"1\"} 5\n" CPU "{jobid=\"2\"} 5\n"
                    "jobmetrics_job_start_time_seconds{jobid=\"1\"} 3\n",
                10,
                "cpu.time(s) counter jobid=1 5 @10 since 3\n"
                "cpu.time(s) counter jobid=2 5 @10 since 10\n"
                "jobmetrics_job_start_time_seconds(s) gauge jobid=1 3 @10\n");
  /* by another clock, after what was read */
  assert_sends (late,
                CPU "{jobid=\"1\"} 5\n"
                    "jobmetrics_job_start_time_seconds{jobid=\"1\"} 11\n",
                10,
                "cpu.time(s) counter jobid=1 5 @10 since 10\n"
                "jobmetrics_job_start_time_seconds(s) gauge jobid=1 11 @10\n");
}

static void
test_what_is_gone_has_a_point_without_a_value (void)
{
  g_autoptr (JmWriteBatch) batch = make_batch ();

  assert_sends (batch, CPU " 5\n", 10, "cpu.time(s) counter 5 @10 since 10\n");
  assert_sends (batch, "a 1\n", 20,
                "a() gauge 1 @20\ncpu.time(s) counter none:1 @20 since 10\n");
  assert_sends (batch, CPU " 6\n", 30,
                "cpu.time(s) counter 6 @30 since 30\na() gauge none:1 @30\n");
  assert_sends (batch, NULL, 40, "cpu.time(s) counter none:1 @40 since 30\n");
}

static void
test_reads_what_servers_answer (void)
{
  static const char part[] = "\x0a\x07\x08\x05\x12\x03o\x1b.";
  guint64 n_rejected;
  g_autoptr (GError) error = NULL;

  g_assert_true (jm_otlp_read_answer ("", 0, &n_rejected, NULL));
  g_assert_true (jm_otlp_read_answer ("\x0a\x00", 2, &n_rejected, NULL));
  g_assert_true (jm_otlp_read_answer ("{}", 2, &n_rejected, NULL));
  g_assert_false (jm_otlp_read_answer ("<p>", 3, &n_rejected, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  g_clear_error (&error);
  g_assert_false (jm_otlp_read_answer (part, strlen (part), &n_rejected, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, "5 points were rejected: o?.");
  g_assert_cmpuint (n_rejected, ==, 5);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/otlp-format/has-the-names-of-the-dialect",
                   test_has_the_names_of_the_dialect);
  g_test_add_func ("/otlp-format/"
                   "counters-begin-when-first-seen-and-anew-where-they-fall",
                   test_counters_begin_when_first_seen_and_anew_where_they_fall);
  g_test_add_func ("/otlp-format/counters-of-a-job-begin-when-it-did",
                   test_counters_of_a_job_begin_when_it_did);
  g_test_add_func ("/otlp-format/what-is-gone-has-a-point-without-a-value",
                   test_what_is_gone_has_a_point_without_a_value);
  g_test_add_func ("/otlp-format/reads-what-servers-answer",
                   test_reads_what_servers_answer);

  return g_test_run ();
}
