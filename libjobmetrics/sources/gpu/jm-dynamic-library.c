/* jm-dynamic-library.c: a library that is looked for at run time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-host-private.h"
#include "sources/gpu/jm-gpu-library-private.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "base/jm-error.h"

struct _JmDynamicLibrary
{
  gpointer handle;
  char *name;
  GPtrArray *missing; /* of names, and a NULL behind them */
};

/* The loader has words alone, in the user's language; the kernel's part of them is
 * known. Where it is a library that this one needs which is missing, that one's name
 * stands in front. */
static JmError
tell_apart (const char *name, const char *message)
{
  static const int numbers[] = { EACCES, EPERM };

  if (g_str_has_prefix (message, name) && g_str_has_suffix (message, strerror (ENOENT)))
    return JM_ERROR_ABSENT;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (g_str_has_suffix (message, strerror (numbers[i])))
      return JM_ERROR_DENIED;

  return JM_ERROR_UNAVAILABLE;
}

static gpointer
load (const char *name, GError **error)
{
  gpointer handle = dlopen (name, RTLD_LAZY | RTLD_LOCAL);
  const char *message = handle == NULL ? dlerror () : NULL;

  if (message != NULL)
    g_set_error (error, JM_ERROR, (int) tell_apart (name, message), "%s%s%s",
                 strstr (message, name) == NULL ? name : "",
                 strstr (message, name) == NULL ? ": " : "", message);

  return handle;
}

/* The first that there is, even if it cannot be loaded. */
static JmDynamicLibrary *
load_any (const char *const *names, GError **error)
{
  g_autoptr (GError) reason = NULL;

  for (guint i = 0; names[i] != NULL; i++)
    {
      gpointer handle;

      g_clear_error (&reason);
      handle = load (names[i], &reason);
      if (handle != NULL)
        {
          JmDynamicLibrary *self = g_new0 (JmDynamicLibrary, 1);

          self->handle = handle;
          self->name = g_strdup (names[i]);
          self->missing = g_ptr_array_new ();
          return self;
        }
      if (!g_error_matches (reason, JM_ERROR, JM_ERROR_ABSENT))
        break;
    }

  g_propagate_error (error, g_steal_pointer (&reason));
  return NULL;
}

static gboolean
resolve (JmDynamicLibrary *self,
         const JmDynamicSymbol *symbols,
         guint n_symbols,
         gpointer table,
         GError **error)
{
  for (guint i = 0; i < n_symbols; i++)
    {
      gpointer function = dlsym (self->handle, symbols[i].name);

      if (function == NULL && symbols[i].is_required)
        {
          g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                       "%s: it has no function %s, so it is too old or another library",
                       self->name, symbols[i].name);
          return FALSE;
        }
      /* C has no pointer that holds both data and functions, POSIX has */
      memcpy ((char *) table + symbols[i].offset, &function, sizeof function);
      if (function == NULL)
        g_ptr_array_add (self->missing, (gpointer) symbols[i].name);
    }
  g_ptr_array_add (self->missing, NULL);

  return TRUE;
}

JmDynamicLibrary *
jm_dynamic_library_open (JmHost *host,
                         const char *path,
                         const char *const *sonames,
                         const JmDynamicSymbol *symbols,
                         guint n_symbols,
                         gpointer table,
                         GError **error)
{
  const char *const named[] = { path, NULL };
  g_autoptr (JmDynamicLibrary) self = NULL;

  if (path == NULL && !jm_host_is_live (host))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                   "%s: a copied tree has no driver that it could ask", sonames[0]);
      return NULL;
    }

  self = load_any (path != NULL ? named : sonames, error);
  if (self == NULL || !resolve (self, symbols, n_symbols, table, error))
    return NULL;

  return g_steal_pointer (&self);
}

void
jm_dynamic_library_close (JmDynamicLibrary *self)
{
  dlclose (self->handle);
  g_ptr_array_unref (self->missing);
  g_free (self->name);
  g_free (self);
}

void
jm_dynamic_library_keep (JmDynamicLibrary *self)
{
  gpointer handle = dlopen (self->name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);

  if (handle != NULL)
    dlclose (handle);
}

const char *const *
jm_dynamic_library_get_missing (JmDynamicLibrary *self)
{
  return (const char *const *) self->missing->pdata;
}

const char *
jm_dynamic_library_get_name (JmDynamicLibrary *self)
{
  return self->name;
}
