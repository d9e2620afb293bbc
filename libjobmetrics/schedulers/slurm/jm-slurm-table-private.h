/* jm-slurm-table-private.h: lines of columns that Slurm's commands print
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "schedulers/jm-scheduler-report-private.h"

G_BEGIN_DECLS

/* One column of what a command prints: how it is asked for, and who takes its value
 * into a record. FALSE where the value breaks its format. */
typedef struct
{
  const char *name;
  gboolean (*take) (JmSchedulerReport *report, gpointer record, JmSlice text);
  gboolean is_key; /* without this value there is no record */
} JmSlurmColumn;

/* What a command is asked for. */
typedef struct
{
  const char *command; /* for messages */
  const JmSlurmColumn *columns;
  guint n_columns;
  gboolean may_lack_last; /* the last column: it is empty then */
} JmSlurmTable;

/* A separator made by chance, for one question: users may put any character into the
 * name of a job, and none can put in what is not known before the command runs. It is
 * no digit that it begins with, so that Slurm takes it as the suffix of a field. */
char *jm_slurm_make_separator (void);

/* Makes it the unit separator that it begins with, where the first row has that alone:
 * what a site has in the place of Slurm's command may not look at the format. FALSE
 * where the line is no row yet. */
gboolean jm_slurm_settle_separator (char *separator, JmSlice line);

guint jm_slurm_count_separators (JmSlice text, const char *separator);

/* Up to the next separator, or the end: @rest is without a text then, and FALSE is
 * returned once it is. */
gboolean jm_slurm_take_cell (JmSlice *rest, const char *separator, JmSlice *cell);

/* What --Format of squeue and sinfo is given. */
char *jm_slurm_table_make_format (const JmSlurmTable *self, const char *separator);

/* Reads a row. FALSE where there are more columns or less, or a key cannot be read;
 * another value that cannot be read is left out. @report counts either, and keeps what
 * stood there. */
gboolean jm_slurm_table_parse (const JmSlurmTable *self,
                               const char *separator,
                               JmSlice row,
                               JmSchedulerReport *report,
                               gpointer record);

G_END_DECLS
