/* test-power-intake.c: what a node has taken since the round before
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/energy/jm-energy-parts-private.h"

#include "core/jm-readings-private.h"
#include "fake-energy.h"
#include "node/energy/jm-energy-balance-private.h"
#include "node/energy/jm-energy-checkpoint-private.h"

typedef struct
{
  JmHost *host;
  FakeMeter *meter;
  JmPowerIntake *intake;
  JmReadings *readings;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->host = jm_host_new ("/nonexistent");
  f->meter = fake_meter_new (f->host);
  f->intake = jm_power_intake_new ();
  f->readings = jm_readings_new ();
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  jm_readings_unref (f->readings);
  jm_power_intake_free (f->intake);
  g_object_unref (f->meter);
  g_object_unref (f->host);
}

static const GArray *
read_round (Fixture *f, gint64 *round_us)
{
  gint64 end_us = g_get_monotonic_time () + 2000;

  /* energy is of an interval, which has to have some length */
  while (g_get_monotonic_time () < end_us)
    g_thread_yield ();
  jm_readings_reset (f->readings, jm_collector_set_get_all ());
  jm_readings_begin (f->readings, JM_COLLECTOR_POWER);

  return jm_power_intake_read (f->intake, g_get_monotonic_time (), f->readings,
                               round_us);
}

static void
test_has_nothing_without_a_meter (Fixture *f, gconstpointer data)
{
  gint64 round_us = -1;

  g_assert_null (read_round (f, &round_us));
  g_assert_cmpint (round_us, ==, -1);
}

static void
test_begins_with_the_second_round (Fixture *f, gconstpointer data)
{
  gint64 round_us;
  const GArray *items;

  fake_meter_set_energy (f->meter, "package-1", 500);
  jm_power_intake_add (f->intake, "fake", JM_POWER_SOURCE (f->meter));
  items = read_round (f, &round_us);
  g_assert_cmpuint (items->len, ==, 0);
  g_assert_cmpint (round_us, ==, 0);

  fake_meter_set_energy (f->meter, "package-1", 800);
  items = read_round (f, &round_us);
  g_assert_cmpuint (items->len, ==, 1);
  g_assert_cmpint (round_us, >=, 2000);
  g_assert_cmpuint (g_array_index (items, JmEnergyItem, 0).kind, ==, JM_ENERGY_PACKAGE);
  g_assert_cmpuint (g_array_index (items, JmEnergyItem, 0).number, ==, 1);
  g_assert_cmpuint (g_array_index (items, JmEnergyItem, 0).energy_uj, ==, 300);
}

static void
test_knows_a_socket_in_part_whose_die_has_gone (Fixture *f, gconstpointer data)
{
  gint64 round_us;
  const GArray *items;

  fake_meter_set_energy (f->meter, "package-0-die-0", 0);
  fake_meter_set_energy (f->meter, "package-0-die-1", 0);
  jm_power_intake_add (f->intake, "fake", JM_POWER_SOURCE (f->meter));
  for (guint i = 0; i < 2; i++)
    {
      items = read_round (f, &round_us);
      fake_meter_set_energy (f->meter, "package-0-die-0", 100 * (i + 1));
      fake_meter_set_energy (f->meter, "package-0-die-1", 100 * (i + 1));
    }
  g_assert_cmpfloat (g_array_index (items, JmEnergyItem, 0).covered, ==, 1);

  fake_meter_lose (f->meter, "package-0-die-1");
  items = read_round (f, &round_us);
  g_assert_cmpuint (items->len, ==, 1);
  g_assert_cmpuint (g_array_index (items, JmEnergyItem, 0).energy_uj, ==, 100);
  g_assert_cmpfloat (g_array_index (items, JmEnergyItem, 0).covered, ==, 0.5);
}

static double
get_read (Fixture *f, guint socket)
{
  const GArray *sockets = jm_power_intake_get_sockets (f->intake);

  g_assert_cmpuint (sockets->len, ==, 2);
  for (guint i = 0; i < sockets->len; i++)
    if (g_array_index (sockets, JmEnergySocket, i).number == socket)
      return g_array_index (sockets, JmEnergySocket, i).read;

  return -1;
}

static void
test_knows_which_of_two_sockets_is_not_read (Fixture *f, gconstpointer data)
{
  gint64 round_us;

  fake_meter_set_energy (f->meter, "package-0", 0);
  fake_meter_set_energy (f->meter, "package-1", 0);
  jm_power_intake_add (f->intake, "fake", JM_POWER_SOURCE (f->meter));
  for (guint i = 0; i < 2; i++)
    read_round (f, &round_us);
  g_assert_cmpfloat (get_read (f, 0), ==, 1);
  g_assert_cmpfloat (get_read (f, 1), ==, 1);

  fake_meter_lose (f->meter, "package-1");
  read_round (f, &round_us);
  g_assert_cmpfloat (get_read (f, 0), ==, 1);
  g_assert_cmpfloat (get_read (f, 1), ==, 0);
}

static void
test_reports_no_socket_that_is_alone (Fixture *f, gconstpointer data)
{
  gint64 round_us;

  fake_meter_set_energy (f->meter, "package-0", 0);
  jm_power_intake_add (f->intake, "fake", JM_POWER_SOURCE (f->meter));
  read_round (f, &round_us);
  read_round (f, &round_us);

  g_assert_cmpuint (jm_power_intake_get_sockets (f->intake)->len, ==, 0);
}

/* What a ledger has of the meters may be anything. */
static void
check_damaged (Fixture *f, const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (GVariant) value =
    jm_energy_checkpoint_unpack (bytes, JM_POWER_INTAKE_TYPE);
  g_autoptr (JmPowerIntake) intake = jm_power_intake_new ();
  gint64 round_us;

  if (value == NULL)
    return;

  jm_power_intake_add (intake, "fake", JM_POWER_SOURCE (f->meter));
  jm_power_intake_restore (intake, value, "boot", g_get_monotonic_time ());
  jm_readings_reset (f->readings, jm_collector_set_get_all ());
  jm_readings_begin (f->readings, JM_COLLECTOR_POWER);
  jm_power_intake_read (intake, g_get_monotonic_time (), f->readings, &round_us);
  g_variant_unref (g_variant_ref_sink (jm_power_intake_save (intake, "boot")));
}

static void
test_survives_any_damage_to_what_is_kept (Fixture *f, gconstpointer data)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autofree guint8 *copy = NULL;
  gint64 round_us;
  gsize size;

  fake_meter_set_energy (f->meter, "package-0", 0);
  fake_meter_set_power (f->meter, "node", 300000000);
  jm_power_intake_add (f->intake, "fake", JM_POWER_SOURCE (f->meter));
  read_round (f, &round_us);
  read_round (f, &round_us);
  bytes = jm_energy_checkpoint_pack (jm_power_intake_save (f->intake, "boot"));
  copy = g_memdup2 (g_bytes_get_data (bytes, &size), g_bytes_get_size (bytes));
  for (gsize i = 0; i < size; i++)
    check_damaged (f, copy, i);
  for (gsize i = 0; i < size; i++)
    for (guint bit = 0; bit < 8; bit++)
      {
        copy[i] ^= 1 << bit;
        check_damaged (f, copy, size);
        copy[i] ^= 1 << bit;
      }
}

/* The power of a meter is integrated from the first reading on, and added to what was
 * kept. */
static void
test_goes_on_with_the_sum_of_a_meter_of_power (Fixture *f, gconstpointer data)
{
  g_autoptr (JmPowerIntake) next = jm_power_intake_new ();
  g_autoptr (GVariant) value = NULL;
  const JmReading *values;
  guint64 before_uj = 0;
  gint64 round_us;
  guint n;

  fake_meter_set_power (f->meter, "node", 300000000);
  jm_power_intake_add (f->intake, "fake", JM_POWER_SOURCE (f->meter));
  read_round (f, &round_us);
  read_round (f, &round_us);
  before_uj = jm_readings_find (f->readings, 0, JM_METRIC_NODE_ENERGY)->value;
  g_assert_cmpuint (before_uj, >, 0);
  value = g_variant_ref_sink (jm_power_intake_save (f->intake, "boot"));

  jm_power_intake_add (next, "fake", JM_POWER_SOURCE (f->meter));
  jm_power_intake_restore (next, value, "boot", g_get_monotonic_time ());
  jm_power_intake_free (f->intake);
  f->intake = g_steal_pointer (&next);
  g_assert_cmpuint (read_round (f, &round_us)->len, ==, 0);
  g_assert_cmpint (round_us, >, 0);
  values = jm_readings_get_values (f->readings, &n);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (values[0].metric, ==, JM_METRIC_NODE_ENERGY);
  g_assert_cmpuint (values[0].value, ==, before_uj);
  g_assert_cmpuint (read_round (f, &round_us)->len, ==, 1);
}

static const JmReading *
find_power (Fixture *f)
{
  return jm_readings_find (f->readings, 0, JM_METRIC_NODE_POWER);
}

/* Two rounds are 4 ms at least: 1000 uJ in them are 250 mW at most. */
static void
test_the_power_of_a_meter_in_steps_is_of_the_time_between_them (Fixture *f,
                                                                gconstpointer data)
{
  gint64 round_us;
  guint64 power_uw;

  fake_meter_set_age (f->meter, 1);
  fake_meter_set_energy (f->meter, "package-0", 1000);
  jm_power_intake_add (f->intake, "fake", JM_POWER_SOURCE (f->meter));
  read_round (f, &round_us);
  fake_meter_set_energy (f->meter, "package-0", 2000);
  read_round (f, &round_us);
  /* when that step began is not known */
  g_assert_null (find_power (f));

  read_round (f, &round_us);
  g_assert_null (find_power (f));
  fake_meter_set_energy (f->meter, "package-0", 3000);
  read_round (f, &round_us);
  g_assert_nonnull (find_power (f));
  power_uw = find_power (f)->value;
  g_assert_cmpuint (power_uw, >, 0);
  g_assert_cmpuint (power_uw, <=, 250000);

  read_round (f, &round_us);
  g_assert_cmpuint (find_power (f)->value, ==, power_uw);
}

#define ADD(path, function)                                                            \
 g_test_add ("/power-intake/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("has-nothing-without-a-meter", test_has_nothing_without_a_meter);
  ADD ("begins-with-the-second-round", test_begins_with_the_second_round);
  ADD ("knows-a-socket-in-part-whose-die-has-gone",
       test_knows_a_socket_in_part_whose_die_has_gone);
  ADD ("knows-which-of-two-sockets-is-not-read",
       test_knows_which_of_two_sockets_is_not_read);
  ADD ("reports-no-socket-that-is-alone", test_reports_no_socket_that_is_alone);
  ADD ("survives-any-damage-to-what-is-kept", test_survives_any_damage_to_what_is_kept);
  ADD ("goes-on-with-the-sum-of-a-meter-of-power",
       test_goes_on_with_the_sum_of_a_meter_of_power);

  ADD ("the-power-of-a-meter-in-steps-is-of-the-time-between-them",
       test_the_power_of_a_meter_in_steps_is_of_the_time_between_them);

  return g_test_run ();
}
