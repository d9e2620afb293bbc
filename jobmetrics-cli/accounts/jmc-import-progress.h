/* jmc-import-progress.h: how far an import is, on a terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* JmcImportProgress:
 * @total: bytes that there are; 0 where nobody knows */
typedef struct
{
  const char *name;
  guint64 total;
  guint64 n_bytes;
  guint64 n_rows;
  gint64 begin_us;
  gint64 shown_us;
  gboolean is_shown;
} JmcImportProgress;

/* Nothing is shown where the standard error is no terminal. */
void
jmc_import_progress_begin (JmcImportProgress *self, const char *name, guint64 total);
void jmc_import_progress_add (JmcImportProgress *self, guint64 n_bytes, guint64 n_rows);
void jmc_import_progress_end (JmcImportProgress *self);

G_END_DECLS
