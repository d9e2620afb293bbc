/* jmc-job-identity.h: who a job is, as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-job.h"
#include "jmc-table.h"

G_BEGIN_DECLS

void jmc_job_identity_add (JmcTable *table, JmJob *job);
void jmc_job_identity_add_uuid (JmcTable *table, JmJob *job);
void jmc_job_identity_add_origins (JmcTable *table, JmJob *job);

G_END_DECLS
