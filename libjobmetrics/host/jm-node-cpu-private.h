/* jm-node-cpu-private.h: CPU time of the node, out of /proc/stat
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"

G_BEGIN_DECLS

/* In the order of the kernel's columns. */
typedef enum
{
  JM_CPU_MODE_USER,
  JM_CPU_MODE_NICE,
  JM_CPU_MODE_SYSTEM,
  JM_CPU_MODE_IDLE,
  JM_CPU_MODE_IOWAIT,
  JM_CPU_MODE_IRQ,
  JM_CPU_MODE_SOFTIRQ,
  JM_CPU_MODE_STEAL,
  JM_CPU_MODE_GUEST,
  JM_CPU_MODE_GUEST_NICE,
} JmCpuMode;

#define JM_N_CPU_MODES (JM_CPU_MODE_GUEST_NICE + 1)

/**
 * JmNodeCpu:
 * @n_modes: how many the kernel has; the first of #JmCpuMode
 * @ticks: time in each, all CPUs together; user and nice without the guests'
 *
 * The first line of `/proc/stat`.
 */
typedef struct
{
  guint n_modes;
  guint64 ticks[JM_N_CPU_MODES];
} JmNodeCpu;

const char *jm_cpu_mode_get_name (JmCpuMode mode);
gboolean jm_parse_cpu_times (const char *text, gsize length, GArray *busy_ticks);
gboolean jm_parse_node_cpu (const char *text, gsize length, JmNodeCpu *cpu);

G_END_DECLS
