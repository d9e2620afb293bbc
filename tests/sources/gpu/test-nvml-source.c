/* test-nvml-source.c: NVIDIA's accelerators, as their management library reports them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-gpu-private.h"
#include "host/jm-source-private.h"
#include "nvml-lab.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/jm-error.h"
#include "registry/jm-registry-private.h"
#include "sources/gpu/jm-gpu-library-private.h"

#define LIBRARY "[library]\ndriver=550.54.15\n"
#define DEVICE(index, uuid) "[" #index "]\nname=NVIDIA H100\nuuid=GPU-" uuid "\n"
#define POWER "power=300000\n"

/* Of a device that can do all. */
#define WHOLE                                                                          \
 LIBRARY "[0]\n"                                                                       \
         "name=NVIDIA H100 80GB HBM3\n"                                                \
         "uuid=GPU-5ab2c6c8-0b5b-4c5e-9a53-0d8f4a1e9c01\n"                             \
         "pci=00000000:3B:00.0\n"                                                      \
         "minor=5\n"                                                                   \
         "utilization=37\n"                                                            \
         "memory-utilization=12\n"                                                     \
         "encoder=3\n"                                                                 \
         "decoder=100\n"                                                               \
         "memory-total=85520809984\n"                                                  \
         "memory-used=1073741824\n"                                                    \
         "memory-reserved=671088640\n"                                                 \
         "power=300125\n"                                                              \
         "power-limit=700000\n"                                                        \
         "energy=987654321\n"                                                          \
         "clock-graphics=1980\n"                                                       \
         "clock-sm=1975\n"                                                             \
         "clock-memory=2619\n"                                                         \
         "clock-video=1545\n"                                                          \
         "temperature=45\n"                                                            \
         "memory-temperature=61\n"                                                     \
         "pcie-tx=1500\n"                                                              \
         "pcie-rx=2500\n"                                                              \
         "pcie-replays=4\n"                                                            \
         "nvlink-tx=1000\n"                                                            \
         "nvlink-rx=2000\n"                                                            \
         "ecc-corrected=7\n"                                                           \
         "ecc-uncorrected=1\n"                                                         \
         "ecc-lifetime-corrected=70\n"                                                 \
         "ecc-lifetime-uncorrected=10\n"                                               \
         "retired-single=2\n"                                                          \
         "retired-double=3\n"                                                          \
         "remapped-corrected=8\n"                                                      \
         "remapped-uncorrected=9\n"                                                    \
         "throttle=0x24\n"                                                             \
         "processes=4711:1073741824:35;4712:268435456\n"                               \
         "graphics=4711:1073741824\n"                                                  \
         "xid=13\n"

#define INSTANCES                                                                      \
 LIBRARY "[0]\n"                                                                       \
         "name=NVIDIA A100-SXM4-40GB\n"                                                \
         "uuid=GPU-a\n"                                                                \
         "pci=00000000:3B:00.0\n"                                                      \
         "mig=1\n"                                                                     \
         "power=250000\n"                                                              \
         "memory-total=42949672960\n"                                                  \
         "processes=4711:100;4712:200\n"                                               \
         "[0.1]\n"                                                                     \
         "name=NVIDIA A100-SXM4-40GB MIG 3g.20gb\n"                                    \
         "uuid=MIG-1\n"                                                                \
         "multiprocessors=42\n"                                                        \
         "slices=3\n"                                                                  \
         "memory-total=21474836480\n"                                                  \
         "memory-used=1048576\n"                                                       \
         "processes=4711:100\n"                                                        \
         "[0.5]\n"                                                                     \
         "name=\n"                                                                     \
         "uuid=MIG-5\n"                                                                \
         "multiprocessors=14\n"                                                        \
         "slices=2\n"                                                                  \
         "compute-slices=1\n"                                                          \
         "memory-total=10468982784\n"                                                  \
         "processes=4712:200\n"                                                        \
         "[0.5.1]\n"                                                                   \
         "name=NVIDIA A100-SXM4-40GB MIG 1c.2g.10gb\n"                                 \
         "uuid=MIG-51\n"                                                               \
         "compute-instance=1\n"                                                        \
         "multiprocessors=14\n"                                                        \
         "slices=2\n"                                                                  \
         "compute-slices=1\n"

static JmGpuReport *
read_script (NvmlLab *lab)
{
  nvml_lab_open (lab);

  return nvml_lab_read (lab);
}

static void
assert_field (JmGpuReport *report, guint device, JmGpuField field, const char *expected)
{
  g_assert_cmpstr (jm_gpu_get_field (jm_gpu_report_get_device (report, device), field),
                   ==, expected);
}

/* --- who it is, and what it does --- */

static void
test_a_device_is_distinguished (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (WHOLE);
  g_autoptr (JmGpuReport) report = read_script (lab);
  JmGpu *gpu = jm_gpu_report_get_device (report, 0);
  guint major = 0, minor = 0;

  g_assert_cmpuint (jm_gpu_report_get_n_devices (report), ==, 1);
  g_assert_cmpstr (jm_gpu_get_name (gpu), ==, "0");
  g_assert_cmpuint (jm_gpu_get_index (gpu), ==, 0);
  assert_field (report, 0, JM_GPU_FIELD_VENDOR, "nvidia");
  assert_field (report, 0, JM_GPU_FIELD_MODEL, "NVIDIA H100 80GB HBM3");
  assert_field (report, 0, JM_GPU_FIELD_UUID,
                "GPU-5ab2c6c8-0b5b-4c5e-9a53-0d8f4a1e9c01");
  assert_field (report, 0, JM_GPU_FIELD_PCI_ADDRESS, "0000:3b:00.0");
  assert_field (report, 0, JM_GPU_FIELD_DRIVER_VERSION, "550.54.15");
  assert_field (report, 0, JM_GPU_FIELD_PARENT, NULL);
  g_assert_true (jm_gpu_get_device_number (gpu, &major, &minor));
  g_assert_cmpuint (major, ==, 195);
  g_assert_cmpuint (minor, ==, 5);
}

static void
test_what_it_does_is_reported_in_our_units (void)
{
  static const struct
  {
    JmMetric metric;
    const char *label;
    guint64 expected;
  } figures[] = {
    { JM_METRIC_GPU_UP, NULL, 1 },
    { JM_METRIC_GPU_UTILIZATION, NULL, 370000 },
    { JM_METRIC_GPU_MEMORY_UTILIZATION, NULL, 120000 },
    { JM_METRIC_GPU_ENGINE_UTILIZATION, "encoder", 30000 },
    { JM_METRIC_GPU_ENGINE_UTILIZATION, "decoder", 1000000 },
    { JM_METRIC_GPU_MEMORY_SIZE, NULL, 85520809984 },
    { JM_METRIC_GPU_MEMORY_USED, NULL, 1073741824 },
    { JM_METRIC_GPU_POWER, NULL, 300125000 },
    { JM_METRIC_GPU_POWER_LIMIT, NULL, 700000000 },
    { JM_METRIC_GPU_ENERGY, NULL, 987654321000 },
    { JM_METRIC_GPU_CLOCK, "graphics", 1980000000 },
    { JM_METRIC_GPU_CLOCK, "sm", 1975000000 },
    { JM_METRIC_GPU_CLOCK, "memory", 2619000000 },
    { JM_METRIC_GPU_CLOCK, "video", 1545000000 },
    { JM_METRIC_GPU_TEMPERATURE, "gpu", 45000 },
    { JM_METRIC_GPU_TEMPERATURE, "memory", 61000 },
    { JM_METRIC_GPU_PCIE_TRAFFIC, "transmit", 1500000 },
    { JM_METRIC_GPU_PCIE_TRAFFIC, "receive", 2500000 },
    { JM_METRIC_GPU_PCIE_REPLAYS, NULL, 4 },
    { JM_METRIC_GPU_ECC_ERRORS, "corrected", 7 },
    { JM_METRIC_GPU_ECC_ERRORS, "uncorrected", 1 },
    { JM_METRIC_GPU_RETIRED_PAGES, "single_bit", 2 },
    { JM_METRIC_GPU_RETIRED_PAGES, "double_bit", 3 },
    { JM_METRIC_GPU_REMAPPED_ROWS, "corrected", 8 },
    { JM_METRIC_GPU_REMAPPED_ROWS, "uncorrected", 9 },
    { JM_METRIC_GPU_PROCESSES, NULL, 2 },
  };
  g_autoptr (NvmlLab) lab = nvml_lab_new (WHOLE);
  g_autoptr (JmGpuReport) report = read_script (lab);

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    nvml_assert (report, 0, figures[i].metric, figures[i].label, figures[i].expected);
  g_assert_null (jm_gpu_report_get_error (report, 0));
}

static void
test_each_reason_to_throttle_is_reported (void)
{
  static const char *const reasons[] = {
    "idle",       "clocks_setting", "sw_power_cap",   "hw_slowdown",   "sync_boost",
    "sw_thermal", "hw_thermal",     "hw_power_brake", "display_clocks"
  };
  g_autoptr (NvmlLab) lab = nvml_lab_new (WHOLE);
  g_autoptr (JmGpuReport) report = read_script (lab);

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    nvml_assert (report, 0, JM_METRIC_GPU_THROTTLE, reasons[i],
                 g_str_equal (reasons[i], "sw_power_cap") ||
                   g_str_equal (reasons[i], "sw_thermal"));
}

static void
test_a_rate_takes_two_readings (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (WHOLE);
  g_autoptr (JmGpuReport) still = NULL;
  guint64 rate = 0;

  nvml_lab_open (lab);
  still = nvml_lab_await (lab, 0, JM_METRIC_GPU_NVLINK_TRAFFIC, "receive", 0);
  nvml_assert (still, 0, JM_METRIC_GPU_NVLINK_TRAFFIC, "transmit", 0);

  for (guint n_kib = 900000; rate == 0; n_kib += 900000)
    {
      g_autofree char *counter = g_strdup_printf ("nvlink-rx=%u", n_kib);
      g_autoptr (JmGpuReport) report = NULL;

      nvml_lab_play_with (lab, WHOLE, "nvlink-rx=2000", counter);
      report = nvml_lab_read (lab);
      nvml_find (report, 0, JM_METRIC_GPU_NVLINK_TRAFFIC, "receive", &rate);
    }
  /* within a quarter of an hour */
  g_assert_cmpuint (rate, >, 1000 * 1024);
}

static void
test_what_it_does_not_support_is_absent_and_not_asked_again (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (LIBRARY DEVICE (0, "a") POWER);
  g_autoptr (JmGpuReport) report = read_script (lab);

  nvml_assert (report, 0, JM_METRIC_GPU_POWER, NULL, 300000000);
  nvml_assert_none (report, 0, JM_METRIC_GPU_TEMPERATURE, "gpu");
  nvml_assert_none (report, 0, JM_METRIC_GPU_ENERGY, NULL);
  nvml_assert_none (report, 0, JM_METRIC_GPU_UTILIZATION, NULL);
  nvml_assert_none (report, 0, JM_METRIC_GPU_PROCESSES, NULL);
  g_assert_null (jm_gpu_report_get_error (report, 0));

  /* listed anew in between */
  nvml_lab_await_calls (lab, "nvmlDeviceGetPowerUsage", 30);
  g_assert_cmpuint (nvml_lab_count (lab, "nvmlDeviceGetTemperature"), ==, 1);
  g_assert_cmpuint (nvml_lab_count (lab, "nvmlDeviceGetUtilizationRates"), ==, 1);
  g_assert_cmpuint (nvml_lab_count (lab, "nvmlDeviceGetFieldValues"), ==, 1);
  g_assert_cmpuint (nvml_lab_count (lab, "nvmlDeviceGetComputeRunningProcesses_v3"), ==,
                    1);
}

static void
test_figures_follow_the_device (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (WHOLE);

  nvml_lab_open (lab);
  jm_gpu_report_unref (nvml_lab_await (lab, 0, JM_METRIC_GPU_POWER, NULL, 300125000));
  nvml_lab_play_with (lab, WHOLE, "power=300125", "power=99000");
  jm_gpu_report_unref (nvml_lab_await (lab, 0, JM_METRIC_GPU_POWER, NULL, 99000000));
}

/* --- performance counters --- */

#define COUNTERS                                                                       \
 "gpm=1\ngpm-1=80.5\ngpm-2=75.25\ngpm-3=33\ngpm-5=100.01\ngpm-10=50\ngpm-11=0\n"       \
 "gpm-12=101\ngpm-13=nan\ngpm-20=2\ngpm-21=4\ngpm-60=1000\ngpm-61=0.5\n"

static NvmlLab *
open_counters (const char *counters, char *gpm)
{
  g_autofree char *script = g_strconcat (WHOLE, counters, NULL);
  NvmlLab *lab = nvml_lab_new (script);

  lab->gpm = gpm;
  nvml_lab_open (lab);

  return lab;
}

static void
test_performance_counters_are_means_between_two_readings (void)
{
  g_autoptr (NvmlLab) lab = open_counters (COUNTERS, (char *) "/run/profiler");
  g_autoptr (JmGpuReport) report =
    nvml_lab_await (lab, 0, JM_METRIC_GPU_SM_ACTIVE, NULL, 752500);

  nvml_assert (report, 0, JM_METRIC_GPU_ENGINE_UTILIZATION, "graphics", 805000);
  nvml_assert (report, 0, JM_METRIC_GPU_SM_OCCUPANCY, NULL, 330000);
  nvml_assert (report, 0, JM_METRIC_GPU_PIPE_ACTIVE, "tensor", 1000000);
  nvml_assert (report, 0, JM_METRIC_GPU_DRAM_ACTIVE, NULL, 500000);
  nvml_assert (report, 0, JM_METRIC_GPU_PIPE_ACTIVE, "fp64", 0);
  nvml_assert_none (report, 0, JM_METRIC_GPU_PIPE_ACTIVE, "fp32");
  nvml_assert_none (report, 0, JM_METRIC_GPU_PIPE_ACTIVE, "fp16");
  nvml_assert (report, 0, JM_METRIC_GPU_PCIE_TRAFFIC, "transmit", 2097152);
  nvml_assert (report, 0, JM_METRIC_GPU_PCIE_TRAFFIC, "receive", 4194304);
  nvml_assert (report, 0, JM_METRIC_GPU_NVLINK_TRAFFIC, "receive", 1048576000);
  nvml_assert (report, 0, JM_METRIC_GPU_NVLINK_TRAFFIC, "transmit", 524288);
  g_assert_null (jm_gpu_report_get_error (report, 0));
}

static void
test_each_figure_is_there_once (void)
{
  g_autoptr (NvmlLab) lab = open_counters (COUNTERS, (char *) "/run/profiler");
  g_autoptr (JmGpuReport) report =
    nvml_lab_await (lab, 0, JM_METRIC_GPU_SM_ACTIVE, NULL, 752500);
  guint n, n_seen = 0;
  const JmReading *readings = jm_gpu_report_get_readings (report, 0, &n);

  for (guint i = 0; i < n; i++)
    n_seen += readings[i].metric == JM_METRIC_GPU_PCIE_TRAFFIC ||
              readings[i].metric == JM_METRIC_GPU_NVLINK_TRAFFIC;
  g_assert_cmpuint (n_seen, ==, 4);
}

static void
test_performance_counters_stop_for_a_profiler (void)
{
  static const char *const names[] = { "0", "all" };
  g_autoptr (NvmlLab) lab = open_counters (COUNTERS, (char *) "/");

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *file = g_build_filename (lab->folder, names[i], NULL);
      g_autoptr (JmGpuReport) before =
        nvml_lab_await (lab, 0, JM_METRIC_GPU_SM_ACTIVE, NULL, 752500);
      g_autoptr (JmGpuReport) during = NULL;
      guint n;

      g_assert_nonnull (before);
      g_assert_true (g_file_set_contents (file, "", 0, NULL));
      during =
        nvml_lab_await (lab, 0, JM_METRIC_GPU_PCIE_TRAFFIC, "transmit", 1500 * 1000);
      nvml_assert_none (during, 0, JM_METRIC_GPU_SM_ACTIVE, NULL);
      n = nvml_lab_count (lab, "nvmlGpmSampleGet");
      nvml_lab_await_calls (lab, "nvmlDeviceGetMemoryInfo_v2",
                            nvml_lab_count (lab, "nvmlDeviceGetMemoryInfo_v2") + 5);
      g_assert_cmpuint (nvml_lab_count (lab, "nvmlGpmSampleGet"), ==, n);
      g_assert_cmpuint (nvml_lab_count (lab, "nvmlGpmSampleAlloc"), ==,
                        nvml_lab_count (lab, "nvmlGpmSampleFree"));
      g_remove (file);
    }
}

static void
test_performance_counters_are_read_where_somebody_wants_them (void)
{
  g_autoptr (NvmlLab) lab = open_counters (COUNTERS, NULL);

  nvml_lab_await_calls (lab, "nvmlDeviceGetMemoryInfo_v2", 5);
  g_assert_cmpuint (nvml_lab_count (lab, "nvmlGpmQueryDeviceSupport"), ==, 0);
}

static void
test_a_device_without_performance_counters_is_asked_once (void)
{
  g_autoptr (NvmlLab) lab = open_counters ("gpm=0\n", (char *) "/run/profiler");
  g_autoptr (JmGpuReport) report = NULL;

  nvml_lab_await_calls (lab, "nvmlDeviceGetMemoryInfo_v2", 5);
  report = nvml_lab_read (lab);
  g_assert_null (jm_gpu_report_get_error (report, 0));
  nvml_assert (report, 0, JM_METRIC_GPU_PCIE_TRAFFIC, "transmit", 1500 * 1000);
  g_assert_cmpuint (nvml_lab_count (lab, "nvmlGpmQueryDeviceSupport"), ==, 1);
}

static void
test_refused_performance_counters_cost_no_other_figure (void)
{
  g_autoptr (NvmlLab) lab =
    open_counters (COUNTERS "error.nvmlGpmSampleGet=4\n", (char *) "/run/profiler");
  g_autoptr (JmGpuReport) report =
    nvml_lab_await (lab, 0, JM_METRIC_GPU_PCIE_TRAFFIC, "transmit", 1500 * 1000);

  nvml_assert_none (report, 0, JM_METRIC_GPU_SM_ACTIVE, NULL);
  g_assert_error (jm_gpu_report_get_error (report, 0), JM_ERROR, JM_ERROR_DENIED);
}

static void
test_a_failed_call_for_performance_counters_is_named (void)
{
  static const char *const calls[] = { "nvmlGpmQueryDeviceSupport",
                                       "nvmlGpmSampleAlloc", "nvmlGpmSampleGet",
                                       "nvmlGpmMetricsGet" };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autofree char *counters =
        g_strconcat (COUNTERS, "[library]\nerror.", calls[i], "=4\n", NULL);
      g_autoptr (NvmlLab) lab = open_counters (counters, (char *) "/run/profiler");
      g_autoptr (JmGpuReport) report = NULL;
      const GError *error;

      nvml_lab_await_calls (lab, calls[i], 2);
      report = nvml_lab_read (lab);
      error = jm_gpu_report_get_error (report, 0);
      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error->message, calls[i]));
    }
}

/* --- processes --- */

static const JmGpuProcess *
find_process (JmGpuReport *report, guint device, guint pid)
{
  guint n;
  const JmGpuProcess *processes = jm_gpu_report_get_processes (report, device, &n);

  for (guint i = 0; i < n; i++)
    if (processes[i].pid == pid)
      return &processes[i];

  g_error ("no process %u", pid);
}

static void
test_processes_have_memory_and_time (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (WHOLE);
  g_autoptr (JmGpuReport) report = read_script (lab);
  guint n;

  jm_gpu_report_get_processes (report, 0, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (find_process (report, 0, 4711)->memory_bytes, ==, 1073741824);
  g_assert_cmpint (find_process (report, 0, 4711)->utilization_ppm, ==, 350000);
  g_assert_cmpint (find_process (report, 0, 4712)->memory_bytes, ==, 268435456);
  /* the library reports those that ran */
  g_assert_cmpint (find_process (report, 0, 4712)->utilization_ppm, ==, 0);
}

static void
test_memory_that_is_not_known_is_not_reported (void)
{
  g_autoptr (NvmlLab) lab =
    nvml_lab_new (LIBRARY DEVICE (0, "a") "processes=4711:-;4712:5\n");
  g_autoptr (JmGpuReport) report = read_script (lab);

  g_assert_cmpint (find_process (report, 0, 4711)->memory_bytes, ==, -1);
  g_assert_cmpint (find_process (report, 0, 4712)->memory_bytes, ==, 5);
}

static void
test_longer_records_of_some_drivers_are_read (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (
    LIBRARY
    "process-bytes=32\n" DEVICE (0, "a") "processes=4711:100;4712:200;4713:-\n");
  g_autoptr (JmGpuReport) report = read_script (lab);

  nvml_assert (report, 0, JM_METRIC_GPU_PROCESSES, NULL, 3);
  g_assert_cmpint (find_process (report, 0, 4711)->memory_bytes, ==, 100);
  g_assert_cmpint (find_process (report, 0, 4712)->memory_bytes, ==, 200);
  g_assert_cmpint (find_process (report, 0, 4713)->memory_bytes, ==, -1);
}

static void
test_more_processes_than_there_was_room_for_are_read (void)
{
  g_autoptr (GString) script = g_string_new (LIBRARY DEVICE (0, "a") "processes=");
  g_autoptr (NvmlLab) lab = NULL;
  g_autoptr (JmGpuReport) report = NULL;

  for (guint i = 1; i <= 500; i++)
    g_string_append_printf (script, "%u:%u:1;", i, i * 10);
  lab = nvml_lab_new (script->str);
  report = read_script (lab);

  nvml_assert (report, 0, JM_METRIC_GPU_PROCESSES, NULL, 500);
  g_assert_cmpint (find_process (report, 0, 500)->memory_bytes, ==, 5000);
  g_assert_cmpint (find_process (report, 0, 500)->utilization_ppm, ==, 10000);
}

/* A sample comes six times a second, and the devices are asked a hundred times. */
static void
test_a_sample_counts_until_the_next_comes (void)
{
  g_autoptr (NvmlLab) lab =
    nvml_lab_new (LIBRARY DEVICE (0, "a") "processes=4711:1:35\n");

  nvml_lab_open (lab);
  for (guint i = 1; i <= 40; i++)
    {
      g_autoptr (JmGpuReport) report = NULL;

      nvml_lab_await_calls (lab, "nvmlDeviceGetProcessUtilization", i);
      report = nvml_lab_read (lab);
      g_assert_cmpint (find_process (report, 0, 4711)->utilization_ppm, ==, 350000);
    }
}

/* --- instances --- */

static void
test_instances_come_behind_their_device (void)
{
  static const char *const names[] = { "0", "0.1", "0.5", "0.5.1" };
  static const char *const profiles[] = { NULL, "3g.20gb", "1c.2g.10gb", "1c.2g.10gb" };
  g_autoptr (NvmlLab) lab = nvml_lab_new (INSTANCES);
  g_autoptr (JmGpuReport) report = read_script (lab);

  g_assert_cmpuint (jm_gpu_report_get_n_devices (report), ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_assert_cmpstr (jm_gpu_get_name (jm_gpu_report_get_device (report, i)), ==,
                       names[i]);
      assert_field (report, i, JM_GPU_FIELD_PARENT, i > 0 ? "0" : NULL);
      assert_field (report, i, JM_GPU_FIELD_PROFILE, profiles[i]);
      assert_field (report, i, JM_GPU_FIELD_PCI_ADDRESS, "0000:3b:00.0");
    }
  assert_field (report, 1, JM_GPU_FIELD_UUID, "MIG-1");
  assert_field (report, 1, JM_GPU_FIELD_MODEL, "NVIDIA A100-SXM4-40GB");
}

static void
test_an_instance_has_its_slices_of_its_device (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (INSTANCES);
  g_autoptr (JmGpuReport) report = read_script (lab);
  guint n = 0, n_all = 0;

  g_assert_false (jm_gpu_get_slices (jm_gpu_report_get_device (report, 0), &n, &n_all));
  g_assert_true (jm_gpu_get_slices (jm_gpu_report_get_device (report, 1), &n, &n_all));
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (n_all, ==, 7);
  g_assert_true (jm_gpu_get_slices (jm_gpu_report_get_device (report, 2), &n, &n_all));
  g_assert_cmpuint (n, ==, 1);
}

static void
test_an_instance_has_its_own_memory_and_processes (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (INSTANCES);
  g_autoptr (JmGpuReport) report = read_script (lab);

  nvml_assert (report, 1, JM_METRIC_GPU_MEMORY_SIZE, NULL, 21474836480);
  nvml_assert (report, 1, JM_METRIC_GPU_MEMORY_USED, NULL, 1048576);
  nvml_assert (report, 1, JM_METRIC_GPU_MULTIPROCESSORS, NULL, 42);
  nvml_assert (report, 1, JM_METRIC_GPU_PROCESSES, NULL, 1);
  g_assert_cmpint (find_process (report, 1, 4711)->memory_bytes, ==, 100);
  g_assert_cmpint (find_process (report, 2, 4712)->memory_bytes, ==, 200);
  g_assert_cmpint (find_process (report, 2, 4712)->utilization_ppm, ==, -1);
  nvml_assert_none (report, 1, JM_METRIC_GPU_POWER, NULL);
}

static void
test_a_device_leaves_processes_to_its_instances (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (INSTANCES);
  g_autoptr (JmGpuReport) report = read_script (lab);
  guint n;

  jm_gpu_report_get_processes (report, 0, &n);
  g_assert_cmpuint (n, ==, 0);
  nvml_assert_none (report, 0, JM_METRIC_GPU_PROCESSES, NULL);
  nvml_assert (report, 0, JM_METRIC_GPU_POWER, NULL, 250000000);
}

static void
test_instances_come_and_go (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (LIBRARY DEVICE (0, "a") "processes=1:1\n");
  g_autoptr (JmGpuReport) before = NULL;
  g_autoptr (JmGpuReport) between = NULL;
  g_autoptr (JmGpuReport) after = NULL;

  nvml_lab_open (lab);
  before = nvml_lab_await (lab, 0, JM_METRIC_GPU_PROCESSES, NULL, 1);
  g_assert_cmpuint (jm_gpu_report_get_n_devices (before), ==, 1);

  nvml_lab_play (lab, INSTANCES);
  between = nvml_lab_await (lab, 1, JM_METRIC_GPU_MULTIPROCESSORS, NULL, 42);
  nvml_assert_none (between, 0, JM_METRIC_GPU_PROCESSES, NULL);

  nvml_lab_play (lab, LIBRARY DEVICE (0, "a") "processes=1:1;2:2\n");
  after = nvml_lab_await (lab, 0, JM_METRIC_GPU_PROCESSES, NULL, 2);
  g_assert_cmpuint (jm_gpu_report_get_n_devices (after), ==, 1);
}

/* --- errors of devices --- */

static void
test_errors_are_counted_while_it_is_listened_to (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (WHOLE);
  g_autoptr (JmGpuReport) before = read_script (lab);
  g_autoptr (JmGpuReport) after = NULL;

  nvml_assert_none (before, 0, JM_METRIC_GPU_XID_ERRORS, "13");

  nvml_lab_play_with (lab, WHOLE, "xid=13", "xid=13;79;13;79");
  after = nvml_lab_await (lab, 0, JM_METRIC_GPU_XID_ERRORS, "79", 2);
  nvml_assert (after, 0, JM_METRIC_GPU_XID_ERRORS, "13", 1);
}

static const char *
get_problem (JmGpuReport *report, guint device, JmError code)
{
  const GError *error = jm_gpu_report_get_error (report, device);

  g_assert_error (error, JM_ERROR, (int) code);

  return error->message;
}

static void
test_a_device_that_falls_off_the_bus_is_down (void)
{
  const char *script =
    LIBRARY DEVICE (0, "a") POWER DEVICE (1, "b") POWER "temperature=30\n";
  g_autoptr (NvmlLab) lab = nvml_lab_new (script);
  g_autoptr (JmGpuReport) down = NULL;
  g_autoptr (JmGpuReport) up = NULL;

  nvml_lab_open (lab);
  jm_gpu_report_unref (nvml_lab_await (lab, 1, JM_METRIC_GPU_UP, NULL, 1));
  nvml_lab_play_with (lab, script, "temperature=30", "lost-after=0");
  down = nvml_lab_await (lab, 1, JM_METRIC_GPU_UP, NULL, 0);
  nvml_assert (down, 0, JM_METRIC_GPU_POWER, NULL, 300000000);
  nvml_assert_none (down, 1, JM_METRIC_GPU_POWER, NULL);
  g_assert_true (
    g_str_has_prefix (get_problem (down, 1, JM_ERROR_UNAVAILABLE), "1: nvml"));
  g_assert_nonnull (strstr (get_problem (down, 1, JM_ERROR_UNAVAILABLE), "lost"));

  nvml_lab_play (lab, script);
  up = nvml_lab_await (lab, 1, JM_METRIC_GPU_UP, NULL, 1);
  nvml_assert (up, 1, JM_METRIC_GPU_POWER, NULL, 300000000);
}

static void
test_a_lost_device_stays_who_it_was (void)
{
  const char *script =
    LIBRARY DEVICE (0, "a") POWER DEVICE (1, "b") POWER "lost-after=25\n";
  g_autoptr (NvmlLab) lab = nvml_lab_new (script);
  g_autoptr (JmGpuReport) report = NULL;

  nvml_lab_open (lab);
  nvml_lab_await_calls (lab, "nvmlDeviceGetCount_v2", 3);
  report = nvml_lab_await (lab, 1, JM_METRIC_GPU_UP, NULL, 0);
  g_assert_cmpuint (jm_gpu_report_get_n_devices (report), ==, 2);
  assert_field (report, 1, JM_GPU_FIELD_UUID, "GPU-b");
}

static void
test_one_that_was_lost_before_is_down (void)
{
  g_autoptr (NvmlLab) lab =
    nvml_lab_new (LIBRARY DEVICE (0, "a") POWER
                  "error.nvmlDeviceGetHandleByIndex_v2=15\n" DEVICE (1, "b") POWER);
  g_autoptr (JmGpuReport) report = read_script (lab);

  nvml_assert (report, 0, JM_METRIC_GPU_UP, NULL, 0);
  nvml_assert (report, 1, JM_METRIC_GPU_UP, NULL, 1);
  get_problem (report, 0, JM_ERROR_UNAVAILABLE);
}

static void
test_a_figure_that_is_refused_costs_no_other (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (
    LIBRARY DEVICE (0, "a") POWER "error.nvmlDeviceGetComputeRunningProcesses_v3=4\n");
  g_autoptr (JmGpuReport) report = read_script (lab);

  nvml_assert (report, 0, JM_METRIC_GPU_UP, NULL, 1);
  nvml_assert (report, 0, JM_METRIC_GPU_POWER, NULL, 300000000);
  g_assert_cmpstr (get_problem (report, 0, JM_ERROR_DENIED), ==,
                   "0: nvmlDeviceGetComputeRunningProcesses: Insufficient Permissions");
}

static void
test_a_call_that_hangs_costs_its_device_alone (void)
{
  const char *script =
    LIBRARY DEVICE (0, "a") POWER DEVICE (1, "b") POWER "temperature=30\n";
  g_autoptr (NvmlLab) lab = nvml_lab_new (script);
  g_autoptr (JmGpuReport) report = NULL;

  lab->timeout_s = 0.5;
  nvml_lab_open (lab);
  nvml_lab_play_with (lab, script, "temperature=30", "hang=nvmlDeviceGetPowerUsage");
  jm_gpu_report_unref (nvml_lab_await (lab, 1, JM_METRIC_GPU_UP, NULL, 0));
  report = nvml_lab_await (lab, 0, JM_METRIC_GPU_POWER, NULL, 300000000);
  nvml_assert (report, 1, JM_METRIC_GPU_UP, NULL, 0);

  nvml_lab_play (lab, script);
  jm_gpu_report_unref (nvml_lab_await (lab, 1, JM_METRIC_GPU_UP, NULL, 1));
}

/* --- other drivers --- */

static void
test_an_old_driver_reports_what_it_can (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (WHOLE);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmGpuReport) report = NULL;

  nvml_lab_open_build (lab, "old-driver", &error);
  g_assert_no_error (error);
  report = nvml_lab_read (lab);

  nvml_assert (report, 0, JM_METRIC_GPU_POWER, NULL, 300125000);
  nvml_assert_none (report, 0, JM_METRIC_GPU_ENERGY, NULL);
  nvml_assert_none (report, 0, JM_METRIC_GPU_REMAPPED_ROWS, "corrected");
  nvml_assert (report, 0, JM_METRIC_GPU_ECC_ERRORS, "corrected", 7);
  nvml_assert (report, 0, JM_METRIC_GPU_ECC_ERRORS, "uncorrected", 1);
  nvml_assert (report, 0, JM_METRIC_GPU_THROTTLE, "sw_power_cap", 1);
  nvml_assert (report, 0, JM_METRIC_GPU_PROCESSES, NULL, 2);
  g_assert_cmpint (find_process (report, 0, 4712)->memory_bytes, ==, 268435456);
  /* what is reserved counts as used there */
  nvml_assert (report, 0, JM_METRIC_GPU_MEMORY_USED, NULL, 1073741824 + 671088640);
}

static gboolean
has_fact (NvmlLab *lab, const char *fact)
{
  g_auto (GStrv) facts = jm_gpu_library_list_facts (JM_GPU_LIBRARY (lab->source));

  return g_strv_contains ((const char *const *) facts, fact);
}

static void
test_people_learn_in_which_modes_the_devices_are (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (
    LIBRARY
    "[0]\nuuid=GPU-a\nmig=1\naccounting=1\n[1]\nuuid=GPU-b\nmig=0\naccounting=1\n"
    "[2]\nuuid=GPU-c\nmig=0\n");

  jm_gpu_report_unref (read_script (lab));

  g_assert_true (has_fact (lab, "MIG mode on for 1 of 3 devices"));
  g_assert_true (has_fact (lab, "accounting mode on"));
}

static void
test_people_learn_what_an_old_library_lacks (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (WHOLE);
  g_auto (GStrv) facts = NULL;
  g_autoptr (GError) error = NULL;
  guint n_named = 0;

  nvml_lab_open_build (lab, "old-driver", &error);
  g_assert_no_error (error);

  facts = jm_gpu_library_list_facts (JM_GPU_LIBRARY (lab->source));
  for (guint i = 0; facts[i] != NULL; i++)
    if (g_str_has_prefix (facts[i], "the library lacks ") &&
        strstr (facts[i], "nvmlDeviceGetTotalEnergyConsumption") != NULL)
      n_named++;
  g_assert_cmpuint (n_named, ==, 1);
}

static void
test_a_form_that_the_driver_refuses_is_asked_in_the_older_one (void)
{
  g_autoptr (NvmlLab) lab =
    nvml_lab_new (LIBRARY DEVICE (0, "a") "memory-total=1000\nmemory-used=10\nerror."
                                          "nvmlDeviceGetMemoryInfo_v2=25\n");
  g_autoptr (JmGpuReport) report = read_script (lab);

  nvml_assert (report, 0, JM_METRIC_GPU_MEMORY_SIZE, NULL, 1000);
  nvml_assert (report, 0, JM_METRIC_GPU_MEMORY_USED, NULL, 10);
}

/* --- what is in the way --- */

static char *
advise (NvmlLab *lab, const GError *error)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_BUILT, "stand-ins", "libnvidia-ml.so.1", NULL);
  g_autoptr (JmSource) source =
    g_object_new (JM_TYPE_NVML_SOURCE, "host", lab->host, "library", path, NULL);
  g_autoptr (JmAdvice) advice = jm_advice_new ();

  g_initable_init (G_INITABLE (source), NULL, NULL);
  jm_source_advise (source, error, advice);

  return jm_advice_get_text (advice);
}

static void
test_a_driver_of_another_version_is_said_to_be_one (void)
{
  g_autoptr (NvmlLab) lab =
    nvml_lab_new (LIBRARY "error.nvmlInit_v2=18\n" DEVICE (0, "a"));
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_false (nvml_lab_open_build (lab, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_true (
    g_str_has_suffix (error->message, "nvmlInit_v2: Driver/library version mismatch"));
  text = advise (lab, error);
  g_assert_nonnull (strstr (text, "reboot"));
}

static void
test_refused_permission_is_said_when_it_is_opened (void)
{
  g_autoptr (NvmlLab) lab =
    nvml_lab_new (LIBRARY "error.nvmlInit_v2=4\n" DEVICE (0, "a"));
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_false (nvml_lab_open_build (lab, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
  text = advise (lab, error);
  g_assert_nonnull (strstr (text, "copy gpu-nvidia.conf from"));
}

static void
test_where_every_device_is_closed_permission_is_refused (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (
    LIBRARY "error.nvmlDeviceGetHandleByIndex_v2=4\n" DEVICE (0, "a") DEVICE (1, "b"));
  g_autoptr (GError) error = NULL;

  g_assert_false (nvml_lab_open_build (lab, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
}

static void
test_where_one_device_is_closed_the_others_are_reported (void)
{
  g_autoptr (NvmlLab) lab =
    nvml_lab_new (LIBRARY DEVICE (0, "a") POWER
                  "error.nvmlDeviceGetHandleByIndex_v2=4\n" DEVICE (1, "b") POWER);
  g_autoptr (JmGpuReport) report = read_script (lab);

  get_problem (report, 0, JM_ERROR_DENIED);
  nvml_assert (report, 1, JM_METRIC_GPU_POWER, NULL, 300000000);
}

static void
test_without_a_driver_it_is_absent (void)
{
  g_autoptr (NvmlLab) lab =
    nvml_lab_new (LIBRARY "error.nvmlInit_v2=9\n" DEVICE (0, "a"));
  g_autoptr (GError) error = NULL;

  g_assert_false (nvml_lab_open_build (lab, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

/* The kernel's module is there. */
static void
load_driver (NvmlLab *lab)
{
  g_autofree char *folder = g_build_filename (lab->folder, "proc/driver/nvidia", NULL);
  g_autofree char *version = g_build_filename (folder, "version", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  g_assert_true (g_file_set_contents (version, "NVRM version: 550.54.15\n", -1, NULL));
}

static void
unload_driver (NvmlLab *lab)
{
  static const char *const paths[] = { "proc/driver/nvidia/version",
                                       "proc/driver/nvidia", "proc/driver", "proc" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *path = g_build_filename (lab->folder, paths[i], NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
}

static void
test_a_driver_whose_devices_are_hidden_is_not_absent (void)
{
  g_autoptr (NvmlLab) lab =
    nvml_lab_new (LIBRARY "error.nvmlInit_v2=9\n" DEVICE (0, "a"));
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  load_driver (lab);
  g_assert_false (nvml_lab_open_build (lab, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
  g_assert_nonnull (strstr (error->message, "/dev/nvidiactl"));
  text = advise (lab, error);
  g_assert_nonnull (strstr (text, "copy gpu-nvidia.conf from"));
  unload_driver (lab);
}

static void
test_a_library_is_missed_where_its_driver_is_loaded (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (WHOLE);
  g_autoptr (JmSource) source =
    g_object_new (JM_TYPE_NVML_SOURCE, "host", lab->host, NULL);
  g_autoptr (JmAdvice) without = jm_advice_new ();
  g_autoptr (JmAdvice) with = jm_advice_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_false (g_initable_init (G_INITABLE (source), NULL, &error));
  jm_source_advise (source, error, without);
  g_assert_null (jm_advice_get_gain (without));

  load_driver (lab);
  jm_source_advise (source, error, with);
  g_assert_nonnull (jm_advice_get_gain (with));
  text = jm_advice_get_text (with);
  g_assert_true (g_str_has_prefix (text, "Install libnvidia-ml.so.1"));
  unload_driver (lab);
}

static void
test_a_library_without_devices_is_absent (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (LIBRARY);
  g_autoptr (GError) error = NULL;

  g_assert_false (nvml_lab_open_build (lab, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
test_a_copied_tree_has_no_library (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (WHOLE);
  g_autoptr (GError) error = NULL;

  g_assert_null (
    g_initable_new (JM_TYPE_NVML_SOURCE, NULL, &error, "host", lab->host, NULL));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_true (g_str_has_prefix (error->message, "libnvidia-ml.so.1: "));
}

static void
test_a_library_that_is_not_there_is_named (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (WHOLE);
  g_autoptr (GError) error = NULL;
  JmSource *source =
    jm_registry_open (JM_SOURCE_KIND_GPUS, "nvml,library=/nowhere/libnvidia-ml.so.1",
                      lab->host, &error);

  g_assert_null (source);
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_true (g_str_has_prefix (error->message, "/nowhere/libnvidia-ml.so.1: "));
}

static void
test_a_library_of_another_kind_is_distinguished (void)
{
  g_autoptr (NvmlLab) lab = nvml_lab_new (WHOLE);
  g_autoptr (GError) error = NULL;
  JmSource *source =
    jm_registry_open (JM_SOURCE_KIND_GPUS, "nvml,library=libm.so.6", lab->host, &error);

  g_assert_null (source);
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "nvmlInit_v2"));
}

/* --- what it costs --- */

static void
append_busy_device (GString *script, guint device)
{
  const char *group = strstr (WHOLE, "[0]\n") + strlen ("[0]\n");
  g_autoptr (GString) figures = g_string_new (group);
  g_autofree char *uuid = g_strdup_printf ("uuid=GPU-%u", device);

  g_string_replace (figures, "uuid=GPU", uuid, 1);
  g_string_append_printf (script, "[%u]\nmig=1\n%s", device, figures->str);
  for (guint i = 0; i < 4; i++)
    g_string_append_printf (script,
                            "[%u.%u]\nname=NVIDIA H100 MIG 1g.10gb\nuuid=MIG-%u-%u\n"
                            "multiprocessors=14\nslices=1\nmemory-total=1000\n"
                            "memory-used=10\nprocesses=%u:10\n",
                            device, i, device, i, 1000 + device * 10 + i);
}

static guint
count_figures (JmGpuReport *report)
{
  guint n_figures = 0;

  for (guint i = 0; i < jm_gpu_report_get_n_devices (report); i++)
    {
      guint n;

      jm_gpu_report_get_readings (report, i, &n);
      n_figures += n;
    }

  return n_figures;
}

static void
test_a_round_takes_no_more_calls_than_it_has_figures (void)
{
  g_autoptr (GString) script = g_string_new (LIBRARY);
  g_autoptr (NvmlLab) lab = NULL;
  g_autoptr (JmGpuReport) report = NULL;
  guint calls[2];
  guint rounds[2];

  for (guint i = 0; i < 8; i++)
    append_busy_device (script, i);
  lab = nvml_lab_new (script->str);
  nvml_lab_open (lab);
  report = nvml_lab_read (lab);
  g_assert_cmpuint (jm_gpu_report_get_n_devices (report), ==, 40);

  /* several lists are among them */
  for (guint i = 0; i < 2; i++)
    {
      nvml_lab_await_calls (lab, "nvmlDeviceGetPowerUsage", 8 * (10 + 30 * i));
      rounds[i] = nvml_lab_count (lab, "nvmlDeviceGetPowerUsage") / 8;
      calls[i] = nvml_lab_count (lab, NULL);
    }
  g_assert_cmpuint (calls[1] - calls[0], <=,
                    (rounds[1] - rounds[0]) * count_figures (report));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define SITUATION(name, function)                                                      \
 g_test_add_func ("/nvml-source/" name, test_##function)

  SITUATION ("a-device-is-distinguished", a_device_is_distinguished);
  SITUATION ("what-it-does-is-reported-in-our-units",
             what_it_does_is_reported_in_our_units);
  SITUATION ("each-reason-to-throttle-is-reported",
             each_reason_to_throttle_is_reported);
  SITUATION ("a-rate-takes-two-readings", a_rate_takes_two_readings);
  SITUATION ("what-it-does-not-support-is-absent-and-not-asked-again",
             what_it_does_not_support_is_absent_and_not_asked_again);
  SITUATION ("figures-follow-the-device", figures_follow_the_device);
  SITUATION ("performance-counters-are-means-between-two-readings",
             performance_counters_are_means_between_two_readings);
  SITUATION ("each-figure-is-there-once", each_figure_is_there_once);
  SITUATION ("performance-counters-stop-for-a-profiler",
             performance_counters_stop_for_a_profiler);
  SITUATION ("performance-counters-are-read-where-somebody-wants-them",
             performance_counters_are_read_where_somebody_wants_them);
  SITUATION ("a-device-without-performance-counters-is-asked-once",
             a_device_without_performance_counters_is_asked_once);
  SITUATION ("refused-performance-counters-cost-no-other-figure",
             refused_performance_counters_cost_no_other_figure);
  SITUATION ("a-failed-call-for-performance-counters-is-named",
             a_failed_call_for_performance_counters_is_named);
  SITUATION ("processes-have-memory-and-time", processes_have_memory_and_time);
  SITUATION ("memory-that-is-not-known-is-not-reported",
             memory_that_is_not_known_is_not_reported);
  SITUATION ("longer-records-of-some-drivers-are-read",
             longer_records_of_some_drivers_are_read);
  SITUATION ("more-processes-than-there-was-room-for-are-read",
             more_processes_than_there_was_room_for_are_read);
  SITUATION ("a-sample-counts-until-the-next-comes",
             a_sample_counts_until_the_next_comes);
  SITUATION ("instances-come-behind-their-device", instances_come_behind_their_device);
  SITUATION ("an-instance-has-its-slices-of-its-device",
             an_instance_has_its_slices_of_its_device);
  SITUATION ("an-instance-has-its-own-memory-and-processes",
             an_instance_has_its_own_memory_and_processes);
  SITUATION ("a-device-leaves-processes-to-its-instances",
             a_device_leaves_processes_to_its_instances);
  SITUATION ("instances-come-and-go", instances_come_and_go);
  SITUATION ("errors-are-counted-while-it-is-listened-to",
             errors_are_counted_while_it_is_listened_to);
  SITUATION ("a-device-that-falls-off-the-bus-is-down",
             a_device_that_falls_off_the_bus_is_down);
  SITUATION ("a-lost-device-stays-who-it-was", a_lost_device_stays_who_it_was);
  SITUATION ("one-that-was-lost-before-is-down", one_that_was_lost_before_is_down);
  SITUATION ("a-figure-that-is-refused-costs-no-other",
             a_figure_that_is_refused_costs_no_other);
  SITUATION ("a-call-that-hangs-costs-its-device-alone",
             a_call_that_hangs_costs_its_device_alone);
  SITUATION ("an-old-driver-reports-what-it-can", an_old_driver_reports_what_it_can);
  SITUATION ("people-learn-in-which-modes-the-devices-are",
             people_learn_in_which_modes_the_devices_are);
  SITUATION ("people-learn-what-an-old-library-lacks",
             people_learn_what_an_old_library_lacks);
  SITUATION ("a-form-that-the-driver-refuses-is-asked-in-the-older-one",
             a_form_that_the_driver_refuses_is_asked_in_the_older_one);
  SITUATION ("a-driver-of-another-version-is-said-to-be-one",
             a_driver_of_another_version_is_said_to_be_one);
  SITUATION ("refused-permission-is-said-when-it-is-opened",
             refused_permission_is_said_when_it_is_opened);
  SITUATION ("where-every-device-is-closed-permission-is-refused",
             where_every_device_is_closed_permission_is_refused);
  SITUATION ("where-one-device-is-closed-the-others-are-reported",
             where_one_device_is_closed_the_others_are_reported);
  SITUATION ("without-a-driver-it-is-absent", without_a_driver_it_is_absent);
  SITUATION ("a-driver-whose-devices-are-hidden-is-not-absent",
             a_driver_whose_devices_are_hidden_is_not_absent);
  SITUATION ("a-library-is-missed-where-its-driver-is-loaded",
             a_library_is_missed_where_its_driver_is_loaded);
  SITUATION ("a-library-without-devices-is-absent",
             a_library_without_devices_is_absent);
  SITUATION ("a-copied-tree-has-no-library", a_copied_tree_has_no_library);
  SITUATION ("a-library-that-is-not-there-is-named",
             a_library_that_is_not_there_is_named);
  SITUATION ("a-library-of-another-kind-is-distinguished",
             a_library_of_another_kind_is_distinguished);
  SITUATION ("a-round-takes-no-more-calls-than-it-has-figures",
             a_round_takes_no_more_calls_than_it_has_figures);

  return g_test_run ();
}
