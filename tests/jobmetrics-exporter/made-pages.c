/* made-pages.c: a site's archive that has something for each page
 *
 * usage: made-pages FILE NOW [ID [KIND]]
 *
 * NOW is the end of the last of its days, seconds since 1970. With ID one run more of
 * daemon's is added: by KIND one that just began (the default), has waited for an hour
 * (waiting), has run for three hours without its accelerators (idle), has ended after
 * an hour on nodes that no other run had (ended), or the same on forty nodes (wide).
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdlib.h>

#include "archive/jm-archive-database-private.h"
#include "core/jm-job-profile-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "jm-snapshot-builder.h"

#define DAY 86400
#define RUNS 240
/* That of which the course is known. */
#define DRAWN 6
#define DRAWN_BEFORE 12
#define MICRO G_GINT64_CONSTANT (1000000)
#define GIB (G_GINT64_CONSTANT (1) << 30)
/* What tries to be more than a name. */
#define NASTY "<script>alert(1)</script>\"'><b>&amp;"

typedef struct
{
  const char *user;
  gint64 uid;
  const char *account;
  const char *name;
} Kind;

static const Kind kinds[] = {
  { "daemon", 1, "physics", "lattice qcd, ensemble 7" },
  { "daemon", 1, "physics", NASTY },
  { "daemon", 1, "a/b & <c>", "train.sh" },
  { "sys", 3, "physics", "md_npt_310K" },
  { "sys", 3, "biology", "blast all against all of a very long list of names" },
  { "bin", 2, "biology", "fold" },
};

static const char *const states[] = { "COMPLETED", "COMPLETED", "FAILED",
                                      "COMPLETED", "TIMEOUT",   "OUT_OF_MEMORY",
                                      "COMPLETED", "CANCELLED", "COMPLETED" };

static gboolean
is_drawn (guint number)
{
  return number == DRAWN || number == DRAWN_BEFORE;
}

/* --- parts --- */

/* Which the scheduler reports once, and each node once more. */
static void
add_steps (JmRunBatch *batch, gint64 start, gint64 wall, gint64 cpu_us)
{
  static const char *const names[] = { "batch", "extern", "0" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (JmRunPart) step = jm_run_part_new (JM_RUN_PART_KIND_STEP);

      jm_run_part_set_text (step, JM_QUANTITY_NAME, names[i]);
      jm_run_part_set_text (step, JM_QUANTITY_STATE, "COMPLETED");
      jm_run_part_set_number (step, JM_QUANTITY_START_TIME, start);
      jm_run_part_set_number (step, JM_QUANTITY_END_TIME, start + wall);
      jm_run_part_set_number (step, JM_QUANTITY_CPU_TOTAL, cpu_us / 3);
      jm_run_part_set_number (step, JM_QUANTITY_MEMORY_PEAK, GIB + (gint64) i);
      jm_run_batch_add_part (batch, step);
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (JmRunPart) step = jm_run_part_new (JM_RUN_PART_KIND_STEP);

      jm_run_part_set_text (step, JM_QUANTITY_NODE, i == 0 ? "n17" : "n18");
      jm_run_part_set_text (step, JM_QUANTITY_NAME, "0");
      jm_run_part_set_number (step, JM_QUANTITY_CPU_TOTAL, cpu_us / 6);
      jm_run_batch_add_part (batch, step);
    }
}

static void
add_node (JmRunBatch *batch,
          const char *name,
          gint64 start,
          gint64 wall,
          gint64 cpu_us,
          gint64 peak_bytes,
          gint64 energy_uj)
{
  g_autoptr (JmRunPart) node = jm_run_part_new (JM_RUN_PART_KIND_NODE);
  g_autoptr (JmRunPart) device = jm_run_part_new (JM_RUN_PART_KIND_DEVICE);

  jm_run_part_set_text (node, JM_QUANTITY_NODE, name);
  jm_run_part_set_number (node, JM_QUANTITY_START_TIME, start);
  jm_run_part_set_number (node, JM_QUANTITY_END_TIME, start + wall);
  jm_run_part_set_number (node, JM_QUANTITY_CPUS, 16);
  jm_run_part_set_number (node, JM_QUANTITY_GPUS_ALLOCATED, 1);
  jm_run_part_set_number (node, JM_QUANTITY_LIFE_OBSERVED, 998000);
  jm_run_part_set_number (node, JM_QUANTITY_CPU_TOTAL, cpu_us / 2);
  jm_run_part_set_number (node, JM_QUANTITY_MEMORY_PEAK, peak_bytes);
  if (energy_uj > 0)
    jm_run_part_set_number (node, JM_QUANTITY_ENERGY, energy_uj / 2);
  jm_run_batch_add_part (batch, node);

  jm_run_part_set_text (device, JM_QUANTITY_NODE, name);
  jm_run_part_set_text (device, JM_QUANTITY_NAME, "0");
  jm_run_part_set_text (device, JM_QUANTITY_GPU_MODEL, "NVIDIA A100-SXM4-40GB");
  jm_run_part_set_text (device, JM_QUANTITY_UUID,
                        "GPU-5c1f6f0e-8a0b-4d13-bb5e-0d6a6a1f2c11");
  jm_run_part_set_number (device, JM_QUANTITY_GPU_SHARE, 1000000);
  if (energy_uj > 0)
    jm_run_part_set_number (device, JM_QUANTITY_ENERGY, energy_uj / 4);
  jm_run_batch_add_part (batch, device);
}

static void
add_energy (JmRunBatch *batch, const char *node, gint64 energy_uj, gint64 grams_ug)
{
  static const char *const domains[] = { "package", "dram" };
  g_autoptr (JmRunPart) factor = jm_run_part_new (JM_RUN_PART_KIND_ENERGY);

  for (guint i = 0; i < G_N_ELEMENTS (domains); i++)
    {
      g_autoptr (JmRunPart) energy = jm_run_part_new (JM_RUN_PART_KIND_ENERGY);

      jm_run_part_set_text (energy, JM_QUANTITY_NODE, node);
      jm_run_part_set_text (energy, JM_QUANTITY_NAME, domains[i]);
      jm_run_part_set_text (energy, JM_QUANTITY_ENERGY_QUALITY,
                            i == 0 ? "measured" : "estimated");
      jm_run_part_set_number (energy, JM_QUANTITY_ENERGY, energy_uj / 2);
      jm_run_batch_add_part (batch, energy);
    }
  jm_run_part_set_text (factor, JM_QUANTITY_NODE, node);
  jm_run_part_set_text (factor, JM_QUANTITY_EMISSION_PROVIDER, "owid");
  jm_run_part_set_text (factor, JM_QUANTITY_EMISSION_ZONE, "DE");
  jm_run_part_set_text (factor, JM_QUANTITY_EMISSION_METHOD, "average");
  jm_run_part_set_text (factor, JM_QUANTITY_EMISSION_SCOPE, "lifecycle");
  jm_run_part_set_text (factor, JM_QUANTITY_EMISSION_QUALITY, "yearly");
  jm_run_part_set_number (factor, JM_QUANTITY_EMISSIONS, grams_ug);
  jm_run_batch_add_part (batch, factor);
}

/* --- the course of one run on its nodes --- */

#define POINTS 150

static JmJobProfile *
make_profile (gint64 start, gint64 wall, guint node)
{
  gint64 step_us = wall * MICRO / POINTS;
  JmJobProfile *profile = jm_job_profile_new (start * MICRO);

  for (gint64 i = 0; i < POINTS; i++)
    {
      gint64 from_us = start * MICRO + i * step_us;
      gint64 busy = 4 + (gint64) node * 3 % 10 + i * 37 % 9;

      jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU, from_us,
                              from_us + step_us, (guint64) (busy * step_us * 1000));
      jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_ENERGY, from_us,
                              from_us + step_us,
                              (guint64) (step_us * (150 + busy * 9)));
      jm_job_profile_add_level (profile, JM_PROFILE_SERIES_MEMORY, from_us,
                                from_us + step_us,
                                (guint64) (GIB / 20 * MIN (i * 2 + 9, 180)));
    }

  return profile;
}

static void
add_record (JmRunBatch *batch, const char *id, gint64 start, gint64 wall, guint node)
{
  g_autofree char *name = g_strdup_printf ("n%u", 17 + node);
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autofree char *began = g_strdup_printf ("%" G_GINT64_FORMAT, start);
  g_autoptr (JmJob) job = jm_test_job_new (id, "cluster", "alps", "user", "daemon",
                                           "uid", "1", "start_time", began, NULL);
  g_autoptr (JmJobProfile) profile = make_profile (start, wall, node);
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autoptr (JmJobRecord) record = NULL;
  JmJobRecordContent content = { .job = job,
                                 .node = name,
                                 .state = JM_RUN_STATE_ENDED,
                                 .begin_us = start * MICRO,
                                 .end_us = (start + wall) * MICRO,
                                 .seen_us = (start + wall) * MICRO,
                                 .profile = profile };

  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 16);
  snapshot = jm_snapshot_builder_end (builder);
  content.snapshot = snapshot;
  record = jm_job_record_new (&content);
  jm_run_batch_add_record (batch, record, "alps");
}

/* --- runs --- */

static JmRun *
make_run (guint number, const Kind *kind, gint64 submit)
{
  g_autofree char *id = g_strdup_printf ("%u", 4100 + number);
  JmRun *run = jm_run_new ("alps", id);

  jm_run_keep_text (run, JM_RUN_FIELD_USER, kind->user);
  jm_run_keep_text (run, JM_RUN_FIELD_ACCOUNT, kind->account);
  jm_run_keep_text (run, JM_RUN_FIELD_NAME, kind->name);
  jm_run_keep_text (run, JM_RUN_FIELD_PARTITION, "batch");
  jm_run_keep_text (run, JM_RUN_FIELD_QOS, "normal");
  jm_run_keep_number (run, JM_RUN_FIELD_UID, kind->uid);
  jm_run_keep_number (run, JM_RUN_FIELD_SUBMIT_TIME, submit);
  jm_run_keep_number (run, JM_RUN_FIELD_TIME_LIMIT, 4 * 3600);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, 32);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, 2);
  jm_run_keep_text (run, JM_RUN_FIELD_NODE_LIST, "n[17-18]");

  return run;
}

/* What it used, as the ledgers of its nodes report it; of some nobody measured energy.
 */
static void
add_figures (JmRunBatch *batch, JmRun *run, guint number, gint64 wall)
{
  gint64 cpu_us = wall * 32 * MICRO * (gint64) (20 + number * 37 % 80) / 100;
  gint64 energy_uj = wall * 430 * MICRO;
  gint64 peak_bytes = GIB * (gint64) (2 + number % 14);
  gboolean is_measured = number % 7 != 3;
  gint64 start = 0;

  jm_run_get_number (run, JM_RUN_FIELD_START_TIME, &start);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, cpu_us);
  jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_PEAK, peak_bytes);
  if (is_measured)
    {
      jm_run_keep_number (run, JM_RUN_FIELD_ENERGY, energy_uj);
      jm_run_keep_number (run, JM_RUN_FIELD_EMISSIONS, energy_uj / 9500);
    }
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_LEDGER);
  add_steps (batch, start, wall, cpu_us);
  for (guint node = 0; !is_drawn (number) && node < 2; node++)
    add_node (batch, node == 0 ? "n17" : "n18", start, wall, cpu_us, peak_bytes,
              is_measured ? energy_uj : 0);
  if (is_measured)
    add_energy (batch, "n17", energy_uj, energy_uj / 9500);
}

static void
add_ended (JmRunBatch *batch, guint number, gint64 now)
{
  const Kind *kind = &kinds[number % G_N_ELEMENTS (kinds)];
  gint64 wall = 600 + (gint64) (number * 2311 % 12000);
  gint64 start = now - (gint64) number * 30 * DAY / RUNS - 4 * 3600;
  g_autoptr (JmRun) run = make_run (number, kind, start - 400);
  g_autoptr (JmRun) measured = make_run (number, kind, start - 400);

  jm_run_keep_text (run, JM_RUN_FIELD_STATE, states[number % G_N_ELEMENTS (states)]);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, start);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, start + wall);
  jm_run_keep_number (run, JM_RUN_FIELD_EXIT_CODE, number % 9 == 2);
  jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_ALLOCATED, 32 * GIB);
  jm_run_keep_number (run, JM_RUN_FIELD_GPUS_ALLOCATED, 2);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);

  jm_run_keep_number (measured, JM_RUN_FIELD_START_TIME, start);
  add_figures (batch, measured, number, wall);
  for (guint node = 0; is_drawn (number) && node < 2; node++)
    add_record (batch, jm_run_get_raw_id (run), start, wall, node);
}

static void
add_running (JmRunBatch *batch, guint number, gint64 now)
{
  g_autoptr (JmRun) run = make_run (number, &kinds[0], now - 900);
  g_autofree char *id = g_strdup_printf ("%u", 4100 + number);

  jm_run_keep_text (run, JM_RUN_FIELD_STATE, "RUNNING");
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, now - 300);
  jm_run_keep_number (run, JM_RUN_FIELD_SEEN_TIME, now);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, 300 * MICRO);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  jm_run_batch_add_state (batch, "alps", id, (now - 900) * MICRO,
                          "{\"state\": \"PENDING\", \"reason\": \"Priority <b>\", "
                          "\"partitions\": \"batch\", \"time\": 1772323200}");
  jm_run_batch_add_state (batch, "alps", id, (now - 300) * MICRO,
                          "{\"state\": \"RUNNING\", \"partitions\": \"batch\", "
                          "\"node_list\": \"n[17-18]\", \"time\": 1772324200}");
}

/* --- what a person asks about --- */

#define IDLE_SECONDS G_GINT64_CONSTANT (10800)
#define ENDED_SECONDS 3600
#define WIDE_NODES 40

static JmRun *
make_asked (const char *id, gint64 submit)
{
  JmRun *run = jm_run_new ("alps", id);

  jm_run_keep_text (run, JM_RUN_FIELD_USER, "daemon");
  jm_run_keep_text (run, JM_RUN_FIELD_ACCOUNT, "tides");
  jm_run_keep_text (run, JM_RUN_FIELD_NAME, "asked about");
  jm_run_keep_text (run, JM_RUN_FIELD_PARTITION, "batch");
  jm_run_keep_number (run, JM_RUN_FIELD_UID, 1);
  jm_run_keep_number (run, JM_RUN_FIELD_SUBMIT_TIME, submit);
  jm_run_keep_number (run, JM_RUN_FIELD_TIME_LIMIT, 4 * 3600);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, 32);

  return run;
}

static void
add_waiting (JmRunBatch *batch, const char *id, gint64 now)
{
  g_autoptr (JmRun) run = make_asked (id, now - 3600);

  jm_run_keep_text (run, JM_RUN_FIELD_STATE, "PENDING");
  jm_run_keep_text (run, JM_RUN_FIELD_REASON, "Priority");
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
}

static void
add_idle_record (JmRunBatch *batch, const char *id, gint64 start)
{
  static const JmCoverage whole = { "life", 1 };
  const gint64 begin_us = start * MICRO;
  const gint64 now_us = begin_us + IDLE_SECONDS * MICRO;
  g_autofree char *began = g_strdup_printf ("%" G_GINT64_FORMAT, start);
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) job = jm_test_job_new (id, "cluster", "alps", "user", "daemon",
                                           "uid", "1", "start_time", began, NULL);
  g_autoptr (JmJobProfile) profile = jm_job_profile_new (begin_us);
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autoptr (JmJobRecord) record = NULL;
  JmJobRecordContent content = { .job = job,
                                 .node = "n1",
                                 .state = JM_RUN_STATE_RUNNING,
                                 .begin_us = begin_us,
                                 .seen_us = now_us,
                                 .coverage = &whole,
                                 .n_coverage = 1,
                                 .profile = profile };

  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU, begin_us, now_us,
                          (guint64) (30 * IDLE_SECONDS * MICRO * 1000));
  jm_job_profile_add_level (profile, JM_PROFILE_SERIES_GPU_UTILIZATION, begin_us,
                            now_us, 0);
  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 32);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL,
                           (guint64) (30 * IDLE_SECONDS * MICRO * 1000));
  jm_snapshot_builder_add_job_gpu (builder, "0", "hook", 100);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_OBSERVED,
                           (guint64) (IDLE_SECONDS * MICRO));
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_BUSY, 0);
  snapshot = jm_snapshot_builder_end (builder);
  content.snapshot = snapshot;
  record = jm_job_record_new (&content);
  jm_run_batch_add_record (batch, record, "alps");
}

static void
add_idle (JmRunBatch *batch, const char *id, gint64 now)
{
  g_autoptr (JmRun) run = make_asked (id, now - IDLE_SECONDS - 60);

  jm_run_keep_text (run, JM_RUN_FIELD_STATE, "RUNNING");
  jm_run_keep_text (run, JM_RUN_FIELD_NODE_LIST, "n1");
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, 1);
  jm_run_keep_number (run, JM_RUN_FIELD_GPUS_ALLOCATED, 1);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, now - IDLE_SECONDS);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  add_idle_record (batch, id, now - IDLE_SECONDS);
}

static void
add_ended_before (JmRunBatch *batch, const char *id, gint64 now)
{
  const gint64 start = now - ENDED_SECONDS;
  g_autoptr (JmRun) run = make_asked (id, start - 60);
  g_autoptr (JmRun) measured = make_asked (id, start - 60);

  jm_run_keep_text (run, JM_RUN_FIELD_STATE, "COMPLETED");
  jm_run_keep_text (run, JM_RUN_FIELD_NODE_LIST, "n[1-2]");
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, 2);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, start);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, now);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);

  jm_run_keep_number (measured, JM_RUN_FIELD_START_TIME, start);
  jm_run_keep_number (measured, JM_RUN_FIELD_ENERGY, 7200000 * MICRO);
  jm_run_batch_add_run (batch, measured, JM_RUN_SOURCE_LEDGER);
}

static void
add_wide (JmRunBatch *batch, const char *id, gint64 now)
{
  const gint64 start = now - ENDED_SECONDS;
  g_autoptr (JmRun) run = make_asked (id, start - 60);

  jm_run_keep_text (run, JM_RUN_FIELD_STATE, "COMPLETED");
  jm_run_keep_text (run, JM_RUN_FIELD_NODE_LIST, "n[17-56]");
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, WIDE_NODES);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, start);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, now);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  for (guint node = 0; node < WIDE_NODES; node++)
    add_record (batch, id, start, ENDED_SECONDS, node);
}

static void
add_asked (JmRunBatch *batch, const char *id, const char *kind, gint64 now)
{
  g_autofree char *job = g_strdup_printf ("%u", 4100 + (guint) atoi (id));

  if (g_str_equal (kind, "waiting"))
    add_waiting (batch, job, now);
  else if (g_str_equal (kind, "idle"))
    add_idle (batch, job, now);
  else if (g_str_equal (kind, "wide"))
    add_wide (batch, job, now);
  else
    add_ended_before (batch, job, now);
}

/* The users are such as each machine has. */
static void
add_people (JmRunBatch *batch)
{
  const char *const coordinators[] = { "bin", NULL };
  const char *const administrators[] = { "games", NULL };

  jm_run_batch_set_person (batch, "alps", "daemon", 1);
  jm_run_batch_set_person (batch, "alps", "bin", 2);
  jm_run_batch_set_person (batch, "alps", "sys", 3);
  jm_run_batch_set_coordinators (batch, "alps", "physics", coordinators);
  jm_run_batch_set_administrators (batch, "alps", administrators);
}

int
main (int argc, char **argv)
{
  gint64 now = g_ascii_strtoll (argv[2], NULL, 10);
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchiveDatabase) store = jm_archive_database_open (argv[1], &error);

  if (argc > 4)
    add_asked (batch, argv[3], argv[4], now);
  else if (argc > 3)
    add_running (batch, (guint) g_ascii_strtoull (argv[3], NULL, 10), now);
  else
    {
      for (guint i = 1; i <= RUNS; i++)
        add_ended (batch, i, now);
      add_running (batch, 0, now);
      add_people (batch);
    }
  if (store != NULL && jm_archive_database_merge (store, batch, &error))
    return 0;

  g_printerr ("%s\n", error->message);

  return 1;
}
