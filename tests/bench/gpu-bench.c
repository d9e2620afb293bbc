/* gpu-bench.c: what accelerators add to a node, with a library that stands in for NVML
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/jm-gpu-report-private.h"
#include "node/jm-node.h"
#include "sources/gpu/jm-gpu-types-private.h"

#include "bench-meter.h"

#define N_DEVICES 8
#define N_INSTANCES 4
#define N_ROUNDS 60
#define N_SWEEPS 25
#define N_OPENINGS 200
#define N_REPEATS 20
#define PAUSE_US 5000
#define PATIENCE_US (60 * G_USEC_PER_SEC)
/* One call of each device in each round. */
#define ROUND_FUNCTION "nvmlDeviceGetPowerUsage"

typedef struct
{
  char *folder;
  char *script;
  char *calls;
  const char *library;
  JmHost *host;
} Machine;

/* --- a machine of eight devices, each in four instances --- */

static void
append_device (GString *script, guint device)
{
  g_string_append_printf (
    script,
    "[%u]\nname=NVIDIA H100\nuuid=GPU-%u\npci=00000000:%02X:00.0\nminor=%u\nmig=1\n"
    "memory-total=85520809984\nmemory-used=1073741824\npower=300000\n"
    "power-limit=700000\nenergy=1000000\nenergy-power=300000\nclock-graphics=1980\n"
    "clock-sm=1980\nclock-memory=2619\nclock-video=1545\ntemperature=45\n"
    "memory-temperature=60\npcie-tx=1500\npcie-rx=2500\npcie-replays=0\n"
    "nvlink-tx=1\nnvlink-rx=1\necc-corrected=0\necc-uncorrected=0\n"
    "remapped-corrected=0\nthrottle=0x4\nxid=\n",
    device, device, device + 16, device);
  for (guint i = 0; i < N_INSTANCES; i++)
    g_string_append_printf (script,
                            "[%u.%u]\nname=NVIDIA H100 MIG 1g.10gb\nuuid=MIG-%u-%u\n"
                            "multiprocessors=16\nslices=1\nmemory-total=10468982784\n"
                            "memory-used=1048576\nprocesses=%u:1048576\n",
                            device, i, device, i, 100000 + device * 10 + i);
}

static void
play (const Machine *machine, const char *calls)
{
  g_autoptr (GString) script = g_string_new ("[library]\ndriver=550.54.15\n");

  if (calls != NULL)
    g_string_append_printf (script, "calls=%s\n", calls);
  for (guint i = 0; i < N_DEVICES; i++)
    append_device (script, i);
  if (!g_file_set_contents (machine->script, script->str, -1, NULL))
    g_error ("%s: cannot be written", machine->script);
}

static Machine
machine_start (const char *library)
{
  Machine self = { .folder = g_dir_make_tmp ("gpu-bench-XXXXXX", NULL),
                   .library = library };

  self.script = g_build_filename (self.folder, "script", NULL);
  self.calls = g_build_filename (self.folder, "calls", NULL);
  self.host = jm_host_new (NULL);
  setenv ("NVML_STAND_IN", self.script, TRUE);

  return self;
}

static void
machine_stop (Machine *self)
{
  g_object_unref (self->host);
  g_remove (self->script);
  g_remove (self->calls);
  g_rmdir (self->folder);
  g_free (self->script);
  g_free (self->calls);
  g_free (self->folder);
}

/* --- rounds --- */

static guint
count_calls (const Machine *machine, const char *function)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint64 sum = 0;

  if (!g_file_get_contents (machine->calls, &text, NULL, NULL))
    return 0;

  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (strchr (lines[i], ' ') != NULL &&
        (function == NULL || g_str_has_prefix (lines[i], function)))
      sum += g_ascii_strtoull (strchr (lines[i], ' '), NULL, 10);

  return (guint) sum;
}

static guint
await_round (const Machine *machine, guint round)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;
  guint now;

  while ((now = count_calls (machine, ROUND_FUNCTION) / N_DEVICES) < round)
    {
      if (g_get_monotonic_time () > end_us)
        g_error ("no round %u", round);
      g_usleep (PAUSE_US);
    }

  return now;
}

static double
get_cpu_us (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);

  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * G_USEC_PER_SEC +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static guint
count_figures (JmNvmlSource *source)
{
  g_autoptr (JmGpuReport) report = jm_gpu_report_new ();
  guint n_figures = 0;

  jm_gpu_mapper_wait (JM_GPU_MAPPER (source), PATIENCE_US);
  jm_gpu_mapper_read_devices (JM_GPU_MAPPER (source), report, NULL);
  for (guint i = 0; i < jm_gpu_report_get_n_devices (report); i++)
    {
      guint n;

      jm_gpu_report_get_readings (report, i, &n);
      n_figures += n;
    }

  return n_figures;
}

static JmNvmlSource *
open_source (const Machine *machine)
{
  g_autoptr (GError) error = NULL;
  JmNvmlSource *source =
    g_initable_new (JM_TYPE_NVML_SOURCE, NULL, &error, "host", machine->host, "library",
                    machine->library, "interval", 0.01, NULL);

  if (source == NULL)
    g_error ("%s", error->message);

  return source;
}

static void
print_rounds (const Machine *machine)
{
  g_autoptr (JmNvmlSource) source = NULL;
  guint first, last, calls;
  double cpu_us;

  play (machine, machine->calls);
  source = open_source (machine);
  g_print ("a round over %u devices of %u instances each: %u figures\n", N_DEVICES,
           N_INSTANCES, count_figures (source));

  first = await_round (machine, 5);
  calls = count_calls (machine, NULL);
  cpu_us = get_cpu_us ();
  last = await_round (machine, first + N_ROUNDS);
  g_print ("calls of the driver in a round, lists of devices among them: %.1f\n",
           (double) (count_calls (machine, NULL) - calls) / (last - first));
  g_print ("CPU time of a round, the stand-in's own included: %.0f us\n",
           (get_cpu_us () - cpu_us) / (last - first));
}

/* --- opening --- */

static void
open_and_close (gpointer library)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  G_GNUC_UNUSED g_autoptr (JmNvmlSource) source =
    g_initable_new (JM_TYPE_NVML_SOURCE, NULL, NULL, "host", host, "library", library,
                    "interval", 3600.0, NULL);
}

/* --- sweeps --- */

static JmNode *
open_node (const Machine *machine, const char *source)
{
  const char *const sources[] = { source, NULL };
  const char *const none[] = { NULL };
  g_autoptr (GError) error = NULL;
  JmNode *node = g_initable_new (JM_TYPE_NODE, NULL, &error, "host", machine->host,
                                 "gpu-sources", sources, "power-sources", none, NULL);

  if (node == NULL)
    g_error ("%s", error->message);
  jm_node_wait_for_answers (node, 10000);

  return node;
}

static void
sweep (gpointer node)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSnapshot) snapshot = jm_node_sample (node, NULL, &error);

  if (snapshot == NULL)
    g_error ("%s", error->message);
}

static BenchCost
measure (BenchMeter *meter, BenchFunc func, gpointer data, guint n_repeats)
{
  BenchCost costs[N_SWEEPS];

  for (guint i = 0; i < N_SWEEPS; i++)
    costs[i] = bench_meter_run (meter, func, data, n_repeats);

  return bench_cost_get_median (costs, N_SWEEPS);
}

static void
compare (const Machine *machine)
{
  g_autofree char *source =
    g_strdup_printf ("nvml,interval=3600,library=%s", machine->library);
  g_autoptr (JmNode) with = NULL;
  g_autoptr (JmNode) without = NULL;
  BenchMeter meter;
  BenchCost absent, there, plain, gpus;

  play (machine, NULL);
  with = open_node (machine, source);
  without = open_node (machine, NULL);
  bench_meter_open (&meter);
  absent = measure (&meter, open_and_close, (gpointer) "/nowhere/libnvidia-ml.so.1",
                    N_OPENINGS / N_SWEEPS);
  there = measure (&meter, open_and_close, (gpointer) machine->library, 1);
  plain = measure (&meter, sweep, without, N_REPEATS);
  gpus = measure (&meter, sweep, with, N_REPEATS);
  bench_meter_close (&meter);

  bench_print_header ();
  bench_print_cost ("looking for a library in vain", &absent, NULL, NULL);
  bench_print_cost ("opening, a round, closing", &there, NULL, NULL);
  bench_print_cost ("a sweep without accelerators", &plain, NULL, NULL);
  bench_print_cost ("a sweep with 40 of them", &gpus, NULL, NULL);
  g_print ("they take %.1f times the CPU time of a sweep of this node without them\n",
           gpus.figures[BENCH_CPU_US] / plain.figures[BENCH_CPU_US]);
}

int
main (int argc, char *argv[])
{
  Machine machine;

  if (argc != 2)
    g_error ("usage: gpu-bench LIBRARY");

  machine = machine_start (argv[1]);
  print_rounds (&machine);
  compare (&machine);
  machine_stop (&machine);

  return 0;
}
