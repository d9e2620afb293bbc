/* jm-slurmdbd-client.c: a MariaDB that is asked, within bounds
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurmdbd-parts-private.h"

#include <dlfcn.h>
#include <mysql.h>
#include <mysqld_error.h>
#include <string.h>

#include "base/jm-error.h"

#define NAME "slurmdbd"
/* The version of its interface, as its package libmariadb3 has it. */
#define LIBRARY "libmariadb.so.3"

/* It is loaded when the first database is opened: no node needs it. A function that is
 * used here is a word. */
#define LIBMARIADB_FUNCTIONS(X)                                                        \
 X (close)                                                                             \
 X (error)                                                                             \
 X (fetch_row)                                                                         \
 X (free_result)                                                                       \
 X (init)                                                                              \
 X (num_fields)                                                                        \
 X (optionsv)                                                                          \
 X (real_connect)                                                                      \
 X (real_query)                                                                        \
 X (use_result)

#define LIBMARIADB_MEMBER(name) __typeof__ (mysql_##name) *call_##name;

/* errno is a macro, and so no word that can be pasted. */
typedef struct
{
  LIBMARIADB_FUNCTIONS (LIBMARIADB_MEMBER)
  unsigned int (*call_errno_) (MYSQL *server);
} Libmariadb;

#undef LIBMARIADB_MEMBER

struct _JmSlurmdbdClient
{
  const Libmariadb *library;
  MYSQL *server;
};

static int
get_code (guint number)
{
  switch (number)
    {
    case ER_ACCESS_DENIED_ERROR:
    case ER_DBACCESS_DENIED_ERROR:
    case ER_TABLEACCESS_DENIED_ERROR:
    case ER_COLUMNACCESS_DENIED_ERROR:
      return JM_ERROR_DENIED;
    case ER_NO_SUCH_TABLE:
    case ER_BAD_DB_ERROR:
    case ER_BAD_FIELD_ERROR:
    case ER_VIEW_INVALID:
      return JM_ERROR_INVALID;
    default:
      return JM_ERROR_UNAVAILABLE;
    }
}

static gboolean
fail (JmSlurmdbdClient *self, GError **error)
{
  const char *text = self->library->call_error (self->server);
  int code = get_code (self->library->call_errno_ (self->server));

  g_set_error (error, JM_ERROR, code, NAME ": %s", text);

  return FALSE;
}

static void
set_options (JmSlurmdbdClient *self, const JmSlurmdbdAddress *address)
{
  const Libmariadb *library = self->library;
  guint timeout = address->timeout;
  my_bool is_on = TRUE;
  my_bool is_off = FALSE;

  library->call_optionsv (self->server, MYSQL_OPT_CONNECT_TIMEOUT, &timeout);
  library->call_optionsv (self->server, MYSQL_OPT_READ_TIMEOUT, &timeout);
  library->call_optionsv (self->server, MYSQL_OPT_WRITE_TIMEOUT, &timeout);
  library->call_optionsv (self->server, MYSQL_OPT_RECONNECT, &is_off);
  library->call_optionsv (self->server, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  if (address->ca_file == NULL)
    return;

  library->call_optionsv (self->server, MYSQL_OPT_SSL_CA, address->ca_file);
  library->call_optionsv (self->server, MYSQL_OPT_SSL_ENFORCE, &is_on);
  library->call_optionsv (self->server, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &is_on);
}

static gboolean
load (Libmariadb *self, GError **error)
{
  gpointer handle = dlopen (LIBRARY, RTLD_LAZY | RTLD_LOCAL);

#define TAKE_AS(member, function)                                                      \
 self->member = handle != NULL ? dlsym (handle, function) : NULL;                      \
 if (self->member == NULL)                                                             \
  {                                                                                    \
   g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "MariaDB's library: %s",             \
                dlerror ());                                                           \
   return FALSE;                                                                       \
  }
#define TAKE(function) TAKE_AS (call_##function, "mysql_" #function)
  LIBMARIADB_FUNCTIONS (TAKE)
  TAKE_AS (call_errno_, "mysql_errno")
#undef TAKE
#undef TAKE_AS

  return TRUE;
}

/* Loads it, once for the whole program; never unloaded. NULL with `ABSENT` where it is
 * not installed. */
static const Libmariadb *
libmariadb_get (GError **error)
{
  static Libmariadb library;
  static gboolean is_loaded = FALSE;
  static GMutex lock;
  const Libmariadb *result;

  g_mutex_lock (&lock);
  is_loaded = is_loaded || load (&library, error);
  result = is_loaded ? &library : NULL;
  g_mutex_unlock (&lock);

  return result;
}

JmSlurmdbdClient *
jm_slurmdbd_client_new (const JmSlurmdbdAddress *address, GError **error)
{
  const Libmariadb *library = libmariadb_get (error);
  g_autoptr (JmSlurmdbdClient) self = NULL;

  if (library == NULL)
    return NULL;

  self = g_new0 (JmSlurmdbdClient, 1);
  self->library = library;
  self->server = library->call_init (NULL);
  set_options (self, address);
  if (library->call_real_connect (self->server, address->host, address->user,
                                  address->password, address->database, address->port,
                                  address->socket, 0) == NULL)
    {
      fail (self, error);
      return NULL;
    }

  return g_steal_pointer (&self);
}

void
jm_slurmdbd_client_free (JmSlurmdbdClient *self)
{
  self->library->call_close (self->server);
  g_free (self);
}

/* What is left of it is read, too, where it is closed early. */
static gboolean
hand_on (JmSlurmdbdClient *self,
         MYSQL_RES *result,
         guint n_columns,
         JmSlurmdbdRowFunc func,
         gpointer data,
         GError **error)
{
  guint n = self->library->call_num_fields (result);
  MYSQL_ROW row;

  if (n != n_columns)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                   NAME ": %u columns, where there should be %u", n, n_columns);
      return FALSE;
    }
  while ((row = self->library->call_fetch_row (result)) != NULL)
    func ((const char *const *) row, data);

  return self->library->call_errno_ (self->server) == 0 || fail (self, error);
}

gboolean
jm_slurmdbd_client_ask (JmSlurmdbdClient *self,
                        const char *sql,
                        guint n_columns,
                        JmSlurmdbdRowFunc func,
                        gpointer data,
                        GError **error)
{
  MYSQL_RES *result;
  gboolean is_good;

  if (self->library->call_real_query (self->server, sql, strlen (sql)) != 0)
    return fail (self, error);

  result = self->library->call_use_result (self->server);
  if (result == NULL)
    return fail (self, error);
  is_good = hand_on (self, result, n_columns, func, data, error);
  self->library->call_free_result (result);

  return is_good;
}
