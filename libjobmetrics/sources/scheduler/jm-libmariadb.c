/* jm-libmariadb.c: MariaDB's library, where somebody wants it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-libmariadb-private.h"

#include <dlfcn.h>

#include "core/jm-error.h"

/* The version of its interface, as its package libmariadb3 has it. */
#define LIBRARY "libmariadb.so.3"

static gboolean
load (JmLibmariadb *self, GError **error)
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
  JM_LIBMARIADB_FUNCTIONS (TAKE)
  TAKE_AS (call_errno_, "mysql_errno")
#undef TAKE
#undef TAKE_AS

  return TRUE;
}

const JmLibmariadb *
jm_libmariadb_get (GError **error)
{
  static JmLibmariadb library;
  static gboolean is_loaded = FALSE;
  static GMutex lock;
  const JmLibmariadb *result;

  g_mutex_lock (&lock);
  is_loaded = is_loaded || load (&library, error);
  result = is_loaded ? &library : NULL;
  g_mutex_unlock (&lock);

  return result;
}
