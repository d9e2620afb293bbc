/* fuzz-energy-file.c: files of energy accounts, in any shape
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/energy/jm-energy-file-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check (gpointer name, gpointer value, gpointer user_data)
{
  const JmEnergyAccount *account = value;

  g_assert_nonnull (name);
  for (guint i = 0; i < JM_N_ENERGY_KINDS; i++)
    {
      g_assert_cmpint ((gint64) account->energy_uj[i], >=, 0);
      g_assert_cmpint (account->covered_us[i], >=, 0);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GHashTable) accounts =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                           (GDestroyNotify) jm_energy_account_free);
  gint64 time_us = 0;

  if (jm_energy_file_parse ((const char *) data, size, accounts, &time_us))
    g_hash_table_foreach (accounts, check, NULL);
  else
    g_assert_cmpuint (g_hash_table_size (accounts), ==, 0);

  return 0;
}
