/* test-host.c: the one owner of every root directory
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "host/jm-host-private.h"

#include <errno.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "tree.h"

#define NOBODY 65534

static void
assert_resolves (JmHost *host, const char *path, const char *expected)
{
  g_autofree char *real = jm_host_resolve (host, path);

  g_assert_cmpstr (real, ==, expected);
}

static void
test_the_machine_itself_is_live_and_maps_nothing (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);

  g_assert_true (jm_host_is_live (host));
  g_assert_cmpstr (jm_host_get_root (host), ==, "/");
  g_assert_cmpstr (jm_host_get_cgroupfs (host), ==, "/sys/fs/cgroup");
  assert_resolves (host, "/proc/1/stat", "/proc/1/stat");
  assert_resolves (host, "/sys/fs/cgroup/memory/x", "/sys/fs/cgroup/memory/x");
  assert_resolves (host, "/", "/");
}

static void
test_a_copied_tree_has_everything_below_its_root (void)
{
  g_autoptr (JmHost) host = jm_host_new ("/srv/copy/");

  g_assert_false (jm_host_is_live (host));
  assert_resolves (host, "/proc/1/stat", "/srv/copy/proc/1/stat");
  assert_resolves (host, "/sys/fs/cgroup", "/srv/copy/sys/fs/cgroup");
  assert_resolves (host, "/etc/passwd", "/srv/copy/etc/passwd");
  assert_resolves (host, "/processes", "/srv/copy/processes");
  assert_resolves (host, "/", "/srv/copy");
}

static void
test_a_container_has_the_kernel_mounted_elsewhere (void)
{
  g_autoptr (JmHost) host =
    jm_host_new_with_paths ("/host", "/host-proc", "/host-sys", "/cg");

  g_assert_false (jm_host_is_live (host));
  assert_resolves (host, "/proc", "/host-proc");
  assert_resolves (host, "/proc/1/stat", "/host-proc/1/stat");
  assert_resolves (host, "/sys/class/powercap", "/host-sys/class/powercap");
  assert_resolves (host, "/sys/fs/cgroup/job_1", "/cg/job_1");
  assert_resolves (host, "/sys/fs/cgroups", "/host-sys/fs/cgroups");
  assert_resolves (host, "/run/x", "/host/run/x");
}

static void
test_cgroups_are_found_in_a_sysfs_that_is_elsewhere (void)
{
  g_autoptr (JmHost) host = jm_host_new_with_paths (NULL, NULL, "/host-sys", NULL);

  assert_resolves (host, "/sys/fs/cgroup/job_1", "/host-sys/fs/cgroup/job_1");
  assert_resolves (host, "/proc/1", "/proc/1");
}

static void
test_no_path_leads_out_of_the_root (void)
{
  g_autoptr (JmHost) host = jm_host_new ("/srv/copy");

  assert_resolves (host, "/../../etc/shadow", "/srv/copy/etc/shadow");
  assert_resolves (host, "/run/jobs/../../../..//etc/./shadow", "/srv/copy/etc/shadow");
  assert_resolves (host, "../x", "/srv/copy/x");
  assert_resolves (host, "/run/..jobs/.../x", "/srv/copy/run/..jobs/.../x");
  assert_resolves (host, "/x/../proc/1", "/srv/copy/proc/1");
}

static void
test_a_path_longer_than_any_is_absent_not_cut (void)
{
  g_autoptr (JmHost) host = jm_host_new ("/srv/copy");
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_strnfill (PATH_MAX - 5, 'x');
  g_autofree char *path = g_strconcat ("/", name, NULL);
  g_autofree char *real = jm_host_resolve (host, path);
  guint64 value;

  g_assert_null (real);
  g_assert_false (jm_host_exists (host, path));
  g_assert_false (jm_host_read_uint64 (host, path, &value, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
}

static void
test_a_relative_root_stays_where_it_was (void)
{
  g_autofree char *before = g_get_current_dir ();
  g_autofree char *expected = g_build_filename (before, "copy", NULL);
  g_autoptr (JmHost) host = jm_host_new ("copy");

  g_assert_cmpstr (jm_host_get_root (host), ==, expected);
}

static void
test_reads_a_number (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  guint64 value;

  tree_write (tree, "sys/class/powercap/energy_uj", "262143\n");

  g_assert_true (
    jm_host_read_uint64 (host, "/sys/class/powercap/energy_uj", &value, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (value, ==, 262143);
}

static void
test_names_the_file_and_quotes_what_is_not_a_number (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = tree_path (tree, "sys/energy_uj");
  g_autofree char *expected = g_strconcat (path, ": not a number: m\\tax", NULL);
  guint64 value = 77;

  tree_write (tree, "sys/energy_uj", "m\tax\n");

  g_assert_false (jm_host_read_uint64 (host, "/sys/energy_uj", &value, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_cmpstr (error->message, ==, expected);
  g_assert_cmpuint (value, ==, 77);
}

static void
test_an_empty_file_is_not_a_zero (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  guint64 value;

  tree_write (tree, "sys/energy_uj", "");

  g_assert_false (jm_host_read_uint64 (host, "/sys/energy_uj", &value, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
}

static void
test_a_missing_file_is_absent (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = tree_path (tree, "proc/7/stat");
  char buffer[16];

  g_assert_cmpint (jm_host_read (host, "/proc/7/stat", buffer, sizeof buffer, &error),
                   ==, -1);
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_assert_cmpstr (buffer, ==, "");
}

static void
test_a_file_that_is_not_ours_is_denied (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = tree_path (tree, "secret");
  char buffer[16];

  tree_write (tree, "secret", "1\n");
  g_assert_cmpint (chmod (path, 0), ==, 0);
  g_assert_cmpint (chmod (tree->root, 0755), ==, 0);

  /* root may read everything */
  setfsuid (NOBODY);
  g_assert_cmpint (jm_host_read (host, "/secret", buffer, sizeof buffer, &error), ==,
                   -1);
  setfsuid (geteuid ());
  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
}

static void
test_a_file_longer_than_the_buffer_is_refused_not_cut (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  char buffer[8];

  tree_write (tree, "short", "123456");
  g_assert_cmpint (jm_host_read (host, "/short", buffer, sizeof buffer, &error), ==, 6);
  g_assert_cmpstr (buffer, ==, "123456");

  tree_write (tree, "long", "12345678901");
  g_assert_cmpint (jm_host_read (host, "/long", buffer, sizeof buffer, &error), ==, -1);
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_cmpstr (buffer, ==, "");
}

static void
test_reads_a_list_to_its_end_but_not_beyond_the_bound (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autofree char *list = g_strnfill (100000, '7');
  g_autofree char *text = NULL;
  g_autofree char *none = NULL;
  gsize length;

  tree_write (tree, "list", list);

  text = jm_host_read_all (host, "/list", 100000, &length, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (length, ==, 100000);
  g_assert_cmpstr (text, ==, list);

  none = jm_host_read_all (host, "/list", 99999, &length, &error);
  g_assert_null (none);
  g_assert_cmpuint (length, ==, 0);
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
}

static void
test_reads_a_list_of_the_kernel_to_its_end (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gsize length;

  /* several pages, given out page by page */
  text = jm_host_read_all (host, "/proc/self/smaps", 16 * 1024 * 1024, &length, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (length, >, 8192);
  g_assert_true (g_str_has_suffix (text, "\n"));
}

static void
test_a_pipe_in_a_copied_tree_does_not_hang (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = tree_path (tree, "pipe");
  char buffer[16];

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);

  g_assert_cmpint (jm_host_read (host, "/pipe", buffer, sizeof buffer, &error), ==, -1);
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
}

static void
test_lists_a_directory (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  g_auto (GStrv) none = NULL;

  tree_make_dir (tree, "proc/1");
  tree_make_dir (tree, "proc/2");

  names = jm_host_list_dir (host, "/proc", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, 2);
  g_assert_true (g_strv_contains ((const char *const *) names, "1"));
  g_assert_true (g_strv_contains ((const char *const *) names, "2"));

  none = jm_host_list_dir (host, "/proc/3", &error);
  g_assert_null (none);
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
test_reads_links_and_owners (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = tree_path (tree, "exe");
  g_autofree char *target = NULL;
  guint uid = 77;

  g_assert_cmpint (symlink ("/usr/bin/load", path), ==, 0);
  target = jm_host_read_link (host, "/exe", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (target, ==, "/usr/bin/load");

  g_assert_true (jm_host_get_owner (host, "/", &uid, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (uid, ==, geteuid ());

  g_assert_false (jm_host_get_owner (host, "/nobody", &uid, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
test_the_budget_follows_the_limit_of_the_process (void)
{
  struct rlimit limit;
  guint raised = jm_host_raise_open_files_limit ();
  g_autoptr (JmHost) host = jm_host_new (NULL);

  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  g_assert_cmpuint (raised, ==, MIN (limit.rlim_cur, 1048576));
  g_assert_cmpuint (raised, ==, MIN (limit.rlim_max, 1048576));
  g_assert_cmpuint (jm_host_get_max_open_files (host), ==, raised - 128);
  g_assert_cmpuint (jm_host_get_open_files (host), ==, 0);
}

/* Makes a link in the tree, to a target that is taken as it stands. */
static void
link_to (Tree *tree, const char *path, const char *target)
{
  g_autofree char *real = tree_path (tree, path);

  g_assert_cmpint (symlink (target, real), ==, 0);
}

static void
assert_tree_reads (JmHost *host, const char *path, const char *expected)
{
  g_autoptr (GError) error = NULL;
  char text[64];

  jm_host_read (host, path, text, sizeof text, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
}

static void
assert_tree_lacks (JmHost *host, const char *path)
{
  g_autoptr (GError) error = NULL;
  char text[64];

  g_assert_cmpint (jm_host_read (host, path, text, sizeof text, &error), ==, -1);
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_false (jm_host_exists (host, path));
}

static void
test_no_link_of_a_copied_tree_leads_out (void)
{
  g_autoptr (Tree) outside = tree_new ();
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autofree char *secret = tree_path (outside, "secret");
  g_autofree char *above = g_strconcat ("../../../../../../../..", secret, NULL);
  g_autofree char *dir = tree_path (outside, "");
  g_autoptr (GError) error = NULL;

  tree_write (outside, "secret", "root:hash\n");
  tree_write (tree, "sys/kernel/version", "6.1\n");
  link_to (tree, "sys/absolute", secret);
  link_to (tree, "sys/above", above);
  link_to (tree, "sys/dir", dir);

  assert_tree_lacks (host, "/sys/absolute");
  assert_tree_lacks (host, "/sys/above");
  assert_tree_lacks (host, "/sys/dir/secret");
  g_assert_null (jm_host_list_dir (host, "/sys/dir", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

/* From here on all that the process hears of openat2 () is an error. */
static void
take_openat2_away (guint error)
{
  struct sock_filter program[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog filter = { G_N_ELEMENTS (program), program };

  g_assert_cmpint (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), ==, 0);
  g_assert_cmpint (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), ==, 0);
}

static void
assert_no_link_leads_out_without_openat2 (guint error)
{
  g_autoptr (Tree) outside = NULL;
  g_autoptr (Tree) tree = NULL;
  g_autoptr (JmHost) host = NULL;
  g_autofree char *secret = NULL;
  char text[64];

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, 0);
      g_test_trap_assert_passed ();
      return;
    }

  take_openat2_away (error);
  outside = tree_new ();
  tree = tree_new ();
  host = jm_host_new (tree->root);
  secret = tree_path (outside, "secret");
  tree_write (outside, "secret", "root:hash\n");
  tree_write (tree, "sys/kernel/version", "6.1\n");
  link_to (tree, "sys/out", secret);
  link_to (tree, "sys/in", "kernel/version");

  g_assert_cmpint (jm_host_read (host, "/sys/out", text, sizeof text, NULL), ==, -1);
  g_assert_false (jm_host_exists (host, "/sys/out"));
  assert_tree_reads (host, "/sys/in", "6.1\n");
}

static void
test_no_link_leads_out_on_an_old_kernel (void)
{
  assert_no_link_leads_out_without_openat2 (ENOSYS);
}

static void
test_no_link_leads_out_where_the_kernel_gives_up (void)
{
  assert_no_link_leads_out_without_openat2 (EAGAIN);
}

static void
test_links_within_a_copied_tree_are_followed (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autofree char *target = NULL;

  tree_write (tree, "sys/devices/power/energy", "12\n");
  tree_make_dir (tree, "sys/class/power");
  link_to (tree, "sys/class/power/relative", "../../devices/power");
  link_to (tree, "sys/class/power/absolute", "/sys/devices/power");

  assert_tree_reads (host, "/sys/class/power/relative/energy", "12\n");
  assert_tree_reads (host, "/sys/class/power/absolute/energy", "12\n");
  target = jm_host_read_link (host, "/sys/class/power/absolute", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (target, ==, "/sys/devices/power");
}

typedef struct
{
  const char *here;
  const char *there;
  gint is_over;
} Mover;

static gpointer
move_to_and_fro (gpointer user_data)
{
  Mover *self = user_data;

  while (!g_atomic_int_get (&self->is_over))
    {
      g_assert_cmpint (rename (self->here, self->there), ==, 0);
      g_assert_cmpint (rename (self->there, self->here), ==, 0);
    }

  return NULL;
}

/* The kernel gives up where it follows a link by ".." while anything on the machine is
 * renamed. */
static void
test_links_are_followed_while_others_rename (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *here = tree_path (tree, "elsewhere/here");
  g_autofree char *there = tree_path (tree, "elsewhere/there");
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  Mover mover = { here, there, FALSE };
  GThread *thread;

  tree_write (tree, "elsewhere/here", "");
  tree_write (tree, "sys/devices/power/energy", "12\n");
  tree_make_dir (tree, "sys/class/power");
  link_to (tree, "sys/class/power/relative", "../../devices/power");

  thread = g_thread_new ("mover", move_to_and_fro, &mover);
  for (guint i = 0; i < 2000; i++)
    assert_tree_reads (host, "/sys/class/power/relative/energy", "12\n");

  g_atomic_int_set (&mover.is_over, TRUE);
  g_thread_join (thread);
}

static void
test_a_container_reaches_no_file_of_its_own (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *procfs = tree_path (tree, "host/proc");
  g_autofree char *own = tree_path (tree, "own");
  g_autoptr (JmHost) host = NULL;

  tree_write (tree, "own", "of the container\n");
  tree_write (tree, "host/proc/stat", "cpu 1\n");
  link_to (tree, "host/proc/own", own);
  host = jm_host_new_with_paths (NULL, procfs, NULL, NULL);

  assert_tree_reads (host, "/proc/stat", "cpu 1\n");
  assert_tree_lacks (host, "/proc/own");
}

#define ADD(path, function) g_test_add_func ("/host/" path, test_##function)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("paths/live", the_machine_itself_is_live_and_maps_nothing);
  ADD ("paths/copied-tree", a_copied_tree_has_everything_below_its_root);
  ADD ("paths/container", a_container_has_the_kernel_mounted_elsewhere);
  ADD ("paths/sysfs", cgroups_are_found_in_a_sysfs_that_is_elsewhere);
  ADD ("paths/dot-dot", no_path_leads_out_of_the_root);
  ADD ("paths/too-long", a_path_longer_than_any_is_absent_not_cut);
  ADD ("paths/relative", a_relative_root_stays_where_it_was);
  ADD ("read/number", reads_a_number);
  ADD ("read/garbage", names_the_file_and_quotes_what_is_not_a_number);
  ADD ("read/empty", an_empty_file_is_not_a_zero);
  ADD ("read/missing", a_missing_file_is_absent);
  ADD ("read/denied", a_file_that_is_not_ours_is_denied);
  ADD ("read/too-long", a_file_longer_than_the_buffer_is_refused_not_cut);
  ADD ("read/list", reads_a_list_to_its_end_but_not_beyond_the_bound);
  ADD ("read/kernel-list", reads_a_list_of_the_kernel_to_its_end);
  ADD ("read/pipe", a_pipe_in_a_copied_tree_does_not_hang);
  ADD ("list-dir", lists_a_directory);
  ADD ("links-and-owners", reads_links_and_owners);
  ADD ("links/out", no_link_of_a_copied_tree_leads_out);
  ADD ("links/old-kernel", no_link_leads_out_on_an_old_kernel);
  ADD ("links/gives-up", no_link_leads_out_where_the_kernel_gives_up);
  ADD ("links/within", links_within_a_copied_tree_are_followed);
  ADD ("links/renames", links_are_followed_while_others_rename);
  ADD ("links/container", a_container_reaches_no_file_of_its_own);
  ADD ("budget", the_budget_follows_the_limit_of_the_process);

  return g_test_run ();
}
