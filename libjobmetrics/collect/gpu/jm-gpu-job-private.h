/* jm-gpu-job-private.h: which accelerators one job has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/gpu/jm-gpu-totals-private.h"
#include "core/jm-gpu-grants.h"
#include "core/jm-job.h"

G_BEGIN_DECLS

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
  gint64 memory_bytes;    /* of those; -1 where it is not told of each */
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
