/* test-parse.c: numbers, words and tables out of kernel text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-parse-private.h"

/* Without a NUL behind it, so that a sanitizer sees each byte that is read too much. */
static char *
bare_copy (const char *text)
{
  /* an empty copy would be NULL */
  return g_memdup2 (text, MAX (strlen (text), 1));
}

static gboolean
number_of (const char *text, guint64 *value)
{
  g_autofree char *bare = bare_copy (text);

  return jm_parse_uint64 (bare, strlen (text), value);
}

static gboolean
limit_of (const char *text, guint64 *limit)
{
  g_autofree char *bare = bare_copy (text);

  return jm_parse_limit (bare, strlen (text), limit);
}

static gboolean
cpus_of (const char *text, guint *count)
{
  g_autofree char *bare = bare_copy (text);

  return jm_parse_cpu_count (bare, strlen (text), count);
}

static void
test_reads_a_number_with_or_without_a_newline (void)
{
  guint64 value;

  g_assert_true (number_of ("0\n", &value));
  g_assert_cmpuint (value, ==, 0);
  g_assert_true (number_of ("4096", &value));
  g_assert_cmpuint (value, ==, 4096);
  g_assert_true (number_of ("18446744073709551615\n", &value));
  g_assert_cmpuint (value, ==, G_MAXUINT64);
}

static void
test_refuses_what_is_not_one_number (void)
{
  static const char *const bad[] = {
    "",
    "\n",
    "max\n",
    "-1\n",
    "+1\n",
    " 1\n",
    "1 \n",
    "1\n\n",
    "1 2\n",
    "0x10",
    "1.5\n",
    "12\r\n",
    "٣\n",
    "1e3",
    "18446744073709551616\n",
    "99999999999999999999999999999999999999999",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      guint64 value = 77;

      g_assert_false (number_of (bad[i], &value));
      g_assert_cmpuint (value, ==, 77);
    }
}

static void
test_refuses_a_nul_within_a_number (void)
{
  guint64 value;

  g_assert_false (jm_parse_uint64 ("12\0003", 4, &value));
}

static void
test_knows_a_limit_from_none (void)
{
  guint64 limit;

  g_assert_true (limit_of ("1073741824\n", &limit));
  g_assert_cmpuint (limit, ==, 1073741824);
  g_assert_true (limit_of ("0\n", &limit));
  g_assert_cmpuint (limit, ==, 0);
  g_assert_true (limit_of ("max\n", &limit));
  g_assert_cmpuint (limit, ==, JM_LIMIT_NONE);
}

static void
test_knows_the_large_numbers_of_v1_for_no_limit (void)
{
  static const char *const endless[] = {
    "9223372036854771712\n", /* memory, pages of 4 KiB */
    "9223372036854710272\n", /* memory, pages of 64 KiB */
    "9223372036852678656\n", /* hugetlb, 2 MiB */
    "9223372035781033984\n", /* hugetlb, 1 GiB */
    "-1\n",                  /* cpu.cfs_quota_us */
  };

  for (guint i = 0; i < G_N_ELEMENTS (endless); i++)
    {
      guint64 limit = 0;

      g_assert_true (limit_of (endless[i], &limit));
      g_assert_cmpuint (limit, ==, JM_LIMIT_NONE);
    }
}

static void
test_refuses_what_is_no_limit (void)
{
  guint64 limit;

  g_assert_false (limit_of ("", &limit));
  g_assert_false (limit_of ("maximum\n", &limit));
  g_assert_false (limit_of ("-2\n", &limit));
  g_assert_false (limit_of ("max 100000\n", &limit));
}

static void
test_walks_the_numbers_of_a_line (void)
{
  const char *text = "cpu  12 0\t7\nintr 5";
  const char *cursor = text;
  const char *end = text + strlen (text);
  guint64 value;
  JmSlice word;

  g_assert_true (jm_parse_next_word (&cursor, end, &word));
  g_assert_true (jm_slice_equal (word, "cpu"));
  g_assert_true (jm_parse_next_uint64 (&cursor, end, &value));
  g_assert_cmpuint (value, ==, 12);
  g_assert_true (jm_parse_next_uint64 (&cursor, end, &value));
  g_assert_true (jm_parse_next_uint64 (&cursor, end, &value));
  g_assert_cmpuint (value, ==, 7);

  /* the next line is another matter */
  g_assert_false (jm_parse_next_uint64 (&cursor, end, &value));
  g_assert_false (jm_parse_next_word (&cursor, end, &word));
}

static void
test_stays_before_what_is_not_a_number (void)
{
  const char *text = " 12kB";
  const char *cursor = text;
  guint64 value;

  g_assert_false (jm_parse_next_uint64 (&cursor, text + strlen (text), &value));
  g_assert_true (cursor == text);
}

static void
test_a_whole_line_ends_with_a_newline (void)
{
  const char *text = "a\nb";
  const char *cursor = text;
  const char *end = text + strlen (text);
  JmSlice line;

  g_assert_true (jm_parse_next_whole_line (&cursor, end, &line));
  g_assert_true (jm_slice_equal (line, "a"));
  g_assert_false (jm_parse_next_whole_line (&cursor, end, &line));
  g_assert_true (cursor == text + 2);
}

static void
test_gives_lines_empty_ones_and_a_last_without_newline (void)
{
  const char *text = "a\n\nb";
  const char *cursor = text;
  const char *end = text + strlen (text);
  JmSlice line;

  g_assert_true (jm_parse_next_line (&cursor, end, &line));
  g_assert_true (jm_slice_equal (line, "a"));
  g_assert_true (jm_parse_next_line (&cursor, end, &line));
  g_assert_true (jm_slice_equal (line, ""));
  g_assert_true (jm_parse_next_line (&cursor, end, &line));
  g_assert_true (jm_slice_equal (line, "b"));
  g_assert_false (jm_parse_next_line (&cursor, end, &line));
}

static const JmFlatKey memory_keys[] = {
  JM_FLAT_KEY ("anon"),
  JM_FLAT_KEY ("file"),
  JM_FLAT_KEY ("file_mapped"),
  JM_FLAT_KEY ("zswap"),
};

typedef struct
{
  gboolean whole;
  guint64 mask;
  guint64 values[G_N_ELEMENTS (memory_keys)];
} Memory;

static Memory
memory_of (const char *text)
{
  g_autofree char *bare = bare_copy (text);
  Memory memory = { 0 };

  memory.whole =
    jm_parse_flat_keyed (bare, strlen (text), memory_keys, G_N_ELEMENTS (memory_keys),
                         memory.values, &memory.mask);
  return memory;
}

static void
test_finds_the_keys_of_memory_stat (void)
{
  Memory memory =
    memory_of ("anon 8192\nfile 4096\nkernel 300\nfile_mapped 1\nsock 0\n");

  g_assert_true (memory.whole);
  g_assert_cmpuint (memory.mask, ==, 0x7);
  g_assert_cmpuint (memory.values[0], ==, 8192);
  g_assert_cmpuint (memory.values[1], ==, 4096);
  g_assert_cmpuint (memory.values[2], ==, 1);
}

static void
test_finds_keys_in_any_order (void)
{
  Memory memory = memory_of ("file_mapped 3\nfile 2\nzswap 4\nanon 1\n");

  g_assert_true (memory.whole);
  g_assert_cmpuint (memory.mask, ==, 0xf);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (memory.values[i], ==, i + 1);
}

static void
test_leaves_a_missing_key_absent_not_zero (void)
{
  Memory memory = memory_of ("anon 8192\n");

  g_assert_true (memory.whole);
  g_assert_cmpuint (memory.mask, ==, 0x1);
}

static void
test_skips_keys_of_later_kernels_whatever_they_hold (void)
{
  Memory memory = memory_of ("colour blue\nanon 1\nratio 0.5\n");

  g_assert_true (memory.whole);
  g_assert_cmpuint (memory.mask, ==, 0x1);
}

static void
test_does_not_take_the_number_of_a_line_cut_short (void)
{
  Memory memory = memory_of ("anon 8192\nfile 40");

  g_assert_true (memory.whole);
  g_assert_cmpuint (memory.mask, ==, 0x1);
  g_assert_cmpuint (memory.values[0], ==, 8192);
}

static void
test_keeps_the_sound_lines_beside_a_garbage_one (void)
{
  Memory memory = memory_of ("anon -1\nfile 4096\n\n");

  g_assert_false (memory.whole);
  g_assert_cmpuint (memory.mask, ==, 0x2);
  g_assert_cmpuint (memory.values[1], ==, 4096);
}

static void
test_finds_nothing_in_an_empty_table (void)
{
  Memory memory = memory_of ("");

  g_assert_true (memory.whole);
  g_assert_cmpuint (memory.mask, ==, 0);
}

static void
test_reads_keys_with_colons_and_units (void)
{
  static const JmFlatKey keys[] = { JM_FLAT_KEY ("VmHWM:"), JM_FLAT_KEY ("Uid:") };
  const char *text = "Name:\tload\nVmHWM:\t    3628 kB\nUid:\t1001\t1002\t1003\t1004\n";
  guint64 values[2], mask;

  g_assert_true (jm_parse_flat_keyed (text, strlen (text), keys, 2, values, &mask));
  g_assert_cmpuint (mask, ==, 0x3);
  g_assert_cmpuint (values[0], ==, 3628);
  g_assert_cmpuint (values[1], ==, 1001);
}

static const JmFlatKey io_keys[] = {
  JM_FLAT_KEY ("rbytes"),
  JM_FLAT_KEY ("wbytes"),
  JM_FLAT_KEY ("rios"),
};

typedef struct
{
  gboolean sound;
  char name[16];
  guint64 mask;
  guint64 values[G_N_ELEMENTS (io_keys)];
} Io;

static Io
io_of (const char *line)
{
  g_autofree char *bare = bare_copy (line);
  Io io = { 0 };
  JmSlice name;

  io.sound = jm_parse_nested_keyed (bare, strlen (line), &name, io_keys,
                                    G_N_ELEMENTS (io_keys), io.values, &io.mask);
  memcpy (io.name, name.text, MIN (name.length, sizeof io.name - 1));
  return io;
}

static void
test_reads_a_device_of_io_stat (void)
{
  Io io =
    io_of ("254:0 rbytes=90112 wbytes=4096 rios=7 wios=1 dbytes=0 cost.vrate=100.00");

  g_assert_true (io.sound);
  g_assert_cmpstr (io.name, ==, "254:0");
  g_assert_cmpuint (io.mask, ==, 0x7);
  g_assert_cmpuint (io.values[0], ==, 90112);
  g_assert_cmpuint (io.values[1], ==, 4096);
  g_assert_cmpuint (io.values[2], ==, 7);
}

static void
test_takes_the_last_device_where_the_kernel_forgot_a_newline (void)
{
  Io io = io_of ("8:16 8:0 rbytes=1");

  g_assert_true (io.sound);
  g_assert_cmpstr (io.name, ==, "8:0");
}

static void
test_knows_max_within_a_line (void)
{
  Io io = io_of ("mlx5_0 rbytes=max wbytes=2000");

  g_assert_true (io.sound);
  g_assert_cmpuint (io.values[0], ==, JM_LIMIT_NONE);
}

static void
test_refuses_a_line_without_name_or_number (void)
{
  g_assert_false (io_of ("").sound);
  g_assert_false (io_of ("rbytes=1").sound);
  g_assert_false (io_of ("8:0 rbytes=").sound);
  g_assert_false (io_of ("8:0 rbytes=1x").sound);
  g_assert_cmpuint (io_of ("8:0 rbytes=-1 wbytes=5").mask, ==, 0x2);
}

static void
test_reads_device_numbers (void)
{
  guint major, minor;

  g_assert_true (jm_parse_device ("259:12", 6, &major, &minor));
  g_assert_cmpuint (major, ==, 259);
  g_assert_cmpuint (minor, ==, 12);
  g_assert_false (jm_parse_device ("259:", 4, &major, &minor));
  g_assert_false (jm_parse_device ("259", 3, &major, &minor));
  g_assert_false (jm_parse_device (":1", 2, &major, &minor));
  g_assert_false (jm_parse_device ("4294967296:1", 12, &major, &minor));
}

static gboolean
pressure_of (const char *text, JmPressure *pressure)
{
  g_autofree char *bare = bare_copy (text);

  return jm_parse_pressure (bare, strlen (text), pressure);
}

static void
test_reads_the_totals_of_a_pressure_file (void)
{
  JmPressure pressure;

  g_assert_true (pressure_of ("some avg10=0.00 avg60=0.20 avg300=0.10 total=428454\n"
                              "full avg10=0.00 avg60=0.19 avg300=0.10 total=408093\n",
                              &pressure));
  g_assert_true (pressure.has_some);
  g_assert_cmpuint (pressure.some_us, ==, 428454);
  g_assert_true (pressure.has_full);
  g_assert_cmpuint (pressure.full_us, ==, 408093);
}

static void
test_an_old_kernel_has_no_full_pressure_of_cpu (void)
{
  JmPressure pressure;

  g_assert_true (
    pressure_of ("some avg10=0.00 avg60=0.00 avg300=0.00 total=5\n", &pressure));
  g_assert_true (pressure.has_some);
  g_assert_false (pressure.has_full);
}

static void
test_a_line_of_pressure_that_was_cut_short_is_absent (void)
{
  JmPressure pressure;

  g_assert_true (
    pressure_of ("some avg10=0.00 avg60=0.00 avg300=0.00 total=5", &pressure));
  g_assert_false (pressure.has_some);
  g_assert_true (pressure_of ("some total=5\nfull total=1", &pressure));
  g_assert_cmpuint (pressure.some_us, ==, 5);
  g_assert_false (pressure.has_full);
}

static void
test_an_odd_line_of_pressure_costs_itself (void)
{
  JmPressure pressure;

  g_assert_false (pressure_of ("some avg10=0.00\nfull total=7\n", &pressure));
  g_assert_false (pressure.has_some);
  g_assert_true (pressure.has_full);
  g_assert_cmpuint (pressure.full_us, ==, 7);
}

static void
test_counts_the_cpus_of_a_list (void)
{
  static const struct
  {
    const char *text;
    guint count;
  } lists[] = {
    { "0-3,8,10-11\n", 7 }, { "0\n", 1 },       { "5", 1 }, { "\n", 0 }, { "", 0 },
    { "0-65535\n", 65536 }, { "0,2,4,6\n", 4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      guint count = 77;

      g_assert_true (cpus_of (lists[i].text, &count));
      g_assert_cmpuint (count, ==, lists[i].count);
    }
}

static void
test_refuses_what_is_not_a_cpu_list (void)
{
  static const char *const bad[] = {
    "3-1\n", "1,\n",  ",1\n",  "1-\n",      "-1\n",         "0-3,2\n",        "1,1\n",
    "1;2\n", "0 1\n", "all\n", "0-65536\n", "4294967296\n", "0-4294967295\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      guint count = 77;

      g_assert_false (cpus_of (bad[i], &count));
      g_assert_cmpuint (count, ==, 77);
    }
}

static void
test_walks_the_ranges_of_a_cpu_list (void)
{
  const char *text = "0-3,8";
  const char *cursor = text;
  const char *end = text + strlen (text);
  guint first, last;

  g_assert_true (jm_parse_next_cpu_range (&cursor, end, &first, &last));
  g_assert_cmpuint (first, ==, 0);
  g_assert_cmpuint (last, ==, 3);
  g_assert_true (jm_parse_next_cpu_range (&cursor, end, &first, &last));
  g_assert_cmpuint (first, ==, 8);
  g_assert_cmpuint (last, ==, 8);
  g_assert_false (jm_parse_next_cpu_range (&cursor, end, &first, &last));
  g_assert_true (cursor == end);
}

#define ADD(path, function) g_test_add_func ("/parse/" path, test_##function)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("number/plain", reads_a_number_with_or_without_a_newline);
  ADD ("number/garbage", refuses_what_is_not_one_number);
  ADD ("number/nul", refuses_a_nul_within_a_number);
  ADD ("limit/plain", knows_a_limit_from_none);
  ADD ("limit/v1", knows_the_large_numbers_of_v1_for_no_limit);
  ADD ("limit/garbage", refuses_what_is_no_limit);
  ADD ("cursor/line", walks_the_numbers_of_a_line);
  ADD ("cursor/stays", stays_before_what_is_not_a_number);
  ADD ("cursor/whole-lines", a_whole_line_ends_with_a_newline);
  ADD ("cursor/lines", gives_lines_empty_ones_and_a_last_without_newline);
  ADD ("flat/memory-stat", finds_the_keys_of_memory_stat);
  ADD ("flat/order", finds_keys_in_any_order);
  ADD ("flat/missing", leaves_a_missing_key_absent_not_zero);
  ADD ("flat/unknown", skips_keys_of_later_kernels_whatever_they_hold);
  ADD ("flat/cut-short", does_not_take_the_number_of_a_line_cut_short);
  ADD ("flat/garbage", keeps_the_sound_lines_beside_a_garbage_one);
  ADD ("flat/empty", finds_nothing_in_an_empty_table);
  ADD ("flat/colons", reads_keys_with_colons_and_units);
  ADD ("nested/io-stat", reads_a_device_of_io_stat);
  ADD ("nested/two-names", takes_the_last_device_where_the_kernel_forgot_a_newline);
  ADD ("nested/max", knows_max_within_a_line);
  ADD ("nested/garbage", refuses_a_line_without_name_or_number);
  ADD ("device", reads_device_numbers);
  ADD ("pressure/plain", reads_the_totals_of_a_pressure_file);
  ADD ("pressure/no-full", an_old_kernel_has_no_full_pressure_of_cpu);
  ADD ("pressure/cut-short", a_line_of_pressure_that_was_cut_short_is_absent);
  ADD ("pressure/odd", an_odd_line_of_pressure_costs_itself);
  ADD ("cpus/count", counts_the_cpus_of_a_list);
  ADD ("cpus/garbage", refuses_what_is_not_a_cpu_list);
  ADD ("cpus/ranges", walks_the_ranges_of_a_cpu_list);

  return g_test_run ();
}
