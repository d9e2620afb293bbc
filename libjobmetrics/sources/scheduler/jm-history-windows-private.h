/* jm-history-windows-private.h: a scheduler's accounting, read a window at a time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-history.h"

G_BEGIN_DECLS

#define JM_HISTORY_SECONDS_OF_DAY 86400
/* What properties are by default, and may be. */
#define JM_HISTORY_DEFAULT_BEGIN 30
#define JM_HISTORY_DEFAULT_OVERLAP 3600
#define JM_HISTORY_MAX_OVERLAP (JM_HISTORY_SECONDS_OF_DAY / 2)

/* Seconds since 1970. */
typedef struct
{
  gint64 begin;
  gint64 end;
} JmHistoryWindow;

/* All runs of a window, as one batch at least, or NULL: no reading is half of one. */
typedef GPtrArray *(*JmHistoryReadWindow) (gpointer data,
                                           const JmHistoryWindow *window,
                                           GCancellable *cancellable,
                                           GError **error);

/* How an accounting is read day by day. Each reading begins before the end of the one
 * before, as accounting may learn late of what has ended. */
typedef struct
{
  const char *position_name;
  guint begin; /* of a first reading: days back, or (beyond 36500) seconds since 1970 */
  guint overlap; /* seconds */
  JmHistoryReadWindow read;
  JmHistoryReadWindow read_by_job; /* for an hour that is too large; NULL where there is
                                    no such way */
  gpointer data;
} JmHistoryWindows;

/* Where the first window begins. `INVALID` for a position that is none. */
gboolean jm_history_windows_find_begin (const JmHistoryWindows *self,
                                        const char *position,
                                        gint64 now,
                                        gint64 *begin,
                                        GError **error);

/* From @begin up to @now; the position stands in the last batch of each window. */
gboolean jm_history_windows_read (const JmHistoryWindows *self,
                                  gint64 begin,
                                  gint64 now,
                                  JmHistoryTake take,
                                  gpointer user_data,
                                  GCancellable *cancellable,
                                  GError **error);

G_END_DECLS
