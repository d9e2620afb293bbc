/* short-job.c: a job of a known length that does what real ones do
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Of each slice it works for its share, and sleeps for the rest. */
#define SLICE_SECONDS 0.02
/* More than any limit that its callers set. */
#define MEMORY_BYTES ((size_t) 256 << 20)
#define STEP_BYTES ((size_t) 1 << 20)

typedef struct
{
  double seconds;
  double duty; /* CPU seconds in a second */
  char kind[16];
} Plan;

static double
now (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);

  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static void
burn (double seconds)
{
  double end = now (CLOCK_PROCESS_CPUTIME_ID) + seconds;

  while (now (CLOCK_PROCESS_CPUTIME_ID) < end)
    for (volatile int i = 0; i < 2000; i++)
      continue;
}

static void
burn_in_a_child (double seconds)
{
  pid_t child = fork ();

  if (child == 0)
    {
      burn (seconds);
      _exit (0);
    }
  if (child > 0)
    waitpid (child, NULL, 0);
}

static void
rest (double until)
{
  double left = until - now (CLOCK_MONOTONIC);
  struct timespec time = { .tv_sec = (time_t) left };

  if (left <= 0)
    return;

  time.tv_nsec = (long) ((left - (double) time.tv_sec) * 1e9);
  nanosleep (&time, NULL);
}

static void
work (const Plan *plan, double end)
{
  int forks = strcmp (plan->kind, "forks") == 0;
  double begin = now (CLOCK_MONOTONIC);

  while (begin < end)
    {
      double next = begin + SLICE_SECONDS < end ? begin + SLICE_SECONDS : end;
      double seconds = plan->duty * (next - begin);

      if (forks)
        burn_in_a_child (seconds);
      else
        burn (seconds);
      rest (next);
      begin = now (CLOCK_MONOTONIC);
    }
}

static void
eat_memory (void)
{
  char *memory = mmap (NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED)
    return;
  for (size_t i = 0; i < MEMORY_BYTES; i += STEP_BYTES)
    memset (memory + i, 1, STEP_BYTES);
}

static void
run (const Plan *plan)
{
  work (plan, now (CLOCK_MONOTONIC) + plan->seconds);
  if (strcmp (plan->kind, "memory") == 0)
    eat_memory ();
  if (strcmp (plan->kind, "killed") == 0)
    raise (SIGKILL);
}

static int
join (const char *procs)
{
  int fd = open (procs, O_WRONLY | O_CLOEXEC);
  ssize_t written = fd >= 0 ? write (fd, "0", 1) : -1;

  if (written != 1)
    perror (procs);
  if (fd >= 0)
    close (fd);

  return written == 1;
}

static int
read_plan (const char *path, int index, Plan *plan)
{
  FILE *file = fopen (path, "re");
  int fields = 0;

  if (file == NULL)
    {
      perror (path);
      return 0;
    }
  for (int i = 0; i <= index; i++)
    fields = fscanf (file, "%lf %lf %15s", &plan->seconds, &plan->duty, plan->kind);
  fclose (file);
  if (fields != 3)
    fprintf (stderr, "%s: no line %d\n", path, index);

  return fields == 3;
}

int
main (int argc, char **argv)
{
  Plan plan;

  if (argc < 3)
    {
      fputs ("usage: short-job PLANS INDEX [CGROUP.PROCS ...]\n", stderr);
      return 2;
    }
  if (!read_plan (argv[1], atoi (argv[2]), &plan))
    return 2;
  for (int i = 3; i < argc; i++)
    if (!join (argv[i]))
      return 2;

  run (&plan);

  return 0;
}
