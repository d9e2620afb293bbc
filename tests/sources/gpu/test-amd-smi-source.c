/* test-amd-smi-source.c: AMD's accelerators as AMD's library reports them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/gpu/jm-gpu-types-private.h"

#include <string.h>

#include "gpus.h"

#define STAND_IN "AMD_SMI_STAND_IN"
#define AMD_SMI "libamd_smi.so"
#define ROCM_SMI "librocm_smi64.so"

/* The devices of the fixture gpu-amd, in another order. */
#define SCRIPT                                                                         \
 "[0]\n"                                                                               \
 "bdf=0xc100\n"                                                                        \
 "energy-count=100\n"                                                                  \
 "[1]\n"                                                                               \
 "bdf=0x8300\n"                                                                        \
 "energy-count=1000000\n"                                                              \
 "utilization=87\n"                                                                    \
 "memory-utilization=34\n"                                                             \
 "memory-total=68702699520\n"                                                          \
 "memory-used=21474836480\n"                                                           \
 "temperature-edge=41\n"                                                               \
 "temperature-memory=47\n"                                                             \
 "clock-graphics=1700\n"                                                               \
 "clock-memory=1600\n"                                                                 \
 "power=216000000\n"                                                                   \
 "power-limit=300000000\n"                                                             \
 "pcie-replays=3\n"

/* Written at once, as the stand-in reads it at any time. */
static void
set_script (const char *script)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (g_getenv (STAND_IN), script, -1, &error);
  g_assert_no_error (error);
}

static Gpus *
open_script (const char *library, const char *script)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "gpu-amd", NULL);
  g_autofree char *path =
    g_test_build_filename (G_TEST_BUILT, "stand-ins", library, NULL);

  set_script (script);

  return gpus_open_library (JM_TYPE_AMD_SMI_SOURCE, root, path);
}

static void
test_devices_are_called_as_the_kernel_has_them (void)
{
  g_autoptr (Gpus) gpus = open_script (AMD_SMI, SCRIPT);

  g_assert_cmpuint (jm_gpu_report_get_n_devices (gpus->report), ==, 2);
  g_assert_cmpstr (jm_gpu_get_name (jm_gpu_report_get_device (gpus->report, 0)), ==,
                   "amd0");
  assert_field (gpus, 0, PCI_ADDRESS, "0000:83:00.0");
  assert_field (gpus, 0, UUID, "GPU-91be9e1b5ca8a4d2");
  assert_field (gpus, 1, PCI_ADDRESS, "0000:c1:00.0");
}

static void
test_figures_are_those_of_the_library (void)
{
  g_autoptr (Gpus) gpus = open_script (AMD_SMI, SCRIPT);

  /* 1000000 x 15.3 uJ, of a number that has but 24 bits */
  g_assert_cmpint (gpus_get (gpus, 0, JM_METRIC_GPU_ENERGY, NULL) / 100, ==, 153000);
  g_assert_cmpint (gpus_get (gpus, 1, JM_METRIC_GPU_ENERGY, NULL), ==, 1530);
  assert_told (gpus, 0, GPU_UTILIZATION, NULL, 870000);
  assert_told (gpus, 0, GPU_MEMORY_UTILIZATION, NULL, 340000);
  assert_told (gpus, 0, GPU_MEMORY_SIZE, NULL, 68702699520);
  assert_told (gpus, 0, GPU_MEMORY_USED, NULL, 21474836480);
  assert_told (gpus, 0, GPU_TEMPERATURE, "edge", 41000);
  assert_told (gpus, 0, GPU_TEMPERATURE, "memory", 47000);
  assert_told (gpus, 0, GPU_CLOCK, "graphics", 1700000000);
  assert_told (gpus, 0, GPU_CLOCK, "memory", 1600000000);
  assert_told (gpus, 0, GPU_PCIE_REPLAYS, NULL, 3);
  assert_told (gpus, 0, GPU_UP, NULL, 1);
  g_assert_cmpstr (gpus_get_problem (gpus, 0), ==, "");
}

static void
test_what_a_device_does_not_measure_is_not_reported (void)
{
  g_autoptr (Gpus) gpus = open_script (AMD_SMI, SCRIPT);

  assert_told (gpus, 0, GPU_TEMPERATURE, "junction", -1);
  assert_untold (gpus, 1, GPU_UTILIZATION);
  assert_untold (gpus, 1, GPU_TEMPERATURE);
  assert_untold (gpus, 1, GPU_MEMORY_SIZE);
  assert_told (gpus, 1, GPU_UP, NULL, 1);
  g_assert_cmpstr (gpus_get_problem (gpus, 1), ==, "");
}

static void
test_the_older_library_serves_too (void)
{
  g_autoptr (Gpus) gpus = open_script (ROCM_SMI, SCRIPT);

  assert_field (gpus, 0, PCI_ADDRESS, "0000:83:00.0");
  g_assert_cmpint (gpus_get (gpus, 0, JM_METRIC_GPU_ENERGY, NULL) / 100, ==, 153000);
  assert_told (gpus, 0, GPU_UTILIZATION, NULL, 870000);
  assert_told (gpus, 0, GPU_MEMORY_UTILIZATION, NULL, 340000);
  assert_told (gpus, 0, GPU_MEMORY_SIZE, NULL, 68702699520);
  assert_told (gpus, 0, GPU_MEMORY_USED, NULL, 21474836480);
  assert_told (gpus, 0, GPU_TEMPERATURE, "edge", 41000);
  assert_told (gpus, 0, GPU_POWER, NULL, 216000000);
  assert_told (gpus, 0, GPU_POWER_LIMIT, NULL, 300000000);
  assert_untold (gpus, 0, GPU_PCIE_REPLAYS);
}

static void
test_partitions_are_one_device (void)
{
  static const char *const scripts[] = {
    "[0]\nbdf=0x8300\nutilization=5\n[1]\nbdf=0x10008300\n[2]\nbdf=0x8302\n",
    "[0]\nbdf=0x8301\nutilization=5\n[1]\nbdf=0x8302\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      g_autoptr (Gpus) gpus = open_script (AMD_SMI, scripts[i]);

      g_assert_cmpuint (jm_gpu_report_get_n_devices (gpus->report), ==, 1);
      assert_field (gpus, 0, PCI_ADDRESS, "0000:83:00.0");
      assert_told (gpus, 0, GPU_UTILIZATION, NULL, 50000);
    }
}

static void
test_a_card_that_the_library_does_not_know_keeps_its_name (void)
{
  g_autoptr (Gpus) gpus = open_script (AMD_SMI, "[0]\nbdf=0xc100\n[1]\nbdf=0x4200\n");

  g_assert_cmpuint (jm_gpu_report_get_n_devices (gpus->report), ==, 1);
  g_assert_cmpstr (jm_gpu_get_name (jm_gpu_report_get_device (gpus->report, 0)), ==,
                   "amd1");
}

static void
test_a_function_that_fails_costs_its_figure (void)
{
  g_autoptr (Gpus) gpus =
    open_script (AMD_SMI, SCRIPT "error.amdsmi_get_energy_count=10\n");

  assert_untold (gpus, 0, GPU_ENERGY);
  assert_told (gpus, 0, GPU_UTILIZATION, NULL, 870000);
  assert_told (gpus, 0, GPU_UP, NULL, 1);
  g_assert_cmpstr (gpus_get_problem (gpus, 0), ==,
                   "amdsmi_get_energy_count: error 10: "
                   "AMDSMI_STATUS_NO_PERM: Permission Denied");
  assert_told (gpus, 1, GPU_ENERGY, NULL, 1530);
}

static void
test_what_cannot_be_is_an_error_and_no_figure (void)
{
  g_autoptr (Gpus) gpus =
    open_script (AMD_SMI, "[0]\nbdf=0x8300\nutilization=101\nmemory-utilization=5\n");

  assert_untold (gpus, 0, GPU_UTILIZATION);
  assert_told (gpus, 0, GPU_MEMORY_UTILIZATION, NULL, 50000);
  g_assert_cmpstr (gpus_get_problem (gpus, 0), ==,
                   "amdsmi_get_gpu_activity: 101, which cannot be");
}

static char *
get_calls_path (void)
{
  return g_strconcat (g_getenv (STAND_IN), ".calls", NULL);
}

static guint
count_calls (const char *function)
{
  g_autofree char *path = get_calls_path ();
  g_autofree char *text = NULL;
  g_autofree char *key = g_strconcat (function, " ", NULL);
  const char *line;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  line = strstr (text, key);

  return line != NULL ? (guint) g_ascii_strtoull (line + strlen (key), NULL, 10) : 0;
}

static char *
make_counting_script (guint utilization)
{
  g_autofree char *calls = get_calls_path ();

  return g_strdup_printf ("[0]\nbdf=0x8300\nutilization=%u\n[library]\ncalls=%s\n",
                          utilization, calls);
}

/* The stand-in may have been asked before, of the same process. */
static void
test_what_is_not_supported_is_asked_once (void)
{
  g_autofree char *before = make_counting_script (1);
  g_autofree char *after = make_counting_script (2);
  g_autoptr (Gpus) gpus = open_script (AMD_SMI, before);
  guint n_asked = count_calls ("amdsmi_get_gpu_activity");
  guint n_energy = count_calls ("amdsmi_get_energy_count");
  guint n_temperature = count_calls ("amdsmi_get_temp_metric");

  set_script (after);
  gpus_await (gpus, 0, JM_METRIC_GPU_UTILIZATION, 20000);

  /* a call that was on its way may have reported the new figure */
  for (guint i = 0; i < 1000 && count_calls ("amdsmi_get_gpu_activity") == n_asked; i++)
    g_usleep (10000);
  g_assert_cmpuint (count_calls ("amdsmi_get_gpu_activity"), >, n_asked);
  g_assert_cmpuint (count_calls ("amdsmi_get_energy_count"), ==, n_energy);
  g_assert_cmpuint (count_calls ("amdsmi_get_temp_metric"), ==, n_temperature);
}

/* Why a library does not serve. */
static void
assert_refused (const char *library, JmError code, const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "gpu-amd", NULL);
  g_autoptr (JmHost) host = jm_host_new (root);

  g_assert_null (g_initable_new (JM_TYPE_AMD_SMI_SOURCE, NULL, &error, "host", host,
                                 "library", library, NULL));
  g_assert_error (error, JM_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_a_library_that_does_not_start_says_why (void)
{
  g_autofree char *amd =
    g_test_build_filename (G_TEST_BUILT, "stand-ins", AMD_SMI, NULL);
  g_autofree char *rocm =
    g_test_build_filename (G_TEST_BUILT, "stand-ins", ROCM_SMI, NULL);

  set_script ("[library]\nerror.amdsmi_init=10\nerror.rsmi_init=8\n");
  assert_refused (amd, JM_ERROR_DENIED, "amdsmi_init: error 10: AMDSMI_STATUS_NO_PERM");
  assert_refused (rocm, JM_ERROR_UNAVAILABLE, "rsmi_init: error 8");
}

static void
test_a_device_that_hangs_holds_up_no_other (void)
{
  g_autoptr (Gpus) gpus =
    open_script (AMD_SMI,
                 "[0]\nbdf=0x8300\nutilization=1\n[1]\nbdf=0xc100\nutilization=1\n");

  set_script ("[0]\nbdf=0x8300\nutilization=1\nhang=all\n"
              "[1]\nbdf=0xc100\nutilization=2\n");
  gpus_await (gpus, 1, JM_METRIC_GPU_UTILIZATION, 20000);
  gpus_await (gpus, 0, JM_METRIC_GPU_UP, 0);

  set_script ("[0]\nbdf=0x8300\nutilization=3\n[1]\nbdf=0xc100\nutilization=2\n");
  gpus_await (gpus, 0, JM_METRIC_GPU_UTILIZATION, 30000);
}

/* Devices are looked for every now and then. */
static void
await_call (const char *function)
{
  gint64 end_us = g_get_monotonic_time () + GPUS_PATIENCE_US;
  guint n_before = count_calls (function);

  while (count_calls (function) == n_before)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (1000);
    }
}

static void
test_devices_are_read_while_looking_for_them_hangs (void)
{
  g_autofree char *before = make_counting_script (1);
  g_autofree char *hanging =
    g_strconcat (before, "hang=amdsmi_get_socket_handles\n", NULL);
  g_autofree char *after = make_counting_script (2);
  g_autofree char *still_hanging =
    g_strconcat (after, "hang=amdsmi_get_socket_handles\n", NULL);
  g_autoptr (Gpus) gpus = open_script (AMD_SMI, before);

  set_script (hanging);
  await_call ("amdsmi_get_socket_handles");
  set_script (still_hanging);
  gpus_await (gpus, 0, JM_METRIC_GPU_UTILIZATION, 20000);
  set_script (after);
  await_call ("amdsmi_get_socket_handles");
}

static void
test_another_library_is_refused (void)
{
  assert_refused ("libm.so.6", JM_ERROR_UNAVAILABLE,
                  "libm.so.6: it has no function amdsmi_init");
}

static void
test_no_library_is_loaded_without_a_card (void)
{
  g_autoptr (Tree) tree = tree_new ();

  gpus_assert_closed (JM_TYPE_AMD_SMI_SOURCE, tree->root, JM_ERROR_ABSENT,
                      "/sys/class/drm");
}

int
main (int argc, char **argv)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *script = tree_path (tree, "machine.conf");

  g_test_init (&argc, &argv, NULL);
  g_setenv (STAND_IN, script, TRUE);

  g_test_add_func ("/amd-smi-source/devices are called as the kernel has them",
                   test_devices_are_called_as_the_kernel_has_them);
  g_test_add_func ("/amd-smi-source/figures are those of the library",
                   test_figures_are_those_of_the_library);
  g_test_add_func ("/amd-smi-source/what a device does not measure is not told",
                   test_what_a_device_does_not_measure_is_not_reported);
  g_test_add_func ("/amd-smi-source/the older library serves too",
                   test_the_older_library_serves_too);
  g_test_add_func ("/amd-smi-source/partitions are one device",
                   test_partitions_are_one_device);
  g_test_add_func ("/amd-smi-source/a card that the library does not know keeps its "
                   "name",
                   test_a_card_that_the_library_does_not_know_keeps_its_name);
  g_test_add_func ("/amd-smi-source/a function that fails costs its figure",
                   test_a_function_that_fails_costs_its_figure);
  g_test_add_func ("/amd-smi-source/what cannot be is an error and no figure",
                   test_what_cannot_be_is_an_error_and_no_figure);
  g_test_add_func ("/amd-smi-source/what is not supported is asked once",
                   test_what_is_not_supported_is_asked_once);
  g_test_add_func ("/amd-smi-source/a library that does not start says why",
                   test_a_library_that_does_not_start_says_why);
  g_test_add_func ("/amd-smi-source/a device that hangs holds up no other",
                   test_a_device_that_hangs_holds_up_no_other);
  g_test_add_func ("/amd-smi-source/devices are read while looking for them hangs",
                   test_devices_are_read_while_looking_for_them_hangs);
  g_test_add_func ("/amd-smi-source/another library is refused",
                   test_another_library_is_refused);
  g_test_add_func ("/amd-smi-source/no library is loaded without a card",
                   test_no_library_is_loaded_without_a_card);

  return g_test_run ();
}
