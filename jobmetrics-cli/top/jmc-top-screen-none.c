/* jmc-top-screen-none.c: stands in for the terminal where ncurses was not built in
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <gio/gio.h>

#include "top/jmc-top-screen.h"

JmcTopScreen *
jmc_top_screen_open (JmcColor color, GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
               "built without ncurses (--once prints a single page)");

  return NULL;
}

/* None of these is reached: there is no screen. */

void
jmc_top_screen_close (JmcTopScreen *self)
{
}

void
jmc_top_screen_get_size (JmcTopScreen *self, guint *width, guint *height)
{
  *width = 0;
  *height = 0;
}

guint32
jmc_top_screen_read_key (JmcTopScreen *self, gboolean *is_key)
{
  *is_key = FALSE;

  return 0;
}

void
jmc_top_screen_draw (JmcTopScreen *self, JmcTopFrame *frame)
{
}
