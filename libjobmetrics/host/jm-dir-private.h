/* jm-dir-private.h: a directory that files are opened in, again and again
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JmWorth:
 * @JM_WORTH_LITTLE: saves next to nothing: a directory in which little is opened
 * @JM_WORTH_SOME: saves a walk along its path once in a while
 * @JM_WORTH_MUCH: saves that in each round
 *
 * What it is worth to keep a descriptor. What is worth less has to leave room for the
 * rest: half of the budget, and a quarter.
 */
typedef enum
{
  JM_WORTH_LITTLE,
  JM_WORTH_SOME,
  JM_WORTH_MUCH,
} JmWorth;

/**
 * JmDir:
 *
 * A directory of a host: a cgroup, a process. Its descriptor is kept open while the
 * host's budget allows, so that names in it are looked up in that very directory (a
 * reused process id has another one); else each use goes by its path. Lives in the
 * caller's record, at an address that does not change while files point at it. The
 * host must outlive it.
 */
typedef struct
{
  JmHost *host;
  char *path; /* the real one */
  int fd;
} JmDir;

#define JM_DIR_INIT                                                                    \
 {                                                                                     \
  NULL, NULL, -1                                                                       \
 }

/**
 * JmDirFunc:
 * @name: an entry, never `.` or `..`
 * @type: a `DT_` value of readdir(3), DT_UNKNOWN where the file system does not report
 * @inode: what is called so has another number than what was called so before
 * @user_data: as given
 */
typedef void (*JmDirFunc) (const char *name,
                           guint8 type,
                           guint64 inode,
                           gpointer user_data);

void jm_dir_init (JmDir *self);
int jm_dir_open (JmDir *self, JmHost *host, const char *path);
int jm_dir_open_at (JmDir *self, const JmDir *parent, const char *name);
void jm_dir_forget_descriptor (JmDir *self);
void jm_dir_spare (JmDir *self, JmWorth worth);
void jm_dir_regain (JmDir *self);
void jm_dir_close (JmDir *self);

char *jm_dir_get_child_path (const JmDir *self, const char *name);
int jm_dir_open_child (const JmDir *self, const char *name, int flags);
gssize jm_dir_read_link (const JmDir *self, const char *name, char *target, gsize size);
gboolean jm_dir_is_leaf (const JmDir *self);
gssize jm_dir_foreach (const JmDir *self, JmDirFunc func, gpointer user_data);
gssize jm_dir_count_entries (const JmDir *self);
gssize jm_dir_count_open_files (const JmDir *self);

G_END_DECLS
