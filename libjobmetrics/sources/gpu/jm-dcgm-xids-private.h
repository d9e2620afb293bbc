/* jm-dcgm-xids-private.h: the errors that a driver told of, counted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu-report.h"
#include "sources/gpu/jm-dcgm-api-private.h"

G_BEGIN_DECLS

/* The Xid errors of one GPU; of one thread at a time. */
typedef struct _JmDcgmXids JmDcgmXids;

/* Counts what happened at @since_us, by the engine's clock, and later. */
JmDcgmXids *jm_dcgm_xids_new (gint64 since_us);
JmDcgmXids *jm_dcgm_xids_ref (JmDcgmXids *self);
void jm_dcgm_xids_unref (JmDcgmXids *self);

/* What happened from then on was not counted yet. */
gint64 jm_dcgm_xids_get_since (JmDcgmXids *self);

/* A JmDcgmSampleFunc; @xids is one of these. */
int jm_dcgm_xids_take (guint32 entity_group,
                       guint32 entity,
                       JmDcgmSample *samples,
                       int n_samples,
                       void *xids);

void jm_dcgm_xids_tell (JmDcgmXids *self, JmGpuReport *report);

G_END_DECLS
