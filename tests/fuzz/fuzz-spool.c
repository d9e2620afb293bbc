/* fuzz-spool.c: any bytes into a source of jobs that are known by a group
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>

#include "base/jm-parse-proc-private.h"
#include "sources/cgroup/jm-spool-file-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_memdup2 (data, size);
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (guint));
  guint64 user_ns, system_ns;
  guint group, n_slots;

  if (size == 0)
    return 0;

  if (jm_spool_parse_group (text, size, &group))
    g_assert (group >= 100 && group < G_MAXUINT32);
  if (jm_spool_parse_usage (text, size, &user_ns, &system_ns))
    g_assert (user_ns / 1000000000 <= 1000000000 &&
              system_ns / 1000000000 <= 1000000000);
  if (jm_spool_parse_slots (text, size, "n1", &n_slots))
    g_assert (n_slots > 0 && n_slots <= 1000000);
  if (jm_parse_proc_groups (text, size, groups))
    g_assert (groups->len <= size);

  return 0;
}
