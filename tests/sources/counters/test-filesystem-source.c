/* test-filesystem-source.c: what jobs read and write of each file system
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/counters/jm-counter-types-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/uio.h>
#include <unistd.h>

#include "asked.h"
#include "base/jm-error.h"
#include "ground.h"
#include "tree.h"

#define N_WRITES 100
#define N_READS 40
#define N_OPENS 3
#define BYTES 4000

/* A file system of its own wherever there is Linux. */
#define MOUNT "/dev/shm"

/* --- what a source reported last --- */

static JmCounterSource *
open_source (JmHost *host, const char *dir, GError **error)
{
  return (JmCounterSource *) jm_filesystem_source_new (host, error);
}

/* Of the file system at MOUNT; 0 where nothing is reported of it. */
static guint64
get (Asked *self, JmMetric metric)
{
  guint n;
  const JmReading *readings = jm_readings_get_values (self->readings, &n);

  for (guint i = 0; i < n; i++)
    if (readings[i].metric == metric &&
        g_str_equal (jm_labels_get_value (readings[i].labels, 0), MOUNT))
      return readings[i].value;

  return 0;
}

/* --- a process and its files --- */

/* Calls of each kind, on a file of its own. */
static void
use_file (gconstpointer path)
{
  static char bytes[BYTES];
  struct iovec part = { bytes, sizeof bytes };
  int fd = open (path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);

  for (guint i = 0; i < N_WRITES; i++)
    if ((i % 2 == 0 ? write (fd, bytes, sizeof bytes) : writev (fd, &part, 1)) != BYTES)
      _exit (1);
  for (guint i = 0; i < N_READS; i++)
    if (pread (fd, bytes, sizeof bytes, i * BYTES) != BYTES)
      _exit (1);
  close (fd);

  for (guint i = 1; i < N_OPENS; i++)
    close (open (path, O_RDONLY | O_CLOEXEC));
}

/* A call of each kind that the file is not open for. */
static void
misuse_file (gconstpointer path)
{
  char byte = 0;
  int to_write = open (path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  int to_read = open (path, O_RDONLY | O_CLOEXEC);

  if (read (to_write, &byte, 1) != -1 || write (to_read, &byte, 1) != -1 ||
      pwrite (to_read, &byte, 1, 0) != -1)
    _exit (1);
  close (to_write);
  close (to_read);
}

static void
use_pipe (gconstpointer user_data)
{
  static char bytes[BYTES];
  int fds[2];

  if (pipe (fds) != 0 || write (fds[1], bytes, sizeof bytes) != BYTES ||
      read (fds[0], bytes, sizeof bytes) != BYTES)
    _exit (1);
}

static char *
name_file (void)
{
  return g_strdup_printf (MOUNT "/jm-test-%d", (int) getpid ());
}

/* --- situations --- */

static void
test_what_a_real_process_does_to_files_is_counted (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };
  g_autofree char *path = name_file ();

  if (ground == NULL || !asked_open (&asked, open_source, ground_get_dir (ground)))
    return;

  asked_ask (&asked);
  g_assert_cmpuint (get (&asked, JM_METRIC_FILESYSTEM_OPENS), ==, 0);

  ground_work (ground, NULL, use_file, path);
  g_remove (path);
  asked_ask (&asked);
  g_assert_cmpuint (get (&asked, JM_METRIC_FILESYSTEM_WRITES), ==, N_WRITES);
  g_assert_cmpuint (get (&asked, JM_METRIC_FILESYSTEM_WRITE_BYTES), ==,
                    N_WRITES * BYTES);
  g_assert_cmpuint (get (&asked, JM_METRIC_FILESYSTEM_READS), ==, N_READS);
  g_assert_cmpuint (get (&asked, JM_METRIC_FILESYSTEM_READ_BYTES), ==, N_READS * BYTES);
  g_assert_cmpuint (get (&asked, JM_METRIC_FILESYSTEM_OPENS), ==, N_OPENS);
  g_assert_cmpuint (get (&asked, JM_METRIC_FILESYSTEM_CREATES), ==, 1);
}

static void
test_calls_that_fail_are_errors (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };
  g_autofree char *path = name_file ();

  if (ground == NULL || !asked_open (&asked, open_source, ground_get_dir (ground)))
    return;

  ground_work (ground, NULL, misuse_file, path);
  g_remove (path);
  asked_ask (&asked);
  g_assert_cmpuint (get (&asked, JM_METRIC_FILESYSTEM_READ_ERRORS), ==, 1);
  g_assert_cmpuint (get (&asked, JM_METRIC_FILESYSTEM_WRITE_ERRORS), ==, 2);
  g_assert_cmpuint (get (&asked, JM_METRIC_FILESYSTEM_READS), ==, 0);
  g_assert_cmpuint (get (&asked, JM_METRIC_FILESYSTEM_WRITES), ==, 0);
}

static void
test_pipes_are_on_no_file_system (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };
  guint n;

  if (ground == NULL || !asked_open (&asked, open_source, ground_get_dir (ground)))
    return;

  ground_work (ground, NULL, use_pipe, NULL);
  asked_ask (&asked);
  jm_readings_get_values (asked.readings, &n);
  g_assert_cmpuint (n, ==, 0);
}

/* Of a job those in its steps. */
static void
test_cgroups_below_are_a_part_of_it_and_others_are_not (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };
  g_autofree char *path = name_file ();

  if (ground == NULL || !asked_open (&asked, open_source, ground_get_dir (ground)))
    return;

  use_file (path);
  asked_ask (&asked);
  g_assert_cmpuint (get (&asked, JM_METRIC_FILESYSTEM_WRITES), ==, 0);

  ground_work (ground, "step_0", use_file, path);
  g_remove (path);
  asked_ask (&asked);
  g_assert_cmpuint (get (&asked, JM_METRIC_FILESYSTEM_WRITES), ==, N_WRITES);
  /* it was there already */
  g_assert_cmpuint (get (&asked, JM_METRIC_FILESYSTEM_CREATES), ==, 0);
}

static void
test_one_that_is_closed_is_forgotten (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = name_file ();

  if (ground == NULL || !asked_open (&asked, open_source, ground_get_dir (ground)))
    return;

  ground_work (ground, NULL, use_file, path);
  jm_counter_source_close_cgroup (asked.source, asked.cgroup);
  ground_work (ground, NULL, use_file, path);
  g_remove (path);

  asked.cgroup =
    jm_counter_source_open_cgroup (asked.source, ground_get_dir (ground), &error);
  g_assert_no_error (error);
  asked_ask (&asked);
  g_assert_cmpuint (get (&asked, JM_METRIC_FILESYSTEM_WRITES), ==, 0);
}

static void
test_is_absent_on_a_copied_tree (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_filesystem_source_new (host, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

#define TEST(name)                                                                     \
 {                                                                                     \
  "/filesystem-source/" #name, test_##name                                             \
 }

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *path;
    void (*test) (void);
  } tests[] = {
    TEST (what_a_real_process_does_to_files_is_counted),
    TEST (calls_that_fail_are_errors),
    TEST (pipes_are_on_no_file_system),
    TEST (cgroups_below_are_a_part_of_it_and_others_are_not),
    TEST (one_that_is_closed_is_forgotten),
    TEST (is_absent_on_a_copied_tree),
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_func (tests[i].path, tests[i].test);

  return g_test_run ();
}
