/* jm-slurm-table-private.h: lines of columns that Slurm's commands print
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-scheduler-report-private.h"

G_BEGIN_DECLS

/* Stands in no name of a job or a node: a control character, which Slurm takes as the
 * suffix of a field. */
#define JM_SLURM_SEPARATOR '\037'

/* One column of what a command prints: how it is asked for, and who takes its value
 * into a record. FALSE where the value breaks its format. */
typedef struct
{
  const char *name;
  gboolean (*take) (JmSchedulerReport *report, gpointer record, JmSlice text);
  gboolean is_key;  /* without this value there is no record */
  gboolean is_text; /* people write it; only the last column may be one */
} JmSlurmColumn;

guint jm_slurm_table_count_separators (JmSlice text);

/* What --Format of squeue and sinfo is given. */
char *jm_slurm_table_make_format (const JmSlurmColumn *columns, guint n_columns);

/* Reads a row. FALSE where there are more columns or less, or a key cannot be read;
 * another value that cannot be read is left out. @report counts either, and keeps what
 * stood there. */
gboolean jm_slurm_table_parse (const JmSlurmColumn *columns,
                               guint n_columns,
                               JmSlice line,
                               JmSchedulerReport *report,
                               gpointer record,
                               const char *command);

G_END_DECLS
