/* jm-sacct-rows-private.h: what sacct prints, as runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run-batch-private.h"
#include "io/jm-command-runner-private.h"
#include "schedulers/slurm/jm-slurm-record-private.h"

G_BEGIN_DECLS

/* Puts lines together to rows and rows to runs: a job may be called anything, a line's
 * end included. */
typedef struct _JmSacctRows JmSacctRows;

/* What goes on is seen at @now, seconds since 1970; a batch has @max_runs at most. */
JmSacctRows *jm_sacct_rows_new (const char *cluster,
                                const char *delimiter,
                                gint64 now,
                                guint max_runs);
void jm_sacct_rows_free (JmSacctRows *self);

/* How many fields of the accounting a row has, from the first on; those that all
 * releases know by default. */
void jm_sacct_rows_set_n_columns (JmSacctRows *self, guint n_columns);

/* Where they come from, for messages; `sacct` by default. It stays the caller's. */
void jm_sacct_rows_set_name (JmSacctRows *self, const char *name);

/* Whose runs they are. */
const char *jm_sacct_rows_get_cluster (JmSacctRows *self);

/* A #JmCommandLineFunc. */
void
jm_sacct_rows_take (const char *line, gsize length, gboolean is_whole, gpointer self);

/* A job that is whole already, with its steps (JmSlurmRecord); both are cleared. */
void jm_sacct_rows_take_job (JmSacctRows *self, JmSlurmRecord *job, GArray *steps);

/* All of it, once no line comes any more: one batch at least. `MALFORMED` where the
 * last row is not whole, or none could be read. */
GPtrArray *jm_sacct_rows_finish (JmSacctRows *self, GError **error);

/* Rows that were passed over, and what was wrong with the first, or NULL. */
guint jm_sacct_rows_get_n_bad (JmSacctRows *self);
const char *jm_sacct_rows_get_complaint (JmSacctRows *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSacctRows, jm_sacct_rows_free)

G_END_DECLS
