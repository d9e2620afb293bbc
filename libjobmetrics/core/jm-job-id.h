/* jm-job-id.h: a job's id as its scheduler's own tools write it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"
#include "core/jm-version-macros.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
char *jm_job_format_id (JmJob *job);

G_END_DECLS
