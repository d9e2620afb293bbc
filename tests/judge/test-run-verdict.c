/* test-run-verdict.c: whether a run was any good, in one sentence
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "judge/jm-run-advice-private.h"
#include "judge/jm-run-rule-private.h"

#include <string.h>

#include "../report/shown-report.h"
#include "judge/jm-run-report-private.h"
#include "made-report.h"

/* A run of eight CPUs that used what it was given. */
#define GOOD                                                                           \
 "state=COMPLETED gpus_allocated=0 nodes=1 cpus=8 elapsed_seconds=2h "                 \
 "cpu_efficiency_percent=96 memory_share_percent=80 observed_percent=100"

typedef struct
{
  const char *run;
  JmVerdictKind kind;
  const char *title;
  const char *sentence;
  const char *next_step; /* NULL for none */
} Case;

static const Case cases[] = {
  { GOOD, JM_VERDICT_KIND_GOOD, "good",
    "No problems found: CPU use 96.0%, memory use 80.0%.", NULL },
  { GOOD " gpus_allocated=1 unused_gpus=0 gpu_utilization_percent=91",
    JM_VERDICT_KIND_GOOD, "good",
    "No problems found: CPU use 96.0%, memory use 80.0%, GPU use 91.0%.", NULL },
  { GOOD " cpu_efficiency_percent=20 cpus_used_peak=2", JM_VERDICT_KIND_WASTE,
    "waste: Low CPU use",
    "The run used 20.0% of the time of its 8 CPUs; well-fitted ones use more than 80 "
    "%.",
    "Ask for fewer CPUs, such as the 2 that were busy at the most, and see with how "
    "many it is still as fast." },
  { GOOD " memory_share_percent=20 memory_per_cpu_bytes=8GiB "
         "memory_peak_bytes=13GiB memory_allocated_bytes=64GiB",
    JM_VERDICT_KIND_WASTE, "waste: More memory than needed",
    "The run used 20.0% of the memory it was given: at most 13GiB of 64GiB on a node.",
    "Ask for less: #SBATCH --mem=20G" },
  { GOOD " gpus_allocated=2 unused_gpus=2 gpu_utilization_percent=0",
    JM_VERDICT_KIND_WASTE, "waste: No GPU was used",
    "The run was given 2 GPUs for 2h00m00s and used none.",
    "Check whether the program was built for GPUs, and whether it is configured to use "
    "them: that modules and libraries for the GPU are loaded, and that it finds a "
    "device "
    "when it starts." },
  { GOOD " state=OUT_OF_MEMORY memory_allocated_bytes=8GiB", JM_VERDICT_KIND_TROUBLE,
    "trouble: Out of memory",
    "The system killed processes of the run because its memory was full: it was given "
    "8.0GiB on each node.",
    "Ask for more memory: #SBATCH --mem=15G" },
  { GOOD " state=FAILED exit_code=2 exit_signal=0", JM_VERDICT_KIND_TROUBLE,
    "trouble: Failed", "The run ended with an error: exit code 2.",
    "Look into its output for the first error message." },
  { GOOD " state=CANCELLED", JM_VERDICT_KIND_TROUBLE, "trouble: Cancelled",
    "The run was cancelled before it was done.",
    "If that was not on purpose, ask the support why." },
  { "state=RUNNING elapsed_seconds=2m", JM_VERDICT_KIND_RUNNING, "running",
    "It goes on. Unknown so far: CPU use, memory use, GPU use.", NULL },
  { GOOD " state=RUNNING", JM_VERDICT_KIND_RUNNING, "running",
    "It goes on, and no problems were found so far.", NULL },
  { "state=RUNNING gpu_idle_at_end_seconds=2h", JM_VERDICT_KIND_WASTE,
    "waste: GPUs are idle", "The run goes on, but has used no GPU for 2h00m00s.",
    "If it is done, or waits for something, cancel it: no other job can use its "
    "GPUs." },
  { "state=PENDING submit_time=1699990000", JM_VERDICT_KIND_WAITING, "waiting",
    "It has not begun yet.", NULL },
  { "state=PENDING submit_time=1699990000 reason=Priority", JM_VERDICT_KIND_WAITING,
    "waiting",
    "It has not begun yet. The scheduler's reason is Priority: jobs with a higher "
    "priority come first.",
    NULL },
  { "state=PENDING submit_time=1699990000 reason=DependencyNeverSatisfied",
    JM_VERDICT_KIND_WAITING, "waiting",
    "It has not begun yet. The scheduler's reason is DependencyNeverSatisfied: a job "
    "that it depends on failed, and it will never begin.",
    NULL },
  { "state=PENDING submit_time=1699990000 reason=Moon", JM_VERDICT_KIND_WAITING,
    "waiting", "It has not begun yet. The scheduler's reason is Moon.", NULL },
  { "state=LOST submit_time=1699990000", JM_VERDICT_KIND_NOT_ENOUGH_DATA,
    "not enough data", "Unknown: run time, CPU use, memory use, GPU use, how it ended.",
    NULL },
  { GOOD " state=SPECIAL_EXIT", JM_VERDICT_KIND_TROUBLE,
    "trouble: Ended by the scheduler",
    "The scheduler ended the run before it was done, with the state SPECIAL_EXIT.",
    "Submit it again, unless the scheduler does that by itself." },
  { GOOD " state=REQUEUED", JM_VERDICT_KIND_TROUBLE, "trouble: Ended by the scheduler",
    "The scheduler ended the run before it was done, with the state REQUEUED.",
    "Submit it again, unless the scheduler does that by itself." },
  { GOOD " elapsed_seconds=2m", JM_VERDICT_KIND_TOO_SHORT, "too short to judge",
    "The run lasted for 2m00s.",
    "To learn how much the program uses, look at a longer run of it." },
  { GOOD " elapsed_seconds=20s", JM_VERDICT_KIND_TOO_SHORT, "too short to judge",
    "The run took 20.00s.",
    "If there are many like it, do several in one job, one after the other or side by "
    "side." },
  { GOOD " observed_percent=40", JM_VERDICT_KIND_NOT_ENOUGH_DATA, "not enough data",
    "Only 40.0% of the life of the run was observed; 90 % is needed to judge how much "
    "it used.",
    "If that happens often, ask the support whether jobmetrics runs on all nodes." },
};

static JmRunVerdict *
judge (const char *run)
{
  g_autoptr (JmRunRules) rules = made_report_read_rules ();
  g_autoptr (JmRunReport) report = made_report_new (run);
  g_autoptr (GPtrArray) advice = jm_run_rules_judge (rules, report);

  return jm_run_verdict_new (report, advice);
}

static void
test_names_what_matters_most_and_the_next_step (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JmRunVerdict) verdict = judge (cases[i].run);

      g_test_message ("%s", cases[i].run);
      g_assert_cmpstr (jm_run_verdict_get_title (verdict), ==, cases[i].title);
      g_assert_cmpint (jm_run_verdict_get_kind (verdict), ==, cases[i].kind);
      g_assert_cmpstr (jm_run_verdict_get_sentence (verdict), ==, cases[i].sentence);
      g_assert_cmpstr (jm_run_verdict_get_next_step (verdict), ==, cases[i].next_step);
    }
}

static void
test_names_the_quantity_and_the_amount_of_waste (void)
{
  g_autoptr (JmRunVerdict) verdict =
    judge (GOOD " cpu_efficiency_percent=20 cpus_used_peak=2 cpu_unused_seconds=46080");
  g_autofree char *text = jm_run_verdict_to_string (verdict);
  double amount;

  g_assert_cmpstr (jm_run_verdict_get_wasted (verdict, &amount)->name, ==,
                   "cpu_unused_seconds");
  g_assert_cmpfloat (amount, ==, 46080);
  g_assert_cmpstr (text, ==, "waste: Low CPU use (12h48m00s CPU time unused)");
}

/* Whatever is missing of a good run, it is not approved of. */
static void
test_approves_of_no_run_of_which_a_figure_is_missing (void)
{
  static const char *const needed[] = { "state", "gpus_allocated", "elapsed_seconds",
                                        "cpu_efficiency_percent",
                                        "memory_share_percent" };
  g_auto (GStrv) facts = g_strsplit (GOOD, " ", -1);

  for (guint i = 0; i < G_N_ELEMENTS (needed); i++)
    {
      g_autoptr (GStrvBuilder) kept = g_strv_builder_new ();
      g_auto (GStrv) words = NULL;
      g_autofree char *run = NULL;
      g_autoptr (JmRunVerdict) verdict = NULL;

      for (guint k = 0; facts[k] != NULL; k++)
        if (!g_str_has_prefix (facts[k], needed[i]))
          g_strv_builder_add (kept, facts[k]);
      words = g_strv_builder_end (kept);
      run = g_strjoinv (" ", words);
      verdict = judge (run);
      g_test_message ("%s", run);
      g_assert_cmpint (jm_run_verdict_get_kind (verdict), ==,
                       JM_VERDICT_KIND_NOT_ENOUGH_DATA);
    }
}

static void
test_does_not_approve_of_a_run_whose_end_only_a_node_knows (void)
{
  g_autoptr (JmRunVerdict) verdict = judge (GOOD " state=ENDED");

  g_assert_cmpstr (jm_run_verdict_get_sentence (verdict), ==,
                   "Unknown: how it ended. Known: CPU use 96.0%, memory use 80.0%.");
}

/* Rules are silent of it, since they do not know what they missed. */
static void
test_does_not_approve_of_a_run_that_was_observed_nobody_knows_for_how_long (void)
{
  g_autoptr (JmRunRules) rules = made_report_read_rules ();
  g_autoptr (JmRunReport) report = shown_report_new (1, 0);
  g_autoptr (GPtrArray) advice = NULL;
  g_autoptr (JmRunVerdict) verdict = NULL;

  jm_figures_set (report->figures, JM_QUANTITY_OBSERVED, (JmFigure){ 0 });
  advice = jm_run_rules_judge (rules, report);
  verdict = jm_run_verdict_new (report, advice);

  g_assert_cmpint (jm_run_verdict_get_kind (verdict), ==,
                   JM_VERDICT_KIND_NOT_ENOUGH_DATA);
  g_assert_nonnull (
    strstr (jm_run_verdict_get_sentence (verdict), "how much of it was observed"));
}

/* An empty list of advice says nothing where no rule made it. */
static void
test_does_not_judge_a_run_that_no_rules_were_asked_of (void)
{
  static const char *const runs[] = { GOOD, GOOD " elapsed_seconds=20s" };
  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      g_autoptr (JmRunReport) report = made_report_new (runs[i]);
      g_autoptr (JmRunVerdict) verdict = jm_run_verdict_new (report, none);

      g_assert_cmpint (jm_run_verdict_get_kind (verdict), ==,
                       JM_VERDICT_KIND_NOT_ENOUGH_DATA);
      g_assert_cmpstr (jm_run_verdict_get_title (verdict), ==, "not judged");
      g_assert_cmpstr (jm_run_verdict_get_next_step (verdict), ==, NULL);
    }
}

static void
test_can_be_changed_by_a_site (void)
{
  const char *text = "[low]\nLevel=note\nTitle=T\nReason=R\nAction=A\nWhen=cpus > 1\n"
                     "Wasted=cpu_unused_seconds\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRunRules) rules =
    jm_run_rules_new_from_text ("site.conf", text, strlen (text), &error);
  g_autoptr (JmRunReport) report = made_report_new (GOOD);
  g_autoptr (GPtrArray) advice = jm_run_rules_judge (rules, report);
  g_autoptr (JmRunVerdict) verdict = jm_run_verdict_new (report, advice);

  g_assert_no_error (error);
  g_assert_cmpstr (jm_run_verdict_get_title (verdict), ==, "waste: T");
}

static void
test_has_stable_names_for_programs (void)
{
  g_autoptr (GEnumClass) enumeration = g_type_class_ref (JM_TYPE_VERDICT_KIND);

  g_assert_cmpuint (enumeration->n_values, ==, JM_N_VERDICT_KINDS);
  for (guint i = 0; i < enumeration->n_values; i++)
    g_assert_cmpstr (enumeration->values[i].value_nick, ==,
                     jm_verdict_kind_get_name (enumeration->values[i].value));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/run-verdict/names-what-matters-most-and-the-next-step",
                   test_names_what_matters_most_and_the_next_step);
  g_test_add_func ("/run-verdict/names-the-quantity-and-the-amount-of-waste",
                   test_names_the_quantity_and_the_amount_of_waste);
  g_test_add_func ("/run-verdict/approves-of-no-run-of-which-a-figure-is-missing",
                   test_approves_of_no_run_of_which_a_figure_is_missing);
  g_test_add_func ("/run-verdict/does-not-approve-of-a-run-whose-end-only-a-node-knows",
                   test_does_not_approve_of_a_run_whose_end_only_a_node_knows);
  g_test_add_func (
    "/run-verdict/"
    "does-not-approve-of-a-run-that-was-observed-nobody-knows-for-how-"
    "long",
    test_does_not_approve_of_a_run_that_was_observed_nobody_knows_for_how_long);
  g_test_add_func ("/run-verdict/does-not-judge-a-run-that-no-rules-were-asked-of",
                   test_does_not_judge_a_run_that_no_rules_were_asked_of);
  g_test_add_func ("/run-verdict/can-be-changed-by-a-site",
                   test_can_be_changed_by_a_site);
  g_test_add_func ("/run-verdict/has-stable-names-for-programs",
                   test_has_stable_names_for_programs);

  return g_test_run ();
}
