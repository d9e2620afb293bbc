/* test-exposition-reader.c: the text that scrapers get, of any server
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "expose/jm-exposition-reader-private.h"

#include <math.h>
#include <string.h>

#include "base/jm-error.h"
#include "base/jm-text-writer-private.h"

static void
assert_ends (JmExpositionReader *reader)
{
  g_autoptr (GError) error = NULL;
  JmExpositionSample sample;

  g_assert_false (jm_exposition_reader_next (reader, &sample, &error));
  g_assert_no_error (error);
}

static void
assert_next (JmExpositionReader *reader, JmExpositionSample *sample)
{
  g_autoptr (GError) error = NULL;
  gboolean is_there = jm_exposition_reader_next (reader, sample, &error);

  g_assert_no_error (error);
  g_assert_true (is_there);
}

static void
write_two_families (GString *text)
{
  JmTextWriter writer;

  jm_text_writer_init (&writer, FALSE, text);
  jm_text_writer_begin_family (&writer, JM_FAMILY_KIND_COUNTER, "lab_cpu_seconds_total",
                               "A \"time\", a back\\slash\nand a line.");
  jm_text_writer_begin_sample (&writer);
  jm_text_writer_add_label (&writer, "jobid", "1\"0\\2\n,}=");
  jm_text_writer_add_label (&writer, "empty", "");
  jm_text_writer_end_with_decimal (&writer, 1250, 3);
  jm_text_writer_begin_family (&writer, JM_FAMILY_KIND_GAUGE, "lab_load", "Load.");
  jm_text_writer_begin_sample (&writer);
  jm_text_writer_end_with_double (&writer, 0.25);
}

static void
test_reads_what_the_writer_wrote (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (JmExpositionReader) reader = { 0 };
  JmExpositionSample sample;

  write_two_families (text);
  jm_exposition_reader_init (&reader, text->str, text->len);

  assert_next (&reader, &sample);
  g_assert_cmpstr (sample.family, ==, "lab_cpu_seconds_total");
  g_assert_cmpstr (sample.type, ==, "counter");
  g_assert_cmpstr (sample.help, ==, "A \"time\", a back\\slash\nand a line.");
  g_assert_cmpstr (sample.name, ==, "lab_cpu_seconds_total");
  g_assert_cmpuint (sample.n_labels, ==, 2);
  g_assert_cmpstr (jm_exposition_sample_get_label (&sample, "jobid"), ==,
                   "1\"0\\2\n,}=");
  g_assert_cmpstr (jm_exposition_sample_get_label (&sample, "empty"), ==, "");
  g_assert_null (jm_exposition_sample_get_label (&sample, "user"));
  g_assert_cmpfloat (sample.value, ==, 1.25);

  assert_next (&reader, &sample);
  g_assert_cmpstr (sample.name, ==, "lab_load");
  g_assert_cmpstr (sample.type, ==, "gauge");
  g_assert_cmpuint (sample.n_labels, ==, 0);
  g_assert_cmpfloat (sample.value, ==, 0.25);
  assert_ends (&reader);
}

static void
test_gives_lines_as_they_stand (void)
{
  static const char text[] = "# HELP a A.\n# TYPE a gauge\na{b=\"c\\n\"} 1\na 2\n";
  g_auto (JmExpositionReader) reader = { 0 };
  g_autofree char *head = NULL;
  g_autofree char *line = NULL;
  JmExpositionSample sample;

  jm_exposition_reader_init (&reader, text, strlen (text));
  assert_next (&reader, &sample);
  head = g_strndup (sample.head, sample.head_length);
  line = g_strndup (sample.line, sample.line_length);

  g_assert_cmpstr (head, ==, "# HELP a A.\n# TYPE a gauge\n");
  g_assert_cmpstr (line, ==, "a{b=\"c\\n\"} 1\n");
}

static void
test_gives_no_metadata_of_another_family (void)
{
  static const char text[] = "# HELP a A.\na 1\n# TYPE b gauge\nb 2\nc 3\n";
  g_auto (JmExpositionReader) reader = { 0 };
  JmExpositionSample sample;

  jm_exposition_reader_init (&reader, text, strlen (text));
  assert_next (&reader, &sample);
  g_assert_cmpstr (sample.type, ==, "");
  assert_next (&reader, &sample);
  g_assert_cmpstr (sample.help, ==, "");
  g_assert_cmpstr (sample.type, ==, "gauge");
  assert_next (&reader, &sample);
  g_assert_cmpstr (sample.family, ==, "");
  g_assert_cmpuint (sample.head_length, ==, 0);
}

static void
test_reads_what_is_no_common_number (void)
{
  static const char text[] = "a NaN\nb +Inf\nc -Inf\nd 1e-9";
  g_auto (JmExpositionReader) reader = { 0 };
  JmExpositionSample sample;

  jm_exposition_reader_init (&reader, text, strlen (text));
  assert_next (&reader, &sample);
  g_assert_true (isnan (sample.value));
  assert_next (&reader, &sample);
  g_assert_cmpfloat (sample.value, ==, (double) INFINITY);
  assert_next (&reader, &sample);
  g_assert_cmpfloat (sample.value, ==, -(double) INFINITY);
  assert_next (&reader, &sample);
  g_assert_cmpfloat (sample.value, ==, 1e-9);
  assert_ends (&reader);
}

/* As other servers write it: blanks where they may be, no metadata, a moment. */
static void
test_reads_what_other_servers_write (void)
{
  static const char text[] = "# a comment\n#\n#HELP\n\n \t\n"
                             "#  HELP  a   All of it.\n#\tTYPE\ta\tgauge \r\n"
                             "\ta { b = \"c\" ,\td=\"e\" , } 1 1700000000123 \r\n"
                             "f 2 -5\n"
                             "g{} inf\n"
                             "h\tnan\t\n"
                             "# EOF\n";
  g_auto (JmExpositionReader) reader = { 0 };
  g_autofree char *series = NULL;
  JmExpositionSample sample;

  jm_exposition_reader_init (&reader, text, strlen (text));
  assert_next (&reader, &sample);
  g_assert_cmpstr (sample.family, ==, "a");
  g_assert_cmpstr (sample.type, ==, "gauge");
  g_assert_cmpstr (sample.help, ==, "All of it.");
  g_assert_cmpstr (sample.name, ==, "a");
  g_assert_cmpuint (sample.n_labels, ==, 2);
  g_assert_cmpstr (jm_exposition_sample_get_label (&sample, "b"), ==, "c");
  g_assert_cmpstr (jm_exposition_sample_get_label (&sample, "d"), ==, "e");
  g_assert_cmpfloat (sample.value, ==, 1);
  g_assert_true (sample.has_timestamp);
  g_assert_cmpint (sample.timestamp_ms, ==, 1700000000123);
  series = g_strndup (sample.line, sample.series_length);
  g_assert_cmpstr (series, ==, "a { b = \"c\" ,\td=\"e\" , }");

  assert_next (&reader, &sample);
  g_assert_cmpstr (sample.name, ==, "f");
  g_assert_cmpfloat (sample.value, ==, 2);
  g_assert_cmpint (sample.timestamp_ms, ==, -5);
  g_assert_cmpuint (sample.series_length, ==, 1);
  assert_next (&reader, &sample);
  g_assert_cmpfloat (sample.value, ==, (double) INFINITY);
  g_assert_false (sample.has_timestamp);
  assert_next (&reader, &sample);
  g_assert_cmpstr (sample.name, ==, "h");
  g_assert_true (isnan (sample.value));
  assert_ends (&reader);
}

static void
test_goes_on_behind_a_bad_line (void)
{
  static const char text[] =
    "# TYPE a gauge\na 1\n\nwhat is this?\na{b=\"\\u\"} 2\na 3";
  g_auto (JmExpositionReader) reader = { 0 };
  g_autoptr (GError) first = NULL;
  g_autoptr (GError) second = NULL;
  JmExpositionSample sample;

  jm_exposition_reader_init (&reader, text, strlen (text));
  assert_next (&reader, &sample);
  g_assert_false (jm_exposition_reader_next (&reader, &sample, &first));
  g_assert_error (first, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_cmpstr (first->message, ==,
                   "line 4: not a line of metrics: \"what is this?\\n\"");
  g_assert_false (jm_exposition_reader_next (&reader, &sample, &second));
  g_assert_true (g_str_has_prefix (second->message, "line 5: "));
  assert_next (&reader, &sample);
  g_assert_cmpfloat (sample.value, ==, 3);
  assert_ends (&reader);
}

static void
assert_refuses (const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_auto (JmExpositionReader) reader = { 0 };
  JmExpositionSample sample;

  jm_exposition_reader_init (&reader, text, length);
  g_assert_false (jm_exposition_reader_next (&reader, &sample, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_cmpuint (strlen (error->message), <, 512);
  assert_ends (&reader);
}

static void
test_refuses_what_is_no_sample (void)
{
  static const char *const texts[] = {
    "a\n",
    "a \n",
    "a{} \n",
    "a{}1\n",
    "a 1 2 3\n",
    "a 1 2.5\n",
    "a 1 99999999999999999999\n",
    "a 0x1\n",
    "a nan(1)\n",
    "a infinite\n",
    "1a 1\n",
    "a{b} 1\n",
    "a{b=c} 1\n",
    "a{b=\"c} 1\n",
    "a{b=\"\\t\"} 1\n",
    "a{b=\"c\"d=\"e\"} 1\n",
    "a{b=\"c\"\n",
    "a{,} 1\n",
    "a{=\"c\"} 1\n",
    "a{b=\"c\",b=\"d\"} 1\n",
    "a{b=\"\xff\"} 1\n",
    "# TYPE a\n",
    "# TYPE a b c\n",
    "# HELP 1 What.\n",
    "# HELP a \\t\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_refuses (texts[i], strlen (texts[i]));
  assert_refuses ("a\0b 1\n", 6);
}

static void
test_refuses_what_is_too_long (void)
{
  g_autoptr (GString) line = g_string_new ("a{b=\"");
  g_autoptr (GString) labels = g_string_new ("a{");

  for (guint i = 0; i < JM_EXPOSITION_LINE_MAX; i++)
    g_string_append_c (line, 'c');
  g_string_append (line, "\"} 1\n");
  assert_refuses (line->str, line->len);

  for (guint i = 0; i <= JM_EXPOSITION_LABELS_MAX; i++)
    g_string_append_printf (labels, "l%u=\"\",", i);
  g_string_append (labels, "} 1\n");
  assert_refuses (labels->str, labels->len);
}

static void
test_nothing_has_no_sample (void)
{
  g_auto (JmExpositionReader) reader = { 0 };
  g_autoptr (GError) error = NULL;
  JmExpositionSample sample;

  jm_exposition_reader_init (&reader, NULL, 0);
  g_assert_false (jm_exposition_reader_next (&reader, &sample, &error));
  g_assert_no_error (error);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/exposition-reader/reads-what-the-writer-wrote",
                   test_reads_what_the_writer_wrote);
  g_test_add_func ("/exposition-reader/gives-lines-as-they-stand",
                   test_gives_lines_as_they_stand);
  g_test_add_func ("/exposition-reader/gives-no-metadata-of-another-family",
                   test_gives_no_metadata_of_another_family);
  g_test_add_func ("/exposition-reader/reads-what-is-no-common-number",
                   test_reads_what_is_no_common_number);
  g_test_add_func ("/exposition-reader/reads-what-other-servers-write",
                   test_reads_what_other_servers_write);
  g_test_add_func ("/exposition-reader/goes-on-behind-a-bad-line",
                   test_goes_on_behind_a_bad_line);
  g_test_add_func ("/exposition-reader/refuses-what-is-no-sample",
                   test_refuses_what_is_no_sample);
  g_test_add_func ("/exposition-reader/refuses-what-is-too-long",
                   test_refuses_what_is_too_long);
  g_test_add_func ("/exposition-reader/nothing", test_nothing_has_no_sample);

  return g_test_run ();
}
