/* jm-run-batch.h: what is to be merged into a site's runs at once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-record.h"
#include "core/jm-run-part.h"
#include "core/jm-run.h"

G_BEGIN_DECLS

/**
 * JmRunBatch:
 *
 * What is to be merged into a site's runs at once, with how far its source has been
 * read: all of it is stored, or nothing. It belongs to one thread at a time.
 *
 * Since: 0.1
 */
typedef struct _JmRunBatch JmRunBatch;

#define JM_TYPE_RUN_BATCH (jm_run_batch_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_run_batch_get_type (void);

JM_AVAILABLE_IN_ALL
JmRunBatch *jm_run_batch_new (void);

JM_AVAILABLE_IN_ALL
JmRunBatch *jm_run_batch_ref (JmRunBatch *self);

JM_AVAILABLE_IN_ALL
void jm_run_batch_unref (JmRunBatch *self);

JM_AVAILABLE_IN_ALL
void jm_run_batch_add_run (JmRunBatch *self, JmRun *run, JmRunSource source);

JM_AVAILABLE_IN_ALL
void jm_run_batch_add_part (JmRunBatch *self, JmRunPart *part);

JM_AVAILABLE_IN_ALL
void
jm_run_batch_add_record (JmRunBatch *self, JmJobRecord *record, const char *cluster);

JM_AVAILABLE_IN_ALL
void jm_run_batch_add_state (JmRunBatch *self,
                             const char *cluster,
                             const char *raw_id,
                             gint64 time_us,
                             const char *document);

JM_AVAILABLE_IN_ALL
void
jm_run_batch_set_position (JmRunBatch *self, const char *source, const char *position);

JM_AVAILABLE_IN_ALL
void jm_run_batch_set_person (JmRunBatch *self,
                              const char *cluster,
                              const char *user,
                              guint uid);

JM_AVAILABLE_IN_ALL
void jm_run_batch_set_project (JmRunBatch *self,
                               const char *cluster,
                               const char *account,
                               const char *description);

JM_AVAILABLE_IN_ALL
void jm_run_batch_set_coordinators (JmRunBatch *self,
                                    const char *cluster,
                                    const char *account,
                                    const char *const *users);

JM_AVAILABLE_IN_ALL
void jm_run_batch_set_members (JmRunBatch *self,
                               const char *cluster,
                               const char *account,
                               const char *const *users);

JM_AVAILABLE_IN_ALL
void jm_run_batch_set_administrators (JmRunBatch *self,
                                      const char *cluster,
                                      const char *const *users);

JM_AVAILABLE_IN_ALL
char **jm_run_batch_list_refused (JmRunBatch *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunBatch, jm_run_batch_unref)

G_END_DECLS
