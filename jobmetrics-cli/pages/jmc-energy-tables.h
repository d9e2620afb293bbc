/* jmc-energy-tables.h: a job's energy and emissions in tables
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"
#include "jmc-table.h"

G_BEGIN_DECLS

JmcTable *
jmc_energy_tables_make_energy (JmSnapshot *snapshot, guint subject, gboolean is_over);
JmcTable *jmc_energy_tables_make_emissions (JmSnapshot *snapshot, guint subject);

G_END_DECLS
