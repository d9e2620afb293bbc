/* jm-file-calls-private.h: what jobs read and write of each file system
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/* The program that counts, in the kernel. */
typedef struct _JmFileCalls JmFileCalls;

/* A cgroup of which it counts. */
typedef struct _JmFileCount JmFileCount;

typedef struct
{
  guint64 reads;
  guint64 read_bytes;
  guint64 writes;
  guint64 written_bytes;
  guint64 opens;
  guint64 creates;
  guint64 read_errors;
  guint64 write_errors;
} JmFileSum;

/* Errors: ABSENT where this kernel or build has no BPF, or no tracepoint of system
 * calls; DENIED without CAP_BPF and CAP_PERFMON. */
JmFileCalls *jm_file_calls_new (JmHost *host, GError **error);
void jm_file_calls_free (JmFileCalls *self);

JmFileCount *jm_file_count_new (JmFileCalls *calls, const char *dir, GError **error);
void jm_file_count_free (JmFileCount *self);

/* Of the file system with that device; %FALSE where nothing was done there. */
gboolean
jm_file_count_read (JmFileCount *self, guint major, guint minor, JmFileSum *sum);

/* Makes room: of what the cgroup did there nobody asks any more. */
void jm_file_count_forget (JmFileCount *self, guint major, guint minor);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmFileCount, jm_file_count_free)

G_END_DECLS
