/* test-cgroup-live.c: cgroups that a kernel keeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "asked.h"
#include "sources/cgroup/jm-cgroup-kernel-reader-private.h"
#include "sources/cgroup/jm-cgroup-types-private.h"

#define BURN_NS (300 * G_GINT64_CONSTANT (1000000))
#define ENDING_NS (2 * 1000000)
#define TOUCH_BYTES (32 * 1024 * 1024)

/* What a child counts of itself. */
typedef struct
{
  gint64 joined_ns;
  gint64 burnt_ns;
} Count;

/* Directories of this test alone, one in each hierarchy that it uses. */
typedef struct
{
  char *path; /* of the cgroup */
  GPtrArray *made;
} Ground;

static gint64
cpu_time_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (gint64) t.tv_sec * 1000000000 + t.tv_nsec;
}

static void
ground_make (Ground *self, const char *hierarchy, const char *below)
{
  char *dir = g_strconcat ("/sys/fs/cgroup/", hierarchy, self->path, below, NULL);

  g_assert_cmpint (mkdir (dir, 0755), ==, 0);
  g_ptr_array_add (self->made, dir);
}

static void
ground_remove (Ground *self, const char *hierarchy, const char *below)
{
  g_autofree char *dir =
    g_strconcat ("/sys/fs/cgroup/", hierarchy, self->path, below, NULL);
  guint index;

  g_assert_cmpint (rmdir (dir), ==, 0);
  g_assert_true (
    g_ptr_array_find_with_equal_func (self->made, dir, g_str_equal, &index));
  g_ptr_array_remove_index (self->made, index);
}

static void
ground_clear (Ground *self)
{
  for (guint i = self->made->len; i-- > 0;)
    g_assert_cmpint (rmdir (g_ptr_array_index (self->made, i)), ==, 0);

  g_ptr_array_unref (self->made);
  g_free (self->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Ground, ground_clear)

static gboolean
ground_begin (Ground *self, const char *const hierarchies[])
{
  self->made = g_ptr_array_new_with_free_func (g_free);
  self->path = g_strdup_printf ("/jm-test-%d", (int) getpid ());

  for (guint i = 0; hierarchies[i] != NULL; i++)
    {
      g_autofree char *dir =
        g_strconcat ("/sys/fs/cgroup/", hierarchies[i], self->path, NULL);
      g_autofree char *procs = g_strconcat (dir, "/cgroup.procs", NULL);

      if (mkdir (dir, 0755) != 0)
        {
          g_autofree char *why = g_strdup_printf ("no cgroup can be made here: %s: %s",
                                                  dir, g_strerror (errno));

          g_test_skip (why);
          return FALSE;
        }

      g_ptr_array_add (self->made, g_steal_pointer (&dir));
      g_assert_cmpint (access (procs, F_OK), ==, 0);
    }

  return TRUE;
}

static char *
ground_path (const Ground *self, const char *below)
{
  return g_strconcat (self->path, below, NULL);
}

static Asked *
ask_v1 (void)
{
  g_autoptr (GError) error = NULL;
  JmHost *host = jm_host_new (NULL);
  JmCgroupV1Reader *reader =
    g_initable_new (JM_TYPE_CGROUP_V1_READER, NULL, &error, "host", host, NULL);

  g_assert_no_error (error);
  return asked_new_for_reader (host, JM_CGROUP_READER (reader));
}

static Asked *
ask_v2 (void)
{
  g_autoptr (GError) error = NULL;
  JmHost *host = jm_host_new (NULL);
  JmCgroupV2Reader *reader =
    g_initable_new (JM_TYPE_CGROUP_V2_READER, NULL, &error, "host", host, NULL);

  g_assert_no_error (error);
  return asked_new_for_reader (host, JM_CGROUP_READER (reader));
}

/* The first answer is always that all must be listed. */
static void
take_the_first_changes (Asked *asked)
{
  g_auto (GStrv) changes = jm_cgroup_reader_take_changes (asked->reader);

  g_assert_null (changes);
}

static gboolean
assert_read_is_absent (Asked *asked, guint cgroup)
{
  g_autoptr (GError) error = NULL;

  jm_readings_reset (asked->readings, jm_collector_set_get_all ());
  g_assert_false (
    jm_cgroup_reader_read (asked->reader, cgroup, asked->readings, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);

  return TRUE;
}

static void
test_births_and_deaths_are_heard_of (void)
{
  const char *const hierarchies[] = { "cpuacct", "memory", NULL };
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;

  if (!ground_begin (&ground, hierarchies))
    return;

  asked = ask_v1 ();
  take_the_first_changes (asked);
  g_assert_false (asked_has_child (asked, ground.path, "job_1"));
  g_assert_false (asked_hears_of (asked, ground.path));
  g_assert_cmpint (jm_cgroup_reader_get_event_fd (asked->reader), >=, 0);

  ground_make (&ground, "memory", "/job_1");
  g_assert_true (asked_hears_of (asked, ground.path));
  g_assert_true (asked_has_child (asked, ground.path, "job_1"));
  g_assert_false (asked_hears_of (asked, ground.path));

  ground_make (&ground, "cpuacct", "/job_1");
  g_assert_true (asked_hears_of (asked, ground.path));

  ground_remove (&ground, "cpuacct", "/job_1");
  ground_remove (&ground, "memory", "/job_1");
  g_assert_true (asked_hears_of (asked, ground.path));
  g_assert_false (asked_has_child (asked, ground.path, "job_1"));
}

static void
test_a_name_that_comes_again_is_watched_again (void)
{
  const char *const hierarchies[] = { "cpuacct", NULL };
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  g_autofree char *job = NULL;

  if (!ground_begin (&ground, hierarchies))
    return;

  asked = ask_v1 ();
  take_the_first_changes (asked);
  job = ground_path (&ground, "/job_1");
  asked_has_child (asked, ground.path, "job_1");

  for (guint i = 0; i < 3; i++)
    {
      ground_make (&ground, "cpuacct", "/job_1");
      g_assert_true (asked_hears_of (asked, ground.path));
      g_assert_false (asked_has_child (asked, job, "step_0"));

      ground_make (&ground, "cpuacct", "/job_1/step_0");
      g_assert_true (asked_hears_of (asked, job));

      ground_remove (&ground, "cpuacct", "/job_1/step_0");
      ground_remove (&ground, "cpuacct", "/job_1");
      g_assert_true (asked_hears_of (asked, ground.path));
    }
}

static void
test_a_name_that_came_again_unnoticed_is_reported (void)
{
  const char *const hierarchies[] = { "cpuacct", NULL };
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  g_autofree char *job = NULL;

  if (!ground_begin (&ground, hierarchies))
    return;

  ground_make (&ground, "cpuacct", "/job_1");
  asked = ask_v1 ();
  take_the_first_changes (asked);
  job = ground_path (&ground, "/job_1");
  asked_has_child (asked, ground.path, "job_1");
  asked_has_child (asked, job, "step_0");

  ground_remove (&ground, "cpuacct", "/job_1");
  ground_make (&ground, "cpuacct", "/job_1");
  g_assert_true (asked_hears_of (asked, job));
  asked_has_child (asked, job, "step_0");

  ground_make (&ground, "cpuacct", "/job_1/step_0");
  g_assert_true (asked_hears_of (asked, job));
}

/* Of all descriptors: the one to poll is not the one that has them. */
static guint
count_watches (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fdinfo", 0, NULL);
  const char *name;
  guint n_watches = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_strconcat ("/proc/self/fdinfo/", name, NULL);
      g_autofree char *text = NULL;

      /* the one that the folder was opened with has gone by the next call only */
      if (!g_file_get_contents (path, &text, NULL, NULL))
        continue;
      for (const char *line = text; (line = strstr (line, "inotify wd:")) != NULL;
           line++)
        n_watches++;
    }

  return n_watches;
}

/* As who follows all cgroups does: what is new is listed, and what has changed. */
static void
list_all_new (Asked *asked, GHashTable *listed, const char *path)
{
  g_auto (GStrv) names = jm_cgroup_reader_list_children (asked->reader, path, NULL);

  g_hash_table_add (listed, g_strdup (path));
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autofree char *child = g_strconcat (path, "/", names[i], NULL);

      if (!g_hash_table_contains (listed, child))
        list_all_new (asked, listed, child);
    }
}

static void
follow (Asked *asked, GHashTable *listed)
{
  g_auto (GStrv) changes = jm_cgroup_reader_take_changes (asked->reader);

  g_assert_nonnull (changes);
  for (guint i = 0; changes[i] != NULL; i++)
    if (g_hash_table_contains (listed, changes[i]))
      list_all_new (asked, listed, changes[i]);
}

static void
test_watches_end_with_their_cgroups_in_every_hierarchy (void)
{
  const char *const hierarchies[] = { "cpuacct", "memory", NULL };
  g_autoptr (GHashTable) listed =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  guint n_watches;

  if (!ground_begin (&ground, hierarchies))
    return;

  asked = ask_v1 ();
  take_the_first_changes (asked);
  ground_make (&ground, "cpuacct", "/uid_0");
  list_all_new (asked, listed, ground.path);
  ground_make (&ground, "memory", "/uid_0");
  follow (asked, listed);
  n_watches = count_watches ();

  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *job = g_strdup_printf ("/uid_0/job_%u", i);
      g_autofree char *step = g_strconcat (job, "/step_0", NULL);

      ground_make (&ground, "cpuacct", job);
      ground_make (&ground, "memory", job);
      ground_make (&ground, "cpuacct", step);
      follow (asked, listed);
      ground_make (&ground, "memory", step);
      follow (asked, listed);
      g_assert_cmpuint (count_watches (), ==, n_watches + 4);

      for (guint j = 0; j < G_N_ELEMENTS (hierarchies) - 1; j++)
        {
          ground_remove (&ground, hierarchies[j], step);
          ground_remove (&ground, hierarchies[j], job);
          follow (asked, listed);
        }
      g_assert_cmpuint (count_watches (), ==, n_watches);
    }
}

static void
test_what_came_below_a_late_directory_is_found (void)
{
  const char *const hierarchies[] = { "cpuacct", "memory", NULL };
  g_autoptr (GHashTable) listed =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  g_autofree char *job = NULL;

  if (!ground_begin (&ground, hierarchies))
    return;

  asked = ask_v1 ();
  take_the_first_changes (asked);
  ground_make (&ground, "cpuacct", "/uid_0");
  ground_make (&ground, "cpuacct", "/uid_0/job_1");
  list_all_new (asked, listed, ground.path);

  ground_make (&ground, "memory", "/uid_0");
  ground_make (&ground, "memory", "/uid_0/job_1");
  ground_make (&ground, "memory", "/uid_0/job_1/step_0");
  for (guint i = 0; i < 3; i++)
    follow (asked, listed);

  job = ground_path (&ground, "/uid_0/job_1/step_0");
  g_assert_true (g_hash_table_contains (listed, job));
}

static void
test_a_cgroup_that_was_removed_is_absent (void)
{
  const char *const hierarchies[] = { "cpuacct", NULL };
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  g_autofree char *job = NULL;
  guint unread, read;

  if (!ground_begin (&ground, hierarchies))
    return;

  ground_make (&ground, "cpuacct", "/job_1");
  asked = ask_v1 ();
  job = ground_path (&ground, "/job_1");
  unread = asked_open (asked, job, JM_SUBJECT_KIND_JOB);
  read = asked_open_and_read (asked, job, JM_SUBJECT_KIND_JOB);

  ground_remove (&ground, "cpuacct", "/job_1");
  assert_read_is_absent (asked, unread);
  assert_read_is_absent (asked, read);
}

static void
test_a_cgroup_of_the_same_name_is_another_one (void)
{
  const char *const hierarchies[] = { "cpuacct", NULL };
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  g_autofree char *job = NULL;
  guint old;

  if (!ground_begin (&ground, hierarchies))
    return;

  ground_make (&ground, "cpuacct", "/job_1");
  asked = ask_v1 ();
  job = ground_path (&ground, "/job_1");
  old = asked_open_and_read (asked, job, JM_SUBJECT_KIND_JOB);

  ground_remove (&ground, "cpuacct", "/job_1");
  ground_make (&ground, "cpuacct", "/job_1");
  assert_read_is_absent (asked, old);
  asked_open_and_read (asked, job, JM_SUBJECT_KIND_JOB);
  assert_figure (asked, JM_METRIC_CPU_TOTAL, NULL, 0);
}

static void
test_a_directory_that_comes_a_moment_later_is_read_too (void)
{
  const char *const hierarchies[] = { "cpuacct", "memory", NULL };
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  g_autofree char *job = NULL;
  guint cgroup;

  if (!ground_begin (&ground, hierarchies))
    return;

  ground_make (&ground, "cpuacct", "/job_1");
  asked = ask_v1 ();
  job = ground_path (&ground, "/job_1");
  cgroup = asked_open_and_read (asked, job, JM_SUBJECT_KIND_JOB);
  assert_no_figure (asked, JM_METRIC_MEMORY_USED);

  ground_make (&ground, "memory", "/job_1");
  asked_read (asked, cgroup);
  g_assert_cmpuint (asked_count (asked, JM_METRIC_MEMORY_USED), ==, 1);
}

static void
join_or_die (const Ground *ground)
{
  for (guint i = 0; i < ground->made->len; i++)
    {
      g_autofree char *procs =
        g_strconcat (g_ptr_array_index (ground->made, i), "/cgroup.procs", NULL);

      if (!g_file_set_contents_full (procs, "0", 1, G_FILE_SET_CONTENTS_NONE, 0644,
                                     NULL))
        _exit (1);
    }
}

static void
burn (Count *count)
{
  count->joined_ns = cpu_time_ns ();
  do
    count->burnt_ns = cpu_time_ns () - count->joined_ns;
  while (count->burnt_ns < BURN_NS);
}

/* Burns CPU time and touches memory, then stops until it is killed. */
static void
run_child (const Ground *ground, Count *count)
{
  char *memory = mmap (NULL, TOUCH_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  join_or_die (ground);
  memset (memory, 1, TOUCH_BYTES);
  burn (count);
  raise (SIGSTOP);
  _exit (0);
}

static pid_t
start_child (const Ground *ground, Count *count)
{
  pid_t pid = fork ();
  int status;

  if (pid == 0)
    run_child (ground, count);

  g_assert_cmpint (pid, >, 0);
  g_assert_cmpint (waitpid (pid, &status, WUNTRACED), ==, pid);
  g_assert_true (WIFSTOPPED (status));

  return pid;
}

static void
end_child (pid_t pid)
{
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
}

static void
assert_between (Asked *asked, JmMetric metric, guint64 low, guint64 high)
{
  guint64 value = 0;

  g_assert_true (asked_get (asked, metric, NULL, &value));
  g_assert_cmpuint (value, >=, low);
  g_assert_cmpuint (value, <=, high);
}

static void
assert_lists (Asked *asked, guint cgroup, pid_t pid)
{
  g_autofree char *processes = asked_list_processes (asked, cgroup);
  g_autofree char *expected = g_strdup_printf ("%d", (int) pid);

  g_assert_cmpstr (processes, ==, expected);
}

static Count *
share_count (void)
{
  Count *count = mmap (NULL, sizeof *count, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  g_assert_true (count != MAP_FAILED);
  return count;
}

static void
test_what_a_process_burnt_and_touched_is_what_v1_reports (void)
{
  const char *const hierarchies[] = { "cpuacct", "memory", NULL };
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  Count *count = share_count ();
  guint cgroup;
  pid_t pid;

  if (!ground_begin (&ground, hierarchies))
    return;

  asked = ask_v1 ();
  pid = start_child (&ground, count);
  cgroup = asked_open_and_read (asked, ground.path, JM_SUBJECT_KIND_JOB);

  assert_between (asked, JM_METRIC_CPU_TOTAL, count->burnt_ns,
                  count->burnt_ns + count->joined_ns + 50 * 1000000);
  assert_between (asked, JM_METRIC_MEMORY_USED, TOUCH_BYTES, 2 * TOUCH_BYTES);
  assert_between (asked, JM_METRIC_MEMORY_RSS, TOUCH_BYTES, 2 * TOUCH_BYTES);
  assert_between (asked, JM_METRIC_MEMORY_PEAK, TOUCH_BYTES, 2 * TOUCH_BYTES);
  assert_lists (asked, cgroup, pid);

  end_child (pid);
}

static void
ground_write (const Ground *self, const char *file, const char *text)
{
  g_autofree char *path = g_strconcat ("/sys/fs/cgroup/memory", self->path, file, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0644, &error);
  g_assert_no_error (error);
}

/* Has the OOM killer end a process in the task's cgroup. */
static void
be_killed (const Ground *ground)
{
  pid_t pid = fork ();
  int status;

  if (pid == 0)
    {
      char *memory = mmap (NULL, TOUCH_BYTES, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

      ground_write (ground, "/step_0/task_0/cgroup.procs", "0");
      memset (memory, 1, TOUCH_BYTES);
      _exit (0);
    }

  g_assert_cmpint (pid, >, 0);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status));
  g_assert_cmpint (WTERMSIG (status), ==, SIGKILL);
}

static void
assert_killed (Asked *asked, guint cgroup, guint64 n_kills)
{
  asked_read (asked, cgroup);
  assert_figure (asked, JM_METRIC_MEMORY_OOM_KILLS, NULL, n_kills);
  assert_between (asked, JM_METRIC_MEMORY_FAILURES, n_kills, G_MAXUINT64);
}

static void
test_processes_killed_in_a_task_are_those_of_its_step_and_job (void)
{
  const char *const hierarchies[] = { "memory", NULL };
  static const char *const below[] = { "", "/step_0", "/step_0/task_0" };
  guint cgroups[G_N_ELEMENTS (below)];
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;

  if (!ground_begin (&ground, hierarchies))
    return;

  asked = ask_v1 ();
  for (guint i = 0; i < G_N_ELEMENTS (below); i++)
    {
      g_autofree char *path = ground_path (&ground, below[i]);

      if (i > 0)
        ground_make (&ground, "memory", below[i]);
      cgroups[i] = asked_open (asked, path, JM_SUBJECT_KIND_JOB);
    }
  ground_write (&ground, "/step_0/task_0/memory.swappiness", "0");
  ground_write (&ground, "/step_0/task_0/memory.limit_in_bytes", "8M");

  for (guint n_kills = 1; n_kills <= 2; n_kills++)
    {
      be_killed (&ground);
      for (guint i = 0; i < G_N_ELEMENTS (below); i++)
        assert_killed (asked, cgroups[i], n_kills);
    }

  ground_remove (&ground, "memory", "/step_0/task_0");
  assert_killed (asked, cgroups[0], 2);
  jm_cgroup_reader_close_cgroup (asked->reader, cgroups[2]);
  assert_killed (asked, cgroups[0], 2);
  assert_killed (asked, cgroups[1], 2);
}

/* Nothing in version 1 says that a cgroup became empty. */
static void
test_v1_reports_at_once_when_the_process_that_was_listed_went (void)
{
  const char *const hierarchies[] = { "cpuacct", NULL };
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  Count *count = share_count ();
  struct pollfd event = { .events = POLLIN };
  gint64 burnt_ns = 0;
  guint cgroup;

  if (!ground_begin (&ground, hierarchies))
    return;

  asked = ask_v1 ();
  take_the_first_changes (asked);
  g_assert_false (asked_has_child (asked, ground.path, "job_1"));
  event.fd = jm_cgroup_reader_get_event_fd (asked->reader);
  for (guint i = 0; i < 2; i++)
    {
      start_child (&ground, count);
      burnt_ns += count->burnt_ns;
    }
  cgroup = asked_open_and_read (asked, ground.path, JM_SUBJECT_KIND_JOB);

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *listed = asked_list_processes (asked, cgroup);

      g_assert_false (asked_hears_of (asked, ground.path));
      end_child (atoi (listed));
      g_assert_cmpint (poll (&event, 1, 10 * 1000), ==, 1);
      g_assert_true (asked_hears_of (asked, ground.path));
    }

  asked_read (asked, cgroup);
  assert_between (asked, JM_METRIC_CPU_TOTAL, burnt_ns - 1000000,
                  burnt_ns + 2 * count->joined_ns + 100 * 1000000);
}

/* Where somebody else has listed them. */
static void
test_v1_reports_at_once_when_the_process_that_was_noted_went (void)
{
  const char *const hierarchies[] = { "cpuacct", NULL };
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  struct pollfd event = { .events = POLLIN };
  guint cgroup;
  pid_t pid;

  if (!ground_begin (&ground, hierarchies))
    return;

  asked = ask_v1 ();
  take_the_first_changes (asked);
  event.fd = jm_cgroup_reader_get_event_fd (asked->reader);
  pid = start_child (&ground, share_count ());
  cgroup = asked_open_and_read (asked, ground.path, JM_SUBJECT_KIND_JOB);
  asked_note_process (asked, cgroup, (guint) pid);
  g_assert_false (asked_hears_of (asked, ground.path));

  end_child (pid);
  g_assert_cmpint (poll (&event, 1, 10 * 1000), ==, 1);
  g_assert_true (asked_hears_of (asked, ground.path));
}

static void
test_v2_reports_at_once_when_the_last_process_went (void)
{
  const char *const hierarchies[] = { "unified", NULL };
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  Count *count = share_count ();
  struct pollfd event = { .events = POLLIN };
  guint cgroup;
  pid_t pid;

  if (!ground_begin (&ground, hierarchies))
    return;

  asked = ask_v2 ();
  take_the_first_changes (asked);
  pid = start_child (&ground, count);
  cgroup = asked_open_and_read (asked, ground.path, JM_SUBJECT_KIND_JOB);
  assert_between (asked, JM_METRIC_CPU_TOTAL, count->burnt_ns - 1000,
                  count->burnt_ns + count->joined_ns + 50 * 1000000);
  assert_lists (asked, cgroup, pid);
  g_assert_false (asked_hears_of (asked, ground.path));

  end_child (pid);
  event.fd = jm_cgroup_reader_get_event_fd (asked->reader);
  g_assert_cmpint (poll (&event, 1, 10 * 1000), ==, 1);
  g_assert_true (asked_hears_of (asked, ground.path));

  asked_read (asked, cgroup);
  assert_between (asked, JM_METRIC_CPU_TOTAL, count->burnt_ns - 1000,
                  count->burnt_ns + count->joined_ns + 100 * 1000000);
}

static void
test_a_cgroup_of_v2_that_was_removed_is_absent (void)
{
  const char *const hierarchies[] = { "unified", NULL };
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  g_autofree char *job = NULL;
  guint unread, read;

  if (!ground_begin (&ground, hierarchies))
    return;

  ground_make (&ground, "unified", "/job_1");
  asked = ask_v2 ();
  job = ground_path (&ground, "/job_1");
  unread = asked_open (asked, job, JM_SUBJECT_KIND_JOB);
  read = asked_open_and_read (asked, job, JM_SUBJECT_KIND_JOB);

  ground_remove (&ground, "unified", "/job_1");
  assert_read_is_absent (asked, unread);
  assert_read_is_absent (asked, read);
}

/* A process of its own in the cgroup @below. */
static pid_t
start_burning (const Ground *ground,
               const char *hierarchy,
               const char *below,
               Count *count)
{
  g_autofree char *procs = g_strconcat ("/sys/fs/cgroup/", hierarchy, ground->path,
                                        below, "/cgroup.procs", NULL);
  pid_t pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid > 0)
    return pid;

  if (!g_file_set_contents_full (procs, "0", 1, G_FILE_SET_CONTENTS_NONE, 0644, NULL))
    _exit (1);
  burn (count);
  _exit (0);
}

/* CPU time of a process from its begin on, without that of others. */
static guint64
wait_for (pid_t pid)
{
  struct rusage used;
  int status;

  g_assert_cmpint (wait4 (pid, &status, 0, &used), ==, pid);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);

  return (guint64) (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000 +
         (guint64) (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000;
}

/* The process that ended may be in its cgroup for a moment longer. */
static void
remove_soon (Ground *ground, const char *hierarchy, const char *below)
{
  g_autofree char *dir =
    g_strconcat ("/sys/fs/cgroup/", hierarchy, ground->path, below, NULL);

  guint index;

  while (rmdir (dir) != 0)
    {
      g_assert_cmpint (errno, ==, EBUSY);
      g_thread_yield ();
    }
  g_assert_true (
    g_ptr_array_find_with_equal_func (ground->made, dir, g_str_equal, &index));
  g_ptr_array_remove_index (ground->made, index);
}

/* Of what it used before it came into its cgroup nothing is there. How it ends costs
 * some microseconds that the one that waited for it does not see. */
static void
assert_unread (Asked *asked, guint cgroup, const Count *count, guint64 used_ns)
{
  guint64 all_ns = 0, unread_ns = 0;
  gboolean is_all;

  g_assert_true (jm_cgroup_kernel_reader_find_unread (asked->reader, cgroup, &all_ns,
                                                      &unread_ns, &is_all));
  g_assert_cmpuint (unread_ns, <=, used_ns + ENDING_NS);
  if (is_all)
    g_assert_cmpuint (unread_ns, >=, (guint64) count->burnt_ns / 100 * 95);
}

static void
burn_beside_another (const char *hierarchy, Asked *(*ask) (void) )
{
  const char *const hierarchies[] = { hierarchy, NULL };
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  g_autofree char *job = NULL;
  g_autofree char *other = NULL;
  Count *counts[] = { share_count (), share_count () };
  guint64 used_ns, all_ns, unread_ns;
  gboolean is_all;
  guint cgroup, other_cgroup;
  pid_t pid, beside;

  if (!ground_begin (&ground, hierarchies))
    return;

  ground_make (&ground, hierarchy, "/job_1");
  ground_make (&ground, hierarchy, "/job_2");
  asked = ask ();
  jm_cgroup_kernel_reader_weigh_removed (asked->reader);
  job = ground_path (&ground, "/job_1");
  other = ground_path (&ground, "/job_2");
  cgroup = asked_open_and_read (asked, job, JM_SUBJECT_KIND_JOB);
  other_cgroup = asked_open_and_read (asked, other, JM_SUBJECT_KIND_JOB);
  pid = start_burning (&ground, hierarchy, "/job_1", counts[0]);
  beside = start_burning (&ground, hierarchy, "/job_2", counts[1]);

  used_ns = wait_for (pid);
  remove_soon (&ground, hierarchy, "/job_1");
  assert_unread (asked, cgroup, counts[0], used_ns);
  g_assert_false (jm_cgroup_kernel_reader_find_unread (asked->reader, other_cgroup,
                                                       &all_ns, &unread_ns, &is_all));
  wait_for (beside);
}

static void
test_v1_knows_from_above_what_a_removed_cgroup_used (void)
{
  burn_beside_another ("cpuacct", ask_v1);
}

static void
test_v2_knows_from_above_what_a_removed_cgroup_used (void)
{
  burn_beside_another ("unified", ask_v2);
}

static void
test_what_was_read_before_is_not_unread (void)
{
  const char *const hierarchies[] = { "cpuacct", NULL };
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  g_autofree char *job = NULL;
  Count *count = share_count ();
  guint64 all_ns, unread_ns = 1;
  gboolean is_all = FALSE;
  guint cgroup;

  if (!ground_begin (&ground, hierarchies))
    return;

  ground_make (&ground, "cpuacct", "/job_1");
  asked = ask_v1 ();
  jm_cgroup_kernel_reader_weigh_removed (asked->reader);
  job = ground_path (&ground, "/job_1");
  cgroup = asked_open_and_read (asked, job, JM_SUBJECT_KIND_JOB);
  wait_for (start_burning (&ground, "cpuacct", "/job_1", count));
  asked_read (asked, cgroup);
  assert_between (asked, JM_METRIC_CPU_TOTAL, count->burnt_ns, 10 * BURN_NS);

  remove_soon (&ground, "cpuacct", "/job_1");
  g_assert_true (jm_cgroup_kernel_reader_find_unread (asked->reader, cgroup, &all_ns,
                                                      &unread_ns, &is_all));
  g_assert_cmpuint (unread_ns, <=, 20 * 1000000);
  g_assert_true (is_all);
}

/* Slurm removes a user's cgroup with that of the last job. */
static void
test_a_cgroup_that_is_removed_with_the_one_above_is_known_too (void)
{
  const char *const hierarchies[] = { "cpuacct", NULL };
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  g_autofree char *job = NULL;
  Count *count = share_count ();
  guint64 used_ns;
  guint cgroup;

  if (!ground_begin (&ground, hierarchies))
    return;

  ground_make (&ground, "cpuacct", "/uid_1");
  ground_make (&ground, "cpuacct", "/uid_1/job_1");
  asked = ask_v1 ();
  jm_cgroup_kernel_reader_weigh_removed (asked->reader);
  job = ground_path (&ground, "/uid_1/job_1");
  cgroup = asked_open_and_read (asked, job, JM_SUBJECT_KIND_JOB);
  used_ns = wait_for (start_burning (&ground, "cpuacct", "/uid_1/job_1", count));
  remove_soon (&ground, "cpuacct", "/uid_1/job_1");
  ground_remove (&ground, "cpuacct", "/uid_1");
  assert_unread (asked, cgroup, count, used_ns);
}

/* Another one of the same name has its own CPU time; one that nobody saw may have used
 * what is missing. */
static void
test_a_cgroup_is_charged_with_no_other_s_cpu_time (void)
{
  const char *const hierarchies[] = { "cpuacct", NULL };
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  g_autofree char *job = NULL;
  Count *count = share_count ();
  guint64 used_ns, all_ns, unread_ns = 0;
  gboolean is_all;
  guint cgroup;

  if (!ground_begin (&ground, hierarchies))
    return;

  ground_make (&ground, "cpuacct", "/job_1");
  asked = ask_v1 ();
  jm_cgroup_kernel_reader_weigh_removed (asked->reader);
  job = ground_path (&ground, "/job_1");
  cgroup = asked_open_and_read (asked, job, JM_SUBJECT_KIND_JOB);
  ground_remove (&ground, "cpuacct", "/job_1");

  ground_make (&ground, "cpuacct", "/job_1");
  used_ns = wait_for (start_burning (&ground, "cpuacct", "/job_1", count));
  remove_soon (&ground, "cpuacct", "/job_1");
  g_assert_cmpuint (used_ns, >=, BURN_NS);
  if (jm_cgroup_kernel_reader_find_unread (asked->reader, cgroup, &all_ns, &unread_ns,
                                           &is_all))
    g_assert_cmpuint (unread_ns, <, BURN_NS / 10);
}

/* A process in a cgroup that burns only when it is woken. */
static pid_t
start_stopped (const Ground *ground, const char *hierarchy, Count *count)
{
  g_autofree char *procs =
    g_strconcat ("/sys/fs/cgroup/", hierarchy, ground->path, "/cgroup.procs", NULL);
  pid_t pid = fork ();
  int status;

  if (pid == 0)
    {
      if (!g_file_set_contents_full (procs, "0", 1, G_FILE_SET_CONTENTS_NONE, 0644,
                                     NULL))
        _exit (1);
      raise (SIGSTOP);
      burn (count);
      _exit (0);
    }

  g_assert_cmpint (pid, >, 0);
  g_assert_cmpint (waitpid (pid, &status, WUNTRACED), ==, pid);
  g_assert_true (WIFSTOPPED (status));

  return pid;
}

static void
assert_sleep_is_known (const char *hierarchy, Asked *(*ask) (void) )
{
  const char *const hierarchies[] = { hierarchy, NULL };
  g_auto (Ground) ground = { NULL };
  g_autoptr (Asked) asked = NULL;
  Count *count = share_count ();
  guint cgroup;
  pid_t pid;

  if (!ground_begin (&ground, hierarchies))
    return;

  pid = start_stopped (&ground, hierarchy, count);
  asked = ask ();
  cgroup = asked_open (asked, ground.path, JM_SUBJECT_KIND_STEP);
  g_assert_false (jm_cgroup_kernel_reader_has_slept (asked->reader, cgroup));
  /* it is heard of a moment before it stops */
  while (!jm_cgroup_kernel_reader_has_slept (asked->reader, cgroup))
    g_usleep (1000);
  g_assert_true (jm_cgroup_kernel_reader_has_slept (asked->reader, cgroup));

  g_assert_cmpint (kill (pid, SIGCONT), ==, 0);
  g_assert_cmpuint (wait_for (pid), >=, BURN_NS);
  g_assert_false (jm_cgroup_kernel_reader_has_slept (asked->reader, cgroup));

  remove_soon (&ground, hierarchy, "");
  g_assert_false (jm_cgroup_kernel_reader_has_slept (asked->reader, cgroup));
}

static void
test_v1_knows_which_cgroups_have_slept (void)
{
  assert_sleep_is_known ("cpuacct", ask_v1);
}

static void
test_v2_knows_which_cgroups_have_slept (void)
{
  assert_sleep_is_known ("unified", ask_v2);
}

#define TEST(name)                                                                     \
 {                                                                                     \
  "/cgroup/live/" #name, test_##name                                                   \
 }

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    GTestFunc func;
  } tests[] = {
    TEST (births_and_deaths_are_heard_of),
    TEST (a_name_that_comes_again_is_watched_again),
    TEST (a_name_that_came_again_unnoticed_is_reported),
    TEST (watches_end_with_their_cgroups_in_every_hierarchy),
    TEST (what_came_below_a_late_directory_is_found),
    TEST (a_cgroup_that_was_removed_is_absent),
    TEST (a_cgroup_of_the_same_name_is_another_one),
    TEST (a_directory_that_comes_a_moment_later_is_read_too),
    TEST (what_a_process_burnt_and_touched_is_what_v1_reports),
    TEST (processes_killed_in_a_task_are_those_of_its_step_and_job),
    TEST (v1_reports_at_once_when_the_process_that_was_listed_went),
    TEST (v1_reports_at_once_when_the_process_that_was_noted_went),
    TEST (v2_reports_at_once_when_the_last_process_went),
    TEST (a_cgroup_of_v2_that_was_removed_is_absent),
    TEST (v1_knows_from_above_what_a_removed_cgroup_used),
    TEST (v2_knows_from_above_what_a_removed_cgroup_used),
    TEST (what_was_read_before_is_not_unread),
    TEST (a_cgroup_that_is_removed_with_the_one_above_is_known_too),
    TEST (a_cgroup_is_charged_with_no_other_s_cpu_time),
    TEST (v1_knows_which_cgroups_have_slept),
    TEST (v2_knows_which_cgroups_have_slept),
  };

  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_func (tests[i].path, tests[i].func);

  return g_test_run ();
}
