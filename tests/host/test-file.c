/* test-file.c: kernel files and directories that are read again and again
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "host/jm-file-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-parse-proc-private.h"
#include "host/jm-host-private.h"
#include "tree.h"

typedef struct
{
  Tree *tree;
  JmHost *host;
  JmDir dir;
} Cgroup;

static void
set_up (Cgroup *self, guint max_open_files)
{
  self->tree = tree_new ();
  self->host = g_object_new (JM_TYPE_HOST, "root", self->tree->root, "max-open-files",
                             max_open_files, NULL);
  tree_write (self->tree, "sys/fs/cgroup/job_1/memory.current", "4096\n");
  tree_write (self->tree, "sys/fs/cgroup/job_1/memory.max", "max\n");
  g_assert_cmpint (jm_dir_open (&self->dir, self->host, "/sys/fs/cgroup/job_1"), ==, 0);
}

static void
tear_down (Cgroup *self)
{
  jm_dir_close (&self->dir);
  g_assert_cmpuint (jm_host_get_open_files (self->host), ==, 0);
  g_assert_finalize_object (self->host);
  tree_free (self->tree);
}

static void
assert_reads (JmFile *file, const char *expected)
{
  char text[64];

  g_assert_cmpint (jm_file_read (file, text, sizeof text), ==, strlen (expected));
  g_assert_cmpstr (text, ==, expected);
}

static void
test_a_kept_file_reports_each_new_value (void)
{
  Cgroup cgroup;
  JmFile file;

  set_up (&cgroup, 0);
  g_assert_cmpint (jm_file_open_at (&file, &cgroup.dir, "memory.current", JM_FILE_KEEP),
                   ==, 0);
  g_assert_cmpuint (jm_host_get_open_files (cgroup.host), ==, 2);

  assert_reads (&file, "4096\n");
  tree_rewrite (cgroup.tree, "sys/fs/cgroup/job_1/memory.current", "8192\n");
  assert_reads (&file, "8192\n");

  jm_file_close (&file);
  g_assert_cmpuint (jm_host_get_open_files (cgroup.host), ==, 1);
  tear_down (&cgroup);
}

static void
test_files_beyond_the_budget_are_opened_for_each_read (void)
{
  Cgroup cgroup;
  JmFile current, max;

  set_up (&cgroup, 2);
  g_assert_cmpint (jm_file_open_at (&current, &cgroup.dir, "memory.current",
                                    JM_FILE_KEEP),
                   ==, 0);
  g_assert_cmpint (jm_file_open_at (&max, &cgroup.dir, "memory.max", JM_FILE_KEEP), ==,
                   0);
  g_assert_cmpuint (jm_host_get_open_files (cgroup.host), ==, 2);

  assert_reads (&max, "max\n");
  assert_reads (&max, "max\n");
  g_assert_cmpuint (jm_host_get_open_files (cgroup.host), ==, 2);

  /* and kept as soon as there is room */
  jm_file_close (&current);
  assert_reads (&max, "max\n");
  g_assert_cmpuint (jm_host_get_open_files (cgroup.host), ==, 2);

  jm_file_close (&max);
  tear_down (&cgroup);
}

/* Of eight, directories leave four to the rest, and what is seldom read two. */
static void
test_what_is_least_worth_keeping_is_closed_first (void)
{
  Cgroup cgroup;
  JmFile seldom, files[7];

  set_up (&cgroup, 8);
  g_assert_cmpint (jm_file_open_at (&seldom, &cgroup.dir, "memory.max", JM_FILE_SELDOM),
                   ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_assert_cmpint (jm_file_open_at (&files[i], &cgroup.dir, "memory.current",
                                        JM_FILE_KEEP),
                       ==, 0);
      jm_dir_spare (&cgroup.dir, JM_WORTH_LITTLE);
      assert_reads (&seldom, "max\n");
      assert_reads (&files[i], "4096\n");
      g_assert_cmpint (cgroup.dir.fd >= 0, ==, i < 2);
      g_assert_cmpint (seldom.fd >= 0, ==, i < 5);
      g_assert_cmpint (files[i].fd, >=, 0);
    }
  g_assert_cmpuint (jm_host_get_open_files (cgroup.host), ==, G_N_ELEMENTS (files));

  /* and kept again where others have given theirs back */
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    jm_file_close (&files[i]);
  assert_reads (&seldom, "max\n");
  g_assert_cmpint (seldom.fd, >=, 0);
  jm_dir_regain (&cgroup.dir);
  g_assert_cmpint (cgroup.dir.fd, >=, 0);
  assert_reads (&seldom, "max\n");

  jm_file_close (&seldom);
  tear_down (&cgroup);
}

static void
test_a_directory_beyond_the_budget_goes_by_its_path (void)
{
  Cgroup cgroup;
  JmDir other;
  JmFile file;

  set_up (&cgroup, 1);
  tree_write (cgroup.tree, "sys/fs/cgroup/job_1/step_0/memory.current", "7\n");

  g_assert_cmpint (jm_dir_open_at (&other, &cgroup.dir, "step_0"), ==, 0);
  g_assert_cmpuint (jm_host_get_open_files (cgroup.host), ==, 1);
  g_assert_cmpint (jm_dir_count_entries (&other), ==, 1);
  g_assert_cmpint (jm_file_open_at (&file, &other, "memory.current", JM_FILE_KEEP), ==,
                   0);
  assert_reads (&file, "7\n");

  jm_file_close (&file);
  jm_dir_close (&other);
  tear_down (&cgroup);
}

static void
test_a_directory_can_do_without_its_descriptor (void)
{
  Cgroup cgroup;
  JmFile file;

  set_up (&cgroup, 0);
  jm_dir_forget_descriptor (&cgroup.dir);
  jm_dir_forget_descriptor (&cgroup.dir);
  g_assert_cmpuint (jm_host_get_open_files (cgroup.host), ==, 0);

  g_assert_cmpint (jm_file_open_at (&file, &cgroup.dir, "memory.current", JM_FILE_KEEP),
                   ==, 0);
  assert_reads (&file, "4096\n");

  jm_file_close (&file);
  tear_down (&cgroup);
}

static void
test_a_file_may_be_opened_by_its_path_alone (void)
{
  Cgroup cgroup;
  JmFile file;
  g_autofree char *path = NULL;
  g_autofree char *expected = NULL;

  set_up (&cgroup, 0);
  expected = tree_path (cgroup.tree, "sys/fs/cgroup/job_1/memory.current");

  g_assert_cmpint (jm_file_open (&file, cgroup.host,
                                 "/sys/fs/cgroup/job_1/memory.current", JM_FILE_KEEP),
                   ==, 0);
  assert_reads (&file, "4096\n");
  path = jm_file_get_path (&file);
  g_assert_cmpstr (path, ==, expected);

  jm_file_close (&file);
  tear_down (&cgroup);
}

static void
test_a_missing_file_is_absent_and_costs_no_descriptor (void)
{
  Cgroup cgroup;
  JmFile file;

  set_up (&cgroup, 0);
  g_assert_cmpint (jm_file_open_at (&file, &cgroup.dir, "memory.peak", JM_FILE_KEEP),
                   ==, -ENOENT);
  g_assert_cmpint (jm_file_open (&file, cgroup.host, "/none", JM_FILE_KEEP), ==,
                   -ENOENT);
  g_assert_cmpuint (jm_host_get_open_files (cgroup.host), ==, 1);

  jm_file_close (&file);
  tear_down (&cgroup);
}

static void
test_a_text_that_fills_the_buffer_is_refused (void)
{
  Cgroup cgroup;
  JmFile file;
  char text[5];

  set_up (&cgroup, 0);
  g_assert_cmpint (jm_file_open_at (&file, &cgroup.dir, "memory.current", JM_FILE_KEEP),
                   ==, 0);
  g_assert_cmpint (jm_file_read (&file, text, sizeof text), ==, -EMSGSIZE);
  g_assert_cmpstr (text, ==, "");

  jm_file_close (&file);
  tear_down (&cgroup);
}

static void
test_a_list_is_read_to_its_end_in_the_same_memory (void)
{
  Cgroup cgroup;
  JmFile file;
  g_autofree char *list = g_strnfill (50000, '7');
  g_autoptr (GString) text = g_string_new (NULL);
  gsize memory;

  set_up (&cgroup, 0);
  tree_rewrite (cgroup.tree, "sys/fs/cgroup/job_1/memory.max", list);
  g_assert_cmpint (jm_file_open_at (&file, &cgroup.dir, "memory.max", JM_FILE_KEEP), ==,
                   0);

  g_assert_cmpint (jm_file_read_all (&file, text, 50000), ==, 50000);
  g_assert_cmpstr (text->str, ==, list);
  memory = text->allocated_len;
  g_assert_cmpint (jm_file_read_all (&file, text, 50000), ==, 50000);
  g_assert_cmpuint (text->allocated_len, ==, memory);

  g_assert_cmpint (jm_file_read_all (&file, text, 49999), ==, -EMSGSIZE);
  g_assert_cmpuint (text->len, ==, 0);

  jm_file_close (&file);
  tear_down (&cgroup);
}

static void
test_an_error_begins_with_the_real_path (void)
{
  Cgroup cgroup;
  JmFile file;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  g_autofree char *expected = NULL;

  set_up (&cgroup, 0);
  path = tree_path (cgroup.tree, "sys/fs/cgroup/job_1/memory.max");
  expected = g_strconcat (path, ": not a limit: lots", NULL);
  g_assert_cmpint (jm_file_open_at (&file, &cgroup.dir, "memory.max", JM_FILE_KEEP), ==,
                   0);

  jm_file_set_error (&file, -ENODEV, &error);
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_true (g_str_has_prefix (error->message, path));

  g_clear_error (&error);
  jm_file_set_malformed (&file, "not a limit", "lots\n", 5, &error);
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_cmpstr (error->message, ==, expected);

  jm_file_close (&file);
  tear_down (&cgroup);
}

static GPid
start_sleeper (void)
{
  GPid pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      pause ();
      _exit (0);
    }

  return pid;
}

static void
end_sleeper (GPid pid)
{
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
}

static void
test_a_process_that_ends_between_open_and_read_is_absent (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  GPid pid = start_sleeper ();
  g_autofree char *path = g_strdup_printf ("/proc/%d", pid);
  char text[1024];
  JmProcStat stat;
  JmDir dir;
  JmFile file, io;
  gssize length;

  g_assert_cmpint (jm_dir_open (&dir, host, path), ==, 0);
  g_assert_cmpint (jm_file_open_at (&file, &dir, "stat", JM_FILE_KEEP), ==, 0);
  length = jm_file_read (&file, text, sizeof text);
  g_assert_cmpint (length, >, 0);
  g_assert_true (jm_parse_proc_stat (text, (gsize) length, &stat));
  g_assert_cmpuint (stat.pid, ==, pid);
  g_assert_cmpuint (stat.ppid, ==, getpid ());

  end_sleeper (pid);
  g_assert_cmpint (jm_file_read (&file, text, sizeof text), ==, -ESRCH);
  length = jm_file_open_at (&io, &dir, "io", JM_FILE_KEEP);
  g_assert_cmpint (length, <, 0);
  g_assert_cmpint (jm_error_from_errno ((int) -length), ==, JM_ERROR_ABSENT);

  jm_file_close (&file);
  jm_dir_close (&dir);
  g_assert_cmpuint (jm_host_get_open_files (host), ==, 0);
}

static void
assert_counts_open_files (JmHost *host)
{
  JmDir dir;
  gssize before, after;
  int fd;

  g_assert_cmpint (jm_dir_open (&dir, host, "/proc/self/fd"), ==, 0);
  before = jm_dir_count_open_files (&dir);
  g_assert_cmpint (before, ==, jm_dir_count_entries (&dir));

  fd = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  g_assert_cmpint (fd, >=, 0);
  after = jm_dir_count_open_files (&dir);
  g_assert_cmpint (after, ==, before + 1);

  close (fd);
  jm_dir_close (&dir);
}

static void
test_counts_the_open_files_of_a_process (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);

  assert_counts_open_files (host);
}

static void
test_counts_the_open_files_of_a_copied_process (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  JmDir dir;

  tree_write (tree, "proc/7/fd/0", "");
  tree_write (tree, "proc/7/fd/1", "");
  tree_write (tree, "proc/self/fd/0", "");

  g_assert_cmpint (jm_dir_open (&dir, host, "/proc/7/fd"), ==, 0);
  g_assert_cmpint (jm_dir_count_open_files (&dir), ==, 2);
  jm_dir_close (&dir);
}

static void
test_counts_a_directory_of_many_entries_twice_alike (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  JmDir dir;

  for (guint i = 0; i < 1500; i++)
    {
      g_autofree char *path = g_strdup_printf ("proc/%u", i);

      tree_make_dir (tree, path);
    }

  g_assert_cmpint (jm_dir_open (&dir, host, "/proc"), ==, 0);
  g_assert_cmpint (jm_dir_count_entries (&dir), ==, 1500);
  g_assert_cmpint (jm_dir_count_entries (&dir), ==, 1500);
  jm_dir_close (&dir);
}

static void
test_a_directory_that_is_a_file_does_not_open (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  JmDir dir = JM_DIR_INIT;

  tree_write (tree, "file", "");

  g_assert_cmpint (jm_dir_open (&dir, host, "/file"), ==, -ENOTDIR);
  g_assert_cmpint (jm_dir_open (&dir, host, "/none"), ==, -ENOENT);
  g_assert_cmpuint (jm_host_get_open_files (host), ==, 0);
  jm_dir_close (&dir);
}

/* A cgroup of the real kernel, in whichever hierarchy we may make one. */
static char *
make_real_cgroup (void)
{
  static const char *const places[] = { "/sys/fs/cgroup/memory", "/sys/fs/cgroup" };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *procs = g_build_filename (places[i], "cgroup.procs", NULL);
      g_autofree char *path =
        g_strdup_printf ("%s/jobmetrics-test-%d", places[i], getpid ());

      if (g_file_test (procs, G_FILE_TEST_EXISTS) && g_mkdir (path, 0755) == 0)
        return g_steal_pointer (&path);
    }

  g_test_skip ("no cgroup can be made here");
  return NULL;
}

static void
test_a_cgroup_that_is_removed_between_open_and_read_is_absent (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autofree char *path = make_real_cgroup ();
  g_autoptr (GString) text = g_string_new (NULL);
  JmDir dir;
  JmFile file;

  if (path == NULL)
    return;

  g_assert_cmpint (jm_dir_open (&dir, host, path), ==, 0);
  g_assert_cmpint (jm_file_open_at (&file, &dir, "cgroup.procs", JM_FILE_KEEP), ==, 0);
  g_assert_cmpint (jm_file_read_all (&file, text, 4096), ==, 0);

  g_assert_cmpint (g_rmdir (path), ==, 0);
  g_assert_cmpint (jm_file_read_all (&file, text, 4096), ==, -ENODEV);

  jm_file_close (&file);
  jm_dir_close (&dir);
}

static void
move_process (const char *cgroup, GPid pid)
{
  g_autofree char *path = g_build_filename (cgroup, "cgroup.procs", NULL);
  g_autofree char *text = g_strdup_printf ("%d\n", pid);
  int fd = open (path, O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, text, strlen (text)), ==, strlen (text));
  close (fd);
}

static void
test_a_reopened_list_of_processes_is_never_stale (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autofree char *path = make_real_cgroup ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *expected = NULL;
  JmDir dir;
  JmFile file;
  GPid pid;

  if (path == NULL)
    return;

  g_assert_cmpint (jm_dir_open (&dir, host, path), ==, 0);
  g_assert_cmpint (jm_file_open_at (&file, &dir, "cgroup.procs", JM_FILE_REOPEN), ==,
                   0);
  g_assert_cmpint (jm_file_read_all (&file, text, 4096), ==, 0);

  pid = start_sleeper ();
  expected = g_strdup_printf ("%d\n", pid);
  move_process (path, pid);
  g_assert_cmpint (jm_file_read_all (&file, text, 4096), >, 0);
  g_assert_cmpstr (text->str, ==, expected);

  end_sleeper (pid);
  g_assert_cmpint (jm_file_read_all (&file, text, 4096), ==, 0);
  g_assert_cmpuint (jm_host_get_open_files (host), ==, 1);

  jm_file_close (&file);
  jm_dir_close (&dir);
  g_assert_cmpint (g_rmdir (path), ==, 0);
}

#define ADD(path, function) g_test_add_func ("/file/" path, test_##function)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("kept", a_kept_file_reports_each_new_value);
  ADD ("budget/files", files_beyond_the_budget_are_opened_for_each_read);
  ADD ("budget/directories", a_directory_beyond_the_budget_goes_by_its_path);
  ADD ("budget/worth", what_is_least_worth_keeping_is_closed_first);
  ADD ("budget/forget", a_directory_can_do_without_its_descriptor);
  ADD ("by-path", a_file_may_be_opened_by_its_path_alone);
  ADD ("missing", a_missing_file_is_absent_and_costs_no_descriptor);
  ADD ("too-long", a_text_that_fills_the_buffer_is_refused);
  ADD ("list", a_list_is_read_to_its_end_in_the_same_memory);
  ADD ("error", an_error_begins_with_the_real_path);
  ADD ("process-ends", a_process_that_ends_between_open_and_read_is_absent);
  ADD ("open-files/live", counts_the_open_files_of_a_process);
  ADD ("open-files/copied", counts_the_open_files_of_a_copied_process);
  ADD ("directory/many", counts_a_directory_of_many_entries_twice_alike);
  ADD ("directory/not-one", a_directory_that_is_a_file_does_not_open);
  ADD ("cgroup/removed", a_cgroup_that_is_removed_between_open_and_read_is_absent);
  ADD ("cgroup/reopened", a_reopened_list_of_processes_is_never_stale);

  return g_test_run ();
}
