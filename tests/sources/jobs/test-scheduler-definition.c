/* test-scheduler-definition.c: how a scheduler's jobs are known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/jobs/jm-scheduler-definition-private.h"

#include "base/jm-error.h"
#include "tree.h"

static void
assert_is_refused (const char *text, const char *message)
{
  g_autoptr (GError) error = NULL;
  JmSchedulerDefinition *definition =
    jm_scheduler_definition_new_from_text ("x.conf", text, strlen (text), &error);

  g_assert_null (definition);
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, message);
}

#define SOUND "[Scheduler]\nName=x\n[Cgroup]\nJob=/x/%j\n"

static void
test_says_what_is_wrong_with_a_definition (void)
{
  assert_is_refused ("", "x.conf: Scheduler: Name: missing");
  assert_is_refused ("[Scheduler]\nName=x\n", "x.conf: Cgroup: Job: missing");
  assert_is_refused ("[Scheduler]\nName=a b\n",
                     "x.conf: Scheduler: Name: not a name: a b");
  assert_is_refused ("[Scheduler]\nNam=x\n",
                     "x.conf: Scheduler: Nam: unknown key: Nam");
  assert_is_refused (SOUND "[Cgruop]\n", "x.conf: unknown group: Cgruop");
  assert_is_refused (SOUND "Jobs=/x\n", "x.conf: Cgroup: Jobs: unknown key: Jobs");
  assert_is_refused ("[Scheduler]\nName=x\n[Cgroup]\nJob=/user-%o.slice/%j\n",
                     "x.conf: Cgroup: Owner: missing");
  assert_is_refused (SOUND "Owner=a b\n",
                     "x.conf: Cgroup: Owner: not a user's name: a b");
  assert_is_refused (SOUND "Step=\n", "x.conf: Cgroup: Step: an empty list: ");
  assert_is_refused (SOUND "Step=%s;%y\n",
                     "x.conf: Cgroup: Step: unknown placeholder: %y");
  assert_is_refused (SOUND "Step=/%s\n",
                     "x.conf: Cgroup: Step: begins with a slash or two stars: /%s");
  assert_is_refused (SOUND "Step=abc\n", "x.conf: Cgroup: Step: lacks the placeholder "
                                         "that makes it one: abc");
  assert_is_refused (SOUND "Task=%t\n",
                     "x.conf: Cgroup: Task: a task without its step: %t");
  assert_is_refused (SOUND "[Environment]\ncolour=X\n",
                     "x.conf: Environment: colour: not a field that a variable can "
                     "give: colour");
  assert_is_refused (SOUND "[Environment]\nuuid=X\n",
                     "x.conf: Environment: uuid: not a field that a variable can give: "
                     "uuid");
  assert_is_refused (SOUND "[Environment]\njobid=A=B\n",
                     "x.conf: Environment: jobid: not the name of a variable: A=B");
  assert_is_refused (SOUND "[Fields]\nWall=X\n",
                     "x.conf: Fields: Wall: not the name of a further field: Wall");
  assert_is_refused (SOUND "[Fields]\naccount=X\n", "x.conf: Fields: account: not the "
                                                    "name of a further field: account");
  assert_is_refused (SOUND "[Fields]\nwalltime=A=B\n",
                     "x.conf: Fields: walltime: not the name of a variable: A=B");
  assert_is_refused (SOUND "[Environment]\ngpus=A;\n",
                     "x.conf: Environment: gpus: not the name of a variable: A;");
  assert_is_refused (SOUND "[Environment]\ngpus=A;B;C;D;E;F;G;H;I\n",
                     "x.conf: Environment: gpus: more than eight variables: "
                     "A;B;C;D;E;F;G;H;I");
  assert_is_refused (SOUND "[Fields]\na=A\nb=A\nc=A\nd=A\ne=A\nf=A\ng=A\nh=A\ni=A\n",
                     "x.conf: Fields: i: more than eight further fields: i");
  assert_is_refused (SOUND "[Hook]\nFile=%j\n", "x.conf: Hook: Directory: missing");
  assert_is_refused (SOUND "[Hook]\nDirectory=/a\n", "x.conf: Hook: File: missing");
  assert_is_refused (SOUND "[Hook]\nDirectory=a\n",
                     "x.conf: Hook: Directory: not an absolute path: a");
  assert_is_refused (SOUND "[Hook]\nFile=../%j\n",
                     "x.conf: Hook: File: a file name with a slash: ../%j");
  assert_is_refused (SOUND "[Hook]\nFile=all\n",
                     "x.conf: Hook: File: one file for all jobs: all");
}

static void
test_extends_one_that_is_built_in (void)
{
  static const char text[] = "[Scheduler]\nName=farm\nExtends=slurm.conf\n"
                             "[Cgroup]\nJob=/batch/job_%j\n"
                             "[Environment]\naccount=FARM_ACCOUNT\n";
  static const char *const paths[] = { "/batch/job_7",
                                       "/system.slice/slurmstepd.scope/job_7" };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSchedulerDefinition) definition =
    jm_scheduler_definition_new_from_text ("x.conf", text, strlen (text), &error);
  const JmVariableNames *variables;

  g_assert_no_error (error);
  g_assert_cmpstr (jm_scheduler_definition_get_name (definition), ==, "farm");
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_auto (JmPathMatch) match = { 0 };

      g_assert_cmpint (jm_cgroup_layout_match (jm_scheduler_definition_get_layout (
                                                 definition),
                                               paths[i], NULL, &match),
                       ==, JM_CGROUP_OWN);
    }
  variables = jm_scheduler_definition_get_variables (definition);
  g_assert_cmpstr (jm_variable_names_get (variables, JM_JOB_FIELD_ACCOUNT), ==,
                   "FARM_ACCOUNT");
  g_assert_cmpstr (jm_variable_names_get (variables, JM_JOB_FIELD_ID), ==,
                   "SLURM_JOB_ID");

  assert_is_refused (SOUND "[Steps]\n1=a b\n",
                     "x.conf: Steps: 1: not the name of a step: a b");
  assert_is_refused (SOUND "[Scheduler]\nExtends=none.conf\n",
                     "x.conf: Scheduler: Extends: not a built-in definition: "
                     "none.conf");
  assert_is_refused (SOUND "[Scheduler]\nExtends=../emissions/owid.csv\n",
                     "x.conf: Scheduler: Extends: not a built-in definition: "
                     "../emissions/owid.csv");
}

static void
test_says_what_is_wrong_with_helpers_and_advice (void)
{
  g_autofree char *many = g_strnfill (65 * 2, 'a');
  g_autofree char *text = NULL;

  for (guint i = 1; i < 65 * 2; i += 2)
    many[i] = ';';
  text = g_strconcat (SOUND "[Processes]\nHelpers=", many, "\n", NULL);

  assert_is_refused (text,
                     "x.conf: Processes: Helpers: too many helpers, from here: a");
  assert_is_refused (SOUND "[Processes]\nHelpers=a;sixteen_letters_.\n",
                     "x.conf: Processes: Helpers: not a command: sixteen_letters_.");
  assert_is_refused (SOUND "[Processes]\nHelper=a\n",
                     "x.conf: Processes: Helper: unknown key: Helper");
  assert_is_refused (SOUND "[Advice]\ncgroup.gpu=Buy one\n",
                     "x.conf: Advice: cgroup.gpu: unknown key: cgroup.gpu");
  assert_is_refused (SOUND "[Advice]\nhooks.prolog=\n",
                     "x.conf: Advice: hooks.prolog: not one line of at most 512 "
                     "bytes: ");
  assert_is_refused (SOUND "[Advice]\njobs.found=a\\nb\n",
                     "x.conf: Advice: jobs.found: not one line of at most 512 bytes: "
                     "a\nb");
}

static void
test_says_what_is_wrong_with_a_spool (void)
{
  g_autofree char *many = g_strnfill (33 * 3, 'a');
  g_autofree char *text = NULL;

  for (guint i = 0; i < 33; i++)
    memcpy (many + 3 * i, "/a;", 3);
  text = g_strconcat (SOUND "[Spool]\nDirectory=", many, "\n", NULL);

  assert_is_refused (text,
                     "x.conf: Spool: Directory: too many directories, from here: /a");
  assert_is_refused (SOUND "[Spool]\nDirectory=/a\n", "x.conf: Spool: Group: missing");
  assert_is_refused (SOUND "[Spool]\nGroup=a\n", "x.conf: Spool: Directory: missing");
  assert_is_refused (SOUND "[Spool]\nDirectory=a\n",
                     "x.conf: Spool: Directory: not an absolute path: a");
  assert_is_refused (SOUND "[Spool]\nDirectory=\n",
                     "x.conf: Spool: Directory: an empty list: ");
  assert_is_refused (SOUND "[Spool]\nDirectory=/a/%n/%j\n",
                     "x.conf: Spool: Directory: an unknown placeholder: %j");
  assert_is_refused (SOUND "[Spool]\nGroup=../a\n",
                     "x.conf: Spool: Group: not a file name: ../a");
  assert_is_refused (SOUND "[Spool]\nFolder=a\n",
                     "x.conf: Spool: Folder: unknown key: Folder");
}

static void
test_says_which_file_is_no_key_file (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *path = tree_write (tree, "broken.conf", "Name=slurm\n");
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_scheduler_definition_new_from_file (path, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_true (g_str_has_prefix (error->message, path));
}

static void
test_refuses_a_file_that_is_too_long (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *text = g_strnfill (70000, '#');
  g_autofree char *path = tree_write (tree, "long.conf", text);
  g_autofree char *message = g_strconcat (path, ": longer than 64 KiB", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_scheduler_definition_new_from_file (path, &error));
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_says_that_a_file_is_not_there (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_scheduler_definition_new_from_file ("/nowhere/x.conf", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_true (g_str_has_prefix (error->message, "/nowhere/x.conf: "));
}

static void
test_ships_definitions_that_are_sound (void)
{
  g_autoptr (JmSchedulerDefinition) slurm = shipped_definition ("slurm.conf");
  g_autoptr (JmSchedulerDefinition) local = shipped_definition ("local.conf");

  g_assert_cmpstr (jm_scheduler_definition_get_name (slurm), ==, "slurm");
  g_assert_cmpstr (jm_scheduler_definition_get_name (local), ==, "local");
  g_assert_cmpstr (jm_variable_names_get (jm_scheduler_definition_get_variables (slurm),
                                          JM_JOB_FIELD_ACCOUNT),
                   ==, "SLURM_JOB_ACCOUNT");
  g_assert_cmpstr (jm_scheduler_definition_get_helpers (slurm)[0], ==, "slurmstepd");
  g_assert_null (jm_scheduler_definition_get_helpers (local));
  g_assert_nonnull (jm_scheduler_definition_get_advice (slurm, "hooks.prolog"));
  g_assert_null (jm_scheduler_definition_get_advice (local, "hooks.prolog"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/scheduler-definition/errors",
                   test_says_what_is_wrong_with_a_definition);
  g_test_add_func ("/scheduler-definition/extends", test_extends_one_that_is_built_in);
  g_test_add_func ("/scheduler-definition/helpers-and-advice",
                   test_says_what_is_wrong_with_helpers_and_advice);
  g_test_add_func ("/scheduler-definition/spool", test_says_what_is_wrong_with_a_spool);
  g_test_add_func ("/scheduler-definition/no-key-file",
                   test_says_which_file_is_no_key_file);
  g_test_add_func ("/scheduler-definition/too-long",
                   test_refuses_a_file_that_is_too_long);
  g_test_add_func ("/scheduler-definition/absent", test_says_that_a_file_is_not_there);
  g_test_add_func ("/scheduler-definition/shipped",
                   test_ships_definitions_that_are_sound);

  return g_test_run ();
}
