/* jm-job-private.h: what a job is made of
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-further-fields-private.h"
#include "core/jm-job.h"

G_BEGIN_DECLS

struct _JmJob
{
  char *fields[JM_N_JOB_FIELDS];
  JmOrigin origins[JM_N_JOB_FIELDS];
  JmFurtherFields further;
  char *run_key;
  char *alias; /* what its cgroup is called, where that is not its id */
  gint64 start_time;
  gboolean uuid_is_weak;
  gboolean is_decided;
  gboolean is_partial; /* a source that may know more did not answer just then */
  gboolean is_named_by_submission; /* the uuid is made of that time, not of the start */
};

/* Hashes of all that jm_job_is_called() answers to; returns how many. */
#define JM_JOB_MAX_NAMES 8
guint jm_job_hash_names (JmJob *self, guint hashes[JM_JOB_MAX_NAMES]);
guint jm_job_hash_name (const char *name);

const JmQuantity *jm_job_field_get_quantity (JmJobField field);

gboolean jm_job_field_from_name (const char *name, JmJobField *field);

gboolean jm_origin_from_name (const char *name, JmOrigin *origin);

gboolean jm_origin_may_tell (JmOrigin origin, JmJobField field);

G_END_DECLS
