/* test-amdgpu-source.c: AMD's accelerators as the kernel reports them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-gpu-private.h"
#include "sources/gpu/jm-gpu-types-private.h"

#include <string.h>

#include "gpus.h"

#define CARD "sys/class/drm/card0/device/"
#define KFD "sys/class/kfd/kfd/"

/* The older of two devices: one that reports how busy it is, and nothing else. */
static Tree *
make_tree (void)
{
  Tree *tree = tree_new ();

  tree_write (tree, CARD "uevent", "DRIVER=amdgpu\nPCI_SLOT_NAME=0000:03:00.0\n");
  tree_write (tree, CARD "gpu_busy_percent", "12\n");

  return tree;
}

static void
add_card (Tree *tree, const char *card, const char *driver, const char *slot)
{
  g_autofree char *path = g_strdup_printf ("sys/class/drm/%s/device/uevent", card);
  g_autofree char *text =
    g_strdup_printf ("DRIVER=%s\nPCI_SLOT_NAME=%s\n", driver, slot);

  tree_write (tree, path, text);
}

static void
add_node (Tree *tree, const char *number, const char *gpu_id, const char *properties)
{
  g_autofree char *id = g_strconcat (KFD "topology/nodes/", number, "/gpu_id", NULL);
  g_autofree char *path =
    g_strconcat (KFD "topology/nodes/", number, "/properties", NULL);

  tree_write (tree, id, gpu_id);
  tree_write (tree, path, properties);
}

static Gpus *
open_fixture (void)
{
  return gpus_open_fixture (JM_TYPE_AMDGPU_SOURCE, "gpu-amd");
}

static Gpus *
open_tree (Tree *tree)
{
  return gpus_open_tree (JM_TYPE_AMDGPU_SOURCE, tree);
}

/* --- which devices there are --- */

static void
test_devices_are_counted_by_pci_address (void)
{
  g_autoptr (Gpus) gpus = open_fixture ();
  JmGpu *gpu = jm_gpu_report_get_device (gpus->report, 0);
  guint major, minor;

  g_assert_cmpuint (jm_gpu_report_get_n_devices (gpus->report), ==, 2);
  g_assert_cmpstr (jm_gpu_get_name (gpu), ==, "amd0");
  assert_field (gpus, 0, PCI_ADDRESS, "0000:83:00.0");
  assert_field (gpus, 0, UUID, "GPU-91be9e1b5ca8a4d2");
  assert_field (gpus, 0, MODEL, "AMD INSTINCT MI210");
  assert_field (gpus, 0, VENDOR, "amd");
  assert_field (gpus, 0, DRIVER_VERSION, "6.8.5");
  g_assert_true (jm_gpu_get_device_number (gpu, &major, &minor));
  g_assert_cmpuint (major, ==, 226);
  g_assert_cmpuint (minor, ==, 129);
  assert_field (gpus, 1, PCI_ADDRESS, "0000:c1:00.0");
}

static void
test_a_node_without_such_a_card_has_none (void)
{
  g_autoptr (Tree) tree = tree_new ();

  gpus_assert_closed (JM_TYPE_AMDGPU_SOURCE, tree->root, JM_ERROR_ABSENT,
                      "/sys/class/drm");
  add_card (tree, "card0", "ast", "0000:04:00.0");
  add_card (tree, "card1", "radeon", "0000:05:00.0");
  add_card (tree, "renderD128", "amdgpu", "0000:06:00.0");
  add_card (tree, "card2-DP-1", "amdgpu", "0000:06:00.0");
  tree_write (tree, "sys/class/drm/card3/device/vendor", "0x1002\n");
  gpus_assert_closed (JM_TYPE_AMDGPU_SOURCE, tree->root, JM_ERROR_ABSENT,
                      "/sys/class/drm: no card of amdgpu");
}

static void
test_a_partition_is_no_device_of_its_own (void)
{
  Tree *tree = make_tree ();
  g_autoptr (Gpus) gpus = NULL;

  tree_write (tree, "sys/class/drm/card1/device/uevent",
              "DRIVER=amdgpu\nMODALIAS=platform:amdgpu_xcp\n");
  gpus = open_tree (tree);

  g_assert_cmpuint (jm_gpu_report_get_n_devices (gpus->report), ==, 1);
}

static void
test_long_domains_come_last (void)
{
  Tree *tree = make_tree ();
  g_autoptr (Gpus) gpus = NULL;

  add_card (tree, "card1", "amdgpu", "10000:01:00.0");
  add_card (tree, "card2", "amdgpu", "0000:02:00.0");
  gpus = open_tree (tree);

  assert_field (gpus, 0, PCI_ADDRESS, "0000:02:00.0");
  assert_field (gpus, 1, PCI_ADDRESS, "0000:03:00.0");
  assert_field (gpus, 2, PCI_ADDRESS, "10000:01:00.0");
}

static void
test_what_is_not_known_is_not_said (void)
{
  g_autoptr (Gpus) gpus = open_tree (make_tree ());
  JmGpu *gpu = jm_gpu_report_get_device (gpus->report, 0);
  guint major, minor;

  assert_field (gpus, 0, UUID, NULL);
  assert_field (gpus, 0, MODEL, NULL);
  assert_field (gpus, 0, DRIVER_VERSION, NULL);
  g_assert_false (jm_gpu_get_device_number (gpu, &major, &minor));
  assert_told (gpus, 0, GPU_UTILIZATION, NULL, 120000);
  assert_untold (gpus, 0, GPU_MEMORY_SIZE);
  assert_untold (gpus, 0, GPU_POWER);
  assert_untold (gpus, 0, GPU_ENERGY);
  assert_untold (gpus, 0, GPU_MULTIPROCESSORS);
  assert_untold (gpus, 0, GPU_PROCESSES);
  assert_told (gpus, 0, GPU_UP, NULL, 1);
}

static void
test_ids_that_are_none_are_no_uuid (void)
{
  const char *ids[] = { "0\n",  "0000000000000000\n", "N/A\n", "", "\n",
                        "-1\n", "91be9e1b5ca8a4d2f\n" };

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      Tree *tree = make_tree ();
      g_autoptr (Gpus) gpus = NULL;

      tree_write (tree, CARD "unique_id", ids[i]);
      gpus = open_tree (tree);
      assert_field (gpus, 0, UUID, NULL);
    }
}

/* --- figures --- */

static void
test_figures_are_those_of_the_files (void)
{
  g_autoptr (Gpus) gpus = open_fixture ();

  assert_told (gpus, 0, GPU_UTILIZATION, NULL, 870000);
  assert_told (gpus, 0, GPU_MEMORY_UTILIZATION, NULL, 340000);
  assert_told (gpus, 0, GPU_MEMORY_SIZE, NULL, 68702699520);
  assert_told (gpus, 0, GPU_MEMORY_USED, NULL, 21474836480);
  assert_told (gpus, 0, GPU_POWER, NULL, 216000000);
  assert_told (gpus, 0, GPU_POWER_LIMIT, NULL, 300000000);
  assert_told (gpus, 0, GPU_TEMPERATURE, "edge", 41000);
  assert_told (gpus, 0, GPU_TEMPERATURE, "junction", 52000);
  assert_told (gpus, 0, GPU_TEMPERATURE, "memory", 47000);
  assert_told (gpus, 0, GPU_CLOCK, "graphics", 1700000000);
  assert_told (gpus, 0, GPU_CLOCK, "memory", 1600000000);
  assert_told (gpus, 0, GPU_MULTIPROCESSORS, NULL, 104);
  assert_told (gpus, 0, GPU_PCIE_REPLAYS, NULL, 3);
  assert_told (gpus, 0, GPU_UP, NULL, 1);
  /* counts packets, not bytes, and takes a second to read */
  assert_untold (gpus, 0, GPU_PCIE_TRAFFIC);
  g_assert_cmpstr (gpus_get_problem (gpus, 0), ==, "");
}

static void
test_a_card_that_sleeps_is_let_sleep (void)
{
  g_autoptr (Gpus) gpus = open_fixture ();

  assert_told (gpus, 1, GPU_UP, NULL, 1);
  assert_told (gpus, 1, GPU_MULTIPROCESSORS, NULL, 104);
  assert_untold (gpus, 1, GPU_POWER);
  assert_untold (gpus, 1, GPU_MEMORY_USED);
}

static void
test_a_counter_of_energy_is_reported_where_there_is_one (void)
{
  Tree *tree = make_tree ();
  g_autoptr (Gpus) gpus = NULL;

  tree_write (tree, CARD "hwmon/hwmon7/name", "amdgpu\n");
  tree_write (tree, CARD "hwmon/hwmon7/energy1_input", "5000000\n");
  tree_write (tree, CARD "hwmon/hwmon7/power1_input", "33000000\n");
  gpus = open_tree (tree);

  assert_told (gpus, 0, GPU_ENERGY, NULL, 5000000);
  assert_told (gpus, 0, GPU_POWER, NULL, 33000000);
}

static void
test_the_average_counts_before_the_present_power (void)
{
  Tree *tree = make_tree ();
  g_autoptr (Gpus) gpus = NULL;

  tree_write (tree, CARD "hwmon/hwmon7/name", "amdgpu\n");
  tree_write (tree, CARD "hwmon/hwmon7/power1_average", "31000000\n");
  tree_write (tree, CARD "hwmon/hwmon7/power1_input", "33000000\n");
  tree_write (tree, CARD "hwmon/hwmon7/power2_average", "9000000\n");
  gpus = open_tree (tree);

  assert_told (gpus, 0, GPU_POWER, NULL, 31000000);
}

static void
test_another_chip_below_the_card_is_not_its (void)
{
  Tree *tree = make_tree ();
  g_autoptr (Gpus) gpus = NULL;

  tree_write (tree, CARD "hwmon/hwmon7/name", "nvme\n");
  tree_write (tree, CARD "hwmon/hwmon7/temp1_input", "33000\n");
  gpus = open_tree (tree);

  assert_untold (gpus, 0, GPU_TEMPERATURE);
}

static void
test_what_cannot_be_is_an_error_and_no_figure (void)
{
  Tree *tree = make_tree ();
  g_autoptr (Gpus) gpus = NULL;

  tree_write (tree, CARD "gpu_busy_percent", "101\n");
  tree_write (tree, CARD "mem_busy_percent", "7\n");
  gpus = open_tree (tree);

  assert_untold (gpus, 0, GPU_UTILIZATION);
  assert_told (gpus, 0, GPU_MEMORY_UTILIZATION, NULL, 70000);
  assert_told (gpus, 0, GPU_UP, NULL, 1);
  g_assert_nonnull (
    strstr (gpus_get_problem (gpus, 0), "gpu_busy_percent: cannot be: 101"));
}

static void
test_what_measures_nothing_is_no_figure (void)
{
  Tree *tree = make_tree ();
  g_autoptr (Gpus) gpus = NULL;

  tree_write (tree, CARD "hwmon/hwmon7/name", "amdgpu\n");
  tree_write (tree, CARD "hwmon/hwmon7/power1_average", "0\n");
  /* so a virtual function answers of what is its host's */
  tree_write (tree, CARD "mem_busy_percent", "");
  gpus = open_tree (tree);

  assert_untold (gpus, 0, GPU_POWER);
  assert_untold (gpus, 0, GPU_MEMORY_UTILIZATION);
  g_assert_cmpstr (gpus_get_problem (gpus, 0), ==, "");
}

static void
test_hostile_files_are_no_figures (void)
{
  static const char *const texts[] = {
    "-1\n", "max\n", "1 2\n", "\xff\xfe\n", "99999999999999999999999\n", "\n"
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      Tree *tree = make_tree ();
      g_autoptr (Gpus) gpus = NULL;

      tree_write (tree, CARD "gpu_busy_percent", texts[i]);
      gpus = open_tree (tree);
      assert_told (gpus, 0, GPU_UP, NULL, 0);
      assert_untold (gpus, 0, GPU_UTILIZATION);
      g_assert_nonnull (strstr (gpus_get_problem (gpus, 0), "gpu_busy_percent: "));
    }
}

/* --- processes --- */

static void
test_processes_are_those_with_memory_of_the_device (void)
{
  g_autoptr (Gpus) gpus = open_fixture ();
  g_autofree char *first = gpus_list_processes (gpus, 0);
  g_autofree char *second = gpus_list_processes (gpus, 1);

  g_assert_cmpstr (first, ==, "4242:17179869184 4243:4294967296");
  g_assert_cmpstr (second, ==, "");
  assert_told (gpus, 0, GPU_PROCESSES, NULL, 2);
  assert_told (gpus, 1, GPU_PROCESSES, NULL, 0);
}

static void
test_partitions_add_up_to_their_device (void)
{
  Tree *tree = make_tree ();
  g_autoptr (Gpus) gpus = NULL;
  g_autofree char *processes = NULL;

  /* as kernels write it: the number of a partition above all, or in the function */
  add_node (tree, "1", "11\n",
            "simd_count 152\nsimd_per_cu 4\nlocation_id 768\ndomain 0\n");
  add_node (tree, "2", "12\n",
            "simd_count 152\nsimd_per_cu 4\nlocation_id 268436224\ndomain 0\n");
  add_node (tree, "3", "13\n",
            "simd_count 152\nsimd_per_cu 4\nlocation_id 770\ndomain 0\n");
  tree_write (tree, KFD "proc/77/vram_11", "4096\n");
  tree_write (tree, KFD "proc/77/vram_13", "8192\n");
  gpus = open_tree (tree);
  processes = gpus_list_processes (gpus, 0);

  assert_told (gpus, 0, GPU_MULTIPROCESSORS, NULL, 114);
  g_assert_cmpstr (processes, ==, "77:12288");
}

static void
test_a_hostile_topology_is_passed_over (void)
{
  Tree *tree = make_tree ();
  g_autoptr (Gpus) gpus = NULL;
  g_autofree char *processes = NULL;

  add_node (tree, "0", "0\n", "location_id 768\n");
  add_node (tree, "1", "11\n", "simd_count 4\n");
  add_node (tree, "2", "12\n", "location_id x\n");
  add_node (tree, "3", "13\n", "location_id 768\ndomain 99999999999\n");
  add_node (tree, "4", "abc\n", "location_id 768\n");
  add_node (tree, "5", "15\n", "location_id 1024\ndomain 0\n");
  add_node (tree, "6", "16\n", "location_id 768\nsimd_count 8\nsimd_per_cu 0\n");
  tree_write (tree, KFD "proc/77/vram_15", "4096\n");
  tree_write (tree, KFD "proc/0/vram_16", "4096\n");
  tree_write (tree, KFD "proc/-3/vram_16", "4096\n");
  tree_write (tree, KFD "proc/99999999999/vram_16", "4096\n");
  tree_write (tree, KFD "proc/78/vram_16", "-4096\n");
  tree_write (tree, KFD "proc/79/vram_16", "18446744073709551615\n");
  tree_write (tree, KFD "proc/80/vram_16", "1\n");
  gpus = open_tree (tree);
  processes = gpus_list_processes (gpus, 0);

  assert_untold (gpus, 0, GPU_MULTIPROCESSORS);
  g_assert_cmpstr (processes, ==, "80:1");
}

/* --- what changes --- */

static void
test_a_figure_is_read_anew_each_time (void)
{
  g_autoptr (Gpus) gpus = open_tree (make_tree ());

  tree_rewrite (gpus->tree, CARD "gpu_busy_percent", "99\n");
  gpus_await (gpus, 0, JM_METRIC_GPU_UTILIZATION, 990000);
}

static void
test_a_card_that_goes_away_is_reported_no_more (void)
{
  Tree *tree = make_tree ();
  g_autoptr (Gpus) gpus = NULL;

  add_card (tree, "card1", "amdgpu", "0000:05:00.0");
  gpus = open_tree (tree);
  g_assert_cmpuint (jm_gpu_report_get_n_devices (gpus->report), ==, 2);

  tree_remove (gpus->tree, "sys/class/drm/card1/device/uevent");
  gpus_await_devices (gpus, 1);
  assert_told (gpus, 0, GPU_UTILIZATION, NULL, 120000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/amdgpu-source/devices are counted by pci address",
                   test_devices_are_counted_by_pci_address);
  g_test_add_func ("/amdgpu-source/a node without such a card has none",
                   test_a_node_without_such_a_card_has_none);
  g_test_add_func ("/amdgpu-source/a partition is no device of its own",
                   test_a_partition_is_no_device_of_its_own);
  g_test_add_func ("/amdgpu-source/long domains come last",
                   test_long_domains_come_last);
  g_test_add_func ("/amdgpu-source/what is not known is not said",
                   test_what_is_not_known_is_not_said);
  g_test_add_func ("/amdgpu-source/ids that are none are no uuid",
                   test_ids_that_are_none_are_no_uuid);
  g_test_add_func ("/amdgpu-source/figures are those of the files",
                   test_figures_are_those_of_the_files);
  g_test_add_func ("/amdgpu-source/a card that sleeps is let sleep",
                   test_a_card_that_sleeps_is_let_sleep);
  g_test_add_func ("/amdgpu-source/a counter of energy is told where there is one",
                   test_a_counter_of_energy_is_reported_where_there_is_one);
  g_test_add_func ("/amdgpu-source/the average counts before the present power",
                   test_the_average_counts_before_the_present_power);
  g_test_add_func ("/amdgpu-source/another chip below the card is not its",
                   test_another_chip_below_the_card_is_not_its);
  g_test_add_func ("/amdgpu-source/what cannot be is an error and no figure",
                   test_what_cannot_be_is_an_error_and_no_figure);
  g_test_add_func ("/amdgpu-source/what measures nothing is no figure",
                   test_what_measures_nothing_is_no_figure);
  g_test_add_func ("/amdgpu-source/hostile files are no figures",
                   test_hostile_files_are_no_figures);
  g_test_add_func ("/amdgpu-source/processes are those with memory of the device",
                   test_processes_are_those_with_memory_of_the_device);
  g_test_add_func ("/amdgpu-source/partitions add up to their device",
                   test_partitions_add_up_to_their_device);
  g_test_add_func ("/amdgpu-source/a hostile topology is passed over",
                   test_a_hostile_topology_is_passed_over);
  g_test_add_func ("/amdgpu-source/a figure is read anew each time",
                   test_a_figure_is_read_anew_each_time);
  g_test_add_func ("/amdgpu-source/a card that goes away is told no more",
                   test_a_card_that_goes_away_is_reported_no_more);

  return g_test_run ();
}
