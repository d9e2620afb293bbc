/* sweep-bench.c: what a sweep over a made-up node costs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "host/jm-host.h"
#include "node/jm-node.h"

#include "bench-exporter.h"
#include "bench-meter.h"
#include "bench-process.h"
#include "bench-record.h"
#include "bench-references.h"

#define N_ROUNDS 15
#define ROUND_US 5000
#define MAX_REPEATS 200

#define IDLE_INTERVAL_S 0.25
#define IDLE_SWEEPS 20
#define NEVER_S 3600
#define N_SCRAPES 10
#define QUIET_US 3000000
/* Longer than the age up to which an exporter gives a sweep to one more scraper. */
#define APART_US 300000

/* What there is to compare with, in the same rounds. */
typedef struct
{
  BenchReferences *references;
  BenchCost opened[N_ROUNDS];
  BenchCost kept[N_ROUNDS];
} Comparison;

typedef struct
{
  BenchCost opened;
  BenchCost kept;
} Medians;

static Medians
get_medians (const Comparison *comparison, guint n_rounds)
{
  return (Medians){
    bench_cost_get_median (comparison->opened, n_rounds),
    bench_cost_get_median (comparison->kept, n_rounds),
  };
}

/* --- the library --- */

static void
print_jobs (JmNode *node)
{
  g_autoptr (JmSnapshot) snapshot = jm_node_sample (node, NULL, NULL);
  g_autoptr (GPtrArray) jobs = jm_snapshot_get_jobs (snapshot);

  g_print ("jobs seen: %u\n", jobs->len);
  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    {
      const GError *error = jm_snapshot_get_error (snapshot, i);

      if (error != NULL)
        g_print ("collector %s failed: %s\n", jm_collector_get_name (i),
                 error->message);
    }
}

static void
list_files (const BenchRecord *record)
{
  static const char *const kinds[] = { "read", "list", "size", "link" };

  for (guint i = 0; i < record->accesses->len; i++)
    {
      const BenchAccess *access = &g_array_index (record->accesses, BenchAccess, i);

      g_print ("%s %u times, %s: %s\n", kinds[access->kind], access->n_reads,
               access->is_kept ? "kept open" : "opened", access->path);
    }

  for (guint i = 0; i < record->missing->len; i++)
    g_print ("missing: %s\n", (char *) g_ptr_array_index (record->missing, i));
}

static void
print_record (const BenchRecord *record)
{
  guint n_kept = 0;

  for (guint i = 0; i < record->accesses->len; i++)
    n_kept += g_array_index (record->accesses, BenchAccess, i).is_kept ? 1 : 0;

  g_print ("files read by a sweep: %u, of them kept open: %u; looked for in vain: %u\n",
           record->accesses->len, n_kept, record->missing->len);
  if (g_getenv ("BENCH_LIST_FILES") != NULL)
    list_files (record);
}

static guint
choose_repeats (BenchMeter *meter, JmNode *node)
{
  BenchCost cost = bench_meter_run (meter, bench_record_sweep, node, 1);

  return (guint) CLAMP (ROUND_US / cost.figures[BENCH_CPU_US], 1, MAX_REPEATS);
}

/* One after the other in each round, so that the machine's moods hit all alike. */
static void
run_rounds (JmNode *node, Comparison *comparison, BenchCost sweeps[N_ROUNDS])
{
  BenchMeter meter;
  guint n_repeats;

  bench_meter_open (&meter);
  n_repeats = choose_repeats (&meter, node);

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      comparison->opened[i] = bench_references_run (comparison->references,
                                                    BENCH_REFERENCE_OPENED, n_repeats);
      comparison->kept[i] =
        bench_references_run (comparison->references, BENCH_REFERENCE_KEPT, n_repeats);
      sweeps[i] = bench_meter_run (&meter, bench_record_sweep, node, n_repeats);
    }

  bench_meter_close (&meter);
}

/* Against the files that report the same without: those of all threads among them. */
static void
compare_bpf (JmSubjectKind level)
{
  g_autoptr (JmNode) files = bench_record_open_node (level, FALSE);
  g_autoptr (JmNode) node = bench_record_open_node (level, TRUE);
  Comparison comparison;
  BenchCost sweeps[N_ROUNDS];
  BenchCost median;
  Medians medians;
  BenchRecord record;

  if (!bench_record_runs_bpf (node))
    {
      g_print ("no BPF programs can be run here\n");
      return;
    }

  record = bench_record_steady_sweep (files);
  comparison.references = bench_references_new (record.accesses);
  g_print ("\nwith BPF programs, in place of %u files:\n", record.accesses->len);
  bench_record_clear (&record);
  record = bench_record_steady_sweep (node);
  print_record (&record);
  bench_record_clear (&record);

  run_rounds (node, &comparison, sweeps);
  medians = get_medians (&comparison, N_ROUNDS);
  median = bench_cost_get_median (sweeps, N_ROUNDS);
  bench_print_header ();
  bench_print_cost ("(a) open, read, close", &medians.opened, &medians.opened,
                    &medians.kept);
  bench_print_cost ("a sweep with BPF", &median, &medians.opened, &medians.kept);
  bench_references_free (comparison.references);
}

static BenchReferences *
compare_library (JmSubjectKind level, const char *name)
{
  guint64 resident_kib = bench_process_get_resident_kib (getpid ());
  g_autoptr (JmNode) node = bench_record_open_node (level, FALSE);
  BenchRecord record;
  BenchCost sweeps[N_ROUNDS];
  BenchCost median;
  Comparison comparison;
  Medians medians;

  g_print ("\nJmNode, all collectors, %s\n", name);
  record = bench_record_steady_sweep (node);
  resident_kib = bench_process_get_resident_kib (getpid ()) - resident_kib;
  print_jobs (node);
  print_record (&record);

  comparison.references = bench_references_new (record.accesses);
  bench_record_clear (&record);
  if (comparison.references == NULL)
    g_error ("the references could not be started");
  run_rounds (node, &comparison, sweeps);
  medians = get_medians (&comparison, N_ROUNDS);
  median = bench_cost_get_median (sweeps, N_ROUNDS);

  bench_print_header ();
  bench_print_cost ("(a) open, read, close", &medians.opened, &medians.opened,
                    &medians.kept);
  bench_print_cost ("(b) read what is kept open", &medians.kept, &medians.opened,
                    &medians.kept);
  bench_print_cost ("a sweep", &median, &medians.opened, &medians.kept);
  g_print ("resident memory of the library's part: %" G_GUINT64_FORMAT " KiB\n",
           resident_kib);
  compare_bpf (level);

  return comparison.references;
}

/* --- the exporter --- */

static BenchCost
get_share (const BenchCost *before, const BenchCost *after, guint n_parts)
{
  BenchCost share;

  for (guint i = 0; i < BENCH_N_FIGURES; i++)
    share.figures[i] = (after->figures[i] - before->figures[i]) / n_parts;

  return share;
}

static void
print_resident (BenchExporter *exporter, const char *when)
{
  g_print ("resident memory of the exporter %s: %.1f MiB\n", when,
           (double) bench_exporter_get_resident_kib (exporter) / 1024);
}

/* The references run while the exporter sweeps by itself. */
static void
compare_idle (const char *program, BenchReferences *references)
{
  g_autoptr (BenchExporter) exporter =
    bench_exporter_new (program, IDLE_INTERVAL_S, NULL);
  Comparison comparison = { .references = references };
  gint64 window_us = (gint64) (IDLE_SWEEPS * IDLE_INTERVAL_S * G_USEC_PER_SEC);
  guint64 n_sleeps;
  BenchCost before;
  BenchCost after;
  BenchCost share;
  Medians medians;

  if (exporter == NULL)
    return;

  g_usleep (BENCH_SETTLE_US);
  n_sleeps = bench_exporter_get_sleeps (exporter);
  before = bench_exporter_get_cost (exporter);
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      comparison.opened[i] =
        bench_references_run (references, BENCH_REFERENCE_OPENED, 1);
      comparison.kept[i] = bench_references_run (references, BENCH_REFERENCE_KEPT, 1);
      g_usleep ((gulong) MAX (0, (gint64) before.figures[BENCH_WALL_US] +
                                   window_us * (i + 1) / N_ROUNDS -
                                   g_get_monotonic_time ()));
    }
  after = bench_exporter_get_cost (exporter);
  n_sleeps = bench_exporter_get_sleeps (exporter) - n_sleeps;

  medians = get_medians (&comparison, N_ROUNDS);
  share = get_share (&before, &after, IDLE_SWEEPS);
  share.figures[BENCH_WALL_US] = NAN;
  bench_print_cost ("a sweep, nobody scrapes", &share, &medians.opened, &medians.kept);
  g_print ("wake-ups for a sweep: %.2f\n", (double) n_sleeps / IDLE_SWEEPS);
  print_resident (exporter, "that nobody scraped");
}

static void
print_scrapes (BenchExporter *exporter,
               const char *name,
               gboolean gzip,
               gulong pause_us,
               const Medians *medians)
{
  BenchCost costs[N_SCRAPES];
  BenchCost median;
  gsize size = 0;

  for (guint i = 0; i < N_SCRAPES; i++)
    {
      BenchCost before;
      BenchCost after;

      g_usleep (pause_us);
      before = bench_exporter_get_cost (exporter);
      size = bench_exporter_scrape (exporter, gzip);
      after = bench_exporter_get_cost (exporter);
      costs[i] = get_share (&before, &after, 1);
    }

  median = bench_cost_get_median (costs, N_SCRAPES);
  bench_print_cost (name, &median, medians != NULL ? &medians->opened : NULL,
                    medians != NULL ? &medians->kept : NULL);
  if (size == 0)
    g_print ("the last scrape failed\n");
}

static Medians
measure_references (BenchReferences *references)
{
  Comparison comparison = { .references = references };

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      comparison.opened[i] =
        bench_references_run (references, BENCH_REFERENCE_OPENED, 1);
      comparison.kept[i] = bench_references_run (references, BENCH_REFERENCE_KEPT, 1);
    }

  return get_medians (&comparison, N_ROUNDS);
}

static void
compare_scrapes (const char *program, BenchReferences *references)
{
  g_autoptr (BenchExporter) exporter = bench_exporter_new (program, NEVER_S, NULL);
  Medians medians;
  guint64 n_sleeps;

  if (exporter == NULL)
    return;

  g_usleep (BENCH_SETTLE_US);
  bench_exporter_scrape (exporter, FALSE);
  bench_exporter_scrape (exporter, TRUE);
  g_usleep (APART_US);

  n_sleeps = bench_exporter_get_sleeps (exporter);
  g_usleep (QUIET_US);
  n_sleeps = bench_exporter_get_sleeps (exporter) - n_sleeps;

  medians = measure_references (references);
  print_scrapes (exporter, "a scrape with its sweep", FALSE, APART_US, &medians);
  print_scrapes (exporter, "a scrape of a sweep that is there", FALSE, 0, NULL);
  print_scrapes (exporter, "the same, gzip", TRUE, 0, NULL);
  g_print ("answer: %" G_GSIZE_FORMAT " bytes, gzip %" G_GSIZE_FORMAT " bytes\n",
           bench_exporter_scrape (exporter, FALSE),
           bench_exporter_scrape (exporter, TRUE));
  g_print ("wake-ups in %d s without a sweep: %" G_GUINT64_FORMAT "\n",
           QUIET_US / G_USEC_PER_SEC, n_sleeps);
  print_resident (exporter, "after scrapes");
}

/* sweep-bench [EXPORTER]: measures the node that made-node made. */
int
main (int argc, char **argv)
{
  BenchReferences *tasks;
  BenchReferences *jobs;

  if (g_getenv ("BENCH_NODE") == NULL || argc > 2)
    {
      g_printerr ("usage: made-node JOBSxPROCESSESxTHREADS sweep-bench [EXPORTER]\n");
      return 2;
    }

  jm_host_raise_open_files_limit ();
  jobs = compare_library (JM_SUBJECT_KIND_JOB, "jobs alone");
  tasks = compare_library (JM_SUBJECT_KIND_TASK, "down to tasks");
  bench_references_free (tasks);

  if (argc == 2)
    {
      g_print ("\njobmetrics-exporter node, jobs alone\n");
      bench_print_header ();
      compare_idle (argv[1], jobs);
      compare_scrapes (argv[1], jobs);
    }

  bench_references_free (jobs);
  return 0;
}
