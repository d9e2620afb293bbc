/* test-spool-reader.c: jobs that are known by a folder and by the group of processes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "core/jm-readings-private.h"
#include "sources/cgroup/jm-spool-file-private.h"
#include "sources/cgroup/jm-spool-private.h"
#include "sources/cgroup/jm-spool-reader-private.h"
#include "tree.h"

#define ACTIVE "var/spool/ge/host/active_jobs"

typedef struct
{
  Tree *tree;
  JmHost *host;
  JmCgroupReader *reader; /* NULL before it is wanted */
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->tree = tree_new ();
  f->host = jm_host_new (f->tree->root);
  tree_make_dir (f->tree, "proc");
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_clear_object (&f->reader);
  g_clear_object (&f->host);
  tree_free (f->tree);
}

static void
open_reader (Fixture *f)
{
  static const char *const directories[] = { "/var/spool/ge/*/active_jobs", NULL };
  g_autoptr (GError) error = NULL;

  f->reader =
    (JmCgroupReader *) g_initable_new (JM_TYPE_SPOOL_READER, NULL, &error, "host",
                                       f->host, "name", "ge", "directories",
                                       directories, "group-file", "addgrpid", NULL);
  g_assert_no_error (error);
}

static void
add_process (Fixture *f, guint pid, const char *groups)
{
  g_autofree char *path = g_strdup_printf ("proc/%u/status", pid);
  g_autofree char *text =
    g_strdup_printf ("Name:\tload\nUid:\t7\t7\t7\t7\nGroups:\t%s \nThreads:\t1\n",
                     groups);

  tree_write (f->tree, path, text);
}

static void
end_process (Fixture *f, guint pid)
{
  g_autofree char *path = g_strdup_printf ("proc/%u", pid);

  tree_remove (f->tree, path);
}

static void
put (Fixture *f, const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (ACTIVE, folder, name, NULL);

  tree_write (f->tree, path, text);
}

/* What changed, in one line; the reader is opened if it is not yet. */
static char *
take (Fixture *f)
{
  g_auto (GStrv) changes = NULL;

  if (f->reader == NULL)
    open_reader (f);
  changes = jm_cgroup_reader_take_changes (f->reader);
  g_assert_nonnull (changes);

  return g_strjoinv (" ", changes);
}

static void
assert_children (Fixture *f, const char *path, const char *expected)
{
  G_GNUC_UNUSED g_autofree char *changes = take (f);
  g_auto (GStrv) names = jm_cgroup_reader_list_children (f->reader, path, NULL);
  g_autofree char *line = NULL;

  g_assert_nonnull (names);
  line = g_strjoinv (" ", names);
  g_assert_cmpstr (line, ==, expected);
}

/* Processes of a job that has none are looked for but once a second. */
static void
await_child (Fixture *f, const char *path)
{
  gint64 until_us = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  gboolean is_there = FALSE;

  while (!is_there && g_get_monotonic_time () < until_us)
    {
      G_GNUC_UNUSED g_autofree char *changes = take (f);
      g_auto (GStrv) names = jm_cgroup_reader_list_children (f->reader, path, NULL);

      is_there = names[0] != NULL;
      g_usleep (10000);
    }
}

static guint
open_cgroup (Fixture *f, const char *path)
{
  g_autoptr (GError) error = NULL;
  guint number =
    jm_cgroup_reader_open_cgroup (f->reader, path, JM_SUBJECT_KIND_JOB, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (number, >, 0);

  return number;
}

static void
assert_processes (Fixture *f, guint cgroup, const char *expected)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (GString) line = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  const guint *pids;
  guint n;

  jm_readings_begin (readings, JM_COLLECTOR_PROCESS);
  g_assert_true (jm_cgroup_reader_list_processes (f->reader, cgroup, readings, &error));
  g_assert_no_error (error);
  pids = jm_readings_get_processes (readings, &n);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (line, "%s%u", i > 0 ? " " : "", pids[i]);
  g_assert_cmpstr (line->str, ==, expected);
}

/* Milliseconds of user time that were waited for; -1 where nothing is reported. */
static int
read_user_ms (Fixture *f, guint cgroup)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (GError) error = NULL;
  const JmReading *reading;

  jm_readings_begin (readings, JM_COLLECTOR_PROCESS);
  g_assert_true (jm_cgroup_reader_read (f->reader, cgroup, readings, &error));
  g_assert_no_error (error);
  reading = jm_readings_find (readings, 0, JM_METRIC_PROCESS_CPU_USER);

  return reading != NULL ? (int) (reading->value / 1000000) : -1;
}

static void
test_finds_the_processes_of_a_job_by_their_group (Fixture *f, gconstpointer data)
{
  put (f, "12.1", "addgrpid", "65400\n");
  put (f, "13.1", "addgrpid", "65401\n");
  add_process (f, 10, "111");                  /* the shepherd */
  add_process (f, 11, "1001 65400");           /* the job */
  add_process (f, 12, "100 1001 65400 70000"); /* its child */
  add_process (f, 13, "1002 65401");
  add_process (f, 14, "");

  assert_children (f, "/", "ge");
  assert_children (f, "/ge/12.1", "");
  assert_processes (f, open_cgroup (f, "/ge/12.1"), "11 12");
  assert_processes (f, open_cgroup (f, "/ge/13.1"), "13");
}

static void
test_reports_jobs_that_come_and_go (Fixture *f, gconstpointer data)
{
  g_autofree char *nothing = NULL;
  g_autofree char *birth = NULL;
  g_autofree char *quiet = NULL;
  g_autofree char *death = NULL;

  tree_make_dir (f->tree, ACTIVE);
  nothing = take (f);
  g_assert_cmpstr (nothing, ==, "");
  g_assert_cmpint (jm_cgroup_reader_get_event_fd (f->reader), >=, 0);

  add_process (f, 11, "1001 65400");
  put (f, "12.1", "addgrpid", "65400\n");
  birth = take (f);
  g_assert_cmpstr (birth, ==, "/ge /ge/12.1");
  assert_children (f, "/ge", "12.1");
  quiet = take (f);
  g_assert_cmpstr (quiet, ==, "");

  tree_remove (f->tree, ACTIVE "/12.1");
  death = take (f);
  g_assert_cmpstr (death, ==, "/ge");
  assert_children (f, "/ge", "");
}

static void
test_finds_a_spool_that_comes_later (Fixture *f, gconstpointer data)
{
  assert_children (f, "/ge", "");

  add_process (f, 11, "1001 65400");
  put (f, "12.1", "addgrpid", "65400\n");

  assert_children (f, "/ge", "12.1");

  tree_remove (f->tree, "var/spool/ge");
  assert_children (f, "/ge", "");

  put (f, "13.1", "addgrpid", "65400\n");
  assert_children (f, "/ge", "13.1");
}

static void
test_shows_a_job_from_its_first_process_on (Fixture *f, gconstpointer data)
{
  put (f, "12.1", "addgrpid", "65400\n");
  add_process (f, 10, "111");
  assert_children (f, "/ge", "");

  add_process (f, 11, "1001 65400");
  await_child (f, "/ge");
  assert_children (f, "/ge", "12.1");
}

static void
test_reports_what_was_waited_for (Fixture *f, gconstpointer data)
{
  g_autofree char *end = NULL;
  guint job;

  put (f, "12.1", "addgrpid", "65400\n");
  add_process (f, 11, "1001 65400");
  assert_children (f, "/ge", "12.1");
  job = open_cgroup (f, "/ge/12.1");
  g_assert_cmpint (read_user_ms (f, job), ==, -1);

  end_process (f, 11);
  put (f, "12.1", "usage", "exit_status=0\nru_utime=26.074409\nru_stime=0.058506\n");
  end = take (f);
  g_assert_cmpstr (end, ==, "/ge/12.1");
  g_assert_cmpint (read_user_ms (f, job), ==, 26074);
  assert_processes (f, job, "");

  /* a site may have its folders kept */
  assert_children (f, "/ge", "");
}

static void
test_reports_a_job_that_nobody_saw_alive (Fixture *f, gconstpointer data)
{
  g_autofree char *changes = NULL;

  tree_make_dir (f->tree, ACTIVE);
  assert_children (f, "/ge", "");

  put (f, "12.1", "addgrpid", "65400\n");
  put (f, "12.1", "usage", "ru_utime=1\nru_stime=2\n");
  changes = take (f);

  g_assert_cmpstr (changes, ==, "/ge /ge/12.1");
  g_assert_cmpint (read_user_ms (f, open_cgroup (f, "/ge/12.1")), ==, 1000);
}

static void
test_what_was_left_behind_is_no_job (Fixture *f, gconstpointer data)
{
  put (f, "12.1", "addgrpid", "65400\n");
  put (f, "12.1", "usage", "ru_utime=1\nru_stime=2\n");
  put (f, "13.1", "addgrpid", "65401\n"); /* execd was killed */
  assert_children (f, "/ge", "");
}

static void
test_a_task_with_a_group_has_a_cgroup (Fixture *f, gconstpointer data)
{
  guint job, task;

  put (f, "2.1", "addgrpid", "65400\n");
  put (f, "2.1", "1.localhost/addgrpid", "65401\n");
  add_process (f, 11, "1002 65400");
  add_process (f, 12, "1002 65401");

  assert_children (f, "/ge", "2.1");
  assert_children (f, "/ge/2.1", "1.localhost");
  job = open_cgroup (f, "/ge/2.1");
  task = open_cgroup (f, "/ge/2.1/1.localhost");
  assert_processes (f, job, "11");
  assert_processes (f, task, "12");

  put (f, "2.1", "1.localhost/usage", "ru_utime=3\nru_stime=0\n");
  assert_children (f, "/ge/2.1", "1.localhost");
  g_assert_cmpint (read_user_ms (f, task), ==, 3000);

  /* what a task used that is no more stays the job's */
  tree_remove (f->tree, ACTIVE "/2.1/1.localhost");
  assert_children (f, "/ge/2.1", "");
  g_assert_cmpint (read_user_ms (f, job), ==, 3000);
}

static void
test_a_host_of_tasks_alone_keeps_the_job_between_two (Fixture *f, gconstpointer data)
{
  guint64 number;

  put (f, "2.1", "3.far/addgrpid", "65401\n");
  add_process (f, 12, "1002 65401");
  assert_children (f, "/ge", "2.1");
  number = jm_cgroup_reader_get_inode (f->reader, "/ge/2.1", 0);
  g_assert_cmpuint (number, !=, 0);

  end_process (f, 12);
  tree_remove (f->tree, ACTIVE "/2.1/3.far");
  assert_children (f, "/ge", "2.1");
  g_assert_cmpuint (jm_cgroup_reader_get_inode (f->reader, "/ge/2.1", 0), ==, number);
}

static void
test_a_folder_of_the_same_name_is_another_job (Fixture *f, gconstpointer data)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (GError) error = NULL;
  guint64 number;
  guint job;

  put (f, "12.1", "addgrpid", "65400\n");
  add_process (f, 11, "1001 65400");
  assert_children (f, "/ge", "12.1");
  job = open_cgroup (f, "/ge/12.1");
  number = jm_cgroup_reader_get_inode (f->reader, "/ge/12.1", 0);

  tree_remove (f->tree, ACTIVE "/12.1");
  put (f, "12.1", "addgrpid", "65400\n");
  assert_children (f, "/ge", "12.1");

  g_assert_cmpuint (jm_cgroup_reader_get_inode (f->reader, "/ge/12.1", 0), !=, number);
  g_assert_false (jm_cgroup_reader_read (f->reader, job, readings, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
test_of_two_folders_of_one_group_the_later_has_it (Fixture *f, gconstpointer data)
{
  put (f, "12.1", "addgrpid", "65400\n");
  g_usleep (20000); /* the clock of files is coarse */
  put (f, "13.1", "addgrpid", "65400\n");
  add_process (f, 11, "1001 65400");

  assert_children (f, "/ge", "13.1");
}

/* One that is sound stands beside it. */
static void
assert_left_out (Fixture *f, const char *name, const char *why)
{
  add_process (f, 11, "0 1 5 99 1001 65400 65402 4294967295");
  add_process (f, 12, "65409");
  put (f, "99.1", "addgrpid", "65409\n");
  if (why != NULL)
    g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING, why);

  assert_children (f, "/ge", "99.1");
  assert_children (f, "/ge", "99.1");
  g_test_assert_expected_messages ();
}

static void
test_leaves_out_a_job_whose_group_makes_no_sense (Fixture *f, gconstpointer text)
{
  put (f, "12.1", "addgrpid", text);
  assert_left_out (f, "12.1",
                   ((const char *) text)[0] != '\0' ? "*12.1/addgrpid*" : NULL);
}

static void
test_leaves_out_a_job_whose_file_others_may_write (Fixture *f, gconstpointer data)
{
  g_autofree char *path = tree_path (f->tree, ACTIVE "/12.1/addgrpid");

  put (f, "12.1", "addgrpid", "65400\n");
  g_assert_cmpint (g_chmod (path, 0666), ==, 0);
  assert_left_out (f, "12.1", "*12.1/addgrpid: not trusted: others may write it*");
}

static void
test_leaves_out_a_job_whose_folder_others_may_write (Fixture *f, gconstpointer data)
{
  g_autofree char *path = tree_path (f->tree, ACTIVE "/12.1");

  put (f, "12.1", "addgrpid", "65400\n");
  g_assert_cmpint (g_chmod (path, 0777), ==, 0);
  assert_left_out (f, "12.1", "*12.1: not trusted: others may write it*");
}

static void
test_leaves_out_a_job_whose_folder_is_another_users (Fixture *f, gconstpointer data)
{
  g_autofree char *path = tree_path (f->tree, ACTIVE "/12.1");

  if (geteuid () != 0)
    {
      g_test_skip ("only root gives files away");
      return;
    }

  put (f, "12.1", "addgrpid", "65400\n");
  g_assert_cmpint (chown (path, 4711, 4711), ==, 0);
  assert_left_out (f, "12.1", "*12.1: not trusted: owned by uid 4711*");
}

static void
test_leaves_out_a_job_whose_file_is_a_link (Fixture *f, gconstpointer data)
{
  g_autofree char *path = tree_path (f->tree, ACTIVE "/12.1/addgrpid");

  tree_write (f->tree, "elsewhere", "65400\n");
  tree_make_dir (f->tree, ACTIVE "/12.1");
  g_assert_cmpint (symlink ("/elsewhere", path), ==, 0);
  assert_left_out (f, "12.1", "*12.1/addgrpid*");
}

static void
test_leaves_out_a_job_whose_file_is_a_pipe (Fixture *f, gconstpointer data)
{
  g_autofree char *path = tree_path (f->tree, ACTIVE "/12.1/addgrpid");

  tree_make_dir (f->tree, ACTIVE "/12.1");
  g_assert_cmpint (mkfifo (path, 0644), ==, 0);
  assert_left_out (f, "12.1", "*12.1/addgrpid: not an ordinary file*");
}

static void
test_leaves_out_a_directory_that_others_may_write (Fixture *f, gconstpointer data)
{
  g_autofree char *path = tree_path (f->tree, "var/spool/ge");

  put (f, "12.1", "addgrpid", "65400\n");
  add_process (f, 11, "65400");
  g_assert_cmpint (g_chmod (path, 0777), ==, 0);
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                         "/var/spool/ge: not trusted*");

  assert_children (f, "/ge", "");
  assert_children (f, "/ge", "");
  g_test_assert_expected_messages ();
}

static gboolean
is_slurms (const char *path, gpointer data)
{
  return g_str_has_prefix (path, "/slurm/");
}

static void
test_leaves_a_job_to_its_cgroup (Fixture *f, gconstpointer data)
{
  const char *const directories[] = { "/" ACTIVE, NULL };
  g_autoptr (GError) error = NULL;

  f->reader = g_object_new (JM_TYPE_SPOOL_READER, "host", f->host, "name", "ge",
                            "directories", directories, "group-file", "addgrpid", NULL);
  jm_spool_reader_leave_out (JM_SPOOL_READER (f->reader), is_slurms, NULL, NULL);
  g_assert_true (g_initable_init (G_INITABLE (f->reader), NULL, &error));

  put (f, "12.1", "addgrpid", "65400\n");
  put (f, "13.1", "addgrpid", "65401\n");
  add_process (f, 11, "65400");
  add_process (f, 12, "65401");
  tree_write (f->tree, "proc/11/cgroup", "0::/slurm/uid_7/job_3\n");
  tree_write (f->tree, "proc/12/cgroup", "0::/system.slice/gridengine.service\n");

  assert_children (f, "/ge", "13.1");
}

static void
test_paths_of_others_are_none (Fixture *f, gconstpointer data)
{
  static const char *const others[] = { "/ge/77.1", "/ge",         "/other/12.1",
                                        "ge/12.1",  "/ge/12.1/no", "/ge/12.1/a/b" };

  put (f, "12.1", "addgrpid", "65400\n");
  add_process (f, 11, "65400");
  assert_children (f, "/ge", "12.1");
  assert_children (f, "/other", "");

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_cmpuint (jm_cgroup_reader_open_cgroup (f->reader, others[i],
                                                      JM_SUBJECT_KIND_JOB, &error),
                        ==, 0);
      g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
      g_assert_cmpuint (jm_cgroup_reader_get_inode (f->reader, others[i], 0), ==, 0);
    }
}

static void
on_process (guint pid, const guint *groups, guint n_groups, gpointer user_data)
{
  g_string_append_printf (user_data, "%u:", pid);
  for (guint i = 0; i < n_groups; i++)
    g_string_append_printf (user_data, "%u,", groups[i]);
}

static char *
walk (JmGroupWalk *walker, gint64 now_s)
{
  g_autoptr (GError) error = NULL;
  GString *line = g_string_new (NULL);

  g_assert_true (jm_group_walk_run (walker, now_s * G_USEC_PER_SEC, &error));
  g_assert_no_error (error);
  jm_group_walk_foreach (walker, on_process, line);

  return g_string_free (line, FALSE);
}

static void
test_reads_a_process_again_only_while_it_is_young (Fixture *f, gconstpointer data)
{
  g_autoptr (JmGroupWalk) walker = jm_group_walk_new (f->host);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  add_process (f, 11, "111");
  before = walk (walker, 100);
  add_process (f, 11, "1001 65400"); /* it was forked by what starts jobs */
  after = walk (walker, 101);
  g_assert_cmpstr (before, ==, "11:111,");
  g_assert_cmpstr (after, ==, "11:1001,65400,");

  g_free (walk (walker, 115));
  g_assert_cmpuint (jm_group_walk_get_n_read (walker), ==, 3);
  for (guint i = 0; i < 10; i++)
    g_free (walk (walker, 130 + i));
  g_assert_cmpuint (jm_group_walk_get_n_read (walker), ==, 3);
}

static void
test_a_number_that_is_given_again_is_another_process (Fixture *f, gconstpointer data)
{
  g_autoptr (JmGroupWalk) walker = jm_group_walk_new (f->host);
  g_autofree char *after = NULL;

  add_process (f, 11, "65400");
  g_free (walk (walker, 100));
  g_free (walk (walker, 120));
  /* so that the directory's number is not given again */
  tree_make_dir (f->tree, "proc/keep");
  {
    g_autofree char *old = tree_path (f->tree, "proc/11");
    g_autofree char *moved = tree_path (f->tree, "proc/old");

    g_assert_cmpint (g_rename (old, moved), ==, 0);
  }
  add_process (f, 11, "65401");
  after = walk (walker, 130);

  g_assert_cmpstr (after, ==, "11:65401,");
}

static char *
find_places (Fixture *f, const char *pattern, const char *node_name)
{
  const char *const patterns[] = { pattern, NULL };
  g_autoptr (JmSpoolPlaces) places = jm_spool_places_new (f->host, patterns, node_name);
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) awaited = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) line = g_string_new (NULL);

  jm_spool_places_find (places, found, awaited);
  for (guint i = 0; i < found->len; i++)
    g_string_append_printf (line, "%s ", (char *) found->pdata[i]);
  for (guint i = 0; i < awaited->len; i++)
    g_string_append_printf (line, "(%s) ", (char *) awaited->pdata[i]);

  return g_string_free (g_steal_pointer (&line), FALSE);
}

static void
test_a_shared_spool_is_looked_at_for_this_machine_alone (Fixture *f, gconstpointer data)
{
  g_autofree char *own = NULL;
  g_autofree char *named = NULL;
  g_autofree char *missing = NULL;

  tree_make_dir (f->tree, "opt/sge/spool/n1/active_jobs");
  tree_make_dir (f->tree, "opt/sge/spool/n2/active_jobs");
  tree_write (f->tree, "proc/sys/kernel/hostname", "n1.site.example\n");

  own = find_places (f, "/opt/sge/spool/%n/active_jobs", NULL);
  named = find_places (f, "/opt/sge/spool/%n/active_jobs", "n2");
  missing = find_places (f, "/opt/sge/spool/%n/active_jobs", "n3");

  g_assert_cmpstr (own, ==, "/opt/sge/spool/n1/active_jobs ");
  g_assert_cmpstr (named, ==, "/opt/sge/spool/n2/active_jobs ");
  g_assert_cmpstr (missing, ==, "(/opt/sge/spool) ");
}

static void
test_waits_where_a_directory_may_come (Fixture *f, gconstpointer data)
{
  g_autofree char *nothing = find_places (f, "/var/spool/ge/*/active_jobs", NULL);
  g_autofree char *spool = NULL;
  g_autofree char *some = NULL;

  g_assert_cmpstr (nothing, ==, "(/) ");
  tree_make_dir (f->tree, "var/spool/ge");
  spool = find_places (f, "/var/spool/ge/*/active_jobs", NULL);
  g_assert_cmpstr (spool, ==, "(/var/spool/ge) ");
  tree_make_dir (f->tree, ACTIVE);
  tree_make_dir (f->tree, "var/spool/ge/.hidden/active_jobs");
  some = find_places (f, "/var/spool/ge/*/active_jobs", NULL);
  g_assert_cmpstr (some, ==, "/" ACTIVE " (/var/spool/ge) ");
}

static void
test_understands_what_was_used (void)
{
  static const char text[] =
    "wait_status=0\nru_utime=26.074409\nru_stime=12\nru_maxrss=7\n";
  static const char *const wrong[] = {
    "",
    "ru_utime=1\n",
    "ru_utime=1\nru_stime=0.5",
    "ru_utime=1\nru_stime=\n",
    "ru_utime=1\nru_stime=.5\n",
    "ru_utime=1\nru_stime=-5\n",
    "ru_utime=1\nru_stime=1e5\n",
    "ru_utime=nan\nru_stime=1\n",
    "ru_utime=99999999999999999999999\nru_stime=1\n",
  };
  guint64 user, system;

  g_assert_true (jm_spool_parse_usage (text, strlen (text), &user, &system));
  g_assert_cmpuint (user, ==, 26074409000);
  g_assert_cmpuint (system, ==, 12000000000);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (jm_spool_parse_usage (wrong[i], strlen (wrong[i]), &user, &system));
}

static void
test_understands_what_was_granted (void)
{
  static const struct
  {
    const char *text;
    const char *node_name;
    guint n_slots; /* 0: nothing can be said */
  } cases[] = {
    { "vm 1 all.q@vm UNDEFINED\n", "localhost", 1 },
    { "vm 1 all.q@vm UNDEFINED\n", NULL, 1 },
    { "n1 4 all.q@n1 UNDEFINED\nn2 8 all.q@n2 UNDEFINED\n", "n2", 8 },
    { "n1.site 4 all.q@n1 UNDEFINED\nn2.site 8 all.q@n2 UNDEFINED\n", "N1", 4 },
    { "n1 4 all.q@n1 UNDEFINED\nn1 2 fast.q@n1 0,1:0,2\n", "n3", 6 },
    { "n1 4 all.q@n1 UNDEFINED\nn2 8 all.q@n2 UNDEFINED\n", "n3", 0 },
    { "n1 4 all.q@n1 UNDEFINED\nn2 8 all.q@n2 UNDEFINED\n", NULL, 0 },
    { "n1 1", "n1", 0 },
    { "n1 x all.q@n1 UNDEFINED\n", "n1", 0 },
    { "n1 9999999999 all.q@n1 UNDEFINED\n", "n1", 0 },
    { "n1\n", "n1", 0 },
    { "", "n1", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint n_slots = 0;
      gboolean is_known = jm_spool_parse_slots (cases[i].text, strlen (cases[i].text),
                                                cases[i].node_name, &n_slots);

      g_assert_cmpint (is_known, ==, cases[i].n_slots > 0);
      g_assert_cmpuint (is_known ? n_slots : 0, ==, cases[i].n_slots);
    }
}

int
main (int argc, char **argv)
{
  static const char *const senseless[] = { "",
                                           "0\n",
                                           "99\n",
                                           "wheel\n",
                                           "-1\n",
                                           "65400",
                                           "65400 65402\n",
                                           "4294967295\n",
                                           "99999999999999999999999\n" };

  g_test_init (&argc, &argv, NULL);

#define TEST(path, test)                                                               \
 g_test_add ("/spool-reader/" path, Fixture, NULL, set_up, test, tear_down)
  TEST ("processes", test_finds_the_processes_of_a_job_by_their_group);
  TEST ("changes", test_reports_jobs_that_come_and_go);
  TEST ("later", test_finds_a_spool_that_comes_later);
  TEST ("first-process", test_shows_a_job_from_its_first_process_on);
  TEST ("waited", test_reports_what_was_waited_for);
  TEST ("short", test_reports_a_job_that_nobody_saw_alive);
  TEST ("left-behind", test_what_was_left_behind_is_no_job);
  TEST ("task", test_a_task_with_a_group_has_a_cgroup);
  TEST ("tasks-alone", test_a_host_of_tasks_alone_keeps_the_job_between_two);
  TEST ("requeue", test_a_folder_of_the_same_name_is_another_job);
  TEST ("one-group", test_of_two_folders_of_one_group_the_later_has_it);
  TEST ("writable-file", test_leaves_out_a_job_whose_file_others_may_write);
  TEST ("writable-folder", test_leaves_out_a_job_whose_folder_others_may_write);
  TEST ("owned-folder", test_leaves_out_a_job_whose_folder_is_another_users);
  TEST ("link", test_leaves_out_a_job_whose_file_is_a_link);
  TEST ("pipe", test_leaves_out_a_job_whose_file_is_a_pipe);
  TEST ("writable-directory", test_leaves_out_a_directory_that_others_may_write);
  TEST ("cgroup", test_leaves_a_job_to_its_cgroup);
  TEST ("paths", test_paths_of_others_are_none);
  TEST ("walk/young", test_reads_a_process_again_only_while_it_is_young);
  TEST ("walk/reused", test_a_number_that_is_given_again_is_another_process);
  TEST ("places/node", test_a_shared_spool_is_looked_at_for_this_machine_alone);
  TEST ("places/await", test_waits_where_a_directory_may_come);
  g_test_add_func ("/spool-reader/usage", test_understands_what_was_used);
  g_test_add_func ("/spool-reader/slots", test_understands_what_was_granted);
  for (guint i = 0; i < G_N_ELEMENTS (senseless); i++)
    {
      g_autofree char *path = g_strdup_printf ("/spool-reader/senseless/%u", i);

      g_test_add (path, Fixture, senseless[i], set_up,
                  test_leaves_out_a_job_whose_group_makes_no_sense, tear_down);
    }

  return g_test_run ();
}
