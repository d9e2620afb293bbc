/* fuzz-price-list.c: any bytes as a site's prices, and as its carbon, and runs that
 * they are for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "core/jm-run-field-private.h"
#include "judge/jm-price-list.h"
#include "judge/jm-site-carbon.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static JmRun *
make_run (const char *account, const char *tres)
{
  JmRun *run = jm_run_new ("alps", "7");

  jm_run_keep_text (run, JM_RUN_FIELD_ACCOUNT, account);
  jm_run_keep_text (run, JM_RUN_FIELD_TRES, tres);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, 1772323200);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, 1788323200);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, 4);
  jm_run_keep_number (run, JM_RUN_FIELD_GPUS_ALLOCATED, 2);

  return run;
}

static void
check_problems (char **problems)
{
  for (guint i = 0; problems[i] != NULL; i++)
    g_assert_true (g_utf8_validate (problems[i], -1, NULL));
}

static void
charge (JmPriceList *prices, const char *account, const char *tres)
{
  g_autoptr (JmRun) run = make_run (account, tres);
  g_auto (GStrv) problems = jm_price_list_list_problems (prices);
  double cost;

  check_problems (problems);
  jm_price_list_get_cost (prices, run, 0, 0, &cost);
  g_assert_true (isfinite (cost) && cost >= 0);
}

/* The bytes are what Slurm gave the run, too. */
static void
charge_storage (const uint8_t *data, size_t size)
{
  static const char text[] = "[Prices]\nUnit.gres/b=1E\n[all]\nGibHour.gres/a=1000000\n"
                             "GibHour.gres/b=1000000\nGibHour.bb/a=1000000\n";
  g_autoptr (JmPriceList) prices =
    jm_price_list_new_from_text ("fuzz.conf", text, sizeof text - 1, NULL);
  g_autofree char *tres = g_strndup ((const char *) data, size);

  charge (prices, NULL, tres);
}

static void
share (JmSiteCarbon *site, const char *tres)
{
  g_autoptr (JmRun) run = make_run (NULL, tres);
  g_auto (GStrv) problems = jm_site_carbon_list_problems (site);
  double grams;

  check_problems (problems);
  jm_site_carbon_get_embodied (site, run, 0, 0, &grams);
  g_assert_true (isfinite (grams) && grams >= 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmPriceList) prices =
    jm_price_list_new_from_text ("fuzz.conf", (const char *) data, size, &error);
  g_autoptr (JmSiteCarbon) site =
    jm_site_carbon_new_from_text ("fuzz.conf", (const char *) data, size, NULL);

  charge_storage (data, size);
  g_assert_true ((prices == NULL) == (error != NULL));
  g_assert_true ((prices == NULL) == (site == NULL));
  if (prices == NULL)
    return 0;

  charge (prices, "physics", "gres/gpu:a100=1");
  charge (prices, NULL, NULL);
  charge (prices, NULL, "gres/a=50G,bb/a=1024");
  share (site, "gres/gpu:a100=1");
  share (site, NULL);

  return 0;
}
