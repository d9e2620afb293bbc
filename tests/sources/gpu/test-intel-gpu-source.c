/* test-intel-gpu-source.c: Intel accelerators as the kernel reports them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/gpu/jm-gpu-types-private.h"

#include "gpus.h"

#define CARD "sys/class/drm/card0/"
#define DEVICE CARD "device/"

static Tree *
make_tree (const char *driver)
{
  Tree *tree = tree_new ();
  g_autofree char *uevent =
    g_strdup_printf ("DRIVER=%s\nPCI_SLOT_NAME=0000:00:02.0\n", driver);

  tree_write (tree, DEVICE "uevent", uevent);

  return tree;
}

static Gpus *
open_tree (Tree *tree)
{
  return gpus_open_tree (JM_TYPE_INTEL_GPU_SOURCE, tree);
}

static void
test_a_processors_own_and_a_card_are_devices (void)
{
  g_autoptr (Gpus) gpus = gpus_open_fixture (JM_TYPE_INTEL_GPU_SOURCE, "gpu-intel");

  g_assert_cmpuint (jm_gpu_report_get_n_devices (gpus->report), ==, 2);
  assert_field (gpus, 0, PCI_ADDRESS, "0000:00:02.0");
  assert_field (gpus, 1, PCI_ADDRESS, "0000:03:00.0");
  assert_field (gpus, 1, VENDOR, "intel");
  assert_field (gpus, 1, UUID, NULL);
  g_assert_cmpstr (jm_gpu_get_name (jm_gpu_report_get_device (gpus->report, 1)), ==,
                   "intel1");
}

static void
test_a_processors_own_reports_its_clock (void)
{
  g_autoptr (Gpus) gpus = gpus_open_fixture (JM_TYPE_INTEL_GPU_SOURCE, "gpu-intel");

  assert_told (gpus, 0, GPU_CLOCK, "graphics", 600000000);
  assert_told (gpus, 0, GPU_THROTTLE, "thermal", 0);
  assert_untold (gpus, 0, GPU_ENERGY);
  assert_untold (gpus, 0, GPU_POWER);
  /* time in RC6 is no measure of how busy it is otherwise */
  assert_untold (gpus, 0, GPU_UTILIZATION);
}

static void
test_a_card_reports_its_energy (void)
{
  g_autoptr (Gpus) gpus = gpus_open_fixture (JM_TYPE_INTEL_GPU_SOURCE, "gpu-intel");

  assert_told (gpus, 1, GPU_ENERGY, NULL, 734003200000);
  assert_told (gpus, 1, GPU_POWER_LIMIT, NULL, 190000000);
  assert_told (gpus, 1, GPU_TEMPERATURE, "pkg", 61000);
  assert_told (gpus, 1, GPU_TEMPERATURE, "memory", 66000);
  assert_told (gpus, 1, GPU_CLOCK, "graphics", 2850000000);
  assert_told (gpus, 1, GPU_CLOCK, "gt1", 0);
  assert_told (gpus, 1, GPU_THROTTLE, "pl1", 1);
  assert_told (gpus, 1, GPU_THROTTLE, "pl2", 0);
}

static void
test_other_makers_cards_are_not_its (void)
{
  g_autoptr (Tree) tree = make_tree ("amdgpu");

  gpus_assert_closed (JM_TYPE_INTEL_GPU_SOURCE, tree->root, JM_ERROR_ABSENT,
                      "no card of i915 or xe");
}

static void
test_a_card_without_a_driver_is_none (void)
{
  g_autoptr (Tree) tree = tree_new ();

  tree_write (tree, DEVICE "uevent", "PCI_ID=8086:56C0\nPCI_SLOT_NAME=0000:03:00.0\n");
  gpus_assert_closed (JM_TYPE_INTEL_GPU_SOURCE, tree->root, JM_ERROR_ABSENT, "no card");
}

static void
test_old_kernels_have_the_clock_with_the_card (void)
{
  Tree *tree = make_tree ("i915");
  g_autoptr (Gpus) gpus = NULL;

  tree_write (tree, CARD "gt_act_freq_mhz", "350\n");
  gpus = open_tree (tree);

  assert_told (gpus, 0, GPU_CLOCK, "graphics", 350000000);
}

static void
test_a_parts_counter_is_not_the_devices (void)
{
  Tree *tree = make_tree ("i915");
  g_autoptr (Gpus) gpus = NULL;

  tree_write (tree, DEVICE "hwmon/hwmon4/name", "i915_gt0\n");
  tree_write (tree, DEVICE "hwmon/hwmon4/energy1_input", "7\n");
  tree_write (tree, DEVICE "hwmon/hwmon5/name", "i915\n");
  tree_write (tree, DEVICE "hwmon/hwmon5/energy1_input", "11\n");
  tree_write (tree, DEVICE "hwmon/hwmon5/power1_max", "0\n");
  gpus = open_tree (tree);

  assert_told (gpus, 0, GPU_ENERGY, NULL, 11);
  /* 0 says that the limit is off */
  assert_untold (gpus, 0, GPU_POWER_LIMIT);
}

static void
test_the_package_counts_where_the_card_has_no_counter (void)
{
  Tree *tree = make_tree ("xe");
  g_autoptr (Gpus) gpus = NULL;

  tree_write (tree, DEVICE "hwmon/hwmon4/name", "xe\n");
  tree_write (tree, DEVICE "hwmon/hwmon4/energy2_input", "13\n");
  tree_write (tree, DEVICE "tile1/gt1/freq0/act_freq", "900\n");
  gpus = open_tree (tree);

  assert_told (gpus, 0, GPU_ENERGY, NULL, 13);
  assert_told (gpus, 0, GPU_CLOCK, "gt1", 900000000);
}

static void
test_a_card_that_reports_nothing_is_there (void)
{
  g_autoptr (Gpus) gpus = open_tree (make_tree ("xe"));

  assert_told (gpus, 0, GPU_UP, NULL, 1);
}

static void
test_hostile_files_are_no_figures (void)
{
  Tree *tree = make_tree ("xe");
  g_autoptr (Gpus) gpus = NULL;

  tree_write (tree, DEVICE "tile0/gt0/freq0/act_freq", "18446744073709551615\n");
  tree_write (tree, DEVICE "tile0/gt0/freq0/throttle/reason_pl1", "2\n");
  tree_write (tree, DEVICE "tile0/gt0/freq0/throttle/reason_pl2", "1\n");
  gpus = open_tree (tree);

  assert_untold (gpus, 0, GPU_CLOCK);
  assert_told (gpus, 0, GPU_THROTTLE, "pl1", -1);
  assert_told (gpus, 0, GPU_THROTTLE, "pl2", 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/intel-gpu-source/a processor's own and a card are devices",
                   test_a_processors_own_and_a_card_are_devices);
  g_test_add_func ("/intel-gpu-source/a processor's own tells its clock",
                   test_a_processors_own_reports_its_clock);
  g_test_add_func ("/intel-gpu-source/a card tells its energy",
                   test_a_card_reports_its_energy);
  g_test_add_func ("/intel-gpu-source/other makers' cards are not its",
                   test_other_makers_cards_are_not_its);
  g_test_add_func ("/intel-gpu-source/a card without a driver is none",
                   test_a_card_without_a_driver_is_none);
  g_test_add_func ("/intel-gpu-source/old kernels have the clock with the card",
                   test_old_kernels_have_the_clock_with_the_card);
  g_test_add_func ("/intel-gpu-source/a part's counter is not the device's",
                   test_a_parts_counter_is_not_the_devices);
  g_test_add_func ("/intel-gpu-source/the package counts where the card has no counter",
                   test_the_package_counts_where_the_card_has_no_counter);
  g_test_add_func ("/intel-gpu-source/a card that tells nothing is there",
                   test_a_card_that_reports_nothing_is_there);
  g_test_add_func ("/intel-gpu-source/hostile files are no figures",
                   test_hostile_files_are_no_figures);

  return g_test_run ();
}
