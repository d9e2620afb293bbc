/* test-estimate-source.c: energy by a model, where there is no meter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "host/jm-host-private.h"
#include "sources/power/jm-power-types-private.h"

#include <string.h>

#include "answers.h"
#include "base/jm-error.h"
#include "host/jm-topology-private.h"
#include "sources/power/jm-estimate-parts-private.h"
#include "tree.h"

#define SECOND_US G_USEC_PER_SEC
#define UJ 1000000ULL

#define TABLE                                                                          \
 "[Memory]\nWattsPerGiB=0.5\n"                                                         \
 "[Generic]\nIdleWattsPerCore=1\nBusyWattsPerCore=2\nThreadsPerCore=2\n"               \
 "[Lake]\nVendor=GenuineIntel\nFamily=6\nModels=106;108\n"                             \
 "IdleWattsPerCore=3\nBusyWattsPerCore=9\nThreadsPerCore=2\n"

/* Two sockets of one core each, of two threads. */
static const JmCpuSeat seats[] = { { 0, 0, 0, 0 },
                                   { 1, 1, 0, 0 },
                                   { 2, 0, 0, 0 },
                                   { 3, 1, 0, 0 } };

static JmEstimateModel *
make_model (void)
{
  g_autoptr (GArray) array = g_array_new (FALSE, FALSE, sizeof (JmCpuSeat));
  JmEstimateModel *model;

  g_array_append_vals (array, seats, G_N_ELEMENTS (seats));
  model = jm_estimate_model_new (array, 4);
  jm_estimate_model_set_watts (model, 2, 10);

  return model;
}

static void
step (JmEstimateModel *model, gint64 now_us, const guint64 ticks[4])
{
  g_autoptr (GArray) array = g_array_new (FALSE, FALSE, sizeof (guint64));

  g_array_append_vals (array, ticks, 4);
  jm_estimate_model_step (model, array, now_us);
}

static void
assert_model (JmEstimateModel *model, guint64 first_uj, guint64 second_uj)
{
  g_assert_cmpuint (jm_estimate_model_count_packages (model), ==, 2);
  g_assert_cmpuint (jm_estimate_model_get_energy_uj (model, 0), ==, first_uj);
  g_assert_cmpuint (jm_estimate_model_get_energy_uj (model, 1), ==, second_uj);
}

static void
test_an_idle_core_takes_its_watts_by_time (void)
{
  g_autoptr (JmEstimateModel) model = make_model ();

  step (model, 5 * SECOND_US, (guint64[]){ 900, 900, 900, 900 });
  assert_model (model, 0, 0);

  step (model, 15 * SECOND_US, (guint64[]){ 900, 900, 900, 900 });
  assert_model (model, 20 * UJ, 20 * UJ);
}

static void
test_a_core_is_busy_when_all_its_threads_are (void)
{
  g_autoptr (JmEstimateModel) model = make_model ();

  step (model, 0, (guint64[]){ 0, 0, 0, 0 });
  step (model, 10 * SECOND_US, (guint64[]){ 1000, 1000, 1000, 0 });

  assert_model (model, 100 * UJ, 60 * UJ);
}

static void
test_many_short_steps_are_one_long_one (void)
{
  g_autoptr (JmEstimateModel) model = make_model ();

  for (guint64 i = 0; i <= 1000; i++)
    step (model, (gint64) i * SECOND_US / 100, (guint64[]){ i, 0, i, i / 2 });

  assert_model (model, 100 * UJ, 40 * UJ);
}

static void
test_a_cpu_is_not_busy_for_longer_than_it_had_time (void)
{
  g_autoptr (JmEstimateModel) model = make_model ();

  step (model, 0, (guint64[]){ 0, 0, 0, 0 });
  step (model, SECOND_US, (guint64[]){ 1000000, 0, 0, 0 });

  /* 2 J, and 4 W for one second and two ticks */
  assert_model (model, 6080000, 2 * UJ);
}

static void
test_a_cpu_that_was_away_goes_on (void)
{
  g_autoptr (JmEstimateModel) model = make_model ();

  step (model, 0, (guint64[]){ 500, 500, 0, 0 });
  step (model, SECOND_US, (guint64[]){ 0, 500, 0, 0 });
  step (model, 2 * SECOND_US, (guint64[]){ 550, 500, 0, 0 });

  assert_model (model, 6 * UJ, 4 * UJ);
}

static gboolean
find (const char *text,
      const char *name,
      const char *vendor,
      int model,
      JmEstimateRow *row,
      GError **error)
{
  JmCpuModel cpu = { .family = 6, .model = model };

  g_strlcpy (cpu.vendor, vendor, sizeof cpu.vendor);

  return jm_estimate_table_find_in ("/table", text, strlen (text), name, &cpu, row,
                                    error);
}

static void
test_the_table_is_asked_by_processor (void)
{
  g_autoptr (GError) error = NULL;
  JmEstimateRow row;

  g_assert_true (find (TABLE, NULL, "GenuineIntel", 108, &row, &error));
  g_assert_cmpfloat (row.busy_watts_per_core, ==, 9);
  g_assert_true (find (TABLE, NULL, "GenuineIntel", 1, &row, &error));
  g_assert_cmpfloat (row.busy_watts_per_core, ==, 2);
  g_assert_true (find (TABLE, NULL, "", JM_CPU_UNKNOWN, &row, &error));
  g_assert_cmpfloat (row.busy_watts_per_core, ==, 2);
  g_assert_true (find (TABLE, "Lake", "", JM_CPU_UNKNOWN, &row, &error));
  g_assert_cmpfloat (row.idle_watts_per_core, ==, 3);
  g_assert_cmpfloat (row.watts_per_gib, ==, 0.5);
  g_assert_no_error (error);
}

static void
test_a_table_that_is_invalid_says_why (void)
{
  static const struct
  {
    const char *text;
    const char *name;
    const char *words;
  } cases[] = {
    { "IdleWattsPerCore", NULL, "/table: " },
    { "[Generic]\nIdleWattsPerCore=1\n", NULL, "Memory" },
    { "[Memory]\nWattsPerGiB=lots\n", NULL, "WattsPerGiB" },
    { "[Memory]\nWattsPerGiB=-1\n", NULL, "WattsPerGiB: not watts" },
    { "[Memory]\nWattsPerGiB=nan\n", NULL, "WattsPerGiB: not watts" },
    { "[Memory]\nWattsPerGiB=1\n[Generic]\nIdleWattsPerCore=1e9\n", NULL,
      "Generic: IdleWattsPerCore: not watts" },
    { "[Memory]\nWattsPerGiB=1\n[Generic]\nIdleWattsPerCore=5\nBusyWattsPerCore=4\n"
      "ThreadsPerCore=1\n",
      NULL, "BusyWattsPerCore is below" },
    { "[Memory]\nWattsPerGiB=1\n[Generic]\nIdleWattsPerCore=5\nBusyWattsPerCore=6\n"
      "ThreadsPerCore=0\n",
      NULL, "ThreadsPerCore: not a number" },
    { TABLE, "Pond", "Pond: no such processor" },
    { TABLE, "Memory", "Memory: no such processor" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      JmEstimateRow row;

      g_assert_false (find (cases[i].text, cases[i].name, "x", 1, &row, &error));
      assert_says (error, JM_ERROR_INVALID, cases[i].words);
    }
}

static void
test_the_built_in_table_is_sound (void)
{
  g_autoptr (JmHost) host = jm_host_new ("/nowhere");
  g_autoptr (JmDataFile) table = jm_data_find (host, "power/estimates.ini", NULL);
  g_autoptr (GBytes) text = jm_data_file_read (table, 0, NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) groups = NULL;

  g_assert_true (g_key_file_load_from_bytes (file, text, G_KEY_FILE_NONE, &error));
  groups = g_key_file_get_groups (file, NULL);
  g_assert_cmpuint (g_strv_length (groups), >, 10);
  for (char **group = groups; *group != NULL; group++)
    {
      JmCpuModel cpu = { 0 };
      JmEstimateRow row = { 0 };

      if (g_str_equal (*group, "Memory"))
        continue;
      jm_estimate_table_find (table, *group, &cpu, &row, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (row.busy_watts_per_core, >, row.idle_watts_per_core);
    }
}

static void
test_processors_report_who_they_are (void)
{
  static const char x86[] = "processor\t: 0\nvendor_id\t: AuthenticAMD\n"
                            "cpu family\t: 25\nmodel\t\t: 17\nmodel name\t: EPYC\n"
                            "flags\t\t: fpu hypervisor sse\n\n"
                            "processor\t: 1\nvendor_id\t: Other\n";
  static const char arm[] = "processor\t: 0\nCPU implementer\t: 0x41\n"
                            "CPU architecture: 8\nCPU part\t: 0xd4f\n\n";
  static const char broken[] = "model: -1\ncpu family: 99999999999999999\n: :\nflags\n";
  JmCpuModel cpu;

  jm_cpu_model_parse (&cpu, x86, strlen (x86));
  g_assert_cmpstr (cpu.vendor, ==, "AuthenticAMD");
  g_assert_cmpint (cpu.family, ==, 25);
  g_assert_cmpint (cpu.model, ==, 17);
  g_assert_true (cpu.is_virtual);

  jm_cpu_model_parse (&cpu, arm, strlen (arm));
  g_assert_cmpstr (cpu.vendor, ==, "0x41");
  g_assert_cmpint (cpu.family, ==, JM_CPU_UNKNOWN);
  g_assert_cmpint (cpu.model, ==, 0xd4f);
  g_assert_false (cpu.is_virtual);

  jm_cpu_model_parse (&cpu, broken, strlen (broken));
  g_assert_cmpstr (cpu.vendor, ==, "");
  g_assert_cmpint (cpu.family, ==, JM_CPU_UNKNOWN);
  g_assert_cmpint (cpu.model, ==, JM_CPU_UNKNOWN);
}

typedef struct
{
  JmHost *host;
  JmEstimateSource *source;
  JmReadings *readings;
} Node;

static JmEstimateSource *
open_source (JmHost *host, double idle, double busy, double gib, GError **error)
{
  return g_initable_new (JM_TYPE_ESTIMATE_SOURCE, NULL, error, "host", host,
                         "idle-watts-per-core", idle, "busy-watts-per-core", busy,
                         "watts-per-gib", gib, NULL);
}

static Node *
node_new (const char *root, double idle, double busy, double gib)
{
  g_autoptr (GError) error = NULL;
  Node *self = g_new0 (Node, 1);

  self->host = jm_host_new (root);
  self->source = open_source (self->host, idle, busy, gib, &error);
  g_assert_no_error (error);
  self->readings = answers_new ();
  g_assert_true (answers_read (self->readings, self->source, &error));

  return self;
}

static Node *
node_new_fixture (const char *fixture, double idle, double busy, double gib)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", fixture, NULL);

  return node_new (root, idle, busy, gib);
}

static void
node_free (Node *self)
{
  g_assert_finalize_object (self->source);
  g_assert_cmpuint (jm_host_get_open_files (self->host), ==, 0);
  g_assert_finalize_object (self->host);
  jm_readings_unref (self->readings);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Node, node_free)

static gboolean
node_has (Node *self, const char *domain)
{
  return answers_have (self->readings, JM_METRIC_NODE_ENERGY, domain);
}

static guint64
node_get (Node *self, const char *domain)
{
  return answers_get (self->readings, JM_METRIC_NODE_ENERGY, domain);
}

static void
test_each_socket_and_memory_have_their_energy (void)
{
  g_autoptr (Node) node = node_new_fixture ("power-hwmon", -1, -1, -1);

  g_assert_true (node_has (node, "package-0"));
  g_assert_true (node_has (node, "package-1"));
  g_assert_true (node_has (node, "dram-0"));
  g_assert_true (jm_power_source_is_estimate (JM_POWER_SOURCE (node->source)));
}

static void
put_socket (Tree *tree, guint number, const char *mem_total)
{
  const char *const files[][2] = {
    { "cpu/cpu%u/topology/physical_package_id", NULL },
    { "cpu/cpu%u/topology/die_id", "0\n" },
    { "cpu/cpu%u/topology/core_id", "0\n" },
    { "node/node%u/cpulist", NULL },
    { "node/node%u/meminfo", mem_total },
  };
  g_autofree char *own = g_strdup_printf ("%u\n", number);
  g_autofree char *digit = g_strdup_printf ("%u", number);

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_auto (GStrv) parts = g_strsplit (files[i][0], "%u", 2);
      g_autofree char *path =
        g_strconcat ("sys/devices/system/", parts[0], digit, parts[1], NULL);

      tree_write (tree, path, files[i][1] != NULL ? files[i][1] : own);
    }
}

static Tree *
make_two_sockets (void)
{
  Tree *tree = tree_new ();

  tree_write (tree, "proc/stat",
              "cpu  0 0 0 0 0 0 0 0 0 0\n"
              "cpu0 0 0 0 0 0 0 0 0 0 0\n"
              "cpu1 0 0 0 0 0 0 0 0 0 0\n");
  tree_write (tree, "proc/meminfo", "MemTotal:       4000000 kB\n");
  tree_write (tree, "sys/devices/system/cpu/online", "0-1\n");
  put_socket (tree, 0, "\nNode 0 MemTotal:       3000000 kB\n");
  put_socket (tree, 1, "\nNode 1 MemTotal:       1000000 kB\n");

  return tree;
}

static double
get_memory_ratio (Node *node)
{
  g_autoptr (GError) error = NULL;

  while (node_get (node, "dram-1") < 100000)
    g_assert_true (answers_read (node->readings, node->source, &error));

  return (double) node_get (node, "dram-0") / (double) node_get (node, "dram-1");
}

static void
test_memory_is_that_of_its_socket (void)
{
  g_autoptr (Tree) tree = make_two_sockets ();
  g_autoptr (Node) node = node_new (tree->root, 1, 2, 100);

  g_assert_cmpfloat_with_epsilon (get_memory_ratio (node), 3, 1e-3);
}

/* One without processors, as behind CXL, is spread over the others. */
static void
test_memory_of_no_socket_is_shared (void)
{
  g_autoptr (Tree) tree = make_two_sockets ();
  g_autoptr (Node) node = NULL;

  tree_write (tree, "sys/devices/system/node/node2/cpulist", "\n");
  tree_write (tree, "sys/devices/system/node/node2/meminfo",
              "Node 2 MemTotal:       8000000 kB\n");
  node = node_new (tree->root, 1, 2, 100);

  g_assert_cmpfloat_with_epsilon (get_memory_ratio (node), 3, 1e-3);
}

static void
test_memory_that_nobody_places_is_shared_alike (void)
{
  g_autoptr (Tree) tree = make_two_sockets ();
  g_autoptr (Node) node = NULL;

  tree_write (tree, "sys/devices/system/node/node0/meminfo", "Node 0 MemTotal: much\n");
  node = node_new (tree->root, 1, 2, 100);

  g_assert_cmpfloat_with_epsilon (get_memory_ratio (node), 1, 1e-3);
}

static void
test_memory_can_be_left_out (void)
{
  g_autoptr (Node) node = node_new_fixture ("power-none", -1, -1, 0);

  g_assert_true (node_has (node, "package-0"));
  g_assert_false (node_has (node, "dram-0"));
}

/* Ratios do not depend on how long it takes, once there is enough to divide. */
static double
node_get_ratio (Node *self)
{
  g_autoptr (GError) error = NULL;

  while (node_get (self, "dram-0") < 10000)
    g_assert_true (answers_read (self->readings, self->source, &error));

  return (double) node_get (self, "package-0") / (double) node_get (self, "dram-0");
}

static void
test_a_virtual_cpu_is_a_thread (void)
{
  g_autoptr (Node) node = node_new_fixture ("power-none", -1, -1, -1);
  double ratio = node_get_ratio (node);

  /* four threads of an Ice Lake at 1.53 W a core, 16 GiB at 0.4 W */
  g_assert_cmpfloat_with_epsilon (ratio, 4 * 1.53 / 2 / (16 * 0.4), 0.05);
}

static void
test_own_figures_are_taken_as_they_are (void)
{
  g_autoptr (Node) node = node_new_fixture ("power-none", 6, 12, 0.75);
  double ratio = node_get_ratio (node);

  g_assert_cmpfloat_with_epsilon (ratio, 4 * 6 / (16 * 0.75), 0.05);
}

static void
test_a_machine_without_topology_is_one_package (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Node) node = NULL;
  g_autoptr (GError) error = NULL;

  tree_make_dir (tree, "proc");
  tree_rewrite (tree, "proc/stat",
                "cpu 0 0 0 0 0 0 0\ncpu0 7 0 0 0 0 0 0\ncpu1 9 0 0 0 0 0 0\n");
  node = node_new (tree->root, 0, 10, -1);
  g_assert_cmpuint (node_get (node, "package-0"), ==, 0);
  g_assert_false (node_has (node, "dram-0"));

  tree_rewrite (tree, "proc/stat",
                "cpu 0 0 0 0 0 0 0\ncpu0 8 0 0 0 0 0 0\ncpu1 10 0 0 9 9 0 0\n");
  g_assert_true (answers_read (node->readings, node->source, &error));
  g_assert_cmpuint (node_get (node, "package-0"), ==, 200000);
}

static void
test_a_broken_stat_is_an_error_and_loses_nothing (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Node) node = NULL;
  g_autoptr (GError) error = NULL;

  tree_make_dir (tree, "proc");
  tree_rewrite (tree, "proc/stat", "cpu0 7 0 0 0 0 0 0\n");
  node = node_new (tree->root, 0, 10, 0);

  tree_rewrite (tree, "proc/stat", "cpu0 7 0 zero\n");
  g_assert_false (answers_read (node->readings, node->source, &error));
  assert_says (error, JM_ERROR_MALFORMED,
               "/proc/stat: no times of CPUs: cpu0 7 0 zero");
  g_clear_error (&error);

  tree_rewrite (tree, "proc/stat", "cpu0 9 0 0 0 0 0 0\n");
  g_assert_true (answers_read (node->readings, node->source, &error));
  g_assert_cmpuint (node_get (node, "package-0"), ==, 200000);
}

static void
test_a_busy_core_takes_no_less_than_an_idle_one (void)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "power-none", NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmEstimateSource) source = open_source (host, 9, 3, -1, &error);

  assert_says (error, JM_ERROR_INVALID, "busy takes 3 W, less than the 9 W");
  g_assert_null (source);
}

static void
test_a_processor_of_no_known_name_is_reported (void)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "power-none", NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmEstimateSource) source =
    g_initable_new (JM_TYPE_ESTIMATE_SOURCE, NULL, &error, "host", host, "cpu",
                    "Puddle", NULL);

  assert_says (error, JM_ERROR_INVALID,
               "estimates.ini (built in): Puddle: no such processor");
  g_assert_null (source);
}

static void
test_without_procfs_there_is_none (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmEstimateSource) source =
    g_initable_new (JM_TYPE_ESTIMATE_SOURCE, NULL, &error, "host", host, NULL);

  assert_says (error, JM_ERROR_ABSENT, "/proc/stat");
  g_assert_null (source);
}

static void
test_this_machine_takes_something (void)
{
  g_autoptr (Node) node = node_new (NULL, -1, -1, -1);

  g_assert_true (node_has (node, "package-0"));
  g_assert_cmpuint (node_get (node, "dram-0"), >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, name) g_test_add_func ("/estimate/" path, name)
  ADD ("an-idle-core-takes-its-watts-by-time",
       test_an_idle_core_takes_its_watts_by_time);
  ADD ("a-core-is-busy-when-all-its-threads-are",
       test_a_core_is_busy_when_all_its_threads_are);
  ADD ("many-short-steps-are-one-long-one", test_many_short_steps_are_one_long_one);
  ADD ("a-cpu-is-not-busy-for-longer-than-it-had-time",
       test_a_cpu_is_not_busy_for_longer_than_it_had_time);
  ADD ("a-cpu-that-was-away-goes-on", test_a_cpu_that_was_away_goes_on);
  ADD ("the-table-is-asked-by-processor", test_the_table_is_asked_by_processor);
  ADD ("a-table-that-is-invalid-says-why", test_a_table_that_is_invalid_says_why);
  ADD ("the-built-in-table-is-sound", test_the_built_in_table_is_sound);
  ADD ("processors-report-who-they-are", test_processors_report_who_they_are);
  ADD ("each-socket-and-memory-have-their-energy",
       test_each_socket_and_memory_have_their_energy);
  ADD ("memory-is-that-of-its-socket", test_memory_is_that_of_its_socket);
  ADD ("memory-of-no-socket-is-shared", test_memory_of_no_socket_is_shared);
  ADD ("memory-that-nobody-places-is-shared-alike",
       test_memory_that_nobody_places_is_shared_alike);
  ADD ("memory-can-be-left-out", test_memory_can_be_left_out);
  ADD ("a-virtual-cpu-is-a-thread", test_a_virtual_cpu_is_a_thread);
  ADD ("own-figures-are-taken-as-they-are", test_own_figures_are_taken_as_they_are);
  ADD ("a-machine-without-topology-is-one-package",
       test_a_machine_without_topology_is_one_package);
  ADD ("a-broken-stat-is-an-error-and-loses-nothing",
       test_a_broken_stat_is_an_error_and_loses_nothing);
  ADD ("a-busy-core-takes-no-less-than-an-idle-one",
       test_a_busy_core_takes_no_less_than_an_idle_one);
  ADD ("a-processor-of-no-known-name-is-reported",
       test_a_processor_of_no_known_name_is_reported);
  ADD ("without-procfs-there-is-none", test_without_procfs_there_is_none);
  ADD ("this-machine-takes-something", test_this_machine_takes_something);

  return g_test_run ();
}
