/* jm-libpq.c: PostgreSQL's library, where somebody wants it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sql/jm-libpq-private.h"

#include <dlfcn.h>

#include "base/jm-error.h"

/* The version of its interface, as its package libpq5 has it. */
#define LIBRARY "libpq.so.5"

static gboolean
load (JmLibpq *self, GError **error)
{
  gpointer handle = dlopen (LIBRARY, RTLD_LAZY | RTLD_LOCAL);

#define TAKE(function)                                                                 \
 self->function = handle != NULL ? dlsym (handle, "PQ" #function) : NULL;              \
 if (self->function == NULL)                                                           \
  {                                                                                    \
   g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "PostgreSQL's library: %s",          \
                dlerror ());                                                           \
   return FALSE;                                                                       \
  }
  JM_LIBPQ_FUNCTIONS (TAKE)
#undef TAKE
#define TAKE(function) self->function = dlsym (handle, "PQ" #function);
  JM_LIBPQ_PIPELINES (TAKE)
#undef TAKE

  return TRUE;
}

const JmLibpq *
jm_libpq_get (GError **error)
{
  static JmLibpq library;
  static gboolean is_loaded = FALSE;
  static GMutex lock;
  const JmLibpq *result;

  g_mutex_lock (&lock);
  is_loaded = is_loaded || load (&library, error);
  result = is_loaded ? &library : NULL;
  g_mutex_unlock (&lock);

  return result;
}
