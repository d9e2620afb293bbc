/* test-slurm-commands.c: a Slurm whose commands are scripts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "commands-fixture.h"
#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/jm-scheduler-types-private.h"

static const Kind slurm = { jm_slurm_commands_get_type, "slurm-commands-22.05" };

static void
put_recorded (Fixture *f, const char *command, const char *before)
{
  put_recorded_file (f, &slurm, command, command, before);
}

/* --- what is read --- */

static void
test_jobs_and_nodes (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) jobs = NULL;
  g_autoptr (JmSchedulerReport) nodes = NULL;

  put_recorded (f, "squeue", "");
  put_recorded (f, "sinfo", "");
  jobs = read_topic (f, JM_SCHEDULER_TOPIC_JOBS);
  nodes = read_topic (f, JM_SCHEDULER_TOPIC_NODES);

  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (jobs), ==, 16);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (jobs), ==, 0);
  g_assert_cmpint (jm_scheduler_report_get_time (jobs), >, 0);
  g_assert_cmpuint (jm_scheduler_report_get_n_nodes (nodes), ==, 4);
}

static void
test_limits_are_two_questions (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = NULL;

  put_command (f, "sacctmgr",
               "test \"$1 $2 $3\" = '--noheader --parsable2 show' || exit 3\n"
               "case \"$4\" in\n"
               "assoc) echo 'made|physics|||cpu=64||||||' ;;\n"
               "qos) echo 'high||||||5||' ;;\n"
               "esac");
  report = read_topic (f, JM_SCHEDULER_TOPIC_LIMITS);

  g_assert_cmpuint (jm_scheduler_report_get_n_limits (report), ==, 2);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 0);
  g_assert_cmpint (jm_scheduler_report_get_limit (report, 0)->group_cpus, ==, 64);
  g_assert_cmpstr (jm_scheduler_report_get_limit (report, 1)->qos, ==, "high");
  g_assert_cmpint (jm_scheduler_report_get_limit (report, 1)->max_jobs, ==, 5);
}

/* These commands know no other separator than one that names may have. */
static void
test_no_line_end_in_a_name_forges_a_limit (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = NULL;

  put_command (f, "sacctmgr",
               "test \"$4\" = assoc || exit 0\n"
               "printf 'made|first|||cpu=1||||||\\n'\n"
               "printf 'made|two\\nlines|||cpu=2||||||\\n'\n"
               "printf 'made|second|||cpu=3||||||\\n'\n"
               "printf 'made|x\\nmade|forged|||cpu=4||||||\\nz|||cpu=5||||||\\n'\n"
               "echo 'sacctmgr: error: a warning'; echo\n"
               "echo 'a line of a site, which costs itself'\n"
               "printf 'made|third|||cpu=6||||||\\n'\n");
  report = read_topic (f, JM_SCHEDULER_TOPIC_LIMITS);

  g_assert_cmpuint (jm_scheduler_report_get_n_limits (report), ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpstr (jm_scheduler_report_get_limit (report, i)->account, ==,
                     ((const char *[]){ "first", "second", "third" })[i]);
  /* two pieces; two, and the row between them; the warning, the empty line, and the
   * site's */
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 8);
}

static void
test_no_line_end_in_a_name_forges_a_share (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = NULL;

  put_command (f, "sshare",
               "printf ' one|||1|0.1|10|0.2|0.3|0.4|0.5\\n'\n"
               "printf ' tw\\no|||2|0.1|10|0.2|0.3|0.4|0.5\\n'\n"
               "printf ' three|a\\nb||3|0.1|10|0.2|0.3|0.4|0.5\\n'\n"
               "printf ' four|||4|0.1|10|0.2|0.3|0.4|0.5\\n'\n");
  report = read_topic (f, JM_SCHEDULER_TOPIC_SHARES);

  g_assert_cmpuint (jm_scheduler_report_get_n_shares (report), ==, 2);
  g_assert_cmpint (jm_scheduler_report_get_share (report, 0)->raw_shares, ==, 1);
  g_assert_cmpint (jm_scheduler_report_get_share (report, 1)->raw_shares, ==, 4);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 4);
}

/* The last line of the name is no row, or one of the lines has the name of another row.
 * Where neither is so the answer is the same as one with a row more. */
static void
test_no_separators_in_a_name_forge_a_limit (Fixture *f, gconstpointer data)
{
  static const char *const names[] = {
    "x||\nmade|mine|||cpu=4||||||\nz",
    "x|||||||||||||\nmade|mine|||cpu=4||||||\nz",
    "x\nmade|mine|||cpu=4||||||\nz||",
    "mine|||cpu=4||||||\nz",
    "x|||||||||\nmade|mine|||cpu=4||||||\nz",
    "x|||||||||\nmade|mine|||cpu=4||||||\nz|||||||||",
    /* that of another row */
    "x|||||||||\nmade|second|||cpu=4||||||\nmade|y",
    "second|||cpu=4||||||\nmade|y",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (JmSchedulerReport) report = NULL;
      g_autofree char *command =
        g_strdup_printf ("test \"$4\" = assoc || exit 0\n"
                         "echo 'elsewhere|first|||cpu=9||||||'\n"
                         "echo 'made|first|||cpu=1||||||'\n"
                         "echo 'made|%s|||cpu=5||||||'\n"
                         "echo 'made|second|||cpu=2||||||'\n"
                         "echo 'made|third|||cpu=3||||||'\n",
                         names[i]);

      put_command (f, "sacctmgr", command);
      report = read_topic (f, JM_SCHEDULER_TOPIC_LIMITS);

      g_test_message ("name %u", i);
      for (guint k = 0; k < jm_scheduler_report_get_n_limits (report); k++)
        {
          const JmSchedulerLimit *limit = jm_scheduler_report_get_limit (report, k);

          g_assert_cmpstr (limit->account, !=, "mine");
          g_assert_cmpint (limit->group_cpus, !=, 4);
        }
      g_assert_cmpint (jm_scheduler_report_get_limit (report, 0)->group_cpus, ==, 1);
      g_assert_cmpstr (jm_scheduler_report_get_limit (report,
                                                      jm_scheduler_report_get_n_limits (
                                                        report) -
                                                        1)
                         ->account,
                       ==, "third");
      g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), >=, 2);
    }
}

/* Each kind of line costs itself, and no row behind or before it. */
static void
test_a_line_that_is_no_row_costs_itself (Fixture *f, gconstpointer data)
{
  static const char *const lines[][2] = {
    { "stray", "stray" },
    { "a stray line", "a stray line" },
    { "", "" },
    { "x|y", "x|y" },
    { "|", "|" },
    { "made|x", " x|y" },
    { "made|x|y|||||||||||||||", " x|y|||||||||||||||" },
    { "\377|\376", "\377|\376" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (JmSchedulerReport) limits = NULL;
      g_autoptr (JmSchedulerReport) shares = NULL;
      g_autofree char *sacctmgr =
        g_strdup_printf ("case $4 in\n"
                         "assoc) echo 'made|a|||cpu=1||||||'; echo '%s'\n"
                         "echo 'made|b|||cpu=2||||||' ;;\n"
                         "qos) echo 'n||||||5||'; echo '%s'; echo 'h||||||6||' ;;\n"
                         "esac",
                         lines[i][0], lines[i][0]);
      g_autofree char *sshare =
        g_strdup_printf ("echo 'root||||0.0|0||1.0||'\n"
                         "echo ' a|||1|0.1|10|0.2|0.3|0.4|0.5'; echo '%s'\n"
                         "echo '  a|u||2|0.1|10|0.2|0.3|0.4|0.5'",
                         lines[i][1]);

      put_command (f, "sacctmgr", sacctmgr);
      put_command (f, "sshare", sshare);
      limits = read_topic (f, JM_SCHEDULER_TOPIC_LIMITS);
      shares = read_topic (f, JM_SCHEDULER_TOPIC_SHARES);

      g_test_message ("line %u", i);
      g_assert_cmpuint (jm_scheduler_report_get_n_limits (limits), ==, 4);
      g_assert_cmpuint (jm_scheduler_report_get_n_shares (shares), ==, 3);
    }
}

/* As those of an old sshare, or of one in between: without spaces before accounts. */
static void
test_shares_need_no_indentation (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = NULL;

  put_command (f, "sshare",
               "printf 'stray\\none|||1|0.1|10|0.2|0.3|0.4|0.5\\n'\n"
               "printf 'two|||2|0.1|10|0.2|0.3|0.4\\n'\n"
               "printf 'three|||3|0.1|10|0.2|0.3|0.4|0.5\\n'\n"
               "printf 'three|||3|0.1|10|0.2|0.3|0.4|0.5\\n'\n");
  report = read_topic (f, JM_SCHEDULER_TOPIC_SHARES);

  g_assert_cmpuint (jm_scheduler_report_get_n_shares (report), ==, 2);
  g_assert_cmpint (jm_scheduler_report_get_share (report, 0)->raw_shares, ==, 1);
  g_assert_cmpint (jm_scheduler_report_get_share (report, 1)->raw_shares, ==, 3);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 3);
}

/* Half of an answer would make the other half vanish from what is reported. */
static void
test_limits_fail_where_the_second_question_does (Fixture *f, gconstpointer data)
{
  put_command (f, "sacctmgr",
               "test \"$4\" = assoc && exit 0\n"
               "echo 'sacctmgr: error: no answer' >&2; exit 1");
  assert_fails (f, JM_SCHEDULER_TOPIC_LIMITS, JM_ERROR_UNAVAILABLE, "no answer");
}

/* Each time, whatever stands in this program's environment. */
static void
test_a_command_has_an_environment_of_its_own (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) first = NULL;
  g_autoptr (JmSchedulerReport) second = NULL;

  put_recorded (f, "squeue",
                "test \"$SLURM_TIME_FORMAT\" = %s || exit 3\n"
                "test \"$SLURM_BITSTR_LEN\" = 0 || exit 4\n"
                "test \"$LC_ALL\" = C || exit 5\n"
                "test -z \"$SQUEUE_USERS\" || exit 6\n"
                "test \"$1 $2\" = '--all --states=all' "
                "|| exit 7");
  first = read_topic (f, JM_SCHEDULER_TOPIC_JOBS);
  second = read_topic (f, JM_SCHEDULER_TOPIC_JOBS);

  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (first), ==, 16);
  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (second), ==, 16);
}

/* A squeue that prints names as they are, as the real one does. The last is a row in
 * itself, with the separator of the question before. */
#define PRINT_NAMES                                                                    \
 "for format; do :; done\n"                                                            \
 "now=${format##*:} before=$(cat \"$0.before\" 2>/dev/null)\n"                         \
 "printf %s \"$now\" > \"$0.before\"\n"                                                \
 "fill () { printf %s \"$1\" | sed \"s/,/$2/g\"; }\n"                                  \
 "values='N/A,N/A,N/"                                                                  \
 "A,ada,1001,physics,normal,batch,RUNNING,None,(null),cpu=1,0,0,0,0,"                  \
 "UNLIMITED,1,n1,(null),(null),0,'\n"                                                  \
 "row () { fill \"$1,$1,$values\" \"$now\"; printf '%s%s\\n' \"$2\" \"$now\"; }\n"     \
 "row 1 'two\nlines'; row 2 'x|y'; row 3 ''; row 4 '\n\n%s\n'; row 5 'a\037b'\n"       \
 "row 6 \"$(fill \",\n9,9,$values\" \"$before\")forged$before\"\n"

static void
test_no_name_forges_a_job (Fixture *f, gconstpointer data)
{
  static const char *const names[] = { "two\nlines", "x|y", NULL, "\n\n%s\n",
                                       "a\037b" };

  put_command (f, "squeue", PRINT_NAMES);
  for (guint round = 0; round < 2; round++)
    {
      g_autoptr (JmSchedulerReport) report = read_topic (f, JM_SCHEDULER_TOPIC_JOBS);
      const JmSchedulerJob *last;

      g_assert_cmpstr (jm_scheduler_report_get_complaint (report), ==, NULL);
      g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 6);
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        g_assert_cmpstr (jm_scheduler_report_get_job (report, i)->name, ==, names[i]);
      last = jm_scheduler_report_get_job (report, 5);
      g_assert_cmpint (last->raw_id, ==, 6);
      g_assert_nonnull (strstr (last->name, round == 0 ? "\n99N/A" : "\n9\037"));
    }
}

/* A site's own program in the place of squeue, which has an answer ready: without the
 * names, and whatever was asked for. */
static void
test_a_kept_answer_has_a_separator_of_its_own (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = NULL;

  put_command (f, "squeue",
               "row () { printf '%s\\037' $1 $1 N/A N/A N/A ada 1001 physics normal "
               "batch RUNNING None '(null)' cpu=$2 0 0 0 0 UNLIMITED 1 n1 '(null)' "
               "'(null)' 0; echo; }\n"
               "echo 'squeue: an hour old'; row 7 3; row 8 4\n");
  report = read_topic (f, JM_SCHEDULER_TOPIC_JOBS);

  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 2);
  g_assert_cmpint (find_job (report, "7")->cpus_allocated, ==, 3);
  g_assert_cmpstr (find_job (report, "8")->user, ==, "ada");
  g_assert_null (find_job (report, "8")->name);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 1);
}

/* What cannot be put together costs itself. */
static void
test_a_row_that_is_cut_costs_itself (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = NULL;

  put_command (f, "squeue", PRINT_NAMES "fill '7,7,N/A' \"$now\"; echo; row 8 last\n");
  report = read_topic (f, JM_SCHEDULER_TOPIC_JOBS);

  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 1);
  g_assert_cmpstr (jm_scheduler_report_get_complaint (report), ==,
                   "squeue: a line that is cut: 7");
  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 7);
  g_assert_cmpstr (find_job (report, "8")->name, ==, "last");
}

static void
test_words_of_warning_do_no_harm (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = NULL;

  put_recorded (f, "sinfo", "echo 'sinfo: warning: deprecated' >&2");
  report = read_topic (f, JM_SCHEDULER_TOPIC_NODES);

  g_assert_cmpuint (jm_scheduler_report_get_n_nodes (report), ==, 4);
}

static void
test_an_empty_queue_is_an_answer (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = NULL;

  put_command (f, "squeue", "exit 0");
  report = read_topic (f, JM_SCHEDULER_TOPIC_JOBS);

  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 0);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 0);
}

/* --- what fails --- */

static void
test_a_command_that_is_missing (Fixture *f, gconstpointer data)
{
  assert_fails (f, JM_SCHEDULER_TOPIC_JOBS, JM_ERROR_ABSENT, "squeue");
}

static void
test_a_controller_that_is_down (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = NULL;

  put_command (f, "squeue",
               "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; "
               "exit 1");
  assert_fails (f, JM_SCHEDULER_TOPIC_JOBS, JM_ERROR_UNAVAILABLE,
                "Unable to contact slurm controller");

  /* it is back */
  put_recorded (f, "squeue", "");
  report = read_topic (f, JM_SCHEDULER_TOPIC_JOBS);
  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 16);
}

static void
test_a_command_that_hangs_is_killed (Fixture *f, gconstpointer data)
{
  put_command (f, "sdiag", "sleep 600");
  assert_fails (f, JM_SCHEDULER_TOPIC_DIAGNOSTICS, JM_ERROR_UNAVAILABLE,
                "has not ended in time");
}

static void
test_half_an_answer_is_reported (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = NULL;

  put_recorded_file (f, &slurm, "squeue-of-all", "squeue", "");
  put_command (f, "squeue", "\"$0-of-all\" \"$@\" | head -c 1500");
  report = read_topic (f, JM_SCHEDULER_TOPIC_JOBS);

  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 1);
  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), <, 16);
}

static void
test_there_is_a_command_for_every_topic (Fixture *f, gconstpointer data)
{
  g_assert_true (jm_scheduler_has_topic (f->scheduler, JM_SCHEDULER_TOPIC_SHARES));
  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    g_assert_true (jm_scheduler_has_topic (f->scheduler, i));
  g_assert_false (jm_scheduler_has_topic (f->scheduler, JM_N_SCHEDULER_TOPICS));
}

/* --- whose it is --- */

static void
test_the_cluster_is_asked_for (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmScheduler) scheduler = NULL;

  put_command (f, "scontrol",
               "test \"$*\" = 'show config' || exit 3\n"
               "echo 'CheckpointType          = (null)'\n"
               "echo 'ClusterName             = birch'");
  scheduler = open_scheduler (f, &slurm, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (jm_scheduler_get_cluster (scheduler), ==, "birch");
  g_assert_cmpstr (jm_scheduler_get_cluster (f->scheduler), ==, "made");
}

static void
test_a_cluster_without_a_name_is_an_error (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmScheduler) scheduler = NULL;

  put_command (f, "scontrol", "echo 'ClusterName             ='");
  scheduler = open_scheduler (f, &slurm, NULL, &error);

  g_assert_null (scheduler);
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_setenv ("SQUEUE_USERS", "ada", TRUE);

#define ADD(name, func)                                                                \
 g_test_add ("/slurm-commands/" name, Fixture, &slurm, set_up, func, tear_down)

  ADD ("jobs-and-nodes", test_jobs_and_nodes);
  ADD ("limits", test_limits_are_two_questions);
  ADD ("forged-limits", test_no_line_end_in_a_name_forges_a_limit);
  ADD ("forged-shares", test_no_line_end_in_a_name_forges_a_share);
  ADD ("forged-by-separators", test_no_separators_in_a_name_forge_a_limit);
  ADD ("no-row", test_a_line_that_is_no_row_costs_itself);
  ADD ("no-indentation", test_shares_need_no_indentation);
  ADD ("half-limits", test_limits_fail_where_the_second_question_does);
  ADD ("environment", test_a_command_has_an_environment_of_its_own);
  ADD ("names", test_no_name_forges_a_job);
  ADD ("kept", test_a_kept_answer_has_a_separator_of_its_own);
  ADD ("cut", test_a_row_that_is_cut_costs_itself);
  ADD ("warning", test_words_of_warning_do_no_harm);
  ADD ("empty", test_an_empty_queue_is_an_answer);
  ADD ("missing", test_a_command_that_is_missing);
  ADD ("down", test_a_controller_that_is_down);
  ADD ("hangs", test_a_command_that_hangs_is_killed);
  ADD ("half", test_half_an_answer_is_reported);
  ADD ("topics", test_there_is_a_command_for_every_topic);
  ADD ("cluster", test_the_cluster_is_asked_for);
  ADD ("no-cluster", test_a_cluster_without_a_name_is_an_error);

  return g_test_run ();
}
