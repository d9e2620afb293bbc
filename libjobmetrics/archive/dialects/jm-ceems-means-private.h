/* jm-ceems-means-private.h: what the jobs of a user and project used in the mean
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/dialects/jm-ceems-answer-private.h"

G_BEGIN_DECLS

/* JmCeemsMean:
 * @sum: of per cents by their weights
 * @known: the weights of jobs of which it is known
 * @whole: those of all jobs
 *
 * A mean, weighted by what jobs were given and for how long, as CEEMS weighs it. */
typedef struct
{
  double sum;
  double known;
  double whole;
} JmCeemsMean;

/* JmCeemsMeans:
 * @cluster: of the jobs
 * @user: theirs, empty where it is not known
 * @account: that is charged, empty where it is not known
 * @first: a job that has these texts
 * @cpus: CPU time of what was allocated
 * @memory: memory in use
 * @gpus: utilization of accelerators
 * @gpu_memory: their memory in use
 * @energy_uj: energy of the jobs
 * @gpu_energy_uj: of it, that of accelerators
 * @is_split: whether that is known of all jobs that had some
 *
 * Means of the jobs of a user and account on a cluster. */
typedef struct _JmCeemsMeans
{
  const char *cluster;
  const char *user;
  const char *account;
  JmRun *first;
  JmCeemsMean cpus;
  JmCeemsMean memory;
  JmCeemsMean gpus;
  JmCeemsMean gpu_memory;
  double energy_uj;
  double gpu_energy_uj;
  gboolean is_split;
} JmCeemsMeans;

/* Of the jobs that ended in the window, a set of JmCeemsMeans, transfer full. Where
 * there are too many jobs it is empty, @is_whole FALSE, and there is a warning: the
 * energy of accelerators is then not known apart, and neither part is in the answer.
 *
 * - Errors: as jm_archive_database_list_runs(). */
GHashTable *
jm_ceems_list_means (JmCeemsAnswer *self, gboolean *is_whole, GError **error);

/* Returns the group's that the sums are of, or NULL; @groups may be NULL. */
const JmCeemsMeans *jm_ceems_find_means (GHashTable *groups, JmUsage *usage);

/* Returns per cent, or -1 where less than half is known. */
double jm_ceems_mean_get (const JmCeemsMean *self);

/* Returns the accelerators' share of the energy, from 0 to 1; -1 where it is not known
 * of
 * all jobs that had some, or there is no energy. @self may be NULL. */
double jm_ceems_means_get_gpu_share (const JmCeemsMeans *self);

G_END_DECLS
