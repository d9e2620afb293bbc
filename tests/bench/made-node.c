/* made-node.c: runs a command beside made-up jobs of real processes in real cgroups
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench-cgroups.h"

#define EXIT_SKIP 77
#define READY_FD 3
#define FIRST_UID 64000
#define N_USERS 4
#define FIRST_JOB 1001
#define MAX_PROCESSES 20000

typedef struct
{
  guint n_jobs;
  guint n_processes; /* of each job */
  guint n_threads;   /* of each process */
} Shape;

typedef struct
{
  Shape shape;
  BenchCgroups *cgroups;
  GArray *pids; /* of pid_t: children that were not waited for */
  int ready[2];
  sigset_t signals;
} MadeNode;

static gboolean
parse_shape (const char *text, Shape *shape)
{
  char end;

  return sscanf (text, "%ux%ux%u%c", &shape->n_jobs, &shape->n_processes,
                 &shape->n_threads, &end) == 3 &&
         shape->n_jobs > 0 && shape->n_processes > 0 && shape->n_threads > 0 &&
         (guint64) shape->n_jobs * shape->n_processes <= MAX_PROCESSES;
}

/* --- processes --- */

static char **
get_job_environment (guint uid, guint job)
{
  g_autofree char *text = g_strdup_printf ("PATH=/usr/bin:/bin\n"
                                           "SLURM_CLUSTER_NAME=bench\n"
                                           "SLURM_JOB_ACCOUNT=physics\n"
                                           "SLURM_JOB_ID=%u\n"
                                           "SLURM_JOB_NAME=made-up-%u\n"
                                           "SLURM_JOB_NUM_NODES=1\n"
                                           "SLURM_JOB_PARTITION=main\n"
                                           "SLURM_JOB_QOS=normal\n"
                                           "SLURM_JOB_START_TIME=1767225600\n"
                                           "SLURM_JOB_UID=%u\n"
                                           "SLURM_JOB_USER=user%u",
                                           job, job, uid, uid);

  return g_strsplit (text, "\n", -1);
}

/* Runs in the child. What went wrong is the byte that says that it is ready. */
static void
become_worker (MadeNode *self,
               const BenchCgroup *cgroup,
               char **arguments,
               char **environment)
{
  int result = bench_cgroup_enter (cgroup);
  char byte;

  if (result == 0)
    {
      sigprocmask (SIG_UNBLOCK, &self->signals, NULL);
      dup2 (self->ready[1], READY_FD);
      execve (BENCH_WORKER, arguments, environment);
      result = errno;
    }

  byte = (char) result;
  _exit (write (self->ready[1], &byte, 1) == 1 ? 1 : 2);
}

static gboolean
start_worker (MadeNode *self,
              const BenchCgroup *cgroup,
              char **arguments,
              char **environment)
{
  pid_t pid = fork ();

  if (pid == 0)
    become_worker (self, cgroup, arguments, environment);
  if (pid > 0)
    g_array_append_val (self->pids, pid);

  return pid > 0;
}

static gboolean
start_job (MadeNode *self, guint number)
{
  g_autoptr (GError) error = NULL;
  guint uid = FIRST_UID + number % N_USERS;
  guint job = FIRST_JOB + number;
  g_autofree char *n_threads = g_strdup_printf ("%u", self->shape.n_threads);
  g_autofree char *user = g_strdup_printf ("%u", uid);
  g_autofree char *parent = g_strdup_printf ("%d", (int) getpid ());
  char *arguments[] = { (char *) "worker", n_threads, user, parent, NULL };
  g_auto (GStrv) environment = get_job_environment (uid, job);
  BenchCgroup *cgroup = bench_cgroups_add_job (self->cgroups, uid, job, &error);

  if (cgroup == NULL)
    {
      g_printerr ("made-node: %s\n", error->message);
      return FALSE;
    }

  for (guint i = 0; i < self->shape.n_processes; i++)
    if (!start_worker (self, cgroup, arguments, environment))
      return FALSE;

  return TRUE;
}

/* Every worker writes one byte, which is 0 when it is ready. The pipe ends when nobody
 * is left who could write. */
static gboolean
wait_until_ready (MadeNode *self)
{
  guint n_ready = 0;
  char byte;

  close (self->ready[1]);
  self->ready[1] = -1;

  while (read (self->ready[0], &byte, 1) == 1)
    {
      if (byte != 0)
        {
          g_printerr ("made-node: a worker: %s\n", g_strerror (byte));
          return FALSE;
        }
      n_ready++;
    }

  if (n_ready < self->pids->len)
    g_printerr ("made-node: only %u workers of %u are ready\n", n_ready,
                self->pids->len);

  return n_ready == self->pids->len;
}

static void
stop_workers (MadeNode *self)
{
  for (guint i = 0; i < self->pids->len; i++)
    kill (g_array_index (self->pids, pid_t, i), SIGKILL);
  for (guint i = 0; i < self->pids->len; i++)
    waitpid (g_array_index (self->pids, pid_t, i), NULL, 0);

  g_array_set_size (self->pids, 0);
}

/* --- the command --- */

static pid_t
start_command (MadeNode *self, char **arguments)
{
  pid_t pid = fork ();

  if (pid != 0)
    return pid;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  g_setenv ("BENCH_NODE", bench_cgroups_get_node (self->cgroups), TRUE);
  sigprocmask (SIG_UNBLOCK, &self->signals, NULL);
  execvp (arguments[0], arguments);
  dprintf (STDERR_FILENO, "made-node: %s: %s\n", arguments[0], strerror (errno));
  _exit (127);
}

/* Returns the command's exit status, or that of a shell for a signal. */
static int
wait_for_command (MadeNode *self, pid_t pid)
{
  int status = 0;

  while (waitpid (pid, &status, WNOHANG) == 0)
    {
      int number = sigwaitinfo (&self->signals, NULL);

      if (number > 0 && number != SIGCHLD)
        kill (pid, number);
    }

  return WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
}

/* --- the whole --- */

static void
block_signals (MadeNode *self)
{
  sigemptyset (&self->signals);
  sigaddset (&self->signals, SIGCHLD);
  sigaddset (&self->signals, SIGHUP);
  sigaddset (&self->signals, SIGINT);
  sigaddset (&self->signals, SIGTERM);
  sigprocmask (SIG_BLOCK, &self->signals, NULL);
}

static gboolean
start_jobs (MadeNode *self)
{
  for (guint i = 0; i < self->shape.n_jobs; i++)
    if (!start_job (self, i))
      return FALSE;

  return wait_until_ready (self);
}

static int
run_beside_jobs (MadeNode *self, char **command)
{
  int status = 1;

  if (start_jobs (self))
    {
      pid_t pid = start_command (self, command);

      if (pid > 0)
        status = wait_for_command (self, pid);
    }

  stop_workers (self);
  return status;
}

static int
skip (const char *reason)
{
  g_print ("skipped: %s\n", reason);
  return EXIT_SKIP;
}

static int
run (const Shape *shape, char **command)
{
  MadeNode self = { *shape, NULL, NULL, { -1, -1 }, { { 0 } } };
  g_autofree char *reason = NULL;
  int status = 1;

  if (geteuid () != 0)
    return skip ("making cgroups needs root");

  self.cgroups = bench_cgroups_new (&reason);
  if (self.cgroups == NULL)
    return skip (reason);

  self.pids = g_array_new (FALSE, FALSE, sizeof (pid_t));
  if (pipe2 (self.ready, O_CLOEXEC) == 0)
    {
      block_signals (&self);
      status = run_beside_jobs (&self, command);
    }

  bench_cgroups_free (self.cgroups);
  g_array_unref (self.pids);
  return status;
}

/* made-node JOBSxPROCESSESxTHREADS COMMAND [ARGUMENT...]: BENCH_NODE in the command's
 * environment has the node's name. Nothing is left of the jobs when it ends. */
int
main (int argc, char **argv)
{
  Shape shape;

  if (argc < 3 || !parse_shape (argv[1], &shape))
    {
      g_printerr ("usage: made-node JOBSxPROCESSESxTHREADS COMMAND [ARGUMENT...]\n");
      return 2;
    }

  return run (&shape, argv + 2);
}
