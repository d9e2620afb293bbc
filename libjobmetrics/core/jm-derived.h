/* jm-derived.h: what follows from a snapshot's figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "core/jm-snapshot.h"
#include "core/jm-version-macros.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
JmFigure jm_derived_get_age (JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
JmFigure jm_derived_get_efficiency (JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
JmFigure jm_derived_get_cpus_used (JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
JmFigure
jm_derived_compute_efficiency (JmFigure cpu_time, JmFigure cpus, JmFigure elapsed);

JM_AVAILABLE_IN_ALL
JmFigure jm_derived_compute_coverage (JmFigure covered, JmFigure age);

JM_AVAILABLE_IN_ALL
JmFigure jm_derived_get_memory_share (JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
JmFigure jm_derived_get_start_time (JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
JmFigure jm_derived_get_end_time (JmSnapshot *snapshot, guint subject);

G_END_DECLS
