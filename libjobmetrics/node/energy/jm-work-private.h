/* jm-work-private.h: what processors have counted of somebody
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"

G_BEGIN_DECLS

typedef enum
{
  JM_WORK_CYCLES,
  JM_WORK_INSTRUCTIONS,
  JM_WORK_CACHE_MISSES, /* of the last level */
  JM_N_WORKS,
} JmWorkKind;

/* What was counted in an interval; NAN where that is not known. */
typedef struct
{
  double counts[JM_N_WORKS];
} JmWork;

extern const JmWork jm_work_unknown;

gboolean jm_work_is_known (const JmWork *self);

/* Groups of events that take turns on the processor's counters. */
typedef enum
{
  JM_WORK_GROUP_CYCLES,
  JM_WORK_GROUP_CACHE,
  JM_N_WORK_GROUPS,
} JmWorkGroup;

/* Where somebody's counters stood when they were read last. All 0 at first. */
typedef struct
{
  guint64 counts[JM_N_WORKS];
  guint64 clock_ns; /* CPU time in which they counted */
  guint64 wanted_ns[JM_N_WORK_GROUPS];
  guint64 counted_ns[JM_N_WORK_GROUPS];
  guint32 told;        /* bits by kind */
  gboolean has_clock;  /* else it is not known */
  gboolean is_current; /* they had counted all until then */
} JmWorkMeter;

/* What was counted since the last reading, by @readings from position @from on, of one
 * that used @cpu_ns of CPU time meanwhile. @is_whole: it was not there before. It is
 * known where the counters were there all the while, and had their turns. */
JmWork jm_work_meter_take (JmWorkMeter *self,
                           JmReadings *readings,
                           guint from,
                           guint64 cpu_ns,
                           gboolean is_whole);

/* The same of a whole node, whose CPU time does not matter; @readings are NULL where it
 * was not counted. */
JmWork jm_work_meter_take_node (JmWorkMeter *self, JmReadings *readings);

G_END_DECLS
