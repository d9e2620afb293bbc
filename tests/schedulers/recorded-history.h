/* recorded-history.h: the runs of a recorded Slurm, as its sacct reported them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "schedulers/jm-history-private.h"

G_BEGIN_DECLS

#define RECORDED_CLUSTER "recorded"

/* What another way of reading cannot know, or knows better. */
typedef struct
{
  gboolean lacks_uid;
  gboolean lacks_canceller;
  gboolean lacks_exit_codes; /* but of what was successful or killed */
  guint n_further; /* runs that sacct had no word of, as they would begin later */
} RecordedGaps;

/* A text of the folder. */
char *recorded_history_load (const char *name);

/* Each run and step of sacct's, and no other, with the same values. CPU times may
 * differ by what sacct cuts, below a millisecond for each step; sacct takes 128 off
 * the exit codes from there on. */
void recorded_history_assert_told (GPtrArray *batches, const RecordedGaps *gaps);

/* That coordinators and administrators are as they were recorded. */
void recorded_history_assert_roles (GPtrArray *batches);

G_END_DECLS
