/* report-jobs.h: two jobs, of one of which next to nothing is known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

#define JOB 1
#define BARE_JOB 2

/* A job that has run for 10.25 s on 4 CPUs, and one that has ended and of which next to
 * nothing is known. */
JmSnapshot *report_jobs_make_snapshot (void);

G_END_DECLS
