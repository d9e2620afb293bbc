/* jm-job-index-private.h: the jobs of a snapshot by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-snapshot-private.h"

G_BEGIN_DECLS

/* Finds a job among 100,000 by some twenty comparisons. Never changes. */
typedef struct _JmJobIndex JmJobIndex;

JmJobIndex *jm_job_index_new (const JmSubject *subjects, guint n_subjects);
void jm_job_index_free (JmJobIndex *self);

/* The last of @subjects, with which the index was made, that is the job called @id.
 * @n_compared is how often something was compared to find it. */
gboolean jm_job_index_find (const JmJobIndex *self,
                            const JmSubject *subjects,
                            const char *id,
                            guint *subject,
                            guint *n_compared);

G_END_DECLS
