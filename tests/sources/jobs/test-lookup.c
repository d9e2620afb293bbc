/* test-lookup.c: files of schedulers' own that report who a job is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/jobs/jm-definition-groups-private.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "sources/jobs/jm-scheduler-definition-private.h"
#include "tree.h"

#define HEAD "[Scheduler]\nName=site\n[Cgroup]\nJob=/site/%k\n"
#define UUID "0f3a9d2e-11aa-4bcd-8eff-0123456789ab"
#define LINES                                                                          \
 HEAD "[Lookup]\nFile=/spool/%k/environment\nFormat=lines\njobid=JOB_ID;TASK\n"        \
      "name=JOB_NAME\nstart_time=START\n"

static void
test_lines_report_who_a_job_is (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_of (tree, LINES);
  g_autoptr (JmJob) job = NULL;

  tree_put (tree, "spool/a/environment", "JOB_ID=12\nTASK=3\nJOB_NAME=burn\n");
  job = identify (source, "/site/a", 0);

  assert_field (job, "jobid", "12.3");
  g_assert_true (jm_job_is_called (job, "12"));
  g_assert_true (jm_job_is_called (job, "a"));
  g_assert_false (jm_job_is_called (job, "3"));
  assert_field (job, "name", "burn");
  assert_origin (job, "jobid", JM_ORIGIN_HOOK);
}

static void
test_lines_may_be_a_shells (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_of (tree, LINES);
  g_autoptr (JmJob) job = NULL;

  tree_put (tree, "spool/a/environment",
            "export JOB_ID='12'\nexport JOB_NAME=\"it's\"\nexport START='\n");
  job = identify (source, "/site/a", 0);

  assert_field (job, "jobid", "12");
  assert_field (job, "name", "it's");
  assert_field (job, "start_time", NULL);
}

static void
test_what_is_not_reported_is_no_part_of_what_is_joined (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_of (tree, LINES);
  g_autoptr (JmJob) job = NULL;

  tree_put (tree, "spool/a/environment", "JOB_ID=12\nTASK=undefined\n");
  job = identify (source, "/site/a", 0);

  assert_field (job, "jobid", "12");
}

static void
test_a_job_without_its_file_is_called_as_its_cgroup_is (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_of (tree, LINES);
  g_autoptr (JmJob) job = identify (source, "/site/a", 0);

  assert_field (job, "jobid", "a");
  assert_origin (job, "jobid", JM_ORIGIN_PATH);
}

static void
test_a_class_ad_reports_numbers_and_strings (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source =
    source_of (tree,
               HEAD "[Lookup]\nFile=/ads/%k\nFormat=classad\njobid=ClusterId;ProcId\n"
                    "user=Owner\nname=JobBatchName\naccount=AcctGroup\n"
                    "start_time=JobCurrentStartDate\n");
  g_autoptr (JmJob) job = NULL;

  tree_put (tree, "ads/a",
            "MyType = \"Job\"\nClusterId = 12\nprocid = 0\nOwner = \"alice\"\n"
            "JobBatchName = \"a \\\"b\\\" = c\\t\\\"\nAcctGroup = strcat(\"a\", "
            "\"b\")\n"
            "JobCurrentStartDate = 1795247950\n");
  job = identify (source, "/site/a", 0);

  assert_field (job, "jobid", "12.0");
  assert_field (job, "user", "alice");
  assert_field (job, "name", "a \"b\" = c\\t\\");
  assert_field (job, "account", NULL);
  assert_field (job, "start_time", "1795247950");
}

static void
test_the_description_of_a_virtual_machine_reports_its_uuid (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source =
    source_of (tree, HEAD "[Lookup]\nFile=/run/%k.xml;/etc/%k.xml\nFormat=xml\n"
                          "jobid=domain/uuid\nname=domain/name\n"
                          "account=nova:owner/nova:project\n");
  g_autoptr (JmJob) job = NULL;

  tree_put (tree, "etc/a.xml", "<domain><uuid>no</uuid></domain>");
  tree_put (tree, "run/a.xml",
            "<domstatus state='running'><uuid>" UUID "1</uuid><domain type='kvm'>"
            "<name>web &amp; more</name>\n<uuid> " UUID "\n</uuid><metadata>"
            "<nova:owner><nova:project uuid='1'>physics</nova:project></nova:owner>"
            "</metadata></domain><broken>");
  job = identify (source, "/site/a", 0);

  assert_field (job, "jobid", UUID);
  assert_field (job, "name", "web & more");
  assert_field (job, "account", "physics");
  g_assert_false (jm_job_is_uuid_weak (job));
}

static void
test_a_name_in_a_directory_gives_a_pods_own (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source =
    source_of (tree, "[Scheduler]\nName=site\n[Cgroup]\nJob=/pods/pod%P\n"
                     "[Lookup]\nFile=/logs/%A_%N_%P\nFormat=names\n");
  g_autoptr (JmJob) job = NULL;

  tree_put (tree, "logs/team_other_1f3a9d2e-11aa-4bcd-8eff-0123456789ab/x", "");
  tree_put (tree, "logs/team-a_web-1_" UUID "/x", "");
  tree_put (tree, "logs/odd", "");
  job = identify (source, "/pods/pod" UUID, 0);

  assert_field (job, "account", "team-a");
  assert_field (job, "name", "web-1");
  assert_origin (job, "name", JM_ORIGIN_HOOK);
}

static void
test_a_file_that_the_user_names_counts_as_the_users_word (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source =
    source_of (tree,
               HEAD "[Lookup]\nFile=%v{AD}/job\nFormat=lines\njobid=ID\nname=NAME\n");
  g_autoptr (JmJob) job = NULL;

  tree_put (tree, "scratch/job", "ID=77\nNAME=burn\n");
  tree_add_process (tree, 10, geteuid (), "/site/a",
                    (const char *const[]){ "AD=/scratch", NULL });
  job = identify (source, "/site/a", 10);

  assert_field (job, "jobid", "a");
  assert_field (job, "name", "burn");
  assert_origin (job, "name", JM_ORIGIN_ENVIRONMENT);
}

static JmJob *
identify_by_ad (guint owner, const char *user)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source =
    source_of (tree, HEAD "[Lookup]\nFile=%v{SCRATCH}/.job.ad\nFormat=lines\n"
                          "Owner=condor\njobid=ID\nuser=USER\nname=NAME\n");
  g_autofree char *text = g_strdup_printf ("ID=6.0\nUSER=%s\nNAME=burn\n", user);
  g_autofree char *ad = tree_write (tree, "dir_1/.job.ad", text);
  g_autofree char *folder = g_path_get_dirname (ad);

  tree_put (tree, "etc/passwd", "condor:x:103:105\nalice:x:1000:1000\n");
  g_assert_cmpint (chown (folder, 1000, 1000), ==, 0);
  g_assert_cmpint (chown (ad, owner, 105), ==, 0);
  tree_add_process (tree, 10, 1000, "/site/slot1",
                    (const char *const[]){ "SCRATCH=/dir_1", NULL });

  return identify (source, "/site/slot1", 10);
}

/* In a folder of the job's user, who can put a file of his own there, or another one of
 * the scheduler's. */
static void
test_what_the_scheduler_wrote_about_the_user_counts (void)
{
  g_autoptr (JmJob) written = NULL;
  g_autoptr (JmJob) forged = NULL;
  g_autoptr (JmJob) moved = NULL;

  if (geteuid () != 0)
    {
      g_test_skip ("only root can give a file away");
      return;
    }

  written = identify_by_ad (103, "alice");
  forged = identify_by_ad (1000, "alice");
  moved = identify_by_ad (103, "bob");

  assert_field (written, "jobid", "6.0");
  assert_origin (written, "name", JM_ORIGIN_HOOK);
  assert_field (forged, "jobid", "slot1");
  assert_origin (forged, "name", JM_ORIGIN_ENVIRONMENT);
  assert_field (moved, "jobid", "slot1");
}

/* A job of alice in a slot that @claimer has claimed; her environment lies. */
static JmJob *
identify_by_slot (const char *claimer)
{
  static const char cgroup[] =
    "/system.slice/condor.service/htcondor/condor_slot1_1@c1";
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_for (tree->host, "htcondor.conf");
  g_autofree char *text = g_strdup_printf ("JobId = \"1.0\"\nRemoteOwner = \"%s@lab\"\n"
                                           "AssignedGPUS = \"GPU-aa,GPU-bb\"\n",
                                           claimer);
  g_autofree char *ad = tree_write (tree, "dir_1/.machine.ad", text);

  tree_put (tree, "etc/passwd", "condor:x:103:105\nalice:x:1000:1000\n");
  g_assert_cmpint (chown (ad, 103, 105), ==, 0);
  tree_add_process (tree, 10, 1000, cgroup,
                    (const char *const[]){ "_CONDOR_SCRATCH_DIR=/dir_1",
                                           "_CONDOR_AssignedGPUs=GPU-cc", NULL });

  return identify (source, cgroup, 10);
}

static void
test_the_ad_of_a_slot_has_its_gpus (void)
{
  g_autoptr (JmJob) job = NULL;
  g_autoptr (JmJob) moved = NULL;

  if (geteuid () != 0)
    {
      g_test_skip ("only root can give a file away");
      return;
    }

  job = identify_by_slot ("alice");
  moved = identify_by_slot ("bob");

  assert_field (job, "gpus", "GPU-aa,GPU-bb");
  assert_origin (job, "gpus", JM_ORIGIN_HOOK);
  assert_field (job, "user", "alice");
  assert_field (job, "jobid", "1_1");
  assert_origin (moved, "gpus", JM_ORIGIN_ENVIRONMENT);
  assert_field (moved, "user", "alice");
}

static JmJob *
identify_slot (const char *claimed, const char *told, const char *user)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source =
    source_of (tree,
               HEAD "[Lookup ad]\nFile=%v{AD}\nFormat=lines\njobid=ID\n"
                    "[Lookup startd]\nFile=/run/slots/%k\nFormat=lines\nConfirm=yes\n"
                    "jobid=ID\nuser=USER\naccount=GROUP\n");
  g_autofree char *ad = g_strdup_printf ("ID=%s\n", claimed);
  g_autofree char *slot =
    g_strdup_printf ("ID=%s\nUSER=%s\nGROUP=physics\n", told, user);
  g_autofree char *passwd = g_strdup_printf ("alice:x:%u:1\n", geteuid ());

  tree_put (tree, "etc/passwd", passwd);
  tree_put (tree, "scratch/ad", ad);
  tree_put (tree, "run/slots/slot1", slot);
  tree_add_process (tree, 10, geteuid (), "/site/slot1",
                    (const char *const[]){ "AD=/scratch/ad", NULL });

  return identify (source, "/site/slot1", 10);
}

static void
test_what_may_be_about_the_job_before_wants_to_be_confirmed (void)
{
  g_autoptr (JmJob) confirmed = identify_slot ("12.0", "12.0", "alice");
  g_autoptr (JmJob) stale = identify_slot ("13.0", "12.0", "alice");
  g_autoptr (JmJob) forged = identify_slot ("12.0", "12.0", "bob");

  assert_field (confirmed, "jobid", "12.0");
  assert_field (confirmed, "account", "physics");
  assert_field (stale, "jobid", "slot1");
  assert_field (stale, "account", NULL);
  assert_field (forged, "jobid", "slot1");
  assert_field (forged, "account", NULL);
}

static void
test_what_others_may_write_is_no_hooks_word (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_of (tree, LINES);
  g_autofree char *file =
    tree_write (tree, "spool/a/environment", "JOB_ID=12\nJOB_NAME=burn\nSTART=5\n");
  g_autoptr (JmJob) job = NULL;

  g_assert_cmpint (g_chmod (file, 0666), ==, 0);
  job = identify (source, "/site/a", 0);

  assert_field (job, "jobid", "a");
  assert_field (job, "name", "burn");
  assert_origin (job, "name", JM_ORIGIN_ENVIRONMENT);
  assert_field (job, "start_time", NULL);
}

static void
test_what_a_stranger_owns_does_not_count (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_of (tree, LINES);
  g_autoptr (JmJobSource) owned = source_of (tree, LINES "Owner=sgeadmin\n");
  g_autofree char *file = NULL;
  g_autoptr (JmJob) job = NULL;
  g_autoptr (JmJob) known = NULL;

  if (geteuid () != 0)
    {
      g_test_skip ("only root can give a file away");
      return;
    }

  tree_put (tree, "etc/passwd", "sgeadmin:x:4321:4321\n");
  file = tree_write (tree, "spool/a/environment", "JOB_ID=12\n");
  g_assert_cmpint (chown (file, 4321, 4321), ==, 0);
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                         "/spool/a/environment: not trusted: owned by uid 4321");
  job = identify (source, "/site/a", 0);
  g_test_assert_expected_messages ();
  known = identify (owned, "/site/a", 0);

  assert_field (job, "jobid", "a");
  assert_field (known, "jobid", "12");
}

static void
test_what_is_no_ordinary_file_costs_itself (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_of (tree, LINES);
  g_autofree char *fifo = tree_write (tree, "spool/a/environment", "");
  g_autofree char *large = g_strnfill (300 * 1024, 'x');
  g_autoptr (JmJob) job = NULL;
  g_autoptr (JmJob) other = NULL;

  g_assert_cmpint (g_unlink (fifo), ==, 0);
  g_assert_cmpint (mkfifo (fifo, 0644), ==, 0);
  tree_put (tree, "spool/b/environment", large);

  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                         "*/spool/a/environment: not an ordinary file*");
  job = identify (source, "/site/a", 0);
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING, "*/spool/b/environment: *");
  other = identify (source, "/site/b", 0);
  g_test_assert_expected_messages ();

  assert_field (job, "jobid", "a");
  assert_field (other, "jobid", "b");
}

static void
test_odd_texts_report_nothing (void)
{
  static const struct
  {
    JmLookupFormat format;
    const char *text;
  } cases[] = {
    { JM_LOOKUP_XML, "" },
    { JM_LOOKUP_XML, "<domain><uuid>cut" },
    { JM_LOOKUP_XML, "<domain uuid='x'/>" },
    { JM_LOOKUP_XML, "<adomain><uuid>x</uuid></adomain>" },
    { JM_LOOKUP_XML, "\xff\xfe<domain><uuid>x</uuid></domain>" },
    { JM_LOOKUP_CLASSAD, "domain/uuid = 5" },
    { JM_LOOKUP_CLASSAD, "domain/uuid\n" },
    { JM_LOOKUP_CLASSAD, "domain/uuid = 5x\n" },
    { JM_LOOKUP_CLASSAD, "domain/uuid = \"\n" },
    { JM_LOOKUP_LINES, "domain/uuid=5" },
    { JM_LOOKUP_NAMES, "domain/uuid=5\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *value =
        jm_lookup_text_find (cases[i].format, cases[i].text, strlen (cases[i].text),
                             "domain/uuid");

      g_assert_cmpstr (value, ==, NULL);
    }
}

static void
test_says_what_is_wrong_with_a_definition (void)
{
  static const struct
  {
    const char *text;
    const char *message;
  } cases[] = {
    { "jobid=A\n", "Lookup: File: missing" },
    { "File=/a/%k\n", "Lookup: a field: missing" },
    { "File=a/%k\n", "File: not an absolute path of a file in a directory: a/%k" },
    { "File=/%k\n", "File: not an absolute path of a file in a directory: /%k" },
    { "File=%v{A\n", "File: not the name of a variable: %v{A" },
    { "File=/a/%t\njobid=A\n", "File: placeholder without a meaning here: %t" },
    { "File=/a/%N\njobid=A\n", "placeholder without a meaning here: %N" },
    { "File=/a/%N\nFormat=names\n", "File: a name that does not identify its job" },
    { "File=/a/b\nFormat=yaml\n", "Format: none of lines, classad, xml, names: yaml" },
    { "File=/a/b\ncolour=A\n",
      "colour: neither a key nor a field that a file can give: colour" },
    { "File=/a/b\nConfirm=yes\njobid=A\n",
      "jobid and user, which are confirmed: missing" },
    { "File=/a/b\nConfirm=maybe\n", "Confirm: neither yes nor no: maybe" },
    { "File=/a/b\nname=A;;B\n", "name: a part without a name: A;;B" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strconcat (HEAD "[Lookup]\n", cases[i].text, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_null (
        jm_scheduler_definition_new_from_text ("x", text, strlen (text), &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      if (strstr (error->message, cases[i].message) == NULL)
        g_error ("%s: %s", cases[i].text, error->message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/lookup/lines", test_lines_report_who_a_job_is);
  g_test_add_func ("/lookup/shell", test_lines_may_be_a_shells);
  g_test_add_func ("/lookup/joined",
                   test_what_is_not_reported_is_no_part_of_what_is_joined);
  g_test_add_func ("/lookup/absent",
                   test_a_job_without_its_file_is_called_as_its_cgroup_is);
  g_test_add_func ("/lookup/classad", test_a_class_ad_reports_numbers_and_strings);
  g_test_add_func ("/lookup/xml",
                   test_the_description_of_a_virtual_machine_reports_its_uuid);
  g_test_add_func ("/lookup/names", test_a_name_in_a_directory_gives_a_pods_own);
  g_test_add_func ("/lookup/variable",
                   test_a_file_that_the_user_names_counts_as_the_users_word);
  g_test_add_func ("/lookup/schedulers-own",
                   test_what_the_scheduler_wrote_about_the_user_counts);
  g_test_add_func ("/lookup/slot", test_the_ad_of_a_slot_has_its_gpus);
  g_test_add_func ("/lookup/confirm",
                   test_what_may_be_about_the_job_before_wants_to_be_confirmed);
  g_test_add_func ("/lookup/writable", test_what_others_may_write_is_no_hooks_word);
  g_test_add_func ("/lookup/stranger", test_what_a_stranger_owns_does_not_count);
  g_test_add_func ("/lookup/not-ordinary", test_what_is_no_ordinary_file_costs_itself);
  g_test_add_func ("/lookup/odd", test_odd_texts_report_nothing);
  g_test_add_func ("/lookup/errors", test_says_what_is_wrong_with_a_definition);

  return g_test_run ();
}
