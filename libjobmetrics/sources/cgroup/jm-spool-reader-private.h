/* jm-spool-reader-private.h: what only our own files ask of a spool's reader
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-cgroup-reader.h"
#include "sources/cgroup/jm-spool-private.h"

G_BEGIN_DECLS

#define JM_TYPE_SPOOL_READER (jm_spool_reader_get_type ())

G_DECLARE_FINAL_TYPE (JmSpoolReader, jm_spool_reader, JM, SPOOL_READER, JmSource)

/* A job whose processes are in such a cgroup of the kernel's is left to that one's
 * reader. To be said before the source is opened; @destroy frees @user_data. */
void jm_spool_reader_leave_out (JmSpoolReader *self,
                                JmSpoolIsJob is_job,
                                gpointer user_data,
                                GDestroyNotify destroy);

/* Whether a process is in the job of the cgroup @path, by its `/proc/PID/status`. */
gboolean jm_spool_reader_has_member (JmSpoolReader *self,
                                     const char *path,
                                     const char *status,
                                     gsize length);

/* The logical path of the folder behind the cgroup @path, and whose it is; NULL where
 * there is none. */
char *jm_spool_reader_find_folder (JmSpoolReader *self, const char *path, guint *owner);

G_END_DECLS
