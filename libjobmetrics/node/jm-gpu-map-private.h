/* jm-gpu-map-private.h: which job has which accelerators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/gpu/jm-gpu-job-private.h"
#include "node/gpu/jm-gpu-roll-private.h"
#include "node/jm-job-tracker-private.h"

G_BEGIN_DECLS

/* Finds the jobs of the few processes that use accelerators: the kernel is asked for
 * the cgroup of each, rather than for the processes of each cgroup. */
typedef struct _JmGpuUsers JmGpuUsers;

JmGpuUsers *jm_gpu_users_new (JmHost *host);
void jm_gpu_users_free (JmGpuUsers *self);

/* Begins a round: @trackers and @readings are used until the next one begins. */
void jm_gpu_users_begin_round (JmGpuUsers *self,
                               const GPtrArray *trackers,
                               JmReadings *readings);

/* The living job of a process, or NULL. */
JmTrackedJob *jm_gpu_users_find (JmGpuUsers *self, guint pid);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuUsers, jm_gpu_users_free)

/* Asks all who may know which job has which devices of a roll, and weighs what they
 * say. */
typedef struct _JmGpuMap JmGpuMap;

/* @order: names of devices as the scheduler numbers them, or NULL. */
JmGpuMap *jm_gpu_map_new (JmGpuRoll *roll,
                          JmHost *host,
                          const char *const *order,
                          guint n_shards);
void jm_gpu_map_free (JmGpuMap *self);

/* One that may know whose devices are; it may know none. */
void jm_gpu_map_add_mapper (JmGpuMap *self, JmGpuMapper *mapper);

/* Maps the jobs of @trackers in a round, after the roll was read. */
void jm_gpu_map_read (JmGpuMap *self, const GPtrArray *trackers, JmReadings *readings);

JmGpuRoll *jm_gpu_map_get_roll (JmGpuMap *self);

/* How many jobs were given the device; -1 of one that is divided: its instances are
 * given. */
int jm_gpu_map_count_jobs (JmGpuMap *self, guint gpu);

/* A job's accelerators; NULL until it was asked about them, or, with the next, a new
 * one. */
JmGpuJob *jm_gpu_map_get_job (JmTrackedJob *job);
JmGpuJob *jm_gpu_map_take_job (JmTrackedJob *job);

/* What a job has in this round, by number of the device. Valid until the next one. */
JmGpuHold *jm_gpu_map_get_holds (JmTrackedJob *job, guint *n_holds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuMap, jm_gpu_map_free)

G_END_DECLS
