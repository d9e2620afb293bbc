/* test-run-rules.c: what is said of which runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "judge/jm-run-advice-private.h"
#include "judge/jm-run-rule-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "made-report.h"
#include "tree.h"

/* A run that the rule is true of, with nothing in it that the rule does not need, and
 * what makes it a run that it is just not true of. */
typedef struct
{
  const char *rule;
  const char *trips;
  const char *spares;
} Case;

#define ENDED "elapsed_seconds=2h "
#define CPU_RUN "gpus_allocated=0 cpus=8 " ENDED

static const Case cases[] = {
  { "out-of-memory", "memory_oom_kills=1", "memory_oom_kills=0" },
  { "out-of-memory", "state=OUT_OF_MEMORY", "state=COMPLETED" },
  { "time-limit-reached", "state=TIMEOUT", "state=FAILED" },
  { "node-failed", "state=NODE_FAIL", "state=FAILED" },
  { "failed", "state=FAILED", "state=COMPLETED" },
  { "failed-by-signal", "state=FAILED exit_signal=11", "exit_signal=0" },
  { "ended-by-scheduler", "state=PREEMPTED", "state=COMPLETED" },
  { "cancelled", "state=CANCELLED", "state=COMPLETED" },
  { "too-short", "elapsed_seconds=5m", "elapsed_seconds=5m01s" },
  { "hardly-observed", "observed_percent=80", "observed_percent=90" },

  { "gpus-unused", "gpus_allocated=2 unused_gpus=2 elapsed_seconds=5m01s",
    "unused_gpus=1" },
  { "gpus-unused", "gpus_allocated=2 unused_gpus=2 elapsed_seconds=5m01s",
    "elapsed_seconds=5m" },
  { "gpus-partly-unused", "gpus_allocated=4 unused_gpus=3 elapsed_seconds=1h",
    "unused_gpus=0" },
  { "gpus-idle-now", "state=RUNNING gpu_idle_at_end_seconds=1h",
    "gpu_idle_at_end_seconds=59m" },
  { "gpus-idle-at-end", "state=COMPLETED gpu_idle_at_end_seconds=1h",
    "gpu_idle_at_end_seconds=59m" },
  { "gpus-idle-at-end", "state=COMPLETED gpu_idle_at_end_seconds=1h",
    "state=CANCELLED" },
  { "cancelled-after-idling", "state=CANCELLED gpu_idle_at_end_seconds=1h",
    "gpu_idle_at_end_seconds=59m" },
  { "cancelled-after-idling", "state=CANCELLED idle_at_end_seconds=1h",
    "state=COMPLETED" },
  { "gpu-low-interactive",
    "gpu_utilization_percent=15 elapsed_seconds=8h01m name=interactive",
    "gpu_utilization_percent=15.1" },
  { "gpu-low-interactive",
    "gpu_utilization_percent=15 elapsed_seconds=8h01m name=sys/jupyter",
    "elapsed_seconds=8h" },
  { "gpu-low", ENDED "gpus_allocated=1 unused_gpus=0 gpu_utilization_percent=15",
    "gpu_utilization_percent=15.1" },
  { "gpu-fair", ENDED "gpu_utilization_percent=24.9", "gpu_utilization_percent=25" },
  { "gpu-too-powerful",
    ENDED
    "gpus_allocated=1 cpus=8 gpu_utilization_percent=20 gpu_memory_peak_bytes=10GiB "
    "gpu_memory_bytes=80GiB memory_peak_bytes=32GiB",
    "gpu_memory_peak_bytes=11GiB" },
  { "gpu-too-powerful",
    ENDED
    "gpus_allocated=1 cpus=8 gpu_utilization_percent=20 gpu_memory_peak_bytes=10GiB "
    "gpu_memory_bytes=80GiB memory_peak_bytes=32GiB",
    "cpus=9" },
  { "gpu-memory-low",
    ENDED "gpus_allocated=1 unused_gpus=0 gpu_memory_share_percent=9.9 "
          "gpu_memory_peak_bytes=7.9GiB gpu_memory_bytes=80GiB",
    "gpu_memory_share_percent=10" },
  { "gpu-tensor-unused", ENDED "gpu_tensor_percent=0.9 gpu_utilization_percent=50",
    "gpu_tensor_percent=1" },
  { "gpu-hours-wasted", "gpu_unused_seconds=101h", "gpu_unused_seconds=100h" },
  { "gpus-on-many-nodes", ENDED "gpus_allocated=6 nodes=2", "gpus_allocated=8" },
  { "cpus-per-gpu-many", ENDED "gpus_allocated=1 cpus=13 cpu_efficiency_percent=79",
    "cpus=12" },
  { "memory-per-gpu-high",
    ENDED
    "gpus_allocated=1 nodes=1 memory_allocated_bytes=251GiB memory_share_percent=79",
    "memory_allocated_bytes=250GiB" },

  { "cpus-unused", "nodes=2 unused_nodes=2 elapsed_seconds=5m01s",
    "elapsed_seconds=5m" },
  { "cpus-unused", ENDED "cpu_efficiency_percent=0.09", "cpu_efficiency_percent=0.1" },
  { "nodes-unused", "nodes=2 unused_nodes=1 elapsed_seconds=1h", "unused_nodes=0" },
  { "cpu-serial", CPU_RUN "nodes=1 cpus_used=0.98", "cpus_used=1.1" },
  { "cpu-serial", CPU_RUN "nodes=1 cpus_used=0.98", "cpus=1" },
  { "cpu-threads",
    CPU_RUN "cpu_efficiency_percent=50 threads_per_core=2 cpu_core_use_percent=100",
    "cpu_core_use_percent=79.9" },
  { "cpu-threads",
    CPU_RUN "cpu_efficiency_percent=50 threads_per_core=2 cpu_core_use_percent=100",
    "threads_per_core=1" },
  { "cpu-low", CPU_RUN "cpu_efficiency_percent=64.9", "cpu_efficiency_percent=65" },
  { "cpu-low", CPU_RUN "cpu_efficiency_percent=64.9", "state=RUNNING" },
  { "cpu-low", CPU_RUN "cpu_efficiency_percent=64.9", "gpus_allocated=1" },
  { "cpu-low-serial", ENDED "gpus_allocated=0 cpus=1 cpu_efficiency_percent=64.9",
    "cpu_efficiency_percent=65" },
  { "cpu-fair", CPU_RUN "cpu_efficiency_percent=79.9", "cpu_efficiency_percent=80" },
  { "cpu-uneven", CPU_RUN "cpu_evenness_percent=74.9 cpus_used=3 cpus_used_peak=8",
    "cpu_evenness_percent=75" },
  { "cpu-imbalance", ENDED "cpus=8 cpu_balance_percent=49.9",
    "cpu_balance_percent=50" },
  { "nodes-imbalance", ENDED "nodes=2 node_balance_percent=49.9",
    "node_balance_percent=50" },
  { "nodes-many", CPU_RUN "nodes=4 memory_allocated_bytes=63GiB", "cpus=64" },
  { "nodes-many", CPU_RUN "nodes=4 memory_allocated_bytes=63GiB",
    "memory_allocated_bytes=64GiB" },
  { "cpus-idle-now", "state=RUNNING gpus_allocated=0 idle_at_end_seconds=1h",
    "idle_at_end_seconds=59m" },
  { "cpus-idle-at-end", "state=FAILED gpus_allocated=0 idle_at_end_seconds=1h",
    "idle_at_end_seconds=59m" },
  { "threads-many", ENDED "threads_per_cpu=2.1", "threads_per_cpu=2" },
  { "cpus-crowded", ENDED "threads_per_cpu=2.1 cpu_wait_percent=50",
    "cpu_wait_percent=49.9" },
  { "kernel-time", ENDED "cpu_system_percent=25 cpu_seconds=1h",
    "cpu_system_percent=24.9" },

  { "memory-at-limit", "memory_fullest_percent=95", "memory_fullest_percent=94.9" },
  { "memory-waited", "memory_fullest_percent=95 memory_wait_percent=5",
    "memory_wait_percent=4.9" },
  { "swap", "memory_swap_used_bytes=101MiB", "memory_swap_used_bytes=100MiB" },
  { "memory-mostly-unused",
    ENDED "gpus_allocated=0 memory_share_percent=9.9 memory_per_cpu_bytes=5GiB "
          "memory_peak_bytes=3GiB memory_allocated_bytes=40GiB",
    "memory_share_percent=10" },
  { "memory-mostly-unused",
    ENDED "gpus_allocated=0 memory_share_percent=9.9 memory_per_cpu_bytes=5GiB "
          "memory_peak_bytes=3GiB memory_allocated_bytes=40GiB",
    "memory_per_cpu_bytes=4GiB" },
  { "memory-over-allocated",
    ENDED "gpus_allocated=0 memory_share_percent=69.9 memory_per_cpu_bytes=5GiB "
          "memory_peak_bytes=20GiB memory_allocated_bytes=40GiB",
    "memory_share_percent=70" },
  { "gpu-run-memory-over-allocated",
    ENDED "gpus_allocated=1 nodes=1 memory_share_percent=69.9 memory_peak_bytes=20GiB "
          "memory_allocated_bytes=51GiB",
    "memory_allocated_bytes=50GiB" },
  { "memory-hours-wasted",
    "elapsed_seconds=11h memory_unused_bytes=1TiB memory_share_percent=34.9",
    "elapsed_seconds=10h" },

  { "time-limit-far-too-long",
    "state=COMPLETED elapsed_seconds=20m time_share_percent=10 time_limit_seconds=200m",
    "time_share_percent=10.1" },
  { "time-limit-far-too-long",
    "state=COMPLETED elapsed_seconds=20m time_share_percent=10 time_limit_seconds=200m",
    "state=FAILED" },
  { "time-limit-too-long",
    "state=COMPLETED elapsed_seconds=1h time_share_percent=60 time_limit_seconds=100m",
    "time_share_percent=60.1" },
  { "time-blocked",
    "state=COMPLETED elapsed_seconds=1h time_share_percent=20 time_limit_seconds=5h "
    "cpus=256",
    "cpus=250" },
  { "very-short", "state=COMPLETED elapsed_seconds=59s", "elapsed_seconds=60s" },

  { "small-io", "io_calls=1001K bytes_per_call=4095", "bytes_per_call=4096" },
  { "small-io", "io_calls=1001K bytes_per_call=4095", "io_calls=1M" },
  { "small-files", "open_files=1000 read_bytes=2GiB written_bytes=2GiB",
    "open_files=999" },
  { "small-files", "open_files=1000 read_bytes=2GiB written_bytes=2GiB",
    "read_bytes=3GiB" },
  { "io-waited", ENDED "io_wait_percent=20", "io_wait_percent=19.9" },
  { "scratch-unused", ENDED "scratch_processes=0 read_bytes=60GiB written_bytes=41GiB",
    "scratch_processes=1" },
  { "scratch-unused", ENDED "scratch_processes=0 read_bytes=60GiB written_bytes=41GiB",
    "written_bytes=40GiB" },

  { "energy-wasted", "energy_lost_joules=1.1kWh", "energy_lost_joules=0.9kWh" },

  { "unusually-long", ENDED "siblings=7 usual_elapsed_seconds=1h elapsed_deviation=3.6",
    "usual_elapsed_seconds=61m elapsed_of_usual=1.97" },
  { "unusually-long", ENDED "siblings=7 usual_elapsed_seconds=1h elapsed_deviation=3.6",
    "elapsed_deviation=3.5" },
  { "unusually-low-cpu",
    ENDED "siblings=7 cpu_efficiency_percent=40 usual_cpu_efficiency_percent=80 "
          "cpu_efficiency_deviation=3.6",
    "cpu_efficiency_of_usual_percent=50.1" },
  { "unusually-low-cpu",
    ENDED "siblings=7 cpu_efficiency_percent=40 usual_cpu_efficiency_percent=80 "
          "cpu_efficiency_deviation=3.6",
    "cpu_efficiency_deviation=3.5" },
  { "unusually-much-energy",
    ENDED "siblings=7 energy_joules=3kWh usual_energy_joules=2kWh energy_deviation=3.6",
    "energy_of_usual=1.49" },
  { "unusually-much-energy",
    ENDED "siblings=7 energy_joules=3kWh usual_energy_joules=2kWh energy_deviation=3.6",
    "energy_deviation=3.5" },
};

/* --- what is used below --- */

static JmRunAdvice *
find_advice (JmRunRules *rules, const char *run, const char *rule)
{
  g_autoptr (JmRunReport) report = made_report_new (run);
  g_autoptr (GPtrArray) advice = jm_run_rules_judge (rules, report);

  for (guint i = 0; i < advice->len; i++)
    if (g_str_equal (jm_run_advice_get_rule (advice->pdata[i]), rule))
      return jm_run_advice_ref (advice->pdata[i]);

  return NULL;
}

static void
assert_says (JmRunRules *rules, const char *run, const char *rule)
{
  g_autoptr (JmRunAdvice) advice = find_advice (rules, run, rule);

  if (advice == NULL)
    g_error ("%s is not said of: %s", rule, run);
}

static void
assert_silent (JmRunRules *rules, const char *run, const char *rule)
{
  g_autoptr (JmRunAdvice) advice = find_advice (rules, run, rule);

  if (advice != NULL)
    g_error ("%s is said of: %s", rule, run);
}

static JmRunRule *
find_rule (GPtrArray *rules, const char *name)
{
  for (guint i = 0; i < rules->len; i++)
    if (g_str_equal (jm_run_rule_get_name (rules->pdata[i]), name))
      return rules->pdata[i];

  g_error ("no such rule: %s", name);
}

static JmRunRules *
read_rules (const char *text)
{
  g_autoptr (GError) error = NULL;
  JmRunRules *rules =
    jm_run_rules_new_from_text ("site.conf", text, strlen (text), &error);

  g_assert_no_error (error);

  return rules;
}

/* --- the rules that are built in --- */

static void
test_each_rule_is_true_of_some_runs_and_not_of_others (void)
{
  g_autoptr (JmRunRules) rules = made_report_read_rules ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *spared =
        g_strconcat (cases[i].trips, " ", cases[i].spares, NULL);

      assert_says (rules, cases[i].trips, cases[i].rule);
      assert_silent (rules, spared, cases[i].rule);
    }
}

/* Whether the run knows the figure of `NAME=FIGURE`, since it follows from its others.
 */
static gboolean
knows_nevertheless (const char *run, const char *fact)
{
  g_autoptr (JmRunReport) report = made_report_new (run);
  g_autofree char *name = g_strndup (fact, strcspn (fact, "="));
  const JmQuantity *quantity = jm_quantity_of_run (name);
  double value;

  return quantity != NULL && jm_run_report_get_value (report, quantity, &value);
}

/* What matters of a rule is that it is silent, whichever fact is missing. */
static void
test_no_rule_is_true_of_what_is_not_known (void)
{
  g_autoptr (JmRunRules) rules = made_report_read_rules ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) facts = g_strsplit (cases[i].trips, " ", -1);

      for (guint k = 0; facts[k] != NULL; k++)
        {
          g_autofree char *kept = g_steal_pointer (&facts[k]);
          g_autofree char *before = g_strjoinv (" ", facts);
          g_autofree char *after = g_strjoinv (" ", facts + k + 1);
          g_autofree char *run = g_strconcat (before, " ", after, NULL);

          if (!knows_nevertheless (run, kept))
            assert_silent (rules, run, cases[i].rule);
          facts[k] = g_steal_pointer (&kept);
        }
    }
}

static void
test_no_rule_is_true_of_what_was_hardly_observed (void)
{
  g_autoptr (JmRunRules) rules = made_report_read_rules ();
  g_autoptr (GPtrArray) list = jm_run_rules_list (rules);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double observed = jm_run_rule_get_observed (find_rule (list, cases[i].rule));
      g_autofree char *weak =
        g_strconcat (cases[i].trips, " observed_percent=89.9", NULL);
      g_autofree char *strong =
        g_strconcat (cases[i].trips, " observed_percent=90", NULL);

      /* the one rule that is about just that */
      if (g_str_equal (cases[i].rule, "hardly-observed"))
        continue;
      assert_says (rules, strong, cases[i].rule);
      if (observed > 0)
        assert_silent (rules, weak, cases[i].rule);
      else
        assert_says (rules, weak, cases[i].rule);
    }
}

static void
test_each_rule_has_a_run_here (void)
{
  g_autoptr (JmRunRules) rules = made_report_read_rules ();
  g_autoptr (GPtrArray) list = jm_run_rules_list (rules);

  g_assert_cmpuint (list->len, >=, 30);
  for (guint i = 0; i < list->len; i++)
    {
      /* their runs, of several nodes and accelerators, are those of test-run-cause.c */
      const char *name = jm_run_rule_get_name (list->pdata[i]);
      gboolean is_there = g_str_has_suffix (name, "-lags") ||
                          g_str_equal (name, "gpu-errors") ||
                          g_str_equal (name, "gpu-throttled");

      for (guint k = 0; k < G_N_ELEMENTS (cases) && !is_there; k++)
        is_there = g_str_equal (jm_run_rule_get_name (list->pdata[i]), cases[k].rule);
      if (!is_there)
        g_error ("no case for %s", jm_run_rule_get_name (list->pdata[i]));
    }
}

static void
assert_text (const char *rule, const char *text, gboolean ends)
{
  if (strpbrk (text, "{}[]$") != NULL || *text == '\0' || g_str_has_suffix (text, " "))
    g_error ("%s: not filled: %s", rule, text);
  if (strstr (text, "\n.") != NULL || strstr (text, "\n,") != NULL)
    g_error ("%s: a line begins with a stop: %s", rule, text);
  if (ends && strchr (".0123456789GM\n", text[strlen (text) - 1]) == NULL)
    g_error ("%s: no end: %s", rule, text);
}

static void
test_texts_are_filled (void)
{
  g_autoptr (JmRunRules) rules = made_report_read_rules ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *name = cases[i].rule;
      g_autoptr (JmRunAdvice) advice = find_advice (rules, cases[i].trips, name);

      assert_text (name, jm_run_advice_get_title (advice), FALSE);
      assert_text (name, jm_run_advice_get_reason (advice), TRUE);
      assert_text (name, jm_run_advice_get_action (advice), TRUE);
    }
}

static void
test_a_run_without_faults_gets_no_advice (void)
{
  g_autoptr (JmRunRules) rules = made_report_read_rules ();
  g_autoptr (JmRunReport) report = made_report_new (
    "state=COMPLETED gpus_allocated=0 nodes=1 unused_nodes=0 cpus=8 elapsed_seconds=2h "
    "time_limit_seconds=3h time_share_percent=66 cpu_efficiency_percent=96 "
    "cpus_used=7.7 cpus_used_peak=8 cpu_evenness_percent=96 cpu_balance_percent=95 "
    "cpu_system_percent=3 idle_at_end_seconds=0 memory_share_percent=80 "
    "memory_fullest_percent=80 memory_per_cpu_bytes=4GiB memory_oom_kills=0 "
    "memory_swap_used_bytes=0 threads_per_cpu=1.5 cpu_wait_percent=5 "
    "memory_wait_percent=0 "
    "io_wait_percent=1 io_calls=5K bytes_per_call=1MiB open_files=12 "
    "read_bytes=3GiB written_bytes=2GiB energy_joules=1kWh energy_lost_joules=40kJ "
    "observed_percent=100");
  g_autoptr (GPtrArray) advice = jm_run_rules_judge (rules, report);

  g_assert_cmpuint (advice->len, ==, 0);
}

static void
assert_action (const char *run, const char *rule, const char *expected)
{
  g_autoptr (JmRunRules) rules = made_report_read_rules ();
  g_autoptr (JmRunAdvice) advice = find_advice (rules, run, rule);

  g_assert_nonnull (advice);
  if (strstr (jm_run_advice_get_action (advice), expected) == NULL)
    g_error ("'%s' is not in: %s", expected, jm_run_advice_get_action (advice));
}

static void
test_options_are_suggested_as_the_scheduler_takes_them (void)
{
  assert_action (CPU_RUN "nodes=1 memory_share_percent=12 memory_per_cpu_bytes=5GiB "
                         "memory_peak_bytes=5GiB memory_allocated_bytes=40GiB",
                 "memory-over-allocated",
                 "\n#SBATCH --mem=6G\nor for each CPU:\n#SBATCH --mem-per-cpu=800M\n");
  assert_action (CPU_RUN "memory_share_percent=50 memory_per_cpu_bytes=50GiB "
                         "memory_peak_bytes=200GiB memory_allocated_bytes=400GiB",
                 "memory-over-allocated", "\n#SBATCH --mem=240G\nThis");
  assert_action ("memory_oom_kills=1 memory_allocated_bytes=8GiB", "out-of-memory",
                 "\n#SBATCH --mem=15G");
  assert_action ("state=COMPLETED elapsed_seconds=2h time_share_percent=8 "
                 "time_limit_seconds=1d",
                 "time-limit-far-too-long", "#SBATCH --time=02:30:00");
  assert_action ("state=TIMEOUT time_limit_seconds=20h", "time-limit-reached",
                 "#SBATCH --time=1-06:00:00");
  assert_action (CPU_RUN "cpu_efficiency_percent=30 cpus_used_peak=3.05", "cpu-low",
                 "such as the 3 that were busy");
}

static void
test_what_says_the_same_with_less_is_left_out (void)
{
  g_autoptr (JmRunRules) rules = made_report_read_rules ();
  const char *idle = ENDED "gpus_allocated=1 unused_gpus=1 gpu_utilization_percent=0 "
                           "gpu_memory_share_percent=1 gpu_memory_peak_bytes=1GiB "
                           "gpu_memory_bytes=80GiB";

  assert_says (rules, idle, "gpus-unused");
  assert_silent (rules, idle, "gpu-low");
  assert_silent (rules, idle, "gpu-memory-low");
}

static void
test_a_core_is_busy_when_one_of_its_threads_is (void)
{
  g_autoptr (JmRunRules) rules = made_report_read_rules ();
  const char *half = CPU_RUN "cpu_efficiency_percent=50 threads_per_core=2 "
                             "cpu_core_use_percent=100";
  const char *quarter = CPU_RUN "cpu_efficiency_percent=25 threads_per_core=2 "
                                "cpu_core_use_percent=50";

  assert_says (rules, half, "cpu-threads");
  assert_silent (rules, half, "cpu-low");
  assert_says (rules, quarter, "cpu-low");
  assert_silent (rules, quarter, "cpu-threads");
}

/* A CPU run of Slurm's is one whose resources have no accelerator among them. */
static void
test_a_run_has_no_gpus_where_its_scheduler_gave_none (void)
{
  g_autoptr (JmRunRules) rules = made_report_read_rules ();
  const char *run = "cpus=8 elapsed_seconds=2h cpu_efficiency_percent=20 ";
  g_autofree char *without = g_strconcat (run, "tres=cpu=8,mem=4G,node=1", NULL);
  g_autofree char *with = g_strconcat (run, "tres=cpu=8,gres/gpu=1", NULL);

  assert_says (rules, without, "cpu-low");
  assert_silent (rules, with, "cpu-low");
}

static void
test_a_run_of_which_nobody_knows_whether_it_ended_is_not_judged_as_ended (void)
{
  g_autoptr (JmRunRules) rules = made_report_read_rules ();
  const char *run = CPU_RUN "cpu_efficiency_percent=20 end_time=0";
  g_autofree char *ended = g_strconcat (run, " state=FAILED", NULL);

  assert_silent (rules, run, "cpu-low");
  assert_says (rules, ended, "cpu-low");
}

/* --- files --- */

#define RULE(when) "[low]\nLevel=note\nTitle=T\nReason=R\nAction=A\nWhen=" when "\n"
#define OTHER "[other]\nLevel=act\nTitle=T\nReason=R\nAction=A\nWhen=cpus > 1\n"

static void
test_a_mistake_is_reported_with_file_rule_key_and_value (void)
{
  static const struct
  {
    const char *text;
    const char *message;
  } mistakes[] = {
    { "x", "site.conf: " },
    { RULE ("cpus > 1") "Wen=x\n", "site.conf: low: unknown key: Wen" },
    { RULE ("cpus > 1") "Level=bad\n", "site.conf: low: a key twice: Level" },
    { RULE ("cpus > 1") RULE ("cpus > 2"), "site.conf: a group twice: [low]" },
    { RULE ("mood > 1"), "site.conf: low: When: mood > 1: at character 1: no such "
                         "name: mood" },
    { RULE ("cpus >> 1"), "site.conf: low: When: cpus >> 1: at character 7: a value is "
                          "missing" },
    { RULE ("elapsed_seconds > 5x"), "'5x' is not a number of seconds" },
    { RULE ("cpus > $many"), "site.conf: low: When: no such threshold: many" },
    { "[low]\nLevel=note\nTitle=T\nReason=R\nAction=A\n",
      "site.conf: low: When: missing: low" },
    { "[low]\nWhen=cpus > 1\nTitle=T\nReason=R\nAction=A\nLevel=loud\n",
      "site.conf: low: Level: none of note, warning, act: loud" },
    { RULE ("cpus > 1") "Observed=many\n",
      "site.conf: low: Observed: 'many' is not a number of per cent" },
    { RULE ("cpus > 1") "Observed=101\n",
      "site.conf: low: Observed: more than 100 %: 101" },
    { RULE ("cpus > 1") "Supersedes=high\n",
      "site.conf: low: Supersedes: no such rule: high" },
    { RULE ("cpus > 1") "Supersedes=low\n",
      "site.conf: low: Supersedes: a rule supersedes itself: low" },
    { "[low]\nWhen=cpus > 1\nLevel=note\nTitle={mood}\nReason=R\nAction=A\n",
      "site.conf: low: Title: no such name: mood" },
    { "[low]\nWhen=cpus > 1\nLevel=note\nTitle=T {cpus:CPU}\nReason=R\nAction=A\n",
      "site.conf: low: Title: a word for one and one for more, as in was/were, are "
      "needed: CPU" },
    { "[low]\nWhen=cpus > 1\nLevel=note\nTitle=T {cpus\nReason=R\nAction=A\n",
      "site.conf: low: Title: a } is missing: {cpus" },
    { "[low]\nWhen=cpus > 1\nLevel=note\nTitle=T cpus}\nReason=R\nAction=A\n",
      "site.conf: low: Title: nothing for this } to close: }" },
    { "[low]\nWhen=cpus > 1\nLevel=note\nTitle=T [x\nReason=R\nAction=A\n",
      "site.conf: low: Title: a ] is missing: T [x" },
    { "[low]\nWhen=cpus > 1\nLevel=note\nTitle=T [x[y]]\nReason=R\nAction=A\n",
      "site.conf: low: Title: a [ within [ ]: [y]]" },
    { "[low]\nWhen=cpus > 1\nLevel=note\nTitle=\nReason=R\nAction=A\n",
      "site.conf: low: Title: empty" },
    { "[Low]\nWhen=cpus > 1\n", "site.conf: Low: a rule's name is of small letters" },
    { "[Thresholds]\nmany=4\n",
      "site.conf: Thresholds: no rule has this threshold: many" },
    { "[Thresholds]\nmany=4 || cpus > 0\n" RULE ("cpus > $many"),
      "site.conf: Thresholds: many: not a figure: 4 || cpus > 0" },
    { "[Thresholds]\nMany=4\n", "site.conf: Thresholds: Many: a threshold's name is" },
    { "[Thresholds]\nobserved=most\n" RULE ("cpus > 1"),
      "site.conf: Thresholds: observed: not a figure: most" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (mistakes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JmRunRules) rules =
        jm_run_rules_new_from_text ("site.conf", mistakes[i].text,
                                    strlen (mistakes[i].text), &error);

      g_assert_null (rules);
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      if (strstr (error->message, mistakes[i].message) == NULL)
        g_error ("'%s' is not in: %s", mistakes[i].message, error->message);
    }
}

static void
test_what_is_not_known_is_left_out_of_texts (void)
{
  g_autoptr (JmRunRules) rules =
    read_rules ("[Thresholds]\nfew=3\n"
                "[low]\nWhen=cpus > $few\nLevel=note\n"
                "Title=More than $few: {cpus}\n"
                "Reason=By {user}[ of {account}][ on {partition}].\n"
                "Action=Set $OMP_NUM_THREADS to {cpus_used}.\n");
  g_autoptr (JmRunAdvice) advice =
    find_advice (rules, "cpus=4 cpus_used=2.5 user_name=ada partition=long", "low");

  g_assert_cmpstr (jm_run_advice_get_title (advice), ==, "More than 3: 4");
  g_assert_cmpstr (jm_run_advice_get_reason (advice), ==, "By ada on long.");
  g_assert_cmpstr (jm_run_advice_get_action (advice), ==,
                   "Set $OMP_NUM_THREADS to 2.5.");
  assert_silent (rules, "cpus=4 cpus_used=2.5", "low");
  assert_silent (rules, "cpus=4 user_name=ada", "low");
}

static void
test_a_word_goes_with_its_figure (void)
{
  g_autoptr (JmRunRules) rules = made_report_read_rules ();
  static const struct
  {
    const char *run;
    const char *rule;
    const char *words;
  } sentences[] = {
    { "gpus_allocated=1 unused_gpus=1 elapsed_seconds=1h", "gpus-unused",
      "was given 1 GPU for 1h00m00s and used none. Meanwhile no other job could use "
      "it." },
    { "gpus_allocated=2 unused_gpus=2 elapsed_seconds=1h", "gpus-unused",
      "was given 2 GPUs for 1h00m00s and used none. Meanwhile no other job could use "
      "them." },
    { "gpus_allocated=4 unused_gpus=1 elapsed_seconds=1h", "gpus-partly-unused",
      "1 of 4 GPUs was not used" },
    { "gpus_allocated=4 unused_gpus=3 elapsed_seconds=1h", "gpus-partly-unused",
      "3 of 4 GPUs were not used" },
    { "nodes=2 unused_nodes=1 elapsed_seconds=1h", "nodes-unused",
      "1 of 2 nodes was not used" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sentences); i++)
    {
      g_autoptr (JmRunAdvice) advice =
        find_advice (rules, sentences[i].run, sentences[i].rule);

      if (strstr (jm_run_advice_get_title (advice), sentences[i].words) == NULL &&
          strstr (jm_run_advice_get_reason (advice), sentences[i].words) == NULL)
        g_error ("%s: '%s' is not in: %s. %s", sentences[i].rule, sentences[i].words,
                 jm_run_advice_get_title (advice), jm_run_advice_get_reason (advice));
    }
}

static void
test_what_matters_most_comes_first (void)
{
  g_autoptr (JmRunRules) rules = read_rules (
    RULE ("cpus > 1") OTHER
    "[third]\nLevel=warning\nTitle=T\nReason=R\nAction=A\nWhen=cluster == alps\n");
  g_autoptr (JmRunReport) report = made_report_new ("cpus=4");
  g_autoptr (GPtrArray) advice = jm_run_rules_judge (rules, report);

  g_assert_cmpuint (advice->len, ==, 3);
  g_assert_cmpstr (jm_run_advice_get_rule (advice->pdata[0]), ==, "other");
  g_assert_cmpint (jm_run_advice_get_level (advice->pdata[0]), ==, JM_ADVICE_LEVEL_ACT);
  g_assert_cmpstr (jm_run_advice_get_rule (advice->pdata[1]), ==, "third");
  g_assert_cmpstr (jm_run_advice_get_rule (advice->pdata[2]), ==, "low");
  g_assert_cmpstr (jm_advice_level_get_name (JM_ADVICE_LEVEL_WARNING), ==, "warning");
}

#define SITE "etc/jobmetrics/advice/"

static JmRunRules *
read_site (Tree *tree, const char *problem)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  JmRunRules *rules = jm_run_rules_new (host, &error);
  g_auto (GStrv) problems = NULL;

  g_assert_no_error (error);
  problems = jm_run_rules_list_problems (rules);
  if (problem == NULL)
    g_assert_cmpstr (problems[0], ==, NULL);
  else
    {
      g_assert_cmpuint (g_strv_length (problems), ==, 1);
      if (strstr (problems[0], problem) == NULL)
        g_error ("'%s' is not in: %s", problem, problems[0]);
    }

  return rules;
}

static void
test_a_site_changes_a_threshold_in_one_place (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmRunRules) rules = NULL;
  const char *run = CPU_RUN "cpu_efficiency_percent=50";

  tree_write (tree, SITE "a-site.conf", "[Thresholds]\nlow_cpu=40\n");
  rules = read_site (tree, NULL);

  assert_silent (rules, run, "cpu-low");
  assert_says (rules, run, "cpu-fair");
  assert_says (rules, CPU_RUN "cpu_efficiency_percent=39", "cpu-low");
}

static void
test_a_site_changes_adds_and_takes_away_rules (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmRunRules) rules = NULL;
  g_autoptr (JmRunAdvice) advice = NULL;

  tree_write (tree, SITE "site.conf",
              "[cpu-low]\nLevel=act\n"
              "[cpu-fair]\nWhen=\n"
              "[slow-partition]\nWhen=partition == slow\nLevel=note\n"
              "Title=T\nReason=R\nAction=A\n");
  rules = read_site (tree, NULL);

  advice = find_advice (rules, CPU_RUN "cpu_efficiency_percent=50", "cpu-low");
  g_assert_cmpint (jm_run_advice_get_level (advice), ==, JM_ADVICE_LEVEL_ACT);
  assert_silent (rules, CPU_RUN "cpu_efficiency_percent=70", "cpu-fair");
  assert_says (rules, "partition=slow", "slow-partition");
}

static void
test_a_site_has_rules_of_its_own_alone (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmRunRules) rules = NULL;
  g_autoptr (JmRunRules) none = NULL;
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GPtrArray) no_list = NULL;

  tree_write (tree, SITE "rules.conf", RULE ("cpus > 1"));
  rules = read_site (tree, NULL);
  list = jm_run_rules_list (rules);
  g_assert_cmpuint (list->len, ==, 1);
  g_assert_cmpstr (jm_run_rule_get_when (list->pdata[0]), ==, "cpus > 1");
  g_assert_cmpstr (jm_run_rule_get_title (list->pdata[0]), ==, "T");
  g_assert_cmpint (jm_run_rule_get_level (list->pdata[0]), ==, JM_ADVICE_LEVEL_NOTE);

  tree_remove (tree, SITE "rules.conf");
  tree_write (tree, SITE "rules.conf", "");
  none = read_site (tree, NULL);
  no_list = jm_run_rules_list (none);
  g_assert_cmpuint (no_list->len, ==, 0);
}

static void
test_a_mistake_costs_its_rule_alone (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmRunRules) rules = NULL;
  g_autoptr (JmRunRules) broken = NULL;

  tree_write (tree, SITE "site.conf", RULE ("mood > 1") OTHER);
  rules = read_site (tree, "site.conf: low: When: mood > 1");
  assert_says (rules, "cpus=2", "other");
  assert_says (rules, CPU_RUN "cpu_efficiency_percent=50", "cpu-low");

  tree_remove (tree, SITE "site.conf");
  tree_write (tree, SITE "site.conf", "nonsense\n");
  broken = read_site (tree, "site.conf: ");
  assert_says (broken, CPU_RUN "cpu_efficiency_percent=50", "cpu-low");
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (void);
  } tests[] = {
    { "each-rule-is-true-of-some-runs-and-not-of-others",
      test_each_rule_is_true_of_some_runs_and_not_of_others },
    { "no-rule-is-true-of-what-is-not-known",
      test_no_rule_is_true_of_what_is_not_known },
    { "no-rule-is-true-of-what-was-hardly-observed",
      test_no_rule_is_true_of_what_was_hardly_observed },
    { "each-rule-has-a-run-here", test_each_rule_has_a_run_here },
    { "texts-are-filled", test_texts_are_filled },
    { "a-run-without-faults-gets-no-advice", test_a_run_without_faults_gets_no_advice },
    { "options-are-suggested-as-the-scheduler-takes-them",
      test_options_are_suggested_as_the_scheduler_takes_them },
    { "what-says-the-same-with-less-is-left-out",
      test_what_says_the_same_with_less_is_left_out },
    { "a-core-is-busy-when-one-of-its-threads-is",
      test_a_core_is_busy_when_one_of_its_threads_is },
    { "a-run-has-no-gpus-where-its-scheduler-gave-none",
      test_a_run_has_no_gpus_where_its_scheduler_gave_none },
    { "a-run-of-which-nobody-knows-whether-it-ended-is-not-judged-as-ended",
      test_a_run_of_which_nobody_knows_whether_it_ended_is_not_judged_as_ended },
    { "a-mistake-is-reported-with-file-rule-key-and-value",
      test_a_mistake_is_reported_with_file_rule_key_and_value },
    { "what-is-not-known-is-left-out-of-texts",
      test_what_is_not_known_is_left_out_of_texts },
    { "what-matters-most-comes-first", test_what_matters_most_comes_first },
    { "a-site-changes-a-threshold-in-one-place",
      test_a_site_changes_a_threshold_in_one_place },
    { "a-site-changes-adds-and-takes-away-rules",
      test_a_site_changes_adds_and_takes_away_rules },
    { "a-site-has-rules-of-its-own-alone", test_a_site_has_rules_of_its_own_alone },
    { "a-mistake-costs-its-rule-alone", test_a_mistake_costs_its_rule_alone },
  };
  g_test_add_func ("/run-rules/a-word-goes-with-its-figure",
                   test_a_word_goes_with_its_figure);

  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/report/run-rules/", tests[i].path, NULL);

      g_test_add_func (path, tests[i].test);
    }

  return g_test_run ();
}
