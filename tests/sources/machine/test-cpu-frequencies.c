/* test-cpu-frequencies.c: how fast busy CPUs run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/machine/jm-machine-private.h"

#include <math.h>

#include "tree.h"

#define ROUND_NS G_GUINT64_CONSTANT (1000000000)

static void
add_cpu (Tree *tree, guint cpu, const char *current, const char *base)
{
  g_autofree char *folder =
    g_strdup_printf ("/sys/devices/system/cpu/cpu%u/cpufreq", cpu);
  g_autofree char *current_path = g_build_filename (folder, "scaling_cur_freq", NULL);
  g_autofree char *base_path = g_build_filename (folder, "base_frequency", NULL);

  tree_write (tree, current_path, current);
  if (base != NULL)
    tree_write (tree, base_path, base);
}

/* A round ends early where reading takes long, as on a busy machine: the ratio of each
 * CPU in the last one that reached it. */
static void
read_rounds (JmCpuFrequencies *frequencies,
             const guint64 *busy_ns,
             guint n_cpus,
             double *ratios)
{
  for (guint i = 0; i < n_cpus; i++)
    ratios[i] = NAN;
  for (guint round = 0; round < 100; round++)
    {
      const double *values =
        jm_cpu_frequencies_read (frequencies, busy_ns, n_cpus, ROUND_NS);

      for (guint i = 0; i < n_cpus; i++)
        if (!isnan (values[i]))
          ratios[i] = values[i];
    }
}

static void
test_reports_busy_cpus_relative_to_the_nominal (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (JmCpuFrequencies) frequencies = NULL;
  const guint64 busy_ns[] = { ROUND_NS, 0, ROUND_NS / 2 };
  double told[3];

  add_cpu (tree, 0, "3000000\n", "2000000\n");
  add_cpu (tree, 1, "800000\n", "2000000\n");
  add_cpu (tree, 2, "1000000\n", "2000000\n");
  frequencies = jm_cpu_frequencies_new (host);
  read_rounds (frequencies, busy_ns, 3, told);

  g_assert_cmpfloat (told[0], ==, 1.5);
  g_assert_true (isnan (told[1]));
  g_assert_cmpfloat (told[2], ==, 0.5);
}

static void
test_takes_turns_on_a_large_machine (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (JmCpuFrequencies) frequencies = NULL;
  guint64 busy_ns[48];
  double told[48];

  for (guint i = 0; i < G_N_ELEMENTS (busy_ns); i++)
    {
      add_cpu (tree, i, "2000000\n", "2000000\n");
      busy_ns[i] = ROUND_NS;
    }
  frequencies = jm_cpu_frequencies_new (host);
  read_rounds (frequencies, busy_ns, G_N_ELEMENTS (busy_ns), told);

  for (guint i = 0; i < G_N_ELEMENTS (busy_ns); i++)
    g_assert_cmpfloat (told[i], ==, 1);
}

static void
test_knows_nothing_of_what_is_no_number (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (JmCpuFrequencies) frequencies = NULL;
  const guint64 busy_ns[] = { ROUND_NS, ROUND_NS, ROUND_NS };
  double told[3];

  add_cpu (tree, 0, "<unknown>\n", "2000000\n");
  add_cpu (tree, 1, "2000000\n", NULL);
  frequencies = jm_cpu_frequencies_new (host);
  read_rounds (frequencies, busy_ns, 3, told);

  for (guint i = 0; i < 3; i++)
    g_assert_true (isnan (told[i]));
}

static void
test_is_silent_on_a_host_without (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (JmCpuFrequencies) frequencies = jm_cpu_frequencies_new (host);
  const guint64 busy_ns[] = { ROUND_NS };

  g_assert_null (jm_cpu_frequencies_read (frequencies, busy_ns, 1, ROUND_NS));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cpu-frequencies/reports-busy-cpus-relative-to-the-nominal",
                   test_reports_busy_cpus_relative_to_the_nominal);
  g_test_add_func ("/cpu-frequencies/takes-turns-on-a-large-machine",
                   test_takes_turns_on_a_large_machine);
  g_test_add_func ("/cpu-frequencies/knows-nothing-of-what-is-no-number",
                   test_knows_nothing_of_what_is_no_number);
  g_test_add_func ("/cpu-frequencies/is-silent-on-a-host-without",
                   test_is_silent_on_a_host_without);

  return g_test_run ();
}
