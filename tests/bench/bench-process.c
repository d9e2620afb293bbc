/* bench-process.c: what the kernel reports of another process
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "bench-process.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench-calls.h"

typedef void (*TaskFunc) (pid_t tid, gpointer user_data);

double
bench_process_get_cpu_us (pid_t pid)
{
  struct timespec now;
  clockid_t clock;

  if (clock_getcpuclockid (pid, &clock) != 0 || clock_gettime (clock, &now) != 0)
    return NAN;

  return (double) now.tv_sec * 1e6 + (double) now.tv_nsec / 1e3;
}

/* The number behind @key in a status file, or 0. */
static guint64
find_number (const char *path, const char *key)
{
  g_autofree char *text = NULL;
  const char *found;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;

  found = strstr (text, key);
  return found != NULL ? g_ascii_strtoull (found + strlen (key), NULL, 10) : 0;
}

guint64
bench_process_get_resident_kib (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/status", (int) pid);

  return find_number (path, "\nVmRSS:");
}

guint64
bench_process_get_proportional_kib (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/smaps_rollup", (int) pid);

  return find_number (path, "\nPss:");
}

guint64
bench_process_get_peak_kib (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/status", (int) pid);

  return find_number (path, "\nVmHWM:");
}

void
bench_process_forget_peak (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/clear_refs", (int) pid);
  FILE *file = fopen (path, "we");

  if (file == NULL)
    return;
  fputs ("5", file);
  fclose (file);
}

static void
foreach_task (pid_t pid, TaskFunc func, gpointer user_data)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task", (int) pid);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    func ((pid_t) g_ascii_strtoull (name, NULL, 10), user_data);
}

static void
add_sleeps (pid_t tid, gpointer user_data)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/status", (int) tid);
  guint64 *n_sleeps = user_data;

  *n_sleeps += find_number (path, "\nvoluntary_ctxt_switches:");
}

guint64
bench_process_get_sleeps (pid_t pid)
{
  guint64 n_sleeps = 0;

  foreach_task (pid, add_sleeps, &n_sleeps);
  return n_sleeps;
}

static void
add_counter (pid_t tid, gpointer user_data)
{
  GArray *counters = user_data;
  int fd = bench_calls_open (tid);

  if (fd >= 0)
    g_array_append_val (counters, fd);
}

static void
close_counter (gpointer data)
{
  close (*(int *) data);
}

GArray *
bench_process_open_calls (pid_t pid)
{
  GArray *counters = g_array_new (FALSE, FALSE, sizeof (int));

  g_array_set_clear_func (counters, close_counter);
  foreach_task (pid, add_counter, counters);

  return counters;
}
