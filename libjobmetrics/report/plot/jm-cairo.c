/* jm-cairo.c: the libraries that draw, where somebody wants a picture
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/plot/jm-cairo-private.h"

#include <dlfcn.h>

#include "base/jm-error.h"

static JmCairo loaded;

/* The versions of their interfaces, as Debian's packages have them. */
static gpointer
open_library (const char *name, GError **error)
{
  gpointer handle = dlopen (name, RTLD_LAZY | RTLD_LOCAL);

  if (handle == NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "no picture can be drawn: %s",
                 dlerror ());

  return handle;
}

static gboolean
load (JmCairo *self, GError **error)
{
  gpointer cairo = open_library ("libcairo.so.2", error);
  gpointer pango = cairo != NULL ? open_library ("libpango-1.0.so.0", error) : NULL;
  gpointer both = pango != NULL ? open_library ("libpangocairo-1.0.so.0", error) : NULL;

  if (both == NULL)
    return FALSE;

#define TAKE(handle, function)                                                         \
 self->function = dlsym (handle, #function);                                           \
 if (self->function == NULL)                                                           \
  {                                                                                    \
   g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "no picture can be drawn: %s",       \
                dlerror ());                                                           \
   return FALSE;                                                                       \
  }
#define TAKE_CAIRO(name) TAKE (cairo, cairo_##name)
#define TAKE_PANGO(name) TAKE (pango, pango_##name)
#define TAKE_BOTH(name) TAKE (both, pango_##name)
  JM_CAIRO_FUNCTIONS (TAKE_CAIRO)
  JM_PANGO_FUNCTIONS (TAKE_PANGO)
  JM_PANGO_CAIRO_FUNCTIONS (TAKE_BOTH)
#undef TAKE_BOTH
#undef TAKE_PANGO
#undef TAKE_CAIRO
#undef TAKE

  return TRUE;
}

gboolean
jm_cairo_load (GError **error)
{
  static gboolean is_loaded = FALSE;
  static GMutex lock;
  gboolean result;

  g_mutex_lock (&lock);
  is_loaded = is_loaded || load (&loaded, error);
  result = is_loaded;
  g_mutex_unlock (&lock);

  return result;
}

const JmCairo *
jm_cairo_get (void)
{
  return &loaded;
}
