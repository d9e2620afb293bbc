/* jm-record-bounds-private.h: which records of nodes cannot be true
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-record.h"

G_BEGIN_DECLS

/* Names the first figure or time of a record that no job on any node can have. A day is
 * allowed for clocks that were set meanwhile, and for jobs that began before their node
 * was watched. Whether a node's clock is right makes no difference: only the times that
 * the scheduler gave it are compared with @now_us.
 *
 * Returns: (nullable): what is impossible; NULL where nothing is */
char *jm_record_bounds_find_fault (JmJobRecord *record, gint64 now_us);

G_END_DECLS
