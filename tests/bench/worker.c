/* worker.c: one process of a made-up job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define READY_FD 3
#define WORK_NS 1000000
#define WORK_BYTES (64 * 1024)
#define MAX_THREADS 1000

static long
get_cpu_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

/* So that no figure of the job is zero. */
static void
work (void)
{
  static volatile char memory[WORK_BYTES];

  while (get_cpu_ns () < WORK_NS)
    for (unsigned i = 0; i < sizeof memory; i += 512)
      memory[i]++;
}

static void
sleep_for_ever (void)
{
  for (;;)
    pause ();
}

static void *
thread_main (void *data)
{
  sleep_for_ever ();
  return NULL;
}

static int
start_threads (long n_threads)
{
  pthread_attr_t attributes;

  pthread_attr_init (&attributes);
  pthread_attr_setstacksize (&attributes, (size_t) sysconf (_SC_THREAD_STACK_MIN));

  for (long i = 1; i < n_threads; i++)
    {
      pthread_t thread;
      int result = pthread_create (&thread, &attributes, thread_main, NULL);

      if (result != 0)
        return result;
    }

  pthread_attr_destroy (&attributes);
  return 0;
}

/* Dies with its parent, whatever becomes of that; a change of user would undo it. */
static int
become_user (uid_t uid, pid_t parent)
{
  if (setgroups (0, NULL) != 0 || setgid (uid) != 0 || setuid (uid) != 0 ||
      prctl (PR_SET_DUMPABLE, 1) != 0 || prctl (PR_SET_PDEATHSIG, SIGKILL) != 0)
    return -1;

  return getppid () == parent ? 0 : -1;
}

/* worker THREADS UID PARENT: works a little, says so on descriptor 3, and sleeps. */
int
main (int argc, char **argv)
{
  long n_threads = argc == 4 ? strtol (argv[1], NULL, 10) : 0;

  if (n_threads < 1 || n_threads > MAX_THREADS)
    return 2;
  if (become_user ((uid_t) strtol (argv[2], NULL, 10),
                   (pid_t) strtol (argv[3], NULL, 10)) != 0)
    return 1;

  work ();
  if (start_threads (n_threads) != 0 || write (READY_FD, "", 1) != 1)
    return 1;

  close (READY_FD);
  sleep_for_ever ();
}
