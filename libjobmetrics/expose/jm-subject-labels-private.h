/* jm-subject-labels-private.h: the label texts of a node's jobs, steps and tasks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-snapshot-private.h"

G_BEGIN_DECLS

/* What all series of one subject have in common, rendered. */
typedef struct
{
  JmSubject subject;     /* references of its own */
  GString *labels;       /* jobid="1",step="0" */
  GString *info;         /* the labels of jobmetrics_job_info; of jobs only */
  guint revision;        /* another one whenever the texts are; 0 before they are */
  gboolean is_qualified; /* called by its full id: another one's is the same */
  gboolean is_hidden;
} JmSubjectLabels;

/* Keeps label texts from snapshot to snapshot. Only what has changed at a position is
 * rendered anew. */
typedef struct
{
  GArray *labels;   /* of JmSubjectLabels, by number of the subject */
  guint job_fields; /* of each series of a job, besides its id */
  guint info_fields;
  char **further_labels; /* of jobmetrics_job_info too; NULL for none */
  GHashTable *qualified; /* full ids of jobs; NULL before the first snapshot */
  guint n_rendered;      /* texts, ever */
} JmSubjectLabelsTable;

/* @info_fields is a mask of bits by JmJobField; @further_labels, which are taken over,
 * are labels for further fields. */
void jm_subject_labels_table_init (JmSubjectLabelsTable *self, guint info_fields);
void jm_subject_labels_table_clear (JmSubjectLabelsTable *self);

/* Both forget all texts. */
void jm_subject_labels_table_set_job_fields (JmSubjectLabelsTable *self,
                                             guint job_fields);
void jm_subject_labels_table_set_info_fields (JmSubjectLabelsTable *self,
                                              guint info_fields,
                                              char **further_labels);
void jm_subject_labels_table_update (JmSubjectLabelsTable *self, JmSnapshot *snapshot);
const JmSubjectLabels *jm_subject_labels_table_get (const JmSubjectLabelsTable *self,
                                                    guint subject);

G_END_DECLS
