/* jm-run-words-private.h: states of runs that this program itself gives them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* As schedulers have them. */
#define JM_RUN_PENDING "PENDING"
#define JM_RUN_RUNNING "RUNNING"
#define JM_RUN_SUSPENDED "SUSPENDED"
#define JM_RUN_COMPLETING "COMPLETING"
#define JM_RUN_UNCLEAR "UNKNOWN"

/* It ran and has ended, and no accounting knows how; as nodes' records have it. */
#define JM_RUN_ENDED "ENDED"
/* It waited, left the queue, and no accounting knows of it. */
#define JM_RUN_LOST "LOST"

/* Of a row of runs: a scheduler had it in its queue when it was asked last. An index of
 * the archive has the same text. */
#define JM_RUN_IS_QUEUED                                                               \
 "state IN ('" JM_RUN_PENDING "', '" JM_RUN_RUNNING "', '" JM_RUN_SUSPENDED            \
 "', '" JM_RUN_COMPLETING "', '" JM_RUN_UNCLEAR "')"

/* Of a row of runs: it is over though its end is not known, and when it was known last.
 */
#define JM_RUN_IS_GONE                                                                 \
 "(end_time = 0 AND state IN ('" JM_RUN_ENDED "', '" JM_RUN_LOST "'))"
#define JM_RUN_GONE_SINCE                                                              \
 "(CASE WHEN seen_time > 0 THEN seen_time WHEN start_time > 0 THEN start_time"         \
 " ELSE submit_time END)"
