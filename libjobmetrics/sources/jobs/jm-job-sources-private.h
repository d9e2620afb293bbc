/* jm-job-sources-private.h: the schedulers that a program knows
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"
#include "sources/jobs/jm-cgroup-job-source-private.h"

G_BEGIN_DECLS

GPtrArray *jm_job_sources_load (JmHost *host,
                                const char *const *directories,
                                const char *node_name,
                                const char *cluster,
                                GPtrArray **problems);

G_END_DECLS
