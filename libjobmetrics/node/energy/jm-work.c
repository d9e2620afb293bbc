/* jm-work.c: what processors have counted of somebody
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-work-private.h"

#include <math.h>

#include "core/jm-readings-private.h"

#define ALL ((1u << JM_N_WORKS) - 1)

/* Counters that had their turn for less of the time say little of the whole of it. */
#define LEAST_COUNTED 0.1

/* What of the CPU time must have been counted; and what may be missing in any case, for
 * both are read one after the other. */
#define LEAST_COVERED 0.9
#define SKEW_NS 10000000

const JmWork jm_work_unknown = { { NAN, NAN, NAN } };

static const JmMetric metrics[JM_N_WORKS] = {
  [JM_WORK_CYCLES] = JM_METRIC_PERF_CYCLES,
  [JM_WORK_INSTRUCTIONS] = JM_METRIC_PERF_INSTRUCTIONS,
  [JM_WORK_CACHE_MISSES] = JM_METRIC_PERF_CACHE_MISSES,
};

static const char *const groups[JM_N_WORK_GROUPS] = {
  [JM_WORK_GROUP_CYCLES] = "cycles",
  [JM_WORK_GROUP_CACHE] = "cache",
};

gboolean
jm_work_is_known (const JmWork *self)
{
  for (guint i = 0; i < JM_N_WORKS; i++)
    if (!(self->counts[i] >= 0) || isinf (self->counts[i]))
      return FALSE;

  return TRUE;
}

/* --- reading --- */

static void
take_group (guint64 *times_ns, const JmReading *reading)
{
  for (guint i = 0; i < JM_N_WORK_GROUPS; i++)
    if (g_str_equal (jm_labels_get_value (reading->labels, 0), groups[i]))
      times_ns[i] = reading->value;
}

static void
take_reading (JmWorkMeter *self, const JmReading *reading)
{
  for (guint i = 0; i < JM_N_WORKS; i++)
    if (reading->metric == metrics[i])
      {
        self->counts[i] = reading->value;
        self->told |= 1u << i;
      }

  if (reading->metric == JM_METRIC_PERF_WANTED)
    take_group (self->wanted_ns, reading);
  else if (reading->metric == JM_METRIC_PERF_COUNTED)
    take_group (self->counted_ns, reading);
  else if (reading->metric == JM_METRIC_PERF_TASK_CLOCK)
    {
      self->clock_ns = reading->value;
      self->has_clock = TRUE;
    }
}

static JmWorkMeter
read_meter (JmReadings *readings, guint from)
{
  JmWorkMeter now = { { 0 } };
  guint n;
  const JmReading *values = jm_readings_get_values (readings, &n);

  for (guint i = from; i < n; i++)
    take_reading (&now, &values[i]);

  return now;
}

/* --- what it was since --- */

static double
get_growth (guint64 now, guint64 before)
{
  return now > before ? (double) (now - before) : 0;
}

/* What of a group waited for its turn is reported later, and then of both times at
 * once. */
static gboolean
had_turns (const JmWorkMeter *now, const JmWorkMeter *before)
{
  for (guint i = 0; i < JM_N_WORK_GROUPS; i++)
    if (get_growth (now->counted_ns[i], before->counted_ns[i]) <
        LEAST_COUNTED * get_growth (now->wanted_ns[i], before->wanted_ns[i]))
      return FALSE;

  return TRUE;
}

/* Of one that was there before its counters were, some of its time was not counted. */
static gboolean
covers (const JmWorkMeter *now,
        const JmWorkMeter *before,
        guint64 cpu_ns,
        gboolean is_whole)
{
  if (!now->has_clock)
    return before->is_current;

  return (before->is_current || is_whole) &&
         get_growth (now->clock_ns, before->clock_ns) + SKEW_NS >=
           LEAST_COVERED * (double) cpu_ns;
}

static JmWork
get_work (const JmWorkMeter *now, const JmWorkMeter *before)
{
  JmWork work;

  for (guint i = 0; i < JM_N_WORKS; i++)
    work.counts[i] = get_growth (now->counts[i], before->counts[i]);

  return work;
}

JmWork
jm_work_meter_take (JmWorkMeter *self,
                    JmReadings *readings,
                    guint from,
                    guint64 cpu_ns,
                    gboolean is_whole)
{
  const JmWorkMeter before = *self;

  *self = read_meter (readings, from);
  self->is_current = self->told == ALL && had_turns (self, &before);
  /* who did not run has done nothing, whoever counted; its counters wait for it */
  if (cpu_ns == 0)
    return (JmWork){ { 0 } };
  if (!self->is_current || !covers (self, &before, cpu_ns, is_whole))
    return jm_work_unknown;

  return get_work (self, &before);
}

JmWork
jm_work_meter_take_node (JmWorkMeter *self, JmReadings *readings)
{
  const JmWorkMeter before = *self;

  *self = readings != NULL ? read_meter (readings, 0) : (JmWorkMeter){ { 0 } };
  self->is_current = self->told == ALL && had_turns (self, &before);

  return self->is_current && before.is_current ? get_work (self, &before)
                                               : jm_work_unknown;
}
