/* jm-job-draft-private.h: a job that is being put together
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"

G_BEGIN_DECLS

/* What is known of a job so far, from several origins. */
typedef struct _JmJobDraft JmJobDraft;

JmJobDraft *jm_job_draft_new (void);
void jm_job_draft_free (JmJobDraft *self);

/* Sets a field, unless @origin may not set it or one that is as reliable has set it
 * already. Of @value, which may be NULL for nothing, @length bytes count; -1 for all.
 *
 * Returns: whether the field was taken */
gboolean jm_job_draft_set (JmJobDraft *self,
                           JmJobField field,
                           JmOrigin origin,
                           const char *value,
                           gssize length);

/* Sets one that the scheduler's definition declares, likewise. */
gboolean jm_job_draft_set_further (JmJobDraft *self,
                                   const char *name,
                                   JmOrigin origin,
                                   const char *value,
                                   gssize length);

const char *jm_job_draft_get (const JmJobDraft *self, JmJobField field);
JmOrigin jm_job_draft_get_origin (const JmJobDraft *self, JmJobField field);

/* Takes from @job what is not known yet or has a more reliable origin. An id that
 * is only what its path calls it stays behind: whoever knows the real one may come yet.
 *
 * Returns: whether anything was taken */
gboolean jm_job_draft_merge (JmJobDraft *self, JmJob *job);

/* The uuid that the job has already been shown under stays. */
void jm_job_draft_keep_uuid (JmJobDraft *self, JmJob *job);

void jm_job_draft_set_run_key (JmJobDraft *self, const char *run_key);
/* What else the job answers to, beside its id. */
void jm_job_draft_set_alias (JmJobDraft *self, const char *alias);

void jm_job_draft_set_uuid (JmJobDraft *self, const char *uuid, gboolean is_weak);
void jm_job_draft_set_decided (JmJobDraft *self);

/* A source that may know more did not answer: it may help to ask again. */
void jm_job_draft_set_partial (JmJobDraft *self);

/* Which time the uuid is made of, where the job has no unique id: that of the start,
 * unless this says that of the submission. */
void jm_job_draft_set_moment (JmJobDraft *self, JmJobField moment);

/* The job as it is known now; the draft may go on. The job id must be there. */
JmJob *jm_job_draft_to_job (const JmJobDraft *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmJobDraft, jm_job_draft_free)

G_END_DECLS
