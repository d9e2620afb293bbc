/* test-slurm-lists.c: what a real squeue and sinfo printed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/slurm/jm-slurm-output-private.h"

#define MIB (G_GINT64_CONSTANT (1) << 20)
#define SEPARATOR "\x1f"
#define ODD_SEPARATOR                                                                  \
 "\x1f"                                                                                \
 "12345678"
#define FIRST_ODD_JOB 41031

static JmSlice
slice_of (const char *text)
{
  return (JmSlice){ text, strlen (text) };
}

typedef void (*ReadLines) (JmSchedulerReport *report, const char *const *lines);

static void
read_jobs (JmSchedulerReport *report, const char *const *lines)
{
  for (; *lines != NULL; lines++)
    if (**lines != '\0')
      jm_squeue_take_row (SEPARATOR, slice_of (*lines), report);
}

static void
read_nodes (JmSchedulerReport *report, const char *const *lines)
{
  g_autoptr (JmSinfoReader) reader = jm_sinfo_reader_new (SEPARATOR, report);

  for (; *lines != NULL; lines++)
    if (**lines != '\0')
      jm_sinfo_reader_take (reader, slice_of (*lines));
}

static void
read_text (JmSchedulerReport *report, ReadLines read, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  read (report, (const char *const *) lines);
}

static JmSchedulerReport *
read_recorded (ReadLines read, const char *name)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", "slurm-commands-22.05", name, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  JmSchedulerReport *report = jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  read_text (report, read, text);
  g_assert_cmpstr (jm_scheduler_report_get_complaint (report), ==, NULL);

  return report;
}

static const JmSchedulerJob *
find_job (JmSchedulerReport *report, gint64 raw_id)
{
  for (guint i = 0; i < jm_scheduler_report_get_n_jobs (report); i++)
    if (jm_scheduler_report_get_job (report, i)->raw_id == raw_id)
      return jm_scheduler_report_get_job (report, i);
  g_assert_not_reached ();
}

static void
test_jobs_of_a_real_queue (void)
{
  g_autoptr (JmSchedulerReport) report = read_recorded (read_jobs, "squeue");
  gint64 n_waiting = 0;
  guint n_running = 0;

  for (guint i = 0; i < jm_scheduler_report_get_n_jobs (report); i++)
    {
      const JmSchedulerJob *job = jm_scheduler_report_get_job (report, i);

      if (job->state == JM_SCHEDULER_JOB_STATE_PENDING)
        n_waiting += job->tasks;
      else if (job->state == JM_SCHEDULER_JOB_STATE_RUNNING)
        n_running++;
    }

  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 16);
  /* 197 of an array, and five others */
  g_assert_cmpint (n_waiting, ==, 202);
  g_assert_cmpuint (n_running, ==, 9);
}

static void
test_all_of_a_job_that_waits (void)
{
  g_autoptr (JmSchedulerReport) report = read_recorded (read_jobs, "squeue");
  const JmSchedulerJob *job = find_job (report, 4);

  g_assert_cmpstr (job->id, ==, "4");
  g_assert_cmpint (job->array_job_id, ==, -1);
  g_assert_cmpstr (job->user, ==, "ben");
  g_assert_cmpuint (job->uid, ==, 1002);
  g_assert_cmpstr (job->account, ==, "chemistry");
  g_assert_cmpstr (job->partitions, ==, "batch,short");
  g_assert_cmpint (job->state, ==, JM_SCHEDULER_JOB_STATE_PENDING);
  g_assert_cmpstr (job->reason, ==, "PartitionTimeLimit");
  g_assert_cmpstr (job->node_list, ==, NULL);
  g_assert_cmpstr (job->reservation, ==, NULL);
  g_assert_cmpint (job->cpus_requested, ==, 32);
  g_assert_cmpint (job->cpus_allocated, ==, -1);
  g_assert_cmpint (job->nodes, ==, 4);
  g_assert_cmpint (job->memory_requested_bytes, ==, 21692 * MIB);
  g_assert_cmpint (job->gpus_requested, ==, 0);
  g_assert_cmpuint (job->submit_time, ==, 1795412037);
  g_assert_cmpuint (job->start_time, ==, 0);
  g_assert_cmpuint (job->time_limit_seconds, ==, 86400 + 2 * 3600 + 4 * 60);
  g_assert_cmpuint (job->priority, ==, 500);
}

static void
test_what_distinguishes_jobs (void)
{
  g_autoptr (JmSchedulerReport) report = read_recorded (read_jobs, "squeue");

  g_assert_cmpuint (find_job (report, 3)->tasks, ==, 197);
  g_assert_cmpuint (find_job (report, 12)->tasks, ==, 1);
  g_assert_cmpuint (find_job (report, 12)->array_job_id, ==, 3);
  g_assert_cmpstr (find_job (report, 12)->id, ==, "3_1");
  g_assert_cmpuint (find_job (report, 15)->restarts, ==, 1);
  g_assert_cmpint (find_job (report, 18)->state, ==, JM_SCHEDULER_JOB_STATE_SUSPENDED);
  g_assert_cmpint (find_job (report, 21)->gpus_allocated, ==, 2);
  g_assert_cmpstr (find_job (report, 21)->node_list, ==, "rec1");
}

static void
test_what_users_call_their_jobs (void)
{
  g_autoptr (JmSchedulerReport) report = read_recorded (read_jobs, "squeue");

  g_assert_cmpstr (find_job (report, 3)->name, ==, "sweep");
  g_assert_cmpstr (find_job (report, 21)->name, ==, "train \"a100\"");
  g_assert_cmpstr (find_job (report, 23)->name, ==, "x|y");
  g_assert_cmpstr (find_job (report, 20)->name, ==, "N/A");
  g_assert_null (find_job (report, 7)->name);
}

static void
on_odd_job (JmSlice row, gpointer report)
{
  jm_squeue_take_row (ODD_SEPARATOR, row, report);
}

/* As `sbatch --job-name` was given them; the second last is not UTF-8. */
static void
test_names_that_look_like_rows (void)
{
  static const char *const names[] = { "a\037b",
                                       "two\nlines",
                                       "x|y",
                                       NULL,
                                       "n{200}",
                                       "N/A",
                                       NULL, /* (null), as of a job without a name */
                                       "end\n",
                                       "\n\nlead",
                                       "9999\0379999\0379999\n41001\03741001\037",
                                       "ünï",
                                       "bad\uFFFD\uFFFD",
                                       " sp ",
                                       "a,b:c",
                                       "%s%n",
                                       "\033[1;31mred" };
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", "slurm-names-22.05/squeue", NULL);
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autoptr (JmSlurmRows) rows =
    jm_slurm_rows_new (ODD_SEPARATOR, jm_squeue_table.n_columns, on_odd_job, report);
  g_autofree char *text = NULL;
  const char *cursor;
  JmSlice line;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  cursor = text;
  while (jm_parse_next_line (&cursor, text + strlen (text), &line))
    jm_slurm_rows_take (rows, line, TRUE);
  jm_slurm_rows_finish (rows);

  g_assert_cmpstr (jm_scheduler_report_get_complaint (report), ==, NULL);
  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const JmSchedulerJob *job = find_job (report, FIRST_ODD_JOB + i);

      g_assert_cmpstr (job->user, ==, "queada");
      if (g_strcmp0 (names[i], "n{200}") == 0)
        g_assert_cmpuint (strlen (job->name), ==, 200);
      else
        g_assert_cmpstr (job->name, ==, names[i]);
    }
}

static void
test_nodes_of_a_real_cluster (void)
{
  g_autoptr (JmSchedulerReport) report = read_recorded (read_nodes, "sinfo");
  const JmSchedulerNode *node = jm_scheduler_report_get_node (report, 0);
  const JmSchedulerGpus *gpus;

  /* each stands there once for each of its partitions */
  g_assert_cmpuint (jm_scheduler_report_get_n_nodes (report), ==, 4);
  g_assert_cmpstr (node->name, ==, "rec1");
  g_assert_cmpstr (node->partitions, ==, "short,batch,debug");
  g_assert_cmpint (node->state, ==, JM_SCHEDULER_NODE_STATE_ALLOCATED);
  g_assert_cmpint (node->cpus_allocated, ==, 8);
  g_assert_cmpfloat (node->load, ==, 3.19);
  g_assert_cmpint (node->memory_bytes, ==, 5423 * MIB);
  g_assert_cmpint (node->memory_allocated_bytes, ==, 480 * MIB);
  g_assert_cmpint (node->gpus_allocated, ==, 2);
  g_assert_cmpstr (node->reason, ==, NULL);
  g_assert_cmpuint (node->n_gpus, ==, 1);
  gpus = jm_scheduler_report_get_gpus (report, node->first_gpus);
  g_assert_cmpstr (gpus->type, ==, "a100");
  g_assert_cmpint (gpus->total, ==, 2);
}

static void
test_a_node_that_is_drained (void)
{
  g_autoptr (JmSchedulerReport) report = read_recorded (read_nodes, "sinfo");
  const JmSchedulerNode *node = jm_scheduler_report_get_node (report, 3);

  g_assert_cmpint (node->state, ==, JM_SCHEDULER_NODE_STATE_IDLE);
  g_assert_cmpuint (node->flags, ==, 1u << JM_SCHEDULER_NODE_FLAG_DRAIN);
  g_assert_cmpint (node->cpus_other, ==, 8);
  g_assert_cmpint (node->cpus_idle, ==, 0);
  g_assert_cmpstr (node->reason, ==, "disk | broken \"sda\" = bad  ünïcode");
  g_assert_cmpstr (node->reason_user, ==, "root");
  g_assert_cmpint (node->reason_time, ==, 1795412037);
}

/* --- what is no such line --- */

static char *
with_column (const char *line, guint column, const char *value)
{
  g_auto (GStrv) words = g_strsplit (line, SEPARATOR, -1);

  g_assert_cmpuint (g_strv_length (words), >, column);
  g_free (words[column]);
  words[column] = g_strdup (value);

  return g_strjoinv (SEPARATOR, words);
}

static char *
get_first_line (const char *name)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", "slurm-commands-22.05", name, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  *strchr (text, '\n') = '\0';

  return text;
}

static void
test_a_value_that_cannot_be_read_costs_that_value (void)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autofree char *good = get_first_line ("squeue");
  g_autofree char *bad = with_column (good, 13, "cpu=many,mem=1G");
  g_autofree char *worse = with_column (good, 1, "");
  g_autofree char *text =
    g_strjoin ("\n", bad, good, worse, "slurm_load_jobs error", NULL);

  read_text (report, read_jobs, text);

  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 2);
  g_assert_cmpint (jm_scheduler_report_get_job (report, 0)->cpus_requested, ==, -1);
  g_assert_cmpint (jm_scheduler_report_get_job (report, 0)->memory_requested_bytes, ==,
                   1024 * MIB);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 3);
  g_assert_cmpstr (jm_scheduler_report_get_complaint (report), ==,
                   "squeue: tres-alloc: not understood: cpu=many");
}

static void
test_half_a_line_is_none (void)
{
  g_autofree char *good = get_first_line ("sinfo");
  const gsize whole = strlen (good);

  for (gsize length = 0; length < whole; length++)
    {
      g_autoptr (JmSchedulerReport) report =
        jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
      g_autoptr (JmSinfoReader) reader = jm_sinfo_reader_new (SEPARATOR, report);

      g_assert_false (jm_sinfo_reader_take (reader, (JmSlice){ good, length }));
      g_assert_cmpuint (jm_scheduler_report_get_n_nodes (report), ==, 0);
    }
}

static void
test_more_than_was_asked_for_is_no_line (void)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autofree char *good = get_first_line ("squeue");
  g_autofree char *more = g_strconcat (good, "x", NULL);

  g_assert_false (jm_squeue_take_row (SEPARATOR, slice_of (more), report));
  g_assert_true (jm_squeue_take_row (SEPARATOR, slice_of (good), report));
}

/* Users may put into a name whatever they know. */
static void
test_a_separator_is_another_one_each_time (void)
{
  g_autofree char *first = jm_slurm_make_separator ();
  g_autofree char *second = jm_slurm_make_separator ();
  g_autofree char *format = jm_slurm_table_make_format (&jm_squeue_table, first);
  g_autofree char *name = g_strconcat (",Name:", first, NULL);

  g_assert_cmpstr (first, !=, second);
  g_assert_true (g_str_has_suffix (format, name));
  /* `:10...` would be the width of a column */
  g_assert_false (g_ascii_isdigit (*first));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/slurm-lists/jobs", test_jobs_of_a_real_queue);
  g_test_add_func ("/slurm-lists/waiting", test_all_of_a_job_that_waits);
  g_test_add_func ("/slurm-lists/kinds", test_what_distinguishes_jobs);
  g_test_add_func ("/slurm-lists/names", test_what_users_call_their_jobs);
  g_test_add_func ("/slurm-lists/odd-names", test_names_that_look_like_rows);
  g_test_add_func ("/slurm-lists/nodes", test_nodes_of_a_real_cluster);
  g_test_add_func ("/slurm-lists/drained", test_a_node_that_is_drained);
  g_test_add_func ("/slurm-lists/bad-value",
                   test_a_value_that_cannot_be_read_costs_that_value);
  g_test_add_func ("/slurm-lists/half-a-line", test_half_a_line_is_none);
  g_test_add_func ("/slurm-lists/more", test_more_than_was_asked_for_is_no_line);
  g_test_add_func ("/slurm-lists/separator", test_a_separator_is_another_one_each_time);

  return g_test_run ();
}
