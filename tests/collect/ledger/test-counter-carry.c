/* test-counter-carry.c: counters that go on where an earlier program left them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "collect/ledger/jm-counter-carry-private.h"

static JmReadings *
read_job (guint64 rchar, guint64 cpu_ns, const char *executable, guint64 executable_ns)
{
  JmReadings *readings = jm_readings_new ();

  jm_readings_begin (readings, JM_COLLECTOR_CPU);
  jm_readings_add (readings, JM_METRIC_CPU_TOTAL, cpu_ns);
  jm_readings_begin (readings, JM_COLLECTOR_PROCESS);
  jm_readings_add (readings, JM_METRIC_PROCESS_READ_CHARS, rchar);
  jm_readings_add (readings, JM_METRIC_PROCESS_CPU_USER, 1);
  if (executable != NULL)
    {
      g_autoptr (JmLabels) labels = jm_labels_of (executable, NULL);

      jm_readings_add_labelled (readings, JM_METRIC_EXECUTABLE_CPU, labels,
                                executable_ns);
    }

  return readings;
}

static JmCounterCarry *
carry_from (JmReadings *shown)
{
  guint n;
  const JmReading *values = jm_readings_get_values (shown, &n);
  g_autoptr (GVariant) saved = jm_counter_carry_save (values, n);
  g_autoptr (GBytes) bytes = g_variant_get_data_as_bytes (saved);
  g_autoptr (GVariant) read = g_variant_ref_sink (
    g_variant_new_from_bytes (G_VARIANT_TYPE (JM_COUNTER_CARRY_TYPE), bytes, FALSE));

  return jm_counter_carry_restore (read);
}

static guint64
get (JmReadings *readings, JmMetric metric)
{
  const JmReading *found = jm_readings_find (readings, 0, metric);

  g_assert_nonnull (found);

  return found->value;
}

static void
test_goes_on_from_what_was_shown (void)
{
  g_autoptr (JmReadings) shown = read_job (1000, 50, NULL, 0);
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) first = read_job (300, 60, NULL, 0);
  g_autoptr (JmReadings) second = read_job (350, 70, NULL, 0);

  jm_counter_carry_apply (carry, first, 0, FALSE);
  jm_counter_carry_apply (carry, second, 0, FALSE);

  g_assert_cmpuint (get (first, JM_METRIC_PROCESS_READ_CHARS), ==, 1000);
  g_assert_cmpuint (get (second, JM_METRIC_PROCESS_READ_CHARS), ==, 1050);
}

static void
test_leaves_what_the_kernel_keeps (void)
{
  g_autoptr (JmReadings) shown = read_job (1000, 50, NULL, 0);
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) first = read_job (1200, 60, NULL, 0);

  jm_counter_carry_apply (carry, first, 0, FALSE);

  g_assert_cmpuint (get (first, JM_METRIC_CPU_TOTAL), ==, 60);
  g_assert_cmpuint (get (first, JM_METRIC_PROCESS_READ_CHARS), ==, 1200);
}

/* Of cgroups of version 1 that are gone, a daemon that began later knows nothing. */
static void
test_goes_on_with_what_removed_cgroups_counted (void)
{
  g_autoptr (JmReadings) shown = jm_readings_new ();
  g_autoptr (JmReadings) first = jm_readings_new ();
  g_autoptr (JmReadings) second = jm_readings_new ();
  g_autoptr (JmCounterCarry) carry = NULL;

  jm_readings_add (shown, JM_METRIC_MEMORY_OOM_KILLS, 3);
  jm_readings_add (first, JM_METRIC_MEMORY_OOM_KILLS, 1);
  jm_readings_add (second, JM_METRIC_MEMORY_OOM_KILLS, 2);
  carry = carry_from (shown);

  jm_counter_carry_apply (carry, first, 0, FALSE);
  jm_counter_carry_apply (carry, second, 0, FALSE);

  g_assert_cmpuint (get (first, JM_METRIC_MEMORY_OOM_KILLS), ==, 3);
  g_assert_cmpuint (get (second, JM_METRIC_MEMORY_OOM_KILLS), ==, 4);
}

static void
test_keeps_what_is_read_no_more (void)
{
  g_autoptr (JmReadings) shown = read_job (1, 2, "gcc", 700);
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) without = read_job (1, 2, NULL, 0);
  g_autoptr (JmReadings) again = read_job (1, 2, "gcc", 5);

  jm_counter_carry_apply (carry, without, 0, FALSE);
  jm_counter_carry_apply (carry, again, 0, FALSE);

  g_assert_cmpuint (get (without, JM_METRIC_EXECUTABLE_CPU), ==, 700);
  g_assert_cmpuint (get (again, JM_METRIC_EXECUTABLE_CPU), ==, 705);
}

static void
test_waits_for_what_cannot_be_read_yet (void)
{
  g_autoptr (JmReadings) shown = read_job (1000, 50, "gcc", 700);
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) nothing = jm_readings_new ();
  g_autoptr (JmReadings) second = read_job (1010, 60, "gcc", 710);
  g_autoptr (JmReadings) again = jm_readings_new ();
  guint n;

  jm_counter_carry_apply (carry, nothing, 0, FALSE);
  jm_counter_carry_apply (carry, second, 0, FALSE);
  jm_counter_carry_apply (carry, again, 0, FALSE);

  /* what an earlier program read is no reading of this one's */
  jm_readings_get_values (nothing, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpuint (get (second, JM_METRIC_CPU_TOTAL), ==, 60);
  g_assert_cmpuint (get (second, JM_METRIC_PROCESS_READ_CHARS), ==, 1010);
  g_assert_cmpuint (get (second, JM_METRIC_EXECUTABLE_CPU), ==, 710);
  /* nor is there a figure once it has been read, and for a moment cannot be */
  jm_readings_get_values (again, &n);
  g_assert_cmpuint (n, ==, 0);
}

static void
test_is_none_of_what_cannot_be_one (void)
{
  g_autoptr (GBytes) noise = g_bytes_new_static ("\xff\x01nonsense\0\0", 12);
  g_autoptr (GVariant) broken = g_variant_ref_sink (
    g_variant_new_from_bytes (G_VARIANT_TYPE (JM_COUNTER_CARRY_TYPE), noise, FALSE));
  g_autoptr (GVariant) unknown = g_variant_ref_sink (
    g_variant_new_parsed ("[('warp_seconds_total', @as [], uint64 7), "
                          "('cpu_seconds_total', ['a', 'b'], 8)]"));

  g_assert_null (jm_counter_carry_restore (broken));
  g_assert_null (jm_counter_carry_restore (unknown));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/counter-carry/goes-on", test_goes_on_from_what_was_shown);
  g_test_add_func ("/counter-carry/kernel", test_leaves_what_the_kernel_keeps);
  g_test_add_func ("/counter-carry/removed",
                   test_goes_on_with_what_removed_cgroups_counted);
  g_test_add_func ("/counter-carry/gone", test_keeps_what_is_read_no_more);
  g_test_add_func ("/counter-carry/unread", test_waits_for_what_cannot_be_read_yet);
  g_test_add_func ("/counter-carry/broken", test_is_none_of_what_cannot_be_one);

  return g_test_run ();
}
