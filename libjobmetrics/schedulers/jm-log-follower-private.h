/* jm-log-follower-private.h: what was added to a scheduler's accounting files
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "schedulers/jm-history-private.h"

G_BEGIN_DECLS

typedef enum
{
  JM_LOG_ROW_BAD,
  JM_LOG_ROW_COMMENT, /* may stand in many files: none is known by it */
  JM_LOG_ROW_READ,
} JmLogRow;

/* Reads a line. *@run is left alone where the line has none. A value that cannot be read
 * is unknown; *@bad is the name of the last such value, else it is left alone. Total. */
typedef JmLogRow (*JmLogParse) (JmSlice line,
                                const char *cluster,
                                JmRun **run,
                                const char **bad);

typedef struct
{
  const char *name; /* of the position */
  const char *cluster;
  JmLogParse parse;
  gboolean is_dated; /* its files never change their names; else these are rotated */
} JmLogKind;

/* Files of a folder whose names are dates, oldest first. */
GPtrArray *jm_log_list_dated (const char *directory, GError **error);

/* A file and what it was called before it was rotated, such as FILE.0 and FILE.1.gz,
 * oldest first: the file itself is the last. */
GPtrArray *jm_log_list_rotated (const char *path, GError **error);

/* Reads on from @position: `OFFSET LENGTH HASH NAME`, where the last line that was read
 * ends, how long it is, its hash and its file. A file is known by that line, as its
 * name and its inode change when it is rotated, packed or restored. */
gboolean jm_log_follower_read (const JmLogKind *kind,
                               GPtrArray *paths,
                               const char *position,
                               JmHistoryTake take,
                               gpointer user_data,
                               GCancellable *cancellable,
                               GError **error);

G_END_DECLS
