/* test-percpu-source.c: how long jobs ran on each CPU, where no file reports it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/counters/jm-counter-types-private.h"

#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "asked.h"
#include "base/jm-error.h"
#include "ground.h"

#define MS G_GUINT64_CONSTANT (1000000)
#define SPIN_MS 150
#define NOBODY 65534
#define MAX_PLACES 2000

/* --- what a source reported last --- */

static JmCounterSource *
open_source (JmHost *host, const char *dir, GError **error)
{
  g_autofree char *mount = g_path_get_dirname (dir);

  return (JmCounterSource *) jm_percpu_source_new (host, mount, error);
}

/* On a CPU, or on all; 0 where nothing was reported of it. */
static guint64
get_ns (Asked *self, int cpu)
{
  guint n;
  const JmReading *values = jm_readings_get_values (self->readings, &n);
  g_autofree char *name = g_strdup_printf ("%d", cpu);
  guint64 sum = 0;

  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (values[i].metric, ==, JM_METRIC_PERCPU);
      g_assert_cmpuint (values[i].value, >, 0);
      if (cpu < 0 || g_str_equal (jm_labels_get_value (values[i].labels, 0), name))
        sum += values[i].value;
    }

  return sum;
}

/* --- processes --- */

typedef struct
{
  int cpus[2]; /* the first and the last on which we may run */
} Cpus;

static Cpus
find_cpus (void)
{
  Cpus cpus = { { -1, -1 } };
  cpu_set_t set;

  g_assert_cmpint (sched_getaffinity (0, sizeof set, &set), ==, 0);
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET (i, &set))
      {
        cpus.cpus[0] = cpus.cpus[0] < 0 ? i : cpus.cpus[0];
        cpus.cpus[1] = i;
      }

  return cpus;
}

static guint64
get_used_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);

  return (guint64) now.tv_sec * 1000 * MS + (guint64) now.tv_nsec;
}

static void
spin_on (gconstpointer user_data)
{
  cpu_set_t set;

  CPU_ZERO (&set);
  CPU_SET (*(const int *) user_data, &set);
  if (sched_setaffinity (0, sizeof set, &set) != 0)
    _exit (2);
  while (get_used_ns () < SPIN_MS * MS)
    continue;
}

/* What the kernel's own file says of all CPUs together. */
static guint64
read_usage_ns (const char *dir)
{
  g_autofree char *path = g_build_filename (dir, "cpu.stat", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (text, "usage_usec "));

  return g_ascii_strtoull (text + strlen ("usage_usec "), NULL, 10) * 1000;
}

static void
assert_is_what_the_kernel_counted (Asked *asked, const char *dir)
{
  guint64 usage_ns = read_usage_ns (dir);
  guint64 sum_ns = get_ns (asked, -1);

  /* microseconds are rounded down */
  g_assert_cmpuint (sum_ns / 1000 * 1000, ==, usage_ns);
}

/* --- situations --- */

static void
test_time_is_reported_where_it_was_spent (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };
  Cpus cpus = find_cpus ();

  if (ground == NULL || !asked_open (&asked, open_source, ground_get_dir (ground)))
    return;

  asked_ask (&asked);
  g_assert_cmpuint (get_ns (&asked, -1), ==, 0);

  ground_work (ground, NULL, spin_on, &cpus.cpus[0]);
  asked_ask (&asked);
  g_assert_cmpuint (get_ns (&asked, cpus.cpus[0]), >=, (SPIN_MS - 20) * MS);
  assert_is_what_the_kernel_counted (&asked, ground_get_dir (ground));
  g_assert_cmpuint (jm_readings_get_placed (asked.readings)->len, >,
                    (guint) cpus.cpus[0]);

  ground_work (ground, NULL, spin_on, &cpus.cpus[1]);
  asked_ask (&asked);
  g_assert_cmpuint (get_ns (&asked, cpus.cpus[1]), >=, (SPIN_MS - 20) * MS);
  assert_is_what_the_kernel_counted (&asked, ground_get_dir (ground));
}

static void
test_what_ran_below_stays_when_that_is_removed (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };
  Cpus cpus = find_cpus ();
  guint64 before_ns;

  if (ground == NULL || !asked_open (&asked, open_source, ground_get_dir (ground)))
    return;

  ground_work (ground, "step", spin_on, &cpus.cpus[1]);
  asked_ask (&asked);
  before_ns = get_ns (&asked, cpus.cpus[1]);
  g_assert_cmpuint (before_ns, >=, (SPIN_MS - 20) * MS);

  ground_remove_below (ground);
  asked_ask (&asked);
  g_assert_cmpuint (get_ns (&asked, cpus.cpus[1]), ==, before_ns);
  assert_is_what_the_kernel_counted (&asked, ground_get_dir (ground));
}

static void
test_one_that_was_not_there_in_the_round_is_absent (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };
  g_autoptr (GError) error = NULL;

  if (ground == NULL || !asked_open (&asked, open_source, ground_get_dir (ground)))
    return;

  g_assert_false (
    jm_counter_source_read (asked.source, asked.cgroup, asked.readings, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);

  asked_ask (&asked);
}

static void
test_says_when_there_is_no_more_room (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };
  g_autoptr (GPtrArray) opened = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  const char *dir;
  gpointer one;

  if (ground == NULL || !asked_open (&asked, open_source, ground_get_dir (ground)))
    return;

  /* the same one again and again takes as much room as others */
  dir = ground_get_dir (ground);
  while (opened->len < MAX_PLACES &&
         (one = jm_counter_source_open_cgroup (asked.source, dir, &error)) != NULL)
    g_ptr_array_add (opened, one);
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "no room for more than 1024"));
  g_assert_cmpuint (opened->len, ==, 1023);
  for (guint i = 0; i < opened->len; i++)
    jm_counter_source_close_cgroup (asked.source, opened->pdata[i]);

  g_clear_error (&error);
  one = jm_counter_source_open_cgroup (asked.source, dir, &error);
  g_assert_no_error (error);

  /* who opened it last is notified of it, whoever closes it */
  jm_counter_source_close_cgroup (asked.source, asked.cgroup);
  asked.cgroup = one;
  asked_ask (&asked);
}

static void
test_says_that_rights_are_missing (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };
  pid_t pid;
  int status;

  if (ground == NULL || !asked_open (&asked, open_source, ground_get_dir (ground)))
    return;

  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      g_autoptr (GError) error = NULL;

      if (setgid (NOBODY) != 0 || setuid (NOBODY) != 0)
        _exit (90);
      _exit (open_source (asked.host, ground_get_dir (ground), &error) == NULL &&
                 g_error_matches (error, JM_ERROR, JM_ERROR_DENIED)
               ? 0
               : 91);
    }

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
}

static void
test_is_absent_in_a_copied_tree (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHost) host = jm_host_new ("/var/empty/nothing");

  g_assert_null (jm_percpu_source_new (host, "/sys/fs/cgroup", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/percpu-source/time-is-reported-where-it-was-spent",
                   test_time_is_reported_where_it_was_spent);
  g_test_add_func ("/percpu-source/what-ran-below-stays-when-that-is-removed",
                   test_what_ran_below_stays_when_that_is_removed);
  g_test_add_func ("/percpu-source/one-that-was-not-there-in-the-round-is-absent",
                   test_one_that_was_not_there_in_the_round_is_absent);
  g_test_add_func ("/percpu-source/says-when-there-is-no-more-room",
                   test_says_when_there_is_no_more_room);
  g_test_add_func ("/percpu-source/says-that-rights-are-missing",
                   test_says_that_rights_are_missing);
  g_test_add_func ("/percpu-source/is-absent-in-a-copied-tree",
                   test_is_absent_in_a_copied_tree);

  return g_test_run ();
}
