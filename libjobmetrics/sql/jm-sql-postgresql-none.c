/* jm-sql-postgresql-none.c: no database on a server, without libpq
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-error.h"
#include "sql/jm-sql-backend-private.h"

JmSql *
jm_sql_postgresql_open (const char *uri,
                        JmSqlAccess access,
                        GCancellable *stop,
                        GError **error)
{
  g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT,
                       "this build of jobmetrics has no PostgreSQL");

  return NULL;
}

gboolean
jm_sql_is_postgresql (JmSql *self)
{
  return FALSE;
}
