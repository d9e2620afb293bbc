/* jm-record-moment-private.h: what the runs of a node did at one time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-record.h"

G_BEGIN_DECLS

/* JmRecordMoment:
 * @least_us: the shortest point of a profile that a figure is of, microseconds; 0 where
 *   no profile has a point at that time
 * @most_us: the longest one
 *
 * How wide the points are that the figures of a moment are means over. */
typedef struct
{
  gint64 least_us;
  gint64 most_us;
} JmRecordMoment;

/* Whether the run began at @time_us, microseconds since 1970, or before, and had not ended
 * then. A run whose end is before its begin, since the clock was set, ran at its begin.
 */
gboolean jm_record_moment_has (JmJobRecord *record, gint64 time_us);

/* A snapshot of those of @records (JmJobRecord) that ran at @time_us: a job for each, in
 * their order. CPU time, memory, threads, power, accelerators and the rates of CPU time
 * and of input and output are those of the point of the profile in which the time lies.
 * CPUs, the limit of memory and the devices are those that the record has. Whatever
 * else the record has is of another time, and not in the snapshot. */
JmSnapshot *
jm_record_moment_make (GPtrArray *records, gint64 time_us, JmRecordMoment *moment);

G_END_DECLS
