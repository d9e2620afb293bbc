/* fuzz-batch-script.c: any bytes as a script for sbatch
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-batch-script.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_auto (JmcBatchScript) script = { 0 };

  jmc_batch_script_parse (&script, (const char *) data, size);
  if (script.job_name != NULL)
    {
      g_assert_cmpuint (*script.job_name, !=, '\0');
      g_assert_true (g_utf8_validate (script.job_name, -1, NULL));
    }

  return 0;
}
