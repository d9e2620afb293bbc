/* test-doctor-gpus.c: machines with accelerators, and what does not report them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "machine.h"

#define CARD "sys/bus/pci/devices/0000:3b:00.0/"
#define DRIVEN_CARD "sys/class/drm/card0/device/"
#define GRANT "SLURM_JOB_GPUS=0"

static void
put_card (Machine *self, const char *class, const char *vendor)
{
  machine_put (self, CARD "class", class);
  machine_put (self, CARD "vendor", vendor);
}

static void
put_driven_card (Machine *self)
{
  machine_put (self, DRIVEN_CARD "uevent",
               "DRIVER=amdgpu\nPCI_SLOT_NAME=0000:3b:00.0\n");
  machine_put (self, DRIVEN_CARD "gpu_busy_percent", "5\n");
}

static void
test_a_machine_without_accelerators_is_as_good (Machine *self, gconstpointer data)
{
  g_autoptr (GPtrArray) findings = NULL;

  put_card (self, "0x030000\n", "0x102b\n"); /* the console of a BMC */
  findings = machine_examine (self);

  assert_found (findings, "gpu.libraries", JM_SEVERITY_GOOD,
                "No library or driver here", NULL);
  g_assert_null (find_finding (findings, "gpu.missing"));
  g_assert_null (find_finding (findings, "gpu.jobs"));
  g_assert_null (find_finding (findings, "gpu.sources"));
}

static void
test_names_what_reports_accelerators (void)
{
  g_autoptr (GPtrArray) findings = examine_fixture ("gpu-amd");

  assert_found (findings, "gpu.libraries", JM_SEVERITY_GOOD,
                "amdgpu: 2 devices: AMD INSTINCT MI210, driver ", NULL);
  g_assert_null (find_finding (findings, "gpu.missing"));
}

static void
test_misses_the_library_of_a_card (Machine *self, gconstpointer data)
{
  put_card (self, "0x030200\n", "0x10de\n");

  assert_examined (self, "gpu.missing", JM_SEVERITY_NOTE, "0000:3b:00.0",
                   "libnvidia-ml.so.1");
}

static void
test_misses_the_module_of_a_card (Machine *self, gconstpointer data)
{
  put_card (self, "0x120000\n", "0x1002\n");

  assert_examined (self, "gpu.missing", JM_SEVERITY_NOTE, "0000:3b:00.0",
                   "modprobe amdgpu");
}

static void
test_takes_nonsense_on_the_bus_for_no_card (Machine *self, gconstpointer data)
{
  g_autoptr (GPtrArray) findings = NULL;

  put_card (self, "0x030200", "many\n");
  findings = machine_examine (self);

  g_assert_null (find_finding (findings, "gpu.missing"));
}

static void
test_warns_of_devices_by_a_users_word (Machine *self, gconstpointer data)
{
  static const char *const environment[] = { "SLURM_JOB_ID=7", GRANT, NULL };

  put_driven_card (self);
  machine_put_process (self, environment);

  assert_examined (self, "gpu.jobs", JM_SEVERITY_NOTE, "amd0 of job 7",
                   "ConstrainDevices=yes");
}

static void
test_takes_the_word_of_a_hook (Machine *self, gconstpointer data)
{
  put_driven_card (self);
  machine_put (self, HOOKS "7", PROPERTIES GRANT "\n");

  assert_examined (self, "gpu.jobs", JM_SEVERITY_GOOD, "root's word", NULL);
}

static void
test_knows_devices_of_a_configured_source (Machine *self, gconstpointer data)
{
  g_autoptr (GPtrArray) findings = NULL;

  self->gpus = "amdgpu,interval=1";
  put_driven_card (self);
  findings = machine_examine (self);

  assert_found (findings, "gpu.sources", JM_SEVERITY_GOOD,
                "amdgpu,interval=1: 1 device", NULL);
}

static void
test_names_a_source_that_there_is_not (Machine *self, gconstpointer data)
{
  self->gpus = "nonsense,interval=1";

  assert_examined (self, "gpu.sources", JM_SEVERITY_PROBLEM, "nonsense",
                   "Correct the setting");
}

static void
test_says_that_a_source_has_nothing_here (Machine *self, gconstpointer data)
{
  self->gpus = "amdgpu";

  assert_examined (self, "gpu.sources", JM_SEVERITY_PROBLEM, "amdgpu: ", NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/doctor-gpus/names-what-reports-accelerators",
                   test_names_what_reports_accelerators);
#define ADD(path, function)                                                            \
 g_test_add (path, Machine, NULL, machine_set_up, function, machine_tear_down)
  ADD ("/doctor-gpus/a-machine-without-accelerators-is-as-good",
       test_a_machine_without_accelerators_is_as_good);
  ADD ("/doctor-gpus/misses-the-library-of-a-card", test_misses_the_library_of_a_card);
  ADD ("/doctor-gpus/misses-the-module-of-a-card", test_misses_the_module_of_a_card);
  ADD ("/doctor-gpus/takes-nonsense-on-the-bus-for-no-card",
       test_takes_nonsense_on_the_bus_for_no_card);
  ADD ("/doctor-gpus/warns-of-devices-by-a-users-word",
       test_warns_of_devices_by_a_users_word);
  ADD ("/doctor-gpus/takes-the-word-of-a-hook", test_takes_the_word_of_a_hook);
  ADD ("/doctor-gpus/knows-devices-of-a-configured-source",
       test_knows_devices_of_a_configured_source);
  ADD ("/doctor-gpus/says-that-a-source-has-nothing-here",
       test_says_that_a_source_has_nothing_here);
  ADD ("/doctor-gpus/names-a-source-that-there-is-not",
       test_names_a_source_that_there_is_not);

  return g_test_run ();
}
