/* made-mariadb.c: a MariaDB of a test
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "made-mariadb.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAIT_US (60 * G_USEC_PER_SEC)

struct _MadeMariadb
{
  char *directory; /* data and socket */
  char *socket;
  char *server; /* the program */
  GPid pid;     /* 0 while it is down */
  uid_t uid;
  gid_t gid;
};

/* A server refuses to be root. */
static void
become_nobody (gpointer data)
{
  const MadeMariadb *self = data;

  if (getuid () == 0 &&
      (setgroups (0, NULL) != 0 || setgid (self->gid) != 0 || setuid (self->uid) != 0))
    _exit (126);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

/* Debian has servers where only root looks for them. */
static char *
find_program (const char *name)
{
  char *path = g_find_program_in_path (name);

  if (path == NULL)
    {
      path = g_build_filename ("/usr/sbin", name, NULL);
      if (!g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
        g_clear_pointer (&path, g_free);
    }

  return path;
}

static void
initialize (MadeMariadb *self, const char *program)
{
  g_autofree char *data = g_strconcat ("--datadir=", self->directory, "/data", NULL);
  const char *argv[] = { program,
                         "--no-defaults",
                         data,
                         "--auth-root-authentication-method=normal",
                         "--skip-test-db",
                         "--skip-name-resolve",
                         NULL };
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (self->directory, (char **) argv, NULL,
                G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, become_nobody,
                self, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_spawn_check_wait_status (status, &error);
  g_assert_no_error (error);
}

static gboolean
is_up (MadeMariadb *self)
{
  const char *argv[] = { "mariadb",    "--no-defaults",      "--user=root", "--socket",
                         self->socket, "--execute=SELECT 1", NULL };
  int status;

  return g_spawn_sync (NULL, (char **) argv, NULL,
                       G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
                         G_SPAWN_STDERR_TO_DEV_NULL,
                       NULL, NULL, NULL, NULL, &status, NULL) &&
         g_spawn_check_wait_status (status, NULL);
}

void
made_mariadb_restart (MadeMariadb *self)
{
  g_autofree char *data = g_strconcat ("--datadir=", self->directory, "/data", NULL);
  g_autofree char *listen = g_strconcat ("--socket=", self->socket, NULL);
  const char *argv[] = { self->server, "--no-defaults",  data, "--skip-networking",
                         listen,       "--pid-file=pid", NULL };
  gint64 deadline_us = g_get_monotonic_time () + WAIT_US;
  g_autoptr (GError) error = NULL;

  g_spawn_async (self->directory, (char **) argv, NULL,
                 G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL |
                   G_SPAWN_STDERR_TO_DEV_NULL,
                 become_nobody, self, &self->pid, &error);
  g_assert_no_error (error);
  while (!is_up (self) && g_get_monotonic_time () < deadline_us)
    g_usleep (20000);
  g_assert_true (is_up (self));
}

void
made_mariadb_kill (MadeMariadb *self)
{
  kill (self->pid, SIGKILL);
  g_assert_cmpint (waitpid (self->pid, NULL, 0), ==, self->pid);
  self->pid = 0;
}

MadeMariadb *
made_mariadb_start (const char **reason)
{
  g_autofree char *install = find_program ("mariadb-install-db");
  g_autofree char *server = find_program ("mariadbd");
  g_autofree char *client = find_program ("mariadb");
  const struct passwd *nobody = getpwnam ("nobody");
  MadeMariadb *self;

  *reason = install == NULL || server == NULL || client == NULL
              ? "MariaDB is not installed"
            : nobody == NULL ? "there is no user nobody"
                             : NULL;
  if (*reason != NULL)
    return NULL;

  self = g_new0 (MadeMariadb, 1);
  self->uid = nobody->pw_uid;
  self->gid = nobody->pw_gid;
  self->server = g_steal_pointer (&server);
  self->directory = g_dir_make_tmp ("jm-mariadb-XXXXXX", NULL);
  g_assert_nonnull (self->directory);
  self->socket = g_build_filename (self->directory, "socket", NULL);
  if (getuid () == 0)
    g_assert_cmpint (chown (self->directory, self->uid, self->gid), ==, 0);
  initialize (self, install);
  made_mariadb_restart (self);

  return self;
}

void
made_mariadb_free (MadeMariadb *self)
{
  const char *argv[] = { "rm", "-rf", self->directory, NULL };

  if (self->pid != 0)
    made_mariadb_kill (self);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
                NULL, NULL);
  g_free (self->directory);
  g_free (self->socket);
  g_free (self->server);
  g_free (self);
}

const char *
made_mariadb_get_socket (MadeMariadb *self)
{
  return self->socket;
}

void
made_mariadb_run (MadeMariadb *self, const char *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) client =
    g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                      &error, "mariadb", "--no-defaults", "--user=root", "--socket",
                      self->socket, NULL);
  g_autofree char *complaint = NULL;

  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (client, sql, NULL, NULL, &complaint, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (complaint, ==, "");
}
