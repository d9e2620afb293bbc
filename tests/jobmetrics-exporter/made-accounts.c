/* made-accounts.c: a site's archive for tests
 *
 * usage: made-accounts FILE [RUNS [NODE]]
 *
 * RUNS are such as ledger-server reports, as the accounting has them, with 250 names
 * at most; they ended two hours ago where it has NODE for them. Every second of the
 * others has its energy and emissions in detail.
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jm-archive-database-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"

#define MIDNIGHT 1772323200
#define RUNS 25
#define LEDGER_NAMES 250

static void
add_energy (JmRunBatch *batch, const char *quality, gint64 energy_uj)
{
  g_autoptr (JmRunPart) part = jm_run_part_new (JM_RUN_PART_KIND_ENERGY);

  jm_run_part_set_text (part, JM_QUANTITY_NODE, "n1");
  jm_run_part_set_text (part, JM_QUANTITY_NAME, "package");
  jm_run_part_set_text (part, JM_QUANTITY_ENERGY_QUALITY, quality);
  jm_run_part_set_number (part, JM_QUANTITY_ENERGY, energy_uj);
  jm_run_batch_add_part (batch, part);
}

static void
add_emissions (JmRunBatch *batch, const char *method, const char *scope, gint64 ug)
{
  g_autoptr (JmRunPart) part = jm_run_part_new (JM_RUN_PART_KIND_ENERGY);

  jm_run_part_set_text (part, JM_QUANTITY_NODE, "n1");
  jm_run_part_set_text (part, JM_QUANTITY_EMISSION_PROVIDER, "test");
  jm_run_part_set_text (part, JM_QUANTITY_EMISSION_METHOD, method);
  jm_run_part_set_text (part, JM_QUANTITY_EMISSION_SCOPE, scope);
  jm_run_part_set_number (part, JM_QUANTITY_EMISSIONS, ug);
  jm_run_batch_add_part (batch, part);
}

static void
add (JmRunBatch *batch, guint number, const char *user, guint uid, const char *account)
{
  g_autofree char *id = g_strdup_printf ("%u", number);
  g_autoptr (JmRun) run = jm_run_new ("alps", id);
  g_autoptr (JmRunPart) step = jm_run_part_new (JM_RUN_PART_KIND_STEP);

  jm_run_keep_text (run, JM_RUN_FIELD_USER, user);
  jm_run_keep_text (run, JM_RUN_FIELD_ACCOUNT, account);
  jm_run_keep_text (run, JM_RUN_FIELD_NAME, "a \"name\",\xff with\nlines");
  jm_run_keep_text (run, JM_RUN_FIELD_STATE, "COMPLETED");
  jm_run_keep_number (run, JM_RUN_FIELD_UID, uid);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, MIDNIGHT + number);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, MIDNIGHT + number + 100);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, 2);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, 1500000);
  jm_run_keep_number (run, JM_RUN_FIELD_ENERGY, 3000001);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);

  jm_run_part_set_text (step, JM_QUANTITY_NAME, "batch");
  jm_run_part_set_number (step, JM_QUANTITY_CPU_TOTAL, 1500000);
  jm_run_batch_add_part (batch, step);
  if (number % 2 != 0)
    return;

  add_energy (batch, "measured", 2000000);
  add_energy (batch, "estimated", 1000001);
  add_emissions (batch, "average", number % 4 == 0 ? "direct" : "lifecycle", 600);
  add_emissions (batch, "marginal", "direct", 90000);
}

static void
add_of_ledger (JmRunBatch *batch, guint number, const char *node)
{
  g_autofree char *id = g_strdup_printf ("%u", number);
  g_autofree char *name = g_strdup_printf ("job %u", number % LEDGER_NAMES);
  g_autoptr (JmRun) run = jm_run_new ("lab", id);

  jm_run_keep_text (run, JM_RUN_FIELD_NAME, name);
  jm_run_keep_text (run, JM_RUN_FIELD_STATE, "COMPLETED");
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, 1700000000);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, 1700000001);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, 2000000);
  if (node != NULL)
    {
      jm_run_keep_number (run, JM_RUN_FIELD_END_TIME,
                          g_get_real_time () / G_USEC_PER_SEC - 7200);
      jm_run_keep_number (run, JM_RUN_FIELD_NODES, 1);
      jm_run_keep_text (run, JM_RUN_FIELD_NODE_LIST, node);
    }
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
}

/* As the server does after each reading. */
static gboolean
judge (JmArchiveDatabase *store, GError **error)
{
  g_autoptr (JmRunRules) rules = jm_run_rules_new (NULL, error);
  gboolean is_done = FALSE;

  while (rules != NULL && !is_done)
    if (!jm_archive_database_judge (store, rules, &is_done, error))
      return FALSE;

  return rules != NULL;
}

/* The users are such as each machine has. */
int
main (int argc, char **argv)
{
  const char *const coordinators[] = { "bin", NULL };
  const char *const administrators[] = { "games", NULL };
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchiveDatabase) store = jm_archive_database_open (argv[1], &error);

  for (guint i = 1; i <= RUNS; i++)
    add (batch, i, i % 5 == 0 ? "daemon" : "sys", i % 5 == 0 ? 1 : 3,
         i % 2 == 0 ? "physics" : "biology");
  for (gint64 i = 1; argc > 2 && i <= g_ascii_strtoll (argv[2], NULL, 10); i++)
    add_of_ledger (batch, (guint) i, argc > 3 ? argv[3] : NULL);
  jm_run_batch_set_person (batch, "alps", "daemon", 1);
  jm_run_batch_set_person (batch, "alps", "bin", 2);
  jm_run_batch_set_person (batch, "alps", "sys", 3);
  jm_run_batch_set_coordinators (batch, "alps", "physics", coordinators);
  jm_run_batch_set_administrators (batch, "alps", administrators);
  if (store != NULL && jm_archive_database_merge (store, batch, &error) &&
      judge (store, &error))
    return 0;

  g_printerr ("%s\n", error->message);

  return 1;
}
