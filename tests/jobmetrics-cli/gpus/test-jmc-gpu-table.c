/* test-jmc-gpu-table.c: accelerators as people see them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-derived.h"
#include "gpus/jmc-gpu-table.h"
#include "jm-snapshot-builder.h"

static void
assert_devices (guint width, const char *expected)
{
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_gpu_node ();
  g_autoptr (GArray) gpus = jm_derived_list_gpu_tree (snapshot);
  g_autofree char *text =
    jmc_gpu_table_render (snapshot, JM_SUBJECT_KIND_GPU, gpus, 0, width, FALSE);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_devices_stand_above_their_instances (void)
{
  assert_devices (0, "GPU    STATE  GPU%    MEM   SIZE  WATTS  TEMP  JOBS              "
                     "                MODEL\n"
                     "0      busy     93  40GiB  80GiB   612W   63C  101 (cgroup), 102 "
                     "(used, driver)  NVIDIA H100 80GB HBM3\n"
                     "1      split     0     0B  80GiB      -     -  -                 "
                     "                NVIDIA H100 80GB HBM3\n"
                     "  1.7  given     -      -  40GiB      -     -  101 (hook)        "
                     "                3g.40gb\n");
}

static void
test_on_a_narrow_terminal_the_model_gives_way (void)
{
  assert_devices (80, "GPU    STATE  GPU%    MEM   SIZE  WATTS  TEMP  JOBS\n"
                      "0      busy     93  40GiB  80GiB   612W   63C  101 (cgroup), "
                      "102 (used, +\n"
                      "1      split     0     0B  80GiB      -     -  -\n"
                      "  1.7  given     -      -  40GiB      -     -  101 (hook)\n");
}

static void
test_of_a_job_each_device_has_a_line (void)
{
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_gpu_node ();
  g_autoptr (GArray) parts = NULL;
  g_autofree char *text = NULL;
  guint job;

  g_assert_true (jm_snapshot_find_job (snapshot, "101", &job));
  parts = jm_snapshot_list_gpus (snapshot, job);
  text = jmc_gpu_table_render (snapshot, JM_SUBJECT_KIND_JOB_GPU, parts, 2, 0, FALSE);

  g_assert_cmpstr (
    text, ==,
    "  GPU  GPU%    MEM   SIZE  WATTS  ENERGY  SHARE  KNOWN FROM  MODEL\n"
    "  0      90  30GiB  80GiB      -    5.0J   100%  cgroup      NVIDIA H100 80GB "
    "HBM3\n"
    "  1.7     -      -      -      -       -   100%  hook        3g.40gb\n");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/gpu-table/devices-stand-above-their-instances",
                   test_devices_stand_above_their_instances);
  g_test_add_func ("/gpu-table/on-a-narrow-terminal-the-model-gives-way",
                   test_on_a_narrow_terminal_the_model_gives_way);
  g_test_add_func ("/gpu-table/of-a-job-each-device-has-a-line",
                   test_of_a_job_each_device_has_a_line);

  return g_test_run ();
}
