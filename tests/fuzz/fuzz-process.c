/* fuzz-process.c: what processes and the node report, in any shape
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-parse-proc-private.h"
#include "host/jm-node-cpu-private.h"
#include "sources/process/jm-kept-process-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
try_node (const char *text, gsize size)
{
  JmNodeCpu cpu;
  JmSlice line;
  guint64 seconds;

  if (jm_parse_node_cpu (text, size, &cpu))
    g_assert_cmpuint (cpu.n_modes, <=, JM_N_CPU_MODES);
  if (jm_parse_boot_time (text, size, &seconds))
    g_assert_cmpuint (seconds, <=, G_MAXUINT64 / 1000000000);
  if (jm_parse_find_line (text, size, "MemTotal:", &line))
    g_assert_true (line.text + line.length <= text + size);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const char *text = (const char *) data;
  char letter;

  if (jm_parse_thread_state (text, size, &letter))
    g_assert_cmpuint (jm_thread_state_from_letter (letter), <, JM_N_THREAD_STATES);
  try_node (text, size);

  return 0;
}
