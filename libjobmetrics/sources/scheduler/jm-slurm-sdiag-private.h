/* jm-slurm-sdiag-private.h: how a controller is doing, as sdiag prints it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-scheduler-report-private.h"

G_BEGIN_DECLS

/* What the lines before told: their meaning depends on the heading that they are below.
 */
typedef struct
{
  JmSchedulerDiagnostics diagnostics;
  guint section;
  gboolean is_begun;
} JmSlurmSdiag;

void jm_slurm_sdiag_init (JmSlurmSdiag *self);

/* One line, without its end. One that cannot be read is told to @report. */
void jm_slurm_sdiag_read (JmSlurmSdiag *self, JmSchedulerReport *report, JmSlice line);

/* Adds what was told, if there was anything. */
void jm_slurm_sdiag_finish (JmSlurmSdiag *self, JmSchedulerReport *report);

G_END_DECLS
