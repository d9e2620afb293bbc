/* test-cgroup-parse.c: what only cgroups' files look like
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/cgroup/jm-cgroup-parse-private.h"

static gboolean
parse_blkio (const char *line, JmCgroupBlkio *entry)
{
  return jm_cgroup_parse_blkio (line, strlen (line), entry);
}

static void
test_a_line_of_blkio_is_a_device_and_what_it_did (void)
{
  JmCgroupBlkio entry;

  g_assert_true (parse_blkio ("8:16 Read 4096", &entry));
  g_assert_cmpint (entry.op, ==, JM_CGROUP_BLKIO_READ);
  g_assert_cmpuint (entry.major, ==, 8);
  g_assert_cmpuint (entry.minor, ==, 16);
  g_assert_cmpuint (entry.value, ==, 4096);

  g_assert_true (parse_blkio ("8:16 Write 0", &entry));
  g_assert_cmpint (entry.op, ==, JM_CGROUP_BLKIO_WRITE);
  g_assert_cmpuint (entry.value, ==, 0);
}

static void
test_sums_and_parts_of_blkio_are_distinguished (void)
{
  JmCgroupBlkio entry;

  g_assert_true (parse_blkio ("8:16 Sync 12", &entry));
  g_assert_cmpint (entry.op, ==, JM_CGROUP_BLKIO_OTHER);
  g_assert_true (parse_blkio ("8:16 Total 12", &entry));
  g_assert_cmpint (entry.op, ==, JM_CGROUP_BLKIO_OTHER);
  g_assert_true (parse_blkio ("Total 12", &entry));
  g_assert_cmpint (entry.op, ==, JM_CGROUP_BLKIO_OTHER);
}

static void
test_broken_lines_of_blkio_are_refused (void)
{
  static const char *const broken[] = {
    "",
    "8:16",
    "8:16 Read",
    "8 Read 1",
    "8:16 Read -1",
    "Total",
    "8:16 Read 1 2",
    "8:16 Read 1x",
    "a:b Read 1",
    "Total 1 1",
    "8:16 Read 18446744073709551616",
  };
  JmCgroupBlkio entry = { .value = 42 };

  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    g_assert_false (parse_blkio (broken[i], &entry));

  g_assert_cmpuint (entry.value, ==, 42);
}

static void
test_a_process_id_fits_a_kernel (void)
{
  guint pid = 0;

  g_assert_true (jm_cgroup_parse_pid ("4194304", 7, &pid));
  g_assert_cmpuint (pid, ==, 4194304);
  g_assert_true (jm_cgroup_parse_pid ("0", 1, &pid));
  g_assert_cmpuint (pid, ==, 0);
  g_assert_false (jm_cgroup_parse_pid ("4294967297", 10, &pid));
  g_assert_false (jm_cgroup_parse_pid ("-1", 2, &pid));
  g_assert_false (jm_cgroup_parse_pid ("", 0, &pid));
}

static void
test_page_sizes_are_called_as_in_names_of_files (void)
{
  static const struct
  {
    const char *folder;
    const char *label;
  } sizes[] = {
    { "hugepages-64kB", "64KB" },
    { "hugepages-2048kB", "2MB" },
    { "hugepages-1048576kB", "1GB" },
    { "hugepages-16777216kB", "16GB" },
  };
  char label[JM_CGROUP_PAGE_SIZE_MAX];

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_assert_true (jm_cgroup_parse_page_size (sizes[i].folder, label));
      g_assert_cmpstr (label, ==, sizes[i].label);
    }

  g_assert_false (jm_cgroup_parse_page_size ("hugepages-kB", label));
  g_assert_false (jm_cgroup_parse_page_size ("hugepages-0kB", label));
  g_assert_false (jm_cgroup_parse_page_size ("hugepages-2048", label));
  g_assert_false (jm_cgroup_parse_page_size ("hugepages-2\nkB", label));
  g_assert_false (jm_cgroup_parse_page_size ("hugepages-", label));
  g_assert_false (jm_cgroup_parse_page_size ("k", label));
  g_assert_false (jm_cgroup_parse_page_size ("", label));
}

static void
test_a_block_device_has_its_name_in_uevent (void)
{
  const char *text = "MAJOR=259\nMINOR=0\nDEVNAME=nvme0n1\nDEVTYPE=disk\n";
  JmSlice name;

  g_assert_true (jm_cgroup_parse_device_name (text, strlen (text), &name));
  g_assert_true (jm_slice_equal (name, "nvme0n1"));
  g_assert_false (jm_cgroup_parse_device_name ("DEVNAME=\n", 9, &name));
  g_assert_false (jm_cgroup_parse_device_name ("XDEVNAME=sda\n", 13, &name));
}

static void
tell (guint cpu, guint64 value_ns, gpointer user_data)
{
  g_string_append_printf (user_data, "%u:%" G_GUINT64_FORMAT " ", cpu, value_ns);
}

static char *
parse_percpu (const char *text, const char *possible, const char *wanted)
{
  GString *story = g_string_new (NULL);
  gboolean whole =
    jm_cgroup_parse_percpu (text, strlen (text),
                            (JmSlice){ possible, strlen (possible) },
                            (JmSlice){ wanted, strlen (wanted) }, tell, story);

  g_string_append (story, whole ? "whole" : "broken");
  return g_string_free (story, FALSE);
}

static void
test_each_cpu_has_a_number_in_the_order_of_possible_ones (void)
{
  static const struct
  {
    const char *text;
    const char *possible;
    const char *wanted;
    const char *story;
  } cases[] = {
    { "10 20 \n", "0-1", "", "0:10 1:20 whole" },
    { "0 20 \n", "0-1", "1", "1:20 whole" },
    { "0 0 \n", "0-1", "1", "1:0 whole" },
    { "0 20 0 40 \n", "0-1,8-9", "1,9-11", "1:20 9:40 whole" },
    /* what was used before the job was confined to others counts as well */
    { "10 20 0 40 \n", "0-1,8-9", "1", "0:10 1:20 9:40 whole" },
    { "10 20 \n", "", "", "0:10 1:20 whole" },
    { "10 20 30 \n", "0-1", "", "0:10 1:20 broken" },
    { "10 x \n", "0-1", "", "0:10 broken" },
    /* the last number may have been cut short */
    { "10 20", "0-1", "", "0:10 whole" },
    { "10 20 ", "0-1", "", "0:10 1:20 whole" },
    { "\n", "0-1", "", "broken" },
    { "", "0-1", "", "broken" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *story =
        parse_percpu (cases[i].text, cases[i].possible, cases[i].wanted);

      g_assert_cmpstr (story, ==, cases[i].story);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cgroup/parse/a-line-of-blkio-is-a-device-and-what-it-did",
                   test_a_line_of_blkio_is_a_device_and_what_it_did);
  g_test_add_func ("/cgroup/parse/sums-and-parts-of-blkio-are-distinguished",
                   test_sums_and_parts_of_blkio_are_distinguished);
  g_test_add_func ("/cgroup/parse/broken-lines-of-blkio-are-refused",
                   test_broken_lines_of_blkio_are_refused);
  g_test_add_func ("/cgroup/parse/a-process-id-fits-a-kernel",
                   test_a_process_id_fits_a_kernel);
  g_test_add_func ("/cgroup/parse/page-sizes-are-called-as-in-names-of-files",
                   test_page_sizes_are_called_as_in_names_of_files);
  g_test_add_func ("/cgroup/parse/a-block-device-has-its-name-in-uevent",
                   test_a_block_device_has_its_name_in_uevent);
  g_test_add_func ("/cgroup/parse/each-cpu-has-a-number-in-the-order-of-possible-ones",
                   test_each_cpu_has_a_number_in_the_order_of_possible_ones);

  return g_test_run ();
}
