/* jm-job-fields-private.h: sets of job fields
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"

G_BEGIN_DECLS

/* A set is a mask of bits by JmJobField. */
#define JM_JOB_FIELD_BIT(field) (1u << (field))
#define JM_JOB_FIELDS_OF_INFO                                                          \
 (JM_JOB_FIELD_BIT (JM_JOB_FIELD_CLUSTER) |                                            \
  JM_JOB_FIELD_BIT (JM_JOB_FIELD_SCHEDULER) | JM_JOB_FIELD_BIT (JM_JOB_FIELD_ID) |     \
  JM_JOB_FIELD_BIT (JM_JOB_FIELD_UUID) | JM_JOB_FIELD_BIT (JM_JOB_FIELD_USER) |        \
  JM_JOB_FIELD_BIT (JM_JOB_FIELD_UID) | JM_JOB_FIELD_BIT (JM_JOB_FIELD_ACCOUNT) |      \
  JM_JOB_FIELD_BIT (JM_JOB_FIELD_SLUID) | JM_JOB_FIELD_BIT (JM_JOB_FIELD_PARTITION) |  \
  JM_JOB_FIELD_BIT (JM_JOB_FIELD_NAME) |                                               \
  JM_JOB_FIELD_BIT (JM_JOB_FIELD_ARRAY_JOB_ID) |                                       \
  JM_JOB_FIELD_BIT (JM_JOB_FIELD_ARRAY_TASK_ID))

/* Without these, nothing could be joined with the info of a job. */
#define JM_JOB_FIELDS_ALWAYS_OF_INFO                                                   \
 (JM_JOB_FIELD_BIT (JM_JOB_FIELD_ID) | JM_JOB_FIELD_BIT (JM_JOB_FIELD_UUID))
/* What every series of a job may carry besides its id: none changes in its life. */
#define JM_JOB_FIELDS_OF_SERIES                                                        \
 (JM_JOB_FIELD_BIT (JM_JOB_FIELD_UUID) | JM_JOB_FIELD_BIT (JM_JOB_FIELD_CLUSTER) |     \
  JM_JOB_FIELD_BIT (JM_JOB_FIELD_SCHEDULER))

/* Names that are no field's are passed over. */
guint jm_job_fields_from_names (const char *const *names);
char **jm_job_fields_to_names (guint fields);

/* Those of @names that are labels for fields which scheduler definitions declare. */
gboolean jm_job_fields_is_further_label (const char *name);
char **jm_job_fields_list_further_labels (const char *const *names);

G_END_DECLS
