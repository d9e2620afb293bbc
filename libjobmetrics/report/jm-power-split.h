/* jm-power-split.h: who has taken a node's power between two snapshots
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-figure.h"
#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/**
 * JmPowerSplit:
 *
 * Who has taken a node's power between two snapshots, domain by domain: immutable,
 * shared by reference.
 *
 * There is a row for each domain, such as `package`, and another where part of a domain
 * is estimated. Domains do not overlap, so rows may be added up. The kind of
 * subject is the consumer:
 *
 * | | |
 * | --- | --- |
 * | %JM_SUBJECT_KIND_JOB | all jobs together |
 * | %JM_SUBJECT_KIND_SYSTEM | all other programs |
 * | %JM_SUBJECT_KIND_IDLE | idle power |
 * | %JM_SUBJECT_KIND_NODE | all three |
 *
 * Since: 0.1
 */
typedef struct _JmPowerSplit JmPowerSplit;

#define JM_TYPE_POWER_SPLIT (jm_power_split_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_power_split_get_type (void);

JM_AVAILABLE_IN_ALL
JmPowerSplit *jm_power_split_new (JmSnapshot *before, JmSnapshot *now);

JM_AVAILABLE_IN_ALL
void jm_power_split_unref (JmPowerSplit *self);

JM_AVAILABLE_IN_ALL
guint jm_power_split_get_n_rows (JmPowerSplit *self);

JM_AVAILABLE_IN_ALL
const char *jm_power_split_get_domain (JmPowerSplit *self, guint row);

JM_AVAILABLE_IN_ALL
gboolean jm_power_split_is_estimated (JmPowerSplit *self, guint row);

JM_AVAILABLE_IN_ALL
gboolean jm_power_split_get_watts (JmPowerSplit *self,
                                   guint row,
                                   JmSubjectKind kind,
                                   double *watts);

JM_AVAILABLE_IN_ALL
JmFigure jm_power_split_get_figure (JmPowerSplit *self, guint row, JmSubjectKind kind);

JM_AVAILABLE_IN_ALL
gboolean
jm_power_split_sum_watts (JmPowerSplit *self, JmSubjectKind kind, double *watts);

JM_AVAILABLE_IN_ALL
JmFigure jm_power_split_sum_figures (JmPowerSplit *self, JmSubjectKind kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPowerSplit, jm_power_split_unref)

G_END_DECLS
