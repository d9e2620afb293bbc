/* jm-command-runner.c: what a program prints, within bounds
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "io/jm-command-runner-private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/jm-error.h"

/* How often it is looked whether the program has ended, which a pipe that its children
 * hold open does not show. */
#define LOOK_MS 20

/* How long one that was killed may take to go: for ever, if the kernel waits for a
 * device on its behalf, or if it runs as somebody else. */
#define KILLED_MS 1000

#define ERRORS_MAX 4096
#define QUOTE_MAX 256

struct _JmCommandRunner
{
  char **argv;
  char **environment;
  guint timeout_ms;
  pid_t left; /* one that was killed and has not gone yet, or 0 */
};

/* Who takes the output line by line, or as it comes. */
typedef struct
{
  JmCommandLineFunc func;
  JmCommandChunkFunc chunk_func; /* NULL where lines are taken */
  gpointer data;
  gsize left;          /* bytes that may still come */
  gboolean is_skipped; /* what is left of a line that was too long */
  gboolean has_more;   /* was not read to its end, for there was no time */
} Reader;

/* One run. */
typedef struct
{
  pid_t pid;
  Reader *reader; /* NULL where the output is taken as a whole */
  int output_fd;  /* -1 once it is at its end */
  int errors_fd;
  GString *output; /* of a reader, a line that has no end yet */
  GString *errors;
  siginfo_t end; /* si_pid is 0 until it has ended */
} Run;

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

static void
run_clear (Run *run)
{
  close_fd (&run->output_fd);
  close_fd (&run->errors_fd);
  if (run->output != NULL)
    g_string_free (run->output, TRUE);
  if (run->errors != NULL)
    g_string_free (run->errors, TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

/* Takes @argv and @environment. */
static JmCommandRunner *
make_runner (char **argv, char **environment, guint timeout_ms, GError **error)
{
  g_autoptr (JmCommandRunner) self = g_new0 (JmCommandRunner, 1);
  g_autofree char *program = NULL;

  self->argv = argv;
  self->environment = environment;
  self->timeout_ms = timeout_ms;

  program = g_find_program_in_path (self->argv[0]);
  if (program == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                   "%s: no such program that may be run", self->argv[0]);
      return NULL;
    }

  return g_steal_pointer (&self);
}

JmCommandRunner *
jm_command_runner_new (const char *command, guint timeout_ms, GError **error)
{
  g_autoptr (GError) problem = NULL;
  char **argv;

  if (!g_shell_parse_argv (command, NULL, &argv, &problem))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "command: %s: %s",
                   problem->message, command);
      return NULL;
    }

  return make_runner (argv, g_environ_setenv (g_get_environ (), "LC_ALL", "C", TRUE),
                      timeout_ms, error);
}

JmCommandRunner *
jm_command_runner_new_with_argv (const char *directory,
                                 const char *const *argv,
                                 const char *const *environment,
                                 guint timeout_ms,
                                 GError **error)
{
  char **copy = g_strdupv ((char **) argv);

  if (directory != NULL)
    {
      g_free (copy[0]);
      copy[0] = g_build_filename (directory, argv[0], NULL);
    }

  return make_runner (copy, g_strdupv ((char **) environment), timeout_ms, error);
}

void
jm_command_runner_free (JmCommandRunner *self)
{
  if (self->left > 0)
    waitpid (self->left, NULL, WNOHANG);
  g_strfreev (self->argv);
  g_strfreev (self->environment);
  g_free (self);
}

void
jm_command_runner_set_last_argument (JmCommandRunner *self, const char *argument)
{
  char **last = &self->argv[g_strv_length (self->argv) - 1];

  g_free (*last);
  *last = g_strdup (argument);
}

const char *
jm_command_runner_get_name (JmCommandRunner *self)
{
  return self->argv[0];
}

static gboolean
fail (JmCommandRunner *self, JmError code, const char *problem, GError **error)
{
  g_set_error (error, JM_ERROR, (int) code, "%s: %s", self->argv[0], problem);

  return FALSE;
}

static gboolean
fail_with_errno (JmCommandRunner *self, int error_number, GError **error)
{
  return fail (self, jm_error_from_errno (error_number), g_strerror (error_number),
               error);
}

/* Its own process group, so that its children can be killed with it; and none of the
 * signals that the calling program ignores or blocks. */
static int
set_attributes (posix_spawnattr_t *attributes)
{
  sigset_t none, all;

  sigemptyset (&none);
  sigfillset (&all);

  return posix_spawnattr_setpgroup (attributes, 0) |
         posix_spawnattr_setsigmask (attributes, &none) |
         posix_spawnattr_setsigdefault (attributes, &all) |
         posix_spawnattr_setflags (attributes, POSIX_SPAWN_SETPGROUP |
                                                 POSIX_SPAWN_SETSIGMASK |
                                                 POSIX_SPAWN_SETSIGDEF);
}

static int
set_files (posix_spawn_file_actions_t *actions, int output_fd, int errors_fd)
{
  return posix_spawn_file_actions_addopen (actions, STDIN_FILENO, "/dev/null", O_RDONLY,
                                           0) |
         posix_spawn_file_actions_adddup2 (actions, output_fd, STDOUT_FILENO) |
         posix_spawn_file_actions_adddup2 (actions, errors_fd, STDERR_FILENO);
}

/* 0, or an errno. */
static int
spawn (JmCommandRunner *self, int output_fd, int errors_fd, pid_t *pid)
{
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  int result;

  if (posix_spawnattr_init (&attributes) != 0)
    return ENOMEM;
  if (posix_spawn_file_actions_init (&actions) != 0)
    {
      posix_spawnattr_destroy (&attributes);
      return ENOMEM;
    }

  result =
    set_attributes (&attributes) != 0 || set_files (&actions, output_fd, errors_fd)
      ? ENOMEM
      : posix_spawnp (pid, self->argv[0], &actions, &attributes, self->argv,
                      self->environment);
  posix_spawn_file_actions_destroy (&actions);
  posix_spawnattr_destroy (&attributes);

  return result;
}

/* Only our end is not to wait: the program's is as programs expect it. */
static gboolean
make_pipe (int *reader, int *writer)
{
  int ends[2];

  if (pipe2 (ends, O_CLOEXEC) != 0)
    return FALSE;

  *reader = ends[0];
  *writer = ends[1];

  return fcntl (*reader, F_SETFL, O_NONBLOCK) == 0;
}

static gboolean
start (JmCommandRunner *self, Run *run, GError **error)
{
  int output_writer = -1;
  int errors_writer = -1;
  int result;

  if (make_pipe (&run->output_fd, &output_writer) &&
      make_pipe (&run->errors_fd, &errors_writer))
    result = spawn (self, output_writer, errors_writer, &run->pid);
  else
    result = errno;
  close_fd (&output_writer);
  close_fd (&errors_writer);

  return result == 0 || fail_with_errno (self, result, error);
}

/* Takes what is there. What is beyond @max is thrown away; FALSE if there was such. */
static gboolean
drain (int *fd, GString *text, gsize max)
{
  char buffer[4096];
  gssize n;

  if (*fd < 0)
    return TRUE;

  do
    {
      n = TEMP_FAILURE_RETRY (read (*fd, buffer, sizeof buffer));
      if (n > 0)
        g_string_append_len (text, buffer, (gssize) MIN ((gsize) n, max - text->len));
    }
  while (n > 0 && text->len < max);

  if (n == 0 || (n < 0 && errno != EAGAIN))
    close_fd (fd);

  return text->len < max;
}

/* Hands on what is there of a line that has its end, or that can have no more. */
static void
end_line (Run *run, gboolean is_whole)
{
  if (!run->reader->is_skipped)
    run->reader->func (run->output->str, run->output->len, is_whole, run->reader->data);
  run->reader->is_skipped = FALSE;
  g_string_truncate (run->output, 0);
}

static void
begin_line (Run *run, const char *text, gsize length)
{
  gsize room = JM_COMMAND_LINE_MAX - run->output->len;

  if (run->reader->is_skipped)
    return;

  g_string_append_len (run->output, text, (gssize) MIN (length, room));
  if (length > room)
    {
      end_line (run, FALSE);
      run->reader->is_skipped = TRUE;
    }
}

static void
split_lines (Run *run, const char *text, gsize length)
{
  const char *end = text + length;
  const char *newline;

  while ((newline = memchr (text, '\n', (gsize) (end - text))) != NULL)
    {
      gsize n = (gsize) (newline - text);

      if (run->output->len == 0 && !run->reader->is_skipped && n <= JM_COMMAND_LINE_MAX)
        run->reader->func (text, n, TRUE, run->reader->data);
      else
        {
          begin_line (run, text, n);
          end_line (run, TRUE);
        }
      text = newline + 1;
    }

  if (text < end)
    begin_line (run, text, (gsize) (end - text));
}

static void
hand_on (Run *run, const char *text, gsize length)
{
  run->reader->left -= length;
  if (run->reader->chunk_func != NULL)
    run->reader->chunk_func (text, length, run->reader->data);
  else
    split_lines (run, text, length);
}

/* Takes what is there; FALSE once there is too much. Who prints faster than we read is
 * looked after in between. */
static gboolean
drain_to_reader (Run *run, gint64 end_us)
{
  char buffer[64 * 1024];
  gssize n;

  if (run->output_fd < 0)
    return TRUE;

  do
    {
      n = TEMP_FAILURE_RETRY (read (run->output_fd, buffer, sizeof buffer));
      if (n > 0 && (gsize) n > run->reader->left)
        return FALSE;
      if (n > 0)
        hand_on (run, buffer, (gsize) n);
    }
  while (n > 0 && g_get_monotonic_time () < end_us);
  run->reader->has_more = n > 0;

  if (n == 0 || (n < 0 && errno != EAGAIN))
    close_fd (&run->output_fd);

  return TRUE;
}

static gboolean
drain_output (Run *run, gint64 end_us)
{
  return run->reader != NULL
           ? drain_to_reader (run, end_us)
           : drain (&run->output_fd, run->output, JM_COMMAND_OUTPUT_MAX);
}

/* Leaves it a zombie, so that its process group's number stays its own. */
static gboolean
has_ended (Run *run)
{
  if (run->end.si_pid != 0)
    return TRUE;

  run->end.si_pid = 0;
  if (waitid (P_PID, (id_t) run->pid, &run->end, WEXITED | WNOHANG | WNOWAIT) != 0)
    run->end = (siginfo_t){ .si_pid = run->pid, .si_code = 0 };

  return run->end.si_pid != 0;
}

static void
wait_for_something (Run *run, GCancellable *cancellable, gint64 end_us)
{
  GPollFD cancel = { -1, 0, 0 };
  gboolean is_cancellable = g_cancellable_make_pollfd (cancellable, &cancel);
  gint64 left_ms = (end_us - g_get_monotonic_time () + 999) / 1000;
  struct pollfd fds[] = { { run->output_fd, POLLIN, 0 },
                          { run->errors_fd, POLLIN, 0 },
                          { is_cancellable ? cancel.fd : -1, POLLIN, 0 } };

  poll (fds, G_N_ELEMENTS (fds), (int) CLAMP (left_ms, 0, LOOK_MS));
  if (is_cancellable)
    g_cancellable_release_fd (cancellable);
}

/* Until it has ended, or there is a reason not to wait any more. */
static gboolean
follow (JmCommandRunner *self, Run *run, GCancellable *cancellable, GError **error)
{
  gint64 end_us = g_get_monotonic_time () + (gint64) self->timeout_ms * 1000;
  gboolean is_over = FALSE;

  while (!is_over)
    {
      wait_for_something (run, cancellable, end_us);
      /* asked before the pipes: what it wrote before its end is then in them */
      is_over = has_ended (run);

      if (!drain_output (run, end_us))
        return fail (self, JM_ERROR_TOO_LARGE, "prints without end", error);
      if (!drain (&run->errors_fd, run->errors, ERRORS_MAX))
        g_string_truncate (run->errors, ERRORS_MAX / 2);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (run->reader != NULL && run->reader->has_more)
        return fail (self, JM_ERROR_UNAVAILABLE, "has not ended in time", error);
      if (!is_over && g_get_monotonic_time () >= end_us)
        return fail (self, JM_ERROR_UNAVAILABLE, "has not ended in time", error);
    }

  return TRUE;
}

static gboolean
reap (pid_t pid)
{
  pid_t result = TEMP_FAILURE_RETRY (waitpid (pid, NULL, WNOHANG));

  return result == pid || (result < 0 && errno == ECHILD);
}

/* Ends it and all that it has started, and remembers it if it does not go. */
static void
finish (JmCommandRunner *self, Run *run)
{
  gint64 end_us = g_get_monotonic_time () + KILLED_MS * 1000;

  kill (-run->pid, SIGKILL);
  while (!reap (run->pid))
    {
      if (g_get_monotonic_time () >= end_us)
        {
          self->left = run->pid;
          return;
        }
      poll (NULL, 0, LOOK_MS);
    }
}

/* The first line that it wrote of what went wrong, fit to print. */
static char *
get_complaint (Run *run)
{
  const char *start = run->errors->str + strspn (run->errors->str, " \t\r\n");
  g_autofree char *line = g_strndup (start, MIN (strcspn (start, "\r\n"), QUOTE_MAX));

  return g_strescape (line, NULL);
}

static gboolean
check_end (JmCommandRunner *self, Run *run, GError **error)
{
  g_autofree char *complaint = get_complaint (run);
  const char *colon = complaint[0] != '\0' ? ": " : "";
  g_autofree char *problem = NULL;

  if (run->end.si_code == CLD_EXITED && run->end.si_status == 0)
    return TRUE;

  if (run->end.si_code == CLD_EXITED)
    problem =
      g_strdup_printf ("exit status %d%s%s", run->end.si_status, colon, complaint);
  else if (run->end.si_code == CLD_KILLED || run->end.si_code == CLD_DUMPED)
    problem =
      g_strdup_printf ("ended by signal %d%s%s", run->end.si_status, colon, complaint);
  else
    problem = g_strdup ("its exit status was taken by somebody else");

  return fail (self, JM_ERROR_UNAVAILABLE, problem, error);
}

static gboolean
run_once (JmCommandRunner *self, Run *run, GCancellable *cancellable, GError **error)
{
  gboolean is_followed;

  if (self->left > 0 && !reap (self->left))
    return fail (self, JM_ERROR_UNAVAILABLE, "the one started before cannot be ended",
                 error);
  self->left = 0;

  run->output = g_string_new (NULL);
  run->errors = g_string_new (NULL);
  if (!start (self, run, error))
    return FALSE;

  is_followed = follow (self, run, cancellable, error);
  finish (self, run);

  return is_followed && check_end (self, run, error);
}

char *
jm_command_runner_run (JmCommandRunner *self,
                       GCancellable *cancellable,
                       gsize *length,
                       GError **error)
{
  g_auto (Run) run = { .output_fd = -1, .errors_fd = -1 };

  if (!run_once (self, &run, cancellable, error))
    return NULL;

  *length = run.output->len;

  return g_string_free (g_steal_pointer (&run.output), FALSE);
}

static gboolean
run_for_reader (JmCommandRunner *self,
                Reader *reader,
                GCancellable *cancellable,
                GError **error)
{
  g_auto (Run) run = { .output_fd = -1, .errors_fd = -1, .reader = reader };

  if (!run_once (self, &run, cancellable, error))
    return FALSE;

  if (run.output->len > 0)
    end_line (&run, FALSE);
  if (run.errors->len > 0)
    {
      g_autofree char *complaint = get_complaint (&run);

      g_debug ("%s: %s", self->argv[0], complaint);
    }

  return TRUE;
}

gboolean
jm_command_runner_read_lines (JmCommandRunner *self,
                              gsize max_bytes,
                              JmCommandLineFunc func,
                              gpointer data,
                              GCancellable *cancellable,
                              GError **error)
{
  Reader reader = { .func = func, .data = data, .left = max_bytes };

  return run_for_reader (self, &reader, cancellable, error);
}

gboolean
jm_command_runner_read_chunks (JmCommandRunner *self,
                               gsize max_bytes,
                               JmCommandChunkFunc func,
                               gpointer data,
                               GCancellable *cancellable,
                               GError **error)
{
  Reader reader = { .chunk_func = func, .data = data, .left = max_bytes };

  return run_for_reader (self, &reader, cancellable, error);
}
