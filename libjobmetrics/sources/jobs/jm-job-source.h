/* jm-job-source.h: which jobs the cgroups are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"
#include "core/jm-place.h"
#include "host/jm-source.h"

G_BEGIN_DECLS

#define JM_TYPE_JOB_SOURCE (jm_job_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_INTERFACE (JmJobSource, jm_job_source, JM, JOB_SOURCE, JmSource)

/**
 * JmJobSourceInterface:
 * @parent_iface: the parent interface
 * @match: see jm_job_source_match()
 * @may_have_jobs: see jm_job_source_may_have_jobs(); may be left out
 * @identify: see jm_job_source_identify()
 *
 * What knows the jobs of one scheduler.
 *
 * Since: 0.1
 */
struct _JmJobSourceInterface
{
  GTypeInterface parent_iface;

  JmPlace *(*match) (JmJobSource *self, const char *path);
  gboolean (*may_have_jobs) (JmJobSource *self, const char *path);
  JmJob *(*identify) (JmJobSource *self, const char *path, JmPlace *place, guint pid);

  gpointer padding[6];
};

JM_AVAILABLE_IN_ALL
JmPlace *jm_job_source_match (JmJobSource *self, const char *path);

JM_AVAILABLE_IN_ALL
gboolean jm_job_source_may_have_jobs (JmJobSource *self, const char *path);

JM_AVAILABLE_IN_ALL
JmJob *
jm_job_source_identify (JmJobSource *self, const char *path, JmPlace *place, guint pid);

G_END_DECLS
