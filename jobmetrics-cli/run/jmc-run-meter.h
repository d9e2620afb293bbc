/* jmc-run-meter.h: what a command that we run uses, from before it begins until it has
 * ended
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"
#include "run/jmc-run-reader.h"
#include "run/jmc-run-report.h"

G_BEGIN_DECLS

/* Samples a node of which the command is the only job: the others need not be looked
 * at. */
typedef struct _JmcRunMeter JmcRunMeter;

gboolean jmc_run_meter_check (const JmcMetering *metering);
JmcRunMeter *jmc_run_meter_new (const JmcOptions *options, GError **error);
void jmc_run_meter_free (JmcRunMeter *self);
void jmc_run_meter_follow (JmcRunMeter *self, JmcRunReader *reader, const char *job_id);
void jmc_run_meter_look (JmcRunMeter *self);
JmFigure jmc_run_meter_get_memory_peak (JmcRunMeter *self);
void jmc_run_meter_report (JmcRunMeter *self, JmcRunReport *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcRunMeter, jmc_run_meter_free)

G_END_DECLS
