/* jm-file-private.h: a kernel file that is read again and again
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "host/jm-dir-private.h"

G_BEGIN_DECLS

/**
 * JmFileFlags:
 * @JM_FILE_KEEP: keep its descriptor while the host's budget allows
 * @JM_FILE_SELDOM: the same, and leave room for those that are read more often
 * @JM_FILE_REOPEN: open it for each read: cgroup.procs and tasks of v1, whose list the
 *   kernel freezes for as long as one descriptor is read more than once a second
 *
 * How a file is read again.
 */
typedef enum
{
  JM_FILE_KEEP = 0,
  JM_FILE_REOPEN = 1 << 0,
  JM_FILE_SELDOM = 1 << 1,
  /*< private >*/
  JM_FILE_OWNS_NAME = 1 << 7,
} JmFileFlags;

/**
 * JmFile:
 *
 * One file. Lives in the caller's record and allocates nothing. Once open, a kept file
 * never speaks of another cgroup or process: it answers `ENODEV` when its cgroup was
 * removed, `ESRCH` when its process ended. A file that could not be kept is looked up
 * anew, and may then be that of a later process: compare the start time.
 */
typedef struct
{
  const JmDir *dir;
  const char *name;
  int fd;
  JmFileFlags flags;
} JmFile;

#define JM_FILE_INIT                                                                   \
 {                                                                                     \
  NULL, NULL, -1, JM_FILE_KEEP                                                         \
 }

void jm_file_init (JmFile *self);
int jm_file_open (JmFile *self, JmHost *host, const char *path, JmFileFlags flags);
int
jm_file_open_at (JmFile *self, const JmDir *dir, const char *name, JmFileFlags flags);
void jm_file_close (JmFile *self);

gssize jm_file_read (JmFile *self, char *buffer, gsize size);
gssize jm_file_read_all (JmFile *self, GString *text, gsize max);

char *jm_file_get_path (const JmFile *self);
void jm_file_set_error (const JmFile *self, gssize result, GError **error);
void jm_file_set_malformed (const JmFile *self,
                            const char *problem,
                            const char *text,
                            gsize length,
                            GError **error);

G_END_DECLS
