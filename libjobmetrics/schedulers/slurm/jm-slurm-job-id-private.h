/* jm-slurm-job-id-private.h: the number of a job, as users of Slurm see it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 raw_id;
  gint64 array_job; /* 0 of none */
  gint64 array_task;
  const char *array_tasks; /* `4-9` or bits, of those that did not begin one by one */
  gint64 array_at_once;    /* how many may run, or 0 */
  gint64 het_job;          /* 0 of none */
  gint64 het_offset;
} JmSlurmJobId;

/* `12_3`, `12_[4-9]`, `12+1` or `12`, as sacct shows it. */
char *jm_slurm_job_id_make_text (const JmSlurmJobId *self);

G_END_DECLS
