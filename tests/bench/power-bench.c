/* power-bench.c: what energy adds to a sweep over a made-up node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <gio/gio.h>
#include <signal.h>

#include "core/jm-snapshot-private.h"
#include "node/jm-node.h"

#include "bench-meter.h"

#define N_WARM_UPS 10
#define WARM_UP_PAUSE_US 200000
#define N_ROUNDS 25
#define ROUND_US 20000
#define MAX_REPEATS 200

/* A copy of a machine of two sockets, whose counters a program moves. */
typedef struct
{
  char *folder;
  GSubprocess *mover;
} Machine;

static void
run_or_end (const char *const *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process =
    g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_NONE, &error);

  if (process == NULL || !g_subprocess_wait_check (process, NULL, &error))
    g_error ("%s: %s", arguments[0], error->message);
}

static GSubprocess *
start_mover (const char *mover, const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDataInputStream) output = NULL;
  g_autofree char *line = NULL;
  GSubprocess *process =
    g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, mover, folder,
                      "package-0=150", "package-1=90", "dram-0=20", "dram-1=12", NULL);

  if (process == NULL)
    g_error ("%s", error->message);

  output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (process));
  g_filter_input_stream_set_close_base_stream (G_FILTER_INPUT_STREAM (output), FALSE);
  line = g_data_input_stream_read_line (output, NULL, NULL, NULL);
  if (line == NULL)
    g_error ("%s: ended before it began", mover);

  return process;
}

static Machine
machine_start (const char *fixture, const char *mover)
{
  Machine self = { g_dir_make_tmp ("power-bench-XXXXXX", NULL), NULL };
  g_autofree char *from = g_build_filename (fixture, "sys", NULL);
  const char *copy[] = { "cp", "-a", from, self.folder, NULL };

  run_or_end (copy);
  self.mover = start_mover (mover, self.folder);

  return self;
}

static void
machine_stop (Machine *self)
{
  const char *removal[] = { "rm", "-rf", self->folder, NULL };

  g_subprocess_send_signal (self->mover, SIGTERM);
  g_subprocess_wait (self->mover, NULL, NULL);
  g_object_unref (self->mover);
  run_or_end (removal);
  g_free (self->folder);
}

static JmNode *
open_node (const Machine *machine, const char *const *sources)
{
  const char *const providers[] = { "global", NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *sysfs = g_build_filename (machine->folder, "sys", NULL);
  g_autoptr (JmHost) host =
    jm_host_new_with_paths (NULL, NULL, sysfs, "/sys/fs/cgroup");
  JmNode *node = g_initable_new (JM_TYPE_NODE, NULL, &error, "host", host, "node-name",
                                 g_getenv ("BENCH_NODE"), "power-sources", sources,
                                 "emission-providers", providers, NULL);

  if (node == NULL)
    g_error ("%s", error->message);
  jm_node_wait_for_answers (node, 10000);

  return node;
}

static void
sweep (gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSnapshot) snapshot = jm_node_sample (user_data, NULL, &error);

  if (snapshot == NULL)
    g_error ("%s", error->message);
}

/* Who a job is, is asked in its first sweeps only. */
static void
warm_up (JmNode *without, JmNode *with)
{
  for (guint i = 0; i < N_WARM_UPS; i++)
    {
      g_usleep (WARM_UP_PAUSE_US);
      sweep (without);
      sweep (with);
    }
}

static void
print_jobs (JmNode *node)
{
  g_autoptr (JmSnapshot) snapshot = jm_node_sample (node, NULL, NULL);
  guint n_jobs = 0;

  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    {
      gboolean is_job = jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_JOB;
      g_autoptr (GPtrArray) domains =
        jm_snapshot_list_metric_labels (snapshot, i, JM_METRIC_ENERGY);

      n_jobs += is_job && domains->len > 0;
    }

  g_print ("jobs with energy: %u\n", n_jobs);
}

static double
get_ratio (const BenchCost *with, const BenchCost *without, BenchFigure figure)
{
  return with->figures[figure] / without->figures[figure];
}

/* One after the other in each round, so that the machine's moods hit both alike. */
static void
compare (JmNode *without, JmNode *with)
{
  BenchMeter meter;
  BenchCost plain[N_ROUNDS];
  BenchCost power[N_ROUNDS];
  BenchCost median, other;
  guint n_repeats;

  bench_meter_open (&meter);
  median = bench_meter_run (&meter, sweep, without, 1);
  n_repeats = (guint) CLAMP (ROUND_US / median.figures[BENCH_CPU_US], 1, MAX_REPEATS);
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      plain[i] = bench_meter_run (&meter, sweep, without, n_repeats);
      power[i] = bench_meter_run (&meter, sweep, with, n_repeats);
    }
  bench_meter_close (&meter);

  median = bench_cost_get_median (plain, N_ROUNDS);
  other = bench_cost_get_median (power, N_ROUNDS);
  bench_print_header ();
  bench_print_cost ("a sweep without energy", &median, NULL, NULL);
  bench_print_cost ("a sweep with it", &other, NULL, NULL);
  g_print ("energy adds to a sweep's CPU time: %.1f %%\n",
           (get_ratio (&other, &median, BENCH_CPU_US) - 1) * 100);
}

int
main (int argc, char *argv[])
{
  const char *const none[] = { NULL };
  const char *const rapl[] = { "rapl-powercap", NULL };
  Machine machine;

  if (argc != 3)
    g_error ("usage: power-bench FIXTURE MOVER");

  jm_host_raise_open_files_limit ();
  machine = machine_start (argv[1], argv[2]);
  {
    g_autoptr (JmNode) without = open_node (&machine, none);
    g_autoptr (JmNode) with = open_node (&machine, rapl);

    warm_up (without, with);
    print_jobs (with);
    compare (without, with);
  }
  machine_stop (&machine);

  return 0;
}
