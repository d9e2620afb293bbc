/* test-run-cause.c: what ended a run or slowed it down, for faults whose truth is known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "judge/jm-run-advice-private.h"

#include <string.h>

#include "core/jm-job-record-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "jm-snapshot-builder.h"
#include "judge/jm-run-report-private.h"
#include "made-report.h"

/* 2023-11-14 22:13:20 UTC. */
#define BEGIN_S G_GINT64_CONSTANT (1700000000)
#define LIFE_S 3600
#define ENDED "2023-11-14 23:13:20 UTC"
#define NS G_GUINT64_CONSTANT (1000000000)
#define US G_GUINT64_CONSTANT (1000000)
#define GIB (G_GUINT64_CONSTANT (1) << 30)
#define MAX_NODES 8
#define N_CPUS 4
#define N_GPUS 2

/* A node's CPUs are busy for so many per cent of the run's life. */
typedef struct
{
  guint busy;
  guint kills; /* in task 3 of step 0 */
  guint throttled_s;
  gboolean is_lost; /* it has recorded no end */
  gboolean is_nameless;
  guint gpu_busy[N_GPUS];
  const char *xid;         /* that its first GPU reported, or NULL */
  guint uncorrected;       /* memory errors of that */
  guint throttled_percent; /* of its first GPU */
} Node;

typedef struct
{
  const char *what;
  const char *state;
  guint n_nodes;
  Node nodes[MAX_NODES];
  gboolean has_gpus;
  gint64 exit_code; /* 0 for none */
  gint64 signal;
  const char *cancelled_by;
  const char *failed_node;
  gint64 step_signal; /* of step 1, after step 0 had ended well */
  const char *cause;  /* NULL for none */
} Fault;

#define BUSY                                                                           \
 {                                                                                     \
  .busy = 95                                                                           \
 }

static const Fault faults[] = {
  { "nothing", "COMPLETED", 2, { BUSY, BUSY } },
  { "it runs", "RUNNING", 2, { BUSY, BUSY } },
  { "the OOM killer, in one task of three nodes",
    "OUT_OF_MEMORY",
    3,
    { BUSY, { .busy = 95, .kills = 1 }, BUSY },
    .cause =
      "The OOM killer killed 1 process of task 3 of step 0 on node n1, where the "
      "memory peak was 8.0GiB of 8.0GiB; the run ended at " ENDED "." },
  { "the OOM killer, and the script ends with an error",
    "FAILED",
    1,
    { { .busy = 95, .kills = 2 } },
    .exit_code = 1,
    .cause = "The OOM killer killed 2 processes of task 3 of step 0 on node n0, where "
             "the memory peak was 8.0GiB of 8.0GiB; the run ended at " ENDED "." },
  { "the OOM killer, on a node whose name is not known",
    "FAILED",
    1,
    { { .busy = 95, .kills = 1, .is_nameless = TRUE } },
    .exit_code = 1,
    .cause = "The OOM killer killed 1 process of task 3 of step 0, where the memory "
             "peak was 8.0GiB of 8.0GiB; the run ended at " ENDED "." },
  { "the OOM killer on several nodes",
    "OUT_OF_MEMORY",
    3,
    { { .busy = 95, .kills = 1 }, { .busy = 95, .kills = 2 }, BUSY },
    .cause = "The OOM killer killed 3 processes on 2 of its nodes, n1 among them; the "
             "run ended at " ENDED "." },
  { "the OOM killer, which no node saw",
    "OUT_OF_MEMORY",
    2,
    { BUSY, BUSY },
    .cause =
      "The OOM killer killed processes of the run; the run ended at " ENDED "." },
  { "the time limit",
    "TIMEOUT",
    2,
    { BUSY, BUSY },
    .cause = "The run reached its time limit of 1h00m00s at " ENDED "." },
  { "the time limit, after the OOM killer had taken a process",
    "TIMEOUT",
    2,
    { BUSY, { .busy = 95, .kills = 1 } },
    .cause = "The run reached its time limit of 1h00m00s at " ENDED
             "; before that, the OOM killer killed 1 process of task 3 of step 0 on "
             "node n1, where the memory peak was 8.0GiB of 8.0GiB." },
  { "its own user",
    "CANCELLED",
    2,
    { BUSY, BUSY },
    .cancelled_by = "1001",
    .cause = "The run was cancelled by its own user, ada, at " ENDED "." },
  { "its own user, by name",
    "CANCELLED",
    1,
    { BUSY },
    .cancelled_by = "ada",
    .cause = "The run was cancelled by its own user, ada, at " ENDED "." },
  { "an administrator",
    "CANCELLED",
    1,
    { BUSY },
    .cancelled_by = "0",
    .cause = "The run was cancelled by root, at " ENDED "." },
  { "another user",
    "CANCELLED",
    1,
    { BUSY },
    .cancelled_by = "1002",
    .cause = "The run was cancelled by the user with uid 1002, at " ENDED "." },
  { "somebody",
    "CANCELLED",
    1,
    { BUSY },
    .cause = "The run was cancelled by a user whom the accounting does not name, "
             "at " ENDED "." },
  { "a node, as the scheduler reports",
    "NODE_FAIL",
    3,
    { BUSY, BUSY, BUSY },
    .failed_node = "n2",
    .cause = "Node n2 failed, as the scheduler reports; the run ended at " ENDED "." },
  { "a node that recorded no end",
    "NODE_FAIL",
    3,
    { BUSY, { .busy = 95, .is_lost = TRUE }, BUSY },
    .cause = "A node of the run failed; n1 alone has recorded no end of the run; the "
             "run ended at " ENDED "." },
  { "a node among several that recorded no end",
    "NODE_FAIL",
    3,
    { BUSY, { .busy = 95, .is_lost = TRUE }, { .busy = 95, .is_lost = TRUE } },
    .cause = "A node of the run failed; the scheduler does not name it; the run ended "
             "at " ENDED "." },
  { "the only node",
    "NODE_FAIL",
    1,
    { { .busy = 95, .is_lost = TRUE } },
    .cause = "Node n0 failed, the only one of the run; the run ended at " ENDED "." },
  { "the scheduler, for a job of more priority",
    "PREEMPTED",
    1,
    { BUSY },
    .cause = "The scheduler preempted the run at " ENDED "." },
  { "the scheduler, after the OOM killer had taken a process",
    "PREEMPTED",
    1,
    { { .busy = 95, .kills = 1 } },
    .cause = "The scheduler preempted the run at " ENDED "." },
  { "an exit code",
    "FAILED",
    1,
    { BUSY },
    .exit_code = 2,
    .cause = "The program ended with exit code 2, at " ENDED "." },
  { "an exit code of a shell",
    "FAILED",
    1,
    { BUSY },
    .exit_code = 139,
    .cause = "The program ended with exit code 139, by which shells report signal 11 "
             "(SIGSEGV), at " ENDED "." },
  { "a signal in a step",
    "FAILED",
    1,
    { BUSY },
    .exit_code = 1,
    .step_signal = 7,
    .cause = "The program ended with exit code 1; the first step that failed was step "
             "1, with signal 7 (SIGBUS), at " ENDED "." },
  { "a signal",
    "FAILED",
    1,
    { BUSY },
    .signal = 9,
    .cause = "The run ended with signal 9 (SIGKILL) at " ENDED "." },
  { "nobody knows",
    "FAILED",
    1,
    { BUSY },
    .exit_code = -1,
    .cause = "The cause of its end is not known: the scheduler reports the state "
             "FAILED." },
  { "nobody knows, with an exit code of success",
    "FAILED",
    1,
    { BUSY },
    .cause = "The cause of its end is not known: the scheduler reports the state "
             "FAILED." },
  { "a state of another scheduler",
    "VANISHED",
    1,
    { BUSY },
    .cause = "The cause of its end is not known: the scheduler reports the state "
             "VANISHED." },
  { "a CPU quota on one node",
    "COMPLETED",
    4,
    { BUSY, BUSY, { .busy = 20, .throttled_s = 2400 }, { .busy = 93 } },
    .cause = "Node n2 used 20.0% of its CPU time, while the median of the 4 nodes is "
             "94.0%, and its CPU quota stopped it for 40m00s." },
  { "a slow node of three",
    "COMPLETED",
    3,
    { { .busy = 30 }, BUSY, { .busy = 92 } },
    .cause = "Node n0 used 30.0% of its CPU time, while the median of the 3 nodes is "
             "92.0%." },
  { "two nodes of which one is slower: nobody knows which is the usual one",
    "COMPLETED",
    2,
    { { .busy = 30 }, BUSY } },
  { "two slow nodes of five",
    "COMPLETED",
    5,
    { { .busy = 30 }, BUSY, BUSY, { .busy = 20 }, BUSY } },
  { "nodes that differ by nature",
    "COMPLETED",
    5,
    { { .busy = 30 },
      { .busy = 45 },
      { .busy = 60 },
      { .busy = 75 },
      { .busy = 90 } } },
  { "a node that was not used at all",
    "COMPLETED",
    4,
    { BUSY, BUSY, BUSY, { .busy = 0 } } },
  { "all nodes idle but one",
    "COMPLETED",
    4,
    { { .busy = 2 }, { .busy = 1 }, { .busy = 2 }, BUSY } },
  { "a slow GPU",
    "COMPLETED",
    2,
    { { .busy = 95, .gpu_busy = { 90, 91 } }, { .busy = 95, .gpu_busy = { 22, 92 } } },
    TRUE,
    .cause = "GPU nvidia0 on node n1 was busy for 22.0% of the time, while the median "
             "of the 4 GPUs is 90.5%." },
  { "a GPU that fell off the bus",
    "COMPLETED",
    2,
    { { .busy = 95, .gpu_busy = { 90, 91 } },
      { .busy = 95, .gpu_busy = { 90, 92 }, .xid = "79" } },
    TRUE,
    .cause = "GPU nvidia0 on node n1 reported Xid 79 (the device is no longer on the "
             "bus)." },
  { "GPUs with memory errors",
    "COMPLETED",
    2,
    { { .busy = 95, .gpu_busy = { 90, 91 }, .xid = "999" },
      { .busy = 95, .gpu_busy = { 90, 92 }, .uncorrected = 2 } },
    TRUE,
    .cause = "GPU nvidia0 on node n0 reported Xid 999; GPU nvidia0 on node n1 reported "
             "2 uncorrected memory errors." },
  { "a GPU that was too hot",
    "COMPLETED",
    2,
    { { .busy = 95, .gpu_busy = { 90, 91 }, .throttled_percent = 9 },
      { .busy = 95, .gpu_busy = { 90, 92 }, .throttled_percent = 25 } },
    TRUE,
    .cause = "GPU nvidia0 on node n1 had its clocks held back by heat or by the "
             "hardware for 15m00s, 25.0% of the time." },
  { "a GPU of a node without a name that was too hot",
    "COMPLETED",
    1,
    { { .busy = 95,
        .gpu_busy = { 90, 91 },
        .throttled_percent = 25,
        .is_nameless = TRUE } },
    TRUE,
    .cause = "GPU nvidia0 had its clocks held back by heat or by the hardware for "
             "15m00s, 25.0% of the time." },
  { "GPUs that were warm for a while",
    "COMPLETED",
    2,
    { { .busy = 95, .gpu_busy = { 90, 91 }, .throttled_percent = 9 },
      { .busy = 95, .gpu_busy = { 90, 92 } } },
    TRUE,
    .cause = NULL },
  { "a GPU that was not used at all",
    "COMPLETED",
    2,
    { { .busy = 95, .gpu_busy = { 90, 91 } }, { .busy = 95, .gpu_busy = { 0, 92 } } },
    TRUE },
};

/* --- a run with such a fault --- */

static void
add_errors (JmSnapshotBuilder *builder, JmMetric metric, const char *label, guint n)
{
  g_autoptr (JmLabels) labels = jm_labels_of (label, NULL);

  jm_snapshot_builder_add_labels (builder, metric, labels, n);
}

static void
add_gpus (JmSnapshotBuilder *builder, const Node *node)
{
  for (guint i = 0; i < N_GPUS; i++)
    {
      g_autofree char *name = g_strdup_printf ("nvidia%u", i);

      jm_snapshot_builder_add_job_gpu (builder, name, "hook", 100);
      jm_snapshot_builder_add (builder, JM_METRIC_GPU_BUSY,
                               node->gpu_busy[i] * LIFE_S * US / 100);
      jm_snapshot_builder_add (builder, JM_METRIC_GPU_OBSERVED, LIFE_S * US);
      /* which it mended by itself */
      add_errors (builder, JM_METRIC_GPU_ECC_ERRORS, "corrected", 12);
      add_errors (builder, JM_METRIC_GPU_ECC_ERRORS, "uncorrected",
                  i == 0 ? node->uncorrected : 0);
      jm_snapshot_builder_add (builder, JM_METRIC_GPU_THROTTLED,
                               i == 0 ? node->throttled_percent * LIFE_S * US / 100
                                      : 0);
      if (i == 0 && node->xid != NULL)
        add_errors (builder, JM_METRIC_GPU_XID_ERRORS, node->xid, 1);
    }
}

static JmSnapshot *
make_snapshot (const Node *node, gboolean has_gpus)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) job = jm_test_job_new ("7", "user", "ada", NULL);

  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, N_CPUS);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL,
                           node->busy * LIFE_S * N_CPUS * NS / 100);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_THROTTLED, node->throttled_s * NS);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_PEAK,
                           node->kills > 0 ? 8 * GIB : 6 * GIB);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_LIMIT, 8 * GIB);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_OOM_KILLS, node->kills);
  jm_snapshot_builder_add_step (builder, "0");
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_OOM_KILLS, node->kills);
  jm_snapshot_builder_add_task (builder, "2");
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_OOM_KILLS, 0);
  jm_snapshot_builder_add_task (builder, "3");
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_OOM_KILLS, node->kills);
  if (has_gpus)
    add_gpus (builder, node);

  return jm_snapshot_builder_end (builder);
}

static JmJobRecord *
make_record (const Node *node, guint number, gboolean has_gpus)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot (node, has_gpus);
  g_autofree char *name = g_strdup_printf ("n%u", number);
  g_autoptr (JmJob) job = jm_test_job_new ("7", "user", "ada", NULL);
  const JmCoverage coverage = { "life", 1, JM_TOTAL_METHOD_FINAL };
  const JmJobRecordContent content = {
    .job = job,
    .node = node->is_nameless ? NULL : name,
    .state = node->is_lost ? JM_RUN_STATE_RUNNING : JM_RUN_STATE_ENDED,
    .begin_us = BEGIN_S * G_USEC_PER_SEC,
    .end_us = node->is_lost ? 0 : (BEGIN_S + LIFE_S) * G_USEC_PER_SEC,
    .seen_us = (BEGIN_S + LIFE_S) * G_USEC_PER_SEC,
    .snapshot = snapshot,
    .coverage = &coverage,
    .n_coverage = 1,
  };

  return jm_job_record_new (&content);
}

static void
add_step (JmRun *run, const char *name, gint64 end_s, gint64 signal)
{
  g_autoptr (JmRunPart) step = jm_run_part_new (JM_RUN_PART_KIND_STEP);

  jm_run_part_set_text (step, JM_QUANTITY_NAME, name);
  jm_run_part_set_text (step, JM_QUANTITY_STATE, signal > 0 ? "FAILED" : "COMPLETED");
  jm_run_part_set_number (step, JM_QUANTITY_END_TIME, end_s);
  jm_run_part_set_number (step, JM_QUANTITY_EXIT_SIGNAL, signal);
  jm_run_add_part (run, step);
}

static JmRun *
make_run (const Fault *fault)
{
  JmRun *run = jm_run_new ("alps", "7");

  jm_run_keep_text (run, JM_RUN_FIELD_STATE, fault->state);
  jm_run_keep_text (run, JM_RUN_FIELD_USER, "ada");
  jm_run_keep_number (run, JM_RUN_FIELD_UID, 1001);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, fault->n_nodes);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, N_CPUS * fault->n_nodes);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, BEGIN_S);
  if (!g_str_equal (fault->state, "RUNNING"))
    jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, BEGIN_S + LIFE_S);
  jm_run_keep_number (run, JM_RUN_FIELD_TIME_LIMIT, LIFE_S);
  jm_run_keep_number (run, JM_RUN_FIELD_EXIT_CODE, fault->exit_code);
  jm_run_keep_number (run, JM_RUN_FIELD_EXIT_SIGNAL, fault->signal);
  jm_run_keep_text (run, JM_RUN_FIELD_CANCELLED_BY, fault->cancelled_by);
  jm_run_keep_text (run, JM_RUN_FIELD_FAILED_NODE, fault->failed_node);
  if (fault->step_signal > 0)
    {
      add_step (run, "batch", BEGIN_S + 10, 1);
      add_step (run, "0", BEGIN_S + 100, 0);
      add_step (run, "2", BEGIN_S + 300, fault->step_signal + 1);
      add_step (run, "1", BEGIN_S + 200, fault->step_signal);
    }

  return run;
}

static JmRunVerdict *
judge (const Fault *fault)
{
  g_autoptr (JmRunRules) rules = made_report_read_rules ();
  g_autoptr (JmRun) run = make_run (fault);
  g_autoptr (GPtrArray) records =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_record_unref);
  g_autoptr (JmRunReport) report = NULL;
  g_autoptr (GPtrArray) advice = NULL;

  for (guint i = 0; i < fault->n_nodes; i++)
    g_ptr_array_add (records, make_record (&fault->nodes[i], i, fault->has_gpus));
  report = jm_run_report_new (run, records);
  advice = jm_run_rules_judge (rules, report);

  return jm_run_verdict_new (report, advice);
}

static void
test_names_the_cause_of_each_fault_and_no_other (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autoptr (JmRunVerdict) verdict = judge (&faults[i]);

      g_test_message ("%s", faults[i].what);
      g_assert_cmpstr (jm_run_verdict_get_cause (verdict), ==, faults[i].cause);
    }
}

/* Whatever it is that each node did, a node is blamed only if it was made to lag. */
static void
test_blames_the_node_that_was_made_to_lag_and_never_another (void)
{
  guint n_named = 0;

  for (guint i = 0; i < 200; i++)
    {
      const gboolean lags = i % 2 == 0;
      Fault fault = { "chance", "COMPLETED", (guint) g_test_rand_int_range (3, 9) };
      const guint victim = (guint) g_test_rand_int_range (0, (gint32) fault.n_nodes);
      g_autofree char *named = g_strdup_printf ("Node n%u used ", victim);
      g_autoptr (JmRunVerdict) verdict = NULL;
      const char *cause;

      for (guint k = 0; k < fault.n_nodes; k++)
        fault.nodes[k].busy = (guint) g_test_rand_int_range (80, 100);
      if (lags)
        fault.nodes[victim].busy = (guint) g_test_rand_int_range (5, 30);
      verdict = judge (&fault);
      cause = jm_run_verdict_get_cause (verdict);

      if (!lags)
        g_assert_cmpstr (cause, ==, NULL);
      else if (cause != NULL)
        {
          g_assert_true (g_str_has_prefix (cause, named));
          n_named++;
        }
    }

  g_assert_cmpuint (n_named, >=, 90);
}

/* Of these nobody sees a node; they ended at 22:13:20. */
static void
test_names_a_hang_and_what_a_run_waited_for (void)
{
  static const struct
  {
    const char *run;
    const char *cause;
  } runs[] = {
    { "state=TIMEOUT time_limit_seconds=2h idle_at_end_seconds=40m",
      "The run reached its time limit of 2h00m00s at 2023-11-14 22:13:20 UTC; its CPUs "
      "had been idle for 40m00s." },
    { "state=TIMEOUT time_limit_seconds=2h idle_at_end_seconds=9m",
      "The run reached its time limit of 2h00m00s at 2023-11-14 22:13:20 UTC." },
    { "state=CANCELLED cancelled_by=root gpu_idle_at_end_seconds=3h",
      "The run was cancelled by the user root, at 2023-11-14 22:13:20 UTC; its GPUs "
      "had "
      "been idle for 3h00m00s." },
    { "state=COMPLETED elapsed_seconds=2h observed_percent=100 io_wait_percent=40",
      "For 40.0% of the time some task waited for data to be read or written." },
    { "state=COMPLETED elapsed_seconds=2h observed_percent=100 memory_wait_percent=20 "
      "memory_fullest_percent=99",
      "For 20.0% of the time tasks waited for memory, of which 99.0% was in use at the "
      "most." },
    { "state=FAILED exit_code=3 elapsed_seconds=2h observed_percent=100 "
      "io_wait_percent=40",
      "The program ended with exit code 3, at 2023-11-14 22:13:20 UTC." },
    { "state=COMPLETED elapsed_seconds=2h observed_percent=50 io_wait_percent=40",
      NULL },
  };
  g_autoptr (JmRunRules) rules = made_report_read_rules ();

  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      g_autoptr (JmRunReport) report = made_report_new (runs[i].run);
      g_autoptr (GPtrArray) advice = jm_run_rules_judge (rules, report);
      g_autoptr (JmRunVerdict) verdict = jm_run_verdict_new (report, advice);

      g_test_message ("%s", runs[i].run);
      g_assert_cmpstr (jm_run_verdict_get_cause (verdict), ==, runs[i].cause);
    }
}

/* A site's rule names a cause in its own words, and takes one away. */
static void
test_can_be_changed_by_a_site (void)
{
  static const struct
  {
    const char *cause;
    const char *expected;
  } rules_of_sites[] = {
    { "Cause=It ended {canceller}.", "It ended by root." },
    { "Cause={lagging_node} lags.", NULL },
    { "Cause=", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rules_of_sites); i++)
    {
      g_autofree char *text =
        g_strdup_printf ("[ours]\nLevel=note\nTitle=T\nReason=R\nAction=A\n"
                         "When=cpus > 1\nObserved=0\n%s\n",
                         rules_of_sites[i].cause);
      g_autoptr (GError) error = NULL;
      g_autoptr (JmRunRules) rules =
        jm_run_rules_new_from_text ("site.conf", text, strlen (text), &error);
      g_autoptr (JmRunReport) report =
        made_report_new ("state=COMPLETED cpus=8 cancelled_by=0");
      g_autoptr (GPtrArray) advice = NULL;
      g_autoptr (JmRunVerdict) verdict = NULL;

      g_assert_no_error (error);
      advice = jm_run_rules_judge (rules, report);
      verdict = jm_run_verdict_new (report, advice);
      g_assert_cmpstr (jm_run_verdict_get_cause (verdict), ==,
                       rules_of_sites[i].expected);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/run-cause/names-the-cause-of-each-fault-and-no-other",
                   test_names_the_cause_of_each_fault_and_no_other);
  g_test_add_func ("/run-cause/blames-the-node-that-was-made-to-lag-and-never-another",
                   test_blames_the_node_that_was_made_to_lag_and_never_another);
  g_test_add_func ("/run-cause/names-a-hang-and-what-a-run-waited-for",
                   test_names_a_hang_and_what_a_run_waited_for);
  g_test_add_func ("/run-cause/can-be-changed-by-a-site",
                   test_can_be_changed_by_a_site);

  return g_test_run ();
}
