/* jmc-child.c: a command that we started: its signals and its end
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "run/jmc-child.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jmc-output.h"

/* What the last steps before the command may add to what we hold ourselves. */
#define OWN_MARGIN_KIB 512
#define FIRST_PAUSE_US 2000
/* The kernel looks at no more of a script. */
#define SHEBANG_MAX 256

/* Those which the command is to have as well; we outlive them to report. */
static const int forwarded_signals[] = {
  SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT,
};

/* What we came with, and must put back before the command or our own rest begins. */
typedef struct
{
  sigset_t mask;
  struct sigaction on_child;
} Inherited;

struct _JmcChild
{
  Inherited inherited;
  pid_t pid;
  int gate_fd;   /* closed: the child gives up; a byte: it goes on */
  int errno_fd;  /* our own peak; then why exec failed, nothing where all went well */
  int signal_fd; /* SIGCHLD and forwarded_signals */
  int status;
  gboolean has_ended;
  long own_peak_kib;   /* what we held in the child before it was the command */
  struct rusage usage; /* of all that was waited for */
};

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

/* Blocked signals wait in the descriptor. One that was ignored when we began stays
 * ignored in the command, and with SIGCHLD ignored there would be nothing to wait for.
 */
static int
open_signals (Inherited *inherited)
{
  const struct sigaction by_default = { .sa_handler = SIG_DFL };
  sigset_t wanted;

  sigemptyset (&wanted);
  sigaddset (&wanted, SIGCHLD);
  for (guint i = 0; i < G_N_ELEMENTS (forwarded_signals); i++)
    sigaddset (&wanted, forwarded_signals[i]);

  sigaction (SIGCHLD, &by_default, &inherited->on_child);
  sigprocmask (SIG_BLOCK, &wanted, &inherited->mask);

  return signalfd (-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void
restore_signals (const Inherited *inherited)
{
  sigaction (SIGCHLD, &inherited->on_child, NULL);
  sigprocmask (SIG_SETMASK, &inherited->mask, NULL);
}

/* The kernel takes what a process holds before exec for a part of what it held at most.
 */
static void
tell_own_peak (int fd)
{
  struct rusage usage = { 0 };

  getrusage (RUSAGE_SELF, &usage);
  if (write (fd, &usage.ru_maxrss, sizeof usage.ru_maxrss) != sizeof usage.ru_maxrss)
    _exit (JMC_EXIT_CANNOT_RUN);
}

/* Runs in the child, and never returns. */
static void G_GNUC_NORETURN
become (char **argv,
        char **environment,
        int gate_fd,
        int errno_fd,
        const Inherited *inherited)
{
  char byte;
  int code;

  while (read (gate_fd, &byte, 1) != 1)
    if (errno != EINTR)
      _exit (JMC_EXIT_CANNOT_RUN);

  restore_signals (inherited);
  tell_own_peak (errno_fd);
  execvpe (argv[0], argv, environment);

  code = errno;
  if (write (errno_fd, &code, sizeof code) != sizeof code)
    _exit (JMC_EXIT_CANNOT_RUN);
  _exit (code == ENOENT ? JMC_EXIT_NOT_FOUND : JMC_EXIT_NOT_EXECUTABLE);
}

static gboolean
set_errno_error (GError **error, const char *what)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", what,
               g_strerror (code));

  return FALSE;
}

static gboolean
start (JmcChild *self, char **argv, char **environment, GError **error)
{
  int gate[2];
  int failure[2];

  if (!g_unix_open_pipe (gate, FD_CLOEXEC, error))
    return FALSE;
  self->gate_fd = gate[1];

  if (!g_unix_open_pipe (failure, FD_CLOEXEC, error))
    {
      close_fd (&gate[0]);
      return FALSE;
    }
  self->errno_fd = failure[0];

  self->signal_fd = open_signals (&self->inherited);
  self->pid = fork ();
  if (self->pid == 0)
    {
      close (gate[1]);
      become (argv, environment, gate[0], failure[1], &self->inherited);
    }

  close_fd (&gate[0]);
  close_fd (&failure[1]);

  return self->pid > 0 || set_errno_error (error, "fork");
}

/* Forks a process that will become the command at jmc_child_release(). It stays in our
 * process group, so that the terminal treats both as one job. */
JmcChild *
jmc_child_new (char **argv, char **environment, GError **error)
{
  g_autoptr (JmcChild) self = g_new0 (JmcChild, 1);

  self->gate_fd = -1;
  self->errno_fd = -1;
  self->signal_fd = -1;

  if (!start (self, argv, environment, error))
    return NULL;

  return g_steal_pointer (&self);
}

void
jmc_child_free (JmcChild *self)
{
  close_fd (&self->gate_fd);
  close_fd (&self->errno_fd);
  if (self->signal_fd >= 0)
    restore_signals (&self->inherited);
  close_fd (&self->signal_fd);
  g_free (self);
}

pid_t
jmc_child_get_pid (JmcChild *self)
{
  return self->pid;
}

static gboolean
receive (JmcChild *self, void *data, gsize size)
{
  gssize n;

  do
    n = read (self->errno_fd, data, size);
  while (n < 0 && errno == EINTR);

  return n == (gssize) size;
}

/* Whether @program starts with `#!` and the path of what cannot be executed. */
static gboolean
lacks_interpreter (const char *program)
{
  char text[SHEBANG_MAX + 1] = "";
  int fd = open (program, O_RDONLY | O_CLOEXEC);
  gssize length = fd >= 0 ? read (fd, text, SHEBANG_MAX) : -1;
  char *path = text + 2;

  close_fd (&fd);
  if (length < 3 || !g_str_has_prefix (text, "#!"))
    return FALSE;

  path += strspn (path, " \t");
  path[strcspn (path, " \t\n")] = '\0';

  return access (path, X_OK) != 0;
}

/* Whether exec will find @program, and what it is run by. */
gboolean
jmc_child_can_become (const char *program)
{
  g_autofree char *path = g_find_program_in_path (program);

  return path != NULL && !lacks_interpreter (path);
}

/* Lets the child become the command. Returns 0, or the errno that exec gave. */
int
jmc_child_release (JmcChild *self)
{
  int code = 0;

  if (write (self->gate_fd, "", 1) != 1)
    return errno;
  close_fd (&self->gate_fd);

  if (!receive (self, &self->own_peak_kib, sizeof self->own_peak_kib) ||
      !receive (self, &code, sizeof code))
    code = 0;
  close_fd (&self->errno_fd);

  return code;
}

static void
add_time (struct timeval *sum, const struct timeval *more)
{
  timeradd (sum, more, sum);
}

static void
add_usage (JmcChild *self, const struct rusage *more)
{
  struct rusage *sum = &self->usage;

  add_time (&sum->ru_utime, &more->ru_utime);
  add_time (&sum->ru_stime, &more->ru_stime);
  if (more->ru_maxrss > self->own_peak_kib + OWN_MARGIN_KIB)
    sum->ru_maxrss = MAX (sum->ru_maxrss, more->ru_maxrss);
  sum->ru_inblock += more->ru_inblock;
  sum->ru_oublock += more->ru_oublock;
}

/* Waits for those that have ended: as a subreaper also for those whose parents have. */
void
jmc_child_reap (JmcChild *self, JmcChildFunc func, gpointer data)
{
  struct rusage usage;
  pid_t pid;
  int status;

  while ((pid = wait4 (-1, &status, WNOHANG, &usage)) > 0)
    {
      if (func (pid, data))
        add_usage (self, &usage);
      if (pid == self->pid)
        {
          self->status = status;
          self->has_ended = TRUE;
        }
    }
}

/* Stops us as SIGTSTP would have done: not where nobody could wake us again. */
static void
stop (void)
{
  sigset_t mask;

  sigemptyset (&mask);
  sigaddset (&mask, SIGTSTP);

  raise (SIGTSTP);
  sigprocmask (SIG_UNBLOCK, &mask, NULL);
  sigprocmask (SIG_BLOCK, &mask, NULL);
}

/* A signal that the terminal sent has reached the command too, as has one that the
 * command sent to its whole group; one that was sent to us alone has not. */
static void
forward (JmcChild *self, const struct signalfd_siginfo *info)
{
  if (info->ssi_code <= 0 && info->ssi_pid != (guint32) self->pid && !self->has_ended)
    kill (self->pid, (int) info->ssi_signo);

  /* A shell takes a job for stopped when its every process is. */
  if (info->ssi_signo == SIGTSTP)
    stop ();
}

static void
take_signals (JmcChild *self, JmcChildFunc func, gpointer data)
{
  struct signalfd_siginfo info;

  while (read (self->signal_fd, &info, sizeof info) == sizeof info)
    if (info.ssi_signo == SIGCHLD)
      jmc_child_reap (self, func, data);
    else
      forward (self, &info);
}

/* Waits until the command has ended. @func is called for each process that was waited
 * for, and again and again: soon at first, for much of what comes from a command comes
 * with it, then every @interval_ms. */
void
jmc_child_wait (JmcChild *self, guint interval_ms, JmcChildFunc func, gpointer data)
{
  gint64 pause_us = FIRST_PAUSE_US;
  gint64 next_us = g_get_monotonic_time () + pause_us;

  while (!self->has_ended)
    {
      struct pollfd poll_fd = { self->signal_fd, POLLIN, 0 };
      gint64 left_us = next_us - g_get_monotonic_time ();

      if (left_us <= 0)
        {
          func (0, data);
          pause_us = MIN (pause_us * 2, (gint64) interval_ms * 1000);
          next_us = g_get_monotonic_time () + pause_us;
        }
      else if (poll (&poll_fd, 1, (int) (left_us / 1000) + 1) > 0)
        {
          take_signals (self, func, data);
        }
    }
}

gboolean
jmc_child_is_signaled (JmcChild *self)
{
  return WIFSIGNALED (self->status);
}

/* The exit code of the command, or the signal that ended it. */
int
jmc_child_get_code (JmcChild *self)
{
  return WIFSIGNALED (self->status) ? WTERMSIG (self->status)
                                    : WEXITSTATUS (self->status);
}

/* What those used that were waited for, their own waited-for children included. The
 * size of the largest is 0 where it is no larger than we are. */
const struct rusage *
jmc_child_get_usage (JmcChild *self)
{
  return &self->usage;
}
