/* jm-snappy.c: the snappy library, where somebody wants it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-snappy-private.h"

#include <dlfcn.h>

#include "core/jm-error.h"

/* The version of its interface, as its package libsnappy1v5 has it. */
#define LIBRARY "libsnappy.so.1"

static gboolean
load (JmSnappy *self, GError **error)
{
  gpointer handle = dlopen (LIBRARY, RTLD_LAZY | RTLD_LOCAL);

  if (handle != NULL)
    {
      self->compress = dlsym (handle, "snappy_compress");
      self->max_compressed_length = dlsym (handle, "snappy_max_compressed_length");
    }
  if (self->compress != NULL && self->max_compressed_length != NULL)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
               "remote write needs the library of snappy: %s", dlerror ());
  return FALSE;
}

const JmSnappy *
jm_snappy_get (GError **error)
{
  static JmSnappy library;
  static gboolean is_loaded = FALSE;
  static GMutex lock;
  const JmSnappy *result;

  g_mutex_lock (&lock);
  is_loaded = is_loaded || load (&library, error);
  result = is_loaded ? &library : NULL;
  g_mutex_unlock (&lock);

  return result;
}
