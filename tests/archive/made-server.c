/* made-server.c: databases for a test: files, and those of a server of its own
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "made-server.h"

#include <glib/gstdio.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "sql/jm-sql-private.h"

#define WAIT_US (60 * G_USEC_PER_SEC)
#define ROLE "jobmetrics"

struct _MadeServer
{
  char *directory; /* data and socket */
  GPid pid;
  uid_t uid; /* whom it runs as */
  gid_t gid;
  guint n_databases;
};

/* PostgreSQL refuses to be root. */
static void
become_nobody (gpointer data)
{
  const MadeServer *self = data;

  if (getuid () == 0 &&
      (setgroups (0, NULL) != 0 || setgid (self->gid) != 0 || setuid (self->uid) != 0))
    _exit (126);
  prctl (PR_SET_PDEATHSIG, SIGQUIT);
}

/* Debian has them apart from other programs. */
static char *
find_program (const char *name)
{
  static const char *const versions[] = { "17", "16", "15", "14", "13" };
  char *path = g_find_program_in_path (name);

  for (guint i = 0; path == NULL && i < G_N_ELEMENTS (versions); i++)
    {
      path = g_build_filename ("/usr/lib/postgresql", versions[i], "bin", name, NULL);
      if (!g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
        g_clear_pointer (&path, g_free);
    }

  return path;
}

static void
initialize (MadeServer *self, const char *program)
{
  const char *argv[] = { program, "-D", "data", "-U",         ROLE,        "-A",
                         "trust", "-E", "UTF8", "--locale=C", "--no-sync", NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *output = NULL;
  int status;

  g_spawn_sync (self->directory, (char **) argv, NULL, G_SPAWN_DEFAULT, become_nobody,
                self, &output, NULL, &status, &error);
  g_assert_no_error (error);
  g_spawn_check_wait_status (status, &error);
  g_assert_no_error (error);
}

static void
launch (MadeServer *self, const char *program)
{
  const char *argv[] = {
    program, "-D", "data", "-k", self->directory, "-F", "-c", "listen_addresses=", NULL
  };
  g_autoptr (GError) error = NULL;

  g_spawn_async (self->directory, (char **) argv, NULL,
                 G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL |
                   G_SPAWN_STDERR_TO_DEV_NULL,
                 become_nobody, self, &self->pid, &error);
  g_assert_no_error (error);
}

static char *
make_uri (MadeServer *self, const char *database)
{
  g_autofree char *host = g_uri_escape_string (self->directory, NULL, FALSE);

  return g_strdup_printf ("postgresql:///%s?host=%s&user=" ROLE, database, host);
}

static JmSql *
await (MadeServer *self)
{
  g_autofree char *uri = make_uri (self, "postgres");
  gint64 deadline_us = g_get_monotonic_time () + WAIT_US;
  JmSql *sql;

  while ((sql = jm_sql_open (uri, JM_SQL_WRITE, NULL, NULL)) == NULL &&
         g_get_monotonic_time () < deadline_us)
    g_usleep (20000);
  g_assert_nonnull (sql);

  return sql;
}

static gboolean
has_backend (void)
{
  g_autoptr (GError) error = NULL;

  /* nobody listens there */
  jm_sql_open ("postgresql:///x?host=/nonexistent", JM_SQL_READ, NULL, &error);

  return !g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT);
}

MadeServer *
made_server_start (const char **reason)
{
  g_autofree char *initdb = find_program ("initdb");
  g_autofree char *postgres = find_program ("postgres");
  const struct passwd *nobody = getpwnam ("nobody");
  MadeServer *self;

  *reason = !has_backend ()                      ? "this build has no PostgreSQL"
            : initdb == NULL || postgres == NULL ? "PostgreSQL is not installed"
            : nobody == NULL                     ? "there is no user nobody"
                                                 : NULL;
  if (*reason != NULL)
    return NULL;

  self = g_new0 (MadeServer, 1);
  self->uid = nobody->pw_uid;
  self->gid = nobody->pw_gid;
  self->directory = g_dir_make_tmp ("jm-server-XXXXXX", NULL);
  g_assert_nonnull (self->directory);
  if (getuid () == 0)
    g_assert_cmpint (chown (self->directory, self->uid, self->gid), ==, 0);
  initialize (self, initdb);
  launch (self, postgres);
  jm_sql_close (await (self));

  return self;
}

char *
made_server_add_database (MadeServer *self)
{
  g_autoptr (JmSql) sql = await (self);
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_strdup_printf ("test%u", self->n_databases++);
  g_autofree char *text = g_strdup_printf ("CREATE DATABASE %s", name);

  jm_sql_run (sql, text, &error);
  g_assert_no_error (error);

  return make_uri (self, name);
}

void
made_server_stop (MadeServer *self)
{
  const char *argv[] = { "rm", "-rf", self->directory, NULL };

  kill (self->pid, SIGINT);
  g_assert_cmpint (waitpid (self->pid, NULL, 0), ==, self->pid);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
                NULL, NULL);
  g_free (self->directory);
  g_free (self);
}
