/* jm-record-cut-private.h: one job out of a round
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-snapshot-private.h"

G_BEGIN_DECLS

/* The figures of one job with its parts and its accelerators, without the others:
 * totals and peaks, and what it was given. The job is number JM_RECORD_SUBJECT. */
JmSnapshot *jm_record_cut (JmSnapshot *snapshot, guint subject);

G_END_DECLS
