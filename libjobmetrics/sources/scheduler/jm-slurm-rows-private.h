/* jm-slurm-rows-private.h: rows that may go over several lines
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-parse-private.h"

G_BEGIN_DECLS

typedef void (*JmSlurmRowFunc) (JmSlice row, gpointer data);

/* Lines of a table, put together to rows again: names and reasons that people write may
 * have line ends in them, which squeue and sinfo print as they are. A row ends with the
 * separator behind its last column. */
typedef struct _JmSlurmRows JmSlurmRows;

/* @func is handed each row. @separator stays the caller's. */
JmSlurmRows *jm_slurm_rows_new (const char *separator,
                                guint n_columns,
                                JmSlurmRowFunc func,
                                gpointer data);
void jm_slurm_rows_free (JmSlurmRows *self);

/* A line, or the beginning of one that is too long. */
void jm_slurm_rows_take (JmSlurmRows *self, JmSlice line, gboolean is_whole);

/* At the end: hands on what is left, as it is. */
void jm_slurm_rows_finish (JmSlurmRows *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSlurmRows, jm_slurm_rows_free)

G_END_DECLS
