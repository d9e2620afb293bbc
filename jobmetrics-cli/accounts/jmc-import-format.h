/* jmc-import-format.h: what an archive of accounts is written in
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "accounts/jmc-import-progress.h"
#include "store/jm-job-store.h"

G_BEGIN_DECLS

/* One archive that is read into a store.
 *
 * @n_runs: how many were told of, whether they were there or not
 * @n_bad: lines that could not be read
 * @n_refused: runs that the store does not take */
typedef struct
{
  JmJobStore *store;
  const char *path; /* - for the standard input */
  const char *cluster;
  JmcImportProgress progress;
  guint64 n_runs;
  guint64 n_bad;
  guint64 n_refused;
} JmcImport;

typedef struct
{
  const char *name;
  gboolean needs_cluster;
  gboolean (*read) (JmcImport *import, GError **error);
} JmcImportFormat;

/* NULL, with an error that names them all, where there is none of that name. */
const JmcImportFormat *jmc_import_format_find (const char *name, GError **error);

G_END_DECLS
