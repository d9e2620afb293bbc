/* jm-subject-private.h: one of those that the figures of a snapshot are about
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"
#include "core/jm-labels.h"
#include "core/jm-metric.h"

G_BEGIN_DECLS

/* The subjects behind the node's own with which the sweep of a node begins. */
#define JM_SYSTEM_SUBJECT 1
#define JM_IDLE_SUBJECT 2
#define JM_GRID_SUBJECT 3

/* What the figures of one number are about. */
typedef struct
{
  JmSubjectKind kind;
  guint parent;     /* its number, which is lower; the node is its own */
  JmJob *job;       /* that it is or belongs to; NULL for the node and its parts */
  JmLabels *labels; /* by the kind's names; NULL where the kind has none */
  gint64 end_time;  /* microseconds since 1970; 0 while it runs */
} JmSubject;

/* Takes references of what a copied record points to. */
void jm_subject_hold (JmSubject *self);

/* Gives them back. */
void jm_subject_clear (JmSubject *self);

const char *jm_subject_kind_get_prefix (JmSubjectKind kind);

const char *const *jm_subject_kind_get_label_names (JmSubjectKind kind);

G_END_DECLS
