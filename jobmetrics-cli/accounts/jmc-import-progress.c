/* jmc-import-progress.c: how far an import is, on a terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-import-progress.h"

#include <stdio.h>
#include <unistd.h>

#include "core/jm-format.h"
#include "core/jm-safe-text-private.h"

#define SHOW_EVERY_US (G_USEC_PER_SEC / 5)
/* Begins the line anew, and empties it. */
#define ANEW "\r\033[K"

void
jmc_import_progress_begin (JmcImportProgress *self, const char *name, guint64 total)
{
  *self = (JmcImportProgress){ .name = name,
                               .total = total,
                               .begin_us = g_get_monotonic_time (),
                               .is_shown = isatty (STDERR_FILENO) };
}

static void
show (JmcImportProgress *self, gint64 now_us)
{
  const double seconds = (double) (now_us - self->begin_us) / G_USEC_PER_SEC;
  g_autofree char *name = jm_safe_text_make (self->name);
  g_autofree char *done = jm_format_to_string (JM_FORMAT_BYTES, (double) self->n_bytes);
  g_autofree char *total = jm_format_to_string (JM_FORMAT_BYTES, (double) self->total);
  g_autoptr (GString) line = g_string_new (ANEW);

  g_string_append_printf (line, "%s: %s", name, done);
  if (self->total > 0)
    g_string_append_printf (line, " of %s", total);
  if (seconds > 0)
    g_string_append_printf (line, ", %.0f rows/s", (double) self->n_rows / seconds);
  if (self->n_bytes > 0 && self->total > self->n_bytes)
    {
      g_autofree char *rest =
        jm_format_to_string (JM_FORMAT_DURATION,
                             seconds *
                               ((double) self->total / (double) self->n_bytes - 1));

      g_string_append_printf (line, ", %s left", rest);
    }
  fputs (line->str, stderr);
  fflush (stderr);
}

void
jmc_import_progress_add (JmcImportProgress *self, guint64 n_bytes, guint64 n_rows)
{
  const gint64 now_us = g_get_monotonic_time ();

  self->n_bytes += n_bytes;
  self->n_rows += n_rows;
  if (!self->is_shown || now_us - self->shown_us < SHOW_EVERY_US)
    return;

  self->shown_us = now_us;
  show (self, now_us);
}

void
jmc_import_progress_end (JmcImportProgress *self)
{
  if (self->is_shown && self->shown_us > 0)
    fputs (ANEW, stderr);
}
