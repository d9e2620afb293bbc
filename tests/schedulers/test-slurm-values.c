/* test-slurm-values.c: the values in what Slurm's commands print
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "schedulers/slurm/jm-slurm-state-private.h"
#include "schedulers/slurm/jm-slurm-tres-private.h"

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

  check (jm_scheduler_parse_memory, cases, G_N_ELEMENTS (cases));
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
    { "4294967293.0", 4294967293 },
    { "4294967294.0", ABSENT },
    { "18446744073709551615.00", ABSENT },
    { "Infinity", ABSENT },
    { "nan", ABSENT },
    { "1.5", WRONG },
    { ".0", WRONG },
    { "18446744073709551616", WRONG },
    { "12x", WRONG },
    { " 12", WRONG },
  };

  check (jm_scheduler_parse_count, cases, G_N_ELEMENTS (cases));
}

static void
test_a_moment_is_never_zero (void)
{
  static const Case cases[] = {
    { "1795412037", 1795412037 },     { "0", ABSENT },           { "N/A", ABSENT },
    { "2026-11-23T05:44:00", WRONG }, { "253402300800", WRONG },
  };

  check (jm_scheduler_parse_time, cases, G_N_ELEMENTS (cases));
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

  check (jm_scheduler_parse_duration, cases, G_N_ELEMENTS (cases));
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

  check (jm_scheduler_count_tasks, cases, G_N_ELEMENTS (cases));
}

static void
test_an_amount_may_have_a_letter (void)
{
  static const Case cases[] = {
    { "107374182400", 107374182400 },
    { "7681501126656", 7681501126656 },
    { "2K", 2048 },
    { "1700G", 1700 * GIB },
    { "3T", 3072 * GIB },
    { "1P", 1024 * 1024 * GIB },
    { "1E", 1024 * 1024 * 1024 * GIB },
    { "1.5k", 1536 },
    { "18446744073709551613", G_MAXUINT64 - 2 },
    { "18446744073709551614", ABSENT },
    { "18446744073709551615", ABSENT },
    { "4294967294", ABSENT },
    { "18446744073709551616", WRONG },
    { "16E", WRONG },
    { "-1", WRONG },
    { "K", WRONG },
    { "3TB", WRONG },
  };

  check (jm_scheduler_parse_amount, cases, G_N_ELEMENTS (cases));
}

static void
test_the_same_gpus_are_counted_once (void)
{
  JmSlurmTres tres;

  g_assert_true (jm_slurm_parse_tres (slice_of ("cpu=4,mem=16G,node=2,billing=4,gres/"
                                                "gpu=3,gres/gpu:a100=2,gres/gpu:t4=1"),
                                      &tres));
  g_assert_cmpint (tres.cpus, ==, 4);
  g_assert_cmpint (tres.memory_bytes, ==, 16 * GIB);
  g_assert_cmpint (tres.nodes, ==, 2);
  g_assert_cmpint (tres.gpus, ==, 3);
  g_assert_cmpuint (tres.n_types, ==, 2);

  g_assert_true (
    jm_slurm_parse_tres (slice_of ("gres/gpu:a100=2,gres/gpu:t4=1"), &tres));
  g_assert_cmpint (tres.gpus, ==, 3);
  g_assert_cmpint (tres.cpus, ==, -1);

  g_assert_true (jm_slurm_parse_tres (slice_of ("N/A"), &tres));
  g_assert_cmpint (tres.gpus, ==, -1);
  g_assert_cmpuint (tres.named, ==, 0);
}

static void
test_gres_of_all_kinds (void)
{
  static const struct
  {
    const char *text;
    gint64 gpus, shards, mps;
    guint n_types;
  } cases[] = {
    { "gpu:a100:4(S:0-1,3),gpu:a100_1g.5gb:7,gpu:2,shard:a100:8(S:0),mps:2K", 13, 8,
      2048, 3 },
    { "gpu:a100:2(IDX:0,3),gpu:t4:0(IDX:N/A)", 2, 0, 0, 2 },
    { "gpu:no_consume:3", 3, 0, 0, 1 },
    { "(null)", 0, 0, 0, 0 },
    { "gpu:(null):3(IDX:0,2-3)", 3, 0, 0, 1 },
    { "gpu:(null):0(IDX:N/A)", 0, 0, 0, 1 },
    { "shard:(null):12(0/4,4/4,8/8),gpu:(null):2(IDX:0-1)", 2, 12, 0, 1 },
    { "gpu:a100:4(S:0-1),localtmp:no_consume:1700G", 4, 0, 0, 1 },
    { "localtmp:(null):100G,gpu:a100:1(IDX:0)", 1, 0, 0, 1 },
    { "localtmp:ssd:3T,tmp:1800000000000,nvme:ssd:no_consume:7681501126656", 0, 0, 0,
      0 },
    { "tmp:-1,lic@db:a:b:c:99999999999999999999999,x(y(z,gpu:4),gpu:8),gpu:1", 1, 0, 0,
      1 },
    { "gpu:a100:2(S:0(1,2),3),gpu:a100:2(S:1)", 4, 0, 0, 1 },
    { "gpu:a100:2(IDX:0,3,gpu:t4:1(IDX:4),shard:8", 3, 8, 0, 2 },
    { "gpu:(null)(IDX:N/A)", 1, 0, 0, 1 },
    { "gpu:1g.5gb:7,gpu:3g", 7 + 3 * (gint64) GIB, 0, 0, 2 },
    { "gpu", 1, 0, 0, 1 },
    { "gpu:18446744073709551614,shard:4294967294,mps:8", -1, -1, 8, 1 },
    { "gpu:7E,gpu:7E", G_MAXINT64, 0, 0, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      JmSlurmTres tres;

      g_test_message ("%s", cases[i].text);
      g_assert_true (jm_slurm_parse_gres (slice_of (cases[i].text), &tres));
      g_assert_cmpint (tres.gpus, ==, cases[i].gpus);
      g_assert_cmpint (tres.shards, ==, cases[i].shards);
      g_assert_cmpint (tres.mps, ==, cases[i].mps);
      g_assert_cmpuint (tres.n_types, ==, cases[i].n_types);
    }
}

static void
test_types_of_gpus_are_distinguished (void)
{
  JmSlurmTres tres;

  g_assert_true (
    jm_slurm_parse_gres (slice_of ("gpu:a100_1g.5gb:7,gpu:2,gpu:(null):1"), &tres));
  g_assert_cmpint (jm_slurm_tres_count_type (&tres, slice_of ("a100_1g.5gb")), ==, 7);
  g_assert_cmpint (jm_slurm_tres_count_type (&tres, slice_of ("")), ==, 3);
  g_assert_cmpint (jm_slurm_tres_count_type (&tres, slice_of ("a100")), ==, 0);
}

static void
test_what_is_no_gres_costs_itself (void)
{
  static const struct
  {
    const char *text;
    const char *bad;
    gint64 gpus, shards;
  } cases[] = {
    { ":,gpu:2", ":", 2, 0 },
    { "shard:4,gpu:a:b:c", "gpu:a:b:c", -1, 4 },
    { "gpu:t4:2:3", "gpu:t4:2:3", -1, 0 },
    { "gpu:1,", "", 1, 0 },
    { "gpu:2,shard:-1", "shard:-1", 2, -1 },
    { "gpu:-1,shard:2", "gpu:-1", -1, 2 },
    { "gpu:9E,shard:2", "gpu:9E", -1, 2 },
  };
  JmSlurmTres tres;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].text);
      g_assert_false (jm_slurm_parse_gres (slice_of (cases[i].text), &tres));
      g_assert_cmpint (tres.gpus, ==, cases[i].gpus);
      g_assert_cmpint (tres.shards, ==, cases[i].shards);
      g_assert_true (jm_slice_equal (tres.bad, cases[i].bad));
    }

  /* of another type the count is known */
  g_assert_false (jm_slurm_parse_gres (slice_of ("gpu:a100:2,gpu:t4:-1"), &tres));
  g_assert_cmpint (jm_slurm_tres_count_type (&tres, slice_of ("a100")), ==, 2);
  g_assert_cmpint (jm_slurm_tres_count_type (&tres, slice_of ("t4")), ==, -1);
}

static void
test_more_types_than_there_is_room_for (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  JmSlurmTres tres;

  for (guint i = 0; i < JM_SLURM_GPU_TYPES_MAX + 2; i++)
    g_string_append_printf (text, "%sgpu:t%u:1", i > 0 ? "," : "", i);

  g_assert_false (jm_slurm_parse_gres (slice_of (text->str), &tres));
  g_assert_cmpint (tres.gpus, ==, JM_SLURM_GPU_TYPES_MAX + 2);
  g_assert_cmpuint (tres.n_types, ==, JM_SLURM_GPU_TYPES_MAX);
}

static void
test_a_tres_that_cannot_be_read_costs_itself (void)
{
  static const struct
  {
    const char *text;
    gboolean is_good;
    gint64 cpus, memory, nodes, gpus;
  } cases[] = {
    { "cpu=4,mem=1G,gres/localtmp=107374182400,license/a@b:c=9", TRUE, 4, GIB, -1, -1 },
    { "cpu=4,gres/tmpdisk=2T,gres/x:y=-3,node=1,gres/gpu:h100=3", TRUE, 4, -1, 1, 3 },
    { "cpu=4,gres/gpu=18446744073709551614,node=18446744073709551615", TRUE, 4, -1, -1,
      -1 },
    { "cpu=4,mem=18446744073709551614M,node=1", TRUE, 4, -1, 1, -1 },
    { "cpu,mem=1G", FALSE, -1, GIB, -1, -1 },
    { "cpu=four,node=2", FALSE, -1, -1, 2, -1 },
    { "cpu=2,gres/gpu=-1", FALSE, 2, -1, -1, -1 },
    { "cpu=2,gres/gpu=4,gres/gpu:a=x", FALSE, 2, -1, -1, 4 },
    { "cpu=2,gres/gpu:b=4,gres/gpu:a=x", FALSE, 2, -1, -1, -1 },
    { "cpu=9223372036854775808,node=1", FALSE, -1, -1, 1, -1 },
    { "cpu=1,mem=8E,node=1", FALSE, 1, -1, 1, -1 },
    { "garbage", FALSE, -1, -1, -1, -1 },
    { "gres/gpu:a=7E,gres/gpu:b=7E", TRUE, -1, -1, -1, G_MAXINT64 },
  };
  JmSlurmTres tres;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (jm_slurm_parse_tres (slice_of (cases[i].text), &tres), ==,
                       cases[i].is_good);
      g_assert_cmpint (tres.cpus, ==, cases[i].cpus);
      g_assert_cmpint (tres.memory_bytes, ==, cases[i].memory);
      g_assert_cmpint (tres.nodes, ==, cases[i].nodes);
      g_assert_cmpint (tres.gpus, ==, cases[i].gpus);
    }
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
    { "STOPPED", JM_SCHEDULER_JOB_STATE_RUNNING, 1u << JM_SCHEDULER_JOB_FLAG_STOPPED,
      "" },
    { "HOVERING", JM_SCHEDULER_JOB_STATE_UNKNOWN, 0, "hovering" },
    { "COMPLETING,COMPLETING,FAILED", JM_SCHEDULER_JOB_STATE_FAILED,
      1u << JM_SCHEDULER_JOB_FLAG_COMPLETING, "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) other = g_string_new (NULL);
      JmSchedulerJobState state;
      guint flags = 0;

      g_assert_true (
        jm_slurm_parse_job_states (slice_of (cases[i].text), &state, &flags, other));
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
  g_test_add_func ("/slurm-values/amount", test_an_amount_may_have_a_letter);
  g_test_add_func ("/slurm-values/types", test_types_of_gpus_are_distinguished);
  g_test_add_func ("/slurm-values/no-gres", test_what_is_no_gres_costs_itself);
  g_test_add_func ("/slurm-values/many-types", test_more_types_than_there_is_room_for);
  g_test_add_func ("/slurm-values/no-tres",
                   test_a_tres_that_cannot_be_read_costs_itself);
  g_test_add_func ("/slurm-values/job-state", test_a_flag_hides_a_jobs_state);
  g_test_add_func ("/slurm-values/node-state", test_no_flag_of_a_node_is_lost);

  return g_test_run ();
}
