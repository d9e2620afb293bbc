/* test-power-intake.c: what a node has taken since the round before
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "collect/energy/jm-power-intake-private.h"

#include "collect/energy/jm-energy-balance-private.h"
#include "core/jm-readings-private.h"
#include "fake-energy.h"

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

  return g_test_run ();
}
