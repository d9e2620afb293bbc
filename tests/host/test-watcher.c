/* test-watcher.c: births, deaths and changes, as the kernel reports them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "host/jm-watcher-private.h"

#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "tree.h"

typedef struct
{
  Tree *tree;
  JmHost *host;
  JmWatcher *watcher;
  GString *story; /* what the watcher reported, one word for each event */
  gint64 time_us;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  self->tree = tree_new ();
  self->host = jm_host_new (self->tree->root);
  self->story = g_string_new (NULL);
  self->watcher = jm_watcher_new (self->host, &error);
  g_assert_no_error (error);
  tree_make_dir (self->tree, "sys/fs/cgroup/job_1");
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  jm_watcher_free (self->watcher);
  g_string_free (self->story, TRUE);
  g_assert_finalize_object (self->host);
  tree_free (self->tree);
}

static void
tell (int id, JmWatchEvents events, const char *name, gpointer user_data)
{
  Fixture *self = user_data;

  g_string_append_printf (self->story, "%s%s%s%s%s:%s ",
                          events & JM_WATCH_CREATED ? "created" : "",
                          events & JM_WATCH_DELETED ? "deleted" : "",
                          events & JM_WATCH_MODIFIED ? "modified" : "",
                          events & JM_WATCH_GONE ? "gone" : "",
                          events & JM_WATCH_DIRECTORY ? "-directory" : "",
                          name != NULL ? name : "");
  if (events & JM_WATCH_OVERFLOW)
    g_string_assign (self->story, id == -1 ? "overflow" : "wrong id");
}

static const char *
take (Fixture *self)
{
  g_string_truncate (self->story, 0);
  jm_watcher_take (self->watcher, tell, self);
  return self->story->str;
}

static int
watch_job (Fixture *self)
{
  g_autoptr (GError) error = NULL;
  int id = jm_watcher_add_directory (self->watcher, "/sys/fs/cgroup/job_1", &error);

  g_assert_no_error (error);
  g_assert_cmpint (id, >, 0);
  return id;
}

static void
test_reports_what_comes_and_goes_in_a_directory (Fixture *self, gconstpointer data)
{
  watch_job (self);
  tree_make_dir (self->tree, "sys/fs/cgroup/job_1/step_0");
  tree_remove (self->tree, "sys/fs/cgroup/job_1/step_0");

  g_assert_cmpstr (take (self), ==,
                   "created-directory:step_0 deleted-directory:step_0 ");
  g_assert_cmpstr (take (self), ==, "");
}

static void
test_reports_a_property_file_that_is_moved_into_place (Fixture *self,
                                                       gconstpointer data)
{
  g_autofree char *from = tree_path (self->tree, "draft");
  g_autofree char *to = tree_path (self->tree, "sys/fs/cgroup/job_1/42");

  tree_write (self->tree, "draft", "user=alice\n");
  watch_job (self);
  g_assert_cmpint (g_rename (from, to), ==, 0);

  g_assert_cmpstr (take (self), ==, "created:42 ");
}

static void
test_reports_a_file_that_changed (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = tree_path (self->tree, "events");
  FILE *stream;

  tree_write (self->tree, "events", "populated 1\n");
  g_assert_cmpint (jm_watcher_add_file (self->watcher, "/events", &error), >, 0);
  g_assert_no_error (error);

  stream = g_fopen (path, "r+");
  g_assert_nonnull (stream);
  fputs ("populated 0\n", stream);
  fclose (stream);

  g_assert_cmpstr (take (self), ==, "modified: ");
}

static void
test_reports_that_the_watched_directory_went (Fixture *self, gconstpointer data)
{
  int id = watch_job (self);

  tree_remove (self->tree, "sys/fs/cgroup/job_1");
  g_assert_cmpstr (take (self), ==, "gone: ");

  jm_watcher_remove (self->watcher, id);
  g_assert_cmpstr (take (self), ==, "");
}

static void
test_reports_nothing_of_a_removed_watch_but_its_end (Fixture *self, gconstpointer data)
{
  jm_watcher_remove (self->watcher, watch_job (self));
  tree_make_dir (self->tree, "sys/fs/cgroup/job_1/step_0");

  g_assert_cmpstr (take (self), ==, "gone: ");
}

static void
test_a_directory_watched_twice_is_one_watch (Fixture *self, gconstpointer data)
{
  g_assert_cmpint (watch_job (self), ==, watch_job (self));
}

static void
test_polls_readable_when_something_happened (Fixture *self, gconstpointer data)
{
  struct pollfd poll_fd = { jm_watcher_get_fd (self->watcher), POLLIN, 0 };

  watch_job (self);
  g_assert_cmpint (poll (&poll_fd, 1, 0), ==, 0);
  tree_make_dir (self->tree, "sys/fs/cgroup/job_1/step_0");
  g_assert_cmpint (poll (&poll_fd, 1, 0), ==, 1);
}

static void
note_time (int id, JmWatchEvents events, const char *name, gpointer user_data)
{
  Fixture *self = user_data;

  tell (id, events, name, user_data);
  self->time_us = jm_watcher_get_time (self->watcher);
}

/* Who asks may hang: the thread of the watcher does not. */
static void
test_knows_when_it_happened_however_late_it_is_asked (Fixture *self, gconstpointer data)
{
  struct pollfd poll_fd = { jm_watcher_get_fd (self->watcher), POLLIN, 0 };
  gint64 before_us, heard_us;

  jm_watcher_start (self->watcher);
  watch_job (self);
  g_assert_cmpint (poll (&poll_fd, 1, 0), ==, 0);
  before_us = g_get_real_time ();
  tree_make_dir (self->tree, "sys/fs/cgroup/job_1/step_0");
  g_assert_cmpint (poll (&poll_fd, 1, -1), ==, 1);
  heard_us = g_get_real_time ();
  while (g_get_real_time () < heard_us + 1000)
    continue;
  jm_watcher_take (self->watcher, note_time, self);
  g_assert_cmpstr (self->story->str, ==, "created-directory:step_0 ");
  g_assert_cmpint (self->time_us, >=, before_us);
  g_assert_cmpint (self->time_us, <=, heard_us);
  g_assert_cmpint (poll (&poll_fd, 1, 0), ==, 0);
}

static void
note_found (int id, JmWatchEvents events, const char *name, gpointer user_data)
{
  Fixture *self = user_data;

  if (events & JM_WATCH_FOUND)
    g_string_append_printf (self->story, "found:%s ", name);
  else
    tell (id, events, name, user_data);
}

/* As the kernel counts them. */
static guint
count_watches (void)
{
  g_autoptr (GDir) files = g_dir_open ("/proc/self/fdinfo", 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (files)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/fdinfo", name, NULL);
      g_autofree char *text = NULL;

      if (!g_file_get_contents (path, &text, NULL, NULL))
        continue;
      for (const char *at = text; (at = strstr (at, "inotify wd:")) != NULL; at++)
        n++;
    }

  return n;
}

/* Nobody asks, and so the thread watches what is new. */
static void
test_hears_what_comes_and_goes_in_what_is_new (Fixture *self, gconstpointer data)
{
  gint64 until_us = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  jm_watcher_start (self->watcher);
  watch_job (self);
  tree_make_dir (self->tree, "sys/fs/cgroup/job_1/step_0/first");
  while (count_watches () < 3)
    g_assert_cmpint (g_get_monotonic_time (), <, until_us);
  tree_make_dir (self->tree, "sys/fs/cgroup/job_1/step_0/second");
  tree_remove (self->tree, "sys/fs/cgroup/job_1/step_0/second");
  jm_watcher_take (self->watcher, note_found, self);
  g_assert_cmpstr (self->story->str, ==,
                   "created-directory:step_0 found:step_0 created-directory:first "
                   "found:first created-directory:second deleted-directory:second ");
}

static pid_t
start_process (void)
{
  pid_t pid = fork ();

  if (pid == 0)
    for (;;)
      pause ();
  g_assert_cmpint (pid, >, 0);

  return pid;
}

static void
end_process (pid_t pid)
{
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
}

static void
tell_end (int id, JmWatchEvents events, const char *name, gpointer user_data)
{
  int *ended = user_data;

  g_assert_cmpuint (events, ==, JM_WATCH_ENDED);
  g_assert_null (name);
  *ended = id;
}

static void
test_reports_once_that_a_process_ended (Fixture *self, gconstpointer data)
{
  struct pollfd poll_fd = { jm_watcher_get_fd (self->watcher), POLLIN, 0 };
  pid_t first = start_process ();
  pid_t second = start_process ();
  int id = jm_watcher_add_process (self->watcher, (guint) first);
  int ended = -1;

  if (id < 0)
    {
      g_test_skip ("this kernel does not watch processes");
      end_process (first);
      end_process (second);
      return;
    }

  g_assert_cmpint (jm_watcher_add_process (self->watcher, (guint) second), >=, 0);
  g_assert_cmpint (poll (&poll_fd, 1, 0), ==, 0);
  end_process (first);
  g_assert_cmpint (poll (&poll_fd, 1, -1), ==, 1);
  g_assert_cmpuint (jm_watcher_take (self->watcher, tell_end, &ended), ==, 1);
  g_assert_cmpint (ended, ==, id);

  g_assert_cmpint (poll (&poll_fd, 1, 0), ==, 0);
  g_assert_cmpuint (jm_watcher_take (self->watcher, tell_end, &ended), ==, 0);
  g_assert_cmpint (jm_watcher_add_process (self->watcher, (guint) first), ==, -1);
  end_process (second);
}

static void
test_reports_nothing_of_a_process_that_is_watched_no_more (Fixture *self,
                                                           gconstpointer data)
{
  pid_t pid = start_process ();

  jm_watcher_remove (self->watcher,
                     jm_watcher_add_process (self->watcher, (guint) pid));
  end_process (pid);

  g_assert_cmpstr (take (self), ==, "");
}

static void
test_what_is_missing_or_not_a_directory_is_absent (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (jm_watcher_add_directory (self->watcher, "/none", &error), ==, -1);
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_clear_error (&error);

  tree_write (self->tree, "file", "");
  g_assert_cmpint (jm_watcher_add_directory (self->watcher, "/file", &error), ==, -1);
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static guint
queue_length (void)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents ("/proc/sys/fs/inotify/max_queued_events", &text, NULL,
                            NULL))
    return 0;

  return (guint) g_ascii_strtoull (text, NULL, 10);
}

static void
test_says_that_events_were_lost (Fixture *self, gconstpointer data)
{
  g_autofree char *first = tree_path (self->tree, "sys/fs/cgroup/job_1/a");
  g_autofree char *second = tree_path (self->tree, "sys/fs/cgroup/job_1/b");
  guint n_events = queue_length ();

  if (n_events == 0 || n_events > 100000)
    {
      g_test_skip ("the kernel's queue of events is unknown or too long to fill");
      return;
    }

  watch_job (self);
  tree_write (self->tree, "sys/fs/cgroup/job_1/a", "");
  for (guint i = 0; i <= n_events / 4; i++)
    {
      g_assert_cmpint (g_rename (first, second), ==, 0);
      g_assert_cmpint (g_rename (second, first), ==, 0);
    }

  g_assert_cmpstr (take (self), ==, "overflow");
}

#define ADD(path, function)                                                            \
 g_test_add ("/watcher/" path, Fixture, NULL, set_up, test_##function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("directory", reports_what_comes_and_goes_in_a_directory);
  ADD ("moved", reports_a_property_file_that_is_moved_into_place);
  ADD ("file", reports_a_file_that_changed);
  ADD ("gone", reports_that_the_watched_directory_went);
  ADD ("removed", reports_nothing_of_a_removed_watch_but_its_end);
  ADD ("twice", a_directory_watched_twice_is_one_watch);
  ADD ("poll", polls_readable_when_something_happened);
  ADD ("late", knows_when_it_happened_however_late_it_is_asked);
  ADD ("new", hears_what_comes_and_goes_in_what_is_new);
  ADD ("process", reports_once_that_a_process_ended);
  ADD ("process-removed", reports_nothing_of_a_process_that_is_watched_no_more);
  ADD ("absent", what_is_missing_or_not_a_directory_is_absent);
  ADD ("overflow", says_that_events_were_lost);

  return g_test_run ();
}
