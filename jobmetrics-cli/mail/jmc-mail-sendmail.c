/* jmc-mail-sendmail.c: programs of the site, and mails given to its mail program
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/jm-environment-private.h"
#include "base/jm-error.h"
#include "jmc-write.h"
#include "mail/jmc-mail-transport.h"

#define MAX_REMARK_LENGTH 500

/* --- not as root --- */

typedef struct
{
  uid_t uid;
  gid_t gid;
} Identity;

/* In the child, before the program: nothing but system calls. */
static void
become (gpointer data)
{
  const Identity *self = data;

  if (setgroups (0, NULL) != 0 || setgid (self->gid) != 0 || setuid (self->uid) != 0)
    _exit (126);
}

static gboolean
set_identity (GSubprocessLauncher *launcher, const char *name, GError **error)
{
  const struct passwd *user;
  Identity *identity;

  if (geteuid () != 0)
    return TRUE;

  user = getpwnam (name);
  if (user == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: no such user", name);
      return FALSE;
    }
  identity = g_new (Identity, 1);
  *identity = (Identity){ user->pw_uid, user->pw_gid };
  g_subprocess_launcher_set_child_setup (launcher, become, identity, g_free);

  return TRUE;
}

/* --- one program, for so long --- */

typedef struct
{
  GMainLoop *loop;
  GCancellable *cancellable;
  gboolean is_done;
} Wait;

static void
on_done (GObject *process, GAsyncResult *result, gpointer data)
{
  Wait *self = data;

  self->is_done = g_subprocess_wait_finish (G_SUBPROCESS (process), result, NULL);
  g_main_loop_quit (self->loop);
}

static gboolean
on_timeout (gpointer data)
{
  Wait *self = data;

  g_cancellable_cancel (self->cancellable);

  return G_SOURCE_CONTINUE;
}

/* Whether it ended by itself. */
static gboolean
wait_for (GSubprocess *process, guint timeout_ms)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (context, FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GSource) timeout = g_timeout_source_new (timeout_ms);
  Wait self = { .loop = loop, .cancellable = cancellable };

  g_main_context_push_thread_default (context);
  g_source_set_callback (timeout, on_timeout, &self, NULL);
  g_source_attach (timeout, context);
  g_subprocess_wait_async (process, cancellable, on_done, &self);
  g_main_loop_run (loop);
  g_source_destroy (timeout);
  g_main_context_pop_thread_default (context);

  if (!self.is_done)
    g_subprocess_force_exit (process);
  g_subprocess_wait (process, NULL, NULL);

  return self.is_done;
}

/* --- the call --- */

static GPtrArray *
make_arguments (const JmcMailTransport *self, GPtrArray *recipients)
{
  GPtrArray *arguments = g_ptr_array_new ();

  g_ptr_array_add (arguments, self->sendmail);
  g_ptr_array_add (arguments, (gpointer) "-i");
  if (self->sender != NULL)
    {
      g_ptr_array_add (arguments, (gpointer) "-f");
      g_ptr_array_add (arguments, self->sender);
    }
  g_ptr_array_add (arguments, (gpointer) "--");
  for (guint i = 0; i < recipients->len; i++)
    g_ptr_array_add (arguments, recipients->pdata[i]);
  g_ptr_array_add (arguments, NULL);

  return arguments;
}

/* It reads and writes files: nobody waits for what it leaves running, or for one that
 * does not read. */
typedef struct
{
  int input;
  int output;
} Files;

static void
files_close (Files *self)
{
  if (self->input >= 0)
    close (self->input);
  if (self->output >= 0)
    close (self->output);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Files, files_close)

/* From its begin on, once it is in the file. */
static gboolean
fill (int fd, GBytes *bytes)
{
  gsize length = 0;
  const char *text = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;

  return jmc_write_all (fd, text, length) && lseek (fd, 0, SEEK_SET) == 0;
}

static gboolean
files_open (Files *self, GBytes *bytes)
{
  self->input = memfd_create ("mail", MFD_CLOEXEC);
  self->output = memfd_create ("answer", MFD_CLOEXEC);

  return self->input >= 0 && self->output >= 0 && fill (self->input, bytes);
}

static GSubprocess *
start (const char *const *arguments,
       const char *user,
       const Files *files,
       GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_auto (GStrv) environment = jm_command_make_environment (NULL);

  if (!set_identity (launcher, user, error))
    return NULL;
  g_subprocess_launcher_set_environ (launcher, environment);
  g_subprocess_launcher_set_cwd (launcher, "/");
  g_subprocess_launcher_take_stdin_fd (launcher, dup (files->input));
  g_subprocess_launcher_take_stdout_fd (launcher, dup (files->output));
  g_subprocess_launcher_take_stderr_fd (launcher, dup (files->output));

  return g_subprocess_launcher_spawnv (launcher, arguments, error);
}

/* What it said, on one line. */
static char *
make_remark (int output)
{
  char text[MAX_REMARK_LENGTH];
  const gssize length = pread (output, text, sizeof text, 0);
  g_autofree char *valid =
    length > 0 ? g_utf8_make_valid (text, length) : g_strdup ("");

  g_strdelimit (g_strchomp (valid), "\r\n", ' ');

  return *valid != '\0' ? g_strconcat (": ", valid, NULL) : g_steal_pointer (&valid);
}

static gboolean
refuse (const char *program, const char *what, int output, GError **error)
{
  g_autofree char *remark = make_remark (output);

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: %s%s", program, what,
               remark);

  return FALSE;
}

gboolean
jmc_mail_run (const char *const *arguments,
              const char *user,
              GBytes *input,
              guint timeout_ms,
              GError **error)
{
  g_auto (Files) files = { -1, -1 };
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *what = NULL;

  if (!files_open (&files, input))
    return refuse (arguments[0], g_strerror (errno), -1, error);
  process = start (arguments, user, &files, error);
  if (process == NULL)
    return FALSE;

  if (!wait_for (process, timeout_ms))
    what = g_strdup_printf ("not done after %.3g s", timeout_ms / 1e3);
  else if (g_subprocess_get_successful (process))
    return TRUE;
  else if (g_subprocess_get_if_exited (process))
    what = g_strdup_printf ("exit status %d", g_subprocess_get_exit_status (process));
  else
    what = g_strdup_printf ("killed by signal %d", g_subprocess_get_term_sig (process));

  return refuse (arguments[0], what, files.output, error);
}

gboolean
jmc_mail_sendmail_send (const JmcMailTransport *self,
                        GPtrArray *recipients,
                        GBytes *bytes,
                        GError **error)
{
  g_autoptr (GPtrArray) arguments = make_arguments (self, recipients);

  return jmc_mail_run ((const char *const *) arguments->pdata, self->sendmail_user,
                       bytes, self->timeout_ms, error);
}
