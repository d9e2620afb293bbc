/* child.c: a process that does what a test asks of it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "child.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS_MAX 16
#define EXEC -1

typedef struct
{
  int task;
  guint64 argument;
  char script[64];
} Request;

typedef struct
{
  pthread_t threads[THREADS_MAX];
  guint n_threads;
  pthread_mutex_t gate;
  pid_t grandchild;
  int grandchild_gate;
} State;

static void
check (gboolean condition)
{
  if (!condition)
    _exit (99);
}

static guint64
cpu_ns (void)
{
  struct rusage usage;

  check (getrusage (RUSAGE_SELF, &usage) == 0);

  return ((guint64) usage.ru_utime.tv_sec + (guint64) usage.ru_stime.tv_sec) *
           1000000000 +
         ((guint64) usage.ru_utime.tv_usec + (guint64) usage.ru_stime.tv_usec) * 1000;
}

static guint64
spin (guint64 ms)
{
  guint64 end = cpu_ns () + ms * 1000000;

  while (cpu_ns () < end)
    continue;

  return cpu_ns ();
}

static void
write_bytes (guint64 n)
{
  static char zeros[1 << 20];
  int fd = open ("/dev/null", O_WRONLY | O_CLOEXEC);

  check (fd >= 0 && n <= sizeof zeros);
  check (write (fd, zeros, n) == (ssize_t) n);
  close (fd);
}

static void *
sleep_at_gate (void *data)
{
  State *state = data;

  pthread_mutex_lock (&state->gate);
  pthread_mutex_unlock (&state->gate);

  return NULL;
}

static void
start_threads (State *state, guint64 n)
{
  check (state->n_threads + n <= THREADS_MAX);
  if (state->n_threads == 0)
    pthread_mutex_lock (&state->gate);

  for (guint64 i = 0; i < n; i++)
    check (pthread_create (&state->threads[state->n_threads++], NULL, sleep_at_gate,
                           state) == 0);
}

static void
end_threads (State *state)
{
  pthread_mutex_unlock (&state->gate);
  while (state->n_threads > 0)
    check (pthread_join (state->threads[--state->n_threads], NULL) == 0);
}

static guint64
fork_writer (State *state, guint64 n)
{
  int gate[2], ready[2];
  char byte;

  check (pipe2 (gate, O_CLOEXEC) == 0 && pipe2 (ready, O_CLOEXEC) == 0);
  state->grandchild = fork ();
  check (state->grandchild >= 0);
  if (state->grandchild == 0)
    {
      close (gate[1]);
      write_bytes (n);
      check (write (ready[1], "", 1) == 1);
      check (read (gate[0], &byte, 1) == 0);
      _exit (0);
    }

  close (gate[0]);
  close (ready[1]);
  check (read (ready[0], &byte, 1) == 1);
  close (ready[0]);
  state->grandchild_gate = gate[1];

  return (guint64) state->grandchild;
}

static guint64
obey (State *state, const Request *request)
{
  switch (request->task)
    {
    case CHILD_SPIN:
      return spin (request->argument);
    case CHILD_WRITE:
      write_bytes (request->argument);
      return 0;
    case CHILD_OPEN:
      for (guint64 i = 0; i < request->argument; i++)
        check (open ("/dev/null", O_RDONLY | O_CLOEXEC) >= 0);
      return 0;
    case CHILD_CHDIR_TMP:
      check (chdir ("/tmp") == 0);
      return 0;
    case CHILD_START_THREAD:
      start_threads (state, request->argument);
      return 0;
    case CHILD_END_THREADS:
      end_threads (state);
      return 0;
    case CHILD_RENAME:
      check (prctl (PR_SET_NAME, "slurmstepd") == 0);
      return 0;
    case CHILD_FORK:
      return fork_writer (state, request->argument);
    case CHILD_WAIT:
      close (state->grandchild_gate);
      /* ECHILD where children are ignored: it comes back when they have ended */
      waitpid (state->grandchild, NULL, 0);
      return 0;
    case CHILD_IGNORE:
      check (signal (SIGCHLD, SIG_IGN) != SIG_ERR);
      return 0;
    case EXEC:
      execl ("/bin/sh", "sh", "-c", request->script, NULL);
      _exit (98);
    default:
      _exit (97);
    }
}

static void
serve (int requests, int answers)
{
  State state = { .gate = PTHREAD_MUTEX_INITIALIZER };
  guint64 hello = 0;
  Request request;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  check (write (answers, &hello, sizeof hello) == sizeof hello);
  while (read (requests, &request, sizeof request) == sizeof request)
    {
      guint64 answer = obey (&state, &request);

      check (write (answers, &answer, sizeof answer) == sizeof answer);
    }
  _exit (0);
}

Child *
child_new (void)
{
  Child *self = g_new0 (Child, 1);
  int requests[2], answers[2];
  guint64 hello;

  g_assert_cmpint (pipe2 (requests, O_CLOEXEC), ==, 0);
  g_assert_cmpint (pipe2 (answers, O_CLOEXEC), ==, 0);
  self->pid = fork ();
  g_assert_cmpint (self->pid, >=, 0);
  if (self->pid == 0)
    {
      close (requests[1]);
      close (answers[0]);
      serve (requests[0], answers[1]);
    }

  close (requests[0]);
  close (answers[1]);
  self->requests = requests[1];
  self->answers = answers[0];
  g_assert_cmpint (read (self->answers, &hello, sizeof hello), ==, sizeof hello);

  return self;
}

static void
send_request (Child *self, const Request *request)
{
  g_assert_cmpint (write (self->requests, request, sizeof *request), ==,
                   sizeof *request);
}

guint64
child_ask (Child *self, ChildTask task, guint64 argument)
{
  Request request = { .task = (int) task, .argument = argument };
  guint64 answer = 0;

  send_request (self, &request);
  g_assert_cmpint (read (self->answers, &answer, sizeof answer), ==, sizeof answer);

  return answer;
}

/* Comes back when it has become a shell: that closes its end of the pipe. */
void
child_exec_shell (Child *self, const char *script)
{
  Request request = { .task = EXEC };
  char byte;

  g_strlcpy (request.script, script, sizeof request.script);
  send_request (self, &request);
  g_assert_cmpint (read (self->answers, &byte, 1), ==, 0);
}

/* Kills it and waits for it. */
void
child_end (Child *self)
{
  if (self->pid == 0)
    return;

  kill (self->pid, SIGKILL);
  g_assert_cmpint (waitpid (self->pid, NULL, 0), ==, self->pid);
  self->pid = 0;
}

/* Waits until a child of ours has ended, and leaves it a zombie. */
void
child_await_zombie (pid_t pid)
{
  siginfo_t info;

  g_assert_cmpint (waitid (P_PID, (id_t) pid, &info, WEXITED | WNOWAIT), ==, 0);
}

void
child_free (Child *self)
{
  child_end (self);
  close (self->requests);
  close (self->answers);
  g_free (self);
}
