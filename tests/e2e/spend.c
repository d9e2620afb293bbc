/* spend.c: a load whose CPU time and memory are known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_THREADS 64

static double
cpu_seconds (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);

  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static void *
spin (void *data)
{
  double seconds = *(double *) data;

  while (cpu_seconds (CLOCK_THREAD_CPUTIME_ID) < seconds)
    for (volatile int i = 0; i < 100000; i++)
      continue;

  return NULL;
}

static char *
fill (size_t megabytes)
{
  char *memory = malloc (megabytes << 20);

  if (memory != NULL)
    memset (memory, 1, megabytes << 20);

  return memory;
}

static int
spin_in_threads (double seconds, int n_threads)
{
  pthread_t threads[MAX_THREADS];

  for (int i = 0; i < n_threads; i++)
    if (pthread_create (&threads[i], NULL, spin, &seconds) != 0)
      return -1;
  for (int i = 0; i < n_threads; i++)
    pthread_join (threads[i], NULL);

  return 0;
}

/* Until SIGUSR1, so that who looks at it says when it has seen enough. */
static void
stay (const sigset_t *wake, time_t at_most_seconds)
{
  struct timespec limit = { .tv_sec = at_most_seconds };

  sigtimedwait (wake, NULL, &limit);
}

int
main (int argc, char **argv)
{
  sigset_t wake;
  char *memory;
  int n_threads;

  if (argc != 5)
    {
      fputs ("usage: spend CPU-SECONDS-PER-THREAD THREADS MEGABYTES SECONDS-TO-STAY\n",
             stderr);
      return 2;
    }

  n_threads = atoi (argv[2]);
  if (n_threads < 0 || n_threads > MAX_THREADS)
    return 2;

  sigemptyset (&wake);
  sigaddset (&wake, SIGUSR1);
  sigprocmask (SIG_BLOCK, &wake, NULL);

  memory = fill ((size_t) atoi (argv[3]));
  if (memory == NULL || spin_in_threads (atof (argv[1]), n_threads) != 0)
    return 1;

  printf ("spent %.6f\n", cpu_seconds (CLOCK_PROCESS_CPUTIME_ID));
  fflush (stdout);
  stay (&wake, atoi (argv[4]));
  free (memory);

  return 0;
}
