/* test-node-energy.c: what a node's jobs have of its energy
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "base/jm-error.h"
#include "core/jm-collector-set.h"
#include "core/jm-gpu-private.h"
#include "core/jm-snapshot-private.h"
#include "fake-energy.h"
#include "fake-gpus.h"
#include "fake-sources.h"
#include "node/jm-node.h"
#include "tree.h"

/* A node of made-up cgroups and meters on a host that has nothing else. */
typedef struct
{
  JmHost *host;
  FakeReader *cgroups;
  FakeJobs *jobs;
  FakeMeter *meter;
  FakeGpus *gpus;
  JmNode *node;
  char *folder; /* the root, which has nothing but: */
  char *run;
  char *file; /* that the node writes the accounts to */
} Fixture;

static void
open_node_with (Fixture *f, const JmCollectorSet *collectors)
{
  const char *const none[] = { NULL };
  const char *const files[] = { f->file, NULL };
  g_autoptr (GError) error = NULL;

  f->node = g_initable_new (JM_TYPE_NODE, NULL, &error, "host", f->host, "schedulers",
                            none, "emission-providers", none, "energy-files", files,
                            "collectors", collectors, NULL);
  g_assert_no_error (error);
  jm_node_publish (f->node);
  jm_node_add_source (f->node, JM_SOURCE (f->jobs));
  jm_node_add_source (f->node, JM_SOURCE (f->cgroups));
}

static void
open_node (Fixture *f)
{
  open_node_with (f, jm_collector_set_get_all ());
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->folder = g_dir_make_tmp ("node-energy-XXXXXX", NULL);
  f->run = g_build_filename (f->folder, "run", "jobmetrics-exporter", NULL);
  f->file = g_build_filename (f->run, "energy.json", NULL);
  g_assert_cmpint (g_mkdir_with_parents (f->run, 0755), ==, 0);
  f->host = jm_host_new (f->folder);
  f->jobs = fake_jobs_new (f->host);
  f->cgroups = fake_reader_new (f->host);
  f->meter = fake_meter_new (f->host);
  f->gpus = fake_gpus_new (f->host);
  open_node (f);
}

static void
remove_folders (Fixture *f)
{
  g_autofree char *above = g_path_get_dirname (f->run);

  g_unlink (f->file);
  g_rmdir (f->run);
  g_rmdir (above);
  g_rmdir (f->folder);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_clear_object (&f->node);
  g_clear_object (&f->gpus);
  g_clear_object (&f->meter);
  g_clear_object (&f->cgroups);
  g_clear_object (&f->jobs);
  g_clear_object (&f->host);
  remove_folders (f);
  g_free (f->file);
  g_free (f->run);
  g_free (f->folder);
}

/* Energy is of an interval, which has to have some length. */
static JmSnapshot *
sample (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  gint64 end_us = g_get_monotonic_time () + 2000;
  JmSnapshot *snapshot;

  while (g_get_monotonic_time () < end_us)
    g_thread_yield ();
  snapshot = jm_node_sample (f->node, NULL, &error);
  g_assert_no_error (error);

  return snapshot;
}

/* Values stand between blanks; energy that is not said to be estimated is measured. */
static JmLabels *
make_labels (JmMetric metric, const char *text)
{
  g_autofree char *measured = g_strconcat (text, " ", JM_QUALITY_MEASURED, NULL);
  g_auto (GStrv) values = g_strsplit (text, " ", -1);

  if (g_strv_length (values) + 1 == jm_metric_get_info (metric)->n_labels)
    {
      g_strfreev (values);
      values = g_strsplit (measured, " ", -1);
    }

  return jm_labels_new ((const char *const *) values);
}

static double
get_value (JmSnapshot *snapshot, guint subject, JmMetric metric, const char *text)
{
  g_autoptr (JmLabels) labels = make_labels (metric, text);
  double value;

  return jm_snapshot_get_labelled_metric (snapshot, subject, metric, labels, &value)
           ? value
           : NAN;
}

static double
get_of_job (JmSnapshot *snapshot, const char *id, JmMetric metric, const char *label)
{
  guint subject;

  g_assert_true (jm_snapshot_find_job (snapshot, id, &subject));

  return get_value (snapshot, subject, metric, label);
}

static double
get_of_node (JmSnapshot *snapshot, JmMetric metric, const char *label)
{
  return get_value (snapshot, JM_NODE_SUBJECT, metric, label);
}

static double
get_of_part (JmSnapshot *snapshot, JmSubjectKind kind, const char *label)
{
  guint subject;

  g_assert_true (jm_snapshot_find_subject (snapshot, kind, &subject));

  return get_value (snapshot, subject, JM_METRIC_ENERGY, label);
}

/* All of one domain: the jobs', the system's and nobody's. */
static double
sum_up (JmSnapshot *snapshot, const char *domain)
{
  double sum = get_of_part (snapshot, JM_SUBJECT_KIND_SYSTEM, domain) +
               get_of_part (snapshot, JM_SUBJECT_KIND_IDLE, domain);

  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_JOB)
      sum += get_value (snapshot, i, JM_METRIC_ENERGY, domain);

  return sum;
}

/* Two jobs, of which the first worked twice as much between two sweeps. */
static JmSnapshot *
work (Fixture *f, guint64 energy_uj)
{
  g_autoptr (JmSnapshot) before = NULL;

  fake_reader_set_cpu (f->cgroups, "/job_1", 10);
  fake_reader_set_cpu (f->cgroups, "/job_2", 10);
  before = sample (f);

  fake_reader_set_cpu (f->cgroups, "/job_1", 12);
  fake_reader_set_cpu (f->cgroups, "/job_2", 11);
  fake_meter_set_energy (f->meter, "package-0", energy_uj);

  return sample (f);
}

/* Energy is divided by what the jobs made of the CPUs, whether that is asked for too or
 * not; only what is asked for is handed out. */
static void
test_shares_it_alike_where_energy_alone_is_asked_for (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;
  double cpu_seconds;
  guint subject;

  g_clear_object (&f->node);
  open_node_with (f, JM_COLLECTOR_SET (JM_COLLECTOR_POWER));
  fake_meter_set_energy (f->meter, "package-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  snapshot = work (f, 9000001);

  g_assert_cmpfloat (get_of_job (snapshot, "1", JM_METRIC_ENERGY, "package"), >,
                     get_of_job (snapshot, "2", JM_METRIC_ENERGY, "package"));
  g_assert_cmpfloat (get_of_job (snapshot, "2", JM_METRIC_ENERGY, "package"), >, 0);
  g_assert_true (jm_snapshot_find_job (snapshot, "1", &subject));
  g_assert_false (
    jm_snapshot_get_metric (snapshot, subject, JM_METRIC_CPU_TOTAL, &cpu_seconds));
  g_assert_false (jm_snapshot_is_collected (snapshot, JM_COLLECTOR_CPU));
}

static void
test_shares_what_was_measured (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_meter_set_energy (f->meter, "package-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  snapshot = work (f, 9000001);

  g_assert_cmpfloat (get_of_node (snapshot, JM_METRIC_NODE_ENERGY,
                                  "FakeMeter package-0"),
                     ==, 9.000001);
  g_assert_cmpfloat_with_epsilon (sum_up (snapshot, "package"), 9.000001, 1e-9);
  g_assert_cmpfloat (get_of_job (snapshot, "1", JM_METRIC_ENERGY, "package"), >,
                     get_of_job (snapshot, "2", JM_METRIC_ENERGY, "package"));
  g_assert_cmpfloat (get_of_job (snapshot, "2", JM_METRIC_ENERGY, "package"), >, 0);
}

static void
test_reports_power_and_for_how_long_it_knew (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;
  double seconds;
  double joules;

  fake_meter_set_energy (f->meter, "package-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  snapshot = work (f, 9000);

  seconds = get_of_job (snapshot, "1", JM_METRIC_ENERGY_COVERED, "package");
  joules = get_of_job (snapshot, "1", JM_METRIC_ENERGY, "package");
  g_assert_cmpfloat (seconds, >=, 0.002);
  g_assert_cmpfloat_with_epsilon (get_of_job (snapshot, "1", JM_METRIC_POWER,
                                              "package"),
                                  joules / seconds, 1e-5);
}

static void
test_knows_nothing_of_before_the_first_sweep (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_reader_set_cpu (f->cgroups, "/job_1", 10);
  fake_meter_set_energy (f->meter, "package-0", 5000000);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  snapshot = sample (f);

  g_assert_true (isnan (get_of_job (snapshot, "1", JM_METRIC_ENERGY, "package")));
  g_assert_true (isnan (get_of_part (snapshot, JM_SUBJECT_KIND_IDLE, "package")));
}

static void
test_takes_the_parts_out_of_the_whole (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_meter_set_energy (f->meter, "node", 0);
  fake_meter_set_energy (f->meter, "package-0", 0);
  fake_meter_set_energy (f->meter, "core-0", 0);
  fake_meter_set_energy (f->meter, "dram-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  first = sample (f);
  fake_meter_set_energy (f->meter, "node", 20000000);
  fake_meter_set_energy (f->meter, "package-0", 9000000);
  fake_meter_set_energy (f->meter, "core-0", 6000000);
  fake_meter_set_energy (f->meter, "dram-0", 3000000);
  snapshot = sample (f);

  g_assert_cmpfloat_with_epsilon (sum_up (snapshot, "package"), 9, 1e-9);
  g_assert_cmpfloat_with_epsilon (sum_up (snapshot, "dram"), 3, 1e-9);
  g_assert_cmpfloat_with_epsilon (sum_up (snapshot, "rest"), 8, 1e-9);
  g_assert_true (isnan (get_of_part (snapshot, JM_SUBJECT_KIND_IDLE, "node")));
  g_assert_true (isnan (get_of_part (snapshot, JM_SUBJECT_KIND_IDLE, "core")));
}

static void
test_adds_up_the_dies_of_a_socket (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_meter_set_energy (f->meter, "package-0-die-0", 0);
  fake_meter_set_energy (f->meter, "package-0-die-1", 0);
  fake_meter_set_energy (f->meter, "package-1-die-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  first = sample (f);
  fake_meter_set_energy (f->meter, "package-0-die-0", 1000000);
  fake_meter_set_energy (f->meter, "package-0-die-1", 2000000);
  fake_meter_set_energy (f->meter, "package-1-die-0", 4000000);
  snapshot = sample (f);

  g_assert_cmpfloat_with_epsilon (sum_up (snapshot, "package"), 7, 1e-9);
}

static void
test_counts_nothing_twice_that_two_meters_show (Fixture *f, gconstpointer data)
{
  g_autoptr (FakeMeter) other = fake_meter_new (f->host);
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_meter_set_energy (f->meter, "package-0", 0);
  fake_meter_set_energy (f->meter, "package-1", 0);
  fake_meter_set_energy (other, "package", 0);
  fake_meter_set_energy (other, "package-1-die-0", 0);
  fake_meter_set_energy (other, "package-1", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  jm_node_add_source (f->node, JM_SOURCE (other));
  first = sample (f);
  fake_meter_set_energy (f->meter, "package-0", 1000000);
  fake_meter_set_energy (f->meter, "package-1", 2000000);
  fake_meter_set_energy (other, "package", 3100000);
  fake_meter_set_energy (other, "package-1-die-0", 2100000);
  fake_meter_set_energy (other, "package-1", 2100000);
  snapshot = sample (f);

  g_assert_cmpfloat_with_epsilon (sum_up (snapshot, "package"), 3, 1e-9);
}

static void
test_waits_for_a_meter_that_lags_behind (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) behind = NULL;
  g_autoptr (JmSnapshot) again = NULL;

  fake_meter_set_energy (f->meter, "node", 0);
  fake_meter_set_energy (f->meter, "package-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  first = sample (f);
  fake_meter_set_energy (f->meter, "node", 1000);
  fake_meter_set_energy (f->meter, "package-0", 1400);
  behind = sample (f);
  fake_meter_set_energy (f->meter, "node", 3000);
  fake_meter_set_energy (f->meter, "package-0", 2000);
  again = sample (f);

  g_assert_cmpfloat_with_epsilon (sum_up (behind, "rest"), 0, 1e-9);
  g_assert_cmpfloat_with_epsilon (sum_up (again, "rest"), 0.001, 1e-9);
}

static void
test_adds_up_the_power_that_a_meter_shows (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) second = NULL;
  double joules;

  fake_meter_set_power (f->meter, "node", 300000000);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  first = sample (f);
  second = sample (f);

  joules = get_of_node (second, JM_METRIC_NODE_ENERGY, "FakeMeter node");
  g_assert_cmpfloat (get_of_node (second, JM_METRIC_NODE_POWER, "FakeMeter node"), ==,
                     300);
  g_assert_cmpfloat (joules, >=, 300 * 0.002);
  g_assert_cmpfloat_with_epsilon (sum_up (second, "node"), joules, 1e-9);
}

static void
test_calls_an_estimate_so (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_meter_be_an_estimate (f->meter);
  fake_meter_set_energy (f->meter, "package-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  snapshot = work (f, 6000000);

  g_assert_cmpfloat_with_epsilon (sum_up (snapshot, "package estimated"), 6, 1e-9);
  g_assert_true (isnan (get_of_job (snapshot, "1", JM_METRIC_ENERGY, "package")));
}

static void
test_estimates_nothing_that_is_measured (Fixture *f, gconstpointer data)
{
  g_autoptr (FakeMeter) estimate = fake_meter_new (f->host);
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_meter_be_an_estimate (estimate);
  fake_meter_set_power (estimate, "package-0", 77000000);
  fake_meter_set_power (estimate, "node", 99000000);
  fake_meter_set_energy (f->meter, "package-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (estimate));
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  snapshot = work (f, 6000000);

  g_assert_cmpfloat_with_epsilon (sum_up (snapshot, "package"), 6, 1e-9);
  g_assert_true (
    isnan (get_of_job (snapshot, "1", JM_METRIC_ENERGY, "package estimated")));
  g_assert_true (
    isnan (get_of_job (snapshot, "1", JM_METRIC_ENERGY, "node estimated")));
}

static void
test_believes_no_counter_that_goes_back (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) back = NULL;
  g_autoptr (JmSnapshot) on = NULL;

  fake_meter_set_energy (f->meter, "package-0", 8000);
  fake_meter_set_energy (f->meter, "dram-0", 8000);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  first = sample (f);
  fake_meter_set_energy (f->meter, "package-0", 5000);
  fake_meter_set_energy (f->meter, "dram-0", 9000);
  back = sample (f);
  fake_meter_set_energy (f->meter, "package-0", 5500);
  on = sample (f);

  g_assert_true (isnan (get_of_part (back, JM_SUBJECT_KIND_IDLE, "package")));
  g_assert_cmpfloat_with_epsilon (sum_up (back, "dram"), 0.001, 1e-9);
  g_assert_error (jm_snapshot_get_error (back, JM_COLLECTOR_POWER), JM_ERROR,
                  JM_ERROR_MALFORMED);
  g_assert_nonnull (strstr (jm_snapshot_get_error (back, JM_COLLECTOR_POWER)->message,
                            "FakeMeter, package-0"));
  g_assert_cmpfloat_with_epsilon (sum_up (on, "package"), 0.0005, 1e-9);
}

/* All ones, as a meter says that has measured nothing. */
static void
test_believes_no_power_that_cannot_be (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) wrong = NULL;
  g_autoptr (JmSnapshot) after = NULL;
  g_autoptr (JmSnapshot) second = NULL;

  fake_meter_set_power (f->meter, "node", 300000000);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  first = sample (f);
  fake_meter_set_power (f->meter, "node", 65535000000);
  wrong = sample (f);
  fake_meter_set_power (f->meter, "node", 300000000);
  after = sample (f);
  second = sample (f);

  g_assert_cmpfloat (get_of_node (wrong, JM_METRIC_NODE_POWER_DOMAIN_UP,
                                  "FakeMeter node"),
                     ==, 0);
  g_assert_nonnull (
    strstr (jm_snapshot_get_error (wrong, JM_COLLECTOR_POWER)->message, "cannot be"));
  g_assert_cmpfloat (get_of_node (after, JM_METRIC_NODE_ENERGY, "FakeMeter node"), ==,
                     0);
  g_assert_cmpfloat (get_of_node (second, JM_METRIC_NODE_ENERGY, "FakeMeter node"), >,
                     0);
}

static void
test_goes_on_without_a_source_that_is_down (Fixture *f, gconstpointer data)
{
  g_autoptr (FakeMeter) other = fake_meter_new (f->host);
  g_autoptr (JmSnapshot) snapshot = NULL;
  double up;

  fake_meter_set_energy (f->meter, "package-0", 0);
  fake_meter_fail (other, "the BMC hangs");
  jm_node_add_source (f->node, JM_SOURCE (other));
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  snapshot = work (f, 3000000);

  up = get_of_node (snapshot, JM_METRIC_NODE_POWER_SOURCE_UP, "FakeMeter");
  g_assert_cmpfloat (up, ==, 0);
  g_assert_cmpfloat_with_epsilon (sum_up (snapshot, "package"), 3, 1e-9);
  g_assert_cmpstr (jm_snapshot_get_error (snapshot, JM_COLLECTOR_POWER)->message, ==,
                   "power source FakeMeter: the BMC hangs");
}

static void
test_names_a_domain_that_has_gone (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) gone = NULL;
  g_autoptr (JmSnapshot) back = NULL;

  fake_meter_set_energy (f->meter, "package-0", 0);
  fake_meter_set_energy (f->meter, "package-1", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  first = sample (f);
  fake_meter_lose (f->meter, "package-1");
  gone = sample (f);
  fake_meter_set_energy (f->meter, "package-1", 0);
  back = sample (f);

  g_assert_cmpfloat (get_of_node (gone, JM_METRIC_NODE_POWER_SOURCE_UP, "FakeMeter"),
                     ==, 1);
  g_assert_cmpfloat (get_of_node (gone, JM_METRIC_NODE_POWER_DOMAIN_UP,
                                  "FakeMeter package-0"),
                     ==, 1);
  g_assert_cmpfloat (get_of_node (gone, JM_METRIC_NODE_POWER_DOMAIN_UP,
                                  "FakeMeter package-1"),
                     ==, 0);
  g_assert_cmpstr (jm_snapshot_get_error (gone, JM_COLLECTOR_POWER)->message, ==,
                   "power source FakeMeter: package-1 missing: could be read before");
  g_assert_cmpfloat (get_of_node (back, JM_METRIC_NODE_POWER_DOMAIN_UP,
                                  "FakeMeter package-1"),
                     ==, 1);
  g_assert_null (jm_snapshot_get_error (back, JM_COLLECTOR_POWER));
}

static void
add_package (Tree *tree)
{
  const char *zone = "sys/class/powercap/intel-rapl:0/";
  const char *const files[][2] = {
    { "name", "package-0\n" },
    { "energy_uj", "1000\n" },
    { "max_energy_range_uj", "262143328850\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_strconcat (zone, files[i][0], NULL);

      tree_write (tree, path, files[i][1]);
    }
}

static void
test_tries_a_source_again_that_was_not_there (void)
{
  const char *const sources[] = { "rapl-powercap", NULL };
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmNode) node = g_initable_new (JM_TYPE_NODE, NULL, &error, "host", host,
                                            "power-sources", sources, NULL);
  g_autoptr (JmSnapshot) absent = NULL;
  g_autoptr (JmSnapshot) there = NULL;

  g_assert_null (error);
  absent = jm_node_sample (node, NULL, NULL);
  add_package (tree);
  for (guint i = 0; i < 12; i++)
    {
      g_clear_pointer (&there, jm_snapshot_unref);
      there = jm_node_sample (node, NULL, NULL);
    }

  g_assert_cmpfloat (get_of_node (absent, JM_METRIC_NODE_POWER_SOURCE_UP,
                                  "rapl-powercap"),
                     ==, 0);
  g_assert_true (jm_snapshot_has_failed (absent, JM_COLLECTOR_POWER));
  g_assert_cmpfloat (get_of_node (there, JM_METRIC_NODE_POWER_SOURCE_UP,
                                  "rapl-powercap"),
                     ==, 1);
  g_assert_false (jm_snapshot_has_failed (there, JM_COLLECTOR_POWER));
}

static void
test_gives_what_was_used_in_silence_to_the_system (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) silent = NULL;
  g_autoptr (JmSnapshot) back = NULL;

  fake_meter_set_energy (f->meter, "package-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  fake_reader_set_cpu (f->cgroups, "/job_1", 1);
  first = sample (f);
  fake_meter_fail (f->meter, "no answer");
  silent = sample (f);
  fake_meter_fail (f->meter, NULL);
  fake_meter_set_energy (f->meter, "package-0", 4000);
  back = sample (f);

  g_assert_true (isnan (get_of_job (silent, "1", JM_METRIC_POWER, "package")));
  g_assert_cmpfloat (get_of_part (back, JM_SUBJECT_KIND_SYSTEM, "package"), >, 0.001);
  g_assert_cmpfloat_with_epsilon (sum_up (back, "package"), 0.004, 1e-9);
}

static void
test_keeps_an_ended_jobs_energy_on_display (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autoptr (JmSnapshot) ended = NULL;
  g_autoptr (JmSnapshot) later = NULL;
  double joules;

  fake_meter_set_energy (f->meter, "package-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  snapshot = work (f, 9000000);
  fake_reader_remove (f->cgroups, "/job_1");
  ended = sample (f);
  joules = get_of_job (ended, "1", JM_METRIC_ENERGY, "package");
  fake_meter_set_energy (f->meter, "package-0", 11000000);
  later = sample (f);

  g_assert_cmpfloat (joules, >=,
                     get_of_job (snapshot, "1", JM_METRIC_ENERGY, "package"));
  g_assert_cmpfloat (get_of_job (later, "1", JM_METRIC_ENERGY, "package"), ==, joules);
  g_assert_true (isnan (get_of_job (later, "1", JM_METRIC_POWER, "package")));
  g_assert_cmpfloat_with_epsilon (sum_up (later, "package"), 11, 1e-9);
}

/* The node ends, and another one begins. */
static JmSnapshot *
start_again (Fixture *f)
{
  jm_node_close (f->node);
  g_clear_object (&f->node);
  open_node (f);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));

  return sample (f);
}

static void
test_goes_on_after_a_restart (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  fake_meter_set_energy (f->meter, "package-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  before = work (f, 9000000);
  after = start_again (f);

  g_assert_cmpfloat (get_of_job (after, "1", JM_METRIC_ENERGY, "package"), ==,
                     get_of_job (before, "1", JM_METRIC_ENERGY, "package"));
  g_assert_cmpfloat_with_epsilon (sum_up (after, "package"), 9, 1e-9);
}

/* A uuid that was made when less was known of the job. */
static void
forget_uuids (Fixture *f)
{
  g_autofree char *text = NULL;
  g_autofree char *changed = NULL;
  g_autoptr (GRegex) uuid = g_regex_new ("\"[0-9a-f]{8}-", 0, 0, NULL);

  g_assert_true (g_file_get_contents (f->file, &text, NULL, NULL));
  changed = g_regex_replace (uuid, text, -1, 0, "\"another-", 0, NULL);
  g_assert_cmpstr (changed, !=, text);
  g_assert_true (g_file_set_contents (f->file, changed, -1, NULL));
}

static void
test_knows_a_job_by_its_id_and_start (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  fake_meter_set_energy (f->meter, "package-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  fake_reader_set_start (f->cgroups, "/job_1", 1700000000);
  fake_reader_set_start (f->cgroups, "/job_2", 1700000000);
  before = work (f, 9000000);
  jm_node_close (f->node);
  forget_uuids (f);
  fake_reader_set_start (f->cgroups, "/job_2", 1700000300);
  after = start_again (f);

  g_assert_cmpfloat (get_of_job (after, "1", JM_METRIC_ENERGY, "package"), ==,
                     get_of_job (before, "1", JM_METRIC_ENERGY, "package"));
  g_assert_true (isnan (get_of_job (after, "2", JM_METRIC_ENERGY, "package")));
}

/* Another program on the same node, without a meter and with nothing to keep. */
static JmNode *
open_reader (Fixture *f)
{
  const char *const none[] = { NULL };
  const char *const files[] = { f->file, NULL };
  g_autoptr (GError) error = NULL;
  JmNode *node =
    g_initable_new (JM_TYPE_NODE, NULL, &error, "host", f->host, "schedulers", none,
                    "power-sources", none, "emission-providers", none, "energy-files",
                    files, NULL);

  g_assert_no_error (error);
  jm_node_add_source (node, JM_SOURCE (f->jobs));
  jm_node_add_source (node, JM_SOURCE (f->cgroups));

  return node;
}

static double
read_joules (JmNode *node)
{
  g_autoptr (JmSnapshot) snapshot = jm_node_sample (node, NULL, NULL);

  return get_of_job (snapshot, "1", JM_METRIC_ENERGY, "package");
}

static void
test_follows_what_another_program_keeps (Fixture *f, gconstpointer data)
{
  g_autoptr (JmNode) reader = open_reader (f);
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) second = NULL;

  g_assert_false (g_file_test (f->file, G_FILE_TEST_EXISTS));
  fake_meter_set_energy (f->meter, "package-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  first = work (f, 9000000);
  g_assert_true (isnan (read_joules (reader)));

  jm_node_close (f->node);
  g_assert_cmpfloat (read_joules (reader), ==,
                     get_of_job (first, "1", JM_METRIC_ENERGY, "package"));

  g_clear_object (&f->node);
  open_node (f);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  second = work (f, 30000000);
  jm_node_close (f->node);
  g_assert_cmpfloat (read_joules (reader), ==,
                     get_of_job (second, "1", JM_METRIC_ENERGY, "package"));
  g_assert_cmpfloat (read_joules (reader), >,
                     get_of_job (first, "1", JM_METRIC_ENERGY, "package"));
}

static void
test_reckons_grams_by_the_factor (Fixture *f, gconstpointer data)
{
  g_autoptr (FakeProvider) provider =
    fake_provider_new (f->host, 360, JM_EMISSION_METHOD_AVERAGE);
  g_autoptr (JmSnapshot) snapshot = NULL;
  double grams;

  fake_meter_set_energy (f->meter, "package-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  jm_node_add_source (f->node, JM_SOURCE (provider));
  jm_node_wait_for_answers (f->node, 10000);
  snapshot = work (f, 90000000);

  grams = get_of_job (snapshot, "1", JM_METRIC_EMISSIONS, "measured");
  g_assert_cmpfloat_with_epsilon (grams,
                                  get_of_job (snapshot, "1", JM_METRIC_ENERGY,
                                              "package") *
                                    1e-4,
                                  2e-6);
  g_assert_cmpfloat (get_of_job (snapshot, "1", JM_METRIC_EMISSIONS_BY_FACTOR,
                                 "fake XX average lifecycle statistic"),
                     ==, grams);
  g_assert_cmpfloat_with_epsilon (get_of_node (snapshot, JM_METRIC_EMISSIONS,
                                               "measured"),
                                  0.009, 1e-6);
}

static void
test_keeps_marginal_emissions_apart (Fixture *f, gconstpointer data)
{
  g_autoptr (FakeProvider) provider =
    fake_provider_new (f->host, 720, JM_EMISSION_METHOD_MARGINAL);
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_meter_set_energy (f->meter, "package-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  jm_node_add_source (f->node, JM_SOURCE (provider));
  jm_node_wait_for_answers (f->node, 10000);
  snapshot = work (f, 90000000);

  g_assert_cmpfloat (get_of_job (snapshot, "1", JM_METRIC_MARGINAL_EMISSIONS,
                                 "measured"),
                     >, 0);
  g_assert_true (isnan (get_of_job (snapshot, "1", JM_METRIC_EMISSIONS, "measured")));
}

static void
test_has_no_such_collector_without_a_meter (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = sample (f);

  g_assert_false (jm_snapshot_is_collected (snapshot, JM_COLLECTOR_POWER));
  g_assert_false (jm_snapshot_is_collected (snapshot, JM_COLLECTOR_EMISSIONS));
}

/* --- accelerators --- */

/* What it has taken so far, by its own counter. */
static void
set_gpu_energy (Fixture *f, const char *gpu, gint64 energy_uj)
{
  fake_gpus_set (f->gpus, gpu, JM_METRIC_GPU_ENERGY, energy_uj);
}

/* A figure of a job and a device together; of the device alone where @job is NULL. */
static double
get_of_gpu (JmSnapshot *snapshot, const char *job, const char *gpu, JmMetric metric)
{
  JmSubjectKind kind = job != NULL ? JM_SUBJECT_KIND_JOB_GPU : JM_SUBJECT_KIND_GPU;
  double value;

  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (jm_snapshot_get_kind (snapshot, i) == kind &&
        g_str_equal (jm_labels_get_value (jm_snapshot_get_subject_labels (snapshot, i),
                                          0),
                     gpu) &&
        (job == NULL || jm_job_is_called (jm_snapshot_get_job (snapshot, i), job)))
      return jm_snapshot_get_metric (snapshot, i, metric, &value) ? value : NAN;

  return NAN;
}

static double
get_of_job_gpu (JmSnapshot *snapshot, const char *job, const char *gpu)
{
  return get_of_gpu (snapshot, job, gpu, JM_METRIC_GPU_ENERGY);
}

static void
add_gpus (Fixture *f, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);
      g_autofree char *uuid = g_strdup_printf ("GPU-%u", i);

      fake_gpus_add (f->gpus, name, uuid, NULL, NULL);
      set_gpu_energy (f, name, 1000000000);
    }
  jm_node_add_source (f->node, JM_SOURCE (f->gpus));
}

static void
test_measures_what_a_library_of_accelerators_reports (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) second = NULL;

  add_gpus (f, 2);
  set_gpu_energy (f, "1", -1);
  fake_gpus_set (f->gpus, "1", JM_METRIC_GPU_POWER, 300000000);
  fake_gpus_add (f->gpus, "0.3", "MIG-3", NULL, "0");
  first = sample (f);
  set_gpu_energy (f, "0", 1005000000);
  second = sample (f);

  g_assert_cmpfloat (get_of_node (second, JM_METRIC_NODE_ENERGY, "FakeGpus gpu-0"), ==,
                     5);
  g_assert_cmpfloat (get_of_node (second, JM_METRIC_NODE_POWER, "FakeGpus gpu-1"), ==,
                     300);
  g_assert_cmpfloat_with_epsilon (sum_up (second, "gpu"),
                                  5 + get_of_node (second, JM_METRIC_NODE_ENERGY,
                                                   "FakeGpus gpu-1"),
                                  1e-9);
}

/* What numbers accelerators in another way may mean any of them: it is in the rest. */
static void
test_takes_no_accelerator_for_another (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) second = NULL;

  fake_meter_set_energy (f->meter, "gpu-0", 0);
  fake_meter_set_energy (f->meter, "gpu-7", 0);
  fake_meter_set_energy (f->meter, "node", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  add_gpus (f, 1);
  first = sample (f);
  fake_meter_set_energy (f->meter, "gpu-0", 3000000);
  fake_meter_set_energy (f->meter, "gpu-7", 2000000);
  fake_meter_set_energy (f->meter, "node", 20000000);
  set_gpu_energy (f, "0", 1002100000);
  second = sample (f);

  g_assert_cmpfloat_with_epsilon (sum_up (second, "gpu"), 2.1, 1e-9);
  g_assert_cmpfloat_with_epsilon (sum_up (second, "rest"), 17.9, 1e-9);
}

/* A counter of a Cray, in joules. */
static void
write_cray (Tree *tree, const char *name, guint joules)
{
  g_autofree char *path = g_strconcat ("sys/cray/pm_counters/", name, NULL);
  g_autofree char *text =
    g_strdup_printf ("%u J %u us\n", 1000000 + joules, 1760003600 + joules);

  tree_write (tree, path, text);
}

/* A Cray's accel0 need not be device 0 of NVIDIA's library; both are among its node. */
static void
test_counts_no_accelerator_of_a_cray_twice (Fixture *f, gconstpointer data)
{
  const char *const none[] = { NULL };
  const char *const sources[] = { "cray", NULL };
  static const char *const counters[] = { "energy", "accel0_energy", "accel1_energy" };
  static const guint joules[] = { 100, 30, 20 };
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) second = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (counters); i++)
    write_cray (tree, counters[i], 0);
  g_clear_object (&f->node);
  f->node = g_initable_new (JM_TYPE_NODE, NULL, &error, "host", host, "schedulers",
                            none, "power-sources", sources, NULL);
  g_assert_no_error (error);
  add_gpus (f, 2);
  first = sample (f);
  for (guint i = 0; i < G_N_ELEMENTS (counters); i++)
    write_cray (tree, counters[i], joules[i]);
  set_gpu_energy (f, "0", 1021000000);
  set_gpu_energy (f, "1", 1029000000);
  second = sample (f);

  g_assert_cmpfloat (get_of_node (second, JM_METRIC_NODE_ENERGY, "cray gpu-0"), ==, 30);
  g_assert_cmpfloat_with_epsilon (sum_up (second, "gpu"), 50, 1e-9);
  g_assert_cmpfloat (get_of_gpu (second, NULL, "0", JM_METRIC_GPU_ENERGY), ==, 21);
  g_assert_cmpfloat_with_epsilon (sum_up (second, "rest"), 50, 1e-9);
}

static void
test_believes_another_meter_of_accelerators_alone (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) second = NULL;

  fake_meter_set_energy (f->meter, "gpu-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
  first = sample (f);
  fake_meter_set_energy (f->meter, "gpu-0", 3000000);
  second = sample (f);

  g_assert_cmpfloat_with_epsilon (get_of_part (second, JM_SUBJECT_KIND_SYSTEM, "gpu"),
                                  3, 1e-9);
}

/* The same device by another number, and with a meter that is a little off. */
static void
test_counts_a_device_once_that_two_libraries_know (Fixture *f, gconstpointer data)
{
  g_autoptr (FakeGpus) other = fake_gpus_new (f->host);
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) second = NULL;

  add_gpus (f, 2);
  fake_gpus_add (other, "7", "GPU-1", NULL, NULL);
  fake_gpus_set (other, "7", JM_METRIC_GPU_ENERGY, 0);
  jm_node_add_source (f->node, JM_SOURCE (other));
  first = sample (f);
  set_gpu_energy (f, "0", 1001000000);
  set_gpu_energy (f, "1", 1002000000);
  fake_gpus_set (other, "7", JM_METRIC_GPU_ENERGY, 2200000);
  second = sample (f);

  g_assert_cmpfloat_with_epsilon (sum_up (second, "gpu"), 3, 1e-9);
}

/* --- whose an accelerator's joules are --- */

static void
add_two_jobs (Fixture *f)
{
  fake_reader_set_cpu (f->cgroups, "/job_1", 10);
  fake_reader_set_cpu (f->cgroups, "/job_2", 10);
}

static void
give (Fixture *f, const char *job, const char *gpu, double share)
{
  fake_gpus_grant (f->gpus, job, JM_GPU_ORIGIN_HOOK, gpu, share);
}

static void
test_gives_a_devices_joules_to_its_job (Fixture *f, gconstpointer data)
{
  g_autoptr (FakeProvider) provider =
    fake_provider_new (f->host, 360, JM_EMISSION_METHOD_AVERAGE);
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) second = NULL;
  g_autoptr (JmSnapshot) third = NULL;

  add_two_jobs (f);
  add_gpus (f, 3);
  give (f, "1", "0", 1);
  give (f, "1", "1", 1);
  give (f, "2", "2", 1);
  jm_node_add_source (f->node, JM_SOURCE (provider));
  jm_node_wait_for_answers (f->node, 10000);
  first = sample (f);
  set_gpu_energy (f, "0", 1001000000);
  set_gpu_energy (f, "1", 1002000000);
  set_gpu_energy (f, "2", 1004000000);
  second = sample (f);
  set_gpu_energy (f, "0", 1001000008);
  third = sample (f);

  g_assert_true (isnan (get_of_job_gpu (first, "1", "0")));
  g_assert_cmpfloat (get_of_job_gpu (second, "1", "0"), ==, 1);
  g_assert_cmpfloat (get_of_job_gpu (second, "1", "1"), ==, 2);
  g_assert_cmpfloat (get_of_job_gpu (second, "2", "2"), ==, 4);
  g_assert_cmpfloat (get_of_job (second, "1", JM_METRIC_ENERGY, "gpu"), ==, 3);
  g_assert_cmpfloat (get_of_job (second, "2", JM_METRIC_ENERGY, "gpu"), ==, 4);
  g_assert_cmpfloat (get_of_part (second, JM_SUBJECT_KIND_SYSTEM, "gpu"), ==, 0);
  g_assert_cmpfloat_with_epsilon (get_of_job (second, "1", JM_METRIC_EMISSIONS,
                                              "measured"),
                                  3e-4, 1e-6);
  g_assert_cmpfloat (get_of_job_gpu (third, "1", "0"), ==, 1.000008);
  g_assert_cmpfloat (get_of_job_gpu (third, "1", "1"), ==, 2);
}

static void
test_reports_watts_of_a_job_and_its_devices (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) second = NULL;
  double seconds;

  add_two_jobs (f);
  add_gpus (f, 2);
  give (f, "1", "0", 1);
  give (f, "1", "1", 1);
  first = sample (f);
  set_gpu_energy (f, "0", 1000300000);
  set_gpu_energy (f, "1", 1000600000);
  second = sample (f);

  seconds = get_of_job (second, "1", JM_METRIC_ENERGY_COVERED, "gpu");
  g_assert_cmpfloat (seconds, >=, 0.002);
  g_assert_cmpfloat_with_epsilon (get_of_job (second, "1", JM_METRIC_POWER, "gpu"),
                                  0.9 / seconds, 1e-3);
  g_assert_cmpfloat_with_epsilon (get_of_gpu (second, "1", "1", JM_METRIC_GPU_POWER),
                                  0.6 / seconds, 1e-3);
  g_assert_true (isnan (get_of_job (second, "2", JM_METRIC_ENERGY, "gpu")));
}

/* Of two devices one reports nothing of what it takes. */
static void
test_covers_a_job_by_the_devices_that_are_measured (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) second = NULL;
  double whole, part;

  add_two_jobs (f);
  add_gpus (f, 3);
  set_gpu_energy (f, "1", -1);
  give (f, "1", "0", 1);
  give (f, "1", "1", 1);
  give (f, "2", "2", 1);
  first = sample (f);
  set_gpu_energy (f, "0", 1000300000);
  set_gpu_energy (f, "2", 1000300000);
  second = sample (f);

  part = get_of_job (second, "1", JM_METRIC_ENERGY_COVERED, "gpu");
  whole = get_of_job (second, "2", JM_METRIC_ENERGY_COVERED, "gpu");
  g_assert_cmpfloat_with_epsilon (part, whole / 2, 1.1e-6);
  g_assert_cmpfloat (get_of_job (second, "1", JM_METRIC_ENERGY, "gpu"), ==, 0.3);
  g_assert_true (isnan (get_of_job (second, "1", JM_METRIC_POWER, "gpu")));
  g_assert_true (isnan (get_of_job_gpu (second, "1", "1")));
}

static void
test_reports_what_a_device_took_for_being_there (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) second = NULL;

  add_gpus (f, 1);
  fake_gpus_set (f->gpus, "0", JM_METRIC_GPU_UTILIZATION, 0);
  first = sample (f);
  set_gpu_energy (f, "0", 1000300000);
  second = sample (f);

  g_assert_true (isnan (get_of_gpu (first, NULL, "0", JM_METRIC_GPU_ENERGY)));
  g_assert_cmpfloat (get_of_gpu (second, NULL, "0", JM_METRIC_GPU_ENERGY), ==, 0.3);
  g_assert_cmpfloat (get_of_gpu (second, NULL, "0", JM_METRIC_GPU_IDLE_ENERGY), ==,
                     0.3);
  g_assert_cmpfloat (get_of_part (second, JM_SUBJECT_KIND_IDLE, "gpu"), ==, 0.3);
}

/* Of seven slices three and four are given; nothing reports how busy each is. */
static void
test_gives_a_divided_devices_joules_by_slices (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) second = NULL;

  add_two_jobs (f);
  add_gpus (f, 1);
  jm_gpu_set_slices (fake_gpus_add (f->gpus, "0.1", "MIG-1", NULL, "0"), 4, 7);
  jm_gpu_set_slices (fake_gpus_add (f->gpus, "0.2", "MIG-2", NULL, "0"), 3, 7);
  give (f, "1", "0.1", 1);
  give (f, "2", "0.2", 1);
  first = sample (f);
  set_gpu_energy (f, "0", 1000700000);
  second = sample (f);

  g_assert_cmpfloat_with_epsilon (get_of_job_gpu (second, "1", "0.1"), 0.4, 1e-9);
  g_assert_cmpfloat_with_epsilon (get_of_job_gpu (second, "2", "0.2"), 0.3, 1e-9);
  g_assert_cmpfloat_with_epsilon (sum_up (second, "gpu"), 0.7, 1e-9);
}

/* An ended job's device is its own for the round in which it ended, and no longer. */
static void
test_gives_an_ended_job_no_more_of_its_device (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) second = NULL;
  g_autoptr (JmSnapshot) third = NULL;

  add_two_jobs (f);
  add_gpus (f, 1);
  give (f, "1", "0", 1);
  first = sample (f);
  fake_reader_remove (f->cgroups, "/job_1");
  set_gpu_energy (f, "0", 1000300000);
  second = sample (f);
  set_gpu_energy (f, "0", 1000500000);
  third = sample (f);

  g_assert_cmpfloat (get_of_job (second, "1", JM_METRIC_ENERGY, "gpu"), ==, 0.3);
  g_assert_cmpfloat (get_of_job (third, "1", JM_METRIC_ENERGY, "gpu"), ==, 0.3);
  g_assert_cmpfloat (get_of_job_gpu (third, "1", "0"), ==, 0.3);
  g_assert_true (isnan (get_of_gpu (third, "1", "0", JM_METRIC_GPU_POWER)));
  g_assert_cmpfloat (get_of_gpu (third, NULL, "0", JM_METRIC_GPU_ENERGY), ==, 0.5);
}

/* What a device took while its library was silent is the system's, as of other meters:
 * who had it then is not known. */
static void
test_counts_what_a_device_took_in_an_outage (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) silent = NULL;
  g_autoptr (JmSnapshot) again = NULL;

  add_two_jobs (f);
  add_gpus (f, 1);
  give (f, "1", "0", 1);
  first = sample (f);
  fake_gpus_fail (f->gpus, "the driver does not answer");
  silent = sample (f);
  fake_gpus_fail (f->gpus, NULL);
  set_gpu_energy (f, "0", 1004000000);
  again = sample (f);

  g_assert_true (isnan (get_of_part (silent, JM_SUBJECT_KIND_SYSTEM, "gpu")));
  g_assert_cmpfloat (get_of_part (again, JM_SUBJECT_KIND_SYSTEM, "gpu"), >, 0);
  g_assert_cmpfloat (get_of_job_gpu (again, "1", "0"), >, 0);
  g_assert_cmpfloat_with_epsilon (get_of_job_gpu (again, "1", "0") +
                                    get_of_part (again, JM_SUBJECT_KIND_SYSTEM, "gpu"),
                                  4, 1e-9);
}

/* A driver that is loaded anew counts from 0: what it counted before the second look is
 * not known. */
static void
test_follows_a_counter_that_begins_anew (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) anew = NULL;
  g_autoptr (JmSnapshot) second = NULL;

  add_gpus (f, 1);
  first = sample (f);
  set_gpu_energy (f, "0", 700000);
  anew = sample (f);
  set_gpu_energy (f, "0", 900000);
  second = sample (f);

  g_assert_error (jm_snapshot_get_error (anew, JM_COLLECTOR_POWER), JM_ERROR,
                  JM_ERROR_MALFORMED);
  g_assert_nonnull (
    strstr (jm_snapshot_get_error (anew, JM_COLLECTOR_POWER)->message,
            "FakeGpus: gpu-0 missing: gpu-0: its counter went from 1000000000 uJ to "
            "700000 uJ"));
  g_assert_cmpfloat_with_epsilon (sum_up (second, "gpu"), 0.2, 1e-9);
}

#define ADD(path, function)                                                            \
 g_test_add ("/node-energy/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("shares-what-was-measured", test_shares_what_was_measured);
  ADD ("shares-it-alike-where-energy-alone-is-asked-for",
       test_shares_it_alike_where_energy_alone_is_asked_for);
  ADD ("reports-power-and-for-how-long-it-knew",
       test_reports_power_and_for_how_long_it_knew);
  ADD ("knows-nothing-of-before-the-first-sweep",
       test_knows_nothing_of_before_the_first_sweep);
  ADD ("takes-the-parts-out-of-the-whole", test_takes_the_parts_out_of_the_whole);
  ADD ("adds-up-the-dies-of-a-socket", test_adds_up_the_dies_of_a_socket);
  ADD ("counts-nothing-twice-that-two-meters-show",
       test_counts_nothing_twice_that_two_meters_show);
  ADD ("waits-for-a-meter-that-lags-behind", test_waits_for_a_meter_that_lags_behind);
  ADD ("adds-up-the-power-that-a-meter-shows",
       test_adds_up_the_power_that_a_meter_shows);
  ADD ("calls-an-estimate-so", test_calls_an_estimate_so);
  ADD ("estimates-nothing-that-is-measured", test_estimates_nothing_that_is_measured);
  ADD ("believes-no-counter-that-goes-back", test_believes_no_counter_that_goes_back);
  ADD ("believes-no-power-that-cannot-be", test_believes_no_power_that_cannot_be);
  ADD ("goes-on-without-a-source-that-is-down",
       test_goes_on_without_a_source_that_is_down);
  ADD ("names-a-domain-that-has-gone", test_names_a_domain_that_has_gone);
  g_test_add_func ("/node-energy/tries-a-source-again-that-was-not-there",
                   test_tries_a_source_again_that_was_not_there);
  ADD ("gives-what-was-used-in-silence-to-the-system",
       test_gives_what_was_used_in_silence_to_the_system);
  ADD ("keeps-an-ended-jobs-energy-on-display",
       test_keeps_an_ended_jobs_energy_on_display);
  ADD ("goes-on-after-a-restart", test_goes_on_after_a_restart);
  ADD ("knows-a-job-by-its-id-and-start", test_knows_a_job_by_its_id_and_start);
  ADD ("follows-what-another-program-keeps", test_follows_what_another_program_keeps);
  ADD ("reckons-grams-by-the-factor", test_reckons_grams_by_the_factor);
  ADD ("keeps-marginal-emissions-apart", test_keeps_marginal_emissions_apart);
  ADD ("has-no-such-collector-without-a-meter",
       test_has_no_such_collector_without_a_meter);
  ADD ("measures-what-a-library-of-accelerators-reports",
       test_measures_what_a_library_of_accelerators_reports);
  ADD ("takes-no-accelerator-for-another", test_takes_no_accelerator_for_another);
  ADD ("counts-no-accelerator-of-a-cray-twice",
       test_counts_no_accelerator_of_a_cray_twice);
  ADD ("believes-another-meter-of-accelerators-alone",
       test_believes_another_meter_of_accelerators_alone);
  ADD ("counts-a-device-once-that-two-libraries-know",
       test_counts_a_device_once_that_two_libraries_know);
  ADD ("gives-a-devices-joules-to-its-job", test_gives_a_devices_joules_to_its_job);
  ADD ("reports-watts-of-a-job-and-its-devices",
       test_reports_watts_of_a_job_and_its_devices);
  ADD ("covers-a-job-by-the-devices-that-are-measured",
       test_covers_a_job_by_the_devices_that_are_measured);
  ADD ("reports-what-a-device-took-for-being-there",
       test_reports_what_a_device_took_for_being_there);
  ADD ("gives-a-divided-devices-joules-by-slices",
       test_gives_a_divided_devices_joules_by_slices);
  ADD ("gives-an-ended-job-no-more-of-its-device",
       test_gives_an_ended_job_no_more_of_its_device);
  ADD ("counts-what-a-device-took-in-an-outage",
       test_counts_what_a_device_took_in_an_outage);
  ADD ("follows-a-counter-that-begins-anew", test_follows_a_counter_that_begins_anew);

  return g_test_run ();
}
