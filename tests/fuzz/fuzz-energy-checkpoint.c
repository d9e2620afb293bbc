/* fuzz-energy-checkpoint.c: what a ledger keeps of energy, in any shape
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/energy/jm-energy-checkpoint-private.h"
#include "node/energy/jm-energy-parts-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check_account (GBytes *bytes)
{
  JmEnergyAccount *account = jm_energy_checkpoint_unpack_account (bytes);
  g_autoptr (GBytes) again = NULL;

  if (account == NULL)
    return;

  for (guint i = 0; i < JM_N_ENERGY_KINDS; i++)
    {
      g_assert_cmpint ((gint64) account->energy_uj[i], >=, 0);
      g_assert_cmpint (account->covered_us[i], >=, 0);
    }
  again = jm_energy_checkpoint_pack_account (account);
  jm_energy_account_free (account);
}

static void
check_meters (GBytes *bytes)
{
  g_autoptr (GVariant) value =
    jm_energy_checkpoint_unpack (bytes, JM_POWER_INTAKE_TYPE);
  g_autoptr (JmEnergyBalance) balance = jm_energy_balance_new ();
  g_autoptr (JmPowerMeters) meters = jm_power_meters_new ();
  g_autoptr (GVariant) of_balance = NULL;
  g_autoptr (GVariant) of_meters = NULL;

  if (value == NULL)
    return;

  of_balance = g_variant_get_child_value (value, 3);
  of_meters = g_variant_get_child_value (value, 4);
  jm_energy_balance_restore (balance, of_balance, 1000);
  jm_power_meters_restore (meters, of_meters, 1000);
  g_variant_unref (g_variant_ref_sink (jm_energy_balance_save (balance)));
  g_variant_unref (g_variant_ref_sink (jm_power_meters_save (meters)));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);

  check_account (bytes);
  check_meters (bytes);

  return 0;
}
