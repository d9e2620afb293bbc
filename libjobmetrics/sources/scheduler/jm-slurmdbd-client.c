/* jm-slurmdbd-client.c: a MariaDB that is asked, within bounds
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-slurmdbd-client-private.h"

#include <mysqld_error.h>
#include <string.h>

#include "core/jm-error.h"
#include "sources/scheduler/jm-libmariadb-private.h"

#define NAME "slurmdbd"

struct _JmSlurmdbdClient
{
  const JmLibmariadb *library;
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
  const JmLibmariadb *library = self->library;
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

JmSlurmdbdClient *
jm_slurmdbd_client_new (const JmSlurmdbdAddress *address, GError **error)
{
  const JmLibmariadb *library = jm_libmariadb_get (error);
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
