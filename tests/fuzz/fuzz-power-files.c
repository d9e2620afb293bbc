/* fuzz-power-files.c: what the files of power meters tell, in any shape
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/power/jm-cray-pm-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
try_cray (const char *text, gsize size)
{
  g_autofree char *name = g_strndup (text, size);
  JmCrayPmName parsed;
  guint64 energy_uj;

  if (jm_cray_pm_parse_energy (text, size, &energy_uj))
    g_assert_cmpuint (energy_uj % 1000000, ==, 0);
  if (jm_cray_pm_parse_name (name, &parsed))
    g_assert_cmpuint (parsed.domain, <, JM_N_POWER_DOMAINS);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  try_cray ((const char *) data, size);

  return 0;
}
