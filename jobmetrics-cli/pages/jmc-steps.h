/* jmc-steps.h: a job's steps and tasks as a tree
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"
#include "jmc-table.h"

G_BEGIN_DECLS

GArray *jmc_steps_list (JmSnapshot *snapshot, guint parent);
JmcTable *jmc_steps_make_table (JmSnapshot *snapshot, guint job);

G_END_DECLS
