/* test-power-meter.c: a site's own meter, from one reading to the next
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/power/jm-power-meter-private.h"

#include <string.h>

#include "answers.h"
#include "base/jm-error.h"

typedef struct
{
  JmPowerMeter *meter;
  JmReadings *readings;
  gint64 now_us;
} Site;

static Site *
site_new (const char *domain, const char *unit, const char *range)
{
  const JmPowerMeterSettings settings = { domain, unit, range };
  g_autoptr (GError) error = NULL;
  Site *self = g_new0 (Site, 1);

  self->meter = jm_power_meter_new (&settings, "/run/watts", &error);
  g_assert_no_error (error);
  self->readings = answers_new ();

  return self;
}

static void
site_free (Site *self)
{
  jm_power_meter_free (self->meter);
  jm_readings_unref (self->readings);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Site, site_free)

/* Ten seconds after the last time. */
static gboolean
site_take (Site *self, const char *text, GError **error)
{
  g_autoptr (JmPowerAnswer) answer = NULL;

  self->now_us += 10 * G_USEC_PER_SEC;
  jm_readings_reset (self->readings, jm_collector_set_get_all ());
  answer = jm_power_meter_take (self->meter, text, strlen (text), self->now_us, error);
  if (answer == NULL)
    return FALSE;

  jm_readings_begin (self->readings, JM_COLLECTOR_POWER);
  jm_power_answer_read (answer, self->readings);
  jm_readings_end (self->readings);

  return TRUE;
}

static void
assert_taken (Site *self, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (site_take (self, text, &error));
  g_assert_no_error (error);
}

static void
assert_refused (Site *self, const char *text, JmError code, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (site_take (self, text, &error));
  assert_says (error, code, words);
  g_assert_true (g_str_has_prefix (error->message, "/run/watts: "));
}

static void
test_power_is_reported_as_it_is (void)
{
  g_autoptr (Site) site = site_new (NULL, NULL, NULL);

  assert_taken (site, "node 312.5 W\ngpu-0 0 W\n");
  assert_power (site->readings, "node", 312500000);
  assert_power (site->readings, "gpu-0", 0);
  g_assert_null (answers_get_problem (site->readings));
}

static void
test_a_number_alone_is_of_the_domain_that_was_set (void)
{
  g_autoptr (Site) site = site_new ("package-0", "mW", NULL);

  assert_taken (site, "45000\n");
  assert_power (site->readings, "package-0", 45000000);
}

static void
test_no_watts_of_a_node_are_no_reading (void)
{
  g_autoptr (Site) site = site_new (NULL, NULL, NULL);

  assert_refused (site, "node 0 W\n", JM_ERROR_UNAVAILABLE, "node: 0 W is no reading");
  assert_taken (site, "node 0.0 W\ndram-0 3 W\n");
  g_assert_false (answers_have (site->readings, JM_METRIC_NODE_POWER, "node"));
  assert_power (site->readings, "dram-0", 3000000);
  assert_says (answers_get_problem (site->readings), JM_ERROR_UNAVAILABLE, "0 W");
}

static void
test_more_than_a_node_draws_is_refused (void)
{
  g_autoptr (Site) site = site_new (NULL, NULL, NULL);

  assert_refused (site, "node 40000 W\n", JM_ERROR_MALFORMED,
                  "node: 40000000000 uW, which cannot be");
  assert_refused (site, "node 65535 W\n", JM_ERROR_MALFORMED, "node: ");
  assert_refused (site, "package-0 4294967295 uW\n", JM_ERROR_MALFORMED, "package-0: ");
  assert_taken (site, "node 20000 W\n");
}

static void
test_a_counter_counts_from_when_it_was_first_read (void)
{
  g_autoptr (Site) site = site_new (NULL, NULL, NULL);

  assert_taken (site, "node 1000 J\n");
  assert_energy (site->readings, "node", 0);
  assert_taken (site, "node 4000 J\n");
  assert_energy (site->readings, "node", 3000000000);
  assert_taken (site, "node 4000 J\n");
  assert_energy (site->readings, "node", 3000000000);
}

static void
test_a_counter_that_goes_back_is_reported_and_begins_anew (void)
{
  g_autoptr (Site) site = site_new (NULL, NULL, NULL);

  assert_taken (site, "node 1000 J\n");
  assert_taken (site, "node 1500 J\n");
  assert_refused (site, "node 20 J\n", JM_ERROR_MALFORMED,
                  "node: went back from 1500000000 uJ to 20000000 uJ");
  assert_taken (site, "node 120 J\n");
  assert_energy (site->readings, "node", 600000000);
}

static void
test_a_counter_that_wraps_where_it_is_said_to_goes_on (void)
{
  g_autoptr (Site) site = site_new (NULL, NULL, "65536 J");

  assert_taken (site, "node 65000 J\n");
  assert_taken (site, "node 464 J\n");
  assert_energy (site->readings, "node", 1000000000);
  assert_taken (site, "node 1464 J\n");
  assert_energy (site->readings, "node", 2000000000);
  assert_refused (site, "node 65537 J\n", JM_ERROR_MALFORMED, "beyond its range");
}

static void
test_how_far_a_counter_was_followed_is_in_the_answer (void)
{
  g_autoptr (Site) site = site_new (NULL, NULL, "65536 J");
  g_autoptr (JmPowerAnswer) answer = NULL;
  const char *text = "node 464 J\npackage-0 7 W\n";
  JmEnergyTrace trace;

  assert_taken (site, "node 65000 J\n");
  answer =
    jm_power_meter_take (site->meter, text, strlen (text), 30 * G_USEC_PER_SEC, NULL);
  g_assert_true (jm_power_answer_find_trace (answer, "node", &trace));
  g_assert_cmpuint (trace.first_uj, ==, 65000 * G_GUINT64_CONSTANT (1000000));
  g_assert_cmpint (trace.first_us, ==, 10 * G_USEC_PER_SEC);
  g_assert_cmpuint (trace.last_uj, ==, 464000000);
  g_assert_cmpint (trace.last_us, ==, 30 * G_USEC_PER_SEC);
  g_assert_cmpuint (trace.total_uj, ==, 1000000000);
  g_assert_cmpuint (trace.max_uj, ==, 65535999999);
  g_assert_false (jm_power_answer_find_trace (answer, "package-0", &trace));
}

static void
test_a_range_may_be_in_the_unit_that_was_set (void)
{
  g_autoptr (Site) site = site_new (NULL, "uJ", "262143328850");

  assert_taken (site, "262143328000\n");
  assert_taken (site, "150\n");
  assert_energy (site->readings, "node", 1000);
}

static void
test_a_counter_that_leaps_is_reported_and_begins_anew (void)
{
  g_autoptr (Site) site = site_new (NULL, NULL, NULL);

  assert_taken (site, "node 1000 J\n");
  assert_refused (site, "node 100000000 J\n", JM_ERROR_MALFORMED,
                  "node: faster than a node draws: from 1000000000 uJ to");
  assert_taken (site, "node 100000500 J\n");
  assert_energy (site->readings, "node", 500000000);
}

static void
test_a_meter_that_is_written_seldom_makes_large_steps (void)
{
  g_autoptr (Site) site = site_new (NULL, NULL, NULL);

  assert_taken (site, "node 0 kWh\n");
  for (guint i = 0; i < 360; i++)
    assert_taken (site, "node 0 kWh\n");
  assert_taken (site, "node 9 kWh\n");
  assert_energy (site->readings, "node", G_GUINT64_CONSTANT (32400000000000));
}

static void
test_one_bad_domain_costs_no_other (void)
{
  g_autoptr (Site) site = site_new (NULL, NULL, NULL);

  assert_taken (site, "package-0 500 J\npackage-1 500 J\n");
  assert_taken (site, "package-0 400 J\npackage-1 600 J\n");
  g_assert_false (answers_have (site->readings, JM_METRIC_NODE_ENERGY, "package-0"));
  assert_energy (site->readings, "package-1", 100000000);
  assert_says (answers_get_problem (site->readings), JM_ERROR_MALFORMED,
               "/run/watts: package-0: went back");
}

static void
test_ever_new_names_do_not_fill_the_memory (void)
{
  g_autoptr (Site) site = site_new (NULL, NULL, NULL);

  for (guint i = 0; i < 256; i++)
    {
      g_autofree char *text = g_strdup_printf ("d%u 1 J\n", i);

      assert_taken (site, text);
    }
  assert_refused (site, "one-more 1 J\n", JM_ERROR_MALFORMED, "too many domains");
}

static void
assert_invalid (const char *domain,
                const char *unit,
                const char *range,
                const char *words)
{
  const JmPowerMeterSettings settings = { domain, unit, range };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmPowerMeter) meter = jm_power_meter_new (&settings, "meter", &error);

  g_assert_null (meter);
  assert_says (error, JM_ERROR_INVALID, words);
}

static void
test_settings_that_are_invalid_are_quoted (void)
{
  assert_invalid ("the node", NULL, NULL, "domain: has letters, digits");
  assert_invalid ("", NULL, NULL, "domain: ");
  assert_invalid (NULL, "kW", NULL, "unit: is W, mW");
  assert_invalid (NULL, NULL, "65536", "range: is an energy with its unit");
  assert_invalid (NULL, NULL, "65536 W", "65536 W");
  assert_invalid (NULL, "W", "65536", "range: ");
  assert_invalid (NULL, NULL, "0 J", "range: ");
  assert_invalid (NULL, NULL, "1 J more", "range: ");
  assert_invalid (NULL, NULL, "", "range: ");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/power-meter/power-is-reported-as-it-is",
                   test_power_is_reported_as_it_is);
  g_test_add_func ("/power-meter/a-number-alone-is-of-the-domain-that-was-set",
                   test_a_number_alone_is_of_the_domain_that_was_set);
  g_test_add_func ("/power-meter/no-watts-of-a-node-are-no-reading",
                   test_no_watts_of_a_node_are_no_reading);
  g_test_add_func ("/power-meter/more-than-a-node-draws-is-refused",
                   test_more_than_a_node_draws_is_refused);
  g_test_add_func ("/power-meter/a-counter-counts-from-when-it-was-first-read",
                   test_a_counter_counts_from_when_it_was_first_read);
  g_test_add_func ("/power-meter/a-counter-that-goes-back-is-reported-and-begins-anew",
                   test_a_counter_that_goes_back_is_reported_and_begins_anew);
  g_test_add_func ("/power-meter/a-counter-that-wraps-where-it-is-said-to-goes-on",
                   test_a_counter_that_wraps_where_it_is_said_to_goes_on);
  g_test_add_func ("/power-meter/how-far-a-counter-was-followed-is-in-the-answer",
                   test_how_far_a_counter_was_followed_is_in_the_answer);
  g_test_add_func ("/power-meter/a-range-may-be-in-the-unit-that-was-set",
                   test_a_range_may_be_in_the_unit_that_was_set);
  g_test_add_func ("/power-meter/a-counter-that-leaps-is-reported-and-begins-anew",
                   test_a_counter_that_leaps_is_reported_and_begins_anew);
  g_test_add_func ("/power-meter/a-meter-that-is-written-seldom-makes-large-steps",
                   test_a_meter_that_is_written_seldom_makes_large_steps);
  g_test_add_func ("/power-meter/one-bad-domain-costs-no-other",
                   test_one_bad_domain_costs_no_other);
  g_test_add_func ("/power-meter/ever-new-names-do-not-fill-the-memory",
                   test_ever_new_names_do_not_fill_the_memory);
  g_test_add_func ("/power-meter/settings-that-are-invalid-are-quoted",
                   test_settings_that_are_invalid_are_quoted);

  return g_test_run ();
}
