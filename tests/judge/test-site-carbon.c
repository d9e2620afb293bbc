/* test-site-carbon.c: what a site knows of the carbon of its machines
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "judge/jm-site-carbon.h"

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-run-field-private.h"

#define HOUR 3600
/* 2026-03-01, 00:00 UTC */
#define MIDNIGHT G_GINT64_CONSTANT (1772323200)

/* 43.83 kg over 5 years of 8766 hours: one gram an hour, or 0.01 for each CPU. */
#define NODE "[node]\nKgCo2e=43.83\nYears=5\nCpus=100\nSource=a\n"
/* 2 and 3 grams an hour */
#define A100 "[a100]\nGpu=A100\nKgCo2e=87.66\nYears=5\nSource=b\n"
#define ANY_GPU "[gpu]\nGpu=any\nKgCo2e=131.49\nYears=5\nSource=c\n"

/* --- what is used below --- */

static JmSiteCarbon *
read_site (const char *text)
{
  g_autoptr (GError) error = NULL;
  JmSiteCarbon *site =
    jm_site_carbon_new_from_text ("carbon.conf", text, strlen (text), &error);

  g_assert_no_error (error);

  return site;
}

/* Of ten hours, with 4 CPUs and @gpus accelerators. */
static JmRun *
make_run (const char *partition, const char *tres, gint64 gpus)
{
  JmRun *run = jm_run_new ("alps", "7");

  jm_run_keep_text (run, JM_RUN_FIELD_PARTITION, partition);
  jm_run_keep_text (run, JM_RUN_FIELD_TRES, tres);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, MIDNIGHT);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, MIDNIGHT + 10 * HOUR);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, 4);
  if (gpus > 0)
    jm_run_keep_number (run, JM_RUN_FIELD_GPUS_ALLOCATED, gpus);

  return run;
}

static void
assert_embodied (const char *text, JmRun *run, double expected, gboolean is_whole)
{
  g_autoptr (JmSiteCarbon) site = read_site (text);
  double grams;

  g_assert_cmpint (jm_site_carbon_get_embodied (site, run, 0, 0, &grams), ==, is_whole);
  g_assert_cmpfloat_with_epsilon (grams, expected, 1e-9);
}

static void
assert_problem (const char *text, const char *expected)
{
  g_autoptr (JmSiteCarbon) site = read_site (text);
  g_auto (GStrv) problems = jm_site_carbon_list_problems (site);

  g_assert_cmpuint (g_strv_length (problems), ==, 1);
  g_assert_cmpstr (problems[0], ==, expected);
}

/* --- the site --- */

static void
test_numbers_of_a_site_have_sources (void)
{
  g_autoptr (JmSiteCarbon) site =
    read_site ("[Site]\nPue=1.25\nPueSource=a "
               "meter\nMarketGramsPerKwh=0\nMarketSource=wind\n" NODE);
  g_autoptr (JmSiteCarbon) unsourced = read_site ("[Site]\nPue=1.25\n");
  g_autoptr (JmSiteCarbon) none = read_site ("");
  g_auto (GStrv) sources = jm_site_carbon_list_sources (site);
  double value;

  g_assert_true (jm_site_carbon_get_pue (site, 0, MIDNIGHT, &value));
  g_assert_cmpfloat (value, ==, 1.25);
  /* a contract may well be of nothing but wind */
  g_assert_true (jm_site_carbon_get_market_factor (site, 0, MIDNIGHT, &value));
  g_assert_cmpfloat (value, ==, 0);
  g_assert_cmpuint (g_strv_length (sources), ==, 3);
  g_assert_cmpstr (sources[0], ==, "Pue 1.25: a meter");
  g_assert_cmpstr (sources[1], ==, "MarketGramsPerKwh 0: wind");
  g_assert_cmpstr (sources[2], ==, "node 43.83 kg, 5 years: a");
  g_assert_false (jm_site_carbon_get_pue (unsourced, 0, MIDNIGHT, &value));
  g_assert_false (jm_site_carbon_get_pue (none, 0, MIDNIGHT, &value));
  g_assert_false (jm_site_carbon_get_market_factor (none, 0, MIDNIGHT, &value));
}

/* Ends with the day before, and begins anew on the day after. */
#define SERIES                                                                         \
 "[March]\nFrom=2026-03-01\nTo=2026-04-01\nPue=1.2\nPueSource=b\n"                     \
 "[before]\nTo=2026-02-28\nPue=1.5\nPueSource=a\nMarketGramsPerKwh=12\n"               \
 "MarketSource=d\n[April]\nFrom=2026-04-01\nPue=1.4\nPueSource=c\n"

static void
assert_pue (JmSiteCarbon *site, gint64 since, gint64 until, double expected)
{
  double pue = 0;

  g_assert_cmpint (jm_site_carbon_get_pue (site, since, until, &pue), ==, expected > 0);
  if (expected > 0)
    g_assert_cmpfloat_with_epsilon (pue, expected, 1e-12);
}

static void
test_numbers_of_a_site_change_with_time (void)
{
  g_autoptr (JmSiteCarbon) site = read_site (SERIES);
  g_auto (GStrv) sources = jm_site_carbon_list_sources (site);
  g_auto (GStrv) problems = jm_site_carbon_list_problems (site);
  const gint64 april = MIDNIGHT + 31 * 24 * HOUR;
  double value;

  g_assert_cmpuint (g_strv_length (problems), ==, 0);
  g_assert_cmpstr (sources[0], ==, "Pue 1.2 from 2026-03-01 to 2026-04-01: b");
  assert_pue (site, MIDNIGHT, april, 1.2);
  assert_pue (site, april, april, 1.4);
  /* three hours of the one and one of the other */
  assert_pue (site, april - 3 * HOUR, april + HOUR, 1.25);
  /* the last day of February has none, not even a part of a run */
  assert_pue (site, MIDNIGHT - HOUR, MIDNIGHT + 100 * HOUR, -1);
  assert_pue (site, MIDNIGHT - 2 * HOUR, MIDNIGHT - HOUR, -1);
  assert_pue (site, 0, MIDNIGHT - 24 * HOUR, 1.5);
  g_assert_true (jm_site_carbon_get_market_factor (site, 0, HOUR, &value));
  g_assert_cmpfloat (value, ==, 12);
  g_assert_false (jm_site_carbon_get_market_factor (site, MIDNIGHT, april, &value));
}

/* --- devices --- */

static void
test_a_run_has_its_share_of_a_server (void)
{
  g_autoptr (JmRun) run = make_run ("batch", NULL, 0);
  g_autoptr (JmSiteCarbon) site = read_site (NODE);
  double grams;

  assert_embodied (NODE, run, 0.4, TRUE);
  assert_embodied (NODE "[big]\nPartition=batch\nKgCo2e=87.66\nYears=5\nCpus=100\n"
                        "Source=d\n",
                   run, 0.8, TRUE);
  assert_embodied ("[other]\nPartition=long\nKgCo2e=1\nYears=5\nCpus=1\nSource=d\n",
                   run, 0, FALSE);

  /* a quarter of its time */
  g_assert_true (jm_site_carbon_get_embodied (site, run, MIDNIGHT + 5 * HOUR,
                                              MIDNIGHT + 5 * HOUR + 2 * HOUR + HOUR / 2,
                                              &grams));
  g_assert_cmpfloat_with_epsilon (grams, 0.1, 1e-9);
}

static void
test_accelerators_count_by_type (void)
{
  g_autoptr (JmRun) typed =
    make_run ("batch", "cpu=4,gres/gpu=3,gres/gpu:a100=1,gres/gpu:h100=2", 3);
  g_autoptr (JmRun) untyped = make_run ("batch", NULL, 2);

  assert_embodied (NODE A100 ANY_GPU, typed, 0.4 + 20 + 2 * 30, TRUE);
  assert_embodied (NODE A100, typed, 0.4 + 20, FALSE);
  assert_embodied (NODE A100, untyped, 0.4, FALSE);
  assert_embodied (NODE ANY_GPU, untyped, 0.4 + 2 * 30, TRUE);
}

/* A general device does not take the place of one that is closer and has a mistake. */
static void
test_a_mistake_leaves_the_share_unknown (void)
{
  g_autoptr (JmRun) run = make_run ("batch", NULL, 0);
  g_autoptr (JmRun) other = make_run ("long", NULL, 0);
  static const char text[] =
    NODE "[big]\nPartition=batch\nKgCo2e=many\nYears=5\nCpus=100\nSource=d\n";

  assert_embodied (text, run, 0, FALSE);
  assert_embodied (text, other, 0.4, TRUE);
}

static void
test_mistakes_are_named (void)
{
  assert_problem ("[Site]\nPue=0.9\nPueSource=a\n",
                  "carbon.conf: Site: Pue: not a number from 1 to 10: 0.9");
  assert_problem ("[Site]\nPue=1.1\n", "carbon.conf: Site: missing: PueSource");
  assert_problem ("[Site]\nPue=1.1\nPueSource=a\n"
                  "[May]\nPue=1.2\nPueSource=a\nFrom=2026-05-01\n",
                  "carbon.conf: May: for the same time as: Site");
  assert_problem ("[May]\nPue=1.2\nPueSource=a\nFrom=2026-05-01\nTo=2026-05-01\n",
                  "carbon.conf: May: To: not behind From: May");
  assert_problem ("[May]\nPue=1.2\nPueSource=a\nFrom=soon\n",
                  "carbon.conf: May: not YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ: soon");
  assert_problem ("[Site]\nPeu=1.1\n", "carbon.conf: Site: unknown key: Peu");
  assert_problem ("[n]\nKgCo2e=1\nYears=nan\nCpus=1\nSource=a\n",
                  "carbon.conf: n: Years: not a number from 0.1 to 100: nan");
  assert_problem ("[n]\nKgCo2e=1\nCpus=1\nSource=a\n",
                  "carbon.conf: n: missing: Years");
  assert_problem ("[n]\nKgCo2e=1\nYears=5\nCpus=1\n",
                  "carbon.conf: n: missing: Source");
  assert_problem ("[n]\nKgCo2e=1\nYears=5\nSource=a\n",
                  "carbon.conf: n: not one of Cpus and Gpu: n");
  assert_problem (NODE "[n]\nKgCo2e=1\nYears=5\nCpus=1\nSource=a\n",
                  "carbon.conf: n: for the same runs as: node");
}

static void
test_a_text_that_is_no_key_file_is_refused (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_site_carbon_new_from_text ("carbon.conf", "Pue", 3, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
}

#define TEST(name) g_test_add_func ("/site-carbon/" #name, test_##name)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST (numbers_of_a_site_have_sources);
  TEST (numbers_of_a_site_change_with_time);
  TEST (a_run_has_its_share_of_a_server);
  TEST (accelerators_count_by_type);
  TEST (a_mistake_leaves_the_share_unknown);
  TEST (mistakes_are_named);
  TEST (a_text_that_is_no_key_file_is_refused);

  return g_test_run ();
}
