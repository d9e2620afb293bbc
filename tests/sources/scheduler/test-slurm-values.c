/* test-slurm-values.c: the values in what Slurm's commands print
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/scheduler/jm-slurm-state-private.h"
#include "sources/scheduler/jm-slurm-tres-private.h"

#define MIB (G_GUINT64_CONSTANT (1) << 20)
#define GIB (G_GUINT64_CONSTANT (1) << 30)
#define WRONG G_MAXUINT64
#define ABSENT (G_MAXUINT64 - 1)

typedef gboolean (*Parse) (JmSlice text, guint64 *value, gboolean *has);

typedef struct
{
  const char *text;
  guint64 value;
} Case;

static JmSlice
slice_of (const char *text)
{
  return (JmSlice){ text, strlen (text) };
}

static void
check (Parse parse, const Case *cases, guint n_cases)
{
  for (guint i = 0; i < n_cases; i++)
    {
      guint64 value = 0;
      gboolean has;
      gboolean ok = parse (slice_of (cases[i].text), &value, &has);

      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (ok, ==, cases[i].value != WRONG);
      g_assert_cmpint (has, ==, ok && cases[i].value != ABSENT);
      if (has)
        g_assert_cmpuint (value, ==, cases[i].value);
    }
}

static void
test_memory_is_counted_in_mebibytes (void)
{
  static const Case cases[] = {
    { "460", 460 * MIB }, { "21692M", 21692 * MIB },
    { "4G", 4 * GIB },    { "5.5G", 5632 * MIB },
    { "0", 0 },           { "512K", MIB / 2 },
    { "2T", 2048 * GIB }, { "N/A", ABSENT },
    { "", ABSENT },       { "G", WRONG },
    { "4.G", WRONG },     { "-1", WRONG },
    { "1.234G", WRONG },  { "99999999999999E", WRONG },
  };

  check (jm_slurm_parse_memory, cases, G_N_ELEMENTS (cases));
}

static void
test_what_has_no_value_is_absent (void)
{
  static const Case cases[] = {
    { "4294967294", ABSENT },
    { "4294967295", ABSENT },
    { "18446744073709551614", ABSENT },
    { "(null)", ABSENT },
    { "Unknown", ABSENT },
    { "none", ABSENT },
    { "0", 0 },
    { "4294967293", 4294967293 },
    { "18446744073709551616", WRONG },
    { "12x", WRONG },
    { " 12", WRONG },
  };

  check (jm_slurm_parse_count, cases, G_N_ELEMENTS (cases));
}

static void
test_a_moment_is_never_zero (void)
{
  static const Case cases[] = {
    { "1795412037", 1795412037 },     { "0", ABSENT },           { "N/A", ABSENT },
    { "2026-11-23T05:44:00", WRONG }, { "253402300800", WRONG },
  };

  check (jm_slurm_parse_time, cases, G_N_ELEMENTS (cases));
}

static void
test_a_limit_of_time (void)
{
  static const Case cases[] = {
    { "10:00", 600 },        { "0:30", 30 },        { "1-02:04:00", 93840 },
    { "1-00:00:00", 86400 }, { "1-02", 93600 },     { "1-02:04", 93840 },
    { "UNLIMITED", ABSENT }, { "INVALID", ABSENT }, { "1:2:3:4", WRONG },
    { "-1:00", WRONG },      { "1--2", WRONG },     { "10:", WRONG },
    { "1000001-00", WRONG },
  };

  check (jm_slurm_parse_duration, cases, G_N_ELEMENTS (cases));
}

static void
test_a_line_stands_for_many_tasks (void)
{
  static const Case cases[] = {
    { "4-200%3", 197 },        { "7", 1 },
    { "1,3,5-9", 7 },          { "0-10:2", 6 },
    { "1-5:4,9", 3 },          { "N/A", ABSENT },
    { "1-5,...", WRONG },      { "5-1", WRONG },
    { "1-5:0", WRONG },        { "1,,2", WRONG },
    { "0-4294967296", WRONG }, { "0-4294967294,0-4294967294", WRONG },
  };

  check (jm_slurm_count_tasks, cases, G_N_ELEMENTS (cases));
}

static void
test_the_same_gpus_are_counted_once (void)
{
  JmSlurmTres tres;

  g_assert_true (jm_slurm_parse_tres (slice_of ("cpu=4,mem=16G,node=2,billing=4,gres/"
                                                "gpu=3,gres/gpu:a100=2,gres/gpu:t4=1"),
                                      &tres));
  g_assert_cmpuint (tres.cpus, ==, 4);
  g_assert_cmpuint (tres.memory_bytes, ==, 16 * GIB);
  g_assert_cmpuint (tres.nodes, ==, 2);
  g_assert_cmpuint (tres.gpus, ==, 3);
  g_assert_cmpuint (tres.n_types, ==, 2);

  g_assert_true (
    jm_slurm_parse_tres (slice_of ("gres/gpu:a100=2,gres/gpu:t4=1"), &tres));
  g_assert_cmpuint (tres.gpus, ==, 3);
  g_assert_false (tres.has_cpus);

  g_assert_true (jm_slurm_parse_tres (slice_of ("N/A"), &tres));
  g_assert_false (tres.has_gpus);
}

static void
test_gres_of_all_kinds (void)
{
  JmSlurmTres tres;

  g_assert_true (jm_slurm_parse_gres (slice_of ("gpu:a100:4(S:0-1,3),gpu:a100_1g.5gb:7,"
                                                "gpu:2,shard:a100:8(S:0),mps:2K"),
                                      &tres));
  g_assert_cmpuint (tres.gpus, ==, 4 + 7 + 2);
  g_assert_cmpuint (tres.n_types, ==, 3);
  g_assert_cmpuint (tres.types[1].type.length, ==, strlen ("a100_1g.5gb"));
  g_assert_cmpuint (tres.types[2].type.length, ==, 0);
  g_assert_cmpuint (tres.shards, ==, 8);

  g_assert_true (
    jm_slurm_parse_gres (slice_of ("gpu:a100:2(IDX:0,3),gpu:t4:0(IDX:N/A)"), &tres));
  g_assert_cmpuint (tres.gpus, ==, 2);
  g_assert_true (jm_slurm_parse_gres (slice_of ("gpu:no_consume:3"), &tres));
  g_assert_cmpuint (tres.gpus, ==, 3);
  g_assert_true (jm_slurm_parse_gres (slice_of ("(null)"), &tres));
  g_assert_false (tres.has_gpus);
}

static void
test_what_is_no_gres_is_refused (void)
{
  static const char *const texts[] = { ":", "gpu:a:b:c", "gpu:a100:2:3", ",",
                                       "gpu:1," };
  JmSlurmTres tres;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_test_message ("%s", texts[i]);
      g_assert_false (jm_slurm_parse_gres (slice_of (texts[i]), &tres));
    }
  g_assert_false (jm_slurm_parse_tres (slice_of ("cpu"), &tres));
  g_assert_false (jm_slurm_parse_tres (slice_of ("cpu=four"), &tres));
  g_assert_false (jm_slurm_parse_tres (slice_of ("gres/gpu=-1"), &tres));
}

static void
test_a_flag_hides_a_jobs_state (void)
{
  static const struct
  {
    const char *text;
    JmSchedulerJobState state;
    guint flags;
    const char *other;
  } cases[] = {
    { "RUNNING", JM_SCHEDULER_JOB_STATE_RUNNING, 0, "" },
    { "CANCELLED by 1001", JM_SCHEDULER_JOB_STATE_CANCELLED, 0, "" },
    { "OUT_OF_MEMORY", JM_SCHEDULER_JOB_STATE_OUT_OF_MEMORY, 0, "" },
    { "CONFIGURING", JM_SCHEDULER_JOB_STATE_RUNNING,
      1u << JM_SCHEDULER_JOB_FLAG_CONFIGURING, "" },
    { "COMPLETING", JM_SCHEDULER_JOB_STATE_UNKNOWN,
      1u << JM_SCHEDULER_JOB_FLAG_COMPLETING, "" },
    { "HOVERING", JM_SCHEDULER_JOB_STATE_UNKNOWN, 0, "hovering" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) other = g_string_new (NULL);
      JmSchedulerJobState state;
      guint flags = 0;

      g_assert_true (
        jm_slurm_parse_job_state (slice_of (cases[i].text), &state, &flags, other));
      g_assert_cmpint (state, ==, cases[i].state);
      g_assert_cmpuint (flags, ==, cases[i].flags);
      g_assert_cmpstr (other->str, ==, cases[i].other);
    }
}

#define FLAG(name) (1u << JM_SCHEDULER_NODE_FLAG_##name)

static void
test_no_flag_of_a_node_is_lost (void)
{
  static const struct
  {
    const char *text;
    JmSchedulerNodeState state;
    guint flags;
    const char *other;
  } cases[] = {
    { "idle", JM_SCHEDULER_NODE_STATE_IDLE, 0, "" },
    { "idle+drain", JM_SCHEDULER_NODE_STATE_IDLE, FLAG (DRAIN), "" },
    { "down*", JM_SCHEDULER_NODE_STATE_DOWN, FLAG (NOT_RESPONDING), "" },
    { "idle~+cloud+planned", JM_SCHEDULER_NODE_STATE_IDLE,
      FLAG (POWERED_DOWN) | FLAG (CLOUD) | FLAG (PLANNED), "" },
    { "allocated+completing+hovering+odd", JM_SCHEDULER_NODE_STATE_ALLOCATED,
      FLAG (COMPLETING), "hovering,odd" },
    { "inval", JM_SCHEDULER_NODE_STATE_UNKNOWN, FLAG (INVALID_REG), "" },
    { "unknown$", JM_SCHEDULER_NODE_STATE_UNKNOWN, FLAG (MAINTENANCE), "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) other = g_string_new (NULL);
      JmSchedulerNodeState state;
      guint flags = 0;

      g_assert_true (
        jm_slurm_parse_node_state (slice_of (cases[i].text), &state, &flags, other));
      g_assert_cmpint (state, ==, cases[i].state);
      g_assert_cmpuint (flags, ==, cases[i].flags);
      g_assert_cmpstr (other->str, ==, cases[i].other);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/slurm-values/memory", test_memory_is_counted_in_mebibytes);
  g_test_add_func ("/slurm-values/absent", test_what_has_no_value_is_absent);
  g_test_add_func ("/slurm-values/time", test_a_moment_is_never_zero);
  g_test_add_func ("/slurm-values/duration", test_a_limit_of_time);
  g_test_add_func ("/slurm-values/tasks", test_a_line_stands_for_many_tasks);
  g_test_add_func ("/slurm-values/tres", test_the_same_gpus_are_counted_once);
  g_test_add_func ("/slurm-values/gres", test_gres_of_all_kinds);
  g_test_add_func ("/slurm-values/no-gres", test_what_is_no_gres_is_refused);
  g_test_add_func ("/slurm-values/job-state", test_a_flag_hides_a_jobs_state);
  g_test_add_func ("/slurm-values/node-state", test_no_flag_of_a_node_is_lost);

  return g_test_run ();
}
