/* jm-job-process-private.h: what a process has of its job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-proc-private.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JmJobProcess:
 *
 * What was read of one process: whom it runs for, in which cgroups, and either what its
 * environment claims or its command line. An environment of more than 1 MiB is not
 * looked at.
 */
typedef struct _JmJobProcess JmJobProcess;

JmJobProcess *jm_job_process_read (JmHost *host, guint pid);
JmJobProcess *jm_job_process_read_command (JmHost *host, guint pid);
void jm_job_process_free (JmJobProcess *self);

gboolean jm_job_process_is_partial (const JmJobProcess *self);
const char *jm_job_process_get_environ (const JmJobProcess *self, gsize *length);
const char *jm_job_process_get_status (const JmJobProcess *self, gsize *length);
gboolean jm_job_process_get_uid (const JmJobProcess *self, JmSlice *uid);
const char *jm_job_process_get_roots_command (const JmJobProcess *self);
void jm_job_process_foreach_cgroup (const JmJobProcess *self,
                                    JmProcCgroupFunc func,
                                    gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmJobProcess, jm_job_process_free)

G_END_DECLS
