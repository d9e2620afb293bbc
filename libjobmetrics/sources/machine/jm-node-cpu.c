/* jm-node-cpu.c: CPU time of the node, out of /proc/stat
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/machine/jm-node-cpu-private.h"

/* Linux 2.6.0 had that many; all since have added to them. */
#define MODES_MIN (JM_CPU_MODE_SOFTIRQ + 1)

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
