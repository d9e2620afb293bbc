/* test-price-list.c: what a site charges for runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "judge/jm-price-list.h"

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-run-field-private.h"
#include "judge/jm-run-report-private.h"

#define HOUR 3600
#define DAY 86400
/* 2026-03-01, 00:00 UTC */
#define MIDNIGHT G_GINT64_CONSTANT (1772323200)
#define GIB (G_GINT64_CONSTANT (1) << 30)

/* --- what is used below --- */

/* Of physics in batch on alps: ten hours from midnight on, with four CPUs, 16 GiB and
 * two accelerators, and 2 kWh. */
static JmRun *
make_run (void)
{
  JmRun *run = jm_run_new ("alps", "7");

  jm_run_keep_text (run, JM_RUN_FIELD_ACCOUNT, "physics");
  jm_run_keep_text (run, JM_RUN_FIELD_PARTITION, "batch");
  jm_run_keep_text (run, JM_RUN_FIELD_TRES, "cpu=4,gres/gpu=2,gres/gpu:A100=2,mem=16G");
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, MIDNIGHT);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, MIDNIGHT + 10 * HOUR);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, 4);
  jm_run_keep_number (run, JM_RUN_FIELD_GPUS_ALLOCATED, 2);
  jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_ALLOCATED, 16 * GIB);
  jm_run_keep_number (run, JM_RUN_FIELD_ENERGY, 2 * G_GINT64_CONSTANT (3600000000000));

  return run;
}

static JmPriceList *
read_prices (const char *text)
{
  g_autoptr (GError) error = NULL;
  JmPriceList *prices =
    jm_price_list_new_from_text ("prices.conf", text, strlen (text), &error);

  g_assert_no_error (error);

  return prices;
}

/* A cost below 0 is one that is not known as a whole. */
static void
assert_cost_of (JmRun *run, const char *text, double expected)
{
  g_autoptr (JmPriceList) prices = read_prices (text);
  double cost;
  const gboolean is_whole = jm_price_list_get_cost (prices, run, 0, 0, &cost);

  if (is_whole != (expected >= 0))
    g_error ("%s: the cost is %s known", text, is_whole ? "" : "not");
  if (is_whole)
    g_assert_cmpfloat_with_epsilon (cost, expected, 1e-9);
}

static void
assert_cost (const char *text, double expected)
{
  g_autoptr (JmRun) run = make_run ();

  assert_cost_of (run, text, expected);
}

static void
assert_problems (const char *text, const char *const *expected)
{
  g_autoptr (JmPriceList) prices = read_prices (text);
  g_auto (GStrv) problems = jm_price_list_list_problems (prices);

  g_assert_cmpuint (g_strv_length (problems), ==, g_strv_length ((char **) expected));
  for (guint i = 0; expected[i] != NULL; i++)
    g_assert_cmpstr (problems[i], ==, expected[i]);
}

/* --- what is charged --- */

static void
test_what_was_given_is_charged_by_the_hour (void)
{
  assert_cost ("[all]\nCpuHour=0.02\n", 0.8);
  assert_cost ("[all]\nGibHour=0.001\n", 0.16);
  assert_cost ("[all]\nGpuHour=0.5\n", 10);
  assert_cost ("[all]\nKwh=0.25\n", 0.5);
  assert_cost ("[all]\nCpuHour=0.02\nGibHour=0.001\nGpuHour=0.5\nKwh=0.25\n", 11.46);
  assert_cost ("[all]\n", 0);
}

static void
test_accelerators_have_prices_by_type (void)
{
  g_autoptr (JmRun) mixed = make_run ();
  g_autoptr (JmRun) unnamed = make_run ();

  assert_cost ("[all]\nGpuHour=0.5\nGpuHour.a100=1\n", 20);
  assert_cost ("[all]\nGpuHour=0.5\nGpuHour.h100=3\n", 10);
  /* a type without a price, where others have one, is hardly free */
  assert_cost ("[all]\nGpuHour.h100=3\n", -1);

  jm_run_keep_text (mixed, JM_RUN_FIELD_TRES, "gres/gpu:a100=1,gres/gpu:h100=1");
  assert_cost_of (mixed, "[all]\nGpuHour.a100=1\nGpuHour.h100=3\n", 40);
  jm_run_keep_text (unnamed, JM_RUN_FIELD_TRES, NULL);
  assert_cost_of (unnamed, "[all]\nGpuHour=0.5\nGpuHour.a100=1\n", 10);
}

/* Ten hours, in each case. */
static void
test_storage_has_prices_by_name (void)
{
  static const struct
  {
    const char *tres;
    double cost;
  } cases[] = {
    { "cpu=4,gres/localtmp=50G,mem=16G", 10 * 50 * 0.5 },
    /* as a number of bytes, and burst buffers as one of mebibytes */
    { "gres/localtmp=53687091200", 10 * 50 * 0.5 },
    { "bb/datawarp=20480,cpu=4", 10 * 20 * 0.25 },
    { "bb/datawarp=20G", 10 * 20 * 0.25 },
    { "bb/datawarp=1.50T,gres/localtmp=2G", 10 * (1536 * 0.25 + 2 * 0.5) },
    /* counted by the site in a unit of its own, of 1 GiB */
    { "gres/lscratch=500", 10 * 500 * 0.125 },
    /* another name, and none */
    { "gres/localtmp:ssd=50G,bb/datawarp2=7G", 0 },
    { "cpu=4", 0 },
    { "gres/localtmp=0", 0 },
    { "gres/localtmp=many", -1 },
    { "gres/localtmp=-5G", -1 },
    { "gres/localtmp", -1 },
    { "gres/localtmp=", -1 },
    { "gres/localtmp=99999999999999999999T", -1 },
    { NULL, -1 },
  };
  g_autoptr (JmRun) run = make_run ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      jm_run_keep_text (run, JM_RUN_FIELD_TRES, cases[i].tres);
      assert_cost_of (run,
                      "[Prices]\nUnit.gres/lscratch=1G\n[all]\nGibHour.gres/"
                      "localtmp=0.5\n"
                      "GibHour.bb/datawarp=0.25\nGibHour.gres/lscratch=0.125\n",
                      cases[i].cost);
    }
}

static void
test_storage_is_beside_other_prices (void)
{
  g_autoptr (JmRun) run = make_run ();

  jm_run_keep_text (run, JM_RUN_FIELD_TRES, "gres/localtmp=50G");
  assert_cost_of (run,
                  "[all]\nCpuHour=0.02\nGibHour=0.001\nGibHour.gres/localtmp=0.1\n",
                  0.8 + 0.16 + 50);
  /* of six hours alone it has a price */
  assert_cost_of (run,
                  "[old]\nTo=2026-03-01T04:00:00Z\n"
                  "[new]\nFrom=2026-03-01T04:00:00Z\nGibHour.gres/localtmp=0.1\n",
                  6 * 50 * 0.1);
  assert_cost_of (run, "[all]\nGibHour.gres/localtmp=dear\n", -1);
  assert_cost_of (run, "[all]\nGibHour.gres/localtmp=0\n", 0);
}

/* The archive shortens a list, and what is missing then is not free. */
static void
test_storage_is_unknown_where_a_list_was_shortened (void)
{
  g_autoptr (GString) tres = g_string_new ("cpu=4");
  g_autoptr (JmRun) run = make_run ();

  for (guint i = 0; i < 200; i++)
    g_string_append_printf (tres, ",gres/thing%u=1", i);
  g_string_append (tres, ",gres/localtmp=50G");
  jm_run_keep_text (run, JM_RUN_FIELD_TRES, tres->str);
  assert_cost_of (run, "[all]\nGibHour.gres/localtmp=0.1\n", -1);
}

static void
test_mistakes_in_storage_are_named (void)
{
  static const char *const units[] = {
    "prices.conf: Prices: Unit.gres/a: not a number of bytes: big",
    "prices.conf: Prices: unknown key: Unit.", NULL
  };
  static const char *const prices[] = {
    "prices.conf: all: GibHour.gres/a: not a number from 0 to 1000000: -1",
    "prices.conf: all: GibHour.: unknown key: GibHour.", NULL
  };
  static const char *const many[] = {
    "prices.conf: all: GibHour: more than 16 names: all", NULL
  };
  g_autoptr (GString) text = g_string_new ("[all]\n");
  g_autoptr (JmRun) run = make_run ();

  assert_problems ("[Prices]\nUnit.gres/a=big\nUnit.=1\n[all]\nGibHour.gres/a=1\n",
                   units);
  assert_problems ("[all]\nGibHour.gres/a=-1\nGibHour.=1\n", prices);
  for (guint i = 0; i < 17; i++)
    g_string_append_printf (text, "GibHour.gres/a%u=1\n", i);
  assert_problems (text->str, many);
  jm_run_keep_text (run, JM_RUN_FIELD_TRES, "gres/a=1G");
  assert_cost_of (run, "[Prices]\nUnit.gres/a=big\n[all]\nGibHour.gres/a=1\n", -1);
}

/* What a word of Slurm says of more than the run has is not charged. */
static void
test_no_more_accelerators_are_charged_than_a_run_has (void)
{
  g_autoptr (JmRun) run = make_run ();

  jm_run_keep_text (run, JM_RUN_FIELD_TRES,
                    "gres/gpu:a100=99999999999999999999,gres/gpu:=,gres/gpu:x");
  assert_cost_of (run, "[all]\nGpuHour.a100=1\n", 20);
}

static void
test_a_run_without_accelerators_has_none_to_pay (void)
{
  g_autoptr (JmRun) run = jm_run_new ("alps", "8");

  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, MIDNIGHT);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, MIDNIGHT + HOUR);
  assert_cost_of (run, "[all]\nGpuHour=0.5\nGpuHour.a100=1\n", 0);
}

static void
test_what_is_not_known_is_not_free (void)
{
  g_autoptr (JmRun) run = jm_run_new ("alps", "8");

  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, MIDNIGHT);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, MIDNIGHT + HOUR);
  assert_cost_of (run, "[all]\nKwh=0.25\n", -1);
  assert_cost_of (run, "[all]\nCpuHour=0.25\n", -1);
  assert_cost_of (run, "[all]\nGibHour=0.25\n", -1);
  assert_cost_of (run, "[all]\nKwh=0\n", 0);
}

/* --- which tariff --- */

#define ALL "[all]\nCpuHour=1\n"

static void
test_the_tariff_that_is_closest_counts_alone (void)
{
  assert_cost (ALL, 40);
  assert_cost (ALL "[here]\nCluster=alps\nCpuHour=2\n", 80);
  assert_cost (ALL
               "[here]\nCluster=alps\nCpuHour=2\n[batch]\nPartition=batch\nCpuHour=3\n",
               120);
  assert_cost ("[physics]\nAccount=physics\nCpuHour=4\n" ALL
               "[batch]\nPartition=batch\nCluster=alps\nCpuHour=3\n",
               160);
  assert_cost (ALL "[chemistry]\nAccount=chemistry\nCpuHour=4\n", 40);
  /* what it has no price of is free */
  assert_cost (ALL "[physics]\nAccount=physics\nKwh=1\n", 2);
}

static void
test_a_run_is_split_where_a_tariff_ends (void)
{
  assert_cost ("[old]\nTo=2026-03-01T04:00:00Z\nCpuHour=1\n"
               "[new]\nFrom=2026-03-01T04:00:00Z\nCpuHour=2\n",
               4 * 4 * 1 + 6 * 4 * 2);
  assert_cost (ALL "[day]\nAccount=physics\nFrom=2026-03-01T02:00:00Z\n"
                   "To=2026-03-01T03:00:00Z\nCpuHour=10\n",
               9 * 4 * 1 + 1 * 4 * 10);
  /* a part that no tariff is for */
  assert_cost ("[old]\nTo=2026-03-01T04:00:00Z\nCpuHour=1\n", -1);
  assert_cost ("[later]\nFrom=2026-04-01\nCpuHour=1\n", -1);
}

static void
test_a_part_of_a_run_costs_its_part (void)
{
  g_autoptr (JmRun) run = make_run ();
  g_autoptr (JmPriceList) prices = read_prices (ALL "Kwh=1\n");
  double cost;

  g_assert_true (
    jm_price_list_get_cost (prices, run, MIDNIGHT + HOUR, MIDNIGHT + 2 * HOUR, &cost));
  g_assert_cmpfloat_with_epsilon (cost, 4 + 0.2, 1e-9);
  g_assert_true (
    jm_price_list_get_cost (prices, run, MIDNIGHT + DAY, MIDNIGHT + 2 * DAY, &cost));
  g_assert_cmpfloat (cost, ==, 0);
}

/* --- mistakes --- */

static void
test_a_price_that_is_none_leaves_the_cost_unknown (void)
{
  static const char *const values[] = {
    "-1", "nan", "inf", "1e300", "two", "", "1 EUR"
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *text = g_strdup_printf ("[bad]\nCpuHour=%s\nKwh=1\n", values[i]);
      g_autofree char *problem = g_strdup_printf (
        "prices.conf: bad: CpuHour: not a number from 0 to 1000000: %s", values[i]);
      const char *const problems[] = { problem, NULL };

      assert_cost (text, -1);
      assert_problems (text, problems);
    }
}

static void
test_of_two_tariffs_for_the_same_the_first_counts (void)
{
  static const char *const problems[] = {
    "prices.conf: twice: for the same runs and time as: all", NULL
  };

  assert_cost (ALL "[twice]\nFrom=2026-03-01\nCpuHour=9\n", 40);
  assert_problems (ALL "[twice]\nFrom=2026-03-01\nCpuHour=9\n", problems);
}

static void
test_a_tariff_that_is_not_understood_does_not_count (void)
{
  static const char *const keys[] = { "From=soon", "To=2026-13-01", "Acount=physics",
                                      "Account=", "To=1970-01-01" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autofree char *text =
        g_strdup_printf (ALL "[bad]\nAccount=physics\n%s\nCpuHour=9\n", keys[i]);
      g_autoptr (JmPriceList) prices = read_prices (text);
      g_auto (GStrv) found = jm_price_list_list_problems (prices);

      assert_cost (text, 40);
      g_assert_cmpuint (g_strv_length (found), ==, 1);
      g_assert_true (g_str_has_prefix (found[0], "prices.conf: bad: "));
    }
}

static void
test_a_gap_is_named (void)
{
  static const char *const problems[] = {
    "prices.conf: old: no tariff of the same runs "
    "from its end until: 2026-02-01T00:00:00Z",
    NULL
  };
  static const char *const none[] = { NULL };

  assert_problems (
    "[old]\nTo=2026-01-01\nCpuHour=1\n[new]\nFrom=2026-02-01\nCpuHour=2\n", problems);
  assert_problems (
    "[old]\nTo=2026-01-01\nCpuHour=1\n[new]\nFrom=2026-01-01\nCpuHour=2\n", none);
}

static void
test_a_text_that_is_no_key_file_is_refused (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_price_list_new_from_text ("prices.conf", "CpuHour=1", 9, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_true (g_str_has_prefix (error->message, "prices.conf: "));
}

static void
test_a_report_has_the_cost_that_is_known (void)
{
  g_autoptr (JmRun) run = make_run ();
  g_autoptr (JmRunReport) known = jm_run_report_new (run, NULL);
  g_autoptr (JmRunReport) unknown = jm_run_report_new (run, NULL);
  g_autoptr (JmPriceList) all = read_prices (ALL);
  g_autoptr (JmPriceList) none = read_prices ("[Prices]\nCurrency=EUR\n");

  jm_price_list_add_cost (all, known);
  jm_price_list_add_cost (none, unknown);
  g_assert_cmpfloat (jm_figures_get (known->figures, JM_QUANTITY_COST).value, ==, 40);
  g_assert_false (jm_figures_get (unknown->figures, JM_QUANTITY_COST).is_known);
  g_assert_cmpstr (jm_price_list_get_currency (none), ==, "EUR");
  g_assert_null (jm_price_list_get_currency (all));
}

#define TEST(name) g_test_add_func ("/price-list/" #name, test_##name)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST (what_was_given_is_charged_by_the_hour);
  TEST (accelerators_have_prices_by_type);
  TEST (storage_has_prices_by_name);
  TEST (storage_is_beside_other_prices);
  TEST (storage_is_unknown_where_a_list_was_shortened);
  TEST (mistakes_in_storage_are_named);
  TEST (no_more_accelerators_are_charged_than_a_run_has);
  TEST (a_run_without_accelerators_has_none_to_pay);
  TEST (what_is_not_known_is_not_free);
  TEST (the_tariff_that_is_closest_counts_alone);
  TEST (a_run_is_split_where_a_tariff_ends);
  TEST (a_part_of_a_run_costs_its_part);
  TEST (a_price_that_is_none_leaves_the_cost_unknown);
  TEST (of_two_tariffs_for_the_same_the_first_counts);
  TEST (a_tariff_that_is_not_understood_does_not_count);
  TEST (a_gap_is_named);
  TEST (a_text_that_is_no_key_file_is_refused);
  TEST (a_report_has_the_cost_that_is_known);

  return g_test_run ();
}
