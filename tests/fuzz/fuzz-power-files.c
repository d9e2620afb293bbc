/* fuzz-power-files.c: what the files of power meters report, in any shape
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>

#include "sources/power/jm-estimate-parts-private.h"
#include "sources/power/jm-power-files-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
try_cray (const char *text, gsize size)
{
  g_autofree char *name = g_strndup (text, size);
  JmCrayPmName parsed;
  guint64 energy_uj;

  if (jm_cray_pm_parse_value (text, size, JM_CRAY_PM_ENERGY, &energy_uj))
    g_assert_cmpuint (energy_uj % 1000000, ==, 0);
  if (jm_cray_pm_parse_name (name, &parsed))
    g_assert_cmpuint (parsed.domain, <, JM_N_POWER_DOMAINS);
}

static void
try_hwmon (const char *text, gsize size)
{
  g_autofree char *label = g_strndup (text, size);
  g_autofree char *channel = NULL;
  g_autofree char *domain = jm_hwmon_make_domain ("power_meter", "power1", label);
  g_autofree char *other = jm_hwmon_make_domain (label, "power1", label);

  if (jm_hwmon_parse_file_name (label, &channel) != JM_HWMON_NONE)
    g_assert_nonnull (channel);
  g_assert_true (g_utf8_validate (domain, -1, NULL));
  g_assert_true (other == NULL || g_utf8_validate (other, -1, NULL));
}

static void
try_estimate (const char *text, gsize size)
{
  g_autoptr (GError) error = NULL;
  JmEstimateRow row;
  JmCpuModel cpu;

  jm_cpu_model_parse (&cpu, text, size);
  if (jm_estimate_table_find_in ("table", text, size, NULL, &cpu, &row, &error))
    g_assert_true (isfinite (row.busy_watts_per_core) && row.threads_per_core > 0);
  else
    g_assert_nonnull (error);
}

static void
try_memory (const char *text, gsize size)
{
  guint64 kib;

  if (jm_memory_share_parse (text, size, &kib))
    g_assert_cmpuint (kib, <=, G_GUINT64_CONSTANT (1) << 50);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  try_cray ((const char *) data, size);
  try_hwmon ((const char *) data, size);
  try_estimate ((const char *) data, size);
  try_memory ((const char *) data, size);

  return 0;
}
