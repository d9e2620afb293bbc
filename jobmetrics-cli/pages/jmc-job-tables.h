/* jmc-job-tables.h: a job's identity, steps, energy and emissions in tables
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-job.h"
#include "core/jm-snapshot.h"
#include "jmc-table.h"

G_BEGIN_DECLS

void jmc_job_identity_add (JmcTable *table, JmJob *job);
void jmc_job_identity_add_uuid (JmcTable *table, JmJob *job);
void jmc_job_identity_add_origins (JmcTable *table, JmJob *job);

GArray *jmc_steps_list (JmSnapshot *snapshot, guint parent);
JmcTable *jmc_steps_make_table (JmSnapshot *snapshot, guint job);

JmcTable *
jmc_energy_tables_make_energy (JmSnapshot *snapshot, guint subject, gboolean is_over);
JmcTable *jmc_energy_tables_make_emissions (JmSnapshot *snapshot, guint subject);

G_END_DECLS
