/* test-doctor-gpus.c: machines with accelerators, and what does not tell of them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "machine.h"

#define CARD "sys/bus/pci/devices/0000:3b:00.0/"

static void
put_card (Machine *self, const char *class, const char *vendor)
{
  machine_put (self, CARD "class", class);
  machine_put (self, CARD "vendor", vendor);
}

static void
test_a_machine_without_accelerators_is_as_good (Machine *self, gconstpointer data)
{
  g_autoptr (GPtrArray) findings = NULL;

  put_card (self, "0x030000\n", "0x102b\n"); /* the console of a BMC */
  findings = machine_examine (self);

  assert_found (findings, "gpu.libraries", JM_SEVERITY_GOOD, "Nothing", NULL);
  g_assert_null (find_finding (findings, "gpu.missing"));
  g_assert_null (find_finding (findings, "gpu.jobs"));
  g_assert_null (find_finding (findings, "gpu.sources"));
}

static void
test_names_what_tells_of_accelerators (void)
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

  g_test_add_func ("/doctor-gpus/names-what-tells-of-accelerators",
                   test_names_what_tells_of_accelerators);
#define ADD(path, function)                                                            \
 g_test_add (path, Machine, NULL, machine_set_up, function, machine_tear_down)
  ADD ("/doctor-gpus/a-machine-without-accelerators-is-as-good",
       test_a_machine_without_accelerators_is_as_good);
  ADD ("/doctor-gpus/misses-the-library-of-a-card", test_misses_the_library_of_a_card);
  ADD ("/doctor-gpus/misses-the-module-of-a-card", test_misses_the_module_of_a_card);
  ADD ("/doctor-gpus/takes-nonsense-on-the-bus-for-no-card",
       test_takes_nonsense_on_the_bus_for_no_card);
  ADD ("/doctor-gpus/says-that-a-source-has-nothing-here",
       test_says_that_a_source_has_nothing_here);
  ADD ("/doctor-gpus/names-a-source-that-there-is-not",
       test_names_a_source_that_there_is_not);

  return g_test_run ();
}
