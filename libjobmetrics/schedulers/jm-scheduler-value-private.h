/* jm-scheduler-value-private.h: the values in what Slurm's commands print
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"

G_BEGIN_DECLS

/* Slurm counts memory in MiB, whatever its letters say. */
#define JM_SLURM_MEGABYTE (G_GUINT64_CONSTANT (1) << 20)

/*
 * All are total, as those of host/jm-parse-private.h. FALSE means that the text breaks
 * its format. What Slurm has no value for (`N/A`, `(null)`, `Unknown`, `none`, nothing
 * at all, and the numbers by which older releases say the same) is a value that is
 * absent:
 * TRUE, and *@has is FALSE.
 */

gboolean jm_scheduler_is_absent (JmSlice text);

/* The same of a name, which may be any word: there may be a user `none`. */
gboolean jm_scheduler_is_no_name (JmSlice text);

gboolean jm_scheduler_parse_count (JmSlice text, guint64 *count, gboolean *has);

/* For the fields of records, which stay as they are where a value is absent. */
typedef gboolean (*JmSchedulerParse) (JmSlice text, guint64 *value, gboolean *has);
gboolean jm_scheduler_take_value (JmSlice text, JmSchedulerParse parse, gint64 *field);

/* `460`, `5.5G`, `20T`: in MiB where no letter stands behind. */
gboolean jm_scheduler_parse_memory (JmSlice text, guint64 *bytes, gboolean *has);

/* `2`, `2K`, `3T`: a count that may have a letter behind; K is 1024. */
gboolean jm_scheduler_parse_amount (JmSlice text, guint64 *amount, gboolean *has);

/* Whether a real number is one by which Slurm marks an unknown value. */
gboolean jm_scheduler_is_no_real (double value);

/* Seconds since 1970, as SLURM_TIME_FORMAT=%s has it. */
gboolean jm_scheduler_parse_time (JmSlice text, guint64 *seconds, gboolean *has);

/* [DAYS-]HOURS:MINUTES:SECONDS, or less of it; `UNLIMITED` is absent. */
gboolean jm_scheduler_parse_duration (JmSlice text, guint64 *seconds, gboolean *has);

/* How many tasks of an array `1-5,7,10-20:2%3` stands for. */
gboolean jm_scheduler_count_tasks (JmSlice text, guint64 *n_tasks, gboolean *has);

G_END_DECLS
