/* jm-job-private.h: how a job keeps its name while more of it becomes known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"

G_BEGIN_DECLS

/* A copy of @self with the uuid of @namesake, weak if that one's was. */
JmJob *jm_job_new_renamed (JmJob *self, JmJob *namesake);

G_END_DECLS
