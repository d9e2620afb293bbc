/* fuzz-parse.c: any bytes into every parser of kernel text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>

#include "base/jm-flat-order-private.h"
#include "base/jm-parse-proc-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static const JmFlatKey keys[] = {
  JM_FLAT_KEY ("anon"),
  JM_FLAT_KEY ("file"),
  JM_FLAT_KEY ("rbytes"),
  JM_FLAT_KEY ("total"),
};

#define N_KEYS G_N_ELEMENTS (keys)

static void
assert_within (JmSlice slice, const char *text, gsize length)
{
  g_assert (slice.text >= text && slice.text + slice.length <= text + length);
}

static void
parse_numbers (const char *text, gsize length)
{
  guint64 number;
  guint major, minor, count;

  jm_parse_uint64 (text, length, &number);
  jm_parse_limit (text, length, &number);
  jm_parse_device (text, length, &major, &minor);
  if (jm_parse_cpu_count (text, length, &count))
    g_assert (count <= JM_CPUS_MAX);
}

static void
parse_by_cursor (const char *text, gsize length)
{
  const char *cursor = text;
  const char *end = text + length;
  guint first, last;
  guint64 number;
  JmSlice slice;

  while (jm_parse_next_whole_line (&cursor, end, &slice))
    assert_within (slice, text, length);
  g_assert (memchr (cursor, '\n', (gsize) (end - cursor)) == NULL);

  cursor = text;
  while (jm_parse_next_word (&cursor, end, &slice) ||
         jm_parse_next_line (&cursor, end, &slice))
    assert_within (slice, text, length);
  g_assert (cursor == end);

  cursor = text;
  while (jm_parse_next_uint64 (&cursor, end, &number))
    g_assert (cursor <= end);

  cursor = text;
  while (jm_parse_next_cpu_range (&cursor, end, &first, &last))
    g_assert (cursor <= end && first <= last && last < JM_CPUS_MAX);
}

static void
parse_tables (const char *text, gsize length)
{
  guint64 values[N_KEYS];
  guint64 mask;
  JmPressure pressure;
  JmSlice name;

  jm_parse_flat_keyed (text, length, keys, N_KEYS, values, &mask);
  g_assert (mask >> N_KEYS == 0);
  jm_parse_nested_keyed (text, length, &name, keys, N_KEYS, values, &mask);
  g_assert (mask >> N_KEYS == 0);
  assert_within (name, text, length);
  jm_parse_pressure (text, length, &pressure);
}

/* What is found where it stood before is what is found by looking for it. */
static void
parse_in_order_of (const char *before,
                   gsize length_before,
                   const char *text,
                   gsize length)
{
  JmFlatOrder order_before = { 0 };
  JmFlatOrder order = { 0 };
  guint64 looked_for[N_KEYS] = { 0 };
  guint64 taken[N_KEYS] = { 0 };
  guint64 mask, same_mask;

  jm_flat_order_parse (&order_before, before, length_before, keys, N_KEYS, taken,
                       &same_mask);
  jm_flat_order_parse (&order, text, length, keys, N_KEYS, looked_for, &mask);
  if (order_before.n_lines == 0 || order.n_lines == 0 ||
      !jm_flat_order_take (&order_before, text, length, keys, taken, &same_mask))
    return;

  g_assert (mask == same_mask);
  for (guint i = 0; i < N_KEYS; i++)
    g_assert ((mask >> i & 1) == 0 || looked_for[i] == taken[i]);
}

static void
parse_in_order (const char *text, gsize length)
{
  gsize half = length / 2;

  parse_in_order_of (text, length, text, length);
  parse_in_order_of (text, half, text + half, length - half);
}

static void
check_cgroup (const JmProcCgroup *cgroup, gpointer user_data)
{
  const JmSlice *text = user_data;

  assert_within (cgroup->controllers, text->text, text->length);
  assert_within (cgroup->path, text->text, text->length);
}

static void
check_mount (const JmMount *mount, gpointer user_data)
{
  const JmSlice *text = user_data;

  g_assert (strlen (mount->root) < PATH_MAX && strlen (mount->mount_point) < PATH_MAX);
  assert_within (mount->options, text->text, text->length);
  assert_within (mount->type, text->text, text->length);
  assert_within (mount->source, text->text, text->length);
  assert_within (mount->super_options, text->text, text->length);
}

static void
parse_processes (const char *text, gsize length)
{
  JmSlice whole = { text, length };
  JmProcStat stat;
  JmProcIo io;
  JmSlice value;

  if (jm_parse_proc_stat (text, length, &stat))
    g_assert (strlen (stat.comm) <= JM_COMM_MAX);
  jm_parse_proc_io (text, length, &io);
  jm_parse_proc_cgroup (text, length, check_cgroup, &whole);
  jm_parse_mountinfo (text, length, check_mount, &whole);
  if (jm_parse_option (whole, "cpu", &value))
    assert_within (value, text, length);
  if (jm_parse_environ (text, length, "SLURM_JOB_ID", &value))
    assert_within (value, text, length);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *text = (const char *) data;

  parse_numbers (text, size);
  parse_in_order (text, size);
  parse_by_cursor (text, size);
  parse_tables (text, size);
  parse_processes (text, size);
  return 0;
}
