/* bench-load.c: a process of a job that works, and says what that took
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "bench-load.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define N_NUMBERS (32 * 1024)

struct _BenchLoad
{
  pid_t pid;
  int requests;
  int replies;
};

typedef struct
{
  BenchLoadKind kind;
  guint amount;
} Request;

/* --- in the child --- */

static double
get_cpu_us (void)
{
  struct rusage children;
  struct timespec own;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &own);
  getrusage (RUSAGE_CHILDREN, &children);

  return (double) own.tv_sec * 1e6 + (double) own.tv_nsec / 1e3 +
         (double) (children.ru_utime.tv_sec + children.ru_stime.tv_sec) * 1e6 +
         (double) (children.ru_utime.tv_usec + children.ru_stime.tv_usec);
}

static void
compute (guint amount)
{
  static volatile double numbers[N_NUMBERS];

  for (guint i = 0; i < amount; i++)
    for (guint k = 0; k < N_NUMBERS; k++)
      numbers[k] = numbers[k] * 0.999 + k;
}

static void
fork_processes (guint amount)
{
  for (guint i = 0; i < amount; i++)
    {
      pid_t pid = fork ();

      if (pid == 0)
        _exit (0);
      waitpid (pid, NULL, 0);
    }
}

static BenchLoadCost
work (const Request *request)
{
  BenchLoadCost before = { get_cpu_us (), (double) g_get_monotonic_time () };

  if (request->kind == BENCH_LOAD_COMPUTE)
    compute (request->amount);
  else
    fork_processes (request->amount);

  return (BenchLoadCost){ get_cpu_us () - before.cpu_us,
                          (double) g_get_monotonic_time () - before.wall_us };
}

static gboolean
enter (const char *processes)
{
  int fd = open (processes, O_WRONLY | O_CLOEXEC);
  gboolean is_in = fd >= 0 && write (fd, "0", 1) == 1;

  if (fd >= 0)
    close (fd);

  return is_in;
}

static void
serve (const char *processes, int requests, int replies)
{
  Request request;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (!enter (processes))
    _exit (1);

  while (read (requests, &request, sizeof request) == sizeof request)
    {
      BenchLoadCost cost = work (&request);

      if (write (replies, &cost, sizeof cost) != sizeof cost)
        break;
    }

  _exit (0);
}

/* --- in the parent --- */

BenchLoad *
bench_load_new (const char *processes)
{
  g_autofree BenchLoad *self = g_new0 (BenchLoad, 1);
  int requests[2];
  int replies[2];

  if (pipe2 (requests, O_CLOEXEC) != 0 || pipe2 (replies, O_CLOEXEC) != 0)
    return NULL;

  self->pid = fork ();
  if (self->pid == 0)
    {
      close (requests[1]);
      close (replies[0]);
      serve (processes, requests[0], replies[1]);
    }

  close (requests[0]);
  close (replies[1]);
  self->requests = requests[1];
  self->replies = replies[0];

  return self->pid > 0 ? g_steal_pointer (&self) : NULL;
}

void
bench_load_free (BenchLoad *self)
{
  close (self->requests);
  close (self->replies);
  waitpid (self->pid, NULL, 0);
  g_free (self);
}

BenchLoadCost
bench_load_run (BenchLoad *self, BenchLoadKind kind, guint amount)
{
  Request request = { kind, amount };
  BenchLoadCost cost;

  if (write (self->requests, &request, sizeof request) != sizeof request ||
      read (self->replies, &cost, sizeof cost) != sizeof cost)
    cost = (BenchLoadCost){ NAN, NAN };

  return cost;
}
