/* jmc-job-tables.h: a job's identity, steps, energy and emissions in tables
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-text-table-private.h"
#include "core/jm-job.h"
#include "core/jm-snapshot.h"

G_BEGIN_DECLS

void jmc_job_identity_add (JmTextTable *table, JmJob *job);
void jmc_job_identity_add_uuid (JmTextTable *table, JmJob *job);
void jmc_job_identity_add_origins (JmTextTable *table, JmJob *job);

GArray *jmc_steps_list (JmSnapshot *snapshot, guint parent);
JmTextTable *jmc_steps_make_table (JmSnapshot *snapshot, guint job);

JmTextTable *
jmc_energy_tables_make_energy (JmSnapshot *snapshot, guint subject, gboolean is_over);
JmTextTable *jmc_energy_tables_make_emissions (JmSnapshot *snapshot, guint subject);

G_END_DECLS
