/* jmc-run-reader.h: the one job of a run, as a node reads jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "run/jmc-child.h"
#include "run/jmc-process-tree.h"
#include "run/jmc-run-cgroup.h"
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

G_END_DECLS
