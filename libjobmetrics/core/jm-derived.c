/* jm-derived.c: what follows from a snapshot's figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-derived-private.h"

#include "core/jm-figure-private.h"
#include "core/jm-snapshot-private.h"

static const JmFigure absent = { 0, FALSE, FALSE };

static JmFigure
make_time (gint64 time_us)
{
  return time_us > 0 ? jm_figure_known ((double) time_us / G_USEC_PER_SEC) : absent;
}

/**
 * jm_derived_get_start_time: (skip)
 * @snapshot: a snapshot
 * @subject: a job, step or task
 *
 * Gets when a job began, as the scheduler or else its oldest process says.
 *
 * Returns: seconds since 1970; absent where unknown
 * Since: 0.1
 */
JmFigure
jm_derived_get_start_time (JmSnapshot *snapshot, guint subject)
{
  return make_time (jm_snapshot_get_start_time (snapshot, subject));
}

/**
 * jm_derived_get_end_time: (skip)
 * @snapshot: a snapshot
 * @subject: a job, step or task
 *
 * Gets when a job was seen to have ended.
 *
 * Returns: seconds since 1970; absent while it runs
 * Since: 0.1
 */
JmFigure
jm_derived_get_end_time (JmSnapshot *snapshot, guint subject)
{
  return make_time (jm_snapshot_get_end_time (snapshot, subject));
}

/**
 * jm_derived_get_age: (skip)
 * @snapshot: a snapshot
 * @subject: a job, step or task
 *
 * Gets for how long a job has been running, or ran: from its start to its end, or to
 * when the snapshot was taken.
 *
 * Returns: seconds; absent where the start is not known, or lies after the end, for
 *   that is a clock that was set and no age
 * Since: 0.1
 */
JmFigure
jm_derived_get_age (JmSnapshot *snapshot, guint subject)
{
  gint64 start_time_us = jm_snapshot_get_start_time (snapshot, subject);
  gint64 end_time_us = jm_snapshot_get_end_time (snapshot, subject);

  if (end_time_us == 0)
    end_time_us = jm_snapshot_get_time (snapshot);
  if (start_time_us <= 0 || end_time_us < start_time_us)
    return absent;

  return jm_figure_known ((double) (end_time_us - start_time_us) / G_USEC_PER_SEC);
}

/**
 * jm_derived_compute_efficiency: (skip)
 * @cpu_time: seconds of CPU time that were spent
 * @cpus: how many CPUs there were to spend it on
 * @elapsed: for how many seconds
 *
 * Divides CPU time by what could have been spent of it.
 *
 * Returns: per cent, above 100 where more CPUs were used than given; absent where one
 *   of the figures is, or where there was no CPU or no time
 * Since: 0.1
 */
JmFigure
jm_derived_compute_efficiency (JmFigure cpu_time, JmFigure cpus, JmFigure elapsed)
{
  JmFigure possible = { cpus.value * elapsed.value, cpus.is_known && elapsed.is_known,
                        FALSE };

  return jm_figure_get_share (cpu_time, possible);
}

/**
 * jm_derived_get_efficiency: (skip)
 * @snapshot: a snapshot
 * @subject: a job, step or task
 *
 * Divides the CPU time that a job has spent, `cpu_seconds`, by the product of its CPUs,
 * `cpus`, and its age.
 *
 * Returns: per cent; absent where one of the three is not known
 * Since: 0.1
 */
JmFigure
jm_derived_get_efficiency (JmSnapshot *snapshot, guint subject)
{
  return jm_derived_compute_efficiency (jm_figure_of_metric (snapshot, subject,
                                                             JM_METRIC_CPU_TOTAL),
                                        jm_figure_of_metric (snapshot, subject,
                                                             JM_METRIC_CPUS),
                                        jm_derived_get_age (snapshot, subject));
}

/* Gets how many CPUs were busy: over the point of the job's profile where the snapshot
 * is of a past time, else over the job's life.
 *
 * Returns CPUs; absent where the CPU time or the age is not known. */
JmFigure
jm_derived_get_cpus_used (JmSnapshot *snapshot, guint subject)
{
  const JmFigure age = jm_derived_get_age (snapshot, subject);
  JmFigure used = jm_figure_of_metric (snapshot, subject, JM_METRIC_CPU_TOTAL);
  double rate;

  if (jm_snapshot_get_rate (snapshot, subject, JM_METRIC_CPU_TOTAL, &rate))
    return jm_figure_known (rate);
  if (!used.is_known || !age.is_known || age.value <= 0)
    return absent;

  used.value /= age.value;

  return used;
}

/**
 * jm_derived_compute_coverage: (skip)
 * @covered: for how many seconds a job's energy was known, `energy_covered_seconds`
 * @age: the job's age
 *
 * Divides the time for which a job's energy was known by the job's age. Clocks and
 * sweeps do not begin together, so that the former may be longer.
 *
 * Returns: per cent, at most 100; absent where one of the figures is
 * Since: 0.1
 */
JmFigure
jm_derived_compute_coverage (JmFigure covered, JmFigure age)
{
  JmFigure coverage = jm_figure_get_share (covered, age);

  coverage.value = MIN (coverage.value, 100);

  return coverage;
}

/**
 * jm_derived_get_memory_share: (skip)
 * @snapshot: a snapshot
 * @subject: a job, step or task
 *
 * Divides the memory that a job uses now, `memory_used_bytes`, by the most that it may
 * use, `memory_limit_bytes`.
 *
 * Returns: per cent; absent where one of the two is not known, as where there is no
 *   limit
 * Since: 0.1
 */
JmFigure
jm_derived_get_memory_share (JmSnapshot *snapshot, guint subject)
{
  return jm_figure_get_share (jm_figure_of_metric (snapshot, subject,
                                                   JM_METRIC_MEMORY_USED),
                              jm_figure_of_metric (snapshot, subject,
                                                   JM_METRIC_MEMORY_LIMIT));
}
