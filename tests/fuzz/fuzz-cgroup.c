/* fuzz-cgroup.c: any bytes into every parser of cgroups' files
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>

#include "sources/cgroup/jm-cgroup-parse-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* What has been reported of CPUs so far. */
typedef struct
{
  guint n_cpus;
  guint last_cpu;
} Told;

static void
on_cpu (guint cpu, guint64 value_ns, gpointer user_data)
{
  Told *told = user_data;

  g_assert (cpu < JM_CPUS_MAX);
  g_assert (told->n_cpus == 0 || cpu > told->last_cpu);
  told->n_cpus++;
  told->last_cpu = cpu;
}

static void
parse_lines (const char *text, gsize length)
{
  const char *cursor = text;
  JmCgroupBlkio entry;
  JmSlice line;
  guint pid;

  while (jm_parse_next_line (&cursor, text + length, &line))
    {
      jm_cgroup_parse_blkio (line.text, line.length, &entry);
      if (jm_cgroup_parse_pid (line.text, line.length, &pid))
        g_assert (pid <= G_MAXINT32);
    }
}

/* The text serves as each of the three lists in turn. */
static void
parse_percpu (const char *text, gsize length)
{
  static const char numbers[] = "1 2 3 4 5 6 7 8 \n";
  static const char unused[] = "0 0 0 0 0 0 0 0 \n";
  const JmSlice all = { text, 0 };
  guint count;
  Told told = { 0 };

  jm_cgroup_parse_percpu (text, length, all, all, on_cpu, &told);

  /* broken and unordered lists never come here: they are counted first */
  if (!jm_parse_cpu_count (text, length, &count))
    return;

  told = (Told){ 0 };
  jm_cgroup_parse_percpu (numbers, sizeof numbers - 1, (JmSlice){ text, length }, all,
                          on_cpu, &told);
  g_assert (length == 0 || told.n_cpus <= count);

  told = (Told){ 0 };
  jm_cgroup_parse_percpu (unused, sizeof unused - 1, all, (JmSlice){ text, length },
                          on_cpu, &told);
  g_assert (length == 0 || told.n_cpus <= count);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *text = (const char *) data;
  g_autofree char *name = g_strndup (text, size);
  char label[JM_CGROUP_PAGE_SIZE_MAX];
  JmSlice device;

  parse_lines (text, size);
  parse_percpu (text, size);
  jm_cgroup_parse_page_size (name, label);
  if (jm_cgroup_parse_device_name (text, size, &device))
    g_assert (device.length > 0 && device.text + device.length <= text + size);

  return 0;
}
