/* test-cluster-targets.c: what a site has agreed that somebody gets
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "cluster/jm-cluster-asker-private.h"
#include "cluster/jm-cluster-targets-private.h"
#include "cluster/jm-cluster.h"

/* 2026-01-01T00:00:00Z */
#define BEGIN_S G_GINT64_CONSTANT (1767225600)
#define DAY_S G_GINT64_CONSTANT (86400)

#define PHYSICS                                                                        \
 "[Target physics]\nCluster=alpha\nAccount=physics\nResource=gpu\nYears=12.5\n"        \
 "From=2026-01-01\nTo=2027-01-01\n"
#define ALL                                                                            \
 "# the whole cluster\n[Target all]\nCluster=alpha\nResource=cpu\nYears=2\n"           \
 "From=2026-01-01T01:00:00+01:00\nTo=2026-01-11\n"
#define ELSEWHERE                                                                      \
 "[Target elsewhere]\nCluster=beta\nResource=cpu\nYears=1\nFrom=2026-01-01\n"          \
 "To=2026-01-02\n"

static JmSnapshot *
sum_up (const char *text, gint64 now_s)
{
  g_autoptr (JmClusterSums) sums = jm_cluster_sums_new (10, now_s * G_USEC_PER_SEC);
  const JmClusterAnswer answers[JM_N_SCHEDULER_TOPICS] = { { NULL } };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) targets =
    jm_cluster_targets_parse ("targets.conf", text, strlen (text), &error);

  g_assert_no_error (error);
  jm_cluster_sums_set_targets (sums, targets);
  jm_cluster_sums_add (sums, "alpha", answers);

  return jm_cluster_sums_make_snapshot (sums, 0);
}

static double
get (JmSnapshot *snapshot, JmMetric metric, const char *target, const char *account)
{
  g_autoptr (JmLabels) labels = jm_labels_of (target, account, NULL);
  double value = -1;

  jm_snapshot_get_labelled_metric (snapshot, 0, metric, labels, &value);

  return value;
}

static void
test_years_are_seconds_of_one (void)
{
  g_autoptr (JmSnapshot) snapshot = sum_up (PHYSICS ALL ELSEWHERE, BEGIN_S);

  /* 12.5 * 365 * 86400 */
  g_assert_cmpfloat (get (snapshot, JM_METRIC_CLUSTER_TARGET_GPU, "physics", "physics"),
                     ==, 394200000);
  g_assert_cmpfloat (get (snapshot, JM_METRIC_CLUSTER_TARGET_CPU, "physics", "physics"),
                     ==, -1);
  g_assert_cmpfloat (get (snapshot, JM_METRIC_CLUSTER_TARGET_CPU, "all", ""), ==,
                     63072000);
  g_assert_cmpfloat (get (snapshot, JM_METRIC_CLUSTER_TARGET_CPU, "elsewhere", ""), ==,
                     -1);
}

static void
test_a_period_passes (void)
{
  const struct
  {
    gint64 now_s;
    double passed;
  } cases[] = {
    { BEGIN_S - 5, 0 },           { BEGIN_S, 0 },
    { BEGIN_S + 4 * DAY_S, 0.4 }, { BEGIN_S + 10 * DAY_S, 1 },
    { BEGIN_S + 99 * DAY_S, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JmSnapshot) snapshot = sum_up (ALL, cases[i].now_s);

      g_assert_cmpfloat (get (snapshot, JM_METRIC_CLUSTER_TARGET_PASSED, "all", NULL),
                         ==, cases[i].passed);
      g_assert_cmpfloat (get (snapshot, JM_METRIC_CLUSTER_TARGET_START, "all", NULL),
                         ==, (double) BEGIN_S);
      g_assert_cmpfloat (get (snapshot, JM_METRIC_CLUSTER_TARGET_END, "all", NULL), ==,
                         (double) (BEGIN_S + 10 * DAY_S));
    }
}

static void
test_a_file_without_targets_has_none (void)
{
  g_autoptr (JmSnapshot) snapshot = sum_up ("# none yet\n", BEGIN_S);
  guint n;

  jm_snapshot_get_readings (snapshot, &n);
  g_assert_cmpuint (n, ==, 0);
}

#define HEAD "[Target a]\nCluster=alpha\nResource=cpu\n"
#define PERIOD "From=2026-01-01\nTo=2027-01-01\n"

static void
test_a_wrong_file_is_refused_with_group_key_and_value (void)
{
  const struct
  {
    const char *text, *message;
  } cases[] = {
    { "[Targets]\n", "not [Target NAME]: Targets" },
    { "[Target a]\nCluster=alpha\n" PERIOD "Years=1\n", "Target a: Resource: missing" },
    { "[Target a]\nResource=cpu\n" PERIOD "Years=1\n", "Target a: Cluster: missing" },
    { HEAD PERIOD, "Target a: Years: missing" },
    { HEAD "Years=1\nFrom=2026-01-01\n", "Target a: To: missing" },
    { HEAD PERIOD "Years=many\n",
      "Target a: Years: not a number above 0, up to 100000: many" },
    { HEAD PERIOD "Years=0\n",
      "Target a: Years: not a number above 0, up to 100000: 0" },
    { HEAD PERIOD "Years=nan\n",
      "Target a: Years: not a number above 0, up to 100000: nan" },
    { HEAD PERIOD "Years=1e9\n",
      "Target a: Years: not a number above 0, up to 100000: 1e9" },
    { HEAD "Years=1\nFrom=2026-13-01\nTo=2027-01-01\n",
      "Target a: From: not YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ: 2026-13-01" },
    { HEAD "Years=1\nFrom=2026-01-01T00:00:00\nTo=2027-01-01\n",
      "Target a: From: not YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ: 2026-01-01T00:00:00" },
    { HEAD "Years=1\nFrom=2026-01-01\nTo=2026-01-01\n",
      "Target a: To: not behind From: 2026-01-01" },
    { "[Target a]\nResource=tpu\n", "Target a: Resource: not cpu or gpu: tpu" },
    { "[Target a]\nCluster=\n", "Target a: Cluster: empty: " },
    { "[Target a]\nYear=1\n", "Target a: Year: unknown key: Year" },
    { "[Target a]\nYears=1\nYears=2\n", "Target a: a key twice: Years" },
    { PHYSICS PHYSICS, "a group twice: [Target physics]" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *message = g_strconcat ("t.conf: ", cases[i].message, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_null (jm_cluster_targets_parse ("t.conf", cases[i].text,
                                               strlen (cases[i].text), &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      g_assert_cmpstr (error->message, ==, message);
    }
}

static void
test_a_cluster_is_not_made_without_its_file (void)
{
  g_autoptr (GError) error = NULL;
  const char *const none[] = { NULL };

  g_assert_null (g_initable_new (JM_TYPE_CLUSTER, NULL, &error, "schedulers", none,
                                 "targets-file", "/nonexistent/targets.conf", NULL));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_nonnull (strstr (error->message, "/nonexistent/targets.conf"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cluster-targets/years-are-seconds-of-one",
                   test_years_are_seconds_of_one);
  g_test_add_func ("/cluster-targets/a-period-passes", test_a_period_passes);
  g_test_add_func ("/cluster-targets/a-file-without-targets-has-none",
                   test_a_file_without_targets_has_none);
  g_test_add_func ("/cluster-targets/a-wrong-file-is-refused-with-group-key-and-value",
                   test_a_wrong_file_is_refused_with_group_key_and_value);
  g_test_add_func ("/cluster-targets/a-cluster-is-not-made-without-its-file",
                   test_a_cluster_is_not_made_without_its_file);

  return g_test_run ();
}
