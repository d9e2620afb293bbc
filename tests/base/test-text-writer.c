/* test-text-writer.c: metric families and samples, line by line
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-text-writer-private.h"

static char *
write_families (gboolean is_openmetrics)
{
  GString *out = g_string_new (NULL);
  JmTextWriter writer;

  jm_text_writer_init (&writer, is_openmetrics, out);
  jm_text_writer_begin_family (&writer, JM_FAMILY_KIND_INFO, "lab_build_info",
                               "A \"name\", a back\\slash\nand a line.");
  jm_text_writer_begin_sample (&writer);
  jm_text_writer_add_label (&writer, "version", "1\"0\\2\n");
  jm_text_writer_add_label (&writer, "revision", "");
  jm_text_writer_end_with_uint64 (&writer, 1);
  jm_text_writer_begin_family (&writer, JM_FAMILY_KIND_COUNTER, "lab_cpu_seconds_total",
                               "Time.");
  jm_text_writer_begin_sample (&writer);
  jm_text_writer_end_with_decimal (&writer, 1250, 3);
  jm_text_writer_begin_family (&writer, JM_FAMILY_KIND_GAUGE, "lab_load", "Load.");
  jm_text_writer_begin_sample (&writer);
  jm_text_writer_end_with_double (&writer, 0.25);
  jm_text_writer_end (&writer);

  return g_string_free (out, FALSE);
}

static void
test_writes_the_text_format (void)
{
  g_autofree char *text = write_families (FALSE);

  g_assert_cmpstr (text, ==,
                   "# HELP lab_build_info A \"name\", a back\\\\slash\\nand a line.\n"
                   "# TYPE lab_build_info gauge\n"
                   "lab_build_info{version=\"1\\\"0\\\\2\\n\",revision=\"\"} 1\n"
                   "# HELP lab_cpu_seconds_total Time.\n"
                   "# TYPE lab_cpu_seconds_total counter\n"
                   "lab_cpu_seconds_total 1.25\n"
                   "# HELP lab_load Load.\n"
                   "# TYPE lab_load gauge\n"
                   "lab_load 0.25\n");
}

static void
test_writes_openmetrics (void)
{
  g_autofree char *text = write_families (TRUE);

  g_assert_cmpstr (text, ==,
                   "# HELP lab_build A \\\"name\\\", a back\\\\slash\\nand a line.\n"
                   "# TYPE lab_build info\n"
                   "lab_build_info{version=\"1\\\"0\\\\2\\n\",revision=\"\"} 1\n"
                   "# HELP lab_cpu_seconds Time.\n"
                   "# TYPE lab_cpu_seconds counter\n"
                   "# UNIT lab_cpu_seconds seconds\n"
                   "lab_cpu_seconds_total 1.25\n"
                   "# HELP lab_load Load.\n"
                   "# TYPE lab_load gauge\n"
                   "lab_load 0.25\n"
                   "# EOF\n");
}

static void
assert_label (const char *value, const char *expected)
{
  g_autoptr (GString) labels = g_string_new (NULL);
  g_autofree char *text = g_strconcat ("a=\"", expected, "\"", NULL);

  jm_text_append_label (labels, "a", value);
  g_assert_cmpstr (labels->str, ==, text);
}

static void
test_hostile_labels_stay_one_valid_label (void)
{
  assert_label ("", "");
  assert_label ("\"", "\\\"");
  assert_label ("\\", "\\\\");
  assert_label ("\\n", "\\\\n");
  assert_label ("\n\n", "\\n\\n");
  assert_label ("\xf0\x9f\x90\x8d", "\xf0\x9f\x90\x8d");
  assert_label ("\"\xff\"\xff\n", "\\\"\xef\xbf\xbd\\\"\xef\xbf\xbd\\n");
  assert_label ("\xff\"", "\xef\xbf\xbd\\\"");
  assert_label ("a\xf0\x9f", "a\xef\xbf\xbd\xef\xbf\xbd");
  assert_label ("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

/* Which would take hours if each byte were looked for in all of the rest. */
static void
test_long_labels_take_no_longer_than_others (void)
{
  g_autoptr (GString) labels = g_string_new (NULL);
  g_autofree char *value = g_strnfill (4 * 1024 * 1024, '\xff');

  jm_text_append_label (labels, "a", value);
  g_assert_cmpuint (labels->len, ==, strlen ("a=\"\"") + 3 * strlen (value));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/text-writer/writes-the-text-format", test_writes_the_text_format);
  g_test_add_func ("/text-writer/writes-openmetrics", test_writes_openmetrics);
  g_test_add_func ("/text-writer/hostile-labels-stay-one-valid-label",
                   test_hostile_labels_stay_one_valid_label);
  g_test_add_func ("/text-writer/long-labels-take-no-longer-than-others",
                   test_long_labels_take_no_longer_than_others);

  return g_test_run ();
}
