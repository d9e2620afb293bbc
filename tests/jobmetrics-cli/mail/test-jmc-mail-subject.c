/* test-jmc-mail-subject.c: what schedulers write into their mails
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-parts.h"

typedef struct
{
  const char *subject;
  const char *job;
  gboolean is_end;
  gboolean is_array;
} Case;

#define END TRUE, FALSE
#define OTHER FALSE, FALSE

static const Case cases[] = {
  { "Slurm Job_id=12 Name=n Ended, Run time 00:01:00, COMPLETED, ExitCode 0", "12",
    END },
  { "SLURM Job_id=12 Name=n Failed, Run time 1-00:01:00, FAILED, ExitCode 1", "12",
    END },
  { "Slurm Job_id=12 Name=n Ended, Run time 00:01:00, TIMEOUT", "12", END },
  { "Slurm Job_id=12 Name=n Ended", "12", END },
  { "Slurm Job_id=12 Name= Ended, Run time 00:01:00", "12", END },
  { "Slurm Job_id=12 Name=n Began, Queued time 00:00:01", "12", OTHER },
  { "Slurm Job_id=12 Name=n Requeued, Run time 00:00:01", "12", OTHER },
  { "Slurm Job_id=12 Name=n Reached 80% of time limit, Run time 00:00:01", "12",
    OTHER },
  { "Slurm Job_id=12 Name=n Invalid dependency", "12", OTHER },
  { "Slurm Job_id=12 Name=n StageOut/Teardown time 00:00:01", "12", OTHER },
  { "Slurm Job_id=12 Name=a Ended, b Began, Queued time 00:01:00", "12", OTHER },
  { "Slurm Job_id=12 Name=a Began, b Ended, Run time 00:01:00, COMPLETED", "12", END },
  { "Slurm Array Task Job_id=12_3 (15) Name=n Ended, Run time 1, COMPLETED", "12_3",
    END },
  { "Slurm Array Summary Job_id=12_* (15) Name=n Ended, COMPLETED, ExitCode [0-0]",
    "12", TRUE, TRUE },
  { "Slurm Array Summary Job_id=12_* (15) Name=n Began", "12", FALSE, TRUE },
  { "Job 12 (n) Complete", "12", END },
  { "Job-array task 12.3 (n) Complete", "12_3", END },
  { "Job 12 (n) Aborted", "12", END },
  { "Job 12 (n) Started", "12", OTHER },
  { "Job 12 (a) Complete) Suspended", "12", OTHER },
  { "PBS JOB 12.server", "12.server", OTHER },
  { "PBS JOB 12[3].server", "12_3", OTHER },
  { "PBS JOB 12[].server", "12", FALSE, TRUE },
  { "PBS RESERVATION R12.server", NULL, OTHER },
  { "PBS JOB 12.server x", NULL, OTHER },
  { "Slurm Job_id=x Name=n Ended", NULL, OTHER },
  { "Job twelve (n) Complete", NULL, OTHER },
  { "Job 12", NULL, OTHER },
  { "Slurm", NULL, OTHER },
  { "", NULL, OTHER },
};

static void
test_reports_jobs_and_their_ends (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (JmcMailSubject) subject = { 0 };

      g_test_message ("%s", cases[i].subject);
      jmc_mail_subject_parse (&subject, cases[i].subject, "");
      g_assert_cmpstr (subject.job, ==, cases[i].job);
      g_assert_cmpint (subject.is_end, ==, cases[i].is_end);
      g_assert_cmpint (subject.is_array, ==, cases[i].is_array);
    }
}

static gboolean
is_end (const char *body)
{
  g_auto (JmcMailSubject) subject = { 0 };

  jmc_mail_subject_parse (&subject, "PBS JOB 12.server", body);

  return subject.is_end;
}

static void
test_reports_ends_of_pbs_by_the_text (void)
{
  g_assert_true (is_end ("PBS Job Id: 12.server\nJob Name:   n\nExecution terminated\n"
                         "Exit_status=0\n"));
  g_assert_true (
    is_end ("PBS Job Id: 12.server\nJob Name:   n\nAborted by PBS Server \n"));
  g_assert_false (is_end ("PBS Job Id: 12.server\nJob Name:   n\nBegun execution\n"));
  g_assert_false (is_end ("Job Name:   Execution terminated\nBegun execution\n"));
  g_assert_false (is_end (""));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mail-subject/jobs", test_reports_jobs_and_their_ends);
  g_test_add_func ("/mail-subject/pbs", test_reports_ends_of_pbs_by_the_text);

  return g_test_run ();
}
