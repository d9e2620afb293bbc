/* jm-job-inquiry-private.h: who tells who a job is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jobs/jm-scheduler-definition-private.h"

G_BEGIN_DECLS

/**
 * JmJobSpool:
 * @has_member: whether a process is in the job of a path, by its `/proc/PID/status`
 * @find_folder: the logical path of the folder that the scheduler keeps for the job of
 *   a path, or %NULL; and who may have written what is in it, beside root
 *
 * Who knows the jobs that have no cgroup of the kernel's.
 */
typedef struct
{
  gboolean (*has_member) (const char *path,
                          const char *status,
                          gsize length,
                          gpointer user_data);
  char *(*find_folder) (const char *path, guint *owner, gpointer user_data);
} JmJobSpool;

/**
 * JmJobInquiry:
 *
 * All who may tell who the jobs of one scheduler are: paths, the files of hooks and of
 * the scheduler itself, the kernel, and environments.
 */
typedef struct _JmJobInquiry JmJobInquiry;

JmJobInquiry *jm_job_inquiry_new (JmHost *host,
                                  JmSchedulerDefinition *definition,
                                  const char *node_name,
                                  const char *cluster);
void jm_job_inquiry_free (JmJobInquiry *self);

void jm_job_inquiry_set_spool (JmJobInquiry *self,
                               const JmJobSpool *spool,
                               gpointer user_data,
                               GDestroyNotify destroy);

gboolean jm_job_inquiry_knows_owner (JmJobInquiry *self, const JmPathMatch *match);
JmJob *jm_job_inquiry_ask (JmJobInquiry *self, const char *path, guint pid);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmJobInquiry, jm_job_inquiry_free)

G_END_DECLS
