/* jm-node-cpu.c: CPU time of the node, out of /proc/stat
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-node-cpu-private.h"

#include <string.h>

/* Linux 2.6.0 had that many; all since have added to them. */
#define MODES_MIN (JM_CPU_MODE_SOFTIRQ + 1)

#define MAX_CPU 65535

static const char *const names[JM_N_CPU_MODES] = {
  [JM_CPU_MODE_USER] = "user",       [JM_CPU_MODE_NICE] = "nice",
  [JM_CPU_MODE_SYSTEM] = "system",   [JM_CPU_MODE_IDLE] = "idle",
  [JM_CPU_MODE_IOWAIT] = "iowait",   [JM_CPU_MODE_IRQ] = "irq",
  [JM_CPU_MODE_SOFTIRQ] = "softirq", [JM_CPU_MODE_STEAL] = "steal",
  [JM_CPU_MODE_GUEST] = "guest",     [JM_CPU_MODE_GUEST_NICE] = "guest_nice",
};

const char *
jm_cpu_mode_get_name (JmCpuMode mode)
{
  return names[mode];
}

/* The kernel adds a guest's time to both at once, but we may read between the two. */
static void
take_out (guint64 *total, guint64 part)
{
  *total -= MIN (*total, part);
}

/**
 * jm_parse_node_cpu: (skip)
 * @text: of `/proc/stat`
 * @length: of @text
 * @cpu: (out): the first line; not to be used where it is refused
 *
 * Reads the CPU time of all CPUs together
 * (https://docs.kernel.org/filesystems/proc.html#miscellaneous-kernel-statistics-in-proc-stat).
 *
 * Returns: whether the line is there and has numbers for all modes of old
 */
gboolean
jm_parse_node_cpu (const char *text, gsize length, JmNodeCpu *cpu)
{
  JmSlice line;
  const char *cursor;
  const char *end;

  if (!jm_parse_find_line (text, length, "cpu", &line))
    return FALSE;

  *cpu = (JmNodeCpu){ 0 };
  cursor = line.text;
  end = line.text + line.length;
  while (cpu->n_modes < JM_N_CPU_MODES &&
         jm_parse_next_uint64 (&cursor, end, &cpu->ticks[cpu->n_modes]))
    cpu->n_modes++;

  take_out (&cpu->ticks[JM_CPU_MODE_USER], cpu->ticks[JM_CPU_MODE_GUEST]);
  take_out (&cpu->ticks[JM_CPU_MODE_NICE], cpu->ticks[JM_CPU_MODE_GUEST_NICE]);

  /* what comes behind the last one is of a kernel to come */
  return cpu->n_modes == JM_N_CPU_MODES || (cpu->n_modes >= MODES_MIN && cursor == end);
}

static gboolean
parse_cpu_line (JmSlice line, guint64 *cpu, guint64 *busy_ticks)
{
  const char *cursor = line.text + strlen ("cpu");
  const char *end = line.text + line.length;
  guint64 ticks[JM_N_CPU_MODES] = { 0 };
  guint n = 0;

  if (!jm_parse_next_uint64 (&cursor, end, cpu) || *cpu > MAX_CPU)
    return FALSE;
  while (n < JM_CPU_MODE_STEAL && jm_parse_next_uint64 (&cursor, end, &ticks[n]))
    n++;

  /* what was stolen did not run, and guests are in user */
  *busy_ticks = ticks[JM_CPU_MODE_USER] + ticks[JM_CPU_MODE_NICE] +
                ticks[JM_CPU_MODE_SYSTEM] + ticks[JM_CPU_MODE_IRQ] +
                ticks[JM_CPU_MODE_SOFTIRQ];

  return n >= MODES_MIN;
}

/**
 * jm_parse_cpu_times: (skip)
 * @text: of `/proc/stat`
 * @length: of @text
 * @busy_ticks: (element-type guint64): filled with the busy time of each CPU, by number
 *
 * Reads for how long each CPU was busy. The array keeps its memory.
 *
 * Returns: whether there was a line for a CPU, and all had their numbers
 */
gboolean
jm_parse_cpu_times (const char *text, gsize length, GArray *busy_ticks)
{
  const char *cursor = text;
  JmSlice line;

  g_array_set_size (busy_ticks, 0);
  while (jm_parse_next_line (&cursor, text + length, &line))
    {
      guint64 cpu;
      guint64 busy;

      if (line.length < 4 || memcmp (line.text, "cpu", 3) != 0)
        break;
      if (line.text[3] == ' ')
        continue;
      if (!parse_cpu_line (line, &cpu, &busy))
        return FALSE;

      if (cpu >= busy_ticks->len)
        g_array_set_size (busy_ticks, (guint) cpu + 1);
      g_array_index (busy_ticks, guint64, cpu) = busy;
    }

  return busy_ticks->len > 0;
}
