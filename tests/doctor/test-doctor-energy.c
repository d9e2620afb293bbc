/* test-doctor-energy.c: machines whose energy is not measured, and why
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine.h"

#define CPU_OF_SERVER "vendor_id\t: GenuineIntel\nflags\t\t: fpu vme\n"
#define ZONE "sys/class/powercap/intel-rapl:0/"

static void
test_names_what_measures_energy (void)
{
  g_autoptr (GPtrArray) server = examine_fixture ("power-rapl-server");
  g_autoptr (GPtrArray) metered = examine_fixture ("power-hwmon");
  g_autoptr (GPtrArray) cray = examine_fixture ("power-cray");

  assert_found (server, "power.meters", JM_SEVERITY_GOOD,
                "rapl-powercap (package-0, dram-0, package-1, dram-1)", NULL);
  assert_found (metered, "power.meters", JM_SEVERITY_GOOD, "hwmon (node, ", NULL);
  assert_found (cray, "power.meters", JM_SEVERITY_GOOD, "cray (node, package, dram)",
                NULL);
}

static void
test_offers_an_estimate_to_a_machine_without_meter (void)
{
  g_autoptr (GPtrArray) virtual = examine_fixture ("power-none");
  g_autoptr (GPtrArray) bare = examine_fixture ("power-rapl-none");

  assert_found (virtual, "power.meters", JM_SEVERITY_NOTE, "virtual machine",
                "--power.source=estimate");
  g_assert_null (find_finding (virtual, "power.missing"));
  assert_found (bare, "power.meters", JM_SEVERITY_NOTE, "Nothing",
                "--power.source=redfish");
}

static void
test_misses_the_module_that_counts (Machine *self, gconstpointer data)
{
  machine_put (self, "proc/cpuinfo", CPU_OF_SERVER);

  assert_examined (self, "power.missing", JM_SEVERITY_NOTE, "sys/class/powercap",
                   "modprobe intel_rapl_msr");
}

static void
test_quotes_a_meter_that_talks_nonsense (Machine *self, gconstpointer data)
{
  machine_put (self, HWMON "power1_average", "many\n");

  assert_examined (self, "power.missing", JM_SEVERITY_NOTE, "many", NULL);
}

static void
test_sees_the_door_to_the_bmc_of_a_copy (Machine *self, gconstpointer data)
{
  machine_put (self, "dev/ipmi0", "");
  machine_take_away (self, HWMON "power1_average");

  assert_examined (self, "power.missing", JM_SEVERITY_NOTE, "no BMC to ask",
                   "the machine itself");
}

/* As another user, since root may read everything. */
static void
examine_counters_of_root (Machine *self)
{
  const uid_t nobody = 65534;

  if (setgroups (0, NULL) != 0 || setresgid (nobody, nobody, nobody) != 0 ||
      setresuid (nobody, nobody, nobody) != 0)
    _exit (99);

  assert_examined (self, "power.missing", JM_SEVERITY_NOTE, "energy_uj", "CAP_PERFMON");
  _exit (0);
}

static void
test_names_the_right_to_counters_of_root (Machine *self, gconstpointer data)
{
  g_autofree char *counter = NULL;
  int status;
  pid_t pid;

  if (geteuid () != 0)
    {
      g_test_skip ("only root can become another user");
      return;
    }

  machine_put (self, "proc/cpuinfo", CPU_OF_SERVER);
  machine_put (self, ZONE "name", "package-0\n");
  machine_put (self, ZONE "max_energy_range_uj", "262143328850\n");
  machine_put (self, ZONE "energy_uj", "1\n");
  counter = g_build_filename (self->tree->root, ZONE "energy_uj", NULL);
  g_assert_cmpint (g_chmod (counter, 0400), ==, 0);
  g_assert_cmpint (g_chmod (self->tree->root, 0755), ==, 0);

  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    examine_counters_of_root (self);

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

static void
put_zone (Machine *self, const char *zone, const char *name, const char *range)
{
  const char *const files[][2] = {
    { "name", name },
    { "max_energy_range_uj", range },
    { "energy_uj", "1\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path =
        g_strconcat ("sys/class/powercap/", zone, "/", files[i][0], NULL);

      machine_put (self, path, files[i][1]);
    }
}

static void
test_names_the_socket_that_cannot_be_read (Machine *self, gconstpointer data)
{
  put_zone (self, "intel-rapl:0", "package-0\n", "262143328850\n");
  put_zone (self, "intel-rapl:1", "package-1\n", "0\n");

  assert_examined (self, "power.meters", JM_SEVERITY_GOOD, "rapl-powercap (package-0)",
                   NULL);
  assert_examined (self, "power.missing", JM_SEVERITY_NOTE,
                   "rapl-powercap: package-1 missing: ", NULL);
}

static void
assert_configured (Machine *self,
                   const char *source,
                   JmSeverity severity,
                   const char *seen,
                   const char *remedy)
{
  self->source = source;
  assert_examined (self, "power.sources", severity, seen, remedy);
}

static void
test_tries_the_sources_that_are_configured (Machine *self, gconstpointer data)
{
  machine_put (self, "run/watts", "node 312.5 W\n");

  assert_configured (self, "hwmon", JM_SEVERITY_GOOD, "hwmon: reports node", NULL);
  assert_configured (self, "file,path=/run/watts", JM_SEVERITY_GOOD, "reports node",
                     NULL);
  assert_configured (self, "rapl-powercap", JM_SEVERITY_PROBLEM, "powercap",
                     "modprobe");
  assert_configured (self, "wattmeter", JM_SEVERITY_PROBLEM,
                     "not one of those that there are", "manual");
  assert_configured (self, "ipmi,interval=soon", JM_SEVERITY_PROBLEM,
                     "not a value of interval: soon", "manual");
}

static void
test_runs_no_program_that_is_configured (Machine *self, gconstpointer data)
{
  assert_configured (self, "command,command=/no/such/meter -x", JM_SEVERITY_PROBLEM,
                     "/no/such/meter: no such program", "manual");
  assert_configured (self, "command,command=touch touched", JM_SEVERITY_GOOD,
                     "it was not asked", NULL);
  g_assert_false (g_file_test ("touched", G_FILE_TEST_EXISTS));
}

static void
test_looks_at_passwords_and_asks_no_bmc (Machine *self, gconstpointer data)
{
  const char *bmc = "redfish,url=https://127.0.0.1:1,credentials-file=/etc/bmc";
  g_autofree char *secret = NULL;

  machine_put (self, "etc/bmc", "username=monitor\npassword=secret\n");
  secret = g_build_filename (self->tree->root, "etc/bmc", NULL);
  g_assert_cmpint (g_chmod (secret, 0644), ==, 0);
  assert_configured (self, bmc, JM_SEVERITY_PROBLEM, "0644", "0640");

  g_assert_cmpint (g_chmod (secret, 0640), ==, 0);
  assert_configured (self, bmc, JM_SEVERITY_GOOD, "it was not asked", NULL);
  assert_configured (self, "redfish,url=https://127.0.0.1:1", JM_SEVERITY_PROBLEM,
                     "credentials-file: must be set", "manual");
}

static void
test_says_that_the_worlds_average_counts (Machine *self, gconstpointer data)
{
  self->provider = NULL;

  assert_examined (self, "emissions.providers", JM_SEVERITY_NOTE, "world's average",
                   "owid,zone=");
}

static void
test_looks_at_providers_and_their_tokens (Machine *self, gconstpointer data)
{
  g_autofree char *token = NULL;

  self->provider = "owid,zone=ATLANTIS";
  assert_examined (self, "emissions.providers", JM_SEVERITY_PROBLEM, "ATLANTIS",
                   "manual");

  self->provider = "electricity-maps,zone=DE,token-file=/etc/token";
  machine_put (self, "etc/token", "abcdef\n");
  token = g_build_filename (self->tree->root, "etc/token", NULL);
  g_assert_cmpint (g_chmod (token, 0666), ==, 0);
  assert_examined (self, "emissions.providers", JM_SEVERITY_PROBLEM, "0666", "0640");

  g_assert_cmpint (g_chmod (token, 0600), ==, 0);
  assert_examined (self, "emissions.providers", JM_SEVERITY_GOOD,
                   "the provider was not asked", NULL);
}

static void
test_names_a_fallback_that_is_never_used (Machine *self, gconstpointer data)
{
  self->provider = "rte";
  self->fallback = "owid,zone=FR";
  assert_examined (self, "emissions.providers", JM_SEVERITY_NOTE,
                   "owid,zone=FR: never used", "scope");

  self->fallback = "fixed,factor=40,scope=direct";
  assert_examined (self, "emissions.providers", JM_SEVERITY_GOOD,
                   "the provider was not asked", NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test) g_test_add_func ("/doctor-energy/" path, test)
#define ADD_MACHINE(path, test)                                                        \
 g_test_add ("/doctor-energy/" path, Machine, NULL, machine_set_up, test,              \
             machine_tear_down)

  ADD ("meters", test_names_what_measures_energy);
  ADD ("no-meter", test_offers_an_estimate_to_a_machine_without_meter);
  ADD_MACHINE ("no-module", test_misses_the_module_that_counts);
  ADD_MACHINE ("nonsense-meter", test_quotes_a_meter_that_talks_nonsense);
  ADD_MACHINE ("bmc", test_sees_the_door_to_the_bmc_of_a_copy);
  ADD_MACHINE ("counters-of-root", test_names_the_right_to_counters_of_root);
  ADD_MACHINE ("unread-socket", test_names_the_socket_that_cannot_be_read);
  ADD_MACHINE ("power-sources", test_tries_the_sources_that_are_configured);
  ADD_MACHINE ("programs", test_runs_no_program_that_is_configured);
  ADD_MACHINE ("passwords", test_looks_at_passwords_and_asks_no_bmc);
  ADD_MACHINE ("average", test_says_that_the_worlds_average_counts);
  ADD_MACHINE ("tokens", test_looks_at_providers_and_their_tokens);
  ADD_MACHINE ("fallbacks", test_names_a_fallback_that_is_never_used);

  return g_test_run ();
}
