/* made-ceems.c: a site's archive for questions in CEEMS' words
 *
 * usage: made-ceems FILE [RUNS]
 *
 * RUNS more are of the user daemon, one a second.
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jm-archive-database-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"

#define MIDNIGHT G_GINT64_CONSTANT (1772323200)
#define MORE_IDS 1000000
#define GIB G_GINT64_CONSTANT (1073741824)
#define KWH G_GINT64_CONSTANT (3600000000000)
#define GRAM 1000000

typedef struct
{
  const char *cluster;
  const char *id;
  const char *user;
  guint uid;
  const char *account;
  gint64 start; /* after midnight; 0 where it waits */
  gint64 end;   /* 0 where it goes on */
  const char *job_id;
  const char *array;
} Run;

/* Number 7 came again as somebody else's, and is on another cluster as well. */
static const Run runs[] = {
  { "alps", "101", "sys", 3, "physics", 900, 1000, NULL, NULL },
  { "alps", "7", "daemon", 1, "biology", 2000, 2100, NULL, NULL },
  { "alps", "7", "sys", 3, "biology", 500000, 500100, NULL, NULL },
  { "jura", "7", "daemon", 1, "biology", 3000, 3100, NULL, NULL },
  { "alps", "200", "daemon", 1, "physics", 4000, 0, NULL, NULL },
  { "alps", "201", "daemon", 1, "physics", 0, 0, NULL, NULL },
  { "alps", "300", "daemon", 1, "physics", 5000, 5100, "300_1", "300" },
  { "alps", "301", "daemon", 1, "physics", 5000, 5100, "300_2", "300" },
  { "alps", "400", "' OR '1'='1", 77, "x\"; --", 6000, 6100, NULL, NULL },
};

static void
set_texts (JmRun *run, const char *user, const char *account, const char *state)
{
  jm_run_keep_text (run, JM_RUN_FIELD_USER, user);
  jm_run_keep_text (run, JM_RUN_FIELD_ACCOUNT, account);
  jm_run_keep_text (run, JM_RUN_FIELD_STATE, state);
}

static void
add (JmRunBatch *batch, const Run *made)
{
  g_autoptr (JmRun) run = jm_run_new (made->cluster, made->id);
  const char *state = made->end > 0 ? "COMPLETED" : "RUNNING";

  set_texts (run, made->user, made->account, made->start > 0 ? state : "PENDING");
  jm_run_keep_text (run, JM_RUN_FIELD_JOBID, made->job_id);
  jm_run_keep_text (run, JM_RUN_FIELD_ARRAY_JOBID, made->array);
  jm_run_keep_number (run, JM_RUN_FIELD_UID, made->uid);
  jm_run_keep_number (run, JM_RUN_FIELD_SUBMIT_TIME, MIDNIGHT);
  if (made->start > 0)
    jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, MIDNIGHT + made->start);
  if (made->end > 0)
    jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, MIDNIGHT + made->end);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, 2);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
}

/* --- one of which all is known --- */

static void
add_whole (JmRunBatch *batch)
{
  g_autoptr (JmRun) run = jm_run_new ("alps", "100");

  set_texts (run, "daemon", "physics", "COMPLETED");
  jm_run_keep_text (run, JM_RUN_FIELD_NAME, "a \"name\" \xff");
  jm_run_keep_text (run, JM_RUN_FIELD_PARTITION, "part1");
  jm_run_keep_text (run, JM_RUN_FIELD_QOS, "normal");
  jm_run_keep_text (run, JM_RUN_FIELD_NODE_LIST, "n[1-2]");
  jm_run_keep_text (run, JM_RUN_FIELD_TRES, "billing=160,cpu=16,node=2");
  jm_run_keep_text (run, JM_RUN_FIELD_WORK_DIR, "/home/daemon");
  jm_run_keep_number (run, JM_RUN_FIELD_UID, 1);
  jm_run_keep_number (run, JM_RUN_FIELD_SUBMIT_TIME, MIDNIGHT);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, MIDNIGHT + 46);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, MIDNIGHT + 543);
  jm_run_keep_number (run, JM_RUN_FIELD_ELAPSED, 497);
  jm_run_keep_number (run, JM_RUN_FIELD_EXIT_CODE, 0);
  jm_run_keep_number (run, JM_RUN_FIELD_EXIT_SIGNAL, 9);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, 2);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, 16);
  jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_ALLOCATED, 343597383680);
  jm_run_keep_number (run, JM_RUN_FIELD_GPUS_ALLOCATED, 2);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
}

static JmRunPart *
make_part (JmRunPartKind kind, const char *node)
{
  JmRunPart *part = jm_run_part_new (kind);

  jm_run_part_set_text (part, JM_QUANTITY_NODE, node);
  jm_run_part_set_text (part, JM_QUANTITY_KEY, "boot/1");

  return part;
}

static void
add_energy (JmRunBatch *batch, const char *node, const char *domain, gint64 energy_uj)
{
  g_autoptr (JmRunPart) part = make_part (JM_RUN_PART_KIND_ENERGY, node);

  jm_run_part_set_text (part, JM_QUANTITY_NAME, domain);
  jm_run_part_set_text (part, JM_QUANTITY_ENERGY_QUALITY, "measured");
  jm_run_part_set_number (part, JM_QUANTITY_ENERGY, energy_uj);
  jm_run_batch_add_part (batch, part);
}

static void
add_emissions (JmRunBatch *batch, const char *node, const char *provider, gint64 grams)
{
  g_autoptr (JmRunPart) part = make_part (JM_RUN_PART_KIND_ENERGY, node);

  jm_run_part_set_text (part, JM_QUANTITY_EMISSION_PROVIDER, provider);
  jm_run_part_set_text (part, JM_QUANTITY_EMISSION_METHOD, "average");
  jm_run_part_set_number (part, JM_QUANTITY_EMISSIONS, grams * GRAM);
  jm_run_batch_add_part (batch, part);
}

/* Observed for most of its life. */
static void
add_device (JmRunBatch *batch, const char *node, gint64 busy_s)
{
  g_autoptr (JmRunPart) part = make_part (JM_RUN_PART_KIND_DEVICE, node);

  jm_run_part_set_text (part, JM_QUANTITY_NAME, "0");
  jm_run_part_set_number (part, JM_QUANTITY_GPU_BUSY, busy_s * G_USEC_PER_SEC);
  jm_run_part_set_number (part, JM_QUANTITY_GPU_OBSERVED, 480 * G_USEC_PER_SEC);
  jm_run_part_set_number (part, JM_QUANTITY_GPU_MEMORY_SIZE, 80 * GIB);
  jm_run_batch_add_part (batch, part);
}

/* On each of its nodes half a kilowatt hour of accelerators, and as much of the rest.
 */
static void
add_measured (JmRunBatch *batch)
{
  static const char *const nodes[] = { "n1", "n2" };
  g_autoptr (JmRun) run = jm_run_new ("alps", "100");

  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, MIDNIGHT + 46);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_LEDGER);
  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    {
      g_autoptr (JmRunPart) part = make_part (JM_RUN_PART_KIND_NODE, nodes[i]);

      jm_run_part_set_number (part, JM_QUANTITY_END_TIME, MIDNIGHT + 543);
      jm_run_part_set_number (part, JM_QUANTITY_CPU_TOTAL, 1988 * G_USEC_PER_SEC);
      jm_run_part_set_number (part, JM_QUANTITY_MEMORY_MEAN, (i == 0 ? 60 : 20) * GIB);
      jm_run_part_set_number (part, JM_QUANTITY_GPU_MEMORY_MEAN,
                              (i == 0 ? 40 : 8) * GIB);
      jm_run_part_set_number (part, JM_QUANTITY_ENERGY, KWH);
      jm_run_part_set_number (part, JM_QUANTITY_EMISSIONS, 60 * GRAM);
      jm_run_batch_add_part (batch, part);
      add_device (batch, nodes[i], i == 0 ? 120 : 360);
      add_energy (batch, nodes[i], "package-0", KWH / 4);
      add_energy (batch, nodes[i], "dram-0", KWH / 4);
      add_energy (batch, nodes[i], "gpu-0", KWH / 2);
      add_emissions (batch, nodes[i], "owid", 60);
      add_emissions (batch, nodes[i], "electricity-maps", 50);
    }
}

static void
add_more (JmRunBatch *batch, gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, MORE_IDS + i);
      const Run run = {
        "alps", id, "daemon", 1, "physics", i + 10000, i + 10001, 0, 0
      };

      add (batch, &run);
    }
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

  add_whole (batch);
  add_measured (batch);
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    add (batch, &runs[i]);
  if (argc > 2)
    add_more (batch, g_ascii_strtoll (argv[2], NULL, 10));
  jm_run_batch_set_person (batch, "alps", "daemon", 1);
  jm_run_batch_set_person (batch, "alps", "bin", 2);
  jm_run_batch_set_person (batch, "alps", "sys", 3);
  jm_run_batch_set_person (batch, "jura", "daemon", 1);
  jm_run_batch_set_coordinators (batch, "alps", "physics", coordinators);
  jm_run_batch_set_administrators (batch, "alps", administrators);
  if (store != NULL && jm_archive_database_merge (store, batch, &error))
    return 0;

  g_printerr ("%s\n", error->message);

  return 1;
}
