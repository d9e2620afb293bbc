/* test-trace-record.c: what a wrapper may report, and why the rest is refused
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-trace-record-private.h"

#include <string.h>

#include "base/jm-error.h"

#define GOOD                                                                           \
 "{\"pid\": 4711, \"cpus\": 187.5, \"threads\": 12, \"mem\": 1073741824, "             \
 "\"read_bytes\": 4096, \"write_bytes\": 8192, \"job_id\": 26515966, "                 \
 "\"username\": \"ada\", \"hostname\": \"n0042\""

/* What stands at @key in a good record, and why it is refused then. */
typedef struct
{
  const char *from;
  const char *to;
  const char *reason;
} Refusal;

static const Refusal refusals[] = {
  { "26515966", "0", "job_id: out of range" },
  { "26515966", "-3", "job_id: out of range" },
  { "26515966", "1.5", "job_id: not a whole number" },
  { "26515966", "\"26515966\"", "job_id: not a whole number" },
  { "26515966", "null", "job_id: not a whole number" },
  { "26515966", "[1]", "job_id: not a whole number" },
  { "26515966", "99999999999999999999", "job_id: out of range" },
  { "26515966", "1e300", "job_id: not a whole number" },
  { "\"job_id\"", "\"job\"", "job_id: missing" },
  { "4711", "0", "pid: out of range" },
  { "4711", "2147483648", "pid: out of range" },
  { "\"pid\"", "\"p\"", "pid: missing" },
  { "187.5", "-0.1", "cpus: out of range" },
  { "187.5", "1e999", "cpus: not a finite number" },
  { "187.5", "\"1\"", "cpus: not a finite number" },
  { "187.5", "true", "cpus: not a finite number" },
  { "\"cpus\"", "\"c\"", "cpus: missing" },
  { "1073741824", "-1", "mem: out of range" },
  { "1073741824", "0.5", "mem: not a whole number" },
  { "4096", "{}", "read_bytes: not a whole number" },
  { "\"write_bytes\"", "\"written\"", "write_bytes: missing" },
  { " 12,", " -12,", "threads: out of range" },
  { "\"ada\"", "\"\"", "username: empty" },
  { "\"ada\"", "7", "username: not a text" },
  { "\"ada\"", "\"a\\u001b[31m\"", "username: has control characters" },
  { "\"ada\"", "\"a\\nb\"", "username: has control characters" },
  { "\"ada\"", "\"ada\\u0000\"", "body: not an object of JSON" },
  { "\"n0042\"", "\"n\\u202e\"", "hostname: has control characters" },
  { "\"hostname\"", "\"host\"", "hostname: missing" },
  { "\"pid\": ", "\"step\": 3, \"pid\": ", "step: not a text" },
  { "\"pid\": ", "\"cluster\": \"a\\tb\", \"pid\": ",
    "cluster: has control characters" },
  { "{", "[{", "body: not an object of JSON" },
  { "\"pid\":", "\"pid\"", "body: not an object of JSON" },
};

static JmTraceRecord *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  JmTraceRecord *record = jm_trace_record_parse (text, strlen (text), &error);

  g_assert_no_error (error);

  return record;
}

static void
assert_refused (const char *text, gsize length, const char *reason)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmTraceRecord) record = jm_trace_record_parse (text, length, &error);

  g_assert_null (record);
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_cmpstr (error->message, ==, reason);
}

static void
each_field_is_taken (void)
{
  g_autoptr (JmTraceRecord) record = parse (GOOD ", \"io_wait\": \"?\"}");

  g_assert_cmpuint (record->job_id, ==, 26515966);
  g_assert_cmpuint (record->pid, ==, 4711);
  g_assert_cmpfloat (record->cpus, ==, 187.5);
  g_assert_cmpuint (record->threads, ==, 12);
  g_assert_cmpuint (record->memory, ==, 1073741824);
  g_assert_cmpuint (record->read_bytes, ==, 4096);
  g_assert_cmpuint (record->write_bytes, ==, 8192);
  g_assert_cmpstr (record->user, ==, "ada");
  g_assert_cmpstr (record->host, ==, "n0042");
  g_assert_cmpstr (record->cluster, ==, "");
  g_assert_cmpstr (record->step, ==, "");
}

static void
cluster_and_step_may_be_told (void)
{
  g_autoptr (JmTraceRecord) record =
    parse (GOOD ", \"cluster\": \"east\", \"step\": \"batch\"}");

  g_assert_cmpstr (record->cluster, ==, "east");
  g_assert_cmpstr (record->step, ==, "batch");
}

static void
whole_numbers_may_have_decimals (void)
{
  g_autoptr (JmTraceRecord) record =
    parse ("{\"pid\": 1, \"cpus\": 0, \"threads\": 12.0, \"mem\": 1e9, "
           "\"read_bytes\": 0, \"write_bytes\": 9223372036854775807, \"job_id\": 1, "
           "\"username\": \"ada\", \"hostname\": \"n\"}");

  g_assert_cmpuint (record->threads, ==, 12);
  g_assert_cmpuint (record->memory, ==, 1000000000);
  g_assert_cmpuint (record->write_bytes, ==, G_MAXINT64);
}

static void
what_cannot_be_is_refused_with_the_reason (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      g_autoptr (GString) text = g_string_new (GOOD "}");

      g_assert_cmpuint (g_string_replace (text, refusals[i].from, refusals[i].to, 1),
                        ==, 1);
      g_test_message ("%s", text->str);
      assert_refused (text->str, text->len, refusals[i].reason);
    }
}

static void
what_is_no_record_is_refused (void)
{
  g_autofree char *long_body = g_strnfill (JM_TRACE_BODY_MAX + 1, ' ');
  g_autofree char *long_name = g_strnfill (257, 'a');
  g_autofree char *long_user = g_strdup_printf (
    "{\"pid\": 1, \"cpus\": 0, \"threads\": 1, \"mem\": 0, \"read_bytes\": 0, "
    "\"write_bytes\": 0, \"job_id\": 1, \"username\": \"%s\", \"hostname\": \"n\"}",
    long_name);

  assert_refused ("", 0, "body: not an object of JSON");
  assert_refused ("\xff\xfe", 2, "body: not an object of JSON");
  assert_refused ("[]", 2, "body: not an object of JSON");
  assert_refused ("null", 4, "body: not an object of JSON");
  assert_refused (long_user, strlen (long_user), "username: too long");
  memcpy (long_body, GOOD "}", strlen (GOOD "}"));
  assert_refused (long_body, JM_TRACE_BODY_MAX + 1, "body: not an object of JSON");
}

static void
a_record_is_read_as_it_was_written (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (JmTraceRecord) record =
    parse (GOOD ", \"cluster\": \"a\\\"b\", \"step\": \"<script>\"}");
  g_autoptr (JmTraceRecord) again = NULL;

  jm_trace_record_append_json (record, text);
  again = parse (text->str);
  g_assert_cmpuint (again->job_id, ==, 26515966);
  g_assert_cmpfloat (again->cpus, ==, 187.5);
  g_assert_cmpstr (again->cluster, ==, "a\"b");
  g_assert_cmpstr (again->step, ==, "<script>");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-record/each-field-is-taken", each_field_is_taken);
  g_test_add_func ("/trace-record/cluster-and-step-may-be-reported",
                   cluster_and_step_may_be_told);
  g_test_add_func ("/trace-record/whole-numbers-may-have-decimals",
                   whole_numbers_may_have_decimals);
  g_test_add_func ("/trace-record/what-cannot-be-is-refused-with-the-reason",
                   what_cannot_be_is_refused_with_the_reason);
  g_test_add_func ("/trace-record/what-is-no-record-is-refused",
                   what_is_no_record_is_refused);
  g_test_add_func ("/trace-record/a-record-is-read-as-it-was-written",
                   a_record_is_read_as_it_was_written);

  return g_test_run ();
}
