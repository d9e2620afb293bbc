/* jm-job.h: who a job is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-origin.h"

G_BEGIN_DECLS

/**
 * JmJob:
 *
 * Who a job is: an immutable record, shared by reference.
 *
 * Since: 0.1
 */
typedef struct _JmJob JmJob;

#define JM_TYPE_JOB (jm_job_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_job_get_type (void);

JM_AVAILABLE_IN_ALL
JmJob *jm_job_new (GHashTable *fields, JmOrigin origin);

JM_AVAILABLE_IN_ALL
JmJob *jm_job_ref (JmJob *self);

JM_AVAILABLE_IN_ALL
void jm_job_unref (JmJob *self);

JM_AVAILABLE_IN_ALL
const char *jm_job_get_field (JmJob *self, JmJobField field);

JM_AVAILABLE_IN_ALL
JmOrigin jm_job_get_origin (JmJob *self, JmJobField field);

JM_AVAILABLE_IN_ALL
char **jm_job_list_further_fields (JmJob *self);

JM_AVAILABLE_IN_ALL
const char *jm_job_get_further_field (JmJob *self, const char *name);

JM_AVAILABLE_IN_ALL
JmOrigin jm_job_get_further_origin (JmJob *self, const char *name);

JM_AVAILABLE_IN_ALL
guint jm_job_count_fields (JmJob *self, JmOrigin origin);

JM_AVAILABLE_IN_ALL
gboolean jm_job_is_decided (JmJob *self);

JM_AVAILABLE_IN_ALL
const char *jm_job_get_run_key (JmJob *self);

JM_AVAILABLE_IN_ALL
const char *jm_job_get_id (JmJob *self);

JM_AVAILABLE_IN_ALL
const char *jm_job_get_uuid (JmJob *self);

JM_AVAILABLE_IN_ALL
gboolean jm_job_is_uuid_weak (JmJob *self);

JM_AVAILABLE_IN_ALL
const char *jm_job_get_user (JmJob *self);

JM_AVAILABLE_IN_ALL
gint64 jm_job_get_start_time (JmJob *self);

JM_AVAILABLE_IN_ALL
gboolean jm_job_is_called (JmJob *self, const char *id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmJob, jm_job_unref)

G_END_DECLS
