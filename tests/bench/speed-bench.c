/* speed-bench.c: what sweeps and scrapes of a made-up node cost, for speed.py to read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "host/jm-host.h"

#include "bench-exporter.h"
#include "bench-load.h"
#include "bench-meter.h"
#include "bench-process.h"
#include "bench-record.h"
#include "bench-references.h"

#define N_ROUNDS 15
#define NEVER_S 3600
/* Longer than the age up to which an exporter gives a sweep to one more scraper. */
#define APART_US 300000
/* What an exporter does once it has answered belongs to its answer. */
#define AFTER_US 30000

#define QUIET_US (60 * G_USEC_PER_SEC)
#define USUAL_INTERVAL_S 5

#define N_PAIRS 40
/* Of a load, in sweeps: not a whole number, so that pairs do not all have as many. */
#define LOAD_SWEEPS 2.5
#define LOAD_MIN_US 500000.0
#define SETTLE_US 50000

typedef struct
{
  const char *name;
  BenchCost costs[N_ROUNDS];
} Row;

static void
print_row (const Row *row)
{
  BenchCost median = bench_cost_get_median (row->costs, N_ROUNDS);

  g_print ("row\t%s\t%.1f\t%.1f\t%.0f\t%.1f\n", row->name, median.figures[BENCH_CPU_US],
           median.figures[BENCH_WALL_US], median.figures[BENCH_CALLS],
           median.figures[BENCH_ALLOCATIONS]);
}

static BenchReferences *
make_references (GArray *accesses)
{
  BenchReferences *references = bench_references_new (accesses);

  if (references == NULL)
    g_error ("the references could not be started");

  return references;
}

/* Every file behind the figures of a scrape, the states of threads among them. */
static BenchRecord
record (void)
{
  g_autoptr (JmNode) node = bench_record_open_node (JM_SUBJECT_KIND_JOB, FALSE);

  return bench_record_steady_sweep (node);
}

static BenchExporter *
start_exporter (const char *program, double interval_s, const char *option)
{
  BenchExporter *exporter = bench_exporter_new (program, interval_s, option);

  if (exporter == NULL)
    exit (1);

  return exporter;
}

/* --- a scrape --- */

static BenchCost
scrape (BenchExporter *exporter, gboolean as_prometheus)
{
  BenchCost before, cost;
  double wall_us;

  g_usleep (APART_US);
  before = bench_exporter_get_cost (exporter);
  if (bench_exporter_scrape (exporter, as_prometheus) == 0)
    g_error ("a scrape failed");
  wall_us = (double) g_get_monotonic_time () - before.figures[BENCH_WALL_US];
  g_usleep (AFTER_US);
  cost = bench_exporter_get_cost (exporter);
  for (guint i = 0; i < BENCH_N_FIGURES; i++)
    cost.figures[i] -= before.figures[i];
  cost.figures[BENCH_WALL_US] = wall_us;

  return cost;
}

static void
print_exporter (BenchExporter *exporter)
{
  pid_t pid = bench_exporter_get_pid (exporter);

  g_print ("memory\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\n",
           bench_process_get_resident_kib (pid),
           bench_process_get_proportional_kib (pid));
  g_print ("answer\t%" G_GSIZE_FORMAT "\t%" G_GSIZE_FORMAT "\n",
           bench_exporter_scrape (exporter, FALSE),
           bench_exporter_scrape (exporter, TRUE));
}

/* NULL where the kernel takes no programs. */
static BenchExporter *
start_with_bpf (const char *program)
{
  g_autoptr (JmNode) node = bench_record_open_node (JM_SUBJECT_KIND_JOB, TRUE);

  return bench_record_runs_bpf (node)
           ? start_exporter (program, NEVER_S, "--collector.process.bpf")
           : NULL;
}

/* One after the other in each round, so that the machine's moods hit all alike. */
static void
run_scrapes (const char *program)
{
  BenchRecord steady = record ();
  BenchReferences *references = make_references (steady.accesses);
  g_autoptr (BenchExporter) usual = start_exporter (program, NEVER_S, NULL);
  g_autoptr (BenchExporter) full =
    start_exporter (program, NEVER_S, "--collector.threads.interval=0");
  g_autoptr (BenchExporter) with_bpf = start_with_bpf (program);
  const guint n_rows = with_bpf != NULL ? 6 : 5;
  Row rows[] = { { .name = "opened" },       { .name = "kept" },
                 { .name = "plain" },        { .name = "prometheus" },
                 { .name = "with-threads" }, { .name = "with-bpf" } };

  g_usleep (BENCH_SETTLE_US);
  for (guint i = 0; i < 2; i++)
    {
      scrape (usual, i > 0);
      scrape (full, i > 0);
      if (with_bpf != NULL)
        scrape (with_bpf, i > 0);
    }

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      rows[0].costs[i] = bench_references_run (references, BENCH_REFERENCE_OPENED, 1);
      rows[1].costs[i] = bench_references_run (references, BENCH_REFERENCE_KEPT, 1);
      rows[2].costs[i] = scrape (usual, FALSE);
      rows[3].costs[i] = scrape (usual, TRUE);
      rows[4].costs[i] = scrape (full, TRUE);
      if (with_bpf != NULL)
        rows[5].costs[i] = scrape (with_bpf, TRUE);
    }

  for (guint i = 0; i < n_rows; i++)
    print_row (&rows[i]);
  print_exporter (usual);
  if (with_bpf != NULL)
    print_exporter (with_bpf);
  bench_references_free (references);
  bench_record_clear (&steady);
}

/* --- a sweep, by the size of the node --- */

static void
run_sweeps (const char *program)
{
  g_autoptr (JmNode) node = bench_record_open_node (JM_SUBJECT_KIND_JOB, FALSE);
  BenchRecord steady = bench_record_steady_sweep (node);
  BenchReferences *references = make_references (steady.accesses);
  Row rows[] = { { .name = "opened" }, { .name = "kept" }, { .name = "sweep" } };
  BenchMeter meter;

  bench_meter_open (&meter);
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      rows[0].costs[i] = bench_references_run (references, BENCH_REFERENCE_OPENED, 3);
      rows[1].costs[i] = bench_references_run (references, BENCH_REFERENCE_KEPT, 3);
      rows[2].costs[i] = bench_meter_run (&meter, bench_record_sweep, node, 3);
    }
  bench_meter_close (&meter);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    print_row (&rows[i]);
  bench_references_free (references);
  bench_record_clear (&steady);
}

/* --- nobody scrapes --- */

static void
run_quiet (const char *program)
{
  g_autoptr (BenchExporter) exporter = start_exporter (program, USUAL_INTERVAL_S, NULL);
  BenchCost before, after;

  g_usleep (BENCH_SETTLE_US);
  before = bench_exporter_get_cost (exporter);
  g_usleep (QUIET_US);
  after = bench_exporter_get_cost (exporter);
  g_print ("quiet\t%.0f\n", after.figures[BENCH_CPU_US] - before.figures[BENCH_CPU_US]);
}

/* --- a load beside it --- */

static const char *
find_processes (const BenchRecord *steady)
{
  for (guint i = 0; i < steady->accesses->len; i++)
    {
      const char *path = g_array_index (steady->accesses, BenchAccess, i).path;

      if (g_str_has_suffix (path, "/cgroup.procs"))
        return path;
    }

  g_error ("no list of a job's processes was read");
}

/* How much work takes @wall_us. */
static guint
calibrate (BenchLoad *load, BenchLoadKind kind, double wall_us)
{
  guint amount = 100;
  BenchLoadCost cost;

  bench_load_run (load, kind, amount);
  cost = bench_load_run (load, kind, amount);

  return (guint) (amount * wall_us / cost.wall_us) + 1;
}

static BenchLoadCost
run_beside (BenchExporter *exporter,
            gboolean is_sampled,
            BenchLoad *load,
            BenchLoadKind kind,
            guint amount)
{
  kill (bench_exporter_get_pid (exporter), is_sampled ? SIGCONT : SIGSTOP);
  g_usleep (SETTLE_US);

  return bench_load_run (load, kind, amount);
}

/* Which of a pair comes first takes turns. */
static void
run_pairs (BenchExporter *exporter,
           BenchLoad *load,
           BenchLoadKind kind,
           double interval_s)
{
  static const char *const names[] = { "compute", "fork" };
  double wall_us = MAX (interval_s * LOAD_SWEEPS * G_USEC_PER_SEC, LOAD_MIN_US);
  guint amount = calibrate (load, kind, wall_us);

  for (guint i = 0; i < N_PAIRS; i++)
    {
      BenchLoadCost costs[2];

      for (guint k = 0; k < 2; k++)
        {
          guint is_sampled = (i + k) % 2;

          costs[is_sampled] = run_beside (exporter, is_sampled, load, kind, amount);
        }
      g_print ("pair\t%s\t%g\t%.0f\t%.0f\t%.0f\t%.0f\n", names[kind], interval_s,
               costs[0].cpu_us, costs[1].cpu_us, costs[0].wall_us, costs[1].wall_us);
    }
  kill (bench_exporter_get_pid (exporter), SIGCONT);
}

static void
run_loads (const char *program)
{
  static const double intervals_s[] = { 1, 0.1 };
  BenchRecord steady = record ();
  g_autoptr (BenchLoad) load = bench_load_new (find_processes (&steady));

  for (guint i = 0; i < G_N_ELEMENTS (intervals_s); i++)
    {
      g_autoptr (BenchExporter) exporter =
        start_exporter (program, intervals_s[i], NULL);

      g_usleep (BENCH_SETTLE_US);
      for (BenchLoadKind kind = 0; kind < BENCH_N_LOADS; kind++)
        run_pairs (exporter, load, kind, intervals_s[i]);
    }
  bench_record_clear (&steady);
}

/* speed-bench EXPORTER WHAT...: measures the node that made-node made. */
int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (const char *program);
  } parts[] = { { "scrapes", run_scrapes },
                { "sweeps", run_sweeps },
                { "quiet", run_quiet },
                { "loads", run_loads } };

  if (g_getenv ("BENCH_NODE") == NULL || argc < 3)
    {
      g_printerr ("usage: made-node JOBSxPROCESSESxTHREADS speed-bench EXPORTER "
                  "scrapes|sweeps|quiet|loads...\n");
      return 2;
    }

  jm_host_raise_open_files_limit ();
  for (int i = 2; i < argc; i++)
    for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
      if (g_str_equal (argv[i], parts[k].name))
        parts[k].run (argv[1]);

  return 0;
}
