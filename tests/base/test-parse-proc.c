/* test-parse-proc.c: what procfs reports about one process
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-parse-proc-private.h"

#define STAT_REST                                                                      \
 " S 1 782 781 0 -1 4194560 521 0 0 0 37 22 5 6 20 0 4 0 15498 148975616 1673 "        \
 "18446744073709551615 94723596476416 0 0\n"

static char *
bare_copy (const char *text)
{
  /* an empty copy would be NULL */
  return g_memdup2 (text, MAX (strlen (text), 1));
}

static gboolean
stat_of (const char *text, JmProcStat *stat)
{
  g_autofree char *bare = bare_copy (text);

  return jm_parse_proc_stat (bare, strlen (text), stat);
}

static char *
dup_slice (JmSlice slice)
{
  return g_strndup (slice.text, slice.length);
}

static void
test_reads_the_stat_of_a_process (void)
{
  JmProcStat stat;

  g_assert_true (stat_of ("784 (slurmstepd)" STAT_REST, &stat));
  g_assert_cmpstr (stat.comm, ==, "slurmstepd");
  g_assert_cmpint (stat.state, ==, 'S');
  g_assert_cmpuint (stat.pid, ==, 784);
  g_assert_cmpuint (stat.ppid, ==, 1);
  g_assert_cmpuint (stat.session, ==, 781);
  g_assert_cmpuint (stat.flags & JM_PROC_FLAG_KTHREAD, ==, 0);
  g_assert_cmpuint (stat.utime_ticks, ==, 37);
  g_assert_cmpuint (stat.stime_ticks, ==, 22);
  g_assert_cmpuint (stat.cutime_ticks, ==, 5);
  g_assert_cmpuint (stat.cstime_ticks, ==, 6);
  g_assert_cmpuint (stat.n_threads, ==, 4);
  g_assert_cmpuint (stat.starttime_ticks, ==, 15498);
  g_assert_cmpuint (stat.rss_pages, ==, 1673);
  g_assert_cmpuint (stat.processor, ==, JM_PROC_NO_PROCESSOR);
}

static void
test_reads_on_which_cpu_a_process_ran (void)
{
  static const char *const ends[] = { "17 5 0 0 0 0 0\n", "17 5\n" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *text =
        g_strconcat ("784 (a) R 1 1 1 0 -1 0 1 0 0 0 9 8 0 0 20 0 1 0 15498 4096 1 "
                     "18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 ",
                     ends[i], NULL);
      JmProcStat stat;

      g_assert_true (stat_of (text, &stat));
      g_assert_cmpuint (stat.processor, ==, 5);
    }
}

/* As Linux 6.18 has reported. */
static void
test_reads_what_is_left_of_a_process_that_is_over (void)
{
  const char *text = "21801 (true) X 0 -1 -1 0 -1 4227084 51 0 0 0 0 0 0 0 20 0 0 0 "
                     "1834 0 0 18446744073709551615 0 0 0 0\n";
  JmProcStat stat;

  g_assert_true (stat_of (text, &stat));
  g_assert_true (jm_proc_stat_is_over (&stat));
  g_assert_cmpuint (stat.session, ==, 0);
  g_assert_cmpuint (stat.starttime_ticks, ==, 1834);

  g_assert_true (stat_of ("784 (load)" STAT_REST, &stat));
  g_assert_false (jm_proc_stat_is_over (&stat));
  g_assert_false (
    stat_of ("1 (a) S 1 1 -7 0 -1 1 0 0 0 0 1 1 1 1 20 0 1 0 1 1 1 0\n", &stat));
}

static void
test_is_not_fooled_by_the_name_of_a_process (void)
{
  static const char *const names[] = {
    "a) R (b",  "((", "))", "", " ", "new\nline", ") R 1 1 1 1 1 1 1 1 1 1 9 9 (",
    "\xff\xfe",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *text = g_strdup_printf ("784 (%s)" STAT_REST, names[i]);
      JmProcStat stat;

      g_assert_true (stat_of (text, &stat));
      g_assert_cmpstr (stat.comm, ==, names[i]);
      g_assert_cmpint (stat.state, ==, 'S');
      g_assert_cmpuint (stat.ppid, ==, 1);
      g_assert_cmpuint (stat.utime_ticks, ==, 37);
    }
}

static void
test_cuts_an_endless_name (void)
{
  g_autofree char *name = g_strnfill (100000, 'x');
  g_autofree char *text = g_strdup_printf ("784 (%s)" STAT_REST, name);
  JmProcStat stat;

  g_assert_true (stat_of (text, &stat));
  g_assert_cmpuint (strlen (stat.comm), ==, JM_COMM_MAX);
  g_assert_cmpuint (stat.utime_ticks, ==, 37);
}

static void
test_refuses_a_stat_that_is_cut_anywhere_before_its_last_field (void)
{
  const char *text = "784 (load)" STAT_REST;
  gsize needed = strstr (text, "1673") - text + strlen ("1673 ");
  JmProcStat stat;

  g_assert_false (jm_parse_proc_stat ("", 0, &stat));
  for (gsize length = 1; length < needed; length++)
    {
      g_autofree char *bare = g_memdup2 (text, length);

      g_assert_false (jm_parse_proc_stat (bare, length, &stat));
    }

  g_assert_true (jm_parse_proc_stat (text, needed, &stat));
}

static void
test_refuses_a_stat_with_a_number_that_cannot_be (void)
{
  JmProcStat stat;

  g_assert_false (
    stat_of ("1 (a) S -2 1 1 0 -1 1 0 0 0 0 1 1 1 1 20 0 1 0 1 1 1 0\n", &stat));
  g_assert_false (
    stat_of ("1 (a) S 1 1 1 0 -1 1 0 0 0 0 -7 1 1 1 20 0 1 0 1 1 1 0\n", &stat));
  g_assert_false (
    stat_of ("1 (a) S 4294967296 1 1 0 -1 1 0 0 0 0 1 1 1 1 20 0 1 0 1 1 1 0\n",
             &stat));
  g_assert_false (
    stat_of ("1 (a) ? 1 1 1 0 -1 1 0 0 0 0 1 1 1 1 20 0 1 0 1 1 1 0\n", &stat));
}

static void
test_reads_the_io_of_a_process (void)
{
  const char *text =
    "rchar: 58307\nwchar: 1423\nsyscr: 1066\nsyscw: 87\nread_bytes: 1\n"
    "write_bytes: 2\ncancelled_write_bytes: -4096\n";
  JmProcIo io;

  g_assert_true (jm_parse_proc_io (text, strlen (text), &io));
  g_assert_cmpuint (io.read_chars, ==, 58307);
  g_assert_cmpuint (io.write_chars, ==, 1423);
  g_assert_cmpuint (io.read_calls, ==, 1066);
  g_assert_cmpuint (io.write_calls, ==, 87);
  g_assert_cmpuint (io.read_bytes, ==, 1);
  g_assert_cmpuint (io.write_bytes, ==, 2);
}

static void
test_reads_the_io_of_a_kernel_with_more_to_report (void)
{
  const char *text =
    "rchar: 1\nwchar: 2\nlatency: 77\nsyscw: 4\nsyscr: 3\nread_bytes: 5\n"
    "write_bytes: 6\ncancelled_write_bytes: 0\n";
  JmProcIo io;

  g_assert_true (jm_parse_proc_io (text, strlen (text), &io));
  g_assert_cmpuint (io.read_chars, ==, 1);
  g_assert_cmpuint (io.write_chars, ==, 2);
  g_assert_cmpuint (io.read_calls, ==, 3);
  g_assert_cmpuint (io.write_calls, ==, 4);
  g_assert_cmpuint (io.read_bytes, ==, 5);
  g_assert_cmpuint (io.write_bytes, ==, 6);
}

static void
test_refuses_an_io_without_one_of_its_figures (void)
{
  const char *text = "rchar: 58307\nwchar: 1423\nsyscr: 1066\nsyscw: 87\n";
  JmProcIo io = { .read_chars = 77 };

  g_assert_false (jm_parse_proc_io (text, strlen (text), &io));
  g_assert_cmpuint (io.read_chars, ==, 77);
}

static void
add_cgroup (const JmProcCgroup *cgroup, gpointer user_data)
{
  g_autofree char *controllers = dup_slice (cgroup->controllers);
  g_autofree char *path = dup_slice (cgroup->path);

  g_string_append_printf (user_data, "%u|%s|%s%s;", cgroup->hierarchy, controllers,
                          path, cgroup->removed ? "|removed" : "");
}

static char *
cgroups_of (const char *text, gboolean *sound)
{
  g_autofree char *bare = bare_copy (text);
  GString *list = g_string_new (NULL);

  *sound = jm_parse_proc_cgroup (bare, strlen (text), add_cgroup, list);
  return g_string_free (list, FALSE);
}

static void
test_reads_the_cgroups_of_a_process (void)
{
  gboolean sound;
  g_autofree char *list =
    cgroups_of ("9:name=systemd:/\n4:cpu,cpuacct:/slurm_n1/uid_1001/job_7\n"
                "0::/system.slice/a:b/job_7\n",
                &sound);

  g_assert_true (sound);
  g_assert_cmpstr (list, ==,
                   "9|name=systemd|/;4|cpu,cpuacct|/slurm_n1/uid_1001/job_7;"
                   "0||/system.slice/a:b/job_7;");
}

static void
test_knows_a_cgroup_that_was_removed (void)
{
  gboolean sound;
  g_autofree char *list = cgroups_of ("0::/job_7 (deleted)\n", &sound);

  g_assert_true (sound);
  g_assert_cmpstr (list, ==, "0||/job_7|removed;");
}

static void
test_gives_the_sound_lines_beside_broken_ones (void)
{
  gboolean sound;
  g_autofree char *list =
    cgroups_of ("x:cpu:/a\n\n1:cpu\n2:cpu:\n3:cpu:b\n4:cpu:/good\n0::/cut", &sound);

  g_assert_false (sound);
  g_assert_cmpstr (list, ==, "4|cpu|/good;");
}

static void
test_a_cgroup_that_was_cut_short_is_no_fault_of_the_others (void)
{
  gboolean sound;
  g_autofree char *list = cgroups_of ("4:cpu:/good\n0::/cut", &sound);

  g_assert_true (sound);
  g_assert_cmpstr (list, ==, "4|cpu|/good;");
}

static void
add_mount (const JmMount *mount, gpointer user_data)
{
  g_autofree char *type = dup_slice (mount->type);
  g_autofree char *source = dup_slice (mount->source);
  g_autofree char *options = dup_slice (mount->super_options);

  g_string_append_printf (user_data, "%u:%u|%s|%s|%s|%s|%s;", mount->major,
                          mount->minor, mount->root, mount->mount_point, type, source,
                          options);
}

static char *
mounts_of (const char *text, gboolean *sound)
{
  g_autofree char *bare = bare_copy (text);
  GString *list = g_string_new (NULL);

  *sound = jm_parse_mountinfo (bare, strlen (text), add_mount, list);
  return g_string_free (list, FALSE);
}

static void
test_reads_mounts_with_any_number_of_optional_fields (void)
{
  gboolean sound;
  g_autofree char *list = mounts_of (
    "33 31 0:30 / /sys/fs/cgroup/cpuacct rw,relatime - cgroup cgroup rw,cpuacct\n"
    "34 31 0:31 /a /b rw shared:9 master:1 - cgroup2 cgroup2 rw,nsdelegate\n",
    &sound);

  g_assert_true (sound);
  g_assert_cmpstr (list, ==,
                   "0:30|/|/sys/fs/cgroup/cpuacct|cgroup|cgroup|rw,cpuacct;"
                   "0:31|/a|/b|cgroup2|cgroup2|rw,nsdelegate;");
}

static void
test_decodes_the_escapes_of_a_mount_point (void)
{
  gboolean sound;
  g_autofree char *list =
    mounts_of ("40 1 8:1 / /mnt/my\\040disk\\134n\\012\\9 rw - ext4 /dev/sda1 rw\n",
               &sound);

  g_assert_true (sound);
  g_assert_cmpstr (list, ==, "8:1|/|/mnt/my disk\\n\n\\9|ext4|/dev/sda1|rw;");
}

static void
test_reads_a_mount_without_a_source (void)
{
  gboolean sound;
  g_autofree char *list = mounts_of ("40 1 0:9 / /t rw - tmpfs  rw,size=4k\n", &sound);

  g_assert_true (sound);
  g_assert_cmpstr (list, ==, "0:9|/|/t|tmpfs||rw,size=4k;");
}

static void
test_a_mount_that_was_cut_short_is_not_reported (void)
{
  gboolean sound;
  g_autofree char *list = mounts_of ("40 1 0:9 / /t rw - tmpfs none rw", &sound);

  g_assert_true (sound);
  g_assert_cmpstr (list, ==, "");
}

static void
test_refuses_broken_mounts (void)
{
  static const char *const bad[] = {
    "\n",
    "40 1 0:9 / /t rw tmpfs none rw\n",
    "40 1 0:9 / /t rw - tmpfs\n",
    "40 1 09 / /t rw - tmpfs none rw\n",
    "40 1 0:9 / /t\\000 rw - tmpfs none rw\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      gboolean sound;
      g_autofree char *list = mounts_of (bad[i], &sound);

      g_assert_false (sound);
      g_assert_cmpstr (list, ==, "");
    }
}

static void
test_refuses_a_mount_point_longer_than_a_path (void)
{
  g_autofree char *name = g_strnfill (2 * PATH_MAX, 'x');
  g_autofree char *text = g_strdup_printf ("40 1 0:9 / /%s rw - tmpfs none rw\n", name);
  gboolean sound;
  g_autofree char *list = mounts_of (text, &sound);

  g_assert_false (sound);
  g_assert_cmpstr (list, ==, "");
}

static void
test_finds_a_controller_among_mount_options (void)
{
  JmSlice options = { "rw,cpu,cpuacct,name=systemd", 27 };
  JmSlice value;

  g_assert_true (jm_parse_option (options, "cpuacct", NULL));
  g_assert_true (jm_parse_option (options, "cpu", &value));
  g_assert_true (jm_slice_equal (value, ""));
  g_assert_true (jm_parse_option (options, "name", &value));
  g_assert_true (jm_slice_equal (value, "systemd"));
  g_assert_false (jm_parse_option (options, "cp", NULL));
  g_assert_false (jm_parse_option (options, "memory", NULL));
  g_assert_false (jm_parse_option ((JmSlice){ "", 0 }, "cpu", NULL));
}

static void
test_finds_a_variable_of_a_process (void)
{
  static const char text[] = "PATH=/bin\0SLURM_JOB_ID=42\0EMPTY=\0SLURM_JOB_ID=43\0";
  gsize length = sizeof text - 1;
  JmSlice value;

  g_assert_true (jm_parse_environ (text, length, "SLURM_JOB_ID", &value));
  g_assert_true (jm_slice_equal (value, "42"));
  g_assert_true (jm_parse_environ (text, length, "EMPTY", &value));
  g_assert_true (jm_slice_equal (value, ""));
  g_assert_false (jm_parse_environ (text, length, "JOB_ID", &value));
  g_assert_false (jm_parse_environ (text, length, "SLURM_JOB", &value));
}

static void
test_does_not_take_a_variable_cut_short (void)
{
  JmSlice value;

  g_assert_false (jm_parse_environ ("SLURM_JOB_ID=42", 15, "SLURM_JOB_ID", &value));
  g_assert_false (jm_parse_environ ("", 0, "SLURM_JOB_ID", &value));
  g_assert_false (jm_parse_environ ("\0\0=\0", 4, "SLURM_JOB_ID", &value));
}

static char *
join_groups (const char *text)
{
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (guint));
  GString *line;

  if (!jm_parse_proc_groups (text, strlen (text), groups))
    return NULL;

  line = g_string_new (NULL);
  for (guint i = 0; i < groups->len; i++)
    g_string_append_printf (line, "%u,", g_array_index (groups, guint, i));

  return g_string_free (line, FALSE);
}

static void
test_reads_the_groups_of_a_process (void)
{
  g_autofree char *two =
    join_groups ("Gid:\t7\t7\t7\t7\nGroups:\t1001 65400 \nX:\t9\n");
  g_autofree char *none = join_groups ("Groups:\t \n");
  g_autofree char *largest = join_groups ("Groups:\t4294967295\n");

  g_assert_cmpstr (two, ==, "1001,65400,");
  g_assert_cmpstr (none, ==, "");
  g_assert_cmpstr (largest, ==, "4294967295,");
}

static void
test_refuses_groups_that_are_no_list_of_numbers (void)
{
  static const char *const wrong[] = { "",
                                       "Gid:\t7\n",
                                       "Groups:\t1001 654",
                                       "Groups:\t1001 -1\n",
                                       "Groups:\twheel\n",
                                       "Groups:\t4294967296\n",
                                       "Name:\tGroups: 65400\n" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_null (join_groups (wrong[i]));
}

#define ADD(path, function) g_test_add_func ("/parse-proc/" path, test_##function)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("stat/plain", reads_the_stat_of_a_process);
  ADD ("stat/processor", reads_on_which_cpu_a_process_ran);
  ADD ("stat/over", reads_what_is_left_of_a_process_that_is_over);
  ADD ("stat/name", is_not_fooled_by_the_name_of_a_process);
  ADD ("stat/long-name", cuts_an_endless_name);
  ADD ("stat/cut-short", refuses_a_stat_that_is_cut_anywhere_before_its_last_field);
  ADD ("stat/garbage", refuses_a_stat_with_a_number_that_cannot_be);
  ADD ("io/plain", reads_the_io_of_a_process);
  ADD ("io/other-order", reads_the_io_of_a_kernel_with_more_to_report);
  ADD ("io/missing", refuses_an_io_without_one_of_its_figures);
  ADD ("cgroup/plain", reads_the_cgroups_of_a_process);
  ADD ("cgroup/removed", knows_a_cgroup_that_was_removed);
  ADD ("cgroup/cut-short", a_cgroup_that_was_cut_short_is_no_fault_of_the_others);
  ADD ("cgroup/garbage", gives_the_sound_lines_beside_broken_ones);
  ADD ("groups/plain", reads_the_groups_of_a_process);
  ADD ("groups/garbage", refuses_groups_that_are_no_list_of_numbers);
  ADD ("mountinfo/plain", reads_mounts_with_any_number_of_optional_fields);
  ADD ("mountinfo/escapes", decodes_the_escapes_of_a_mount_point);
  ADD ("mountinfo/no-source", reads_a_mount_without_a_source);
  ADD ("mountinfo/cut-short", a_mount_that_was_cut_short_is_not_reported);
  ADD ("mountinfo/garbage", refuses_broken_mounts);
  ADD ("mountinfo/too-long", refuses_a_mount_point_longer_than_a_path);
  ADD ("option", finds_a_controller_among_mount_options);
  ADD ("environ/plain", finds_a_variable_of_a_process);
  ADD ("environ/cut-short", does_not_take_a_variable_cut_short);

  return g_test_run ();
}
