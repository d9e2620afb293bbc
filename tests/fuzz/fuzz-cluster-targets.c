/* fuzz-cluster-targets.c: any bytes as what a site has agreed on
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stddef.h>
#include <stdint.h>

#include "cluster/jm-cluster-targets-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) targets =
    jm_cluster_targets_parse ("fuzz.conf", (const char *) data, size, &error);

  g_assert_true ((targets == NULL) == (error != NULL));
  for (guint i = 0; targets != NULL && i < targets->len; i++)
    {
      const JmClusterTarget *target = targets->pdata[i];

      g_assert_true (g_utf8_validate (target->name, -1, NULL));
      g_assert_true (g_utf8_validate (target->cluster, -1, NULL));
      g_assert_cmpint (target->from_s, <, target->to_s);
    }

  return 0;
}
