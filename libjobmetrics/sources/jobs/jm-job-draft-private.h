/* jm-job-draft-private.h: what is known of a job so far
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"
#include "host/jm-parse-private.h"

G_BEGIN_DECLS

/**
 * JmJobDraft:
 * @fields: what is known; %NULL where nothing is
 *
 * A job that is being put together from several sources.
 */
typedef struct
{
  char *fields[JM_N_JOB_FIELDS];
} JmJobDraft;

#define JM_JOB_DRAFT_INIT                                                              \
 {                                                                                     \
  {                                                                                    \
   NULL                                                                                \
  }                                                                                    \
 }

void jm_job_draft_clear (JmJobDraft *self);
void jm_job_draft_set (JmJobDraft *self, JmJobField field, JmSlice value);
void jm_job_draft_set_string (JmJobDraft *self, JmJobField field, const char *value);

gboolean jm_job_field_is_empty (JmSlice value);
gboolean jm_job_field_check (JmJobField field, JmSlice value);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmJobDraft, jm_job_draft_clear)

G_END_DECLS
