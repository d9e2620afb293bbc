/* jm-gpu-job-private.h: which accelerators one job has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu.h"
#include "core/jm-job.h"
#include "core/jm-metric-private.h"
#include "core/jm-readings.h"

G_BEGIN_DECLS

/* Of each device, by its name: for how long it was busy for the job and watched, and
 * how much of its memory the job had at most. */
typedef struct _JmGpuTotals JmGpuTotals;

/* When a figure is from. */
typedef struct
{
  guint round;       /* the number of the round; one is left out where time was lost */
  gint64 round_us;   /* when it read the devices, by the monotonic clock */
  gint64 answer_us;  /* when the library asked the device for the figure */
  gint64 covered_us; /* of the time before that, how much the figure covers at most */
} JmGpuMoment;

JmGpuTotals *jm_gpu_totals_new (void);
void jm_gpu_totals_free (JmGpuTotals *self);

/* How busy the device was for the job, as was read. What the device did counts from
 * answer to answer, where every round between the two had one: what a library asked
 * before the job was seen on the device is of somebody else, and of a gap is nothing
 * known. */
void jm_gpu_totals_take_use (JmGpuTotals *self,
                             const char *name,
                             gint64 utilization_ppm,
                             const JmGpuMoment *moment);

/* How much of the device's memory the job had, and how much there is, -1 where that is
 * not known. */
void jm_gpu_totals_take_memory (JmGpuTotals *self,
                                const char *name,
                                gint64 used_bytes,
                                gint64 size_bytes,
                                const JmGpuMoment *moment);

/* Whether the device's clocks were held back, which counts from answer to answer in the
 * same way. */
void jm_gpu_totals_take_throttle (JmGpuTotals *self,
                                  const char *name,
                                  gboolean is_throttled,
                                  const JmGpuMoment *moment);

/* Whether it counts errors of a device, which are a job's while it has the device. */
gboolean jm_gpu_totals_is_error (JmMetric metric);

/* Adds the device's counters of errors (of JmReading). The first value of each that
 * this process sees is where it begins; an Xid that appears later begins at 0. */
void
jm_gpu_totals_take_errors (JmGpuTotals *self, const char *name, const GArray *errors);

/* Adds what is known of a device; of a job that has ended also the size of its memory,
 * which of others the library reports. */
void jm_gpu_totals_tell (const JmGpuTotals *self,
                         const char *name,
                         gboolean has_ended,
                         JmReadings *readings);

/* For the program that comes after. NULL where nothing has changed since it was asked
 * for last. */
GBytes *jm_gpu_totals_save (JmGpuTotals *self);

/* NULL for what is none. */
JmGpuTotals *jm_gpu_totals_restore (GBytes *bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuTotals, jm_gpu_totals_free)

/* What a job has of a device in one round. */
typedef struct
{
  guint gpu;    /* its number in the roll */
  double share; /* what the job was given of it, 0 to 1; 0 where it only uses it */
  JmGpuOrigin origin; /* by whose word; the driver's where it only uses it */
  gboolean is_allocated;
  gboolean is_used;       /* the driver lists a process of the job on it */
  gboolean is_alone;      /* the share is the whole, and no other job uses it */
  guint n_processes;      /* of the job on it */
  gint64 memory_bytes;    /* of those; -1 where it is not known of each */
  gint64 utilization_ppm; /* the same */
  guint job_subject; /* numbers in the snapshot that is made: the job's, and that */
  guint subject;     /* of the job and device together; 0 before it was visited */
} JmGpuHold;

/* What somebody said that the job was given, of devices that the node has. */
typedef struct
{
  guint gpu;
  double share;
  JmGpuOrigin origin;
} JmGpuWord;

/* What the driver lists of a job on a device. */
typedef struct
{
  guint gpu;
  guint n_processes;
  gint64 memory_bytes;
  gint64 utilization_ppm;
} JmGpuUse;

/* The accelerators of one job: who says what, and what follows. */
typedef struct
{
  JmJob *job;          /* as it was known when it was asked about; NULL before */
  guint n_rounds;      /* since then */
  JmGpuGrants *grants; /* what was said */
  GArray *words;       /* of JmGpuWord: what of it is about devices of this node */
  GArray *uses;        /* of JmGpuUse: of this round */
  GArray *holds;       /* of JmGpuHold: of this round, by number of the device */
  JmGpuTotals *totals; /* of its life */
} JmGpuJob;

JmGpuJob *jm_gpu_job_new (void);
void jm_gpu_job_free (JmGpuJob *self);

/* Says what a process of the job has of a device; it is counted if it @is_new. */
void jm_gpu_job_add_use (JmGpuJob *self,
                         guint gpu,
                         gboolean is_new,
                         gint64 memory_bytes,
                         gint64 utilization_ppm);

/* Says that the job has ended: it keeps what it was given. */
void jm_gpu_job_end (JmGpuJob *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuJob, jm_gpu_job_free)

G_END_DECLS
