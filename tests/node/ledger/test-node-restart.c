/* test-node-restart.c: a node whose program is killed again and again
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/jm-snapshot-private.h"
#include "fake-sources.h"
#include "left-ledger.h"
#include "node/jm-node-private.h"
#include "node/ledger/jm-ledger-private.h"
#include "tree.h"

#define BOOT "01234567-89ab-4cde-8f01-23456789abcd"
#define OTHER_BOOT "11234567-89ab-4cde-8f01-23456789abcd"
#define BOOT_FILE "proc/sys/kernel/random/boot_id"
#define ZONE "sys/class/powercap/intel-rapl:0/"
#define RANGE_UJ G_GUINT64_CONSTANT (262143328850)
#define JOULE G_GUINT64_CONSTANT (1000000)
#define PATIENCE_MS 60000
#define MAX_ROUNDS 5
#define N_KILLS 50
#define N_JOBS 2

typedef struct
{
  Tree *tree;
  FakeReader *cgroups;
  FakeJobs *jobs;
  char *path; /* of the ledger */
  guint64 raw_uj;
  guint64 drawn_uj; /* since the first program began */
  guint64 ticks;
  guint cpu_seconds[N_JOBS];
  JmLedger *ledger;
  JmNode *node;
} Fixture;

/* --- a made-up machine --- */

/* In place, as the kernel does: files are kept open. */
static void
rewrite (Fixture *f, const char *path, const char *text)
{
  g_autofree char *real = g_build_filename (f->tree->root, path, NULL);
  int fd = g_open (real, O_WRONLY | O_TRUNC | O_CLOEXEC, 0);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, text, strlen (text)), ==, (gssize) strlen (text));
  g_assert_cmpint (close (fd), ==, 0);
}

static void
put_machine (Fixture *f)
{
  g_autofree char *stat =
    g_strdup_printf ("cpu  1 1 1 1 1 1 1 1 1 1\ncpu0 %" G_GUINT64_FORMAT
                     " 0 0 0 0 0 0 0 0 0\n"
                     "btime 1700000000\n",
                     f->ticks);
  g_autofree char *energy = g_strdup_printf ("%" G_GUINT64_FORMAT "\n", f->raw_uj);

  rewrite (f, "proc/stat", stat);
  rewrite (f, ZONE "energy_uj", energy);
  for (guint i = 0; i < N_JOBS; i++)
    {
      g_autofree char *path = g_strdup_printf ("/job_%u", i + 1);

      fake_reader_set_cpu (f->cgroups, path, f->cpu_seconds[i]);
    }
}

/* The machine goes on, whether a program looks or not. */
static void
run (Fixture *f, guint64 energy_uj)
{
  f->raw_uj = (f->raw_uj + energy_uj) % (RANGE_UJ + 1);
  f->drawn_uj += energy_uj;
  f->ticks += 400;
  f->cpu_seconds[0] += 2;
  f->cpu_seconds[1] += 1;
  put_machine (f);
}

/* --- the program --- */

static void
start (Fixture *f)
{
  const JmLedgerPlan plan = { .path = f->path };
  const char *const none[] = { NULL };
  const char *const sources[] = { "rapl-powercap", NULL };
  g_autoptr (GError) error = NULL;

  f->ledger = jm_ledger_open_for_writing (&plan, &error);
  g_assert_no_error (error);
  f->node =
    g_initable_new (JM_TYPE_NODE, NULL, &error, "host", f->tree->host, "power-sources",
                    sources, "emission-providers", none, "gpu-sources", none, NULL);
  g_assert_no_error (error);
  jm_node_add_source (f->node, JM_SOURCE (f->jobs));
  jm_node_add_source (f->node, JM_SOURCE (f->cgroups));
  jm_node_set_ledger (f->node, f->ledger);
}

static void
stop (Fixture *f)
{
  g_clear_object (&f->node);
  jm_ledger_close_within (f->ledger, PATIENCE_MS * 1000);
  g_clear_object (&f->ledger);
}

/* What is on the disk at this moment is all that a killed program leaves. */
static void
end_by_kill (Fixture *f, guint number)
{
  g_autofree char *name = g_strdup_printf ("ledger-%u.db", number);
  g_autofree char *left = g_build_filename (f->tree->root, name, NULL);

  left_ledger_copy (f->path, left);
  stop (f);
  g_free (f->path);
  f->path = g_steal_pointer (&left);
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
  g_assert_true (jm_node_await_stored (f->node, PATIENCE_MS));

  return snapshot;
}

static double
get_joules (JmSnapshot *snapshot, guint subject)
{
  g_autoptr (JmLabels) labels = jm_labels_of ("package", JM_QUALITY_MEASURED, NULL);
  double joules = NAN;

  return jm_snapshot_get_labelled_metric (snapshot, subject, JM_METRIC_ENERGY, labels,
                                          &joules)
           ? joules
           : 0;
}

static double
get_of_job (JmSnapshot *snapshot, const char *id)
{
  guint subject;

  g_assert_true (jm_snapshot_find_job (snapshot, id, &subject));

  return get_joules (snapshot, subject);
}

static double
get_of_kind (JmSnapshot *snapshot, JmSubjectKind kind)
{
  double sum = 0;

  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (jm_snapshot_get_kind (snapshot, i) == kind)
      sum += get_joules (snapshot, i);

  return sum;
}

static double
get_attributed (JmSnapshot *snapshot)
{
  return get_of_kind (snapshot, JM_SUBJECT_KIND_JOB) +
         get_of_kind (snapshot, JM_SUBJECT_KIND_SYSTEM) +
         get_of_kind (snapshot, JM_SUBJECT_KIND_IDLE);
}

static double
get_measured (JmSnapshot *snapshot)
{
  g_autoptr (JmLabels) labels = jm_labels_of ("rapl-powercap", "package-0", NULL);
  double joules = NAN;

  g_assert_true (jm_snapshot_get_labelled_metric (snapshot, JM_NODE_SUBJECT,
                                                  JM_METRIC_NODE_ENERGY, labels,
                                                  &joules));

  return joules;
}

/* --- the tests --- */

static void
set_up (Fixture *f, gconstpointer data)
{
  f->tree = tree_new ();
  f->path = g_build_filename (f->tree->root, "ledger.db", NULL);
  f->cgroups = fake_reader_new (f->tree->host);
  f->jobs = fake_jobs_new (f->tree->host);
  tree_put (f->tree, "proc/uptime", "100.00 200.00\n");
  tree_put (f->tree, BOOT_FILE, BOOT "\n");
  tree_put (f->tree, ZONE "name", "package-0\n");
  tree_put (f->tree, ZONE "max_energy_range_uj", "262143328850\n");
  tree_put (f->tree, ZONE "energy_uj", "0\n");
  tree_put (f->tree, "proc/stat", "");
  /* it begins anew on the way */
  f->raw_uj = RANGE_UJ - 100 * JOULE;
  put_machine (f);
  start (f);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  if (f->node != NULL)
    stop (f);
  g_assert_finalize_object (f->cgroups);
  g_assert_finalize_object (f->jobs);
  g_free (f->path);
  tree_free (f->tree);
}

static void
test_loses_no_joule_over_fifty_kills (Fixture *f, gconstpointer data)
{
  double measured = 0, of_job = 0, of_system = 0, of_idle = 0;

  jm_snapshot_unref (sample (f));
  for (guint i = 0; i < N_KILLS; i++)
    {
      g_autoptr (JmSnapshot) before = NULL;
      g_autoptr (JmSnapshot) after = NULL;

      run (f, 5 * JOULE + i);
      before = sample (f);
      run (f, 3 * JOULE + i);
      end_by_kill (f, i);
      run (f, 4 * JOULE);
      start (f);
      after = sample (f);

      g_assert_cmpfloat (get_measured (before), >=, measured);
      g_assert_cmpfloat (get_of_job (before, "1"), >=, of_job);
      measured = get_measured (after);
      of_job = get_of_job (after, "1");
      g_assert_cmpfloat_with_epsilon (measured, (double) f->drawn_uj / 1e6, 1e-9);
      g_assert_cmpfloat_with_epsilon (get_attributed (after), measured, 1e-6);
      g_assert_cmpfloat (of_job, >, get_of_job (before, "1"));
      g_assert_cmpfloat (get_of_kind (after, JM_SUBJECT_KIND_SYSTEM), >=, of_system);
      g_assert_cmpfloat (get_of_kind (after, JM_SUBJECT_KIND_IDLE), >=, of_idle);
      of_system = get_of_kind (after, JM_SUBJECT_KIND_SYSTEM);
      of_idle = get_of_kind (after, JM_SUBJECT_KIND_IDLE);
    }
}

static void
test_goes_on_after_an_end_in_order (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) after = NULL;

  jm_snapshot_unref (sample (f));
  run (f, 5 * JOULE);
  jm_snapshot_unref (sample (f));
  stop (f);
  run (f, 7 * JOULE);
  start (f);
  after = sample (f);

  g_assert_cmpfloat_with_epsilon (get_measured (after), 12, 1e-9);
  g_assert_cmpfloat_with_epsilon (get_attributed (after), 12, 1e-6);
}

static void
work (Fixture *f, const char *path, guint64 cpu_seconds)
{
  run (f, 5 * JOULE);
  fake_reader_set_cpu (f->cgroups, path, cpu_seconds);
}

/* Nothing is shown of it that the next program could not find again. */
static void
test_a_job_is_shown_once_its_cgroup_has_a_number (Fixture *f, gconstpointer data)
{
  static const char path[] = "/job_8";
  g_autoptr (JmSnapshot) nameless = NULL;
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;
  guint subject;

  jm_snapshot_unref (sample (f));
  work (f, path, 1);
  fake_reader_fail_numbering (f->cgroups, path, TRUE);
  nameless = sample (f);
  g_assert_false (jm_snapshot_find_job (nameless, "8", &subject));

  fake_reader_fail_numbering (f->cgroups, path, FALSE);
  work (f, path, 2);
  jm_snapshot_unref (sample (f));
  work (f, path, 4);
  before = sample (f);
  g_assert_cmpfloat (get_of_job (before, "8"), >, 0);

  end_by_kill (f, 0);
  start (f);
  work (f, path, 5);
  after = sample (f);
  g_assert_cmpfloat (get_of_job (after, "8"), >, get_of_job (before, "8"));
}

/* As a job of a tree whose directories have none. */
static void
test_a_job_is_shown_though_its_cgroup_never_has_a_number (Fixture *f,
                                                          gconstpointer data)
{
  static const char path[] = "/job_8";
  guint subject, n_rounds = 0;

  jm_snapshot_unref (sample (f));
  work (f, path, 1);
  fake_reader_fail_numbering (f->cgroups, path, TRUE);
  for (gboolean is_shown = FALSE; !is_shown; n_rounds++)
    {
      g_autoptr (JmSnapshot) snapshot = sample (f);

      is_shown = jm_snapshot_find_job (snapshot, "8", &subject);
      g_assert_cmpuint (n_rounds, <, MAX_ROUNDS);
    }
}

static void
test_spans_no_boot (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) after = NULL;

  jm_snapshot_unref (sample (f));
  run (f, 5 * JOULE);
  jm_snapshot_unref (sample (f));
  end_by_kill (f, 0);
  tree_put (f->tree, BOOT_FILE, OTHER_BOOT "\n");
  run (f, 7 * JOULE);
  start (f);
  after = sample (f);

  g_assert_cmpfloat_with_epsilon (get_measured (after), 5, 1e-9);
  g_assert_cmpfloat (get_of_job (after, "1"), ==, 0);
}

#define ADD(path, function)                                                            \
 g_test_add ("/node-restart/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("loses-no-joule-over-fifty-kills", test_loses_no_joule_over_fifty_kills);
  ADD ("goes-on-after-an-end-in-order", test_goes_on_after_an_end_in_order);
  ADD ("a-job-is-shown-once-its-cgroup-has-a-number",
       test_a_job_is_shown_once_its_cgroup_has_a_number);
  ADD ("a-job-is-shown-though-its-cgroup-never-has-a-number",
       test_a_job_is_shown_though_its_cgroup_never_has_a_number);
  ADD ("spans-no-boot", test_spans_no_boot);

  return g_test_run ();
}
