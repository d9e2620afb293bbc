/* jmc-run-parts.h: what a command that we run is, and what it uses until it has ended
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"
#include "run/jmc-child.h"
#include "run/jmc-process-tree.h"
#include "run/jmc-run-cgroup.h"
#include "run/jmc-run-summary.h"
#include "sources/cgroup/jm-cgroup-reader.h"

G_BEGIN_DECLS

#define JMC_TYPE_RUN_READER (jmc_run_reader_get_type ())

G_DECLARE_FINAL_TYPE (JmcRunReader, jmc_run_reader, JMC, RUN_READER, JmSource)

/* JmcRunUnit:
 * @job_id: the job's number
 * @cgroup: the job's own; NULL where it is what comes from the command
 * @tree: all that was seen to come from the command
 * @child: the command
 *
 * What a command and all that comes from it are. */
typedef struct
{
  const char *job_id;
  JmcRunCgroup *cgroup;
  JmcProcessTree *tree;
  JmcChild *child;
} JmcRunUnit;

JmcRunReader *jmc_run_reader_new (JmHost *host, const JmcRunUnit *unit, GError **error);

gboolean jmc_run_reader_has_cgroup (JmcRunReader *self);

/* Samples a node of which the command is the only job: the others need not be looked
 * at. */
typedef struct _JmcRunMeter JmcRunMeter;

gboolean jmc_run_meter_check (const JmcMetering *metering);
JmcRunMeter *jmc_run_meter_new (const JmcOptions *options, GError **error);
void jmc_run_meter_free (JmcRunMeter *self);
void jmc_run_meter_follow (JmcRunMeter *self, JmcRunReader *reader, const char *job_id);
void jmc_run_meter_look (JmcRunMeter *self);
JmFigure jmc_run_meter_get_memory_peak (JmcRunMeter *self);
void jmc_run_meter_report (JmcRunMeter *self, JmcRunSummary *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcRunMeter, jmc_run_meter_free)

G_END_DECLS
