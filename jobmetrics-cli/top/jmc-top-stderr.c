/* jmc-top-stderr.c: keeps messages off the screen until it is given back
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-stderr.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_KEPT 4096

struct _JmcTopStderr
{
  int held;     /* in place of the standard error; -1 where nothing is held back */
  int terminal; /* the standard error itself */
};

/* What is written to the standard error from now on would tear the screen. Where it
 * goes elsewhere it is left alone. */
JmcTopStderr *
jmc_top_stderr_hold (void)
{
  JmcTopStderr *self = g_new0 (JmcTopStderr, 1);

  self->held = isatty (STDERR_FILENO) ? memfd_create ("messages", MFD_CLOEXEC) : -1;
  if (self->held < 0)
    return self;

  fflush (stderr);
  self->terminal = dup (STDERR_FILENO);
  dup2 (self->held, STDERR_FILENO);

  return self;
}

/* Says the last of what was held back. */
static void
release (JmcTopStderr *self)
{
  char text[MAX_KEPT];
  off_t end = lseek (self->held, 0, SEEK_END);
  ssize_t length =
    pread (self->held, text, sizeof text, MAX (0, end - (off_t) sizeof text));

  if (length > 0)
    g_printerr ("%.*s", (int) length, text);
}

void
jmc_top_stderr_release (JmcTopStderr *self)
{
  if (self->held >= 0)
    {
      fflush (stderr);
      dup2 (self->terminal, STDERR_FILENO);
      close (self->terminal);
      release (self);
      close (self->held);
    }
  g_free (self);
}
