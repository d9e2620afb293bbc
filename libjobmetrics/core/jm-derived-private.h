/* jm-derived-private.h: what follows from a snapshot's figures, for the library alone
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-derived.h"

G_BEGIN_DECLS

JmFigure jm_derived_get_gpu_temperature (JmSnapshot *snapshot, guint subject);

char *jm_derived_format_gpu_devices (JmSnapshot *snapshot, guint subject);

char *jm_derived_format_gpu_jobs (JmSnapshot *snapshot, guint subject);

JmFigure jm_derived_get_cpus_used (JmSnapshot *snapshot, guint subject);

G_END_DECLS
