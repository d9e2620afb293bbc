/* jm-slurm-field-private.h: a value that Slurm reports, and where it goes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "schedulers/jm-scheduler-report-private.h"

G_BEGIN_DECLS

typedef enum
{
  JM_SLURM_TEXT,
  JM_SLURM_ANY_TEXT, /* whatever it is: a job may be called `N/A` */
  JM_SLURM_COUNT,
  JM_SLURM_TIME, /* seconds since 1970 */
  JM_SLURM_REAL,
  JM_SLURM_MICROSECONDS, /* kept as seconds */
  JM_SLURM_HUNDREDTHS,   /* kept as one */
  JM_SLURM_YES,          /* 1 of `yes` or `true`, 0 of `no` or `false` */
  JM_SLURM_DURATION,     /* kept as seconds */
  JM_SLURM_MINUTES,      /* kept as seconds */
  JM_SLURM_MEMORY,       /* kept as bytes */
  JM_SLURM_WORDS,        /* one more, behind a comma */
  JM_SLURM_TRES_CPUS,    /* of a list of what Slurm counts, as the next three */
  JM_SLURM_TRES_MEMORY,  /* kept as bytes */
  JM_SLURM_TRES_NODES,
  JM_SLURM_TRES_GPUS,
} JmSlurmKind;

typedef struct
{
  const char *name;
  JmSlurmKind kind;
  gsize offset; /* in the record */
} JmSlurmField;

/* Puts it where it goes; what Slurm has no value for (`(null)`,
 * `N/A`, `Unknown`, `parent`, nothing at all) leaves the record as it is. FALSE, and a
 * complaint to the report, where the text is not of that kind. */
gboolean jm_slurm_field_take (const JmSlurmField *field,
                              JmSchedulerReport *report,
                              gpointer record,
                              JmSlice text);

/* The columns of a line, with `|` between them, one for each field; those of the same
 * name in turn are of the same column. FALSE, and a complaint about @command, where
 * they are more or less; a value that cannot be read costs that value. */
gboolean jm_slurm_field_take_columns (const JmSlurmField *fields,
                                      guint n_fields,
                                      JmSchedulerReport *report,
                                      gpointer record,
                                      JmSlice line,
                                      const char *command);

G_END_DECLS
