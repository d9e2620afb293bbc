/* test-agreement.c: list, show, top and the exporter's page say the same of a job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "core/jm-job.h"
#include "jm-snapshot-builder.h"
#include "jmc-columns.h"
#include "node/jme-node-answers.h"
#include "pages/jmc-job-page.h"
#include "top/jmc-top-row.h"

#define ABSENT "-"

/* What each of them shows, %NULL where it has a dash. */
typedef struct
{
  char *cpus;
  char *age;
  char *efficiency;
} Answer;

static void
answer_clear (Answer *self)
{
  g_free (self->cpus);
  g_free (self->age);
  g_free (self->efficiency);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Answer, answer_clear)

/* A job that runs, one that has ended, one without CPUs, one without a start, and one
 * that began in the future. */
static JmSnapshot *
make_snapshot (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) running = jm_test_job_new ("1", "start_time", "1700000000", NULL);
  g_autoptr (JmJob) ended = jm_test_job_new ("2", "start_time", "1699990000", NULL);
  g_autoptr (JmJob) unlimited = jm_test_job_new ("3", "start_time", "1699999000", NULL);
  g_autoptr (JmJob) bare = jm_test_job_new ("4", NULL);
  g_autoptr (JmJob) early = jm_test_job_new ("5", "start_time", "1800000000", NULL);

  jm_snapshot_builder_add_job (builder, running);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 4);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 20500000000);
  jm_snapshot_builder_add_job (builder, ended);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 2);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 1000000000);
  jm_snapshot_builder_set_end_time (builder, 1700000005500000);
  jm_snapshot_builder_add_job (builder, unlimited);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 1000000000);
  jm_snapshot_builder_add_job (builder, bare);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 4);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 1000000000);
  jm_snapshot_builder_add_job (builder, early);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 4);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 1000000000);

  return jm_snapshot_builder_end (builder);
}

static char *
take_unless_absent (const char *text)
{
  return g_str_equal (text, ABSENT) || g_str_equal (text, "–") ? NULL : g_strdup (text);
}

/* --- list --- */

static Answer
ask_list (JmSnapshot *snapshot, guint job)
{
  g_autoptr (JmTable) table = jm_table_new_of_jobs ("jobid,cpus,age,eff", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GRegex) gaps = g_regex_new (" +", 0, 0, NULL);
  g_auto (GStrv) words = NULL;
  Answer answer;

  jm_table_add_subject (table, snapshot, job);
  text = jm_table_to_text (table, 0, FALSE, FALSE);
  words = g_regex_split (gaps, g_strstrip (text), 0);
  g_assert_cmpuint (g_strv_length (words), ==, 4);

  answer.cpus = take_unless_absent (words[1]);
  answer.age = take_unless_absent (words[2]);
  answer.efficiency =
    g_str_equal (words[3], ABSENT) ? NULL : g_strconcat (words[3], "%", NULL);

  return answer;
}

/* --- show --- */

static char *
find_line (const char *page, const char *title)
{
  g_autofree char *pattern = g_strdup_printf ("^  %s +(.+)$", title);
  g_autoptr (GRegex) line = g_regex_new (pattern, G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *value = NULL;

  g_assert_true (g_regex_match (line, page, 0, &match));
  value = g_match_info_fetch (match, 1);

  return take_unless_absent (value);
}

static Answer
ask_show (JmSnapshot *snapshot, guint job)
{
  g_autofree char *page =
    jmc_job_page_render (snapshot, job, JM_SUBJECT_KIND_JOB, FALSE);

  return (Answer){ find_line (page, "CPUs"), find_line (page, "Age"),
                   find_line (page, "Efficiency") };
}

/* --- top --- */

/* Its own columns are narrower, so the figures are compared. It shows no efficiency,
 * but how busy a job is now. */
static Answer
ask_top (JmSnapshot *snapshot, guint job)
{
  g_autoptr (GPtrArray) rows = jmc_top_row_list (snapshot, 0);
  const JmcTopRow *row = rows->pdata[job - 1];

  return (Answer){ jm_figure_format (row->figures[JMC_TOP_CPUS], JM_FORMAT_COUNT),
                   jm_figure_format (row->figures[JMC_TOP_AGE], JM_FORMAT_DURATION),
                   NULL };
}

/* --- the exporter's page --- */

static guint
find_column (char **titles, const char *title)
{
  for (guint i = 1; titles[i] != NULL; i++)
    {
      g_autofree char *end = g_strconcat (">", title, "</th>", NULL);

      if (strstr (titles[i], end) != NULL)
        return i;
    }
  g_error ("no column %s", title);
}

static char *
get_cell (char **cells, guint column)
{
  const char *begin = strchr (cells[column], '>') + 1;
  g_autofree char *text = g_strndup (begin, strcspn (begin, "<"));

  return take_unless_absent (text);
}

static Answer
ask_page (JmSnapshot *snapshot, guint job)
{
  g_autoptr (GBytes) page = jme_node_page_render (NULL, snapshot, "/metrics");
  g_autofree char *text =
    g_strndup (g_bytes_get_data (page, NULL), g_bytes_get_size (page));
  g_auto (GStrv) rows = g_strsplit (strstr (text, "<h2>Jobs</h2>"), "<tr", -1);
  g_auto (GStrv) titles = g_strsplit (rows[1], "<th", -1);
  g_auto (GStrv) cells = g_strsplit (rows[1 + job], "<td", -1);

  return (Answer){ get_cell (cells, find_column (titles, "CPUS")),
                   get_cell (cells, find_column (titles, "AGE")),
                   get_cell (cells, find_column (titles, "EFF%")) };
}

/* --- tests --- */

static void
check (guint job, const char *cpus, const char *age, const char *efficiency)
{
  Answer (*const ask[]) (JmSnapshot *, guint) = { ask_list, ask_show, ask_page,
                                                  ask_top };
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();

  for (guint i = 0; i < G_N_ELEMENTS (ask); i++)
    {
      g_auto (Answer) answer = ask[i](snapshot, job);

      g_assert_cmpstr (answer.cpus, ==, cpus);
      g_assert_cmpstr (answer.age, ==, age);
      if (ask[i] != ask_top)
        g_assert_cmpstr (answer.efficiency, ==, efficiency);
    }
}

static void
test_of_a_running_job (void)
{
  check (1, "4", "10.25s", "50.0%");
}

static void
test_of_a_job_that_has_ended (void)
{
  check (2, "2", "2h46m46s", "0.0%");
}

static void
test_of_a_job_whose_cpus_nobody_knows (void)
{
  check (3, NULL, "16m50s", NULL);
}

static void
test_of_a_job_whose_start_nobody_knows (void)
{
  check (4, "4", NULL, NULL);
}

static void
test_of_a_job_that_began_in_the_future (void)
{
  check (5, "4", NULL, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cli/agreement/of-a-running-job", test_of_a_running_job);
  g_test_add_func ("/cli/agreement/of-a-job-that-has-ended",
                   test_of_a_job_that_has_ended);
  g_test_add_func ("/cli/agreement/of-a-job-whose-cpus-nobody-knows",
                   test_of_a_job_whose_cpus_nobody_knows);
  g_test_add_func ("/cli/agreement/of-a-job-whose-start-nobody-knows",
                   test_of_a_job_whose_start_nobody_knows);
  g_test_add_func ("/cli/agreement/of-a-job-that-began-in-the-future",
                   test_of_a_job_that_began_in_the_future);

  return g_test_run ();
}
