/* test-energy-checkpoint.c: what of a node's energy outlives the program
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/energy/jm-energy-checkpoint-private.h"

#include <string.h>

#include "core/jm-readings-private.h"

/* What a job's takes in a ledger, and its accelerators on top of that. */
#define MAX_SIZE 400

static JmEnergyAccount *
make_account (void)
{
  JmEnergyAccount *account = jm_energy_account_new (1);
  g_autoptr (JmEmissionFactor) factor =
    jm_emission_factor_new ("rte", "FR", 44, JM_EMISSION_METHOD_AVERAGE,
                            JM_EMISSION_SCOPE_DIRECT, JM_EMISSION_QUALITY_MEASURED, 0,
                            0);
  const JmRoundFactors factors = { factor, NULL };
  const guint64 placed_ns[] = { 0, 3000000, 0, 5000000, 7000000, 9000000 };

  account->start_us = 1700000000000000;
  account->cpu_ns = 987654321;
  account->has_cpu = TRUE;
  account->placement = jm_placement_new ();
  jm_placement_take (account->placement, placed_ns, G_N_ELEMENTS (placed_ns), TRUE);
  jm_energy_account_begin_round (account, 5000000);
  jm_energy_account_cover (account, JM_ENERGY_PACKAGE, 1);
  jm_energy_account_read_socket (account, &(JmEnergySocket){ JM_ENERGY_DRAM, 3, 0.75 });
  jm_energy_account_add (account, JM_ENERGY_PACKAGE, 123456789, &factors);
  jm_energy_account_add (account, JM_ENERGY_DRAM, 4567, &factors);

  return account;
}

static void
add_gpu (JmEnergyAccount *account, guint device, const char *text, guint64 energy_uj)
{
  char *name = g_ref_string_new (text);

  jm_energy_account_add_gpu (account, device, name, energy_uj);
  g_ref_string_release (name);
}

static void
test_comes_back_as_it_was (void)
{
  JmEnergyAccount *account = make_account ();
  g_autoptr (GBytes) bytes = jm_energy_checkpoint_pack_account (account);
  JmEnergyAccount *again = jm_energy_checkpoint_unpack_account (bytes);
  const JmFactorShare *share;
  const guint64 *recent_ns;
  JmEnergyPart part;
  guint socket;
  guint n;

  g_test_message ("%zu bytes", g_bytes_get_size (bytes));
  g_assert_cmpuint (g_bytes_get_size (bytes), <, MAX_SIZE);
  g_assert_nonnull (again);
  g_assert_cmpint (again->start_us, ==, account->start_us);
  g_assert_cmpuint (again->cpu_ns, ==, account->cpu_ns);
  g_assert_true (again->has_cpu);
  g_assert_false (again->has_ended);
  g_assert_cmpuint (again->known, ==, account->known);
  g_assert_cmpuint (again->whole, ==, 0);
  g_assert_cmpmem (again->energy_uj, sizeof again->energy_uj, account->energy_uj,
                   sizeof account->energy_uj);
  g_assert_cmpmem (again->covered_us, sizeof again->covered_us, account->covered_us,
                   sizeof account->covered_us);
  g_assert_cmpmem (again->emissions_ug, sizeof again->emissions_ug,
                   account->emissions_ug, sizeof account->emissions_ug);
  g_assert_true (again->has_emissions[0][0]);
  g_assert_false (again->has_emissions[1][0]);
  share = &g_array_index (again->by_factor, JmFactorShare, 0);
  g_assert_cmpstr (jm_labels_get_value (share->labels, 0), ==, "rte");
  g_assert_cmpint (jm_socket_gaps_get (again->gaps, 0, &part, &socket), ==, 1250000);
  g_assert_cmpint (part, ==, JM_ENERGY_DRAM);
  g_assert_cmpuint (socket, ==, 3);
  recent_ns = jm_placement_get (again->placement, &n);
  g_assert_cmpuint (n, ==, 6);
  g_assert_cmpuint (recent_ns[1], ==, 3000000);
  g_assert_cmpuint (recent_ns[2], ==, 0);
  g_assert_cmpuint (recent_ns[5], ==, 9000000);

  jm_energy_account_free (again);
  jm_energy_account_free (account);
}

/* As where an administrator gave another provider in between. 3.6 MJ are a
 * kilowatt-hour. */
static void
test_grams_of_two_scopes_are_never_one_sum (void)
{
  JmEnergyAccount *account = make_account ();
  g_autoptr (GBytes) bytes = jm_energy_checkpoint_pack_account (account);
  JmEnergyAccount *again = jm_energy_checkpoint_unpack_account (bytes);
  g_autoptr (JmEmissionFactor) factor =
    jm_emission_factor_new ("owid", "FR", 60, JM_EMISSION_METHOD_AVERAGE,
                            JM_EMISSION_SCOPE_LIFECYCLE, JM_EMISSION_QUALITY_STATISTIC,
                            0, 0);
  const JmRoundFactors factors = { factor, NULL };

  jm_energy_account_begin_round (again, 5000000);
  jm_energy_account_add (again, JM_ENERGY_PACKAGE, 3600000000000, &factors);
  jm_energy_account_add (again, JM_ENERGY_PACKAGE, 3600000000000, &factors);
  g_assert_cmpfloat_with_epsilon (again->emissions_ug[0][0], 120e6, 1);
  g_assert_cmpuint (again->by_factor->len, ==, 2);
  g_assert_cmpfloat (g_array_index (again->by_factor, JmFactorShare, 0).emissions_ug,
                     ==, account->emissions_ug[0][0]);

  jm_energy_account_free (again);
  jm_energy_account_free (account);
}

/* Where it ran counts, though not since when. */
static void
test_does_not_count_where_it_ran_before (void)
{
  JmEnergyAccount *account = make_account ();
  g_autoptr (GBytes) bytes = jm_energy_checkpoint_pack_account (account);
  JmEnergyAccount *again = jm_energy_checkpoint_unpack_account (bytes);
  const guint64 placed_ns[] = { 0, 9000000000 };
  const guint64 *recent_ns;
  guint n;

  jm_placement_take (again->placement, placed_ns, G_N_ELEMENTS (placed_ns), FALSE);
  recent_ns = jm_placement_get (again->placement, &n);
  g_assert_cmpuint (n, ==, 6);
  g_assert_cmpuint (recent_ns[1], ==, 2250000);
  g_assert_cmpuint (recent_ns[5], ==, 6750000);

  jm_energy_account_free (again);
  jm_energy_account_free (account);
}

static guint64
get_gpu_energy (JmEnergyAccount *account, guint device)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const JmReading *energy;

  jm_readings_reset (readings, jm_collector_set_get_all ());
  jm_readings_begin (readings, JM_COLLECTOR_GPU);
  jm_energy_account_tell_gpu (account, device, readings);
  energy = jm_readings_find (readings, 0, JM_METRIC_GPU_ENERGY);

  return energy != NULL ? energy->value : G_MAXUINT64;
}

/* The numbers of accelerators may be others in the next program. */
static void
test_knows_accelerators_by_their_names (void)
{
  JmEnergyAccount *account = make_account ();
  g_autoptr (GBytes) bytes = NULL;
  JmEnergyAccount *again;

  add_gpu (account, 0, "GPU-a", 100);
  add_gpu (account, 1, "GPU-b", 200);
  bytes = jm_energy_checkpoint_pack_account (account);
  again = jm_energy_checkpoint_unpack_account (bytes);
  g_assert_nonnull (again);
  g_assert_cmpuint (get_gpu_energy (again, 0), ==, G_MAXUINT64);

  jm_energy_account_seat_gpu (again, "GPU-b", 0);
  jm_energy_account_seat_gpu (again, "GPU-a", 3);
  g_assert_cmpuint (get_gpu_energy (again, 0), ==, 200);
  g_assert_cmpuint (get_gpu_energy (again, 3), ==, 100);
  add_gpu (again, 3, "GPU-a", 11);
  g_assert_cmpuint (get_gpu_energy (again, 3), ==, 111);

  jm_energy_account_free (again);
  jm_energy_account_free (account);
}

static void
test_takes_nothing_of_another_version (void)
{
  JmEnergyAccount *account = make_account ();
  g_autoptr (GBytes) bytes = jm_energy_checkpoint_pack_account (account);
  gsize size;
  g_autofree guint8 *data =
    g_memdup2 (g_bytes_get_data (bytes, &size), g_bytes_get_size (bytes));
  g_autoptr (GBytes) other = NULL;

  data[0]++;
  other = g_bytes_new (data, size);
  g_assert_null (jm_energy_checkpoint_unpack_account (other));
  jm_energy_account_free (account);
}

static void
check_part (const guint8 *data, gsize size)
{
  /* bytes of their own, of exactly that size, for who looks at each access */
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  JmEnergyAccount *account = jm_energy_checkpoint_unpack_account (bytes);

  g_clear_pointer (&account, jm_energy_account_free);
}

static void
test_survives_any_damage (void)
{
  JmEnergyAccount *account = make_account ();
  g_autoptr (GBytes) bytes = NULL;
  gsize size;
  g_autofree guint8 *data = NULL;

  add_gpu (account, 0, "GPU-a", 100);
  bytes = jm_energy_checkpoint_pack_account (account);
  data = g_memdup2 (g_bytes_get_data (bytes, &size), g_bytes_get_size (bytes));
  for (gsize i = 0; i < size; i++)
    check_part (data, i);
  for (gsize i = 0; i < size; i++)
    for (guint bit = 0; bit < 8; bit++)
      {
        data[i] ^= 1 << bit;
        check_part (data, size);
        data[i] ^= 1 << bit;
      }
  jm_energy_account_free (account);
}

#define ADD(path, function) g_test_add_func ("/energy-checkpoint/" path, function)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("two-scopes", test_grams_of_two_scopes_are_never_one_sum);
  ADD ("comes-back-as-it-was", test_comes_back_as_it_was);
  ADD ("does-not-count-where-it-ran-before", test_does_not_count_where_it_ran_before);
  ADD ("knows-accelerators-by-their-names", test_knows_accelerators_by_their_names);
  ADD ("takes-nothing-of-another-version", test_takes_nothing_of_another_version);
  ADD ("survives-any-damage", test_survives_any_damage);

  return g_test_run ();
}
